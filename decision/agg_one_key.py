"""AggOneKᵇ: one by-key fold a side (CAV section 2 and eq. 2-3; [13, Lemma 7], generalised in THEORY section 3).

Statement    If elements share a key on one side iff they share it on the other, buckets pair off. A joint bucket is
             a fold, and an invariant of it that makes both outputs equal proves the programs equivalent.
Fragment     P = post(foldByKey(i, f)(μ)) on both sides, μ over one index set, post of map and filter. By-key folds
             elsewhere in a program are replaced by a fresh bag when they are equal themselves (CONG).
Complete     no. Invariants that are tried: both buckets in lockstep; then, for each combination of existing
             buckets, the largest inductive set of facts out of equal keys, equal or initial accumulators, and the
             conditions that the programs test.
Certificate  BYKEY, below CONG where needed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tallystick.certificates import kernel, premises, proofs
from tallystick.certificates.premises import Bucket
from tallystick.core.errors import FragmentError, KernelError
from tallystick.core.monomials import monomials
from tallystick.core.terms import (
    Operator,
    Term,
    conjunction,
    equal,
    implies,
    negation,
    substitute,
    subterms,
    tuple_of,
)
from tallystick.core.types import BOOL
from tallystick.decision.houdini import houdini
from tallystick.decision.outcome import Context, Goal, Outcome, Proved, Unknown
from tallystick.decision.prover import Countermodel, GaveUp

NAME = "agg_one_key"
CONGRUENCE = "congruence"


Invariants = Callable[
    [Goal, tuple[Term, Term], tuple[Term, Term], tuple[Bucket, Bucket], Context], Iterator[Term | Outcome]
]
"""Invariants of a joint bucket to try, for a goal, its by-key folds, what follows them, and the buckets' variables.

An outcome among them is the answer."""


def agg_one_key(goal: Goal, context: Context) -> Outcome | None:
    """Proves a goal with by-key folds on both sides; None without."""
    return by_key_folds(goal, context, _invariants, NAME)


def by_key_folds(goal: Goal, context: Context, invariants: Invariants, method: str) -> Outcome | None:
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


def _by_key(goal: Goal, folds: tuple[Term, Term], context: Context, invariants: Invariants, method: str) -> Outcome:
    """BYKEY with each invariant in turn; Unknown with the reason of the last."""
    try:
        buckets = _buckets(goal, folds)
        posts = kernel.posts((goal.left, goal.right), folds)
        reason, models = "no invariant of a joint bucket is at hand", ()
        for invariant in invariants(goal, folds, posts, buckets, context):
            if not isinstance(invariant, Term):
                return invariant
            required = premises.by_key(goal.hypothesis, folds, posts, buckets, invariant)
            failed = None
            evidence = []
            for name, formula in required:
                answer = context.prover.answer(formula)
                if isinstance(answer, Countermodel | GaveUp):
                    failed = name
                    models += (answer.values,) if isinstance(answer, Countermodel) else ()
                    break
                evidence.append(answer)
            if failed is None:
                return Proved(proofs.ByKey(folds, buckets, invariant, tuple(evidence)), (method,))
            reason = f"premise {failed!r} fails for the invariants that were tried"
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
    posts: tuple[Term, Term],
    buckets: tuple[Bucket, Bucket],
    context: Context,
) -> Iterator[Term]:
    one, other = buckets
    keys = [equal(one.key, other.key)] if one.key.type == other.key.type else []
    totals = [equal(one.accumulated, other.accumulated)] if one.accumulated.type == other.accumulated.type else []
    yield conjunction(equal(one.exists, other.exists), *totals, *(implies(one.exists, fact) for fact in keys))
    transitions = premises.by_key_transitions(folds, buckets)
    for claims in ([], [_same_output(posts, buckets)]):
        candidates = _candidates(folds, posts, buckets, keys + totals, claims)
        yield conjunction(*houdini(goal.hypothesis, candidates, transitions, context))


def _candidates(
    folds: tuple[Term, Term],
    posts: tuple[Term, Term],
    buckets: tuple[Bucket, Bucket],
    same: list[Term],
    claims: list[Term],
) -> list[Term]:
    """Facts about buckets that do not exist, that exist on one side only, and that exist on both sides."""
    one, other = buckets
    tests = [_tests(post, bucket) for post, bucket in zip(posts, buckets, strict=True)]
    facts = [
        implies(negation(bucket.exists), equal(bucket.accumulated, fold.arguments[0]))
        for fold, bucket in zip(folds, buckets, strict=True)
    ]
    only_one, only_other = (
        conjunction(one.exists, negation(other.exists)),
        conjunction(other.exists, negation(one.exists)),
    )
    both = conjunction(one.exists, other.exists)
    facts += [implies(both, fact) for fact in (*same, *claims, *tests[0], *tests[1])]
    for guard, selected in ((only_one, tests[0]), (only_other, tests[1])):
        facts += [negation(guard), *(implies(guard, fact) for fact in (*claims, *selected))]
    return facts


def _tests(post: Term, bucket: Bucket) -> list[Term]:
    """The atoms, and their negations, by which what follows a by-key fold selects its pairs, about one bucket."""
    [monomial] = monomials(post)
    [slot] = monomial.slots
    pair = {slot: tuple_of(bucket.key, bucket.accumulated)}
    comparisons = (Operator.LESS, Operator.LESS_EQUAL, Operator.EQUAL)
    atoms = [node for node in subterms(substitute(monomial.exists, pair)) if node.operator in comparisons]
    return [fact for atom in atoms for fact in (atom, negation(atom))]


def _same_output(posts: tuple[Term, Term], buckets: tuple[Bucket, Bucket]) -> Term:
    (left_exists, left_value), (right_exists, right_value) = (
        premises.output(monomials(post)[0], bucket) for post, bucket in zip(posts, buckets, strict=True)
    )
    return conjunction(equal(left_exists, right_exists), implies(left_exists, equal(left_value, right_value)))


def _by_congruence(
    goal: Goal,
    left: tuple[Term, ...],
    right: tuple[Term, ...],
    context: Context,
    invariants: Invariants,
    method: str,
) -> Outcome | None:
    """Replaces the first pair of equal by-key folds by one fresh bag, and leaves the rest to the portfolio."""
    for one in left:
        for other in right:
            if one.type != other.type or (one is goal.left and other is goal.right):
                continue
            part = _by_key(Goal(goal.hypothesis, one, other), (one, other), context, invariants, method)
            if not isinstance(part, Proved):
                continue
            fresh = goal.fresh("B", one.type)
            rest = kernel.congruence_goal(goal.hypothesis, goal.left, goal.right, (one, other), fresh)
            whole = context.decide(Goal(*rest))
            if isinstance(whole, Proved):
                tree = proofs.Congruence((one, other), fresh, part.proof, whole.proof)
                return Proved(tree, (CONGRUENCE, *part.methods, *whole.methods))
    return None
