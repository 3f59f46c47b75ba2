"""Every error that `tallystick.streaming` raises on purpose, as one tree.

Each class is also the natural builtin, carries its data in attributes, and says in its text what to do.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import Any


class StreamingError(Exception):
    """The root of the tree: catch this to catch every deliberate error of the package."""


class FormulaError(StreamingError, ValueError):
    """A formula that is not well formed: a free variable, a negative timeout, a truth value asked of it."""


class UnknownStreamError(StreamingError, KeyError):
    """A formula or a subject names a stream that the letter does not have."""

    def __init__(self, name: str, known: Iterable[str]) -> None:
        self.name = name
        self.known = tuple(known)
        super().__init__(name)

    def __str__(self) -> str:
        close = difflib.get_close_matches(self.name, self.known, n=1)
        hint = f"; did you mean {close[0]!r}?" if close else ""
        return f"there is no stream {self.name!r}: the letter has {', '.join(map(repr, self.known))}{hint}"


class UnsatisfiableFormulaError(StreamingError, ValueError):
    """No word over the given alphabet can be generated from the formula (`gen` is `err`, Definition 2.6)."""

    def __init__(self, formula: object, alphabet: object) -> None:
        self.formula = formula
        self.alphabet = alphabet
        super().__init__(
            f"no word can be generated from {formula}: every choice of batches among {alphabet} leads to a "
            "contradiction; widen the alphabet or weaken the formula"
        )


class NoSafeWordLengthError(StreamingError, ValueError):
    """The safe word length is not defined: a timeout is bound by a letter (remark after Definition 2.5)."""

    def __init__(self, formula: object) -> None:
        self.formula = formula
        super().__init__(
            f"no safe word length: {formula} takes its timeout or its body from a letter; "
            "declare the number of letters that the body needs, as in bind(function, needs=5)"
        )


class WordTooShortError(StreamingError, ValueError):
    """A test case is shorter than the safe word length of the formula, and a definite verdict was asked
    for."""

    def __init__(self, length: int, safe_length: int | None, detail: str) -> None:
        self.length = length
        self.safe_length = safe_length
        super().__init__(detail)


class SubjectFailedError(StreamingError, RuntimeError):
    """The program under test raised: in which batch (from 1), on which input, with what."""

    def __init__(self, batch: int, inputs: dict[str, Any], cause: str, case: int = 0) -> None:
        self.batch = batch
        self.inputs = inputs
        self.cause = cause
        self.case = case
        shown = ", ".join(f"{name} = {list(records)!r}" for name, records in inputs.items())
        place = f"in batch {batch} on {shown}" if batch else "while its streams were being set up"
        super().__init__(f"the subject raised {place}: {cause}")


class PredicateFailedError(StreamingError, RuntimeError):
    """A predicate of the formula raised, an `assert` in it for instance: in which batch (from 1), and what."""

    def __init__(self, batch: int, cause: str, original: Exception) -> None:
        self.batch = batch
        self.cause = cause
        self.original = original
        super().__init__(f"a predicate of the formula raised in batch {batch}: {cause}")


class RecordDoesNotFitError(StreamingError, ValueError):
    """A generated record is not one of the schema of its stream: in which batch and place (from 1), and why."""

    def __init__(self, stream: str, batch: int, place: int, problem: str) -> None:
        self.stream = stream
        self.batch = batch
        self.place = place
        super().__init__(f"batch {batch}, record {place} of {stream!r} does not fit the schema: {problem}")


class CaseTimedOutError(StreamingError, TimeoutError):
    """A test case took longer than the deadline; its context has been stopped."""

    def __init__(self, seconds: float, batch: int) -> None:
        self.seconds = seconds
        self.batch = batch
        super().__init__(
            f"the case was stopped in batch {batch}: it took longer than its deadline of {seconds:g} s; "
            "raise deadline=, or generate fewer or smaller batches"
        )


class EngineUnavailableError(StreamingError, RuntimeError):
    """The engine cannot run here (no Java), cannot run this kind of subject, or is not known by that name."""


class UnsupportedOperationError(StreamingError, NotImplementedError):
    """The local engine has no such operation, or not with these arguments."""


class PropertyFailedError(StreamingError, AssertionError):
    """A property does not hold; the text is the table of the shrunk case, `report` holds the details."""

    def __init__(self, text: str, report: Any) -> None:
        self.report = report
        super().__init__(text)


class NotProvedError(StreamingError, AssertionError):
    """A proof for all streams was asked for and not found, and no case failed; the text says why."""

    def __init__(self, text: str, report: Any) -> None:
        self.report = report
        super().__init__(text)
