"""Algebraic laws: what programs split, filtered late or made distinct twice is put together again, on both sides.

Statement    Each law is an equivalence of two bag expressions, for any bag B:
               filter(p)(B) ∪ filter(¬p)(B)             ≡ B
               distinct(distinct(B))                    ≡ distinct(B)
               filter(p)(distinct(B))                   ≡ distinct(filter(p)(B))
               foldByKey(i, f)(filter(λ(k, v). p(k))(B)) ≡ filter(λ(k, a). p(k))(foldByKey(i, f)(B))
             Both sides of a goal are rewritten from left to right until no law applies; the portfolio decides the rest.
Fragment     any programs to which a law applies, where the programs around a bag can be proved equal to themselves.
Complete     no; but a difference of what remains is a difference of the goal.
Certificate  TRANS, SYM and CONG, with NOAGG, SET or BYKEY for each instance of a law.

`filter(p)(S × S) ∪ filter(¬p)(S × S)` is `S × S`, without a look at what is in a product of S with itself.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tallystick.certificates.proofs import Step
from tallystick.certificates.rules.congruence import Congruence
from tallystick.certificates.rules.reflexive import Reflexive
from tallystick.certificates.rules.symmetric import Symmetric
from tallystick.certificates.rules.transitive import Transitive
from tallystick.core.terms import (
    Operator,
    Term,
    apply,
    build,
    element,
    equal,
    negation,
    project,
    rebuild,
    substitute,
    subterms,
    variable,
)
from tallystick.core.types import BagType
from tallystick.decision.inputs import parameters, smallest
from tallystick.decision.methods.agg_one_key import agg_one_key
from tallystick.decision.methods.no_agg import no_agg
from tallystick.decision.methods.set_semantics import set_semantics
from tallystick.decision.outcome import Differs, Goal, Method, MethodContext, Outcome, Proved, Unknown
from tallystick.decision.tactics import congruence_rest

NAME = "algebraic_laws"
STEPS = 24
"""How many laws are applied to a side at most."""


@dataclass(frozen=True, slots=True)
class Instance:
    """A law at work: both of its sides, the bag B in them, and the method that proves it for any bag B."""

    before: Term
    after: Term
    over: Term
    method: Method


def algebraic_laws(goal: Goal, context: MethodContext) -> Outcome | None:
    """Decides a goal by laws and the portfolio; None when no law applies, or when both sides are one."""
    if goal.left is goal.right:
        return None
    left, left_proof = _rewritten(goal.hypothesis, goal.left, context)
    right, right_proof = _rewritten(goal.hypothesis, goal.right, context)
    if left_proof is None and right_proof is None:
        return None
    match context.decide(Goal(goal.hypothesis, left, right)):
        case Proved(proof, methods):
            if right_proof is not None:
                mirrored = Step(Symmetric(), (), (right_proof,))
                proof = Step(Transitive(right), (), (proof, mirrored))
            if left_proof is not None:
                proof = Step(Transitive(left), (), (left_proof, proof))
            return Proved(proof, (NAME, *methods))
        case Differs(environment):
            smallest_input = {name: smallest(name.type) for name in parameters(goal)}
            return Differs({**smallest_input, **environment}, NAME)
        case Unknown(reason, models):
            return Unknown(f"what the laws leave is not decided: {reason}", models)


def _rewritten(hypothesis: Term, side: Term, context: MethodContext) -> tuple[Term, Step | None]:
    """What laws make of a side, with a proof that it is equal; the side itself, without a proof, where none applies."""
    end, whole = side, None
    for _ in range(STEPS):
        step = _step(hypothesis, end, context)
        if step is None:
            break
        after, proof = step
        whole = proof if whole is None else Step(Transitive(end), (), (whole, proof))
        end = after
    return end, whole


def _step(hypothesis: Term, side: Term, context: MethodContext) -> tuple[Term, Step] | None:
    """The side after the first law that applies to an innermost subterm and can be proved there."""
    for law in LAWS:
        for node in subterms(side):
            instance = law(node, context)
            if instance is not None:
                after = substitute(side, {instance.before: instance.after})
                proof = _in_place(Goal(hypothesis, side, after), instance, context)
                if proof is not None:
                    return after, proof
    return None


# Laws: what each makes of a term, or None where it does not apply.


def _split(union: Term, context: MethodContext) -> Instance | None:
    """filter(p)(B) ∪ filter(q)(B), where q is ¬p, is B."""
    if union.operator is not Operator.UNION:
        return None
    one, other = union.arguments
    if not one.operator is other.operator is Operator.FILTER or one.arguments[1] is not other.arguments[1]:
        return None
    bag = one.arguments[1]
    assert isinstance(bag.type, BagType)
    anything = variable("an element", bag.type.element)
    first, second = (apply(part.arguments[0], anything) for part in union.arguments)
    if isinstance(context.prover.evidence([equal(first, negation(second))]), tuple):
        return Instance(union, bag, bag, no_agg)
    return None


def _twice_distinct(bag: Term, _: MethodContext) -> Instance | None:
    """distinct(distinct(B)) is distinct(B)."""
    if bag.operator is not Operator.DISTINCT or bag.arguments[0].operator is not Operator.DISTINCT:
        return None
    (inner,) = bag.arguments
    return Instance(bag, inner, inner.arguments[0], set_semantics)


def _filtered_distinct(kept: Term, _: MethodContext) -> Instance | None:
    """filter(p)(distinct(B)) is distinct(filter(p)(B))."""
    if kept.operator is not Operator.FILTER or kept.arguments[1].operator is not Operator.DISTINCT:
        return None
    condition, (bag,) = kept.arguments[0], kept.arguments[1].arguments
    after = build(Operator.DISTINCT, (build(Operator.FILTER, (condition, bag)),))
    return Instance(kept, after, bag, set_semantics)


def _filtered_by_key(fold: Term, _: MethodContext) -> Instance | None:
    """foldByKey(i, f)(filter(p)(B)), where p looks at keys only, is a filter of foldByKey(i, f)(B)."""
    if fold.operator is not Operator.FOLD_BY_KEY or fold.arguments[2].operator is not Operator.FILTER:
        return None
    start, udf, (condition, bag) = *fold.arguments[:2], fold.arguments[2].arguments
    unfiltered = build(Operator.FOLD_BY_KEY, (start, udf, bag))
    before, after = (project(element(each.type.element), 0) for each in (bag, unfiltered))  # type: ignore[union-attr]
    key = variable("the key", before.type)
    of_key = rebuild(condition, {before: key})
    if of_key.bound:
        return None
    kept = build(Operator.FILTER, (rebuild(of_key, {key: after}, inside=True), unfiltered))
    return Instance(fold, kept, bag, agg_one_key)


Law = Callable[[Term, MethodContext], Instance | None]
LAWS: tuple[Law, ...] = (_split, _twice_distinct, _filtered_distinct, _filtered_by_key)
"""In the order in which they are tried: what was split is put together before its parts are changed."""


# Proofs.


def _in_place(goal: Goal, instance: Instance, context: MethodContext) -> Step | None:
    """A proof that a side equals what a law makes of it: by CONG, for the smallest subterm around the law's instance
    whose replacement is the only difference."""
    for around in subterms(goal.left):
        if not isinstance(around.type, BagType) or instance.before not in subterms(around):
            continue
        parts = around, substitute(around, {instance.before: instance.after})
        part = Goal(goal.hypothesis, *parts)
        if around is goal.left:
            return _proof(part, instance, context)
        rule = Congruence(parts, goal.fresh("B", around.type))
        rest = congruence_rest(goal, rule)
        if rest.left is rest.right:
            proof, whole = _proof(part, instance, context), context.decide(rest)
            if proof is not None and isinstance(whole, Proved):
                return Step(rule, (), (proof, whole.proof))
    return None


def _proof(goal: Goal, instance: Instance, context: MethodContext) -> Step | None:
    """A proof of an instance of a law, or of bags without aggregates that hold one."""
    if goal.left is not instance.before:
        outcome = no_agg(goal, context) or set_semantics(goal, context)
        return outcome.proof if isinstance(outcome, Proved) else None
    if instance.over.operator is Operator.VARIABLE:
        outcome = instance.method(goal, context)
        return outcome.proof if isinstance(outcome, Proved) else None
    rule = Congruence((instance.over, instance.over), goal.fresh("B", instance.over.type))
    outcome, same = instance.method(congruence_rest(goal, rule), context), Step(Reflexive())
    if isinstance(outcome, Proved):
        return Step(rule, (), (same, outcome.proof))
    return None
