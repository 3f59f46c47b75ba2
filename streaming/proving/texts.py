"""Texts in the questions of proofs, as numbers in their order.

Presburger arithmetic has no texts. A formula that only compares texts, by = and ≤, with each other and with those that
it names, holds of all texts if it holds of all integers in their place, where the texts that it names are integers in
the same order, far enough apart: any texts are then some such integers. What a function makes of texts, as `len` or
`startswith`, is any value, the same for the same texts. So what is proved holds; and a countermodel, whose integers are
read as texts again, may be none, which the engine finds out.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from itertools import combinations
from typing import Any

from tallystick.core.answers import Answer, Invalid
from tallystick.core.operators import LINEAR
from tallystick.core.presburger.limits import DEFAULT_LIMITS, Limits
from tallystick.core.presburger.validity import validity
from tallystick.core.terms import (
    Operator,
    Term,
    build,
    conjunction,
    constant,
    equal,
    free_variables,
    implies,
    less_equal,
    subterms,
    variable,
)
from tallystick.core.types import BOOL, INT, TEXT, BasicType, TupleType, Type, default_value
from tallystick.frontends.pyspark.values.options import leaves

#: How far the numbers of neighbouring texts are apart: more than a formula has variables.
_APART = 1 << 20
#: Of functions that are called on more texts, it is not said that they give the same for the same.
_MOST_CALLS = 16
#: What a text that stands between two others may go on with.
_LETTERS = "aA0 !\x00"


def is_decidable(term: Term) -> bool:
    """Whether a term has only what a question may have: integers, truth values, and texts that are compared or handed
    to functions."""
    return all(
        _is_plain(part.type) and (part.operator in LINEAR or (part.operator is Operator.APPLY and _takes_texts(part)))
        for part in subterms(term)
    )


def _takes_texts(call: Term) -> bool:
    return any(TEXT in _parts(each.type) for each in call.arguments)


def _is_plain(of: Type) -> bool:
    return all(part in (BOOL, INT, TEXT) for part in _parts(of))


def _parts(of: Type) -> list[Type]:
    return [part for each in of.components for part in _parts(each)] if isinstance(of, TupleType) else [of]


def answer(formula: Term, limits: Limits = DEFAULT_LIMITS) -> Answer:
    """Whether a formula holds, as `validity` says; a countermodel has texts where the formula has them.

    Raises `FragmentError` for what neither arithmetic nor the order of texts has.
    """
    if not _has_texts(formula):
        return validity(formula, limits)
    coding = _Coding(formula)
    found = validity(coding.formula, limits)
    return Invalid(coding.decoded(found.model)) if isinstance(found, Invalid) else found


def without_texts(formula: Term) -> Term:
    """A formula without texts that holds only if the given one does."""
    return _Coding(formula).formula if _has_texts(formula) else formula


def _has_texts(formula: Term) -> bool:
    return any(TEXT in _parts(part.type) for part in subterms(formula))


class _Coding:
    """The numbers of the texts in one formula."""

    def __init__(self, formula: Term) -> None:
        named = {str(part.parameter) for part in subterms(formula) if _is_text(part)}
        self._texts = sorted(named | {""})
        self._known: dict[Term, Term] = {}
        self._calls: dict[Any, list[tuple[Term, tuple[Term, ...]]]] = defaultdict(list)
        self._facts: list[Term] = []
        self._variables = sorted(free_variables(formula), key=repr)
        coded = self._coded(formula)
        ours = [self._coded(each) for each in self._variables]
        texts = [
            leaf
            for before, after in zip(self._variables, ours, strict=True)
            for kind, leaf in zip(_parts(before.type), leaves(after), strict=True)
            if kind == TEXT
        ]
        facts = [*self._facts, *(less_equal(constant(0), text) for text in texts)]
        for calls in self._calls.values():
            for (one, given), (other, also) in combinations(calls[:_MOST_CALLS], 2):
                facts.append(implies(conjunction(*map(_same, given, also)), _same(one, other)))
        self.formula = implies(conjunction(*facts), coded) if facts else coded

    def _coded(self, term: Term) -> Term:
        if term not in self._known:
            self._known[term] = self._made(term)
        return self._known[term]

    def _made(self, term: Term) -> Term:
        match term.operator:
            case Operator.VARIABLE:
                name, _ = term.parameter  # type: ignore[misc]
                return variable(name, _numbered(term.type))
            case Operator.CONSTANT:
                return constant(self._texts.index(str(term.parameter)) * _APART) if _is_text(term) else term
            case Operator.APPLY if _takes_texts(term):
                arguments = tuple(map(self._coded, term.arguments))
                calls = self._calls[term.parameter, tuple(map(repr, map(_kind, arguments)))]
                result = variable(f"what {term.parameter} gives {len(self._known)}", _numbered(term.type))
                calls.append((result, arguments))
                if term.parameter[0] == "len":  # type: ignore[index]
                    self._facts.append(less_equal(constant(0), result))
                return result
        return build(term.operator, tuple(map(self._coded, term.arguments)), term.parameter)

    def decoded(self, model: Mapping[Term, Any]) -> dict[Term, Any]:
        """The values of the formula's variables, with texts for numbers."""
        found = {}
        for each in self._variables:
            value = model.get(self._coded(each), default_value(_numbered(each.type)))
            found[each] = self._value(value, each.type)
        return found

    def _value(self, value: Any, of: Type) -> Any:
        if isinstance(of, TupleType):
            return tuple(self._value(*pair) for pair in zip(value, of.components, strict=True))
        return self._text(value) if of == TEXT else value

    def _text(self, number: int) -> str:
        """A text that stands where a number does, if there is one: after the last text that the formula names."""
        place, further = divmod(max(number, 0), _APART)
        place = min(place, len(self._texts) - 1)
        before, after = self._texts[place], self._texts[place + 1] if place + 1 < len(self._texts) else None
        if further == 0:
            return before
        tried = (before + letter * (1 + further % 8) for letter in _LETTERS)
        return next((text for text in tried if after is None or text < after), before + "a")


def _is_text(term: Term) -> bool:
    return term.operator is Operator.CONSTANT and term.type == TEXT


def _numbered(of: Type) -> BasicType:
    if of == TEXT:
        return INT
    if isinstance(of, TupleType) and TEXT in _parts(of):
        return TupleType(tuple(map(_numbered, of.components)))
    return of  # type: ignore[return-value]


def _kind(term: Term) -> Any:
    """What must be the same of two calls of a function: arguments that are known."""
    return term.parameter if term.operator is Operator.CONSTANT and term.type != INT else None


def _same(left: Term, right: Term) -> Term:
    return conjunction(*(equal(*pair) for pair in zip(leaves(left), leaves(right), strict=True)))
