"""Congruence: equal bags below by-key folds become one input bag (kernel rule CONG).

Statement    If by-key folds are over bags μ₁ and μ₂ without aggregates, μ₁ ≡ μ₂, and the programs with a fresh input
             bag for both are equivalent, then so are the programs. BYKEY is about single monomials; here μ may have
             unions and self-products.
Fragment     by-key folds on both sides, over bags of one type.
Complete     no: bags that differ may be folded to the same result.
Certificate  CONG, with NOAGG for the bags.
"""

from __future__ import annotations

from tallystick.certificates import kernel, proofs
from tallystick.core.terms import Operator, Term, aggregates
from tallystick.decision.no_agg import no_agg
from tallystick.decision.outcome import Context, Goal, Outcome, Proved, Unknown

NAME = "congruence"


def congruence(goal: Goal, context: Context) -> Outcome | None:
    """Proves a goal with equal bags below by-key folds on both sides; None without."""
    left, right = (_folded(side) for side in (goal.left, goal.right))
    for one in left:
        for other in right:
            if one.type != other.type or one.operator is other.operator is Operator.VARIABLE:
                continue
            part = no_agg(Goal(goal.hypothesis, one, other), context)
            outcome = replaced(goal, (one, other), part, context)
            if isinstance(outcome, Proved):
                return outcome
    return Unknown("no two folded bags are equal and all that matters") if left and right else None


def replaced(goal: Goal, parts: tuple[Term, Term], part: Outcome | None, context: Context) -> Outcome:
    """CONG for parts of both sides about whose equality `part` is the outcome; the portfolio decides the rest."""
    if not isinstance(part, Proved):
        return Unknown("the parts are not proved equal")
    fresh = goal.fresh("B", parts[0].type)
    rest = kernel.congruence_goal(goal.hypothesis, goal.left, goal.right, parts, fresh)
    whole = context.decide(Goal(*rest))
    if not isinstance(whole, Proved):
        return Unknown("the rest is not proved equal")
    tree = proofs.Congruence(parts, fresh, part.proof, whole.proof)
    return Proved(tree, (NAME, *part.methods, *whole.methods))


def _folded(side: Term) -> list[Term]:
    """The bags without aggregates that by-key folds of a side are over."""
    found = [term.arguments[2] for term in aggregates(side) if term.operator is Operator.FOLD_BY_KEY]
    return [bag for bag in dict.fromkeys(found) if not aggregates(bag)]
