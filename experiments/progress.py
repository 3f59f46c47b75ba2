"""Progress of long work on a terminal; nothing in a pipe."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

POLL_SECONDS = 0.2
Item = TypeVar("Item")


def counted_off(description: str, items: Sequence[Item]) -> Iterator[Item]:
    """The items one by one, showing how many of them are done."""
    done = 0
    with shown_progress(description, len(items), lambda: done):
        for item in items:
            yield item
            done += 1


@contextmanager
def shown_progress(description: str, total: int, done: Callable[[], int]) -> Iterator[None]:
    """Shows how much of `total` is done, as `done` tells from time to time, until the `with` block ends."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    ended = threading.Event()
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task(description, total=total)

        def poll() -> None:
            while not ended.wait(POLL_SECONDS):
                progress.update(task, completed=done())

        thread = threading.Thread(target=poll, daemon=True)
        thread.start()
        try:
            yield
        finally:
            ended.set()
            thread.join()
