"""Formulas that explode meet the cap that is named, and memory stays bounded: measured in a process of its own."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from . import exploding

ALLOWED = 48 * 1024
"""Kilobytes that all explosions together may add to what the process holds once its modules are loaded."""

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the peak is read from Linux's /proc"),
]


@pytest.fixture(scope="module")
def records() -> list[tuple[str, str, int]]:
    """(name of the cap, reason, peak in kilobytes) of each explosion in turn; the first is before all."""
    script = Path(exploding.__file__)
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, check=True, timeout=300)
    return [tuple(json.loads(line)) for line in done.stdout.splitlines()]


def test_each_explosion_meets_its_cap(records: list[tuple[str, str, int]]) -> None:
    reasons = {name: reason for name, reason, _ in records[1:]}
    assert list(reasons) == list(exploding.EXPLOSIONS)
    late = reasons.pop("deadline")
    assert late == "the deadline passed before an answer was found"
    for name, reason in reasons.items():
        assert reason.startswith("more than "), name
        assert reason.endswith(f" {name.replace('_', ' ')} (cap `{name}`)"), name


def test_memory_stays_bounded(records: list[tuple[str, str, int]]) -> None:
    before, after = records[0][2], records[-1][2]
    print(f"peak {before} kB before, {after} kB after {len(records) - 1} explosions")
    assert after - before < ALLOWED, records
