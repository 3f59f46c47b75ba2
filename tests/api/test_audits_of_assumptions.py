"""A certificate that states less than the reading of two programs assumes is none about these programs."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner
from tallystick.certificates.codec import encode
from tallystick.certificates.proofs import ASSUMPTIONS
from tallystick.certificates.reader import read
from tallystick.cli import main
from tallystick.core.queries.assumptions import Assumption

SCHEMA = "CREATE TABLE t (a DOUBLE, b INT)"
QUERIES = ("SELECT a FROM t WHERE b > 1 AND b < 3", "SELECT a FROM t WHERE b < 3 AND b > 1")
JOBS = """
from decimal import Decimal
from pyspark import RDD

def floats(r: RDD[float]):
    return r.map(lambda x: x + x)

def twice(r: RDD[float]):
    return r.map(lambda x: 2 * x)

def decimals(r: RDD[Decimal]):
    return r.map(lambda x: x + x)

def twice_decimals(r: RDD[Decimal]):
    return r.map(lambda x: 2 * x)
"""
_, _, EXACT_DECIMALS, EXACT_FLOATS, _ = ASSUMPTIONS


def run(*arguments: object) -> tuple[int, str]:
    result = CliRunner().invoke(main, [str(each) for each in arguments])
    return result.exit_code, result.output


def with_assumptions(path: Path, *assumptions: str | Assumption) -> Path:
    """The same certificate with other assumptions."""
    certificate = read(path.read_bytes())
    path.write_bytes(encode(replace(certificate, assumptions=assumptions)))
    return path


def test_queries(tmp_path: Path) -> None:
    schema = tmp_path / "schema.sql"
    schema.write_text(SCHEMA)
    reading = ("--schema", schema, "--assume", "exact-floats")
    path = tmp_path / "certificate.json"
    assert run("check", *QUERIES, *reading, "--certificate", path)[0] == 0
    against = ("--against", *QUERIES, *reading)
    assert run("audit", path, *against)[0] == 0
    stated = read(path.read_bytes()).assumptions
    assert Assumption.EXACT_FLOATS in stated
    with_assumptions(path, *(each for each in stated if each is not Assumption.EXACT_FLOATS))
    assert run("audit", path)[0] == 0
    status, output = run("audit", path, *against)
    assert status == 1
    assert output.startswith("rejected  ")


@pytest.mark.parametrize(
    ("names", "stated", "accepted"),
    [
        (("floats", "twice"), (EXACT_FLOATS,), True),
        (("decimals", "twice_decimals"), (EXACT_DECIMALS,), True),
        (("floats", "twice"), (EXACT_DECIMALS, EXACT_FLOATS), True),
        (("floats", "twice"), (EXACT_DECIMALS,), False),
        (("decimals", "twice_decimals"), (EXACT_FLOATS,), False),
    ],
)
def test_programs(names: tuple[str, str], stated: tuple[str, ...], accepted: bool, tmp_path: Path) -> None:
    jobs = tmp_path / "jobs.py"
    jobs.write_text(JOBS)
    pair = [f"{jobs}:{name}" for name in names]
    path = tmp_path / "certificate.json"
    assert run("check", *pair, "--certificate", path)[0] == 0
    with_assumptions(path, ASSUMPTIONS[0], *stated)
    assert run("audit", path)[0] == 0
    status, output = run("audit", path, "--against", *pair)
    assert (status == 0) is accepted
    if not accepted:
        (needed,) = {EXACT_DECIMALS, EXACT_FLOATS} - set(stated)
        assert output.startswith(f"rejected  about these programs it also assumes: {needed}")
