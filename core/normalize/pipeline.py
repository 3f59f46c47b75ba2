"""The passes of 𝒩, in order (TR Appendix A, with the erratum of THEORY section 7)."""

from __future__ import annotations

from collections.abc import Callable

from tallystick.core.errors import FragmentError
from tallystick.core.normalize.bottom import absence, strictness
from tallystick.core.normalize.conditionals import conditionals
from tallystick.core.normalize.division import division
from tallystick.core.normalize.tuples import tuples
from tallystick.core.operators import BOUND, OVER_BAGS
from tallystick.core.terms import Term, subterms
from tallystick.core.types import BOOL, BagType

PASSES: tuple[Callable[[Term], Term], ...] = (
    # First: atoms with ⊥ may not be read as false while ⊥ can still spread to a whole element.
    strictness,
    # Now a condition without conditionals in it has no ⊥, so it may become a part of the formula.
    conditionals,
    # No conditional hides a ⊥ any more: what is ⊥ is written ⊥, and an atom with it has a known truth value.
    absence,
    # Tuples have components now: a conditional or ⊥ of a tuple type would have none to give.
    tuples,
    # Last, since projections may hide that two dividends are the same, and since its premise is of the whole formula.
    division,
)


def normalize(formula: Term) -> Term:
    """𝒩: a formula of APA, valid just when `formula` is; both are read as true for all values of their variables.

    The result has no ⊥, conditional, tuple, div or mod. Where variables keep their names it even has the same truth
    value (see `tuples` and `division` for the new ones). Raises FragmentError when the formula is not a boolean, has
    bags, aggregates or variables of UDFs in it, or would become too large.
    """
    return trace(formula)[-1][1]


def trace(formula: Term) -> list[tuple[str, Term]]:
    """The name of each pass with the formula after it, in order; raises FragmentError like `normalize`."""
    if formula.type != BOOL:
        raise FragmentError(f"a formula is of type Bool, and this is of type {formula.type}")
    for node in subterms(formula):
        if node.operator in (*OVER_BAGS, *BOUND) or isinstance(node.type, BagType):
            raise FragmentError(f"{node.operator.value} of type {node.type} has no place in a formula")
    steps: list[tuple[str, Term]] = []
    for rewrite in PASSES:
        formula = rewrite(formula)
        steps.append((rewrite.__name__, formula))
    return steps
