"""Ends a process together with all its descendants: those of the session that it leads.

A process group would not do: Spark's Python daemon makes one of its own. Where /proc does not list the processes
of a session, the group is ended; the daemon ends by itself when it has lost Spark.
"""

from __future__ import annotations

import contextlib
import os
import signal
import time
from typing import NoReturn

PATIENCE_SECONDS = 10.0
"""How long the kernel is given to end processes that were killed."""


def end_session(leader: int) -> None:
    """Kills every process of the session that `leader` leads, for a caller that has not yet waited for `leader`.

    The process number of a leader is not given to another process while it is unwaited for, so no stranger is hit.
    """
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(leader, signal.SIGKILL)
    _kill_until_none(leader, spare=None)


def end_own_session() -> None:
    """Kills every other process of the session that this process leads."""
    _kill_until_none(os.getpid(), spare=os.getpid())


def end_own_group() -> NoReturn:
    """Kills this process and its group in one step, with what another thread is starting: after that nothing of the
    session is left, if the rest of it has ended.
    """
    if os.getpgid(0) == os.getpid():
        os.killpg(0, signal.SIGKILL)
    os._exit(0)


def _kill_until_none(session: int, spare: int | None) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while members := [process for process in _running(session) if process != spare]:
        for member in members:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(member, signal.SIGKILL)
        if time.monotonic() > deadline:
            return
        time.sleep(0.01)


def _running(session: int) -> list[int]:
    if not os.path.isdir("/proc/self"):
        return []
    return [int(name) for name in os.listdir("/proc") if name.isdigit() and _runs_in(name, session)]


def _runs_in(process: str, session: int) -> bool:
    try:
        with open(f"/proc/{process}/stat", encoding="ascii", errors="replace") as stream:
            fields = stream.read().rpartition(")")[2].split()
    except OSError:
        return False
    state, its_session, threads = fields[0], int(fields[3]), int(fields[17])
    return its_session == session and (state not in "ZX" or threads > 1)  # other threads may outlive the first
