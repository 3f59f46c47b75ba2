"""Calls that raise on an empty RDD, and what programs with such calls mean.

The result of a program that may raise is a pair (whether it returns, what it returns), with the smallest value of the
type in place of what is not returned. It raises when a call that is reached raises: Spark computes these calls where
they stand, whether their values are used or not.
"""

from __future__ import annotations

from collections.abc import Callable

from tallystick.core.functions import RAISE
from tallystick.core.terms import (
    FALSE,
    TRUE,
    Operator,
    Term,
    apply_function,
    build,
    conjunction,
    constant,
    disjunction,
    element,
    equal,
    ite,
    negation,
    project,
    tuple_of,
)
from tallystick.core.types import BOOL, BagType
from tallystick.frontends.pyspark.python.arithmetic import has_order, precedes
from tallystick.frontends.pyspark.rdds.calls import Call, element_of
from tallystick.frontends.pyspark.rdds.folds import Merge
from tallystick.frontends.pyspark.rdds.operators import first_component, from_first, merged_from_first, same_type
from tallystick.frontends.pyspark.rdds.rdd_methods import rdd_method
from tallystick.frontends.pyspark.values.describing import literal, show_type
from tallystick.frontends.pyspark.values.kinds import Ranked
from tallystick.frontends.pyspark.values.options import component_count, default_of


def _min(call: Call) -> Term:
    """The smallest element; raises when there is none."""
    return _best(call, lambda each, best: precedes(each, best))


def _max(call: Call) -> Term:
    """The largest element; raises when there is none."""
    return _best(call, lambda each, best: precedes(best, each))


def _best(call: Call, better: Callable[[Term, Term], Term]) -> Term:
    """The first of the best elements by their order, or by that of a key."""
    of = call.element
    best, each = first_component(of), element(of)
    keys = (call.apply("key", each), call.apply("key", best)) if "key" in call.arguments else (each, best)
    if not has_order(keys[0].type):
        raise call.place.error(f"`{call.name}` needs what Python orders, and this is {show_type(keys[0].type)}")
    return _folded(call, ite(better(*keys), each, best), "none")


def _reduce(call: Call) -> Term:
    """The fold of the elements that starts from one of them; raises when there is none."""
    of = call.element
    step = same_type(call, "f", call.apply("f", first_component(of), element(of)), of)
    return _folded(call, step, merged_from_first(call, "f", of))


def first_in_order(call: Call, pairs: Term, last: bool = False) -> Term:
    """The first element of an RDD in an order, or the last one; raises when there is none."""
    of = element_of(pairs)
    best, each = first_component(of), element(of)
    orders = project(each, 0), project(best, 0)
    step = ite(_before(*(reversed(orders) if last else orders)), each, best)
    fold = build(Operator.FOLD, (*from_first(step, of), pairs))
    call.folded(fold, "none", first_component(of))
    call.reader.raises_unless(project(fold, 1), call.place)
    return project(project(fold, 0), 1)


def first_taken(call: Call, whole: Ranked, last: bool = False) -> Term:
    """The first element of a list in an order, or the last of all; raises when there is none, or none were taken."""
    if last and whole.most is not None:
        raise call.place.error(
            "the last of the first elements of a list is not read", "write `top`, or sort the other way"
        )
    _require_taken(call, whole)
    return first_in_order(call, whole.pairs, last)


def whether_taken(call: Call, whole: Ranked) -> Term:
    """Whether a list in an order has an element."""
    _require_taken(call, whole)
    return negation(call.folded(build(Operator.FOLD, (TRUE, FALSE, whole.pairs)), "none"))


def _require_taken(call: Call, whole: Ranked) -> None:
    most = constant(1) if whole.most is None else whole.most
    known = literal(most)
    if type(known) is not int or known < 1:
        hint = "take a constant number of elements, 1 at least"
        raise call.place.error("how many elements this list may have is not fixed, or 0", hint)


def _before(one: Term, other: Term) -> Term:
    """Whether one order is before another: column by column, of which the first says nothing; see `ordering`."""
    result = FALSE
    for index in reversed(range(1, component_count(one) - 1, 2)):
        left, right = project(one, index + 1), project(other, index + 1)
        earlier = ite(project(one, index), precedes(right, left), precedes(left, right))
        result = disjunction(earlier, conjunction(equal(left, right), result))
    return result


def _folded(call: Call, step: Term, merge: Merge) -> Term:
    """The value of a fold from the first element, whose state says whether there was one: otherwise it raises."""
    fold = build(Operator.FOLD, (*from_first(step, call.element), call.bag))
    call.folded(fold, merge, first_component(call.element))
    call.reader.raises_unless(project(fold, 1), call.place)
    return project(fold, 0)


def result_of(value: Term, returns: Term) -> Term:
    """The result of a program that raises unless a condition holds; that it raises is assumed away of RDDs."""
    if isinstance(value.type, BagType):
        return build(Operator.FILTER, (ite(returns, TRUE, apply_function(RAISE, BOOL)), value))
    return tuple_of(returns, ite(returns, value, default_of(value.type)))


RDD_METHODS = (
    rdd_method("min(key=None)", "r.min()", _min),
    rdd_method("max(key=None)", "r.max()", _max),
    rdd_method("reduce(f)", "r.reduce(lambda a, b: a + b)", _reduce),
    rdd_method("treeReduce(f, depth=2)", "r.treeReduce(lambda a, b: a + b)", _reduce),
)
