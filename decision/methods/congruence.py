"""Congruence: equal bags below folds become one input bag (kernel rule CONG).

Statement    If folds, or by-key folds, are over bags μ₁ and μ₂ without aggregates, μ₁ ≡ μ₂, and the programs with a
             fresh input bag for both are equivalent, then so are the programs. BYKEY is about single monomials, and
             FOLD takes the elements of a product one by one, in one order; here μ may be any unions and self-products.
Fragment     folds on both sides, over different bags of one type.
Complete     no: bags that differ may be folded to the same result.
Certificate  CONG, with NOAGG for the bags.
"""

from __future__ import annotations

from itertools import islice, product

from tallystick.certificates.proofs import Step
from tallystick.certificates.rules.congruence import Congruence
from tallystick.core.terms import Operator, Term, aggregates
from tallystick.decision.inputs import differs
from tallystick.decision.methods.no_agg import no_agg
from tallystick.decision.methods.refute import small_inputs
from tallystick.decision.outcome import Goal, MethodContext, Outcome, Proved, Unknown
from tallystick.decision.tactics import congruence_rest

NAME = "congruence"
QUICK_INPUTS = 24
"""How many small inputs may show that two bags differ, before a proof is tried."""


def congruence(goal: Goal, context: MethodContext) -> Outcome | None:
    """Proves a goal with equal bags below folds on both sides; None without."""
    pairs = list(product(*(_folded(side) for side in (goal.left, goal.right))))
    for one, other in pairs:
        part = Goal(goal.hypothesis, one, other)
        if one.type != other.type or (one is other and _is_simple(one)) or seen_to_differ(part):
            continue
        outcome = replaced(goal, (one, other), no_agg(part, context), context)
        if isinstance(outcome, Proved):
            return outcome
    return Unknown("no two folded bags are equal and all that matters") if pairs else None


def replaced(goal: Goal, parts: tuple[Term, Term], part: Outcome | None, context: MethodContext) -> Outcome:
    """CONG for parts of both sides about whose equality `part` is the outcome; the portfolio decides the rest."""
    if not isinstance(part, Proved):
        return Unknown("the parts are not proved equal")
    rule = Congruence(parts, goal.fresh("B", parts[0].type))
    whole = context.decide(congruence_rest(goal, rule))
    if not isinstance(whole, Proved):
        return Unknown("the rest is not proved equal")
    return Proved(Step(rule, (), (part.proof, whole.proof)), (NAME, *part.methods, *whole.methods))


def seen_to_differ(goal: Goal) -> bool:
    """Whether a small input shows that the sides of a goal differ, so that no proof has to be tried."""
    return any(differs(goal, environment) for environment in islice(small_inputs(goal), QUICK_INPUTS))


def _is_simple(bag: Term) -> bool:
    """Whether a bag is one input bag, mapped and filtered: to replace it would only forget what it holds."""
    while bag.operator in (Operator.MAP, Operator.FILTER):
        bag = bag.arguments[1]
    return bag.operator is Operator.VARIABLE


def _folded(side: Term) -> list[Term]:
    """The bags without aggregates that folds of a side are over."""
    bags = dict.fromkeys(term.arguments[2] for term in aggregates(side))
    return [bag for bag in bags if not aggregates(bag)]
