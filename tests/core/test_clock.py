"""The clock of limits: the processor's time, and a tenth of that on the wall where it is more."""

from __future__ import annotations

import ast
from pathlib import Path
from threading import Thread
from time import thread_time

import pytest
from tallystick.core import clock as clocks
from tallystick.core.clock import clock


@pytest.fixture
def times(monkeypatch: pytest.MonkeyPatch) -> dict[str, float]:
    """What the processor and the wall say."""
    said = {"processor": 5.0, "wall": 100.0}
    monkeypatch.setattr(clocks, "thread_time", lambda: said["processor"])
    monkeypatch.setattr(clocks, "monotonic", lambda: said["wall"])
    return said


def test_what_is_worked_passes() -> None:
    before, started = clock(), thread_time()
    while thread_time() - started < 0.02:
        pass
    assert clock() - before >= 0.015


def test_a_busy_machine_makes_no_difference(times: dict[str, float]) -> None:
    own = clocks._Clock()
    for turn in range(200):  # a turn of 10 ms, looked at twice, then 60 ms of others
        times["processor"] += 0.005
        times["wall"] += 0.005
        own.now()
        times["processor"] += 0.005
        times["wall"] += 0.065
        assert own.now() == pytest.approx(0.01 * (turn + 1), abs=0.01)


def test_waiting_counts_a_tenth(times: dict[str, float]) -> None:
    own = clocks._Clock()
    for _ in range(100):
        times["wall"] += 0.5
        own.now()
    assert own.now() == pytest.approx(5.0)


def test_the_clock_never_goes_back(times: dict[str, float]) -> None:
    own, last = clocks._Clock(), 0.0
    for processor, wall in [(0.0, 3.0), (0.5, 0.5), (0.0, 0.9), (0.9, 0.95), (2.0, 2.0), (0.0, 0.0)] * 5:
        times["processor"] += processor
        times["wall"] += wall
        assert own.now() >= last
        last = own.now()


def test_each_thread_has_its_own() -> None:
    before = clock()
    other: list[float] = []
    thread = Thread(target=lambda: other.append(clock()))
    started = thread_time()
    while thread_time() - started < 0.02:
        pass
    thread.start()
    thread.join()
    assert other[0] < 0.01
    assert clock() - before >= 0.015


WAITING = ("core/clock.py", "dataflow/sweep/calling.py", "decision/service/process.py", "decision/service/worker.py")
"""The clock, and what waits for another process or limits its own."""


def test_no_deadline_is_by_another_clock() -> None:
    """A time of one clock says nothing in another: where they meet, a limit is over at once, or never."""
    others = {"process_time", "thread_time", "monotonic"}
    root = Path(__file__).parents[2]
    for folder in ("certificates", "core", "dataflow", "decision", "streaming/proving"):
        for file in (root / folder).rglob("*.py"):
            if file.relative_to(root).as_posix() not in WAITING:
                nodes = list(ast.walk(ast.parse(file.read_text(encoding="utf-8"))))
                names = {node.id for node in nodes if isinstance(node, ast.Name)}
                names |= {node.attr for node in nodes if isinstance(node, ast.Attribute)}
                assert names.isdisjoint(others), file
