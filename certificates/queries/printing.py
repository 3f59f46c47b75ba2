"""Statements, catalogues and databases in full, for the claim that an audit prints: every name quoted, nothing cut.

Each node of a query is a line with a number, and `[3]` stands for the rows of line 3. A column is `#2`, counted from 0
in the row that a line reads, with its name where it has one; `^#2` is column 2 of the row around the query that it
stands in, `^^#2` of the row around that one. A join reads the left row followed by the right one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, Final

from tallystick.certificates.queries.expressions import Lines, Names, Scopes, value_text
from tallystick.certificates.words import quoted
from tallystick.core.errors import CertificateError
from tallystick.core.queries.catalogue import Catalogue, Column, Database, Table
from tallystick.core.queries.nodes import Reference, Statement
from tallystick.core.queries.ranges import MICROSECOND
from tallystick.core.queries.types import DECIMAL, RowType, SqlRow

if TYPE_CHECKING:
    from tallystick.core.queries.expressions import Expression
    from tallystick.core.queries.interpreter.outcomes import Outcome
    from tallystick.core.queries.syntax import Query

LONGEST: Final = 2_000_000
"""Characters of a claim: a longer one is not printed, and so not accepted."""


def statement_lines(title: str, statement: Statement, catalogue: Catalogue) -> list[str]:
    """A statement: what it returns, and its nodes, inputs first."""
    text = _Statement(catalogue)
    number, names = text.rows(statement.query, ())
    columns = zip(statement.names, statement.columns, strict=True)
    shown = ", ".join(f"{quoted(name)} {column}" for name, column in columns)
    hidden = len(statement.query.columns) - len(statement.names)
    end = f"  returns {number}" + (f" without its last {hidden} columns" if hidden else "")
    if statement.order:
        end += f" as a list, {text.order(statement.order, (names,))}"
    return [f"{title} returns ({shown})", *text.lines, end]


def catalogue_lines(catalogue: Catalogue, unenforced: Iterable[str]) -> list[str]:
    """The tables, with their constraints, and the tables whose constraints are assumed rather than enforced."""
    lines = [line for table in catalogue.tables for line in table_lines(table, catalogue)]
    names = ", ".join(map(quoted, unenforced))
    return [*lines, f"keys, foreign keys and checks are assumed of {names}"] if names else lines


def database_lines(catalogue: Catalogue, database: Database) -> list[str]:
    """The rows of each table."""
    return [f"{quoted(table.name)} has {_rows(database[table.name], table.row)}" for table in catalogue.tables]


def outcome_line(title: str, outcome: Outcome, columns: RowType, ordered: bool) -> str:
    """What a statement returns on a database: groups of rows that tie, in order, or all rows in any order."""
    groups = " then ".join(_rows(group, columns) for group in outcome.groups) or "no rows"
    return f"{title} returns {groups}{', tied rows in any order' if ordered else ', in any order'}"


def _rows(rows: Iterable[SqlRow], columns: RowType) -> str:
    return ", ".join(_row(row, columns) for row in rows) or "no rows"


def _row(row: SqlRow, columns: RowType) -> str:
    return f"({', '.join(value_text(value, column.type) for value, column in zip(row, columns, strict=True))})"


def table_lines(table: Table, catalogue: Catalogue) -> Iterator[str]:
    """A table or a wire, with its constraints."""

    def columns_of(of: Table, places: tuple[int, ...]) -> str:
        """Columns by their names, and by their places too where a name is none of one column."""
        names = [column.name for column in of.columns]
        return ", ".join(f"{f'#{i}' if names.count(names[i]) > 1 else ''}{quoted(names[i])}" for i in places)

    columns = zip(table.columns, table.row, strict=True)
    shown = (f"{quoted(each.name)} {of}{_range(each)}" for each, of in columns)
    yield f"{quoted(table.name)} has the columns {', '.join(shown)}"
    for key in table.keys:
        yield f"  key ({columns_of(table, key)})"
    for key in table.foreign_keys:
        target = catalogue.by_name[key.table]
        referenced = columns_of(target, key.referenced)
        yield f"  foreign key ({columns_of(table, key.columns)}) to {quoted(key.table)} ({referenced})"
    names = tuple(column.name for column in table.columns)
    for check in table.checks:
        yield f"  check {_Statement(catalogue).expression(check, (names,))}"


def _range(column: Column) -> str:
    """The range of a column, in bits or digits where these are what it is."""
    room = column.range
    if room is None:
        return ""
    if room.length is not None:
        return f" of at most {room.length} letters"
    if room.scale and room.scale < 0:
        moments = tuple(None if end is None else int(end * room.unit) for end in (room.least, room.greatest))
        return f" of {MICROSECOND + room.scale} digits of a second{_between(moments, column)}"
    least, greatest = ends = room.least, room.greatest
    units = f", {room.scale} behind the point" if column.type == DECIMAL else ""
    if greatest and least == -greatest and set(str(greatest)) == {"9"}:
        return f" of {len(str(greatest))} digits{units}"
    if greatest and least == -greatest - 1 and greatest + 1 in (1 << 7, 1 << 15, 1 << 31, 1 << 63) and not units:
        return f" of {greatest.bit_length() + 1} bits"
    return f"{_between(ends, column)}{units}"


def _between(ends: tuple[int | None, ...], column: Column) -> str:
    """The bounds that there are; of decimals in units of the last digit."""
    shown = (end if column.type == DECIMAL or end is None else value_text(end, column.type) for end in ends)
    return "".join(f" {word} {end}" for word, end in zip(("from", "to"), shown, strict=True) if end is not None)


class _Statement(Lines):
    """The lines of the nodes of a statement; a node that occurs twice among the same names is one line."""

    def __init__(self, catalogue: Catalogue) -> None:
        super().__init__(LONGEST)
        self.catalogue = catalogue
        self.known: dict[tuple[int, Scopes], tuple[str, Names]] = {}

    def rows(self, query: Query, outer: Scopes) -> tuple[str, Names]:
        """The number of the line of a query, and the names of its columns."""
        key = id(query), outer if query.free else ()
        if key not in self.known:
            text, names = self.node(query, outer)
            number = f"[{len(self.lines) + 1}]"
            self.lines.append(f"  {number} {self.spent(text)}")
            self.known[key] = number, names
        return self.known[key]

    def subquery(self, query: Query, scopes: Scopes) -> str:
        return self.rows(query, scopes)[0]

    def node(self, query: Query, outer: Scopes) -> tuple[str, Names]:
        """What a line says, and the names of its columns."""
        node: Any = query
        match type(node).__name__:
            case "Scan":
                declared = self.catalogue.by_name.get(node.table)
                if declared is not None and declared.row == node.columns:
                    return f"table {quoted(node.table)}", tuple(column.name for column in declared.columns)
                return f"table {quoted(node.table)} of types ({_columns_text(node.columns)})", _unnamed(node.columns)
            case "Values":
                shown = ", ".join(_row(row, node.columns) for row in node.rows) or "no rows"
                return f"values {shown} of types ({_columns_text(node.columns)})", _unnamed(node.columns)
            case "Join":
                return self.join(node, outer)
            case "SetOperation":
                (left, names), (right, _) = self.rows(node.left, outer), self.rows(node.right, outer)
                return f"{left} {node.kind}{' all' if node.all else ''} {right}", names
        return self.one_input(node, outer)

    def join(self, node: Any, outer: Scopes) -> tuple[str, Names]:
        left, names = self.rows(node.left, outer)
        right, others = self.rows(node.right, (names, *outer) if node.lateral else outer)
        condition = self.expression(node.condition, ((*names, *others), *outer))
        lateral = " lateral" if node.lateral else ""
        both = names if node.kind in ("semi", "anti") else (*names, *others)
        return f"{left} {node.kind} join{lateral} {right} on {condition}", both

    def one_input(self, node: Any, outer: Scopes) -> tuple[str, Names]:
        """A node with one input."""
        rows, names = self.rows(node.input, outer)
        scopes = (names, *outer)
        match type(node).__name__:
            case "Filter":
                return f"{rows} where {self.expression(node.condition, scopes)}", names
            case "Project":
                shown = self.listed(node.expressions, scopes)
                return f"{rows} select {shown}", _column_names(node.expressions, names)
            case "Distinct":
                return f"{rows} distinct", names
            case "Aggregate":
                from tallystick.certificates.queries.calls import grouped

                unnamed = [None] * len(node.calls)
                return f"{rows} {grouped(node, self, scopes)}", (*_column_names(node.keys, names), *unnamed)
            case "Window":
                from tallystick.certificates.queries.calls import window_call

                added = ", ".join(window_call(call, self, scopes) for call in node.calls)
                return f"{rows} with windows {added}", (*names, *[None] * len(node.calls))
            case "Limit":
                number = "" if node.count is None else f" limit {node.count}"
                return f"{rows} {self.order(node.order, scopes)}{number} offset {node.offset}", names
            case kind:
                raise CertificateError(f"{kind} is no query that is printed")


def _unnamed(columns: RowType) -> Names:
    return (None,) * len(columns)


def _columns_text(columns: RowType) -> str:
    return ", ".join(map(str, columns))


def _column_names(expressions: tuple[Expression, ...], names: Names) -> Names:
    """The names of the expressions that are columns of the input row."""
    return tuple(names[each.index] if isinstance(each, Reference) and each.level == 0 else None for each in expressions)
