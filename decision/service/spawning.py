"""Starts the prover's process. It imports next to nothing, so that the process loads while its caller still does."""

from __future__ import annotations

import atexit
import subprocess
import sys

MEMORY_MEBIBYTES = 4096

_ahead: list[subprocess.Popen[bytes]] = []


def spawn(memory_mebibytes: int) -> subprocess.Popen[bytes]:
    """A new process that answers the questions on its standard input (see `worker.py`).

    It is in a group of its own, since Ctrl-C is for its parent, which ends it.
    """
    command = [sys.executable, "-m", "tallystick.decision.service.worker", str(memory_mebibytes)]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, process_group=0)


def spawn_ahead() -> None:
    """Starts a process that the next caller of `spawned` gets; it ends with this one if nobody asks for it."""
    if not _ahead:
        _ahead.append(spawn(MEMORY_MEBIBYTES))
        atexit.register(_end)


def spawned(memory_mebibytes: int) -> subprocess.Popen[bytes]:
    """A process with this limit of memory: one that was started ahead, or a new one."""
    if _ahead and memory_mebibytes == MEMORY_MEBIBYTES:
        atexit.unregister(_end)
        return _ahead.pop()
    return spawn(memory_mebibytes)


def _end() -> None:
    for process in _ahead:
        process.kill()
        process.communicate()
    _ahead.clear()
