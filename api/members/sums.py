"""Sums over mapped and filtered bags, unions, and buckets, as sums over what these are made of (`coq/Sums.v`)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tallystick.certificates.exports.coq_members import Because, Defined, Law, SumOver, Types, parameter, parameters
from tallystick.certificates.rules.normal import Reading
from tallystick.core.binders import element_type
from tallystick.core.operators import Operator
from tallystick.core.terms import (
    TRUE,
    Term,
    accumulator,
    add,
    apply,
    build,
    constant,
    element,
    equal,
    ite,
    project,
    tuple_of,
)
from tallystick.core.types import TupleType
from tallystick.members.bags import bucket, member, of_key
from tallystick.members.buckets import bucket_laws
from tallystick.members.search import FoldLaws, Search
from tallystick.members.theory import Theory

Read = Callable[[Search, Types, Defined, Reading], FoldLaws | None]
"""What finds the laws about a fold: `readings.read`."""


def sum_of(theory: Theory, takes: Types, weight: Term, bag: Term) -> Defined:
    """The sum of a function over the elements of a bag."""
    step = build(Operator.ADD, (accumulator(weight.type), weight))  # type: ignore[arg-type]
    return theory.define(takes, build(Operator.FOLD, (constant(0), step, bag)))


def flatten(search: Search, over: Types, whole: Defined, read: Read) -> None:
    """Adds the equations of a sum with sums over what its bag is made of, as far as they are found."""
    step, bag = whole.body.arguments[1:]
    weight = step.arguments[1]
    match bag.operator:
        case Operator.MAP | Operator.FILTER:
            found = _over_source(search, over, weight, bag)
        case Operator.UNION:
            parts = tuple(sum_of(search.theory, over, weight, part) for part in bag.arguments)
            found = Found("OverUnion", parts, parts, ())
        case Operator.FOLD_BY_KEY if bag in search.readings:
            found = _over_keys(search, over, weight, bag, read)
        case _:
            same = search.sums.setdefault((over, bag), [])
            same += [] if whole in same else [whole]
            return
    if found is None:
        return
    given = parameters(over)
    numbers = tuple(map(search.theory.number, (whole, *found.functions)))
    totals = [part(*given) for part in found.parts]
    total = totals[0] if len(totals) == 1 else add(*totals)
    made = SumOver(over, found.how, numbers, found.reasons)
    law = search.theory.add(made, Law(over, equal(whole(*given), total)))
    search.equations.setdefault(over, []).append(law)
    if not over:
        search.always.append(law)
    for part in found.parts:
        flatten(search, over, part, read)


@dataclass(frozen=True, slots=True)
class Found:
    """Why a sum is the sum of others: the functions that the step of the proof names, and evidence.

    Attributes:
        parts: the others, over what the bag is made of.
    """

    how: str
    functions: tuple[Defined, ...]
    parts: tuple[Defined, ...]
    reasons: tuple[Because, ...]


def _over_source(search: Search, over: Types, weight: Term, bag: Term) -> Found | None:
    """A sum over a mapped or filtered bag."""
    udf, source = bag.arguments
    taken, item = element(element_type(source)), parameter(len(over), element_type(source))

    def changed(one: Term) -> Term:
        if bag.operator is Operator.MAP:
            return apply(weight, apply(udf, one))
        return ite(apply(udf, one), apply(weight, one), constant(0))

    part = sum_of(search.theory, over, changed(taken), source)
    known = member(search.theory, over, source)(*parameters(over), item)
    reason = search.because([known], equal(changed(item), apply(part.body.arguments[1].arguments[1], item)))
    how = "OverMap" if bag.operator is Operator.MAP else "OverFilter"
    return None if reason is None else Found(how, (part,), (part,), (reason,))


def _over_keys(search: Search, over: Types, weight: Term, fold: Term, read: Read) -> Found | None:
    """A sum over buckets, as one over all elements: what is added for a bucket is a sum over it."""
    theory, reading, source = search.theory, search.readings[fold], fold.arguments[2]
    if any(kind != "sum" for kind, _ in reading.measures):
        return None
    pair: TupleType = element_type(source)  # type: ignore[assignment]
    all_of = (*over, pair.components[0])
    given = parameters(all_of)
    key, taken, pairs = given[-1], element(pair), of_key(over, source)
    alone = tuple_of(TRUE, *(apply(each, project(taken, 1)) for _, each in reading.measures))
    one = apply(weight, tuple_of(project(taken, 0), apply(reading.result, alone)))
    in_bucket, part = sum_of(theory, all_of, one, pairs), sum_of(theory, over, one, source)
    value = bucket(theory, over, fold)
    laws = read(search, all_of, value, reading)
    sums = [sum_of(theory, all_of, apply(each, project(taken, 1)), pairs) for _, each in reading.measures]
    taking = bucket_laws(search, over, fold)
    if laws is None or laws.met is None or taking is None:
        return None
    item = parameter(len(all_of) + len(sums) + 1, pair)
    same = search.induct(
        all_of,
        ((in_bucket, given), *((each, given) for each in sums)),
        lambda total, *parts: equal(apply(weight, tuple_of(key, apply(reading.result, tuple_of(TRUE, *parts)))), total),
        ((taking.of_pairs, (*given, item)),),
    )
    if same is None:
        return None
    each = parameter(len(all_of), pair)
    uses = [(law, given) for law in (*laws.of_result, same, *search.equations.get(all_of, []))]
    uses += taking.uses(key, each, laws.met)
    known = [member(theory, over, source)(*given[:-1], each), equal(key, project(each, 0))]
    bucketed = apply(weight, tuple_of(key, value(*given)))
    first = search.because(known, equal(bucketed, in_bucket(*given)), tuple(uses))
    second = search.because(known, TRUE)
    return None if first is None or second is None else Found("OverKeys", (in_bucket, part), (part,), (first, second))
