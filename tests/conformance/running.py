"""The table on an engine."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from tallystick.core.queries.assumptions import Assumption
from tallystick.frontends.sql.evidence import Evidence

from conformance.comparison import Finding, canonical, compared, is_evidence, shown
from conformance.engines import Answer, DuckDB, Engine, FailedError, RejectedError, Spark, SQLite
from conformance.readings import Read, Reader
from conformance.servers import MariaDB, PostgreSQL
from conformance.table import Kind, Known, Row

ENGINES: Final[dict[str, type[Engine]]] = {each.name: each for each in (PostgreSQL, MariaDB, DuckDB, SQLite, Spark)}
QUICK: Final = tuple(name for name in ENGINES if name != "spark")
"""The engines that take seconds for the whole table."""

REJECTED: Final = 0.2
"""The blame of a text that the engine does not take."""


@dataclass(frozen=True)
class Result:
    """A row of the table on one engine."""

    row: Row
    dialect: str
    finding: Finding
    read: Read
    answer: Answer | None
    error: str
    exact_floats: bool = True

    @property
    def expected(self) -> Known | None:
        """The difference that the row names."""
        return self.row.exceptions.get(self.dialect)

    @property
    def wrong(self) -> bool:
        """Whether it differs without an exception, or has an exception and does not differ so.

        An exception is about the reading with exact floats; one of another reading may differ in the same way.
        """
        kind, expected = self.finding.kind, self.expected
        if expected is None or not self.exact_floats:
            return kind.differs and (expected is None or kind is not expected.kind)
        return kind is not expected.kind

    def __str__(self) -> str:
        named = "" if self.expected is None else f"; the row says {self.expected.kind.value}"
        engine = self.error if self.answer is None else f"{shown(self.answer.rows)} {', '.join(self.answer.types)}"
        read = self.read.refused or self.read.broken or self.read.fails or self.read.open
        if self.read.outcome is not None:
            read = f"{shown(self.read.outcome.rows)} {', '.join(self.read.types)}"
        floats = "" if self.exact_floats else ", floats as values"
        head = f"{self.row.place} {self.dialect} {self.finding.kind.value}{named} [{self.row.construct}{floats}]"
        return f"{head} {self.finding.detail}\n  {self.row.query}\n  engine: {engine}\n  read:   {read}"


def run(engine: Engine, rows: Iterable[Row], verified: Evidence | None = None) -> list[Result]:
    """What becomes of the rows that ask an engine; `verified` are the cases that have evidence, else those of the rows.

    What differs is refused by the reader if one of its cases has no evidence.
    """
    reader = Reader(engine.name)
    asked = [ask(engine, reader, row) for row in rows if engine.name in row.dialects]
    floating = [each for each in asked if Assumption.EXACT_FLOATS in each.read.assumptions - reader.assumed]
    asked += [ask(engine, reader, each.row, exact_floats=False) for each in floating]
    results = told_apart(asked, engine.loose)
    known = evidence_of(results) if verified is None else verified
    return [with_evidence(result, known) for result in results]


def told_apart(results: list[Result], loose: bool) -> list[Result]:
    """The results, where what is read by name differs if another text has the same reading and other rows."""
    alike: dict[object, list[Result]] = defaultdict(list)
    for each in results:
        if each.finding.kind is Kind.BY_NAME and each.answer and Assumption.ONE_CHOICE not in each.read.assumptions:
            alike[each.read.meaning].append(each)
    conflated: dict[int, Finding] = {}
    for group in alike.values():
        bags = [
            Counter(tuple(canonical(v, loose) for v in row) for row in each.answer.rows)
            for each in group
            if each.answer
        ]
        for each, bag in zip(group, bags, strict=True):
            other = next((text.row.text for text, its in zip(group, bags, strict=True) if its != bag), None)
            if other is not None:
                conflated[id(each)] = Finding(Kind.VALUE, f"is read as {other}, which returns other rows")
    return [replace(each, finding=conflated.get(id(each), each.finding)) for each in results]


def evidence_of(results: Iterable[Result]) -> Evidence:
    """The cases that texts show to be right, and others of texts that differ."""
    listed = [*results]
    known = _right(listed)
    wrong = frozenset(case for each in listed if each.finding.read_as.differs for case in each.read.cases)
    return Evidence("", frozenset(known), wrong - known)


def _right(results: Iterable[Result]) -> set[str]:
    """The cases that texts show to be right, and that do not come out wrong as often.

    A text that differs puts the blame on a case that is in no right text. Where all of its cases are in some, a case
    that is in no more right texts than in such wrong ones was right by chance; that which is so most of all goes first.
    A text that the engine does not take counts for little: what is right in others is spelled so that none may take it.
    """
    listed = [*results]
    right = Counter(case for each in listed if is_evidence(each.finding, each.answer) for case in each.read.cases)
    known = set(right)
    wrong = [each for each in listed if each.finding.read_as.differs and each.read.cases]
    while True:
        wrong = [each for each in wrong if each.read.cases <= known]
        blamed: dict[str, float] = defaultdict(float)
        for each in wrong:
            for case in each.read.cases:
                blamed[case] += REJECTED if each.finding.read_as is Kind.REJECTS else 1
        worst = max(blamed, key=lambda case: (blamed[case] / right[case], case), default=None)
        if worst is None or blamed[worst] < right[worst]:
            return known
        known.remove(worst)


def with_evidence(result: Result, known: Evidence) -> Result:
    """The result, where evidence is asked for."""
    missing = ", ".join(sorted(case for case in result.read.cases if not known.knows(case)))
    if not missing:
        return result
    return replace(
        result, finding=Finding(Kind.UNVERIFIED, f"{missing}: {result.finding.kind.value}", result.finding.kind)
    )


def ask(engine: Engine, reader: Reader, row: Row, exact_floats: bool = True) -> Result:
    """What becomes of one row; without `exact_floats`, floating-point numbers are values that nothing computes."""
    answer, error, rejected = None, "", False
    try:
        answer = engine.run(row.query)
    except (RejectedError, FailedError) as problem:
        error, rejected = str(problem), isinstance(problem, RejectedError)
    read = reader.read(row.query, exact_floats)
    finding = compared(answer, error, rejected, read, engine.loose)
    return Result(row, engine.name, finding, read, answer, error, exact_floats)


def counted(results: Iterable[Result]) -> Counter[str]:
    """How many texts came out how; known differences by the words of their exceptions."""
    return Counter(result.finding.kind.value for result in results)
