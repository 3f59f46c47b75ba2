"""Equivalent queries by rewriting one node after the other, and mutations that mostly change what a query means.

A rewriting takes a node and gives an equivalent one with the same columns, or None where it does not apply.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import fields, replace
from random import Random
from typing import Any, TypeVar

from tallystick.core.errors import SortError
from tallystick.core.queries.calls import AggregateCall
from tallystick.core.queries.expressions import (
    NEGATED,
    And,
    Comparison,
    Exists,
    Expression,
    Literal,
    Not,
    Or,
    Reference,
    WithQuery,
)
from tallystick.core.queries.syntax import (
    Aggregate,
    Distinct,
    Filter,
    Join,
    Project,
    Query,
    SetOperation,
    references,
)
from tallystick.core.queries.traversal import inputs, parts
from tallystick.core.queries.types import BOOLEAN, INTEGER
from tallystick.frontends.elaboration.truths import is_truth

Rewriting = Callable[[Query], Query | None]
Tree = TypeVar("Tree")


def with_parts(tree: Tree, change: Callable[[Any], Any]) -> Tree:
    """A node with each field, or each member of a tuple in it, changed."""

    def changed(value: Any) -> Any:
        return tuple(map(changed, value)) if isinstance(value, tuple) else change(value)

    return replace(tree, **{each.name: changed(getattr(tree, each.name)) for each in fields(tree)})  # type: ignore[call-overload, type-var, arg-type]


def substituted(expression: Expression, change: Callable[[Reference], Expression]) -> Expression | None:
    """The expression with other references; None if it has a subquery."""
    if any(isinstance(part, WithQuery) for part in parts(expression)):
        return None

    def visit(value: Any) -> Any:
        if isinstance(value, Reference):
            return change(value) if value.level == 0 else value
        return with_parts(value, visit) if isinstance(value, Expression) else value

    return visit(expression)


# --- rewritings ---------------------------------------------------------------------------------------------------


def merge_filters(query: Query) -> Query | None:
    """σ_a(σ_b(Q)) = σ_{a ∧ b}(Q)."""
    match query:
        case Filter(Filter(inner, first), second):
            return Filter(inner, And((first, second)))
    return None


def split_filter(query: Query) -> Query | None:
    """σ_{a ∧ b}(Q) = σ_b(σ_a(Q))."""
    match query:
        case Filter(inner, And((first, *rest))) if rest:
            return Filter(Filter(inner, first), And(tuple(rest)))
    return None


def filter_into_union(query: Query) -> Query | None:
    """σ_a(P ⊎ Q) = σ_a(P) ⊎ σ_a(Q)."""
    match query:
        case Filter(SetOperation("union", True, left, right), condition) if left.columns == right.columns:
            return SetOperation("union", True, Filter(left, condition), Filter(right, condition))
    return None


def filter_into_join(query: Query) -> Query | None:
    """σ_a(P ⋈_b Q) = P ⋈_{a ∧ b} Q."""
    match query:
        case Filter(Join("inner", left, right, on, lateral), condition):
            return Join("inner", left, right, And((on, condition)), lateral)
    return None


def filter_by_cases(query: Query) -> Query | None:
    """σ_{a ∨ b}(Q) = σ_a(Q) ⊎ σ_{b ∧ a is not true}(Q)."""
    match query:
        case Filter(inner, Or((first, *rest))) if rest:
            others = And((Or(tuple(rest)), Not(is_truth(first, True))))
            return SetOperation("union", True, Filter(inner, first), Filter(inner, others))
    return None


def commute_join(query: Query) -> Query | None:
    """P ⋈ Q = Q ⋈ P, with the columns in their order."""
    match query:
        case Join("inner", left, right, on, False):
            return _swapped(left, right, on)
    return None


def _swapped(left: Query, right: Query, on: Expression) -> Query | None:
    widths = len(left.columns), len(right.columns)

    def moved(column: Reference) -> Reference:
        by = widths[1] if column.index < widths[0] else -widths[0]
        return replace(column, index=column.index + by)

    condition = substituted(on, moved)
    if condition is None:
        return None
    join = Join("inner", right, left, condition)
    columns = references(join)
    return Project(join, (*columns[widths[1] :], *columns[: widths[1]]))


def distinct_as_groups(query: Query) -> Query | None:
    """DISTINCT is GROUP BY all columns."""
    match query:
        case Distinct(inner):
            return Aggregate(inner, references(inner), ())
    return None


def groups_as_distinct(query: Query) -> Query | None:
    """GROUP BY without aggregates is DISTINCT."""
    match query:
        case Aggregate(inner, keys, (), None) if keys:
            return Distinct(Project(inner, keys))
    return None


def union_as_distinct(query: Query) -> Query | None:
    """UNION is DISTINCT of UNION ALL."""
    match query:
        case SetOperation("union", False, left, right):
            return Distinct(SetOperation("union", True, left, right))
    return None


def semijoin_as_exists(query: Query) -> Query | None:
    """P ⋉ Q = σ_{EXISTS}(P), P ▷ Q = σ_{NOT EXISTS}(P)."""
    match query:
        case Join("semi" | "anti" as kind, left, right, on, False) if not right.free:
            exists = _exists(left, right, on)
            return None if exists is None else Filter(left, exists if kind == "semi" else Not(exists))
    return None


def left_join_as_union(query: Query) -> Query | None:
    """P ⟕ Q = P ⋈ Q ⊎ (P ▷ Q) × NULLs."""
    match query:
        case Join("left", left, right, on, False):
            inner, alone = Join("inner", left, right, on), Join("anti", left, right, on)
            nulls = tuple(Literal(None, column.type) for column in right.columns)
            return SetOperation("union", True, inner, Project(alone, (*references(alone), *nulls)))
    return None


def right_as_left_join(query: Query) -> Query | None:
    """P ⟖ Q = Q ⟕ P, with the columns in their order."""
    match query:
        case Join("right", left, right, on, False):
            swapped = _swapped(left, right, on)
            if isinstance(swapped, Project) and isinstance(swapped.input, Join):
                join = replace(swapped.input, kind="left")
                columns, width = references(join), len(right.columns)
                return Project(join, (*columns[width:], *columns[:width]))
    return None


def intersect_as_semijoin(query: Query) -> Query | None:
    """INTERSECT is DISTINCT of a semijoin, EXCEPT of an antijoin, on null-safe equality of all columns."""
    match query:
        case SetOperation("intersect" | "except" as kind, False, left, right) if left.columns == query.columns:
            pair = Join("inner", left, right, And(()))
            columns, width = references(pair), len(left.columns)
            equal = And(
                tuple(Comparison("<=>", *sides) for sides in zip(columns[:width], columns[width:], strict=True))
            )
            return Distinct(Join("semi" if kind == "intersect" else "anti", left, right, equal))
    return None


def _exists(left: Query, right: Query, on: Expression) -> Expression | None:
    width = len(left.columns)

    def placed(column: Reference) -> Reference:
        if column.index < width:
            return replace(column, level=1)
        return replace(column, index=column.index - width)

    if any(each.level > 0 for each in on.free):
        return None
    condition = substituted(on, placed)
    return None if condition is None else Exists(Filter(right, condition))


def identity_projection(query: Query) -> Query | None:
    """A projection on all columns changes nothing."""
    return Project(query, references(query))


REWRITINGS: tuple[Rewriting, ...] = (
    merge_filters,
    split_filter,
    filter_into_union,
    filter_into_join,
    filter_by_cases,
    commute_join,
    distinct_as_groups,
    groups_as_distinct,
    union_as_distinct,
    semijoin_as_exists,
    left_join_as_union,
    right_as_left_join,
    intersect_as_semijoin,
    identity_projection,
)
"""Equivalences without a catalogue."""


# --- mutations ----------------------------------------------------------------------------------------------------


def _other(random: Random, values: Sequence[Any], value: Any) -> Any:
    return random.choice([each for each in values if each != value])


def mutated_node(query: Query, random: Random) -> Query | None:
    """A node with one thing changed: a join, a set operation, a condition, an aggregate."""
    match query:
        case Join(kind) if not query.lateral and kind in ("inner", "left", "right", "full"):
            return replace(query, kind=_other(random, ("inner", "left", "right", "full"), kind))
        case Join(kind) if kind in ("semi", "anti"):
            return replace(query, kind="anti" if kind == "semi" else "semi")
        case SetOperation(_, all_):
            return (
                replace(query, all=not all_)
                if random.random() < 0.5
                else replace(query, left=query.right, right=query.left)
            )
        case Filter(inner, condition):
            return Filter(inner, Not(condition)) if random.random() < 0.3 else with_condition(query, random)
        case Distinct(inner):
            return inner
        case Aggregate(_, _, calls) if calls:
            changed = tuple(_other_call(call, random) if isinstance(call, AggregateCall) else call for call in calls)
            return replace(query, calls=changed)
        case Project(inner) if random.random() < 0.5:
            return Distinct(query)
    return None


def with_condition(query: Filter, random: Random) -> Query:
    """A filter with another comparison, constant or connective somewhere."""

    def visit(value: Any) -> Any:
        match value:
            case Comparison(operator) if random.random() < 0.5:
                return replace(value, operator=_other(random, (*NEGATED,), operator))
            case Literal(int() as number, type_) if type_ == INTEGER and random.random() < 0.5:
                return Literal(number + 1, type_)
            case And(operands) if random.random() < 0.3:
                return Or(operands)
        return with_parts(value, visit) if isinstance(value, Expression) else value

    return Filter(query.input, visit(query.condition))


def _other_call(call: AggregateCall, random: Random) -> AggregateCall:
    if call.function in ("min", "max"):
        return replace(call, function="max" if call.function == "min" else "min")
    return (
        replace(call, distinct=not call.distinct) if call.arguments else replace(call, filter=Literal(False, BOOLEAN))
    )


# --- trees --------------------------------------------------------------------------------------------------------


def nodes(query: Query) -> int:
    """How many nodes a query has, without those in expressions."""
    return 1 + sum(map(nodes, inputs(query)))


def at_node(query: Query, number: int, change: Callable[[Query], Query | None]) -> Query | None:
    """The query with the node of a number, in preorder, changed; None if the change does not apply or the columns
    of the node become others."""
    if number == 0:
        result = change(query)
        return result if result is not None and result.columns == query.columns else None
    number -= 1
    for place, child in enumerate(inputs(query)):
        if number < nodes(child):
            changed = at_node(child, number, change)
            if changed is None:
                return None
            names = ("left", "right") if len(inputs(query)) == 2 else ("input",)
            return replace(query, **{names[place]: changed})
        number -= nodes(child)
    return None


def rewritten(query: Query, random: Random, steps: int) -> Query:
    """An equivalent query, by some of so many attempts to rewrite a node."""
    for _ in range(steps):
        change = random.choice(REWRITINGS)
        query = at_node(query, random.randrange(nodes(query)), change) or query
    return query


def mutated(query: Query, random: Random, attempts: int = 20) -> Query | None:
    """The query with one node changed, to one with the same columns; None if no attempt succeeds."""
    for _ in range(attempts):
        try:
            changed = at_node(query, random.randrange(nodes(query)), lambda node: mutated_node(node, random))
        except SortError:
            continue
        if changed is not None and changed != query:
            return changed
    return None
