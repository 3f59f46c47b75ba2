"""Facts: what it means to assume that a formula holds, or fails, on one branch of a refutation (trusted).

A *formula* is a term of type Bool without ⊥, bags and bound variables. Assuming one adds facts, numbered from
0 in the order in which they are added: *atoms* a₁x₁ + … + aₙxₙ + c ≤ 0 over integer unknowns, and
*disjunctions*, whose branches are lists of formulas to assume. An unknown is a term: an integer or boolean
variable, such a component of a tuple variable, a quotient, or an integer conditional. A boolean unknown b is
an arbitrary integer of which b ≥ 1 means true and b ≤ 0 means false. The first atom that mentions a quotient
or conditional adds the unknown's *definition* right after itself, so that definitions appear on demand.

Atoms are tightened: divided by the gcd of their coefficients, the constant rounded up, which over the integers
changes no solution. Atoms that are then trivially true are not added; trivially false ones are, as c ≤ 0 with
c ≥ 1, which a Farkas leaf closes. Everything is in the order of the formula's own arguments, so the numbers
depend on the formula and the branch alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import gcd

from tallystick.core.errors import RefutationError
from tallystick.core.terms import (
    BOUND,
    OVER_BAGS,
    Operator,
    Term,
    build,
    constant,
    equal,
    less,
    project,
    subterms,
)
from tallystick.core.types import BoolType, TupleType

Form = tuple[Mapping[Term, int], int]
"""A linear form: the nonzero coefficients of its unknowns, and its constant."""

Literal = tuple[Term, bool]
"""A formula, and whether it is assumed to hold or to fail."""


@dataclass(frozen=True, slots=True, eq=False)
class Atom:
    """Σ coefficient · unknown + constant ≤ 0, all coefficients nonzero."""

    coefficients: Mapping[Term, int]
    constant: int


@dataclass(frozen=True, slots=True, eq=False)
class Disjunction:
    """In at least one branch all literals hold."""

    branches: tuple[tuple[Literal, ...], ...]


Fact = Atom | Disjunction


def require_formula(term: Term) -> None:
    """Raise RefutationError unless `term` is a formula."""
    if not isinstance(term.type, BoolType):
        raise RefutationError(f"a formula is a boolean, not of type {term.type}")
    for part in subterms(term):
        if part.operator in (*OVER_BAGS, *BOUND, Operator.BOTTOM):
            raise RefutationError(f"a formula has no {part.operator.value}")


def total(parts: Iterable[tuple[int, Mapping[Term, int], int]]) -> Form:
    """The sum of multiplier · (coefficients, constant)."""
    coefficients: dict[Term, int] = {}
    offset = 0
    for multiplier, summand, part in parts:
        offset += multiplier * part
        for unknown, coefficient in summand.items():
            coefficients[unknown] = coefficients.get(unknown, 0) + multiplier * coefficient
    return {unknown: coefficient for unknown, coefficient in coefficients.items() if coefficient}, offset


def tightened(form: Form) -> Atom:
    """form ≤ 0, divided by the gcd of its coefficients, the constant rounded up."""
    coefficients, offset = form
    divisor = gcd(*coefficients.values()) or 1
    return Atom({x: a // divisor for x, a in coefficients.items()}, -(-offset // divisor))


class Facts:
    """The facts of the current branch, in order, and the unknowns in the order of their first mention."""

    def __init__(self) -> None:
        self.facts: list[Fact] = []
        self.unknowns: dict[Term, int] = {}
        self._lowered: dict[Literal, tuple[Fact, ...]] = {}
        self._forms: dict[Term, Form] = {}
        self._definitions: dict[Term, tuple[Fact, ...]] = {}

    def assume(self, literals: Iterable[Literal]) -> None:
        """Add what the literals state, and the definitions of the unknowns that appear with it."""
        for term, holds in literals:
            for fact in self.lower(term, holds):
                self.add(fact)

    def add(self, fact: Fact) -> None:
        """Add a fact that follows from the others, unless it is trivially true, and its unknowns' definitions."""
        if isinstance(fact, Atom):
            if not fact.coefficients and fact.constant <= 0:
                return
            self.facts.append(fact)
            for unknown in fact.coefficients:
                if unknown not in self.unknowns:
                    self.unknowns[unknown] = len(self.unknowns)
                    for part in self._definition(unknown):
                        self.add(part)
        else:
            self.facts.append(fact)

    def mark(self) -> tuple[int, int]:
        """The present state, for `restore`."""
        return len(self.facts), len(self.unknowns)

    def restore(self, mark: tuple[int, int]) -> None:
        """Leave a branch: forget the facts and unknowns that were added since `mark`."""
        del self.facts[mark[0] :]
        while len(self.unknowns) > mark[1]:
            self.unknowns.popitem()

    def lower(self, term: Term, holds: bool) -> tuple[Fact, ...]:
        """Facts whose conjunction says that `term` holds, or fails; exact given the unknowns' definitions."""
        known = self._lowered.get((term, holds))
        if known is None:
            # Without repetitions, a formula that shares its subterms has no more facts than subterms.
            known = self._lowered[term, holds] = tuple(dict.fromkeys(self._lower(term, holds)))
        return known

    def _lower(self, term: Term, holds: bool) -> Iterable[Fact]:
        arguments = term.arguments
        match term.operator:
            case Operator.CONSTANT:
                return () if term.parameter is holds else (Atom({}, 1),)
            case Operator.NOT:
                return self.lower(arguments[0], not holds)
            case Operator.AND | Operator.OR:
                return self._connect(arguments, holds, conjoined=(term.operator is Operator.AND) is holds)
            case Operator.EQUAL:
                return self._equal(*arguments, holds)
            case Operator.LESS:
                left, right = arguments
                return (self._at_most(left, right, -1) if holds else self._at_most(right, left, 0),)
            case Operator.LESS_EQUAL:
                left, right = arguments
                return (self._at_most(left, right, 0) if holds else self._at_most(right, left, -1),)
            case Operator.ITE:
                condition, then, otherwise = arguments
                return (Disjunction((((condition, True), (then, holds)), ((condition, False), (otherwise, holds)))),)
        unknown = _reach(term)
        if unknown is not term:
            return self.lower(unknown, holds)
        return (Atom({term: -1}, 1) if holds else Atom({term: 1}, 0),)

    def _connect(self, terms: Iterable[Term], holds: bool, conjoined: bool) -> Iterable[Fact]:
        if conjoined:
            return [fact for term in terms for fact in self.lower(term, holds)]
        return (Disjunction(tuple(((term, holds),) for term in terms)),)

    def _equal(self, left: Term, right: Term, holds: bool) -> Iterable[Fact]:
        """Equality of tuples is that of their components, equality of booleans equivalence."""
        if isinstance(left.type, TupleType):
            indices = range(len(left.type.components))
            parts = [equal(project(left, index), project(right, index)) for index in indices]
            return self._connect(parts, holds, conjoined=holds)
        if isinstance(left.type, BoolType):
            return (Disjunction((((left, True), (right, holds)), ((left, False), (right, not holds)))),)
        if holds:
            return (self._at_most(left, right, 0), self._at_most(right, left, 0))
        return self._connect((less(left, right), less(right, left)), True, conjoined=False)

    def _at_most(self, left: Term, right: Term, bound: int) -> Atom:
        """left ≤ right + bound."""
        return tightened(total([(1, *self.form(left)), (-1, *self.form(right)), (-bound, {}, 1)]))

    def form(self, term: Term) -> Form:
        """An integer term as a linear form in unknowns; t mod c is t - c · (t div c)."""
        known = self._forms.get(term)
        if known is None:
            known = self._forms[term] = self._linear(term)
        return known

    def _linear(self, term: Term) -> Form:
        match term.operator:
            case Operator.CONSTANT:
                return {}, int(term.parameter)  # type: ignore[arg-type]
            case Operator.ADD:
                return total((1, *self.form(argument)) for argument in term.arguments)
            case Operator.SCALE:
                return total([(term.parameter, *self.form(term.arguments[0]))])  # type: ignore[list-item]
            case Operator.MOD:
                quotient = build(Operator.DIV, term.arguments, term.parameter)
                return total([(1, *self.form(term.arguments[0])), (-term.parameter, {quotient: 1}, 0)])  # type: ignore[operator]
            case Operator.DIV | Operator.ITE:
                return {term: 1}, 0
        unknown = _reach(term)
        if unknown is not term:
            return self.form(unknown)
        return {term: 1}, 0

    def _definition(self, unknown: Term) -> tuple[Fact, ...]:
        """What defines an unknown: 0 ≤ t mod c ≤ c - 1 for t div c, the two cases of a conditional, or nothing."""
        known = self._definitions.get(unknown)
        if known is None:
            known = self._definitions[unknown] = tuple(self._define(unknown))
        return known

    def _define(self, unknown: Term) -> Iterable[Fact]:
        if unknown.operator is Operator.DIV:
            remainder = build(Operator.MOD, unknown.arguments, unknown.parameter)
            zero = constant(0)
            return (self._at_most(zero, remainder, 0), self._at_most(remainder, zero, unknown.parameter - 1))  # type: ignore[operator]
        if unknown.operator is Operator.ITE:
            condition, then, otherwise = unknown.arguments
            true, false = (condition, True), (condition, False)
            return (Disjunction(((true, (equal(unknown, then), True)), (false, (equal(unknown, otherwise), True)))),)
        return ()


def _reach(term: Term) -> Term:
    """`term` with a projection moved one step inwards, past tuples and conditionals."""
    if term.operator is not Operator.PROJECTION:
        return term
    index, inner = term.parameter, _reach(term.arguments[0])
    if inner.operator is Operator.TUPLE:
        return inner.arguments[index]  # type: ignore[index]
    if inner.operator is Operator.ITE:
        condition, *parts = inner.arguments
        return build(Operator.ITE, (condition, *(build(Operator.PROJECTION, (part,), index) for part in parts)))
    return build(Operator.PROJECTION, (inner,), index)
