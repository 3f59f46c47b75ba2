"""What is answered about two queries, as data and as text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tallystick.core.queries.catalogue import Catalogue
from tallystick.core.queries.types import SqlRow, SqlType
from tallystick.decision.queries.counterexamples.search import DistinguishingDatabase
from tallystick.decision.queries.deciding import Proved
from tallystick.frontends.sql.evidence import note
from tallystick.frontends.sql.printing.databases import script, values_text
from tallystick.frontends.sql.printing.literals import Dialect as Engine
from tallystick.frontends.sql.reader import SqlPair
from tallystick.queries.assumptions import assumption_lines, wrapped
from tallystick.queries.tables import as_json, returned, table
from tallystick.showing import Shown
from tallystick.verdict import Answer

if TYPE_CHECKING:
    from tallystick.queries.trials import Tried

Rows = tuple[str, list[str], list[SqlType], Sequence[SqlRow]]
"""Rows with the name of what has them, and the names and types of its columns."""


@dataclass(frozen=True, repr=False)
class SqlVerdict(Shown):
    """The answer about two queries, with what it rests on.

    Attributes:
        verdict: equivalent, inequivalent (with a database on which the results differ) or unknown.
        pair: the statements, the catalogue, the dialect and the assumptions.
        seconds: how long deciding took.
        counterexample: for inequivalent queries, a small database that satisfies the catalogue, and both results.
        reasons: for each way that was tried and gave no answer, why.
        replayed_on: what the results were reproduced on: "reference" and, if asked, "duckdb" or "spark".
        tried: for other verdicts, if asked: on how many random databases an engine returned what was read.
        notes: what else the replay showed.
        rules: for equivalent queries, what the proof used, and how often; the kernel has checked the proof.
        columns: if asked for, the answer for each output column by itself.
        proof: for equivalent queries, the proof.
        missing: for others, if asked, constraints that the schema lacks, and under which they would be equivalent.
        certificate: for what `tallystick audit` accepts: of every verdict but unknown.
    """

    verdict: Answer
    pair: SqlPair
    seconds: float
    counterexample: DistinguishingDatabase | None = None
    reasons: dict[str, str] = field(default_factory=dict[str, str])
    replayed_on: tuple[str, ...] = ("reference",)
    tried: Tried | None = None
    notes: tuple[str, ...] = ()
    rules: tuple[tuple[str, int], ...] = ()
    columns: tuple[tuple[str, Answer], ...] = ()
    proof: Proved | None = None
    missing: tuple[str, ...] = ()
    certificate: bytes | None = None

    def __bool__(self) -> bool:
        raise TypeError("a verdict has three values: compare verdict.verdict with an Answer")

    @property
    def names(self) -> tuple[str, str]:
        """What the queries are called."""
        left, right = (source.name for source in self.pair.sources)
        return (left, right) if left != right else ("the left query", "the right query")

    @property
    def all_notes(self) -> tuple[str, ...]:
        """The notes, which values parameters may have, and that no engine was asked what texts of a dialect mean."""
        parameters = self.pair.parameters
        columns = () if parameters is None else parameters.columns
        typed = [f"{each.name} {each.type}{' or NULL' if each.nullable else ''}" for each in columns]
        values = (f"for all values of the parameters: {', '.join(typed)}",) if typed else ()
        manual = (note(each) for each in self.pair.dialects)
        return (*self.notes, *values, *dict.fromkeys(each for each in manual if each))

    def script(self, engine: Engine = "duckdb") -> str:
        """CREATE and INSERT statements that build the database of the counterexample; before them, what parameters are,
        as comments."""
        if self.counterexample is None:
            return ""
        database, parameters = self.counterexample.database, self.pair.parameters
        tables = tuple(each for each in self.pair.catalogue.tables if each != parameters)
        rows = () if parameters is None else database.get(parameters.name, ())
        values = (values_text(parameters, row, engine) for row in rows if parameters is not None)
        lines = (line for each in values for name, text in each.items() for line in f"{name} is {text}".splitlines())
        said = [f"-- {line}\n" for line in lines]  # a text may have several lines, none of which may be run
        return "".join([*said, *(f"{each};\n" for each in script(Catalogue(tables), database, engine))])

    def __str__(self) -> str:
        return self.text()

    def text(self, assumptions: bool = False) -> str:
        """What a user wants to know first: the answer, the database on which the results differ, the assumptions.

        The standard assumptions stand in one line, unless `assumptions` asks for all in full.
        """
        relation = {Answer.EQUIVALENT: "≡", Answer.INEQUIVALENT: "≢", Answer.UNKNOWN: "?"}[self.verdict]
        left, right = self.names
        lines = [f"{self.verdict}: {left} {relation} {right}"]
        if self.counterexample is not None:
            lines += [f"  {line}".rstrip() for line in self.database(self.counterexample)]
            lines.append(f"  replayed on: {', '.join(self.replayed_on)}")
        if self.verdict is Answer.EQUIVALENT:
            used = ", ".join(f"{name} {count}" for name, count in self.rules)
            lines += wrapped([f"proved by {used}" if used else "proved"])
        if self.certificate is not None:
            lines.append(f"  certificate of {len(self.certificate)} bytes, audited: no solver has to be trusted")
        if self.tried is not None:
            lines += wrapped([f"tried: {self.tried}"])
        lines += wrapped(f"{way}: {reason}" for way, reason in self.reasons.items())
        lines += wrapped(f"note: {note}" for note in self.all_notes)
        lines += [f"  column {name}: {answer}" for name, answer in self.columns]
        lines.append(f"  decided in {self.seconds:.2f} s, in {in_dialects(self.pair)}")
        lines += wrapped([f"types: {types_line(self.pair)}"] if self.pair.types else [])
        lines += assumption_lines(self.pair.assumptions, assumptions)
        return "\n".join([*lines, *missing_lines(self.missing)])

    def database(self, found: DistinguishingDatabase) -> list[str]:
        """The lines of a database as small tables, and of both results beside each other."""
        lines: list[str] = []
        for name, rows in found.database.items():
            declared = self.pair.catalogue.by_name[name]
            types = [column.type for column in declared.columns]
            if rows:
                lines += ["", *table(f"{name}:", [column.name for column in declared.columns], types, rows)]
        empty = [name for name, rows in found.database.items() if not rows]
        if empty:
            lines += ["", f"{', '.join(empty)}: no rows"]
        left, right = self.names
        sides = zip((left, right), (self.pair.left, self.pair.right), (found.left, found.right), strict=True)
        before, after = (
            (f"{name} returns", each.names, [column.type for column in each.columns], outcome.rows)
            for name, each, outcome in sides
        )
        return [*lines, "", *returned(before, after), ""]

    def tables(self, found: DistinguishingDatabase) -> Iterator[Rows]:
        """A database as tables with their names, columns and types; behind them the results of both queries."""
        for name, rows in found.database.items():
            columns = self.pair.catalogue.by_name[name].columns
            yield name, [column.name for column in columns], [column.type for column in columns], rows
        for name, side, outcome in zip(
            self.names, (self.pair.left, self.pair.right), (found.left, found.right), strict=True
        ):
            yield name, list(side.names), [column.type for column in side.columns], outcome.rows

    def to_json(self) -> dict[str, Any]:
        """The verdict as one JSON object."""
        content: dict[str, Any] = {
            "verdict": str(self.verdict),
            "programs": list(self.names),
            "dialect": self.pair.dialect.name,
            "switches": self.pair.dialect.positions,
            "assumptions": [each.label for each in self.pair.assumptions],
            "seconds": self.seconds,
            "rules": dict(self.rules),
            "reasons": self.reasons,
            "replayed_on": list(self.replayed_on),
            "tried": None if self.tried is None else self.tried.to_json(),
            "missing": list(self.missing),
            "notes": list(self.all_notes),
            "columns": {name: str(answer) for name, answer in self.columns},
            "witness": None,
        }
        if self.pair.to is not None:
            content |= {"to": self.pair.to.name, "switches_to": self.pair.to.positions, "types": dict(self.pair.types)}
        if self.counterexample is not None:
            tables = [as_json(*each) for each in self.tables(self.counterexample)]
            content["witness"] = {"inputs": tables[:-2], "outputs": tables[-2:]}
        return content


def in_dialects(pair: SqlPair) -> str:
    """What two texts mean, in words."""
    if pair.to is None:
        return f"the dialect {pair.dialect.name}"
    return f"the dialects {pair.dialect.name} and {pair.to.name}"


def types_line(pair: SqlPair) -> str:
    """What becomes of the types of columns where the right text is of another dialect."""
    return ", ".join(own if own == other else f"{own} → {other}" for own, other in pair.types.items())


def missing_lines(missing: tuple[str, ...]) -> list[str]:
    """What a schema lacks, if it is known."""
    return ["  they would be equivalent if the schema said:", *wrapped(missing, 4)] if missing else []
