"""The answers of provers: valid, invalid with a model, or unknown with a reason; and values of formulas.

A *formula* here is a quantifier-free Bool-typed term without ⊥ and bags, understood as universally closed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tallystick.core.errors import EvaluationError
from tallystick.core.terms import Operator, Term
from tallystick.core.types import Value

Model = dict[Term, Value]


@dataclass(frozen=True, slots=True)
class Valid:
    """The formula holds for all values of its variables.

    Attributes:
        witnesses: for `∀u ∃w. φ`, tuples of terms over u, one term for each variable of w, such that the
            disjunction of the φ[w := tuple] is valid; empty when there is no w, or when the prover gives
            none.
    """

    witnesses: tuple[tuple[Term, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Invalid:
    """The formula is false in `model`, which gives a value to each (universal) variable."""

    model: Model


@dataclass(frozen=True, slots=True)
class Unknown:
    """The prover gave up, and why."""

    reason: str


Answer = Valid | Invalid | Unknown


def evaluate(term: Term, model: Mapping[Term, Value]) -> Value:
    """The value of a term without ⊥, bags and bound variables, where variables have the model's values.

    Raises EvaluationError when a variable has no value, or when the term is of another kind.
    """
    known: dict[Term, Value] = dict(model)

    def visit(node: Term) -> Value:
        if node not in known:
            known[node] = _value(node)
        return known[node]

    def _value(node: Term) -> Value:
        if node.operator is Operator.ITE:
            return visit(node.arguments[1 if visit(node.arguments[0]) else 2])
        values = tuple(map(visit, node.arguments))
        match node.operator, values, node.parameter:
            case Operator.CONSTANT, (), int() as value:
                return value
            case Operator.ADD, _, _:
                return sum(values)  # type: ignore[arg-type]
            case Operator.SCALE, (int() as value,), int() as factor:
                return factor * value
            case Operator.DIV, (int() as value,), int() as divisor:
                return value // divisor
            case Operator.MOD, (int() as value,), int() as divisor:
                return value % divisor
            case Operator.EQUAL, (left, right), _:
                return left == right
            case Operator.LESS, (int() as left, int() as right), _:
                return left < right
            case Operator.LESS_EQUAL, (int() as left, int() as right), _:
                return left <= right
            case Operator.NOT, (value,), _:
                return not value
            case Operator.AND, _, _:
                return all(values)
            case Operator.OR, _, _:
                return any(values)
            case Operator.TUPLE, _, _:
                return values
            case Operator.PROJECTION, (tuple() as value,), int() as index:
                return value[index]
        raise EvaluationError(f"no value for {node!r}: not a variable of the model, or not part of a formula")

    return visit(term)
