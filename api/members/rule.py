"""Proofs by MEMBERS in the place of those by normal forms, from the readings of their folds (`coq/MembersRule.v`).

A fold that is read as a function of sums and extrema is proved to be that function, by induction; an extremum is
attained by an element, and no element exceeds it. What follows from this for the elements of bags that are made of
others is a question for the search of refutation trees. What is found is checked by Coq.
"""

from __future__ import annotations

from functools import partial

from tallystick.certificates.exports.coq_members import Conclusion, Members, Once, parameter, parameters
from tallystick.certificates.judgements import Goal
from tallystick.certificates.proofs import Step
from tallystick.certificates.rules.normal import Normal
from tallystick.core.binders import element_type
from tallystick.core.operators import Operator
from tallystick.core.terms import TRUE, Term, apply, equal, subterms
from tallystick.core.types import RATIONAL, BagType
from tallystick.decision.prover import NO_SOLVER, Prover
from tallystick.members.bags import bucket, known_member, member
from tallystick.members.buckets import bucket_laws
from tallystick.members.instances import decompose_all, instances, origins
from tallystick.members.readings import read
from tallystick.members.relations import relate
from tallystick.members.search import Search
from tallystick.members.theory import Theory


def members_proof(goal: Goal, normal: Normal) -> Step | None:
    """A proof by MEMBERS in the place of one by normal forms, if one is found."""
    if any(weight.type == RATIONAL for reading in normal.readings for _, weight in reading.measures):
        return None  # nor has `coq/` such numbers
    if any(each.operator is Operator.APPLY for side in (goal.left, goal.right) for each in subterms(side)):
        return None  # functions in laws are those that the proof defines
    search = Search(Theory(goal.hypothesis), Prover(NO_SOLVER), {each.fold: each for each in normal.readings})
    readings = [each for each in normal.readings if each.fold.operator is Operator.FOLD]
    folds = [search.theory.define((), each.fold) for each in readings]
    if not all(read(search, (), *pair) for pair in zip(folds, readings, strict=True)):
        return None
    for side in (goal.left, goal.right):
        decompose_all(search, side)
    if isinstance(goal.left.type, BagType):
        conclusion = _elementwise(search, goal) or _same_elements(search, goal)
    else:
        conclusion = _values(search, goal)
    if conclusion is None:
        return None
    rule = Members(tuple(search.theory.definitions), tuple(search.theory.steps), conclusion)
    return Step(rule)  # type: ignore[arg-type]


def _values(search: Search, goal: Goal) -> Conclusion | None:
    """Both sides are equal values."""
    found = search.because((), equal(goal.left, goal.right), instances(search))
    return None if found is None else Conclusion("Values", (found,))


def _elementwise(search: Search, goal: Goal) -> Conclusion | None:
    """Both sides filter or map one bag, and do the same to each of its elements."""
    one, other = goal.left, goal.right
    if one.operator not in (Operator.MAP, Operator.FILTER):
        return None
    source = one.arguments[1]
    item = parameter(0, element_type(source))
    if other.operator is one.operator and other.arguments[1] is source:
        target = apply(other.arguments[0], item)
    elif other is source and one.operator is Operator.FILTER:
        target = TRUE
    else:
        return None
    search.items.setdefault(source, []).append(item)
    known = known_member(search.theory, (), source, item)
    found = search.because(known, equal(apply(one.arguments[0], item), target), instances(search))
    return None if found is None else Conclusion("Elementwise", (found,))


def _same_elements(search: Search, goal: Goal) -> Conclusion | None:
    """Both sides have the same elements, none of them twice."""
    theory, item = search.theory, parameter(0, element_type(goal.left))
    for fold, reading in search.readings.items():
        if fold.operator is Operator.FOLD_BY_KEY and not fold.bound:
            key: tuple = (element_type(fold).components[0],)  # type: ignore[union-attr]
            laws = read(search, key, bucket(theory, (), fold), reading)
            search.buckets[fold] = () if laws is None else laws.of_result
            taking = bucket_laws(search, (), fold)
            if laws is not None and laws.met is not None and taking is not None:
                search.taken[fold] = partial(taking.uses, met=laws.met)
    relate(search)
    once = [_once(search, side) for side in (goal.left, goal.right)]
    found = []
    for side, other in ((goal.left, goal.right), (goal.right, goal.left)):
        search.items = {side: [item]}
        known, wanted = member(theory, (), side)(item), member(theory, (), other)(item)
        found.append(search.because([known], wanted, instances(search, above=True)))
    if any(each is None for each in (*once, *found)):
        return None
    return Conclusion("SameElements", tuple(found), tuple(once))  # type: ignore[arg-type]


def _once(search: Search, bag: Term) -> Once | None:
    """Why no element of a bag occurs twice, if that is so."""
    match bag.operator:
        case Operator.DISTINCT | Operator.FOLD_BY_KEY:
            return Once("Keyed")
        case Operator.FILTER:
            rest = _once(search, bag.arguments[1])
            return None if rest is None else Once("Selected", None, rest)
        case Operator.MAP:
            udf, source = bag.arguments
            rest = _once(search, source)
            both = parameters((element_type(source),) * 2)
            inside = member(search.theory, (), source)
            same = equal(*(apply(udf, each) for each in both))
            search.items = {source: [*both]}
            reason = search.because([*map(inside, both), same], equal(*both), origins(search))
            return None if rest is None or reason is None else Once("Injective", reason, rest)
        case _:
            return None
