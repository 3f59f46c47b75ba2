"""Formulas that explode meet the cap that is named, and memory stays bounded: measured in a process of its own."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from . import exploding

ALLOWED = 48_000_000
"""Bytes that an explosion may take before it meets its cap."""


@pytest.fixture(scope="module")
def records() -> list[tuple[str, str, int]]:
    """(name of the cap, reason, peak of the memory taken) of each explosion."""
    script = Path(exploding.__file__)
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, check=True, timeout=300)
    return [tuple(json.loads(line)) for line in done.stdout.splitlines()]


@pytest.mark.slow
def test_each_explosion_meets_its_cap(records: list[tuple[str, str, int]]) -> None:
    reasons = {name: reason for name, reason, _ in records}
    assert list(reasons) == list(exploding.EXPLOSIONS)
    late = reasons.pop("deadline")
    assert late == "the deadline passed before an answer was found"
    for name, reason in reasons.items():
        assert reason.startswith("more than "), name
        assert reason.endswith(f" {name.replace('_', ' ')} (cap `{name}`)"), name


@pytest.mark.slow
def test_memory_stays_bounded(records: list[tuple[str, str, int]]) -> None:
    print(", ".join(f"{name} {peak / 1e6:.1f} MB" for name, _, peak in records))
    assert {name for name, _, peak in records if peak > ALLOWED} == set()
