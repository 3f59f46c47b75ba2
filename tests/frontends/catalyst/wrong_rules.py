"""Wrong rules of an optimiser, as rewritings of queries; each is applied to a query of the shop."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, is_dataclass, replace
from typing import Any

from tallystick.core.queries.calls import AggregateCall, OrderKey, WindowCall
from tallystick.core.queries.expressions import (
    And,
    Comparison,
    Expression,
    ForSome,
    IsNull,
    Literal,
    Not,
    Reference,
)
from tallystick.core.queries.syntax import (
    Aggregate,
    Distinct,
    Filter,
    Join,
    Limit,
    Project,
    Query,
    SetOperation,
    Window,
    reference,
    references,
)
from tallystick.core.queries.types import BOOLEAN, INTEGER

Rule = Callable[[Any], Any]
TRUE, FALSE = Literal(True, BOOLEAN), Literal(False, BOOLEAN)


def rewritten(node: Any, rule: Rule) -> Any:
    """The tree with the rule applied to each query and expression, bottom up."""
    if isinstance(node, tuple):
        return tuple(rewritten(part, rule) for part in node)
    if not isinstance(node, Query | Expression | AggregateCall | OrderKey | WindowCall) or not is_dataclass(node):
        return node
    changed = {field.name: rewritten(getattr(node, field.name), rule) for field in fields(node)}
    if isinstance(node, Query):
        row = _input_row(node, changed)
        changed = {name: _bound(value, row) for name, value in changed.items()}
    same = all(changed[field.name] is getattr(node, field.name) for field in fields(node))
    return rule(node if same else type(node)(**changed))


def _input_row(node: Query, changed: dict[str, Any]) -> Any:
    if isinstance(node, Join):
        return (*changed["left"].columns, *changed["right"].columns)
    return changed["input"].columns if "input" in changed else ()


def _bound(value: Any, row: Any) -> Any:
    """The expressions of a node, where references to its row say whether the column may be NULL."""
    if isinstance(value, tuple):
        return tuple(_bound(part, row) for part in value)
    if isinstance(value, Reference) and value.level == 0:
        return replace(value, nullable=row[value.index].nullable) if value.index < len(row) else value
    if isinstance(value, Query) or not isinstance(value, Expression | AggregateCall | OrderKey | WindowCall):
        return value
    parts = {field.name: _bound(getattr(value, field.name), row) for field in fields(value)}
    return type(value)(**parts)


def _on(kind: type, change: Callable[[Any], Any]) -> Rule:
    return lambda node: change(node) if isinstance(node, kind) else node


def _kind_of_join(old: str, new: str) -> Rule:
    return _on(Join, lambda join: replace(join, kind=new) if join.kind == old else join)


def _below_outer_join(node: Filter) -> Query:
    """A filter on the padded side, pushed below the join."""
    join = node.input
    if not isinstance(join, Join) or join.kind != "left":
        return node
    width = len(join.left.columns)
    moved = rewritten(
        node.condition, _on(Reference, lambda each: replace(each, index=each.index - width) if not each.level else each)
    )
    return replace(join, right=Filter(join.right, moved))


def _anti_without_null(node: Filter) -> Query:
    """NOT IN as an anti join on equality."""
    condition = node.condition
    if not (isinstance(condition, Not) and isinstance(condition.operand, ForSome)):
        return node
    inner, width = condition.operand, len(node.input.columns)
    right = inner.query.columns[0]
    equal = Comparison("=", inner.expressions[0], Reference(0, width, right.type, right.nullable))
    return Join("anti", node.input, inner.query, equal)


def _average_of_averages(node: Aggregate) -> Query:
    """An average of all rows as that of the averages of groups."""
    if node.keys or [call.function for call in node.calls if isinstance(call, AggregateCall)] != ["avg"]:
        return node
    inner = Aggregate(node.input, (reference(node.input, 0),), node.calls)
    return Aggregate(inner, (), (AggregateCall("avg", (reference(inner, 1),), rounding="exact"),))


def _limit_below_filter(node: Filter) -> Query:
    limit = node.input
    if not isinstance(limit, Limit):
        return node
    return replace(limit, input=Filter(limit.input, node.condition))


def _limit_below_join(node: Limit) -> Query:
    """The first rows of a join as those of its left side, joined."""
    project = node.input
    if not isinstance(project, Project) or not isinstance(project.input, Join):
        return node
    join = project.input
    key = join.left.columns[0]
    order = (OrderKey(Reference(0, 0, key.type, key.nullable), False, True),)
    return replace(project, input=replace(join, left=Limit(join.left, order, node.count)))


def _semi_on_equality(node: SetOperation) -> Query:
    """INTERSECT as a semi join on equality, without DISTINCT."""
    if node.kind != "intersect":
        return node
    width = len(node.left.columns)
    right = node.right.columns[0]
    equal = Comparison("=", reference(node.left, 0), Reference(0, width, right.type, right.nullable))
    return Join("semi", node.left, node.right, equal)


def _on_as_where(node: Join) -> Query:
    """A condition on the right side, moved from ON of an outer join to a filter of its result."""
    if node.kind != "left" or not isinstance(node.condition, And):
        return node
    *kept, last = node.condition.operands
    join = replace(node, condition=And(tuple(kept)))
    return Filter(join, _bound(last, join.columns))


def _filter_below_window(node: Filter) -> Query:
    """The condition on a rank is dropped: as if it held of all rows."""
    project = node.input
    window = project.input if isinstance(project, Project) else None
    while isinstance(window, Project):
        window = window.input
    return project if isinstance(window, Window) else node


def _first_branch(node: SetOperation) -> Query:
    return node.left if node.kind == "union" else node


def _count_as_sum(call: AggregateCall) -> AggregateCall:
    return AggregateCall("sum", (Literal(1, INTEGER),)) if call.function == "count" else call


def _filter_dropped(node: Filter) -> Query:
    inside = node.input
    while isinstance(inside, Project):
        inside = inside.input
    return node.input if isinstance(inside, Aggregate) else node


def _null_as_false(node: Comparison) -> Expression:
    return FALSE if Literal(None, node.right.type) in (node.left, node.right) else node


def _duplicates_ignored(node: AggregateCall) -> AggregateCall:
    return replace(node, distinct=False)


WRONG_RULES: dict[str, tuple[str, Rule]] = {
    "an outer join becomes an inner one": ("left join", _kind_of_join("left", "inner")),
    "a full join becomes a left one": ("full join", _kind_of_join("full", "left")),
    "a semi join becomes an inner one": (
        "semi",
        _on(
            Join,
            lambda join: Project(replace(join, kind="inner"), references(join.left)) if join.kind == "semi" else join,
        ),
    ),
    "a filter is pushed below an outer join": ("left join filtered", _on(Filter, _below_outer_join)),
    "a condition moves from ON to WHERE": ("left join", _on(Join, _on_as_where)),
    "NOT IN becomes an anti join without the NULL case": ("not in query", _on(Filter, _anti_without_null)),
    "COUNT of nothing is NULL": ("count bug", _on(AggregateCall, _count_as_sum)),
    "DISTINCT is dropped without a key": ("distinct", _on(Distinct, lambda node: node.input)),
    "DISTINCT is dropped inside COUNT": ("having", _on(AggregateCall, _duplicates_ignored)),
    "AVG is computed as AVG of AVGs": ("average", _on(Aggregate, _average_of_averages)),
    "a filter moves below a limit": ("limit inside", _on(Filter, _limit_below_filter)),
    "a limit moves below a join": ("limit of a join", _on(Limit, _limit_below_join)),
    "a comparison with NULL is folded to false": ("not in list", _on(Comparison, _null_as_false)),
    "UNION becomes UNION ALL": ("union", _on(Distinct, lambda node: node.input)),
    "EXCEPT becomes EXCEPT ALL": (
        "except",
        _on(SetOperation, lambda node: replace(node, all=True) if node.kind == "except" else node),
    ),
    "INTERSECT becomes a semi join on equality": ("intersect", _on(SetOperation, _semi_on_equality)),
    "null-safe equality becomes equality": (
        "nulls",
        _on(Comparison, lambda node: replace(node, operator="=") if node.operator == "<=>" else node),
    ),
    "HAVING is dropped": ("having", _on(Filter, _filter_dropped)),
    "a column of an outer join is taken for NOT NULL": ("left join", _on(IsNull, lambda node: FALSE)),
    "an inclusive bound becomes exclusive": (
        "between",
        _on(Comparison, lambda node: replace(node, operator="<") if node.operator == "<=" else node),
    ),
    "a grouping set is lost": ("sets", _on(SetOperation, _first_branch)),
    "a condition on a rank is dropped": ("top ranks", _on(Filter, _filter_below_window)),
}
"""For each rule, the query of the shop to which it is applied."""
