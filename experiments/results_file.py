"""Results that are kept in a file of JSON lines while they are found, so that an interrupted run goes on there."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

from rich.console import Console
from tallystick.frontends.errors import SourceError
from tallystick.output import writing


class Keyed(Protocol):
    """A result that has a key: of what was asked, and how."""

    @property
    def key(self) -> str: ...


Result = TypeVar("Result", bound=Keyed)


class ResultsFile(Generic[Result]):
    """Results by their keys, those that a file has at first.

    Args:
        path: the file; None to keep nothing.
        written: a result as JSON.
        read: a result from a JSON object; raises ValueError or TypeError for what is none.

    Raises SourceError for a file that holds something else, and OutputError when it cannot be written.
    """

    def __init__(
        self, path: Path | None, written: Callable[[Result], object], read: Callable[[dict[str, Any]], Result]
    ) -> None:
        self.path, self.written = path, written
        self.results: dict[str, Result] = {} if path is None or not path.exists() else self._stored(path, read)
        self.before = len(self.results)

    def add(self, result: Result) -> None:
        """Keeps a result; raises OutputError when it cannot be written."""
        self.results[result.key] = result
        if self.path is not None:
            with writing(self.path):
                self.path.parent.mkdir(parents=True, exist_ok=True)
                with self.path.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(self.written(result)) + "\n")

    @property
    def added(self) -> int:
        """How many results this run has added."""
        return len(self.results) - self.before

    def say_interrupted(self, wanted: int) -> None:
        """Prints what becomes of the pairs that were decided, of so many that were to be."""
        goes_on = f"they are in {self.path}; the same command goes on from there"
        where = goes_on if self.path else "--results FOLDER would keep them"
        text = f"Interrupted. {self.added} of {wanted} pairs were decided: {where}."
        Console(stderr=True, soft_wrap=True).print(text, highlight=False)

    def _stored(self, path: Path, read: Callable[[dict[str, Any]], Result]) -> dict[str, Result]:
        """What a file has; a last line that was cut off by an interrupt is left out, there too."""
        results: dict[str, Result] = {}
        text = path.read_text(encoding="utf-8")
        lines = text.splitlines()
        for number, line in enumerate(lines, 1):
            try:
                document = json.loads(line)
                if not isinstance(document, dict):
                    raise TypeError("no object")
                each = read(document)
            except (ValueError, TypeError):
                if number == len(lines):
                    break
                raise SourceError("the line is no result of a pair", str(path), number) from None
            results[each.key] = each
        if lines and not text.endswith("\n"):
            with writing(path):
                whole = (json.dumps(self.written(each)) + "\n" for each in results.values())
                path.write_text("".join(whole), encoding="utf-8")
        return results
