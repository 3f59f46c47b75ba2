"""The reference semantics of SparkLite on finite bags (TR Fig. 5).

Written to be read and believed rather than to be fast. A bag is a dictionary from elements to multiplicities
of at least 1. A fold takes the elements in ascending order; where it is well defined, order does not matter.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import Any

from tallystick.core import functions
from tallystick.core.errors import EvaluationError
from tallystick.core.functions import FunctionError
from tallystick.core.operators import FIRST_ORDER
from tallystick.core.terms import Operator, Term
from tallystick.core.types import Bag, BagType, Value, has_type
from tallystick.core.work import STEP_LIMIT, present

Environment = Mapping[Term, Value | Bag]
"""A value of the right type for each variable, or row."""


class Undefined(EvaluationError):  # noqa: N818 - it is the outcome ⊥, not a mistake
    """The value is ⊥."""


def evaluate(term: Term, environment: Environment, step_limit: int = STEP_LIMIT) -> Value | Bag:
    """The value of a closed term.

    Raises Undefined when it is ⊥; EvaluationError if a variable has no value of its type, or after `step_limit` steps.
    """
    for variable, value in environment.items():
        if not (is_bag(value, variable.type) if isinstance(variable.type, BagType) else has_type(value, variable.type)):
            raise EvaluationError(f"{value!r} is no value of type {variable.type}")
    return Evaluation(environment, step_limit).value(term, {})


def is_bag(value: object, of: BagType) -> bool:
    """Whether a Python value is a bag of the given type."""
    return isinstance(value, dict) and all(
        has_type(element, of.element) and type(count) is int and count > 0 for element, count in value.items()
    )


def bag_of(elements: Iterable[Value]) -> Bag:
    """The bag with these elements, each as often as it occurs."""
    bag: Bag = {}
    for element in elements:
        bag[element] = bag.get(element, 0) + 1
    return bag


class Evaluation:
    """One evaluation: an input, the steps that are left, and the closed terms whose values are known."""

    def __init__(self, environment: Environment, step_limit: int) -> None:
        self.environment = environment
        self.steps_left = step_limit
        self.closed: dict[Term, Value | Bag] = {}

    def value(self, term: Term, local: dict[Term, Value]) -> Any:
        """The value of a term; `local` holds its bound variables and the subterms that are known for them."""
        known: dict[Term, Any] = local if term.bound else self.closed
        if term not in known:
            known[term] = result = self.compute(term, local)
            self.spend(_size(result) if isinstance(result, dict) else _steps(result), isinstance(result, dict))
        return known[term]

    def spend(self, steps: int, keep: bool = False) -> None:
        present().spend(steps, 2 * steps if keep else 0)
        self.steps_left -= steps
        if self.steps_left < 0:
            raise EvaluationError("the evaluation takes more steps than its limit allows")

    def compute(self, term: Term, local: dict[Term, Value]) -> Value | Bag:
        operator, arguments = term.operator, term.arguments
        match operator:
            case Operator.VARIABLE | Operator.ROW if term in self.environment:
                return self.environment[term]
            case Operator.VARIABLE | Operator.ROW:
                name = f"row {term.parameter[0]}" if operator is Operator.ROW else term.parameter[0]  # type: ignore[index]
                raise EvaluationError(f"no value is given for {name}")
            case Operator.ELEMENT | Operator.ACCUMULATOR | Operator.SLOT:
                raise EvaluationError(f"{operator.value} occurs outside of what binds it")
            case Operator.BOTTOM:
                raise Undefined("⊥")
            case Operator.ITE:
                return self.value(arguments[1] if self.value(arguments[0], local) else arguments[2], local)
            case Operator.AND | Operator.OR:
                return self.connective(operator is Operator.OR, arguments, local)
            case Operator.MAP:
                image: Bag = {}
                for element, count in self.value(arguments[1], {}).items():
                    result = self.call(arguments[0], element)
                    image[result] = image.get(result, 0) + count
                return image
            case Operator.FILTER:
                bag = self.value(arguments[1], {})
                return {element: count for element, count in bag.items() if self.call(arguments[0], element)}
            case Operator.EXPAND:
                return self.expand(term)
            case Operator.WITHOUT:
                taken = self.value(arguments[2], {})
                bag = self.value(arguments[1], {})
                return {element: n for element, n in bag.items() if self.call(arguments[0], element) not in taken}
            case Operator.FOLD:
                return self.fold(self.value(arguments[0], {}), arguments[1], self.value(arguments[2], {}))
            case Operator.FOLD_BY_KEY:
                initial, buckets = self.value(arguments[0], {}), dict[Value, Bag]()
                for (key, value), count in self.value(arguments[2], {}).items():
                    buckets.setdefault(key, {})[value] = count
                return {(key, self.fold(initial, arguments[1], values)): 1 for key, values in buckets.items()}
        if operator not in FIRST_ORDER and operator not in _OVER_BAGS:
            raise EvaluationError(f"{operator.value} belongs to a normal form, which is not evaluated")
        values = [self.value(argument, local) for argument in arguments]
        if operator is Operator.CARTESIAN:
            self.spend(len(values[0]) * len(values[1]))
        if operator in _OVER_BAGS:
            return _OVER_BAGS[operator](values)
        return FIRST_ORDER[operator].value(values, term)

    def expand(self, term: Term) -> Bag:
        """Each element with each item of its list."""
        udf, bag = term.arguments
        (name, of), types = term.parameter, udf.type.components  # type: ignore[misc, union-attr]
        pairs: Bag = {}
        for element, count in self.value(bag, {}).items():
            found = functions.items(name, of, types, self.call(udf, element))  # type: ignore[arg-type]
            self.spend(len(found))
            for item in found:
                pairs[element, item] = pairs.get((element, item), 0) + count
        return pairs

    def connective(self, decisive: bool, arguments: tuple[Term, ...], local: dict[Term, Value]) -> bool:
        """The first truth value that decides; what stands behind it may have no value, since Python stops there."""
        decided = False
        for argument in arguments:
            try:
                decided |= self.value(argument, local) is decisive
            except FunctionError:
                if not decided:
                    raise
        return decided is decisive

    def fold(self, accumulated: Value, udf: Term, bag: Bag) -> Value:
        self.spend(2 * _size(bag), True)  # for the keys
        for element in sorted(bag, key=with_none):
            for _ in range(bag[element]):
                accumulated = self.call(udf, element, accumulated)
        return accumulated

    def call(self, udf: Term, element: Value, accumulated: Value | None = None) -> Value:
        local: Any = {bound: element if bound.operator is Operator.ELEMENT else accumulated for bound in udf.bound}
        self.spend(1)
        return self.value(udf, local)  # type: ignore[return-value]


def with_none(value: Any) -> Any:
    """A key that orders values as they are, and None before them."""
    if isinstance(value, tuple):
        return tuple(map(with_none, value))
    return (value is not None, 0 if value is None else value)


def _steps(result: Value) -> int:
    """What a result costs: the size of a tuple or text; long numbers, as many steps as it takes to multiply them."""
    match result:
        case int():
            return 1 + (result.bit_length() >> 6) ** 2
        case tuple():
            return 1 + len(result)
        case str():
            return 1 + (len(result) >> 6)
        case Fraction(numerator=over, denominator=under):
            return 1 + ((over.bit_length() + under.bit_length()) >> 6) ** 2
    return 1


def _size(bag: Bag) -> int:
    """What a bag costs: the values in its elements, and how long its multiplicities are."""
    width = sum(map(_width, bag)) if any(isinstance(element, tuple) for element in bag) else len(bag)
    return width + sum(map(_steps, bag.values()))


def _width(value: Value) -> int:
    """How many components without components a value has."""
    return sum(map(_width, value)) if isinstance(value, tuple) else 1


_OVER_BAGS: dict[Operator, Callable[[Any], Any]] = {
    Operator.CARTESIAN: lambda bags: {(x, y): m * n for x, m in bags[0].items() for y, n in bags[1].items()},
    Operator.UNION: lambda bags: {x: bags[0].get(x, 0) + bags[1].get(x, 0) for x in {**bags[0], **bags[1]}},
    Operator.DISTINCT: lambda bags: dict.fromkeys(bags[0], 1),
}
"""What the operators on bags without UDFs make of the values of their arguments."""
