"""Opaque bags: what nothing is known of becomes an input (kernel rule CONG).

Statement    The items of lists that a function of texts gives are a bag of which nothing is known, and so is what has
             no partner in another bag. Two programs are equivalent if they are for every bag in its place.
Fragment     programs with EXPAND, such as `flatMap` of `split`, and WITHOUT, such as `subtract`; an input bag takes the
             place of each.
Complete     no: such a bag is not any bag.
Certificate  CONG with REFLEXIVE, one for each bag.
"""

from __future__ import annotations

from tallystick.certificates.proofs import Step
from tallystick.certificates.rules.congruence import Congruence
from tallystick.certificates.rules.reflexive import Reflexive
from tallystick.core.operators import OPAQUE
from tallystick.core.terms import Term, subterms
from tallystick.decision.outcome import Goal, MethodContext, Outcome, Proved, Unknown
from tallystick.decision.tactics import congruence_rest

NAME = "opaque_bags"


def opaque_bags(goal: Goal, context: MethodContext) -> Outcome | None:
    """Proves a goal with an input in the place of the innermost opaque bag; None without one."""
    opaque = next(filter(_is_opaque, (node for side in (goal.left, goal.right) for node in subterms(side))), None)
    if opaque is None:
        return None
    rule = Congruence((opaque, opaque), goal.fresh("items", opaque.type))
    whole = context.decide(congruence_rest(goal, rule))
    if not isinstance(whole, Proved):
        reason = whole.reason if isinstance(whole, Unknown) else "an input differs that might be no list's items"
        return Unknown(f"for all items that a list might have: {reason}")
    return Proved(Step(rule, (), (Step(Reflexive()), whole.proof)), (NAME, *whole.methods))


def _is_opaque(term: Term) -> bool:
    return term.operator in OPAQUE
