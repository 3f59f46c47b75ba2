"""Engines that are started once a session and stopped at its end."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import pytest

from conformance.engines import Engine, MissingError
from conformance.running import ENGINES, Result
from conformance.running import run as run_table
from conformance.table import rows


@contextmanager
def started(name: str) -> Iterator[Engine]:
    """An engine. Where it is not installed the test is skipped by the name of what is missing, and fails in CI."""
    try:
        engine = ENGINES[name]()
    except MissingError as problem:
        if os.environ.get("CI") == "true":
            raise
        pytest.skip(str(problem))
    try:
        yield engine
    finally:
        engine.close()


@pytest.fixture(scope="session")
def postgres() -> Iterator[Engine]:
    with started("postgres") as engine:
        yield engine


@pytest.fixture(scope="session")
def mysql() -> Iterator[Engine]:
    with started("mysql") as engine:
        yield engine


@pytest.fixture(scope="session")
def duckdb() -> Iterator[Engine]:
    with started("duckdb") as engine:
        yield engine


@pytest.fixture(scope="session")
def sqlite() -> Iterator[Engine]:
    with started("sqlite") as engine:
        yield engine


@pytest.fixture(scope="package")
def spark() -> Iterator[Engine]:
    """Ended with the package: other tests start a Spark of their own."""
    with started("spark") as engine:
        yield engine


@dataclass(frozen=True)
class Run:
    """An engine, and what the table came out as on it."""

    engine: Engine
    results: list[Result]


RUNS: dict[str, Run] = {}


@pytest.fixture
def run(request: pytest.FixtureRequest) -> Run:
    """The table on the engine that a parameter names: once a session."""
    engine = request.getfixturevalue(request.param)
    if RUNS.get(request.param) is None or RUNS[request.param].engine is not engine:
        RUNS[request.param] = Run(engine, run_table(engine, rows()))
    return RUNS[request.param]


@pytest.fixture
def engine(request: pytest.FixtureRequest) -> Engine:
    """The engine that a parameter names."""
    return request.getfixturevalue(request.param)
