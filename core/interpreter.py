"""The reference semantics of SparkLite on finite bags (TR Fig. 5).

Written to be read and believed rather than to be fast. A bag is a dictionary from elements to multiplicities
of at least 1. A fold takes the elements in ascending order; where it is well defined, order does not matter.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from tallystick.core.errors import EvaluationError
from tallystick.core.terms import Operator, Term
from tallystick.core.types import BagType, Value, has_type

Bag = dict[Value, int]
Environment = Mapping[Term, Value | Bag]
"""A value of the right type for each variable."""

STEP_LIMIT = 10_000_000


class Undefined(EvaluationError):  # noqa: N818 - it is the outcome ⊥, not a mistake
    """The value is ⊥."""


def evaluate(term: Term, environment: Environment, step_limit: int = STEP_LIMIT) -> Value | Bag:
    """The value of a closed term.

    Raises Undefined when it is ⊥, and EvaluationError when a variable has no value of its type or when more
    than `step_limit` subterms would be evaluated.
    """
    for variable, value in environment.items():
        if not (is_bag(value, variable.type) if isinstance(variable.type, BagType) else has_type(value, variable.type)):
            raise EvaluationError(f"{value!r} is no value of type {variable.type}")
    return _Evaluation(environment, step_limit).value(term, {})


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


class _Evaluation:
    def __init__(self, environment: Environment, step_limit: int) -> None:
        self.environment = environment
        self.steps_left = step_limit
        self.closed: dict[Term, Value | Bag] = {}

    def value(self, term: Term, local: dict[Term, Value]) -> Value | Bag:
        """The value of a term; `local` holds its bound variables and the subterms that are known for them."""
        known = local if term.bound else self.closed
        if term not in known:
            self.spend(1)
            known[term] = self.compute(term, local)  # type: ignore[assignment]
        return known[term]

    def spend(self, steps: int) -> None:
        self.steps_left -= steps
        if self.steps_left < 0:
            raise EvaluationError("the evaluation takes more steps than its limit allows")

    def compute(self, term: Term, local: dict[Term, Value]) -> Value | Bag:
        operator, arguments, parameter = term.operator, term.arguments, term.parameter
        match operator:
            case Operator.CONSTANT:
                return parameter  # type: ignore[return-value]
            case Operator.VARIABLE:
                if term not in self.environment:
                    raise EvaluationError(f"no value is given for {parameter[0]}")  # type: ignore[index]
                return self.environment[term]
            case Operator.BOTTOM:
                raise Undefined("⊥")
            case Operator.ELEMENT | Operator.ACCUMULATOR:
                raise EvaluationError(f"{operator.value} occurs outside a UDF")
            case Operator.ITE:
                return self.value(arguments[1] if self.value(arguments[0], local) else arguments[2], local)
            case Operator.MAP | Operator.FILTER | Operator.FOLD | Operator.FOLD_BY_KEY:
                return self.higher_order(operator, arguments)
        values = [self.value(argument, local) for argument in arguments]
        match operator, values:
            case Operator.CARTESIAN | Operator.UNION, (left, right):
                return self.combine(operator, left, right)  # type: ignore[arg-type]
            case Operator.DISTINCT, (bag,):
                return dict.fromkeys(bag, 1)  # type: ignore[arg-type]
        return _first_order(operator, values, parameter)  # type: ignore[arg-type]

    def higher_order(self, operator: Operator, arguments: tuple[Term, ...]) -> Value | Bag:
        *initial, udf, over = arguments
        bag: Bag = self.value(over, {})  # type: ignore[assignment]
        result: Bag = {}
        match operator:
            case Operator.FOLD:
                return self.fold(self.value(initial[0], {}), udf, bag)  # type: ignore[arg-type]
            case Operator.FOLD_BY_KEY:
                start: Value = self.value(initial[0], {})  # type: ignore[assignment]
                buckets: dict[Value, Bag] = {}
                for (key, value), count in bag.items():  # type: ignore[misc]
                    buckets.setdefault(key, {})[value] = count
                return {(key, self.fold(start, udf, values)): 1 for key, values in buckets.items()}
            case Operator.FILTER:
                return {element: count for element, count in bag.items() if self.call(udf, element)}
            case _:
                for element, count in bag.items():
                    image = self.call(udf, element)
                    result[image] = result.get(image, 0) + count
                return result

    def fold(self, accumulated: Value, udf: Term, bag: Bag) -> Value:
        for element in sorted(bag):  # type: ignore[type-var]
            for _ in range(bag[element]):
                accumulated = self.call(udf, element, accumulated)
        return accumulated

    def call(self, udf: Term, element: Value, accumulated: Value | None = None) -> Value:
        local: dict[Term, Value] = {}
        for bound in udf.bound:
            local[bound] = element if bound.operator is Operator.ELEMENT else accumulated  # type: ignore[assignment]
        self.spend(1)
        return self.value(udf, local)  # type: ignore[return-value]

    def combine(self, operator: Operator, left: Bag, right: Bag) -> Bag:
        if operator is Operator.UNION:
            return {element: left.get(element, 0) + right.get(element, 0) for element in {**left, **right}}
        self.spend(len(left) * len(right))
        return {(x, y): m * n for x, m in left.items() for y, n in right.items()}


def _first_order(operator: Operator, values: list[Value], parameter: int) -> Value:
    match operator, values:
        case Operator.ADD, _:
            return sum(values)  # type: ignore[arg-type]
        case Operator.SCALE, (int(value),):
            return parameter * value
        case Operator.DIV, (int(value),):
            return value // parameter
        case Operator.MOD, (int(value),):
            return value % parameter
        case Operator.EQUAL, (left, right):
            return left == right
        case Operator.LESS, (int(left), int(right)):
            return left < right
        case Operator.LESS_EQUAL, (int(left), int(right)):
            return left <= right
        case Operator.NOT, (value,):
            return not value
        case Operator.AND, _:
            return all(values)
        case Operator.OR, _:
            return any(values)
        case Operator.TUPLE, _:
            return tuple(values)
        case Operator.PROJECTION, (tuple(value),):
            return value[parameter]
    raise EvaluationError(f"{operator.value} cannot be evaluated")
