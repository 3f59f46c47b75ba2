"""Defects of the search are raised in tests: users are told of them as a reason why something is unknown."""

from __future__ import annotations

import pytest
from tallystick.dataflow.sweep.proving import RAISING


@pytest.fixture(autouse=True)
def defects_are_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(RAISING, "1")
