"""Programs run on lists, without the reference interpreter: another opinion on what a pair returns.

Slow and plain: a bag is a list, and each operator is the comprehension that its name says.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations_with_replacement, product
from random import Random
from typing import Any

from tallystick.certificates.codec import decode
from tallystick.certificates.proofs import Counterexample
from tallystick.core.programs import Program
from tallystick.core.terms import Operator, Term
from tallystick.core.types import BagType, BasicType
from tallystick.decision.telling import Telling
from tallystick.experiments.records import Record

VALUES = 2
"""How many values of each type an input is made of."""
LARGEST_BAG = 2
LONGEST_LIST = 20_000
"""Inputs that lead to longer lists are left out."""


class TooLongError(ValueError):
    """A program makes a list that is too long to compute with."""


def result(program: Program, inputs: dict[Term, Any]) -> Any:
    """What a program returns when bags are lists; the list is sorted. Raises TooLongError."""
    value = _value(program.expression, inputs)
    return sorted(value) if isinstance(program.result, BagType) else value


def contradiction(record: Record, left: Program, right: Program) -> str:
    """Why a verdict about two programs is wrong; empty when nothing is known against it.

    It is not the known verdict, or the programs differ on a small input although they are held to be equivalent, or
    they do not differ on the counterexample.
    """
    if record.is_wrong:
        return f"{record.verdict}, but known to be {record.expected}"
    if record.verdict == "inequivalent":
        found = decode((record.certificate or "").encode()).result
        assert isinstance(found, Counterexample)
        inputs = {name: _as_list(value) for name, value in zip(left.parameters, found.inputs, strict=True)}
        return "" if _differ(left, right, inputs) else "inequivalent, but the same on the counterexample"
    if record.verdict == "equivalent":
        for inputs in small_inputs(left, right):
            if _differ(left, right, inputs):
                shown = ", ".join(f"{name.parameter[0]} = {value}" for name, value in inputs.items())  # type: ignore[index]
                return f"equivalent, but different on {shown}"
    return ""


def _differ(left: Program, right: Program, inputs: dict[Term, Any]) -> bool:
    try:
        return result(left, inputs) != result(right, inputs)
    except TooLongError:
        return False


def _as_list(value: Any) -> Any:
    return [element for element, count in value.items() for _ in range(count)] if isinstance(value, dict) else value


def small_inputs(left: Program, right: Program) -> Iterator[dict[Term, Any]]:
    """All inputs with bags of at most LARGEST_BAG elements, from a few values near the programs' constants."""
    telling, random = Telling.of((left.expression, right.expression)), Random(1)

    def values(of: BasicType) -> list[Any]:
        return list(dict.fromkeys(telling.value(of, random) for _ in range(VALUES)))

    def choices(name: Term) -> list[Any]:
        if not isinstance(name.type, BagType):
            return values(name.type)  # type: ignore[arg-type]
        elements = values(name.type.element)
        return [list(bag) for size in range(LARGEST_BAG + 1) for bag in combinations_with_replacement(elements, size)]

    for chosen in product(*map(choices, left.parameters)):
        yield dict(zip(left.parameters, chosen, strict=True))


def _value(term: Term, scope: dict[Term, Any]) -> Any:
    """The value of a term; `scope` has its variables, and the element and accumulator of the UDF around it."""
    arguments, parameter = term.arguments, term.parameter

    def udf(body: Term, element: Any, accumulated: Any = None) -> Any:
        bound = {each: element if each.operator is Operator.ELEMENT else accumulated for each in body.bound}
        return _value(body, {**scope, **bound})

    def folded(start: Any, body: Term, elements: list[Any]) -> Any:
        for element in elements:
            start = udf(body, element, start)
        return start

    match term.operator:
        case Operator.CONSTANT:
            return parameter
        case Operator.VARIABLE | Operator.ELEMENT | Operator.ACCUMULATOR:
            return scope[term]
        case Operator.ITE:
            return _value(arguments[1 if _value(arguments[0], scope) else 2], scope)
        case Operator.MAP:
            return [udf(arguments[0], element) for element in _value(arguments[1], scope)]
        case Operator.FILTER:
            return [element for element in _value(arguments[1], scope) if udf(arguments[0], element)]
        case Operator.FOLD:
            return folded(_value(arguments[0], scope), arguments[1], _value(arguments[2], scope))
        case Operator.FOLD_BY_KEY:
            pairs, start = _value(arguments[2], scope), _value(arguments[0], scope)
            return [
                (key, folded(start, arguments[1], [value for other, value in pairs if other == key]))
                for key in {key for key, _ in pairs}
            ]
    return _first_order(term, [_value(argument, scope) for argument in arguments])


def _first_order(term: Term, values: list[Any]) -> Any:
    first = values[0]
    match term.operator:
        case Operator.CARTESIAN:
            if len(first) * len(values[1]) > LONGEST_LIST:
                raise TooLongError
            return [(x, y) for x in first for y in values[1]]
        case Operator.UNION:
            return first + values[1]
        case Operator.DISTINCT:
            return list(set(first))
        case Operator.ADD:
            return sum(values)
        case Operator.SCALE:
            return first * term.parameter
        case Operator.DIV:
            return first // term.parameter
        case Operator.MOD:
            return first % term.parameter
        case Operator.EQUAL:
            return first == values[1]
        case Operator.LESS:
            return first < values[1]
        case Operator.LESS_EQUAL:
            return first <= values[1]
        case Operator.NOT:
            return not first
        case Operator.AND:
            return all(values)
        case Operator.OR:
            return any(values)
        case Operator.TUPLE:
            return tuple(values)
        case Operator.PROJECTION:
            return first[term.parameter]
    raise TypeError(f"{term.operator.value} has no value")
