"""Rule NORMAL: measures of the elements that attain an extremum, or satisfy a condition."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, replace
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from normal_forms import NormalForms as Evaluated
from tallystick.certificates import kernel
from tallystick.certificates.audit import audit
from tallystick.certificates.codec import decode, encode
from tallystick.certificates.exports.coq import theorem
from tallystick.certificates.judgements import Goal
from tallystick.certificates.rules.normal import Normal, NormalForms, Reading
from tallystick.core.errors import FragmentError, KernelError
from tallystick.core.interpreter import bag_of, evaluate
from tallystick.core.terms import (
    FALSE,
    TRUE,
    Term,
    accumulator,
    add,
    conjunction,
    constant,
    disjunction,
    element,
    equal,
    ite,
    less,
    negation,
    project,
    tuple_of,
)
from tallystick.core.types import BOOL, INT, TupleType
from tallystick.decision.invariants.fold_readings import reading
from tallystick.decision.methods.normal_forms import normal_forms
from tallystick.decision.outcome import Goal as Asked
from tallystick.decision.outcome import MethodContext, Proved, Unknown
from tallystick.decision.prover import NO_SOLVER, Prover

from certificates.examples import KV, ONE, ZERO, certificate, folded, programs

PAIR = element(TupleType((INT, INT)))
FIRST, SECOND = project(PAIR, 0), project(PAIR, 1)
STATE = accumulator(TupleType((BOOL, TupleType((INT, INT)))))
THERE, BEST, REST = project(STATE, 0), project(project(STATE, 1), 0), project(project(STATE, 1), 1)
START = tuple_of(FALSE, tuple_of(ZERO, ZERO))


def taken(beats: Term, reset: Term, tied: Term, *, worse: Term = REST) -> Term:
    """A step that keeps the greatest first component, or what `beats` says, and something with it."""
    both = ite(
        disjunction(negation(THERE), beats),
        tuple_of(FIRST, reset),
        tuple_of(BEST, ite(equal(FIRST, BEST), tied, worse)),
    )
    return tuple_of(TRUE, both)


BEATS = less(BEST, FIRST)
SUM = taken(BEATS, SECOND, add(REST, SECOND))
COUNT = taken(BEATS, ONE, add(REST, ONE))
LEAST = taken(BEATS, SECOND, ite(less(SECOND, REST), SECOND, REST))
FOLDS = {"sum": SUM, "count": COUNT, "least": LEAST}

MEASURED = element(TupleType((BOOL, INT, INT)))
READ = Reading(
    folded(START, SUM, KV),
    (("max", FIRST), ("sum", SECOND)),
    disjunction(project(MEASURED, 0), equal(MEASURED, tuple_of(FALSE, ZERO, ZERO))),
    tuple_of(project(MEASURED, 0), tuple_of(project(MEASURED, 1), project(MEASURED, 2))),
    (0, 1),
)


def context() -> MethodContext:
    return MethodContext(Prover(NO_SOLVER), lambda goal: Unknown("not asked"))


def premises(read: Reading) -> list[str]:
    """What is answered about each premise of a reading."""
    required = Normal((read,)).requirements(Goal(TRUE, read.fold, read.fold)).premises
    return [type(Prover().answer(premise.formula)).__name__ for premise in required]


def test_a_sum_among_the_greatest_has_its_reading() -> None:
    assert "Countermodel" not in premises(READ)


WRONG = {
    "among all": replace(READ, among=()),
    "the least": replace(READ, measures=(("min", FIRST), ("sum", SECOND))),
    "a tie that begins anew": replace(READ, fold=folded(START, taken(BEATS, SECOND, SECOND), KV)),
    "a better one that is added": replace(
        READ, fold=folded(START, taken(BEATS, add(REST, SECOND), add(REST, SECOND)), KV)
    ),
    "a worse one that is counted": replace(
        READ, fold=folded(START, taken(BEATS, SECOND, add(REST, SECOND), worse=add(REST, ONE)), KV)
    ),
    "better and worse exchanged": replace(
        READ, fold=folded(START, taken(less(FIRST, BEST), SECOND, add(REST, SECOND)), KV)
    ),
    "a start that is not neutral": replace(READ, fold=folded(tuple_of(FALSE, tuple_of(ZERO, ONE)), SUM, KV)),
    "a start that counts": replace(READ, fold=folded(tuple_of(TRUE, tuple_of(ZERO, ZERO)), SUM, KV)),
    "another weight": replace(READ, measures=(("max", FIRST), ("sum", FIRST))),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_reading_has_a_premise_that_is_false(name: str) -> None:
    assert "Countermodel" in premises(WRONG[name])


MISPLACED = {
    "a later measure": (1, 0),
    "itself": (0, 2),
    "what is not there": (0, 3),
    "below": (0, -1),
    "too many": (0, 1, 1),
}


@pytest.mark.parametrize("name", MISPLACED)
def test_measures_are_among_what_an_earlier_extremum_or_condition_says(name: str) -> None:
    with pytest.raises(KernelError, match="among the elements that attain an earlier extremum, or a condition"):
        premises(replace(READ, among=MISPLACED[name]))


@pytest.mark.parametrize(
    ("measures", "among"),
    [
        ((("sum", FIRST), ("sum", SECOND)), (0, 1)),
        ((("max", FIRST), ("some", less(ZERO, SECOND)), ("sum", SECOND)), (0, 1, 2)),
    ],
    ids=["a sum", "a condition of some elements"],
)
def test_a_sum_is_attained_by_nothing(measures: tuple[tuple[str, Term], ...], among: tuple[int, ...]) -> None:
    with pytest.raises(KernelError, match="among the elements that attain an earlier extremum, or a condition"):
        premises(replace(READ, measures=measures, invariant=TRUE, result=START, among=among))


NUMBERS = st.integers(-2, 2)


def lexicographic(one: bool, other: bool) -> Term:
    """A fold that keeps the greatest pair, or one with the least components."""
    better = less(BEST, FIRST) if one else less(FIRST, BEST)
    then = less(REST, SECOND) if other else less(SECOND, REST)
    beats = disjunction(negation(THERE), better, conjunction(equal(BEST, FIRST), then))
    return folded(START, tuple_of(TRUE, ite(beats, PAIR, project(STATE, 1))), KV)


def where_positive() -> Term:
    """The greatest second component of the elements with a positive first one."""
    better = disjunction(negation(THERE), less(REST, SECOND))
    step = ite(less(ZERO, FIRST), tuple_of(TRUE, tuple_of(BEST, ite(better, SECOND, REST))), STATE)
    return folded(START, step, KV)


def kept_whole() -> Term:
    """The greatest pair, compared with what was kept as a whole."""
    kept = ite(THERE, project(STATE, 1), PAIR)
    better = less(project(kept, 0), FIRST)
    then = conjunction(equal(project(kept, 0), FIRST), less(project(kept, 1), SECOND))
    return folded(START, tuple_of(TRUE, ite(disjunction(better, then), PAIR, kept)), KV)


READ_FOLDS = {
    "kept whole": kept_whole(),
    **{name: folded(START, step, KV) for name, step in FOLDS.items()},
    **{f"pairs {one} {other}": lexicographic(one, other) for one in (True, False) for other in (True, False)},
    "where positive": where_positive(),
}


@pytest.mark.parametrize("name", READ_FOLDS)
@settings(max_examples=25)
@given(st.lists(st.tuples(NUMBERS, NUMBERS), max_size=5))
def test_a_fold_is_its_normal_form(name: str, rows: list[tuple[int, int]]) -> None:
    """On every bag, ties and repetitions too, evaluated by what the normal form means."""
    fold = READ_FOLDS[name]
    found = _reading(name)
    assert found is not None
    assert any(found.among)
    form = NormalForms(TRUE, (found,)).whole(fold)
    expected = evaluate(fold, {KV: bag_of(rows)})
    assert list(Evaluated({KV.parameter[0]: rows}).rows(form)) == [expected]  # type: ignore[index]


@cache
def _reading(name: str) -> Reading | None:
    fold = READ_FOLDS[name]
    return reading(Asked(TRUE, fold, fold), fold, (), context())


@pytest.mark.parametrize("left", FOLDS)
@pytest.mark.parametrize("right", FOLDS)
def test_folds_among_the_greatest_are_proved_equal_only_if_they_are(left: str, right: str) -> None:
    goal = Asked(TRUE, folded(START, FOLDS[left], KV), folded(START, FOLDS[right], KV))
    outcome = normal_forms(goal, context())
    assert isinstance(outcome, Proved) == (left == right)


def test_a_greatest_pair_is_the_greatest_second_among_the_greatest_first() -> None:
    """A proof by NORMAL that the kernel checks, and no mutant of its readings proves the same in another way."""
    both = tuple_of(ite(BEATS, FIRST, BEST), REST)
    two = folded(START, taken(BEATS, SECOND, ite(less(REST, SECOND), SECOND, REST)), KV)
    assert both.type == two.type.components[1]  # type: ignore[union-attr]
    goal = Asked(TRUE, lexicographic(True, True), two)
    outcome = normal_forms(goal, context())
    assert isinstance(outcome, Proved), outcome
    kernel.prove(goal, outcome.proof)
    made = certificate(programs(goal.left, goal.right, KV), outcome.proof)
    assert audit(encode(made)).accepted
    assert decode(encode(made)) == made
    with pytest.raises(FragmentError, match="the Coq development has no"):
        theorem(made)
    [first, *others] = made.result.rule.readings
    for forged in mutants(first):
        rule = Normal((forged, *others))
        assert not audit(encode(replace(made, result=replace(made.result, rule=rule)))).accepted


def mutants(read: Reading) -> Iterator[Reading]:
    """Readings that differ in one thing."""
    assert [field.name for field in fields(read)][-1] == "among"
    yield replace(read, among=())
    for place in range(len(read.among)):
        for base in range(-1, len(read.among) + 2):
            if base != read.among[place]:
                yield replace(read, among=(*read.among[:place], base, *read.among[place + 1 :]))
    for place, (kind, weight) in enumerate(read.measures):
        for other in ("min", "max", "sum"):
            if other != kind:
                changed = (*read.measures[:place], (other, weight), *read.measures[place + 1 :])
                yield replace(read, measures=changed)
    yield replace(read, invariant=FALSE)
    yield replace(read, result=tuple_of(TRUE, tuple_of(constant(7), ZERO)))
