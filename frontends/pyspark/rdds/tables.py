"""Tables: RDDs of pairs in which no key occurs twice, since a by-key fold made them.

Joins of tables, also outer ones, are one by-key fold over the elements of both: its state has what each side has
accumulated, and whether it has a value of this key at all.
"""

from __future__ import annotations

from dataclasses import dataclass

from tallystick.core.terms import (
    FALSE,
    TRUE,
    Operator,
    Term,
    accumulator,
    apply,
    build,
    conjunction,
    disjunction,
    element,
    ite,
    project,
    rebuild,
    tuple_of,
)
from tallystick.core.types import BOOL, TupleType
from tallystick.frontends.pyspark.rdds.calls import Call, element_of
from tallystick.frontends.pyspark.rdds.tagging import tagged, value_type
from tallystick.frontends.pyspark.values.options import MISSING, component_count, converted, is_tuple, optional


@dataclass(frozen=True)
class Table:
    """A by-key fold with what follows it: whether a pair (key, accumulated) is in the table, and the value there."""

    fold: Term
    exists: Term
    value: Term

    @property
    def row(self) -> Term:
        """A pair of the fold, as the element over which `exists` and `value` stand."""
        return element(element_of(self.fold))

    @property
    def folded(self) -> Term:
        """The bag of pairs that is folded."""
        return self.fold.arguments[2]

    def at(self, term: Term, key: Term, accumulated: Term) -> Term:
        """`exists` or `value` for a key and what is accumulated for it."""
        return apply(term, tuple_of(key, accumulated))


def table_of(bag: Term) -> Table | None:
    """The table that a bag of pairs is; None when its keys may repeat, or nothing says that they do not."""
    match bag.operator:
        case Operator.FOLD_BY_KEY:
            return Table(bag, TRUE, project(element(element_of(bag)), 1))
        case Operator.MAP | Operator.FILTER:
            udf, inner = bag.arguments
            table = table_of(inner)
            if table is None:
                return None
            image = apply(udf, tuple_of(project(table.row, 0), table.value))
            if bag.operator is Operator.FILTER:
                return Table(table.fold, conjunction(table.exists, image), table.value)
            of_pairs = is_tuple(image.type) and component_count(image) == 2
            if of_pairs and project(image, 0) is project(table.row, 0):
                return Table(table.fold, table.exists, project(image, 1))
    return None


@dataclass(frozen=True)
class Side:
    """A by-key fold whose state says whether it has taken a value.

    Attributes:
        initial: its initial state.
        step: the state after a value, over accumulator and element.
        started: whether the state, the accumulator, has taken one.
        accumulated: what the table's fold has accumulated in that state.
    """

    initial: Term
    step: Term
    started: Term
    accumulated: Term


def side_of(fold: Term) -> Side:
    initial, step, _ = fold.arguments
    if step.operator is Operator.TUPLE and step.arguments[-1] is TRUE and initial.arguments[-1:] == (FALSE,):
        state = accumulator(initial.type)  # type: ignore[arg-type]
        return Side(initial, step, project(state, len(step.arguments) - 1), state)
    state = accumulator(TupleType((initial.type, BOOL)))  # type: ignore[arg-type]
    inner = accumulator(initial.type)  # type: ignore[arg-type]
    taken = rebuild(step, {inner: project(state, 0)})
    return Side(tuple_of(initial, FALSE), tuple_of(taken, TRUE), project(state, 1), project(state, 0))


def joined_tables(call: Call, left: Table, right: Table, keep_left: bool, keep_right: bool) -> Term:
    """The join of two tables with keys of one type, which keeps the rows of a side without a partner or does not."""
    both, tables = tagged(left.folded, right.folded), (left, right)
    sides = [side_of(table.fold) for table in tables]
    initial = tuple_of(*(side.initial for side in sides))
    so_far, each = accumulator(initial.type), element(value_type(both.bag))  # type: ignore[arg-type]
    after = []
    for index, side in enumerate(sides):
        (taken, value), state = both.on_side(each, index), project(so_far, index)
        after.append(ite(taken, apply(side.step, value, state), state))
    folds = left.fold, right.fold
    fold = call.folded(build(Operator.FOLD_BY_KEY, (initial, tuple_of(*after), both.bag)), "none", parts=folds)
    row = element(element_of(fold))
    key, there, values = project(row, 0), list[Term](), list[Term]()
    for index, (table, side) in enumerate(zip(tables, sides, strict=True)):
        state = project(project(row, 1), index)
        accumulated = apply(side.accumulated, state, state)
        there.append(conjunction(apply(side.started, state, state), table.at(table.exists, key, accumulated)))
        values.append(table.at(table.value, key, accumulated))
    kept = [each for each, keep in zip(there, (keep_left, keep_right), strict=True) if keep]
    rows = disjunction(*kept) if kept else conjunction(*there)
    first = _where(there[0], values[0]) if keep_right else values[0]
    second = _where(there[1], values[1]) if keep_left else values[1]
    return build(Operator.MAP, (tuple_of(key, tuple_of(first, second)), build(Operator.FILTER, (rows, fold))))


def _where(condition: Term, value: Term) -> Term:
    """The value as an option that is missing where the condition does not hold."""
    to = optional(value.type)  # type: ignore[arg-type]
    return ite(condition, converted(value, to), converted(MISSING, to))
