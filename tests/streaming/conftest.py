"""Engines that the tests of a session share: one Spark for all of them."""

from __future__ import annotations

import pytest
from hypothesis import settings
from tallystick.streaming.engines.dstreams import DStreamEngine
from tallystick.streaming.engines.structured.engine import StructuredEngine


@pytest.fixture
def all_examples():
    """Properties of streams have as many cases as Hypothesis has examples of itself."""
    before = settings.get_current_profile_name()
    settings.load_profile("all")
    yield
    settings.load_profile(before)


@pytest.fixture(scope="session")
def dstream_engine():
    with DStreamEngine() as engine:
        yield engine


@pytest.fixture(scope="session")
def structured_engine(dstream_engine):
    """On the same SparkContext."""
    with StructuredEngine() as engine:
        yield engine
