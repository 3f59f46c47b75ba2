"""Results that are kept in a file of JSON lines while they are found, so that an interrupted run goes on there."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from operator import attrgetter
from pathlib import Path
from typing import Any, Generic, TypeVar

from tallystick.frontends.errors import SourceError
from tallystick.output import writing

Result = TypeVar("Result")


class ResultsFile(Generic[Result]):
    """Results by their keys, those that a file has at first.

    Args:
        path: the file; None to keep nothing.
        written: a result as JSON.
        read: a result from a JSON object; raises ValueError, TypeError or KeyError for what is none.
        key: what a result is found by, which says of what it is, and how it was found.
        of: what results are of, in messages.

    Raises SourceError for a file that holds something else, and OutputError when it cannot be written.
    """

    def __init__(
        self,
        path: Path | None,
        written: Callable[[Result], object],
        read: Callable[[dict[str, Any]], Result],
        key: Callable[[Result], str] = attrgetter("key"),
        of: str = "pair",
    ) -> None:
        self.path, self.written, self.key, self.of = path, written, key, of
        self.results: dict[str, Result] = {} if path is None or not path.exists() else self._stored(path, read)
        self.before = len(self.results)

    def add(self, result: Result) -> None:
        """Keeps a result; raises OutputError when it cannot be written."""
        self.results[self.key(result)] = result
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
        """Prints what becomes of the results that were found, of so many that were wanted."""
        goes_on = f"they are in {self.path}; the same command goes on from there"
        where = goes_on if self.path else "--results FOLDER would keep them"
        print(f"Interrupted. {self.added} of {wanted} {self.of}s were decided: {where}.", file=sys.stderr)

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
                results[self.key(each)] = each
            except (ValueError, TypeError, KeyError):
                if number == len(lines):
                    break
                raise SourceError(f"the line is no result of a {self.of}", str(path), number) from None
        if lines and not text.endswith("\n"):
            with writing(path):
                whole = (json.dumps(self.written(each)) + "\n" for each in results.values())
                path.write_text("".join(whole), encoding="utf-8")
        return results
