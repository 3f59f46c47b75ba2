"""A sign of life for work that takes long: on a terminal alone, and only after a while."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

SILENCE_SECONDS = 2.0
BEAT_SECONDS = 0.2
_SIGNS = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"
_CLEAR = "\r\x1b[K"


def shows_signs() -> bool:
    """Whether standard error is a terminal; it may be closed."""
    return sys.stderr is not None and sys.stderr.isatty()  # pyright: ignore[reportUnnecessaryComparison]


@contextmanager
def waiting(doing: str) -> Iterator[None]:
    """Says on a terminal's standard error what is being done, and for how long, once the block takes two seconds."""
    if not shows_signs():
        yield
        return
    ended = threading.Event()
    thread = threading.Thread(target=_show, args=(doing, ended), daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def _show(doing: str, ended: threading.Event) -> None:
    started = time.monotonic()
    if ended.wait(SILENCE_SECONDS):
        return
    count = 0
    while not ended.wait(BEAT_SECONDS):
        seconds = time.monotonic() - started
        sys.stderr.write(f"{_CLEAR}{_SIGNS[count % len(_SIGNS)]} {doing}, {seconds:.0f} s")
        sys.stderr.flush()
        count += 1
    sys.stderr.write(_CLEAR)
    sys.stderr.flush()
