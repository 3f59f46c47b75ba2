"""The door: texts of queries and schemas become statements of relational algebra over a catalogue."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from sqlglot import exp
from tallystick.core.errors import SortError
from tallystick.core.queries.assumptions import Assumption, required
from tallystick.core.queries.calls import OrderKey
from tallystick.core.queries.catalogue import Catalogue, Table
from tallystick.core.queries.expressions import Expression, Reference
from tallystick.core.queries.syntax import Project, Statement, references
from tallystick.core.queries.types import BOOLEAN, DECIMAL, INTEGER, TIMESTAMP, SqlType
from tallystick.frontends.choices.order_keys import with_parting_keys
from tallystick.frontends.choices.telling import ToldApart, tagged, told_apart, unordered
from tallystick.frontends.errors import SourceError
from tallystick.frontends.sql.coercion import NUMBERS, TIMES, convert
from tallystick.frontends.sql.dialects import SPARK, Dialect
from tallystick.frontends.sql.evidence import cases, require_evidence
from tallystick.frontends.sql.nulls import UntypedNull, Value
from tallystick.frontends.sql.parameters import Parameters, beside, with_types
from tallystick.frontends.sql.precedences import require_grouping
from tallystick.frontends.sql.queries import read_query
from tallystick.frontends.sql.results import Result, no_rows
from tallystick.frontends.sql.schema import Schema
from tallystick.frontends.sql.schema_json import schema_from_json
from tallystick.frontends.sql.schema_statements import schema_from_statements
from tallystick.frontends.sql.scopes import QueryReading
from tallystick.frontends.sql.source import Source, SqlText, read_text, statements


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
        parameters: the table of the catalogue that has the values of bind parameters, if there are any.
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
    parameters: Table | None = None


def read_pair(
    left: SqlText,
    right: SqlText,
    schema: Schema,
    dialect: Dialect = SPARK,
    *,
    exact_floats: bool = False,
    one_query: bool = False,
) -> SqlPair:
    """Both queries over one schema, their columns converted to common types.

    `one_query` says that the right was made from the left, so that it makes the choices that the left permits. Else
    both make a choice alike only if they make it from rows that come in the same order (`frontends/choices`).

    Raises SourceError where a text is not understood, or if the results cannot be compared.
    """
    read = partial(_read_pair, left, right, schema, dialect, exact_floats, one_query)
    return with_types(read)


def _read_pair(
    left: SqlText,
    right: SqlText,
    schema: Schema,
    dialect: Dialect,
    exact_floats: bool,
    one_query: bool,
    parameters: Parameters,
) -> SqlPair:
    readings = [QueryReading(source, dialect, schema, exact_floats, parameters=parameters) for source in (left, right)]
    parsed = [_only_statement(reading) for reading in readings]
    results = [_result(reading, node) for reading, node in zip(readings, parsed, strict=True)]
    for reading, node in zip(readings, parsed, strict=True) if not parameters.met else ():
        require_evidence(reading, node)
    if results[0].wild is not None or results[1].wild is not None:
        results = [_as_wide(result, other) for result, other in zip(results, results[::-1], strict=True)]
    elements = readings[0].elements | readings[1].elements
    values = parameters.table()
    own = () if values is None else (values,)
    catalogue = Catalogue((*schema.catalogue.tables, *elements.values(), *own))
    pair = with_parting_keys(*_aligned(readings, results, parsed), catalogue)
    told = ToldApart(unordered(pair[0]), unordered(pair[1])) if one_query else told_apart(*pair, catalogue)
    used = readings[0].assumptions | readings[1].assumptions | required(told.left, told.right)
    assumptions = tuple(each for each in Assumption if each in used)
    choices = tuple(readings[0].choices), tuple(readings[1].choices)
    known = (left, right), schema.unenforced
    both = beside(told.left, values), beside(told.right, values)
    alike = None if told.alike is None else (beside(told.alike[0], values), beside(told.alike[1], values))
    return SqlPair(*both, catalogue, dialect, assumptions, *known, alike, choices, tuple(elements), parameters=values)


def read_statement(
    source: SqlText,
    schema: Schema,
    dialect: Dialect = SPARK,
    *,
    exact_floats: bool = False,
    assumptions: set[Assumption] | None = None,
    open_sources: bool = False,
) -> Statement:
    """A query over a schema; `assumptions` takes what its reading assumes.

    Raises SourceError where the text is not understood; without `open_sources`, also where it reads what arrays hold,
    which is in no table of the schema.
    """
    reading = QueryReading(source, dialect, schema, exact_floats, set() if assumptions is None else assumptions)
    node = _only_statement(reading)
    result = _result(reading, node)
    require_evidence(reading, node)
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
    """The schema of CREATE TABLE statements or of JSON, see `read_text`."""
    text = read_text(source, "the schema")
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
        common = _compared_as(values, readings[0].dialect)
        if common is None:
            kinds = " and ".join(str(value.type) for value in values if not isinstance(value, UntypedNull))
            message = f"column {number} of the results has the types {kinds}, whose values are never equal"
            raise readings[1].error(nodes[1], message, "cast one of them")
        types.append(common)
    left, right = (
        _statement(_converted(reading, result, types, node))
        for reading, result, node in zip(readings, results, nodes, strict=True)
    )
    return left, right


def _compared_as(values: Sequence[Value], dialect: Dialect) -> SqlType | None:
    """The type in which a column of two results is compared; None if values of its types are never equal."""
    kinds = {value.type for value in values if not isinstance(value, UntypedNull)}
    if len(kinds) <= 1:
        return next(iter(kinds), INTEGER)
    if kinds <= NUMBERS:
        return DECIMAL
    if kinds <= {BOOLEAN, *NUMBERS} and dialect.truth_as_number:
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
