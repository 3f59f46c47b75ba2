"""⊥: strictness, and what is left of ⊥ in the atoms of a formula."""

from __future__ import annotations

from tallystick.core.definedness import rewrite_atoms
from tallystick.core.normalize.rewriting import bottom_up
from tallystick.core.terms import FALSE, TRUE, Operator, Parameter, Term, build, subterms


def strictness(formula: Term) -> Term:
    """f(…, ⊥, …) becomes ⊥ in every term of the formula.

        2·⊥ = x  ⟿  ⊥ = x          (x, ⊥) = y  ⟿  ⊥ = y          ite(⊥, a, b) < x  ⟿  ⊥

    The operators are those of terms, comparisons among them: a boolean that a UDF computes from ⊥ is ⊥, not false.
    The equalities that the formula itself is made of compare elements, and stay.
    """
    return rewrite_atoms(formula, lambda atom: atom_of(strict_sides(atom)))


def absence(formula: Term) -> Term:
    """Atoms with ⊥ become true or false, as no ⊥ hides inside a conditional any more.

    ⊥ = ⊥  ⟿  true          t = ⊥  ⟿  false, if t has no ⊥          ⊥ as an atom  ⟿  false
    """

    def decide(atom: Term) -> Term:
        missing = [is_bottom(side) for side in sides(atom)]
        if all(missing):
            return TRUE if len(missing) == 2 else FALSE
        has_bottom = [any(map(is_bottom, subterms(side))) for side in sides(atom)]
        return FALSE if any(missing) and not all(has_bottom) else atom

    return rewrite_atoms(formula, decide)


def sides(atom: Term) -> tuple[Term, ...]:
    """The terms of an atom: two elements that it compares, or one boolean that is to exist and be true."""
    return atom.arguments if atom.operator is Operator.EQUAL else (atom,)


def atom_of(terms: tuple[Term, ...]) -> Term:
    """The atom with the given sides."""
    return build(Operator.EQUAL, terms) if len(terms) == 2 else terms[0]


def strict_sides(atom: Term) -> tuple[Term, ...]:
    """The sides of an atom, each ⊥ as a whole or without ⊥ outside of conditionals."""
    return tuple(bottom_up(side, strict) for side in sides(atom))


def strict(operator: Operator, arguments: tuple[Term, ...], parameter: Parameter) -> Term:
    """Like `build`, but ⊥ when strictness says so."""
    term = build(operator, arguments, parameter)
    decisive = arguments[:1] if operator is Operator.ITE else arguments
    if any(map(is_bottom, decisive)):
        return build(Operator.BOTTOM, (), term.type)  # type: ignore[arg-type]
    return term


def is_bottom(term: Term) -> bool:
    """Whether the term is ⊥ as it is written."""
    return term.operator is Operator.BOTTOM
