"""The door: captured plans become statements over a catalogue.

A plan is what `replay/catalyst/asking.py` has captured: a list of nodes, and the settings of its session.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from tallystick.core.errors import SortError
from tallystick.core.queries.assumptions import Assumption, required
from tallystick.core.queries.catalogue import Catalogue
from tallystick.core.queries.expressions import Expression
from tallystick.core.queries.syntax import Statement
from tallystick.frontends.catalyst.nodes import tree
from tallystick.frontends.catalyst.orders import at_most_one_row, needed
from tallystick.frontends.catalyst.queries import Queries
from tallystick.frontends.catalyst.reading import (
    PlanReading,
    Relation,
    Settings,
    SourceTable,
    require_equality,
    shown,
    with_whole_structs,
)
from tallystick.frontends.catalyst.types import DOUBLE, LONG, SparkType, decimal
from tallystick.frontends.catalyst.values import Value, exact, scaled
from tallystick.frontends.choices.telling import ToldApart, told_apart, unordered
from tallystick.frontends.errors import SourceError


@dataclass(frozen=True)
class PlanPair:
    """Two plans as statements that can be compared.

    Attributes:
        left, right: the statements.
        catalogue: the tables that they read, and those that the schema declares.
        tables: the same tables with Spark's types.
        types: the Spark types of the columns that the two return.
        assumptions: what the reading takes for granted, in the order of their list.
        settings: what of the session's settings the meaning depends on.
        alike: the statements if both make the same choices wherever they choose from the same rows, in whatever order
            these come; None if it makes no difference.
        choices: what in each plan chooses among rows, as a user calls it.
    """

    left: Statement
    right: Statement
    catalogue: Catalogue
    tables: Mapping[str, SourceTable]
    types: tuple[SparkType, ...]
    assumptions: tuple[Assumption, ...]
    settings: Settings
    alike: tuple[Statement, Statement] | None = None
    choices: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())

    @property
    def open_sources(self) -> tuple[str, ...]:
        """What the two read of which no counterexample can say what rows it has."""
        return tuple(name for name, table in self.tables.items() if table.is_open)


def read_plans(
    left: list[Any],
    right: list[Any],
    settings: Mapping[str, Any],
    tables: Iterable[SourceTable] | None = None,
    aliases: Mapping[str, str] | None = None,
    one_query: bool = False,
    same_order: bool = True,
) -> PlanPair:
    """Two plans of one session.

    Args:
        left, right: plans as lists of nodes.
        settings: the `settings` that were captured with them.
        tables: the tables of a schema; None for those of the session's catalogue. Other sources are open.
        aliases: names for what plans read without a name, by their sources; these are tables, too.
        one_query: whether the right plan was made from the left one, so that the choices of the left are those that
            the right makes, as far as it permits them. Else both make a choice alike only if they make it from rows
            that come in the same order (`frontends/choices`).
        same_order: whether rows that are made alike come in the same order on both sides, which hangs on settings.

    Raises:
        SourceError: a plan is not understood, or the results cannot be compared.
    """
    known = {table.name: table for table in tables or ()}
    reading = PlanReading(Settings.from_json(settings), known, dict(aliases or {}), tables is not None)
    before = _of_side(0, reading, left)
    chosen = len(reading.choices)
    after = _of_side(1, reading, right)
    choices = tuple(reading.choices[:chosen]), tuple(reading.choices[chosen:])
    first, second, types = _aligned(before, after)
    told = (
        ToldApart(unordered(first), unordered(second))
        if one_query
        else told_apart(first, second, reading.catalogue(), same_order)
    )
    assumed = _assumed(reading, told.left, told.right)
    known_tables = reading.catalogue(), dict(reading.tables)
    return PlanPair(told.left, told.right, *known_tables, types, assumed, reading.settings, told.alike, choices)


def _of_side(side: int, reading: PlanReading, plan: list[Any]) -> Relation:
    """The relation of a plan; an error says of which of the two it is."""
    try:
        return relation_of(reading, plan)
    except SourceError as error:
        error.side = side
        raise


def relation_of(reading: PlanReading, plan: list[Any]) -> Relation:
    """The relation of a plan. Raises SourceError where it is not understood."""
    try:
        root = tree(plan)
        relation = require_equality(with_whole_structs(Queries(reading).read(root)))
        root.require_read()
        return relation
    except RecursionError:
        raise SourceError("the plan is nested too deeply", "the plan") from None
    except SortError as problem:
        raise SourceError(f"the types do not fit: {problem}", "the plan") from problem


def statement(relation: Relation) -> Statement:
    """A relation that stands alone."""
    names = tuple(attribute.name for attribute in relation.attributes)
    return Statement(relation.query, names, needed(relation.query, relation.order))


def _aligned(left: Relation, right: Relation) -> tuple[Statement, Statement, tuple[SparkType, ...]]:
    numbers = len(left.attributes), len(right.attributes)
    if numbers[0] != numbers[1]:
        raise SourceError(f"the results have {numbers[0]} and {numbers[1]} columns", "the plans")
    types = tuple(
        compared_as(first.type, second.type, index + 1)
        for index, (first, second) in enumerate(zip(left.attributes, right.attributes, strict=True))
    )
    if not types:
        raise SourceError("the results have no columns", "the plans")
    first, second = (statement(_converted(each, types)) for each in (left, right))
    if any(at_most_one_row(each.query) for each in (first, second)):  # a list is then known by its rows
        first, second = replace(first, order=()), replace(second, order=())
    return first, second, types


def compared_as(left: SparkType, right: SparkType, column: int) -> SparkType:
    """The type in which a column of two results is compared: that of both, or one that has the numbers of both.

    Raises SourceError if there is none.
    """
    if left == right and not left.fields:
        return left
    if left.is_integral and right.is_integral:
        return LONG
    numbers = [each for each in (left, right) if each.is_integral or each.name == "decimal"]
    if len(numbers) == 2:
        first, second = (each.as_decimal for each in numbers)
        scale = max(first.scale, second.scale)
        return decimal(max(first.precision - first.scale, second.precision - second.scale) + scale, scale)
    if all(each.is_float or each in numbers for each in (left, right)):
        return DOUBLE
    raise SourceError(f"column {column} is of type {left} on the left, {right} on the right", "the plans")


def _converted(relation: Relation, types: tuple[SparkType, ...]) -> Relation:
    if types == tuple(attribute.type for attribute in relation.attributes):
        return relation
    attributes = (
        replace(attribute, type=type_, index=index)
        for index, (attribute, type_) in enumerate(zip(relation.attributes, types, strict=True))
    )
    columns = [_as_type(value, type_) for value, type_ in zip(relation.values(), types, strict=True)]
    return shown(relation.query, columns, attributes, relation.order)


def _as_type(value: Value, type_: SparkType) -> Expression:
    return exact(value) if type_.is_float else scaled(value.expression, type_.scale - value.type.scale)


def read_chain(
    plans: Iterable[list[Any]], settings: Mapping[str, Any], tables: Iterable[SourceTable] = ()
) -> list[PlanPair]:
    """Plans of which each was made from the one before, as pairs of neighbours that meet in one statement.

    Raises SourceError where one is not understood, or has other columns than the first.
    """
    reading = PlanReading(Settings.from_json(settings), {table.name: table for table in tables})
    relations = [relation_of(reading, plan) for plan in plans]
    types = tuple(attribute.type for attribute in relations[0].attributes)
    if any(tuple(attribute.type for attribute in each.attributes) != types for each in relations):
        raise SourceError("a step changes the types of the columns", "the plans")
    statements = [unordered(statement(relation)) for relation in relations]
    assumed = _assumed(reading, *statements)
    catalogue, found = reading.catalogue(), dict(reading.tables)
    settled = reading.settings
    return [PlanPair(left, right, catalogue, found, types, assumed, settled) for left, right in pairwise(statements)]


def _assumed(reading: PlanReading, *statements: Statement) -> tuple[Assumption, ...]:
    """What a claim about statements takes for granted, in the order of the list."""
    assumed = reading.assumptions | required(*statements)
    if any(table.keys or table.foreign_keys for table in reading.tables.values()):
        assumed = assumed | {Assumption.NOT_ENFORCED}
    return tuple(each for each in Assumption if each in assumed)
