"""Engines that the tests of a session share: one Spark for all of them."""

from __future__ import annotations

import pytest
from tallystick.streaming.engines.dstreams import DStreamEngine
from tallystick.streaming.engines.structured.engine import StructuredEngine


@pytest.fixture(scope="session")
def dstream_engine():
    with DStreamEngine() as engine:
        yield engine


@pytest.fixture(scope="session")
def structured_engine(dstream_engine):
    """On the same SparkContext."""
    with StructuredEngine() as engine:
        yield engine
