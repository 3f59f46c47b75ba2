"""Facts: what it means to assume that a formula holds, or fails, on one branch of a refutation (trusted).

A *formula* is a term of type Bool without ⊥, bags and bound variables. Assuming one adds facts, numbered from
0 in the order in which they are added: *atoms* a₁x₁ + … + aₙxₙ + c ≤ 0 over integer unknowns, and
*disjunctions*, whose branches are lists of formulas to assume. An unknown is a term: an integer or boolean
variable, such a component of a tuple variable, a quotient, or an integer conditional. A boolean unknown b is
an arbitrary integer of which b ≥ 1 means true and b ≤ 0 means false. The first atom that mentions a quotient
or conditional adds the unknown's *definition* right after itself, so that definitions appear on demand.

Atoms are tightened: divided by the gcd of their coefficients, the constant rounded up, which changes no
integer solution. Atoms that are then trivially true are not added; trivially false ones are, as c ≤ 0 with
c ≥ 1, which a Farkas leaf closes. Everything follows the order of the formula's own arguments, so that the
numbers depend on the formula and the branch alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from math import gcd
from typing import Any, Final

from tallystick.core.terms import Operator, Term, build, conjunction, constant, equal, less_equal, project
from tallystick.core.types import BoolType, TupleType

Literal = tuple[Term, bool]
"""A formula, and whether it is assumed to hold or to fail."""


@dataclass(frozen=True, slots=True, eq=False)
class Form:
    """Σ coefficient · unknown + constant, no coefficient 0; as a fact, the atom that this is ≤ 0."""

    coefficients: Mapping[Term, int]
    constant: int


@dataclass(frozen=True, slots=True, eq=False)
class Disjunction:
    """In at least one branch, all literals hold."""

    branches: tuple[tuple[Literal, ...], ...]


Fact = Form | Disjunction
ONE: Final = Form({}, 1)


def total(*parts: tuple[int, Form]) -> Form:
    """The sum of multiplier · form."""
    coefficients: dict[Term, int] = {}
    offset = 0
    for multiplier, form in parts:
        offset += multiplier * form.constant
        for unknown, coefficient in form.coefficients.items():
            coefficients[unknown] = coefficients.get(unknown, 0) + multiplier * coefficient
    return Form({unknown: coefficient for unknown, coefficient in coefficients.items() if coefficient}, offset)


def tightened(form: Form) -> Form:
    """The atom form ≤ 0, divided by the gcd of its coefficients, the constant rounded up."""
    divisor = gcd(*form.coefficients.values()) or 1
    return Form({x: a // divisor for x, a in form.coefficients.items()}, -(-form.constant // divisor))


class Facts:
    """The facts of the current branch, in order, and the unknowns in the order of their first mention."""

    def __init__(self) -> None:
        self.facts: list[Fact] = []
        self.unknowns: dict[Term, int] = {}
        self._lowered: dict[Literal, tuple[Fact, ...]] = {}
        self._forms: dict[Term, Form] = {}

    @contextmanager
    def branch(self) -> Iterator[None]:
        """What is added inside is forgotten afterwards."""
        facts, unknowns = len(self.facts), len(self.unknowns)
        yield
        del self.facts[facts:]
        while len(self.unknowns) > unknowns:
            self.unknowns.popitem()

    def assume(self, *literals: Literal) -> None:
        """Add what the literals state."""
        for literal in literals:
            for fact in self.lower(*literal):
                self.add(fact)

    def add(self, fact: Fact) -> None:
        """Add a fact, unless it is trivially true, and the definitions of the unknowns that are new."""
        coefficients = fact.coefficients if isinstance(fact, Form) else {}
        if isinstance(fact, Form) and not coefficients and fact.constant <= 0:
            return
        self.facts.append(fact)
        for unknown in coefficients:
            if unknown not in self.unknowns:
                self.unknowns[unknown] = len(self.unknowns)
                self.assume(*((part, True) for part in _definition(unknown)))

    def lower(self, term: Term, holds: bool) -> tuple[Fact, ...]:
        """Facts that together say that `term` holds, or fails, given the definitions of their unknowns."""
        if (term, holds) not in self._lowered:
            # Without repetitions, a formula that shares its subterms has no more facts than subterms.
            self._lowered[term, holds] = tuple(dict.fromkeys(self._lower(term, holds)))
        return self._lowered[term, holds]

    def _lower(self, term: Term, holds: bool) -> Iterable[Fact]:
        match term.operator, term.arguments:
            case Operator.CONSTANT, ():
                return () if term.parameter is holds else (ONE,)
            case Operator.NOT, (negated,):
                return self.lower(negated, not holds)
            case Operator.AND | Operator.OR, parts:
                if (term.operator is Operator.AND) is holds:
                    return (fact for part in parts for fact in self.lower(part, holds))
                return (Disjunction(tuple(((part, holds),) for part in parts)),)
            case Operator.ITE, (condition, then, otherwise):
                yes, no = (condition, True), (condition, False)
                return (Disjunction(((yes, (then, holds)), (no, (otherwise, holds)))),)
            case Operator.EQUAL, (left, right) if isinstance(left.type, BoolType):
                return (Disjunction((((left, True), (right, holds)), ((left, False), (right, not holds)))),)
            case Operator.EQUAL, (left, right):
                return self.lower(_equality(left, right), holds)
            case Operator.LESS, (left, right):
                return self.lower(less_equal(right, left), not holds)
            case Operator.LESS_EQUAL, (left, right):
                sign, offset = (1, 0) if holds else (-1, 1)
                return (tightened(total((sign, self.form(left)), (-sign, self.form(right)), (offset, ONE))),)
        reached = _reach(term)
        if reached is not term:
            return self.lower(reached, holds)
        return (Form({term: -1}, 1) if holds else Form({term: 1}, 0),)

    def form(self, term: Term) -> Form:
        """An integer term as a linear form in unknowns."""
        if term not in self._forms:
            self._forms[term] = self._linear(term)
        return self._forms[term]

    def _linear(self, term: Term) -> Form:
        parameter: Any = term.parameter
        match term.operator, term.arguments:
            case Operator.CONSTANT, ():
                return Form({}, parameter)
            case Operator.ADD, summands:
                return total(*((1, self.form(summand)) for summand in summands))
            case Operator.SCALE, (scaled,):
                return total((parameter, self.form(scaled)))
            case Operator.MOD, (dividend,):  # dividend - divisor · quotient
                quotient = build(Operator.DIV, (dividend,), parameter)
                return total((1, self.form(dividend)), (-parameter, self.form(quotient)))
        reached = _reach(term)
        return Form({term: 1}, 0) if reached is term else self.form(reached)


def _equality(left: Term, right: Term) -> Term:
    """left = right for tuples, component by component, or for integers, as two inequalities."""
    if not isinstance(left.type, TupleType):
        return conjunction(less_equal(left, right), less_equal(right, left))
    indices = range(len(left.type.components))
    return conjunction(*(equal(project(left, index), project(right, index)) for index in indices))


def _definition(unknown: Term) -> tuple[Term, ...]:
    """What defines an unknown: 0 ≤ t mod c ≤ c - 1 for t div c, both cases of a conditional, else nothing."""
    if unknown.operator is Operator.DIV:
        divisor: Any = unknown.parameter
        remainder = build(Operator.MOD, unknown.arguments, divisor)
        return less_equal(constant(0), remainder), less_equal(remainder, constant(divisor - 1))
    if unknown.operator is Operator.ITE:
        condition, then, otherwise = unknown.arguments
        return (build(Operator.ITE, (condition, equal(unknown, then), equal(unknown, otherwise))),)
    return ()


def _reach(term: Term) -> Term:
    """`term`, or if that projects from a tuple or conditional, an equal term one step further."""
    if term.operator is not Operator.PROJECTION:
        return term
    index: Any = term.parameter
    inner = _reach(term.arguments[0])
    if inner.operator is Operator.ITE:
        condition, *cases = inner.arguments
        return build(Operator.ITE, (condition, *(project(case, index) for case in cases)))
    return project(inner, index)
