"""Facts: what it means to assume that a formula holds, or fails, on one branch of a refutation (trusted).

A *formula* is a closed term of type Bool without ⊥ and operators on bags. Assuming one adds facts, numbered from 0 in
the order in which they are added: *atoms* a₁x₁ + … + aₙxₙ + c ≤ 0 (or < 0) over unknowns, and *disjunctions*, whose
branches are lists of formulas to assume. An *unknown* is a term that nothing simpler is known to equal: a variable or a
row, what is read from one, a quotient, a conditional, a product, a value of an unknown function, a binder.

* Numbers are themselves. An atom without rational unknowns is tightened: divided by the gcd of its coefficients, the
  constant rounded up, which changes no integer solution.
* A boolean unknown b is an arbitrary integer of which b ≥ 1 means true and b ≤ 0 means false.
* A text is an integer: the finitely many texts that a falsified formula mentions can be mapped to integers in their
  order, the empty text to 0. Literals are unknowns, each more than the next smaller one on the branch.
* A product is multiplied out; a product of unknowns is one unknown, whatever their order.

The first atom that mentions an unknown adds its *definition* right after itself, so that definitions appear on demand.
Atoms that are trivially true are not added. A formula is lowered to the facts of its *base literals*, which are what is
left of it when ∧ and ¬ and equalities of tuples and options are taken apart, in the order of the formula's own
arguments, each base literal once. So the numbers depend on the formula and the branch alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain, product
from typing import Any, Final, TypeVar

from tallystick.certificates.budget import Budget
from tallystick.certificates.forms import MAX_BITS, Form, Literal, size_of, tightened, total
from tallystick.core.binders import element_type
from tallystick.core.errors import RefutationError
from tallystick.core.operators import OVER_BAGS, Operator
from tallystick.core.relations import Relations
from tallystick.core.terms import (
    FALSE,
    TRUE,
    Term,
    build,
    conjunction,
    constant,
    disjunction,
    equal,
    is_none,
    less,
    less_equal,
    multiply,
    negation,
    project,
    row,
    simplified,
    subterms,
    to_rational,
    value_of,
)
from tallystick.core.types import INT, RATIONAL, TEXT, BoolType, OptionType, TupleType

READERS: Final = (Operator.PROJECTION, Operator.IS_NONE, Operator.VALUE)
"""Operators that read a part of a tuple or option."""
UDF_VARIABLES: Final = (Operator.ELEMENT, Operator.ACCUMULATOR)
NO_LIMIT: Final = 1 << 62


@dataclass(slots=True, eq=False)
class Disjunction:
    """In at least one branch, all literals hold."""

    branches: tuple[tuple[Literal, ...], ...]
    origin: Literal


Fact = Form | Disjunction
Known = TypeVar("Known", Form, Disjunction)


class Facts:
    """The facts of the current branch, in order, the unknowns in the order of their first mention, and the rows.

    Attributes:
        facts: atoms and disjunctions.
        unknowns: the number of each unknown.
        numbered: the unknowns by their numbers.
        rows: the sources of the rows in scope; row i is ROW(i, type).
        relations: what is known of the tables.
        budget: what lowering and adding spend from.
    """

    def __init__(
        self, rows: tuple[Term, ...] = (), relations: Relations | None = None, budget: Budget | None = None
    ) -> None:
        self.facts: list[Fact] = []
        self.unknowns: dict[Term, int] = {}
        self.numbered: list[Term] = []
        self.rows: list[Term] = list(rows)
        self.relations: Relations = relations or {}
        self.budget = Budget(NO_LIMIT, NO_LIMIT) if budget is None else budget
        self._lowered: dict[Literal, tuple[Fact, ...]] = {}
        self._forms: dict[Term, Form] = {}
        self._products: dict[frozenset[tuple[Term, int]], Term] = {}

    @contextmanager
    def branch(self) -> Iterator[None]:
        """What is added inside is forgotten afterwards."""
        facts, unknowns, rows = len(self.facts), len(self.unknowns), len(self.rows)
        yield
        del self.facts[facts:]
        del self.rows[rows:]
        del self.numbered[unknowns:]
        while len(self.unknowns) > unknowns:
            self.unknowns.popitem()

    def add_row(self, source: Term) -> Term:
        """A new row of a source."""
        self.rows.append(source)
        return row(len(self.rows) - 1, element_type(source))

    def assume(self, *literals: Literal) -> None:
        """Add what the literals state."""
        for literal in literals:
            for fact in self.lower(*literal):
                self.add(fact)

    def add(self, fact: Fact) -> None:
        """Add a fact, unless it is trivially true, and the definitions of the unknowns that are new."""
        self.budget.spend(1)
        if isinstance(fact, Disjunction):
            self.facts.append(fact)
        elif not fact.trivial:
            self.facts.append(fact)
            for unknown in fact.coefficients:
                if unknown not in self.unknowns:
                    definition = self._definition(unknown)
                    self.unknowns[unknown] = len(self.unknowns)
                    self.numbered.append(unknown)
                    self.assume(*((part, True) for part in definition))

    def lower(self, term: Term, holds: bool) -> tuple[Fact, ...]:
        """Facts that together say that `term` holds, or fails, given the definitions of their unknowns."""
        known = self._lowered.get((term, holds))
        if known is None:
            found = {fact.origin: fact for fact in self._lower(term, holds)}
            known = self._lowered[term, holds] = tuple(found.values())
            self.budget.spend(1 + len(known), 1 + len(known))
        return known

    def _lower(self, term: Term, holds: bool) -> Iterable[Fact]:
        origin = (term, holds)
        match term.operator, term.arguments:
            case Operator.CONSTANT, ():
                return () if term.parameter is holds else (Form({}, 1, False, origin),)
            case Operator.NOT, (negated,):
                return self.lower(negated, not holds)
            case Operator.AND | Operator.OR, parts:
                if (term.operator is Operator.AND) is holds:
                    return (fact for part in parts for fact in self.lower(part, holds))
                return (Disjunction(tuple(((part, holds),) for part in parts), origin),)
            case Operator.ITE, (condition, then, otherwise):
                yes, no = (condition, True), (condition, False)
                return (Disjunction(((yes, (then, holds)), (no, (otherwise, holds))), origin),)
            case Operator.EQUAL, (left, right) if isinstance(left.type, BoolType):
                return (Disjunction((((left, True), (right, holds)), ((left, False), (right, not holds))), origin),)
            case Operator.EQUAL, (left, right):
                return self.lower(_equality(left, right), holds)
            case Operator.LESS, (left, right):
                return self.lower(less_equal(right, left), not holds)
            case Operator.LESS_EQUAL, (left, right):
                sign = 1 if holds else -1
                difference = total((sign, self.form(left)), (-sign, self.form(right)))
                self._keep(difference)
                return (tightened(difference, not holds, origin),)
        reached = reach(term)
        if reached is not term:
            return self.lower(reached, holds)
        return (Form({term: -1}, 1, False, origin) if holds else Form({term: 1}, 0, False, origin),)

    def form(self, term: Term) -> Form:
        """An integer, rational or text as a linear form in unknowns."""
        known = self._forms.get(term)
        if known is None:
            known = self._forms[term] = self._linear(term)
            self._keep(known)
        return known

    def _keep(self, form: Form) -> None:
        size = size_of(form)
        self.budget.spend(size, size)

    def _linear(self, term: Term) -> Form:
        parameter: Any = term.parameter
        match term.operator, term.arguments:
            case Operator.CONSTANT, () if term.type == TEXT:
                return Form({term: 1}, 0) if parameter else Form({}, 0)
            case Operator.CONSTANT, ():
                return Form({}, parameter)
            case Operator.ADD, summands:
                return total(*((1, self.form(summand)) for summand in summands))
            case Operator.SCALE, (scaled,):
                return total((parameter, self.form(scaled)))
            case Operator.TO_RATIONAL, (integer,):
                return self.form(integer)
            case Operator.MULTIPLY, (first, *others):
                multiplied = self.form(first)
                for factor in others:
                    multiplied = self._multiplied(multiplied, self.form(factor))
                return multiplied
            case Operator.MOD, (dividend,):  # dividend - divisor · quotient
                quotient = build(Operator.DIV, (dividend,), parameter)
                return total((1, self.form(dividend)), (-parameter, self.form(quotient)))
        reached = reach(term)
        return Form({term: 1}, 0) if reached is term else self.form(reached)

    def _multiplied(self, left: Form, right: Form) -> Form:
        size = len(left.coefficients) * len(right.coefficients)
        self.budget.spend(size, size)
        pairs = product(left.coefficients.items(), right.coefficients.items())
        products = ((one * other, self._product(x, y)) for (x, one), (y, other) in pairs)
        linear = total((right.constant, left), (left.constant, Form(right.coefficients, 0)))
        return total((1, linear), *products)

    def _product(self, left: Term, right: Term) -> Form:
        """The product of two unknowns, which may be products or conditionals themselves."""
        multiplied = (each.arguments if each.operator is Operator.MULTIPLY else (each,) for each in (left, right))
        factors = list(chain(*multiplied))
        factors = [each.arguments[0] if each.operator is Operator.TO_RATIONAL else each for each in factors]
        for place, factor in enumerate(factors):
            if factor.operator is Operator.ITE:
                condition, *cases = factor.arguments
                chosen = [_product_of(*factors[:place], case, *factors[place + 1 :]) for case in cases]
                return Form({build(Operator.ITE, (condition, *chosen)): 1}, 0)
        return Form({self._products.setdefault(frozenset(Counter(factors).items()), _product_of(*factors)): 1}, 0)

    def _definition(self, unknown: Term) -> tuple[Term, ...]:
        """What defines a new unknown: see the module; nothing for most."""
        if unknown.operator is Operator.DIV:
            divisor: Any = unknown.parameter
            remainder = build(Operator.MOD, unknown.arguments, divisor)
            return less_equal(constant(0), remainder), less_equal(remainder, constant(divisor - 1))
        if unknown.operator is Operator.CONSTANT:
            self.budget.spend(len(self.unknowns))
            literals = [*(x for x in self.unknowns if x.operator is Operator.CONSTANT), constant("")]
            below = [x for x in literals if str(x.parameter) < str(unknown.parameter)]
            above = [x for x in literals if str(x.parameter) > str(unknown.parameter)]
            nearest = less(max(below, key=lambda x: str(x.parameter)), unknown)
            return (nearest, less(unknown, min(above, key=lambda x: str(x.parameter)))) if above else (nearest,)
        if unknown.operator is Operator.ITE:
            condition, then, otherwise = unknown.arguments
            return (build(Operator.ITE, (condition, equal(unknown, then), equal(unknown, otherwise))),)
        return (less_equal(constant(""), unknown),) if unknown.type == TEXT else ()


def require_logical(term: Term, budget: Budget) -> None:
    """Raises RefutationError unless all of a term is what formulas are made of: no ⊥, no UDF, no operator on bags."""
    budget.spend_on(term)
    for part in subterms(term):
        if part.operator in (*OVER_BAGS, *UDF_VARIABLES, Operator.BOTTOM):
            raise RefutationError(f"a formula has no {part.operator.value}")


def _product_of(*factors: Term) -> Term:
    """The product of terms of which some are rational and some integers."""
    if any(factor.type == RATIONAL for factor in factors):
        return multiply(*(to_rational(factor) if factor.type == INT else factor for factor in factors))
    return multiply(*factors)


def _equality(left: Term, right: Term) -> Term:
    """left = right: component by component for tuples, by cases for options, else as two inequalities."""
    if isinstance(left.type, TupleType):
        indices = range(len(left.type.components))
        return conjunction(*(equal(project(left, index), project(right, index)) for index in indices))
    if isinstance(left.type, OptionType):
        empty, other = is_none(left), is_none(right)
        same = disjunction(empty, equal(value_of(left), value_of(right)))
        return conjunction(equivalent(empty, other), same)
    return conjunction(less_equal(left, right), less_equal(right, left))


def equivalent(left: Term, right: Term) -> Term:
    """left ⇔ right, shorter where a side is a constant."""
    for one, other in ((left, right), (right, left)):
        if one is TRUE or one is FALSE:
            return other if one is TRUE else negation(other)
    return equal(left, right)


def reach(term: Term) -> Term:
    """`term`, or if that reads from a tuple, an option or a conditional, an equal term one step further."""
    if term.operator not in READERS:
        return term
    inner = reach(term.arguments[0])
    if inner.operator is Operator.ITE:
        condition, *cases = inner.arguments
        return build(Operator.ITE, (condition, *(simplified(term.operator, (case,), term.parameter) for case in cases)))
    return simplified(term.operator, (inner,), term.parameter)


def numbered(facts: Facts, place: int, kind: type[Known]) -> Known:
    """The fact with a number, of a kind; raises RefutationError where there is none."""
    fact = facts.facts[number(place, len(facts.facts), "fact")]
    if not isinstance(fact, kind):
        raise RefutationError(f"fact {place} is a {type(fact).__name__}, not a {kind.__name__}")
    return fact


def number(value: object, size: int, what: str) -> int:
    """A number that names one of `size` things; raises RefutationError for another."""
    if not 0 <= integer(value) < size:
        raise RefutationError(f"there is no {what} {value}, only {size}")
    return integer(value)


def integer(value: object) -> int:
    """An integer of a bounded length; raises RefutationError for anything else."""
    if type(value) is not int or value.bit_length() > MAX_BITS:
        raise RefutationError(f"expected an integer of at most {MAX_BITS} bits, got {type(value).__name__}")
    return value
