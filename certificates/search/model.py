"""The simplex' values as a model: the literals that they satisfy, the disjunctions that they falsify."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from tallystick.certificates.facts import Disjunction, Facts
from tallystick.certificates.forms import Form
from tallystick.certificates.search.arithmetic import Arithmetic
from tallystick.core.terms import Operator, Term, build, free_variables
from tallystick.core.types import BagType, BoolType, IntType, OptionType, RationalType, TextType, TupleType, Value


class Model:
    """Values of unknowns: those given, then those of the simplex, then those that definitions give."""

    def __init__(self, facts: Facts, arithmetic: Arithmetic, given: Mapping[Term, int]) -> None:
        self._facts = facts
        self._arithmetic = arithmetic
        self._values: dict[Term, int | Fraction] = dict(given)

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
        return any(all(self._holds(term, holds) for term, holds in literals) for literals in disjunction.branches)

    def _holds(self, term: Term, holds: bool) -> bool:
        for fact in self._facts.lower(term, holds):
            if not (self._sum(fact) <= 0 if isinstance(fact, Form) else self._satisfies(fact)):
                return False
        return True

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
            return self._arithmetic.simplex.value(self._arithmetic.variables[unknown])
        if unknown.operator is Operator.DIV:
            return self._sum(self._facts.form(unknown.arguments[0])) // parameter
        if unknown.operator is Operator.ITE:
            condition, then, otherwise = unknown.arguments
            return self._sum(self._facts.form(then if self._holds(condition, True) else otherwise))
        return 0

    def assignment(self, formula: Term) -> dict[Term, Value]:
        """The values of the formula's variables, in the order of their names."""
        variables = sorted(free_variables(formula), key=lambda variable: str(variable.parameter))
        return {variable: self._assigned(variable) for variable in variables}

    def _assigned(self, term: Term) -> Value:
        match term.type:
            case IntType():
                return int(self._value(term))
            case BoolType():
                return self._value(term) >= 1
            case TupleType(components):
                parts = (build(Operator.PROJECTION, (term,), index) for index in range(len(components)))
                return tuple(map(self._assigned, parts))
            case BagType() | TextType() | RationalType() | OptionType():
                raise TypeError(f"a model gives no value of type {term.type}")
