"""What the reader makes of a text of the table, with the value that the reference interpreter gives it."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any, Final

from tallystick.core.errors import EvaluationError, FragmentError, TallystickError
from tallystick.core.queries.assumptions import Assumption, required
from tallystick.core.queries.catalogue import Database, Table
from tallystick.core.queries.interpreter.evaluation import interpreter
from tallystick.core.queries.interpreter.outcomes import Outcome
from tallystick.core.queries.interpreter.running import QueryFailure
from tallystick.core.queries.syntax import Statement
from tallystick.core.queries.types import SqlRow, SqlType
from tallystick.experiments.sql_suites.records import SQLITE
from tallystick.frontends.errors import SourceError
from tallystick.frontends.sql.dialects import dialect_named
from tallystick.frontends.sql.reader import read_schema, read_unverified
from tallystick.frontends.sql.source import SqlText

from conformance.database import ROWS, SCHEMA

EPOCH: Final = datetime.datetime(1970, 1, 1)
MICROSECOND: Final = datetime.timedelta(microseconds=1)
SPELLINGS: Final = {"mysql": {"TIMESTAMP": "DATETIME(6)"}}
"""Types of the database as schemas of a dialect call them."""

_ENGINES_WORDS: Final = {
    SqlType.MONTHS: "interval",
    SqlType.MICROSECONDS: "interval",
    SqlType.REAL: "double",
}
"""Types that engines call otherwise."""


@dataclass(frozen=True)
class Read:
    """A text as it is read: refused with a message, or a statement, with its outcome or the reason why it has none.

    Attributes:
        refused: the message of a refusal.
        broken: an error that no reading may end with.
        statement, assumptions, cases: what the text is read as, if evidence is not asked for.
        outcome: the rows that the statement may return, in values that Python's drivers use.
        fails: the error that it stops with.
        open: why the interpreter gives it no value.
    """

    refused: str = ""
    broken: str = ""
    statement: Statement | None = None
    assumptions: AbstractSet[Assumption] = frozenset()
    cases: AbstractSet[str] = frozenset()
    outcome: Outcome | None = None
    fails: str = ""
    open: str = ""

    @property
    def meaning(self) -> object:
        """What two texts have in common that are read as the same."""
        assert self.statement is not None
        return self.statement.query, self.statement.order, len(self.statement.names)

    @property
    def types(self) -> tuple[str, ...]:
        """The types of the columns, by the words of engines."""
        assert self.statement is not None
        columns = self.statement.query.columns[: len(self.statement.names)]
        return tuple(_ENGINES_WORDS.get(each.type, str(each.type)) for each in columns)


class Reader:
    """The reader in one dialect, over the database of the table."""

    def __init__(self, dialect: str) -> None:
        self.name = dialect
        self.dialect = SQLITE if dialect == "sqlite" else dialect_named(dialect, "binary")  # as the engines are set
        self.times_are_texts = dialect == "sqlite"
        self.assumed = {Assumption.EXACT_FLOATS} if dialect == "sqlite" else set()  # as the suites assume
        self.schema = read_schema(declared(dialect), self.dialect)
        self.database = {table.name: rows_of(table, ROWS[table.name.lower()]) for table in self.schema.catalogue.tables}

    def reads(self, text: str) -> bool:
        """Whether the text is read, if evidence is not asked for."""
        try:
            read_unverified(SqlText(text, "the query"), self.schema, self.dialect)
        except SourceError:
            return False
        return True

    def read(self, text: str, exact_floats: bool = True) -> Read:
        """What is made of a text, with floating-point numbers as `--assume exact-floats` has them, or as values."""
        try:
            source = SqlText(text, "the query")
            statement, assumptions, cases = read_unverified(
                source, self.schema, self.dialect, exact_floats=exact_floats
            )
        except SourceError as problem:
            return Read(refused=str(problem).splitlines()[0])
        except Exception as problem:  # what is looked for
            return Read(broken=f"{type(problem).__name__}: {problem}")
        made = partial(
            Read, statement=statement, assumptions=assumptions | required(statement) | self.assumed, cases=cases
        )
        try:
            outcome = self.returned(statement, self.database)
        except QueryFailure as problem:
            return made(fails=str(problem))
        except (EvaluationError, FragmentError, TallystickError) as problem:
            return made(open=str(problem))
        except Exception as problem:  # what is looked for
            return Read(broken=f"{type(problem).__name__}: {problem}")
        return made(outcome=outcome)

    def returned(self, statement: Statement, database: Database) -> Outcome:
        """What a statement returns on a database, in values of drivers. Raises what interpreters raise."""
        columns, outer = statement.columns, _as_text if self.times_are_texts else _outer
        return Outcome(
            tuple(
                tuple(tuple(outer(v, column.type) for v, column in zip(row, columns, strict=True)) for row in group)
                for group in interpreter(statement)(database).groups
            )
        )


def rows_of(table: Table, rows: Iterable[Sequence[Any]]) -> tuple[SqlRow, ...]:
    """Rows of values, with days as texts, as the interpreter takes them."""
    types = [column.type for column in table.columns]
    return tuple(tuple(_inner(value, type_) for value, type_ in zip(row, types, strict=True)) for row in rows)


def declared(dialect: str) -> str:
    """The schema of the database as a dialect declares it."""
    other = SPELLINGS.get(dialect, {})
    return "\n".join(
        f"CREATE TABLE {table} ({', '.join(f'{name} {other.get(kind, kind)}' for name, kind in columns)});"
        for table, columns in SCHEMA.items()
    )


def _outer(value: Any, kind: SqlType) -> Any:
    """A value of the interpreter as drivers give it."""
    match kind:
        case _ if value is None:
            return None
        case SqlType.DATE:
            try:
                return (EPOCH + datetime.timedelta(days=value)).date()
            except OverflowError:
                return f"day {value}"
        case SqlType.TIMESTAMP:
            try:
                return EPOCH + value * MICROSECOND
            except OverflowError:
                return f"microsecond {value}"
        case SqlType.MICROSECONDS:
            return value * MICROSECOND
        case SqlType.MONTHS:
            return datetime.timedelta(days=30 * value)
    return value


def _as_text(value: Any, kind: SqlType) -> Any:
    """A value of the interpreter as SQLite gives it: days and moments are texts, without zeros at the end."""
    given = _outer(value, kind)
    if isinstance(given, datetime.datetime):
        return f"{given:%Y-%m-%d %H:%M:%S.%f}".rstrip("0").rstrip(".")
    return given.isoformat() if isinstance(given, datetime.date) else given


def _inner(value: Any, kind: SqlType) -> Any:
    """A value of the database as the interpreter takes it."""
    match kind:
        case _ if value is None:
            return None
        case SqlType.DATE:
            return (datetime.date.fromisoformat(value) - EPOCH.date()).days
        case SqlType.TIMESTAMP:
            return (datetime.datetime.fromisoformat(value) - EPOCH) // MICROSECOND
        case SqlType.DECIMAL:
            return Fraction(value)
        case SqlType.INTEGER:
            return int(value)  # a truth value where these are numbers
    return value
