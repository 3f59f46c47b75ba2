"""Work in a fork: its result, what it takes, and whatever may go wrong there."""

from __future__ import annotations

import os
import signal
import threading
import time
from pathlib import Path

import pytest
from tallystick.core.clock import clock
from tallystick.decision.service.isolation import isolated

MEMORY = 4096


def test_the_result_comes_back_with_what_it_took():
    found = isolated(lambda: sum(range(3_000_000)), 30, MEMORY)
    assert (found.result, found.problem) == (4_499_998_500_000, None)
    assert found.processor_seconds > 0
    assert found.memory_mebibytes > 1


def test_memory_is_that_of_the_work():
    small = isolated(lambda: 0, 30, MEMORY).memory_mebibytes
    large = isolated(lambda: len(b"x" * (200 << 20)), 30, MEMORY).memory_mebibytes
    assert 150 < large - small < 300


def test_a_limit_of_memory_is_named():
    found = isolated(lambda: len(bytearray(1 << 40)), 30, MEMORY)
    assert found.problem == ("memory", "the limit of 4096 MiB was met")


def forever() -> int:
    while True:
        pass


def test_a_limit_of_processor_time_ends_what_does_not_end():
    found = isolated(forever, 1, MEMORY)
    assert found.result is None
    assert found.problem == ("time", "no answer within 1 seconds of the processor")


def deep(levels: int) -> int:
    return deep(levels - 1) + 1 if levels else 0


def test_a_defect_costs_its_result_alone():
    assert isolated(lambda: 1 // 0, 30, MEMORY).problem == (
        "defect",
        "please report it: ZeroDivisionError('integer division or modulo by zero')",
    )
    assert isolated(lambda: deep(100_000), 30, MEMORY).problem == (
        "depth",
        "it is nested too deeply for Python's stack",
    )
    ended = isolated(lambda: os.kill(os.getpid(), signal.SIGKILL), 30, MEMORY)
    assert ended.problem == ("process", "it ended without an answer, for lack of memory or a defect")


def test_what_cannot_be_sent_back_is_a_defect():
    found = isolated(lambda: lambda: 0, 30, MEMORY)
    assert found.problem is not None
    assert found.problem[0] == "defect"


def test_an_interrupt_ends_the_fork_and_is_raised(tmp_path: Path):
    def interrupt() -> int:
        (tmp_path / "process").write_text(str(os.getpid()))
        os.kill(os.getppid(), signal.SIGINT)
        return forever()

    with pytest.raises(KeyboardInterrupt):
        isolated(interrupt, 60, MEMORY)
    with pytest.raises(ProcessLookupError):
        os.kill(int((tmp_path / "process").read_text()), 0)


def test_work_that_waits_for_what_never_comes_is_ended_by_the_clock():
    def wait() -> None:
        signal.alarm(1)  # what comes after its patience otherwise
        signal.pause()

    assert isolated(wait, 30, MEMORY).problem == ("time", "no answer within its time by the clock")


def test_an_interrupt_that_another_thread_takes_is_raised_soon():
    """The main thread waits for the fork's answer, and no call of its own is interrupted."""
    ready = threading.Event()

    def take() -> None:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
        ready.wait()
        time.sleep(0.2)
        signal.pthread_kill(threading.get_ident(), signal.SIGINT)

    thread = threading.Thread(target=take)
    thread.start()
    started = time.monotonic()
    ready.set()
    with pytest.raises(KeyboardInterrupt):
        isolated(forever, 60, MEMORY)
    assert time.monotonic() - started < 30
    thread.join()


def test_the_clock_of_a_fork_goes_on_though_its_processor_time_begins_anew():
    def passed(seconds: float) -> float:
        start, begin = clock(), time.thread_time()
        while time.thread_time() - begin < seconds:
            pass
        return clock() - start

    passed(0.4)
    found = isolated(lambda: passed(0.3), 30, MEMORY)
    assert found.result is not None
    assert found.result >= 0.29
