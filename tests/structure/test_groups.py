"""Tests of one `xdist_group` run in one process: what they share, a Spark or an engine, is made once."""

from __future__ import annotations

import pytest


def group(request: pytest.FixtureRequest) -> str:
    """The group that a process of pytest-xdist knows of a test, at the end of its name."""
    return request.node.nodeid.partition("@")[2]


def expected(request: pytest.FixtureRequest, name: str) -> str:
    """Its name; where there is one process, there is nothing to be known."""
    return name if hasattr(request.config, "workerinput") else ""


@pytest.mark.xdist_group("groups")
def test_the_group_of_a_mark_is_known(request: pytest.FixtureRequest) -> None:
    assert group(request) == expected(request, "groups")


@pytest.mark.spark
def test_what_uses_spark_is_one_group(request: pytest.FixtureRequest) -> None:
    """Which `conftest.py` says, and has to say before the names are made."""
    assert group(request) == expected(request, "spark")
