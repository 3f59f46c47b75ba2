"""The definedness translation: ⊥ explained by formulas without ⊥ (THEORY section 1).

Each term t has a formula D(t), which says t ≠ ⊥, and a value V(t) without ⊥, which is t's wherever D(t) holds and of
no meaning elsewhere. Every operator but `ite` is strict, equality included: a UDF that compares a missing element
returns nothing. Only the equalities that a *formula* is made of relate ⊥ to ⊥. `holds` translates those.

Example: the program term of filter(λx. x < 50)(R), and what it means that it is empty.

    >>> from tallystick.core.terms import Operator, build, constant, less, variable
    >>> from tallystick.core.types import INT
    >>> from tallystick.core.pretty import text
    >>> x, bottom = variable("x", INT), build(Operator.BOTTOM, (), INT)
    >>> term = build(Operator.ITE, (less(x, constant(50)), x, bottom))
    >>> text(defined(term)), text(value(term))
    ('x < 50', 'x')
    >>> text(holds(build(Operator.EQUAL, (term, bottom))))
    'x ≥ 50'
"""

from __future__ import annotations

from collections.abc import Callable

from tallystick.core.errors import FragmentError
from tallystick.core.terms import (
    BOUND,
    FALSE,
    OVER_BAGS,
    TRUE,
    Operator,
    Term,
    conjunction,
    constant,
    default_term,
    disjunction,
    equal,
    implies,
    ite,
    negation,
    simplified,
    subterms,
    tuple_of,
)
from tallystick.core.types import BOOL, BagType, Value

CONNECTIVES = (Operator.NOT, Operator.AND, Operator.OR)
"""What formulas are made of atoms with."""

Translated = tuple[Term, Term]
"""D(t) and V(t)."""


def defined(term: Term) -> Term:
    """D(t): the formula, without ⊥, that says that the term is not ⊥.

    Raises FragmentError when ⊥ occurs inside a bag expression.
    """
    return _Translation().translate(term)[0]


def value(term: Term) -> Term:
    """V(t): a term without ⊥ that equals `term` wherever that is not ⊥; raises FragmentError like `defined`."""
    return _Translation().translate(term)[1]


def holds(formula: Term) -> Term:
    """The formula without ⊥ that is true where `formula` is.

    A formula is true or false, never ⊥. Its atoms are reached through ¬, ∧ and ∨: an equality compares elements,
    t = u  ⟺  (D(t) ∧ D(u) ∧ V(t) = V(u)) ∨ (¬D(t) ∧ ¬D(u)), and every other boolean term b holds where
    D(b) ∧ V(b) does. Raises FragmentError when the formula is no boolean, and like `defined`.
    """
    translation = _Translation()

    def atom(term: Term) -> Term:
        if term.operator is not Operator.EQUAL:
            return conjunction(*translation.translate(term))
        (left, left_value), (right, right_value) = map(translation.translate, term.arguments)
        both = conjunction(left, right, equal(left_value, right_value))
        return disjunction(both, conjunction(negation(left), negation(right)))

    return rewrite_atoms(formula, atom)


def rewrite_atoms(formula: Term, rewrite: Callable[[Term], Term]) -> Term:
    """The formula with each atom rewritten: each subterm that it is made of through ¬, ∧ and ∨."""
    if formula.type != BOOL:
        raise FragmentError(f"a formula is of type Bool, and this is of type {formula.type}")
    done: dict[Term, Term] = {}

    def visit(node: Term) -> Term:
        if node not in done:
            if node.operator in CONNECTIVES:
                done[node] = simplified(node.operator, tuple(map(visit, node.arguments)), None)
            else:
                done[node] = rewrite(node)
        return done[node]

    return visit(formula)


def literal(of: Value) -> Term:
    """The term without variables that has the given value."""
    return tuple_of(*map(literal, of)) if isinstance(of, tuple) else constant(of)


class _Translation:
    """D and V of the terms seen so far; shared subterms are translated once."""

    def __init__(self) -> None:
        self.done: dict[Term, Translated] = {}

    def translate(self, term: Term) -> Translated:
        if term not in self.done:
            self.done[term] = self.compute(term)
        return self.done[term]

    def compute(self, term: Term) -> Translated:
        if term.operator is Operator.BOTTOM:
            return FALSE, default_term(term.type)  # type: ignore[arg-type]
        if term.operator in OVER_BAGS or isinstance(term.type, BagType):
            if any(node.operator is Operator.BOTTOM for node in subterms(term)):
                raise FragmentError(f"⊥ occurs inside {term.operator.value}, an operation on bags")
            return TRUE, term
        if term.operator in (Operator.CONSTANT, Operator.VARIABLE, *BOUND):
            return TRUE, term
        parts = [self.translate(argument) for argument in term.arguments]
        if term.operator is Operator.ITE:
            return _conditional(*parts)
        values = tuple(part for _, part in parts)
        return conjunction(*(exists for exists, _ in parts)), simplified(term.operator, values, term.parameter)


def _conditional(condition: tuple[Term, Term], then: tuple[Term, Term], otherwise: tuple[Term, Term]) -> Translated:
    """D(ite(c, a, b)) = D(c) ∧ (V(c) ⇒ D(a)) ∧ (¬V(c) ⇒ D(b)); a branch that is always ⊥ needs no value."""
    known, chosen = condition
    if otherwise[0] is FALSE:
        return conjunction(known, chosen, then[0]), then[1]
    if then[0] is FALSE:
        return conjunction(known, negation(chosen), otherwise[0]), otherwise[1]
    exists = conjunction(known, implies(chosen, then[0]), implies(negation(chosen), otherwise[0]))
    return exists, ite(chosen, then[1], otherwise[1])
