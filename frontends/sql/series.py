"""GENERATE_SERIES and RANGE in FROM: the members of a series, as the elements of an array are read (`elements.py`).

PostgreSQL's series of dates are of moments with a time zone, DuckDB's of moments; series of integers have integers.
"""

from __future__ import annotations

from typing import Final

from sqlglot import exp
from tallystick.core.queries.catalogue import Column, Table
from tallystick.core.queries.expressions import Expression, Function
from tallystick.core.queries.types import DATE, INTEGER, MICROSECONDS, MONTHS, OPAQUE
from tallystick.frontends.sql.coercion import TIMES
from tallystick.frontends.sql.declared import declared_type
from tallystick.frontends.sql.exact_types import written_type
from tallystick.frontends.sql.expressions import Expressions
from tallystick.frontends.sql.parts import Parts
from tallystick.frontends.sql.scopes import Name, QueryReading
from tallystick.frontends.sql.type_names import TypeName, type_name

SERIES: Final = (exp.GenerateSeries, exp.ExplodingGenerateSeries)
READ: Final = frozenset({"duckdb", "postgres"})
"""The evidence of dialects whose series were compared."""
MOMENTS: Final = frozenset({"TIMESTAMP", "TIMESTAMPTZ"})


def is_series(node: exp.Expr) -> bool:
    """Whether an item of FROM is a series."""
    return isinstance(node, exp.Table) and isinstance(node.this, SERIES)


def read_series(expressions: Expressions, node: Parts) -> tuple[Table, Expression, tuple[Name, ...]]:
    """The table that holds the members, the series that they are of, and the names of its columns.

    Raises SourceError where it is not understood.
    """
    with expressions.reading.parts(node.this) as call:
        series, member = series_of(expressions, call)
        exclusive = bool(call.args.get("is_end_exclusive"))
    columns = (Column("element", member.type, False), Column("place", INTEGER, False), Column("of", OPAQUE, False))
    table = Table(f"the members of series of type {member.type}", columns, ((2, 1),))
    return table, series, _names(expressions.reading, node, exclusive, member)


def series_of(expressions: Expressions, call: Parts) -> tuple[Expression, TypeName]:
    """A series, and the type of its members. Raises SourceError where it is not understood."""
    reading = expressions.reading
    if reading.dialect.evidence not in READ:
        raise reading.refused(call)
    given = [each for each in map(call.args.get, ("start", "end", "step")) if each is not None]
    values = [expressions.typed(each) for each in given]
    types = [value.type for value in values]
    if types and {*types} == {INTEGER} and len(types) < 4:
        member = TypeName(INTEGER)
    elif types[:1] == types[1:2] and types[0] in TIMES and len(types) == 3 and types[2] in (MICROSECONDS, MONTHS):
        member = _moment(expressions, call, given[:2])
    else:
        raise reading.error(call, "a series is understood of integers, or of moments by an interval")
    pairs = zip(given, values, strict=True)
    said = [f"{value.type} {written_type(expressions, each, value)}".strip() for each, value in pairs]
    name = f"{'RANGE' if call.args.get('is_end_exclusive') else 'GENERATE_SERIES'} in {reading.dialect.name}"
    return Function(f"{name} of {', '.join(said)}", tuple(values), OPAQUE, strict=False), member


def _moment(expressions: Expressions, call: Parts, ends: list[exp.Expr]) -> TypeName:
    """The type of the moments between two: raises SourceError where it is not known whether these have a zone."""
    reading, declared = expressions.reading, [declared_type(expressions, each) for each in ends]
    zoned = "TIMESTAMPTZ" if reading.dialect.name == "postgres" else "TIMESTAMP"
    exact = {zoned if each is not None and each.type == DATE else each.exact if each else "" for each in declared}
    dates = {expressions.reading.types.get(id(each)) for each in ends} == {str(DATE)}
    found = {zoned} if dates else exact
    if len(found) != 1 or not found <= MOMENTS:
        hint = "cast both ends to TIMESTAMP"
        raise reading.error(call, "whether the moments of this series have a time zone is not known", hint)
    member = type_name(exp.DataType.build(*found, dialect=reading.dialect.parser), reading.dialect)
    assert member is not None
    return member


def read_list(expressions: Expressions, node: Parts) -> Expression:
    """RANGE and GENERATE_SERIES of DuckDB as lists."""
    if expressions.reading.dialect.name != "duckdb":
        raise expressions.reading.refused(node)
    return series_of(expressions, node)[0]


def _names(reading: QueryReading, node: Parts, exclusive: bool, member: TypeName) -> tuple[Name, ...]:
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
    declared = None if member.type == INTEGER else member
    return Name(column, qualifier, declared=declared), Name("", shown=False), Name("", shown=False)


HANDLERS: Final = {exp.GenerateSeries: read_list}
