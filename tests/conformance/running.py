"""The table on an engine."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from conformance.comparison import Finding, compared, shown
from conformance.engines import Answer, DuckDB, Engine, FailedError, RejectedError, Spark, SQLite
from conformance.readings import Read, Reader
from conformance.servers import MariaDB, PostgreSQL
from conformance.table import Known, Row

ENGINES: Final[dict[str, type[Engine]]] = {each.name: each for each in (PostgreSQL, MariaDB, DuckDB, SQLite, Spark)}
QUICK: Final = tuple(name for name in ENGINES if name != "spark")
"""The engines that take seconds for the whole table."""


@dataclass(frozen=True)
class Result:
    """A row of the table on one engine."""

    row: Row
    dialect: str
    finding: Finding
    read: Read
    answer: Answer | None
    error: str

    @property
    def expected(self) -> Known | None:
        """The difference that the row names."""
        return self.row.exceptions.get(self.dialect)

    @property
    def wrong(self) -> bool:
        """Whether it differs without an exception, or has an exception and does not differ so."""
        kind = self.finding.kind
        return kind.differs if self.expected is None else kind is not self.expected.kind

    def __str__(self) -> str:
        named = "" if self.expected is None else f"; the row says {self.expected.kind.value}"
        engine = self.error if self.answer is None else f"{shown(self.answer.rows)} {', '.join(self.answer.types)}"
        read = self.read.refused or self.read.broken or self.read.fails or self.read.open
        if self.read.outcome is not None:
            read = f"{shown(self.read.outcome.rows)} {', '.join(self.read.types)}"
        head = f"{self.row.place} {self.dialect} {self.finding.kind.value}{named} [{self.row.construct}]"
        return f"{head} {self.finding.detail}\n  {self.row.query}\n  engine: {engine}\n  read:   {read}"


def run(engine: Engine, rows: Iterable[Row]) -> Iterator[Result]:
    """What becomes of the rows that ask an engine."""
    reader = Reader(engine.name)
    for row in rows:
        if engine.name in row.dialects:
            yield ask(engine, reader, row)


def ask(engine: Engine, reader: Reader, row: Row) -> Result:
    """What becomes of one row."""
    answer, error, rejected = None, "", False
    try:
        answer = engine.run(row.query)
    except (RejectedError, FailedError) as problem:
        error, rejected = str(problem), isinstance(problem, RejectedError)
    read = reader.read(row.query)
    finding = compared(answer, error, rejected, read, engine.loose)
    return Result(row, engine.name, finding, read, answer, error)


def counted(results: Iterable[Result]) -> Counter[str]:
    """How many texts came out how; known differences by the words of their exceptions."""
    return Counter(result.finding.kind.value for result in results)
