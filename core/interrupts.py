"""Interrupts that are not lost."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

PAUSE = 0.01
"""Seconds until a lost interrupt comes again."""


@contextmanager
def no_interrupt_lost() -> Iterator[None]:
    """While this lasts, an interrupt that Python cannot raise where it happens comes again a little later.

    What is raised within a finaliser, a callback of `weakref` or of the garbage collector is printed and lost.
    """
    before = sys.unraisablehook
    sys.unraisablehook = _again(before)
    try:
        yield
    finally:
        sys.unraisablehook = before


def _again(hook: Callable[[Any], Any]) -> Callable[[Any], None]:
    def handle(unraisable: Any) -> None:
        if not issubclass(unraisable.exc_type, KeyboardInterrupt):
            hook(unraisable)
            return
        main = threading.main_thread().ident
        threading.Timer(PAUSE, signal.pthread_kill, (main, signal.SIGINT)).start()

    return handle
