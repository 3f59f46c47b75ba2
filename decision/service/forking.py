"""The prover's process as a fork of this one: what is loaded need not be loaded again."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import BinaryIO, NoReturn


class Forked:
    """A process forked off this one, as `subprocess.Popen` would show it.

    Attributes:
        pid: its number.
        stdin: where it reads questions.
        stdout: where it writes answers.
        returncode: how it ended; None while it has not been seen to.
    """

    def __init__(self, work: Callable[[BinaryIO, BinaryIO], None]) -> None:
        """Forks a process that does the work with its ends of both pipes, and ends.

        It is in a group of its own, since Ctrl-C is for its parent, which ends it: an interrupt waits until both know
        which they are.
        """
        questions, stdin = os.pipe()
        stdout, answers = os.pipe()
        held = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            self.pid = os.fork()
            if not self.pid:
                _work(work, (questions, answers), (stdin, stdout), held)
            os.setpgid(self.pid, 0)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, held)
        os.close(questions)
        os.close(answers)
        self.stdin, self.stdout = os.fdopen(stdin, "wb"), os.fdopen(stdout, "rb")
        self.returncode: int | None = None

    def poll(self) -> int | None:
        """How it ended, if it has."""
        return self._seen(os.WNOHANG)

    def wait(self) -> int | None:
        """Waits for its end."""
        return self._seen(0)

    def kill(self) -> None:
        """Ends it at once."""
        if self.poll() is None:
            os.kill(self.pid, signal.SIGKILL)

    def communicate(self) -> None:
        """Closes the pipes to it, and waits for its end."""
        with suppress(BrokenPipeError):
            self.stdin.close()
        self.stdout.close()
        self.wait()

    def _seen(self, how: int) -> int | None:
        if self.returncode is None:
            try:
                process, status = os.waitpid(self.pid, how)
            except ChildProcessError:  # somebody else has seen its end
                self.returncode = 0
            else:
                self.returncode = os.waitstatus_to_exitcode(status) if process else None
        return self.returncode


def is_alone() -> bool:
    """Whether this process has one thread, those of libraries counted; not where the system does not say so.

    A fork has the thread alone that makes it, and what another one holds at that moment it holds for ever.
    """
    try:
        return len(os.listdir("/proc/self/task")) == 1
    except OSError:
        return False


def _work(
    work: Callable[[BinaryIO, BinaryIO], None], own: tuple[int, int], others: tuple[int, int], held: Iterable[int]
) -> NoReturn:
    """Does the work and ends, whatever happens: nothing that the parent has begun goes on here."""
    status = 1
    try:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.pthread_sigmask(signal.SIG_SETMASK, held)
        for each in others:
            os.close(each)
        with os.fdopen(own[0], "rb") as questions, os.fdopen(own[1], "wb") as answers:
            work(questions, answers)
        status = 0
    finally:
        os._exit(status)
