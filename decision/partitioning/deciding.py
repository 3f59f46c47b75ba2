"""Decides partition safety: premises first, then a stronger invariant, then a search for two partitionings that differ.

>>> from tallystick.core.terms import Operator, accumulator, add, build, constant, element, variable
>>> from tallystick.core.types import INT, BagType
>>> def fold_of(udf): return build(Operator.FOLD, (constant(0), udf, variable("r", BagType(INT))))
>>> type(decide_partitions(fold_of(add(accumulator(INT), element(INT))), "step", Prover())).__name__
'Safe'
>>> decide_partitions(fold_of(add(accumulator(INT), constant(1))), "step", Prover()).witness.values
(1, 2)
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tallystick.certificates.judgements import OneValue
from tallystick.certificates.proofs import Step
from tallystick.certificates.rules.fold import Change, Transitions
from tallystick.certificates.rules.order import OpenFold, Order, opened
from tallystick.certificates.rules.partition import Partition
from tallystick.core.errors import FragmentError
from tallystick.core.monomials import monomials
from tallystick.core.terms import (
    TRUE,
    Term,
    conjunction,
    constant,
    disjunction,
    equal,
    ite,
    less_equal,
    negation,
    project,
)
from tallystick.core.types import BOOL, INT, RationalType
from tallystick.decision.invariants.houdini import houdini
from tallystick.decision.invariants.location_facts import candidate_facts, integer_components, sampled
from tallystick.decision.methods.affine_invariants import components
from tallystick.decision.outcome import MethodContext, Model, Unknown
from tallystick.decision.partitioning.safety import Merge, Safe, is_mixed, merge_function, surely_ill_typed
from tallystick.decision.partitioning.spark_folds import Witness, find_witness
from tallystick.decision.prover import Countermodel, GaveUp, Prover
from tallystick.decision.tactics import Failed, evidence_for
from tallystick.decision.telling import constants

SAMPLED_STATES = 600
MOST_CONSTANTS = 16
PASSED_ON = "its function gets results of partitions, of type {0}, where it takes elements of type {1}"


@dataclass(frozen=True, slots=True)
class Unsafe:
    """A fold whose value depends on partitions: the witness, or, without one, the reason that lies in its types."""

    reason: str
    witness: Witness | None


@dataclass(frozen=True, slots=True)
class Undecided:
    """A fold of which neither is known, and why."""

    reason: str


PartitionAnswer = Safe | Unsafe | Undecided


def decide_partitions(term: Term, merge: Merge, prover: Prover) -> PartitionAnswer:
    """Whether the fold `term`, whose partial results are merged by `merge`, is partition-safe.

    `merge` must not be "none": then there is nothing to decide.
    """
    function = merge_function(term, merge)
    if isinstance(function, str):
        ill_typed = surely_ill_typed(term, merge)
        return Unsafe(function, None) if ill_typed else Undecided(f"{function}; Python may accept it")
    mixed = is_mixed(term, merge)
    goal = OneValue(term, function)
    proof = prove_one_value(goal, prover)
    if isinstance(proof, Step) and isinstance(proof.rule, Partition) and not mixed:
        return Safe(proof.rule.invariant, proof.evidence)
    fold = OpenFold(term, function)
    types = PASSED_ON.format(fold.state, fold.element)
    reason, models = (proof.reason, proof.models) if isinstance(proof, NotProved) else ("", ())
    witness = None if isinstance(proof, Step) else find_witness(term, function, models, lambda: prover.expired)
    if witness is not None:
        return Unsafe(f"{types}; it fails there, or does not look at them" if mixed else "", witness)
    if prover.expired:
        reason = "the time limit was reached"
    elif reason.endswith("is not shown"):
        reason += ", and no small bag tells partitionings apart"
    return Undecided(f"{types}; Python may refuse them" if mixed else reason)


@dataclass(frozen=True, slots=True)
class NotProved:
    """A goal about the values of a fold without a proof: why, and models of the premises that failed."""

    reason: str
    models: tuple[Model, ...] = ()


def prove_one_value(goal: OneValue, prover: Prover) -> Step | NotProved:
    """A proof by ORDER or PARTITION, with the weakest of the invariants that are tried."""
    fold, _ = opened(goal.fold, goal.merge)
    rule = Order if goal.merge is None else Partition
    reason, models = "no invariant is at hand", list[Model]()
    try:
        for facts in _invariants(fold, prover):
            found = _step(goal, rule, facts, prover)
            if isinstance(found, Step):
                return _with_fewer_facts(goal, rule, found, facts, prover)
            models += found.models
            match found.answer:
                case Countermodel():
                    reason = f"the premise '{found.premise.about}' is not shown"
                case GaveUp(why):
                    reason = f"the premise '{found.premise.about}' was not decided: {why}"
    except FragmentError as error:
        reason = str(error)
    return NotProved(reason, tuple(models))


def _step(goal: OneValue, rule: type[Order | Partition], facts: list[Term], prover: Prover) -> Step | Failed:
    """The proof with the conjunction of `facts` as invariant; or a premise that fails, and what its prover said."""
    applied = rule(conjunction(*facts))
    evidence = evidence_for(applied.requirements(goal).premises, prover)
    return evidence if isinstance(evidence, Failed) else Step(applied, evidence)


def _with_fewer_facts(
    goal: OneValue, rule: type[Order | Partition], proof: Step, facts: list[Term], prover: Prover
) -> Step:
    """A proof whose invariant has no fact that can be dropped, for readers."""
    for fact in reversed(facts):
        fewer = [other for other in facts if other is not fact]
        shorter = _step(goal, rule, fewer, prover)
        if isinstance(shorter, Step):
            proof, facts = shorter, fewer
    return proof


def _invariants(fold: OpenFold, prover: Prover) -> Iterator[list[Term]]:
    """Inductive facts to try: none, then bounds by constants, then all that sampled runs suggest."""
    yield []
    state = fold.variable_of_state
    transitions = _transitions(fold, state)
    leaves = integer_components(transitions)
    rows = [row for row, _ in zip(sampled(transitions, leaves), range(SAMPLED_STATES), strict=False)] if leaves else []
    context = MethodContext(prover, lambda _: Unknown("not asked"))
    tried: list[list[Term]] = [[]]
    bounds = list(_bounds(fold, leaves, rows)) + list(_truths(state, transitions.initial[state]))
    for candidates in (bounds, [*bounds, *(candidate_facts(leaves, rows) if leaves else ())]):
        facts = houdini(TRUE, candidates, transitions, context)
        if facts not in tried:
            tried.append(facts)
            yield facts


def _transitions(fold: OpenFold, state: Term) -> Transitions:
    """How a state evolves from the zero, one step for each summand of the folded bag."""
    steps: list[Change] = []
    for index, summand in enumerate(monomials(fold.term.arguments[2])):
        value = project(summand.value, 1) if fold.by_key else summand.value
        after = {state: ite(summand.exists, fold.step(state, value), state)}
        steps.append(Change(f"summand {index}", summand.sources, TRUE, after))
    return Transitions({state: fold.term.arguments[0]}, steps)


def _bounds(fold: OpenFold, leaves: list[Term], rows: list[tuple[int, ...]]) -> Iterator[Term]:
    """Bounds of numbers by their zeros, and of integers by the constants of the fold that the samples keep."""
    zeros = dict(zip(components(fold.variable_of_state), components(fold.term.arguments[0]), strict=True))
    numbers = constants((fold.term,))[:MOST_CONSTANTS]
    for leaf, zero in zeros.items():
        if isinstance(leaf.type, RationalType):
            yield from (less_equal(zero, leaf), less_equal(leaf, zero))
    for index, leaf in enumerate(leaves):
        zero, seen = zeros[leaf], [row[index] for row in rows]
        yield from (less_equal(zero, leaf), less_equal(leaf, zero))
        if seen:
            yield from (less_equal(constant(number), leaf) for number in numbers if number <= min(seen))
            yield from (less_equal(leaf, constant(number)) for number in numbers if number >= max(seen))


def _truths(state: Term, zero: Term) -> Iterator[Term]:
    """That boolean components are true, false, or true wherever a component is not what it is at the start."""
    pairs = list(zip(components(state), components(zero), strict=True))
    for flag in (leaf for leaf, _ in pairs if leaf.type == BOOL):
        yield from (flag, negation(flag))
        yield from (disjunction(flag, equal(leaf, start)) for leaf, start in pairs if leaf.type == INT)
