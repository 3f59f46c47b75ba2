"""What is answered about two plans, as data and as text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from tallystick.core.queries.assumptions import Assumption
from tallystick.core.queries.catalogue import Database
from tallystick.core.queries.syntax import Query, Statement
from tallystick.core.queries.traversal import nodes
from tallystick.core.queries.types import SqlRow, SqlType, SqlValue
from tallystick.decision.queries.counterexamples.search import DistinguishingDatabase
from tallystick.frontends.catalyst.data import script
from tallystick.frontends.catalyst.reader import PlanPair
from tallystick.frontends.catalyst.reading import SourceTable
from tallystick.frontends.catalyst.types import SparkType
from tallystick.queries.assumptions import assumption_lines
from tallystick.queries.tables import as_json, beside, table
from tallystick.queries.trials import Tried
from tallystick.showing import Shown
from tallystick.verdict import Answer

RELATIONS = {Answer.EQUIVALENT: "≡", Answer.INEQUIVALENT: "≢", Answer.UNKNOWN: "?"}


@dataclass(frozen=True)
class Compared:
    """What an answer about two plans is shown with.

    Attributes:
        columns: the names of the columns that each plan returns.
        types: their Spark types, those of both.
        tables: what the plans read, by name.
        assumptions: what the reading takes for granted.
        operators: how many each plan has.
    """

    columns: tuple[tuple[str, ...], tuple[str, ...]]
    types: tuple[SparkType, ...]
    tables: Mapping[str, SourceTable]
    assumptions: tuple[Assumption, ...]
    operators: tuple[int, int]

    @classmethod
    def of(cls, pair: PlanPair) -> Compared:
        """What there is to show of a pair."""
        sizes = operators(pair.left), operators(pair.right)
        return cls((pair.left.names, pair.right.names), pair.types, pair.tables, pair.assumptions, sizes)


@dataclass(frozen=True, repr=False)
class PlanVerdict(Shown):
    """The answer about two plans, with what it rests on.

    Attributes:
        verdict: equivalent, inequivalent (with tables on which the results differ) or unknown.
        names: what the plans are called.
        compared: the columns, the tables, the assumptions; None where a plan was not understood.
        seconds: how long reading and deciding took.
        counterexample: for inequivalent plans, small tables that satisfy the constraints, and both results.
        reasons: for each way that was tried and gave no answer, why.
        replayed_on: what the results were reproduced on: "reference", and "spark" where it was asked for.
        tried: on how many random databases Spark returned what was read.
        notes: what else was seen.
        used: for equivalent plans, what the proof used, and how often; the kernel has checked the proof.
        certificates: what `tallystick audit` accepts: one, or one for each step of the optimiser, or for each of
            several DataFrames; none if unknown.
        parts: the answers about several DataFrames, where functions make such.
    """

    verdict: Answer
    names: tuple[str, str]
    compared: Compared | None
    seconds: float
    counterexample: DistinguishingDatabase | None = None
    reasons: dict[str, str] = field(default_factory=dict[str, str])
    replayed_on: tuple[str, ...] = ("reference",)
    tried: Tried | None = None
    notes: tuple[str, ...] = ()
    used: tuple[tuple[str, int], ...] = ()
    certificates: tuple[bytes, ...] = ()
    parts: tuple[PlanVerdict, ...] = ()

    def __bool__(self) -> bool:
        raise TypeError("a verdict has three values: compare verdict.verdict with an Answer")

    @property
    def certificate(self) -> bytes | None:
        """The certificate, if there is one for the whole."""
        return self.certificates[0] if len(self.certificates) == 1 else None

    def __str__(self) -> str:
        return self.text()

    def text(self, assumptions: bool = False) -> str:
        """The answer, the tables on which the results differ, and what it rests on.

        The standard assumptions stand in one line, unless `assumptions` asks for all in full.
        """
        left, right = self.names
        lines = [f"{self.verdict}: {left} {RELATIONS[self.verdict]} {right}"]
        for part in self.parts:
            lines += [f"  {line}" for line in part.text(assumptions).splitlines()]
        if self.parts:
            return "\n".join([*lines, *(f"  note: {note}" for note in self.notes)])
        if self.counterexample is not None and self.compared is not None:
            lines += [f"  {line}".rstrip() for line in self._tables(self.counterexample, self.compared)]
            lines.append(f"  replayed on: {', '.join(self.replayed_on)}")
        if self.verdict is Answer.EQUIVALENT:
            used = ", ".join(f"{name} {count}" for name, count in self.used)
            lines.append(f"  a proof that the kernel has checked{f': {used}' if used else ''}")
        if self.certificates:
            size = sum(map(len, self.certificates))
            number = "certificate" if len(self.certificates) == 1 else f"{len(self.certificates)} certificates"
            lines.append(f"  {number} of {size} bytes, audited: no solver has to be trusted")
        if self.tried is not None:
            lines.append(f"  tried: {self.tried}")
        lines += [f"  {way}: {reason}" for way, reason in self.reasons.items()]
        lines += [f"  note: {note}" for note in self.notes]
        lines.append(f"  decided in {self.seconds:.2f} s")
        if self.compared is not None and self.verdict is not Answer.UNKNOWN:
            lines += assumption_lines(self.compared.assumptions, assumptions)
        return "\n".join(lines)

    def script(self) -> str:
        """CREATE and INSERT statements of Spark that build the tables of the counterexample."""
        if self.counterexample is None or self.compared is None:
            return ""
        return "".join(f"{each};\n" for each in script(self.compared.tables, self.counterexample.database))

    def _tables(self, found: DistinguishingDatabase, compared: Compared) -> list[str]:
        """The lines of the tables, and of both results beside each other."""
        sides = zip(self.names, compared.columns, (found.left, found.right), strict=True)
        before, after = (
            result_lines(f"{name} returns", names, compared.types, outcome.rows) for name, names, outcome in sides
        )
        return [*database_lines(found.database, compared.tables), "", *beside(before, after), ""]

    def to_json(self) -> dict[str, Any]:
        """The verdict as one JSON object."""
        content: dict[str, Any] = {
            "verdict": str(self.verdict),
            "programs": list(self.names),
            "assumptions": [] if self.compared is None else [each.label for each in self.compared.assumptions],
            "seconds": self.seconds,
            "rules": dict(self.used),
            "certificate": self.certificate.decode() if self.certificate else None,
            "operators": None if self.compared is None else list(self.compared.operators),
            "certificate_bytes": sum(map(len, self.certificates)),
            "reasons": self.reasons,
            "replayed_on": list(self.replayed_on),
            "tried": None if self.tried is None else self.tried.to_json(),
            "notes": list(self.notes),
            "witness": None,
            "parts": [part.to_json() for part in self.parts],
        }
        if self.counterexample is not None and self.compared is not None:
            found, compared = self.counterexample, self.compared
            sides = zip(self.names, compared.columns, (found.left, found.right), strict=True)
            content["witness"] = {
                "inputs": database_in_json(found.database, compared.tables),
                "outputs": [rows_in_json(name, names, compared.types, outcome.rows) for name, names, outcome in sides],
            }
        return content


def whole(parts: Sequence[PlanVerdict], names: tuple[str, str]) -> PlanVerdict:
    """The answer about functions that make several DataFrames, each compared with its counterpart; that of one alone.

    They are equivalent if all are, and inequivalent if any is; the counterexample is that of the first.
    """
    if len(parts) == 1:
        return parts[0]
    answers = [part.verdict for part in parts]
    answer = next((each for each in (Answer.INEQUIVALENT, Answer.UNKNOWN) if each in answers), Answer.EQUIVALENT)
    first = parts[answers.index(answer)]
    made = {f"{part.names[0]}: {way}": reason for part in parts for way, reason in part.reasons.items()}
    certificates = first.certificates
    if answer is Answer.EQUIVALENT:
        certificates = tuple(each for part in parts for each in part.certificates)
    kept = replace(first, notes=(), reasons={} if answer is Answer.INEQUIVALENT else made)
    return replace(kept, names=names, certificates=certificates, parts=tuple(parts))


def operators(statement: Statement) -> int:
    """How many operators the query of a statement has, those of subqueries too; a shared one counts once."""
    return sum(1 for node in nodes(statement.query) if isinstance(node, Query))


def database_lines(database: Database, tables: Mapping[str, SourceTable]) -> list[str]:
    """The lines of the tables of a database."""
    lines: list[str] = []
    for name, rows in database.items():
        if rows:
            names, types = zip(*((column.name, column.type) for column in tables[name].columns), strict=True)
            lines += ["", *result_lines(f"{name}:", names, types, rows)]
    empty = [name for name, rows in database.items() if not rows]
    return [*lines, "", f"{', '.join(empty)}: no rows"] if empty else lines


def result_lines(title: str, names: Sequence[str], types: Sequence[SparkType], rows: Sequence[SqlRow]) -> list[str]:
    """A small table, in which decimals have their digits."""
    if not rows:
        return [title, "no rows"]
    shown = [tuple(_decimal(value, each) for value, each in zip(row, types, strict=True)) for row in rows]
    return table(title, names, [_shown_as(each) for each in types], shown)


def _shown_as(type_: SparkType) -> SqlType:
    return SqlType.DECIMAL if type_.name == "decimal" else type_.core


def _decimal(value: SqlValue, type_: SparkType) -> SqlValue:
    """The units of a decimal as a number."""
    if not isinstance(value, int) or type_.name != "decimal":
        return value
    return Fraction(value, 10**type_.scale)


def rows_in_json(
    title: str, names: Sequence[str], types: Sequence[SparkType], rows: Sequence[SqlRow]
) -> dict[str, Any]:
    """A table as JSON has it, in which decimals have their digits."""
    shown = [tuple(_decimal(value, each) for value, each in zip(row, types, strict=True)) for row in rows]
    return as_json(title, names, [_shown_as(each) for each in types], shown)


def database_in_json(database: Database, tables: Mapping[str, SourceTable]) -> list[dict[str, Any]]:
    """The tables of a database as JSON has them."""
    return [
        rows_in_json(
            name, [each.name for each in tables[name].columns], [each.type for each in tables[name].columns], rows
        )
        for name, rows in database.items()
    ]
