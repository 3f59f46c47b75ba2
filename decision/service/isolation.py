"""Work in a process of its own, forked off: what it took of processor and memory, and limits on both."""

from __future__ import annotations

import os
import pickle
import resource
import select
import signal
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

PARENT_POLL_SECONDS = 0.5
PATIENCE = 20
"""So many times its limit of processor time may work take by the clock, and a minute: it may wait in vain."""
GRACE_SECONDS = 1.0
"""How much longer a prover that has been told its deadline may take to notice it before it is ended."""


Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Isolated(Generic[Result]):
    """What became of work in a process of its own.

    Attributes:
        result: what the work returned; None if it did not end by itself.
        problem: what it met in place of an end, as (what, a sentence about it); None with a result.
        processor_seconds: what it took of the processor.
        memory_mebibytes: the largest part of memory that it held at once, Python and this program included.
    """

    result: Result | None
    problem: tuple[str, str] | None
    processor_seconds: float
    memory_mebibytes: float


def isolated(work: Callable[[], Result], processor_seconds: float, memory_mebibytes: int) -> Isolated[Result]:
    """Does work in a fork of this process, of which nothing is left afterwards.

    Whatever goes wrong in the work costs its result alone. The fork ends with this process, and at the latest after so
    many seconds of the processor.

    Args:
        work: what is done; its result can be pickled.
        processor_seconds: when it is ended, in time of the processor.
        memory_mebibytes: the limit of its address space.
    """
    reading, writing = os.pipe()
    process = os.fork()
    if not process:
        os.close(reading)
        _work(work, writing, processor_seconds, memory_mebibytes)
    os.close(writing)
    try:
        answer = _read(reading)
        _, status, usage = os.wait4(process, 0)
    except BaseException:
        os.kill(process, signal.SIGKILL)
        os.waitpid(process, 0)
        raise
    taken = usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024
    if os.waitstatus_to_exitcode(status) == 0:
        result, problem = pickle.loads(answer)
        return Isolated(result, problem, *taken)
    if os.waitstatus_to_exitcode(status) == -signal.SIGALRM:
        return Isolated(None, ("time", "no answer within its time by the clock"), *taken)
    if os.waitstatus_to_exitcode(status) == -signal.SIGXCPU:
        return Isolated(None, ("time", f"no answer within {processor_seconds:g} seconds of the processor"), *taken)
    return Isolated(None, ("process", "it ended without an answer, for lack of memory or a defect"), *taken)


def _read(reading: int) -> bytes:
    """All that is written at the other end of a pipe, which is closed then.

    It looks up now and then: a signal that another thread has taken ends no call, and is raised between two.
    """
    answer = bytearray()
    try:
        while True:
            if select.select([reading], [], [], PARENT_POLL_SECONDS)[0]:
                part = os.read(reading, 1 << 20)
                if not part:
                    return bytes(answer)
                answer += part
    finally:
        os.close(reading)


def _work(work: Callable[[], Any], writing: int, processor_seconds: float, memory_mebibytes: int) -> None:
    """Sends the result of the work, or the problem that it met, and ends this process."""
    status = 1
    try:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent, which ends this process
        threading.Thread(target=end_with_parent, args=(os.getppid(),), daemon=True).start()
        set_limit(resource.RLIMIT_AS, memory_mebibytes << 20)
        set_limit(resource.RLIMIT_CPU, max(1, round(processor_seconds)))
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.alarm(round(PATIENCE * processor_seconds) + 60)
        content = _pickled(work, memory_mebibytes)
        with os.fdopen(writing, "wb") as stream:
            stream.write(content)
        status = 0
    finally:
        os._exit(status)


def set_limit(what: int, most: int) -> None:
    """Sets a limit of this process, below one that it may not pass."""
    _, hard = resource.getrlimit(what)
    resource.setrlimit(what, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))


def _pickled(work: Callable[[], Any], memory_mebibytes: int) -> bytes:
    try:
        return pickle.dumps((work(), None))
    except MemoryError:
        problem = ("memory", f"the limit of {memory_mebibytes} MiB was met")
    except RecursionError:
        problem = ("depth", "it is nested too deeply for Python's stack")
    except Exception as error:  # whatever goes wrong in untrusted code costs one answer, and is reported
        problem = ("defect", f"please report it: {error!r}")
    return pickle.dumps((None, problem))


def end_with_parent(parent: int) -> None:
    """Ends this process when its parent has ended; for a thread."""
    while os.getppid() == parent:
        time.sleep(PARENT_POLL_SECONDS)
    os._exit(1)
