"""What is known of a fold that is read as a function of sums and extrema: laws, by induction.

It is that function of them; no element exceeds an extremum, and one attains it; a sum of what is at least 1 is positive
where there is an element.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tallystick.certificates.exports.coq_members import Defined, Types, parameter, parameters
from tallystick.certificates.rules.normal import Measure, Reading, measured
from tallystick.core.binders import element_type
from tallystick.core.operators import Operator
from tallystick.core.terms import (
    FALSE,
    TRUE,
    Term,
    accumulator,
    apply,
    build,
    conjunction,
    constant,
    default_term,
    element,
    equal,
    implies,
    ite,
    less,
    less_equal,
    negation,
    project,
    tuple_of,
)
from tallystick.core.types import BOOL, TupleType
from tallystick.members.bags import member
from tallystick.members.search import Called, FoldLaws, Search
from tallystick.members.sums import flatten, sum_of


def read(search: Search, over: Types, fold: Defined, reading: Reading) -> FoldLaws | None:
    """The laws about a fold with a reading; None where it is not found that it is what that says."""
    if any(reading.among):
        return None  # laws about the elements that attain an extremum are not looked for
    given, kinds = parameters(over), reading.measures
    bag = fold.body.arguments[2]
    of = element_type(bag)
    empty = tuple_of(FALSE, *(default_term(each.type) for _, each in kinds))  # type: ignore[arg-type]
    state = accumulator(empty.type)  # type: ignore[arg-type]
    taken = measured(reading, element(of), state)
    measures = search.theory.define(over, build(Operator.FOLD, (empty, taken, bag)))
    own = (measures, given), (fold, given)
    is_read = search.induct(
        over, own, lambda m, f: conjunction(apply(reading.invariant, m), equal(f, apply(reading.result, m)))
    )
    if is_read is None:
        return None
    each = parameter(len(over), of)
    one: tuple[Called, ...] = (member(search.theory, over, bag), (*given, each)), (measures, given)
    met = search.induct((*over, of), one, lambda s, m: implies(s, _taken(kinds, m, each)))
    found = [_attained(search, over, measures, bag, place, kind) for place, kind in enumerate((None, *kinds))]
    signs = [search.induct(over, own[:1], says) for says in _signs(kinds)]
    totals = [
        _summed(search, over, measures, bag, place, weight)
        for place, (kind, weight) in enumerate(kinds, 1)
        if kind == "sum"
    ]
    sums = tuple(law for law in totals if law is not None)
    if not over:
        search.always += [law for law in (is_read, *found, *signs, *sums) if law is not None]
        search.met.setdefault(bag, []).extend([] if met is None else [met])
    return FoldLaws(is_read, met, sums)


def _taken(kinds: Sequence[Measure], measures: Term, item: Term) -> Term:
    """That an element was taken into measures."""
    parts = [project(measures, 0)]
    for place, (kind, weight) in enumerate(kinds, 1):
        value, own = project(measures, place), apply(weight, item)
        if kind == "max":
            parts.append(less_equal(own, value))
        elif kind == "min":
            parts.append(less_equal(value, own))
        elif kind == "some":
            parts.append(implies(own, value))
    return conjunction(*parts)


def _attained(
    search: Search, over: Types, measures: Defined, bag: Term, place: int, kind: Measure | None
) -> int | None:
    """That some element is where a measure is attained; without a measure, that there is one."""
    if kind is not None and kind[0] == "sum":
        return None
    of, given = element_type(bag), parameters(over)
    item, state = element(of), accumulator(TupleType((BOOL, of)))
    before = project(state, 1)
    chosen = item if kind is None else ite(conjunction(project(state, 0), _stays(kind, before, item)), before, item)
    start = tuple_of(FALSE, default_term(of))
    best = search.theory.define(over, build(Operator.FOLD, (start, tuple_of(TRUE, chosen), bag)))
    inside = member(search.theory, over, bag)

    def says(m: Term, a: Term) -> Term:
        there = [inside(*given, project(a, 1))]
        if kind is not None:
            there.append(equal(apply(kind[1], project(a, 1)), project(m, place)))
        return conjunction(equal(project(a, 0), project(m, 0)), implies(project(m, 0), conjunction(*there)))

    found = search.induct(over, ((measures, given), (best, given)), says)
    if found is not None and not over:
        search.items.setdefault(bag, []).append(project(best(), 1))
    return found


def _stays(kind: Measure, before: Term, item: Term) -> Term:
    """Whether an element where a measure was attained is still one, when another is taken."""
    which, weight = kind
    old = apply(weight, before)
    return old if which == "some" else negation(less(old, weight) if which == "max" else less(weight, old))


def _signs(kinds: Sequence[Measure]) -> list[Callable[[Term], Term]]:
    """That a sum of what is at least 1 is positive where there are elements, and 0 where there are none."""

    def positive(place: int, measures: Term) -> Term:
        value, zero = project(measures, place), constant(0)
        return conjunction(
            less_equal(zero, value),
            implies(project(measures, 0), less(zero, value)),
            implies(negation(project(measures, 0)), equal(value, zero)),
        )

    def positive_at(place: int) -> Callable[[Term], Term]:
        return lambda measures: positive(place, measures)

    return [positive_at(place) for place, (kind, _) in enumerate(kinds, 1) if kind == "sum"]


def _summed(search: Search, over: Types, measures: Defined, bag: Term, place: int, weight: Term) -> int | None:
    """That a measure is a sum, which is one over what the bag is made of."""
    given, whole = parameters(over), sum_of(search.theory, over, weight, bag)
    same = search.induct(over, ((measures, given), (whole, given)), lambda m, total: equal(project(m, place), total))
    flatten(search, over, whole, read)
    return same
