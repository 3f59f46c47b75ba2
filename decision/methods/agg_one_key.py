"""AggOneKᵇ: one by-key fold a side (CAV section 2 and eq. 2-3; [13, Lemma 7], generalised in THEORY section 3).

Statement    If elements share a key on one side iff they share it on the other, buckets pair off. A joint bucket is
             a fold, and an invariant of it that makes both outputs equal proves the programs equivalent.
Fragment     P = post(foldByKey(i, f)(μ)) on both sides, μ over one index set, post of map and filter. By-key folds
             elsewhere in a program are replaced by a fresh bag when they are equal themselves (CONG).
Complete     no. Invariants that are tried: both buckets in lockstep; then, for each combination of existing
             buckets, the largest inductive set of facts out of linear equations between keys and accumulators, flags,
             the conditions that the programs test (`bucket_facts`), and equal outputs.
Certificate  BYKEY, below CONG where needed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product

from tallystick.certificates.proofs import Step
from tallystick.certificates.rules.by_key import Bucket, ByKey, by_key_transitions, posts
from tallystick.core.errors import FragmentError, KernelError
from tallystick.core.terms import (
    TRUE,
    Term,
    aggregates,
    conjunction,
    equal,
    free_variables,
    implies,
    substitute,
    subterms,
    variable,
)
from tallystick.core.types import BOOL, BagType
from tallystick.decision.invariants.bucket_facts import bucket_facts, same_output
from tallystick.decision.invariants.houdini import houdini
from tallystick.decision.methods.congruence import replaced, seen_to_differ
from tallystick.decision.outcome import Goal, MethodContext, Outcome, Proved, Unknown
from tallystick.decision.tactics import Failed, evidence_for

NAME = "agg_one_key"
Invariants = Callable[
    [Goal, tuple[Term, Term], tuple[Term, Term], tuple[Bucket, Bucket], MethodContext], Iterator[Term | Outcome]
]
"""Invariants of a joint bucket to try, for a goal, its by-key folds, what follows them, and the buckets' variables.

An outcome among them is the answer."""


def agg_one_key(goal: Goal, context: MethodContext) -> Outcome | None:
    """Proves a goal with by-key folds on both sides; None without."""
    return by_key_folds(goal, context, _invariants, NAME)


def by_key_folds(goal: Goal, context: MethodContext, invariants: Invariants, method: str) -> Outcome | None:
    """BYKEY, or BYKEY below CONG, with the invariants of a method; None without by-key folds on both sides."""
    left, right = goal.innermost_by_key
    if not left or not right:
        return None
    outcome: Outcome = Unknown("there are several by-key folds on a side")
    if len(left) == len(right) == 1:
        outcome = _by_key(goal, (left[0], right[0]), context, invariants, method)
        if not isinstance(outcome, Unknown):
            return outcome
    return _by_congruence(goal, left, right, context, invariants, method) or outcome


def _by_key(
    goal: Goal, folds: tuple[Term, Term], context: MethodContext, invariants: Invariants, method: str
) -> Outcome:
    """BYKEY with each invariant in turn; Unknown with the reason of the last."""
    try:
        buckets = _buckets(goal, folds)
        functions = posts((goal.left, goal.right), folds)
        ByKey(folds, buckets, TRUE).requirements(goal)  # outside the fragment before any search
        reason, models = "no invariant of a joint bucket is at hand", ()
        for invariant in invariants(goal, folds, functions, buckets, context):
            if not isinstance(invariant, Term):
                return invariant
            rule = ByKey(folds, buckets, invariant)
            evidence = evidence_for(rule.requirements(goal).premises, context.prover)
            if not isinstance(evidence, Failed):
                return Proved(Step(rule, evidence), (method,))
            models += evidence.models
            reason = f"premise {str(evidence.premise.about)!r} fails for the invariants that were tried"
    except (FragmentError, KernelError) as error:
        return Unknown(str(error))
    return Unknown(reason, models)


def _buckets(goal: Goal, folds: tuple[Term, Term]) -> tuple[Bucket, Bucket]:
    first, second = (_bucket(goal, fold, number) for number, fold in enumerate(folds, 1))
    return first, second


def _bucket(goal: Goal, fold: Term, number: int) -> Bucket:
    key, accumulated = fold.type.element.components  # type: ignore[union-attr]
    return Bucket(goal.fresh(f"k{number}", key), goal.fresh(f"E{number}", BOOL), goal.fresh(f"M{number}", accumulated))


def _invariants(
    goal: Goal,
    folds: tuple[Term, Term],
    functions: tuple[Term, Term],
    buckets: tuple[Bucket, Bucket],
    context: MethodContext,
) -> Iterator[Term]:
    one, other = buckets
    keys = [equal(one.key, other.key)] if one.key.type == other.key.type else []
    totals = [equal(one.accumulated, other.accumulated)] if one.accumulated.type == other.accumulated.type else []
    yield conjunction(equal(one.exists, other.exists), *totals, *(implies(one.exists, fact) for fact in keys))
    transitions = by_key_transitions(folds, buckets)
    candidates = bucket_facts(folds, functions, buckets)
    for claims in ([], same_output(functions, buckets)):
        yield conjunction(*houdini(goal.hypothesis, [*candidates, *claims], transitions, context))


def _by_congruence(
    goal: Goal,
    left: tuple[Term, ...],
    right: tuple[Term, ...],
    context: MethodContext,
    invariants: Invariants,
    method: str,
) -> Outcome | None:
    """Replaces the first pair of equal results of by-key folds by a fresh bag, and leaves the rest to the portfolio."""
    for one, other in product(left, right):
        for parts in product(_results(goal.left, one), _results(goal.right, other)):
            part = Goal(goal.hypothesis, *parts)
            if parts[0].type != parts[1].type or parts == (goal.left, goal.right) or seen_to_differ(part):
                continue
            outcome = replaced(goal, parts, _by_key(part, (one, other), context, invariants, method), context)
            if isinstance(outcome, Proved):
                return outcome
    return None


def _results(side: Term, fold: Term) -> list[Term]:
    """A by-key fold, and the bags that are made of it alone, innermost first."""
    around = dict.fromkeys(node for node in subterms(side) if isinstance(node.type, BagType))
    found = [node for node in around if not _depends_on_more(node, fold)]
    return sorted(found, key=lambda node: sum(1 for _ in subterms(node)))


def _depends_on_more(bag: Term, fold: Term) -> bool:
    """Whether a bag is not made of a by-key fold, or not of it alone."""
    without = substitute(bag, {fold: variable("", fold.type)})
    bags = {free for free in free_variables(without) if isinstance(free.type, BagType)}
    return bags != {variable("", fold.type)} or bool(aggregates(without))
