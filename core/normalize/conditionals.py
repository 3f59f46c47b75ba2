"""Conditionals: from terms to formulas."""

from __future__ import annotations

from tallystick.core.definedness import rewrite_atoms
from tallystick.core.errors import FragmentError
from tallystick.core.normalize.bottom import atom_of, strict, strict_sides
from tallystick.core.terms import Operator, Term, conjunction, implies, negation, subterms

LIFT_LIMIT = 2_000
"""How many conditionals are lifted out of one formula: their number can be exponential in its size."""


def conditionals(formula: Term) -> Term:
    """Each conditional inside an atom A becomes a case distinction around it.

        A[ite(c, a, b)]  ⟿  (c ⇒ A[a]) ∧ (¬c ⇒ A[b])

    The innermost conditional goes first: its condition has no conditional and so, by strictness, no ⊥ in it, and may
    stand as a formula. A branch may be ⊥, so strictness is applied again where the branch is put. Raises FragmentError
    when more than LIFT_LIMIT conditionals would be lifted.
    """
    lifted = 0

    def lift(terms: tuple[Term, ...]) -> Term:
        nonlocal lifted
        innermost = next((node for term in terms for node in subterms(term) if node.operator is Operator.ITE), None)
        if innermost is None:
            return atom_of(terms)
        lifted += 1
        if lifted > LIFT_LIMIT:
            raise FragmentError(f"more than {LIFT_LIMIT} conditionals would be lifted out of the formula")
        condition = innermost.arguments[0]
        return conjunction(
            implies(condition, lift(tuple(_decided(term, condition, True) for term in terms))),
            implies(negation(condition), lift(tuple(_decided(term, condition, False) for term in terms))),
        )

    lifted_out = rewrite_atoms(formula, lambda atom: lift(strict_sides(atom)))
    # Branches and conditions that are formulas now are simplified as such.
    return rewrite_atoms(lifted_out, lambda atom: atom)


def _decided(term: Term, condition: Term, holds: bool) -> Term:
    """The term where every conditional on `condition` is the branch that is taken when it holds, or fails."""
    done: dict[Term, Term] = {}

    def visit(node: Term) -> Term:
        if node not in done:
            if node.operator is Operator.ITE and node.arguments[0] is condition:
                done[node] = visit(node.arguments[1 if holds else 2])
            else:
                done[node] = strict(node.operator, tuple(map(visit, node.arguments)), node.parameter)
        return done[node]

    return visit(term)
