"""GENERATE_SERIES and RANGE in FROM: the members of a series, as the elements of an array are read (`elements.py`).

PostgreSQL's series of dates are of moments, and so are DuckDB's; series of integers have integers.
"""

from __future__ import annotations

from typing import Final

from sqlglot import exp
from tallystick.core.queries.catalogue import Column, Table
from tallystick.core.queries.expressions import Expression, Function
from tallystick.core.queries.types import INTEGER, MICROSECONDS, MONTHS, OPAQUE, TIMESTAMP, SqlType
from tallystick.frontends.sql.coercion import TIMES
from tallystick.frontends.sql.declared import written_type
from tallystick.frontends.sql.expressions import Expressions
from tallystick.frontends.sql.parts import Parts
from tallystick.frontends.sql.scopes import Name, QueryReading

SERIES: Final = (exp.GenerateSeries, exp.ExplodingGenerateSeries)
READ: Final = frozenset({"duckdb", "postgres"})
"""The evidence of dialects whose series were compared."""


def is_series(node: exp.Expr) -> bool:
    """Whether an item of FROM is a series."""
    return isinstance(node, exp.Table) and isinstance(node.this, SERIES)


def read_series(expressions: Expressions, node: Parts) -> tuple[Table, Expression, tuple[Name, ...]]:
    """The table that holds the members, the series that they are of, and the names of its columns.

    Raises SourceError where it is not understood.
    """
    with expressions.reading.parts(node.this) as call:
        series, kind = series_of(expressions, call)
        exclusive = bool(call.args.get("is_end_exclusive"))
    columns = (Column("element", kind, False), Column("place", INTEGER, False), Column("of", OPAQUE, False))
    table = Table(f"the members of series of type {kind}", columns, ((2, 1),))
    return table, series, _names(expressions.reading, node, exclusive)


def series_of(expressions: Expressions, call: Parts) -> tuple[Expression, SqlType]:
    """A series, and the type of its members. Raises SourceError where it is not understood."""
    reading = expressions.reading
    if reading.dialect.evidence not in READ:
        raise reading.refused(call)
    given = [each for each in map(call.args.get, ("start", "end", "step")) if each is not None]
    values = [expressions.typed(each) for each in given]
    types = [value.type for value in values]
    if types[:2] == [INTEGER, INTEGER] and types[2:] in ([], [INTEGER]):
        kind = INTEGER
    elif {*types[:2]} <= {*TIMES} and len(types) == 3 and types[2] in (MICROSECONDS, MONTHS):
        kind = TIMESTAMP
    else:
        raise reading.error(call, "a series is understood of integers, or of moments by an interval")
    pairs = zip(given, values, strict=True)
    said = [f"{value.type} {written_type(expressions, each, value)}".strip() for each, value in pairs]
    name = f"{'RANGE' if call.args.get('is_end_exclusive') else 'GENERATE_SERIES'} in {reading.dialect.name}"
    return Function(f"{name} of {', '.join(said)}", tuple(values), OPAQUE, strict=False), kind


def read_list(expressions: Expressions, node: Parts) -> Expression:
    """RANGE and GENERATE_SERIES of DuckDB as lists."""
    if expressions.reading.dialect.name != "duckdb":
        raise expressions.reading.refused(node)
    return series_of(expressions, node)[0]


def _names(reading: QueryReading, node: Parts, exclusive: bool) -> tuple[Name, ...]:
    """The names of the column of members, and of those beside it, which nobody sees."""
    alias, own = node.args.get("alias"), "range" if exclusive else "generate_series"
    qualifier: tuple[str, ...] = (own,)
    column = own
    if alias is not None:
        with reading.parts(alias) as parts:
            listed = [reading.folded(each) for each in parts.args.get("columns") or []]
            qualifier = () if parts.this is None else (reading.folded(parts.this),)
            if len(listed) > 1:
                raise reading.error(alias, f"{len(listed)} names are given to the column of a series")
            column = next(iter((*listed, *(qualifier if reading.dialect.name == "postgres" else ()))), own)
    return Name(column, qualifier), Name("", shown=False), Name("", shown=False)


HANDLERS: Final = {exp.GenerateSeries: read_list}
