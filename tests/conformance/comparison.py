"""What an engine returns, compared with what a reading says: values, names, types, order, NOT NULL; exactly."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from itertools import chain
from math import isfinite
from typing import Any, Final

from tallystick.core.queries.assumptions import Assumption
from tallystick.core.queries.interpreter.outcomes import Outcome

from conformance.engines import Answer
from conformance.readings import Read
from conformance.table import Kind

ROUNDING = frozenset({Assumption.EXACT_QUOTIENTS, Assumption.EXACT_FLOATS})
"""What excuses that numbers are near each other, or of type DOUBLE: every verdict prints it."""


@dataclass(frozen=True)
class Finding:
    """What became of a text, and why."""

    kind: Kind
    detail: str = ""
    without_evidence: Kind | None = None
    """What became of a text that lacks evidence, apart from that."""

    @property
    def read_as(self) -> Kind:
        """What became of a text, whether there is evidence for it or not."""
        return self.without_evidence or self.kind


def compared(answer: Answer | None, error: str, rejected: bool, read: Read, loose: bool) -> Finding:
    """What becomes of a text: `answer` is None where the engine rejects it or fails, with an error."""
    if read.broken:
        return Finding(Kind.BREAKS, read.broken)
    if read.refused:
        return Finding(Kind.BOTH_REFUSE if rejected else Kind.REFUSED, read.refused)
    if rejected:
        return Finding(Kind.REJECTS, error)
    if answer is None:
        if read.open or read.fails:
            return Finding(Kind.BY_NAME if read.open else Kind.SAME, error)
        excused = Assumption.NO_ERROR in read.assumptions
        return Finding(Kind.ASSUMED if excused else Kind.FAILS, f"{Assumption.NO_ERROR.label}: {error}")
    if read.fails:
        excused = Assumption.EXACT_FLOATS in read.assumptions and any(map(_is_no_number, chain(*answer.rows)))
        return Finding(Kind.ASSUMED if excused else Kind.FAILS, f"the reading fails: {read.fails}")
    found = _shape(answer, read) or _values(answer, read, loose)
    return found if found.kind.differs else _names(answer, read) or found


def _is_no_number(value: Any) -> bool:
    return isinstance(value, float | Decimal) and not isfinite(value)


def _shape(answer: Answer, read: Read) -> Finding | None:
    """What the number of the columns, and NULLs in columns that have none, say."""
    assert read.statement is not None
    names, columns = read.statement.names, read.statement.query.columns
    if len(names) != len(answer.names) and (answer.names or names):
        return Finding(Kind.VALUE, f"{len(answer.names)} columns, read as {len(names)}")
    for index, name in enumerate(answer.names):
        if not columns[index].nullable and any(row[index] is None for row in answer.rows):
            return Finding(Kind.VALUE, f"NULL in the column {name}, which is read as NOT NULL")
    return None


def _names(answer: Answer, read: Read) -> Finding | None:
    """What the names of the columns say; those that the reading gives no name are of no concern."""
    assert read.statement is not None
    for index, (theirs, ours) in enumerate(zip(answer.names, read.statement.names, strict=True)):
        if ours != f"column {index + 1}" and theirs.casefold() != ours.casefold():
            return Finding(Kind.NAMES, f"the column {theirs} is read as {ours}")
    return None


def _values(answer: Answer, read: Read, loose: bool) -> Finding:
    """What the rows and the types say."""
    differing = next(
        (
            f"a column is {theirs}, read as {ours}"
            for theirs, ours in zip(answer.types, read.types, strict=False)
            if not _alike(theirs, ours, loose)
        ),
        "",
    )
    doubles = any(pair == ("double", "decimal") for pair in zip(answer.types, read.types, strict=False))
    excuse = next((each.label for each in Assumption if each in ROUNDING & read.assumptions), "")
    kind = Kind.TYPE if differing and not (doubles and excuse) else Kind.SAME
    if read.open:
        return Finding(Kind.TYPE if kind is Kind.TYPE else Kind.BY_NAME, differing or read.open)
    assert read.outcome is not None
    theirs = [tuple(canonical(value, loose) for value in row) for row in answer.rows]
    ours = tuple(tuple(tuple(canonical(v, loose) for v in row) for row in group) for group in read.outcome.groups)
    if Outcome(ours).is_list(theirs):
        return Finding(Kind.ASSUMED, excuse) if differing and kind is Kind.SAME else Finding(kind, differing)
    near = tuple(tuple(tuple(map(_rounded, row)) for row in group) for group in ours)
    if excuse and Outcome(near).is_list([tuple(map(_rounded, row)) for row in theirs]):
        return Finding(Kind.TYPE, differing) if kind is Kind.TYPE else Finding(Kind.ASSUMED, excuse)
    return Finding(Kind.VALUE, differing)


def is_evidence(finding: Finding, answer: Answer | None) -> bool:
    """Whether a text shows that its cases are read as the engine does: there are rows to compare."""
    return answer is not None and finding.read_as in (Kind.SAME, Kind.ASSUMED, Kind.BY_NAME)


def _alike(theirs: str, ours: str, loose: bool) -> bool:
    """Whether a type of an engine is what it is read as; NULL has any type."""
    return (
        theirs in (ours, "null")
        or ours == "opaque"  # which says nothing of the type
        or (theirs == "whole" and ours in ("integer", "decimal"))
        or (loose and {theirs, ours} == {"integer", "boolean"})
    )


def canonical(value: Any, loose: bool) -> Any:
    """A value with its kind, so that 1 and TRUE differ but 1 and 1.0 do not, which the type of the column says.

    Loose: truth values are numbers.
    """
    match value:
        case None:
            return None
        case bool():
            return ("number", Fraction(value)) if loose else ("truth", value)
        case int() | float() | Decimal() | Fraction():
            return "number", Fraction(value) if isinstance(value, Fraction) or isfinite(value) else str(value)
        case datetime.datetime():
            return "timestamp", value.replace(tzinfo=None).isoformat(sep=" ")
        case datetime.date():
            return "date", value.isoformat()
        case datetime.timedelta():
            return "interval", value
        case str():
            return "text", value
        case bytes() | bytearray() | memoryview():
            return "bytes", bytes(value)
        case _:
            return "other", repr(value)


HALVES_UP: Final = Fraction(1, 10**7)
"""What lets a half and the float next to it be rounded alike."""


def _rounded(value: Any) -> Any:
    """A number by three digits after the point, and by ten in all."""
    if isinstance(value, tuple) and value[0] == "number" and isinstance(value[1], Fraction):
        number = round(value[1] + HALVES_UP, 3)
        return "number", number if abs(number) < 10**6 else Fraction(f"{float(number):.9e}")
    return value


def shown(rows: Any) -> str:
    """Rows for a message, cut."""

    def one(value: Any) -> str:
        plain = isinstance(value, datetime.date | datetime.timedelta | Fraction | Decimal)
        return str(value) if plain else repr(value)

    text = " ".join("(" + ", ".join(map(one, row)) + ")" for row in rows)
    return text if len(text) < 400 else text[:400] + " …"
