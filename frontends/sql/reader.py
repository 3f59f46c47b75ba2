"""The door: texts of queries and schemas become statements of relational algebra over a catalogue."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial

from sqlglot import exp
from tallystick.core.errors import SortError
from tallystick.core.queries.assumptions import Assumption, required
from tallystick.core.queries.calls import OrderKey
from tallystick.core.queries.catalogue import Catalogue, Table
from tallystick.core.queries.expressions import Expression, Reference
from tallystick.core.queries.switches import Switches, TwoSwitches
from tallystick.core.queries.syntax import Project, Scan, Statement, references
from tallystick.core.queries.traversal import nodes
from tallystick.core.queries.types import BOOLEAN, DECIMAL, INTEGER, OPAQUE, TIMESTAMP, SqlType
from tallystick.frontends.choices.order_keys import with_parting_keys
from tallystick.frontends.choices.telling import ToldApart, tagged, told_apart, unordered
from tallystick.frontends.errors import SourceError
from tallystick.frontends.sql.coercion import NUMBERS, TIMES, convert
from tallystick.frontends.sql.dialects import SPARK, Dialect
from tallystick.frontends.sql.evidence import cases, require_evidence
from tallystick.frontends.sql.instants import instant_columns
from tallystick.frontends.sql.migration.functions import in_own_names, with_own_checks, with_tables
from tallystick.frontends.sql.migration.schemas import Moved, counterparts, moved
from tallystick.frontends.sql.nulls import UntypedNull, Value
from tallystick.frontends.sql.parameters import Parameters, beside, with_types
from tallystick.frontends.sql.precedences import require_grouping
from tallystick.frontends.sql.queries import read_query
from tallystick.frontends.sql.representatives import require_representatives
from tallystick.frontends.sql.results import Result, no_rows
from tallystick.frontends.sql.schema import Schema
from tallystick.frontends.sql.schema_json import schema_from_json
from tallystick.frontends.sql.schema_statements import schema_from_statements
from tallystick.frontends.sql.scopes import QueryReading
from tallystick.frontends.sql.source import Source, SqlText, read_text, statements
from tallystick.frontends.sql.type_names import TypeName
from tallystick.frontends.sql.uuids import require_shown, uuid_columns

SCHEMAS = 8
"""So many schemas are kept of those that were read."""


@dataclass(frozen=True)
class SqlPair:
    """Two statements that are to be compared, with columns of equal types as far as values of theirs may be equal.

    Attributes:
        left, right: the statements.
        catalogue: the tables, with the constraints that are assumed.
        dialect: what the texts mean.
        assumptions: what a claim about the two takes for granted, in the order of their list.
        sources: the texts.
        unenforced: the tables whose keys, foreign keys and checks the database does not enforce.
        alike: the statements if both make the same choices wherever they choose from the same rows, in whatever order
            these come; None if it makes no difference.
        choices: what in each text chooses among rows.
        open_sources: tables of the catalogue of which no counterexample can say what rows they have.
        to: what the right text means, if that is another dialect: the catalogue is that of the left.
        types: what becomes of the types of columns in the other dialect.
        notes: where results in two dialects have columns of two types.
        right_schema: the tables as the other dialect has them, in the order of the catalogue.
        parameters: the table of the catalogue that has the values of bind parameters, if there are any.
        uuids: the columns of UUIDs, by their tables and places.
        instants: those of MySQL's TIMESTAMP, which has room for the years from 1970 to 2038.
    """

    left: Statement
    right: Statement
    catalogue: Catalogue
    dialect: Dialect
    assumptions: tuple[Assumption, ...]
    sources: tuple[SqlText, SqlText]
    unenforced: frozenset[str] = frozenset()
    alike: tuple[Statement, Statement] | None = None
    choices: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    open_sources: tuple[str, ...] = ()
    to: Dialect | None = None
    types: Mapping[str, str] = field(default_factory=dict[str, str])
    right_schema: Catalogue | None = None
    parameters: Table | None = None
    notes: tuple[str, ...] = ()
    uuids: frozenset[tuple[str, int]] = frozenset()
    instants: frozenset[tuple[str, int]] = frozenset()

    @property
    def dialects(self) -> tuple[Dialect, Dialect]:
        """What the left and the right text mean."""
        return self.dialect, self.to or self.dialect

    @property
    def switches(self) -> Switches | TwoSwitches:
        """How the texts were read."""
        if self.to is None:
            return self.dialect.switches
        return TwoSwitches(self.dialect.switches, self.to.switches, self.to.name)

    def as_bags(self) -> SqlPair:
        """The pair without the orders of the results, whose rows are compared as bags."""
        left, right, *alike = (replace(each, order=()) for each in (self.left, self.right, *(self.alike or ())))
        return replace(self, left=left, right=right, alike=tuple(alike) or None)


def read_pair(
    left: SqlText,
    right: SqlText,
    schema: Schema,
    dialect: Dialect = SPARK,
    *,
    to: Dialect | None = None,
    exact_floats: bool = False,
    one_query: bool = False,
) -> SqlPair:
    """Both queries over one schema, their columns converted to common types.

    `to` is the dialect of the right text, if it is another one: the schema is moved there (`migration`), functions are
    those of their dialects, and two engines make no choice alike.

    `one_query` says that the right was made from the left, so that it makes the choices that the left permits. Else
    both make a choice alike only if they make it from rows that come in the same order (`frontends/choices`).

    Raises SourceError where a text is not understood, or if the results cannot be compared.
    """
    to = None if to == dialect else to
    return with_types(partial(_read_pair, (left, right), schema, (dialect, to), exact_floats, one_query))


def _read_pair(
    texts: tuple[SqlText, SqlText],
    schema: Schema,
    dialects: tuple[Dialect, Dialect | None],
    exact_floats: bool,
    one_query: bool,
    parameters: Parameters,
) -> SqlPair:
    dialect, to = dialects
    both = Moved(schema, schema, {}) if to is None else moved(schema, dialect, to)
    sides = (texts[0], dialect, both.left), (texts[1], to or dialect, both.right)
    readings = [QueryReading(*side, exact_floats, parameters=parameters) for side in sides]
    parsed = [_only_statement(reading) for reading in readings]
    results = [_result(reading, node) for reading, node in zip(readings, parsed, strict=True)]
    for reading, node in zip(readings, parsed, strict=True) if not parameters.met else ():
        require_evidence(reading, node)
    if results[0].wild is not None or results[1].wild is not None:
        results = [_as_wide(result, other) for result, other in zip(results, results[::-1], strict=True)]
    elements = readings[0].elements | readings[1].elements
    if elements and to is not None:
        raise readings[0].error(None, "what arrays hold is not compared between two dialects")
    values = parameters.table()
    own = () if values is None else (values,)
    catalogue = Catalogue((*both.left.catalogue.tables, *elements.values(), *own))
    pair = _aligned(readings, results, parsed)
    pair = with_parting_keys(pair[0], with_tables(pair[1], both.tables), catalogue)
    if one_query:
        told = ToldApart(unordered(pair[0]), unordered(pair[1]))
    else:
        told = told_apart(*pair, catalogue, one_engine=to is None)
    told = told.changed(partial(beside, table=values))
    if to is not None:
        told = told.changed(partial(in_own_names, dialect=dialect), partial(in_own_names, dialect=to))
        catalogue = with_own_checks(catalogue, dialect)
    used = readings[0].assumptions | readings[1].assumptions | required(told.left, told.right)
    assumptions = tuple(each for each in Assumption if each in used)
    return SqlPair(
        told.left,
        told.right,
        catalogue,
        dialect,
        assumptions,
        texts,
        both.left.unenforced,
        told.alike,
        (tuple(readings[0].choices), tuple(readings[1].choices)),
        tuple(elements),
        to,
        {} if to is None else counterparts(schema, _read(told.left, told.right), dialect, to),
        None if to is None else both.right.catalogue,
        values,
        () if to is None else tuple(_types_that_differ(results)),
        uuid_columns(both.left),
        instant_columns(both.left, dialect),
    )


def _types_that_differ(results: Sequence[Result]) -> Iterator[str]:
    """What is said of columns whose values are compared, but have two types."""
    columns = ([result.visible().column(index) for index in range(len(result.names))] for result in results)
    for number, values in enumerate(zip(*columns, strict=True), 1):
        kinds = [value.type for value in values if not isinstance(value, UntypedNull)]
        if len(set(kinds)) > 1:
            yield f"column {number} is of type {' and '.join(map(str, kinds))}: the values are compared, not the types"


def _read(*statements: Statement) -> frozenset[str]:
    """The tables that statements read."""
    keys = (key.expression for each in statements for key in each.order)
    found = nodes(*(each.query for each in statements), *keys)
    return frozenset(node.table for node in found if isinstance(node, Scan))


def read_statement(
    source: SqlText,
    schema: Schema,
    dialect: Dialect = SPARK,
    *,
    exact_floats: bool = False,
    assumptions: set[Assumption] | None = None,
    named: dict[tuple[int, int], tuple[str, str]] | None = None,
    types: list[TypeName | None] | None = None,
    open_sources: bool = False,
) -> Statement:
    """A query over a schema; `assumptions` takes what its reading assumes, `named` where it names tables, and `types`
    the declared types of its columns.

    Raises SourceError where the text is not understood; without `open_sources`, also where it reads what arrays hold,
    which is in no table of the schema.
    """
    reading = QueryReading(source, dialect, schema, exact_floats, set() if assumptions is None else assumptions)
    node = _only_statement(reading)
    result = _result(reading, node)
    require_evidence(reading, node)
    if named is not None:
        named |= reading.named
    if types is not None:
        types += [name.declared for name in result.names]
    if reading.elements and not open_sources:
        raise reading.error(node, f"{' and '.join(reading.elements)} is not read here", "it is in no table")
    return tagged(_statement(result), Catalogue((*schema.catalogue.tables, *reading.elements.values())))


def read_unverified(
    source: SqlText, schema: Schema, dialect: Dialect, *, exact_floats: bool = False
) -> tuple[Statement, set[Assumption], set[str]]:
    """A query, what its reading assumes, and its cases, for which no evidence is asked: they are what makes evidence.

    Raises SourceError where the text is not understood.
    """
    reading = QueryReading(source, dialect, schema, exact_floats)
    node = _only_statement(reading)
    result = _result(reading, node)
    return unordered(_statement(result)), reading.assumptions, {case for case, *_ in cases(reading, node)}


def read_schema(source: Source, dialect: Dialect) -> Schema:
    """The schema of CREATE TABLE statements or of JSON, see `read_text`; that of a text is read once for many pairs."""
    return _schema(read_text(source, "the schema"), dialect)


@lru_cache(SCHEMAS)
def _schema(text: SqlText, dialect: Dialect) -> Schema:
    if text.text.lstrip().startswith("{"):
        try:
            data = json.loads(text.text)
        except (ValueError, RecursionError) as problem:
            raise SourceError(f"the schema is no JSON: {str(problem).splitlines()[0]}", text.name) from None
        return schema_from_json(data, dialect, text.name)
    return schema_from_statements(text, dialect)


def _only_statement(reading: QueryReading) -> exp.Expr:
    parsed = statements(reading.source, reading.dialect)
    if not parsed:
        raise SourceError("there is no query", reading.source.name)
    if len(parsed) > 1:
        raise reading.error(parsed[1], "one query is expected, not several")
    [node] = parsed
    require_grouping(reading, node)
    if not isinstance(node, exp.Query | exp.Values):
        name = str(node.this).upper() if isinstance(node, exp.Command) else node.key.upper()
        raise reading.error(node, f"a query is expected, not {name}")
    return node


def _result(reading: QueryReading, node: exp.Expr) -> Result:
    try:
        result = read_query(reading, node, None, {})
        reading.require_all(node)
        require_representatives(reading, result)
        require_shown(reading, result.query, node)
        return result
    except RecursionError:
        raise SourceError("the query is nested too deeply", reading.source.name) from None
    except SortError as problem:
        raise reading.error(node, f"the types do not fit: {problem}") from problem


def _as_wide(result: Result, other: Result) -> Result:
    """A result of no rows and unknown columns has as many as the other."""
    if result.wild is None:
        return result
    relation = no_rows(len(other.names) if other.wild is None else 1)
    return Result(relation.query, relation.names)


def _aligned(readings: list[QueryReading], results: list[Result], nodes: list[exp.Expr]) -> tuple[Statement, Statement]:
    """Two statements whose columns have the same types.

    Raises SourceError where that cannot be: nothing is claimed of results of different columns.
    """
    widths = [len(result.names) for result in results]
    if widths[0] != widths[1]:
        named = [f"({', '.join(_statement(result).names)})" for result in results]
        message = f"the results have {widths[0]} and {widths[1]} columns, {named[0]} and {named[1]}: no row is in both"
        raise readings[1].error(nodes[1], message)
    columns = ([result.visible().column(index) for index in range(widths[0])] for result in results)
    types = []
    for number, values in enumerate(zip(*columns, strict=True), 1):
        common = _compared_as(values, readings)
        if common is None:
            kinds = " and ".join(str(value.type) for value in values if not isinstance(value, UntypedNull))
            message = f"column {number} of the results has the types {kinds}, whose values are never equal"
            raise readings[1].error(nodes[1], message, "cast one of them")
        if common == OPAQUE and readings[0].dialect != readings[1].dialect:
            message = f"column {number} of the results has values that are not compared between two dialects"
            raise readings[1].error(nodes[1], message, "cast it to a text or a number in both")
        types.append(common)
    left, right = (
        _statement(_converted(reading, result, types, node))
        for reading, result, node in zip(readings, results, nodes, strict=True)
    )
    return left, right


def _compared_as(values: Sequence[Value], readings: Sequence[QueryReading]) -> SqlType | None:
    """The type in which a column of two results is compared; None if values of its types are never equal."""
    kinds = {value.type for value in values if not isinstance(value, UntypedNull)}
    if len(kinds) <= 1:
        return next(iter(kinds), INTEGER)
    if kinds <= NUMBERS:
        return DECIMAL
    typed = zip(values, readings, strict=True)
    truths = (reading for value, reading in typed if not isinstance(value, UntypedNull) and value.type == BOOLEAN)
    if kinds <= {BOOLEAN, *NUMBERS} and all(reading.dialect.truth_as_number for reading in truths):
        return DECIMAL if DECIMAL in kinds else INTEGER
    return TIMESTAMP if kinds <= TIMES else None


def _converted(reading: QueryReading, result: Result, types: list[SqlType], node: exp.Expr) -> Result:
    columns, relation = references(result.query), result.visible()
    visible = [convert(reading, relation.column(index), each, node) for index, each in enumerate(types)]
    values: tuple[Expression, ...] = (*visible, *columns[len(types) :])
    if values == columns:
        return result
    # Hidden columns of the order stand behind the visible ones; an order by a visible column that is
    # converted keeps its own value behind them.
    wide = Project(result.query, (*values, *columns))
    moved = tuple(_moved(key, len(values)) for key in result.order)
    return Result(wide, result.names, moved)


def _moved(key: OrderKey, by: int) -> OrderKey:
    """A key that is a column, which stands so many places further to the right."""
    assert isinstance(key.expression, Reference)
    return replace(key, expression=replace(key.expression, index=key.expression.index + by))


def _statement(result: Result) -> Statement:
    names = tuple(name.name or f"column {index + 1}" for index, name in enumerate(result.names))
    return Statement(result.query, names, result.order)
