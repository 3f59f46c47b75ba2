"""The simplex' values as a model: the literals that they satisfy, the disjunctions that they falsify."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from math import prod
from string import ascii_lowercase
from typing import Any

from tallystick.certificates.facts import Disjunction, Facts
from tallystick.certificates.forms import Form
from tallystick.certificates.nodes.naming import root
from tallystick.certificates.search.arithmetic import Arithmetic
from tallystick.core.terms import Operator, Term, build, free_variables, is_none, project, value_of
from tallystick.core.types import BagType, BoolType, IntType, OptionType, RationalType, TextType, TupleType, Value


class Model:
    """Values of unknowns: those given, then those of the simplex, then those that definitions give."""

    def __init__(self, facts: Facts, arithmetic: Arithmetic, given: Mapping[Term, int]) -> None:
        self._facts = facts
        self._arithmetic = arithmetic
        self._values: dict[Term, int | Fraction] = dict(given)
        self._texts: dict[int | Fraction, str] = {}
        self._applied: dict[Any, int | Fraction] = {}

    def falsified(self, split_up: set[Disjunction]) -> tuple[Disjunction | None, int]:
        """A false disjunction not split up yet, and how many branches the bounds leave it: the fewest."""
        chosen, fewest = None, 1_000_000
        for fact in self._facts.facts:
            if isinstance(fact, Disjunction) and fact not in split_up and not self._satisfies(fact):
                left = len(fact.branches) - sum(map(self._refuted, fact.branches))
                if left <= 1:
                    return fact, left
                if left < fewest:
                    chosen, fewest = fact, left
        return chosen, fewest

    def undecided(self, split_up: set[Disjunction]) -> Disjunction | None:
        """A disjunction not split up yet of which the bounds leave several branches: the fewest; None without one."""
        left = {
            fact: len(fact.branches) - sum(map(self._refuted, fact.branches))
            for fact in self._facts.facts
            if isinstance(fact, Disjunction) and fact not in split_up
        }
        return min((fact for fact in left if left[fact] > 1), key=left.__getitem__, default=None)

    def _refuted(self, literals: tuple[tuple[Term, bool], ...]) -> bool:
        """Whether an atom of the literals contradicts a bound."""
        for literal in literals:
            for fact in self._facts.lower(*literal):
                if isinstance(fact, Form) and self._arithmetic.contradicts(fact):
                    return True
        return False

    def _satisfies(self, disjunction: Disjunction) -> bool:
        for literals in disjunction.branches:
            for term, holds in literals:
                if not self._holds(term, holds):
                    break
            else:
                return True
        return False

    def _holds(self, term: Term, holds: bool) -> bool:
        for fact in self._facts.lower(term, holds):
            if not (self._within(fact) if isinstance(fact, Form) else self._satisfies(fact)):
                return False
        return True

    def _within(self, atom: Form) -> bool:
        return self._sum(atom) < 0 if atom.strict else self._sum(atom) <= 0

    def incongruent(self, known: set[tuple[Term, Term]]) -> tuple[Term, Term] | None:
        """Two unknowns read from values of one function that differ here although its arguments do not; not `known`."""
        values: dict[Any, tuple[Term, int | Fraction]] = {}
        for unknown in self._facts.unknowns:
            if root(unknown).operator is Operator.APPLY:
                other, value = values.setdefault(self._place(unknown), (unknown, self._value(unknown)))
                if value != self._value(unknown) and (other, unknown) not in known:
                    return other, unknown
        return None

    def _place(self, unknown: Term) -> Any:
        """What unknowns read from values of one function have in common where its arguments are equal."""
        if unknown.operator is Operator.APPLY:
            types = tuple(argument.type for argument in unknown.arguments)
            return unknown.parameter, types, tuple(map(self.code, unknown.arguments))
        return unknown.operator, unknown.parameter, self._place(unknown.arguments[0])

    def code(self, term: Term) -> Any:
        """What equal values of a basic term have in common here."""
        match term.type:
            case BoolType():
                return self._holds(term, True)
            case TupleType(components):
                return tuple(self.code(project(term, index)) for index in range(len(components)))
            case OptionType():
                return None if self._holds(is_none(term), True) else (self.code(value_of(term)),)
        return self._sum(self._facts.form(term))

    def _sum(self, form: Form) -> int | Fraction:
        result = form.constant
        for unknown, part in form.coefficients.items():
            result += part * self._value(unknown)
        return result

    def _value(self, unknown: Term) -> int | Fraction:
        known = self._values.get(unknown)
        if known is None:
            known = self._values[unknown] = self._find(unknown)
        return known

    def _find(self, unknown: Term) -> int | Fraction:
        parameter: Any = unknown.parameter
        if unknown in self._facts.unknowns:
            return self._arithmetic.value(unknown)
        if unknown.operator is Operator.DIV:
            return self._sum(self._facts.form(unknown.arguments[0])) // parameter
        if unknown.operator is Operator.ITE:
            condition, then, otherwise = unknown.arguments
            return self._sum(self._facts.form(then if self._holds(condition, True) else otherwise))
        if unknown.operator is Operator.MULTIPLY:
            return prod(self._sum(self._facts.form(factor)) for factor in unknown.arguments)
        if root(unknown).operator is Operator.APPLY:
            alone = self._values[unknown] = -1000 - len(
                self._values
            )  # while the arguments, which may apply it, are read
            for each in () if self._applied else self._facts.unknowns:
                if root(each).operator is Operator.APPLY:
                    self._applied.setdefault(self._place(each), self._value(each))
            return self._applied.setdefault(self._place(unknown), alone)
        if unknown.operator is Operator.CONSTANT:  # a text that no fact mentions: unlike all others
            return -1 - sum(each.operator is Operator.CONSTANT for each in self._values)
        return 0

    def assignment(self, formula: Term) -> dict[Term, Value]:
        """The values of the formula's variables, in the order of their names."""
        variables = sorted(free_variables(formula), key=lambda variable: str(variable.parameter))
        self._texts = self._named(variables)
        return {variable: self._assigned(variable) for variable in variables}

    def _assigned(self, term: Term) -> Any:
        match term.type:
            case IntType():
                return int(self._value(term))
            case BoolType():
                return self._value(term) >= 1
            case TupleType(components):
                parts = (build(Operator.PROJECTION, (term,), index) for index in range(len(components)))
                return tuple(map(self._assigned, parts))
            case TextType():
                return self._texts[self._value(term)]
            case RationalType():
                return Fraction(self._value(term))
            case OptionType():
                return None if self._holds(is_none(term), True) else self._assigned(value_of(term))
            case BagType():
                raise TypeError("a model gives no value of a bag")

    def _read(self, term: Term) -> Iterator[Term]:
        """The texts that the value of a variable has."""
        match term.type:
            case TextType():
                yield term
            case TupleType(components):
                for index in range(len(components)):
                    yield from self._read(build(Operator.PROJECTION, (term,), index))
            case OptionType():
                yield from self._read(value_of(term))

    def _named(self, variables: Iterable[Term]) -> dict[int | Fraction, str]:
        """Texts in the order of their numbers: literals where the numbers are theirs, and others between them."""
        literals = [each for each in self._facts.unknowns if each.operator is Operator.CONSTANT]
        named = {self._value(each): str(each.parameter) for each in literals} | {0: ""}
        for number in sorted({self._value(text) for variable in variables for text in self._read(variable)}):
            if number not in named:
                below = max((each for each in named if each < number), default=0)
                above = min((each for each in named if each > number), default=None)
                named[number] = between(named[below], None if above is None else named[above])
        return named


def between(below: str, above: str | None) -> str:
    """A short text that is greater than one text, and less than another if there is one (and some text is)."""
    for text in (*ascii_lowercase, *(below + mark for mark in ("a", "!", "\0"))):
        if below < text and (above is None or text < above):
            return text
    return below + "\0"
