"""Z3's verdict on formulas, through its own API and its own integer division: an encoding apart from ours."""

from __future__ import annotations

import z3
from tallystick.core.terms import Operator, Term
from tallystick.core.types import BoolType, TupleType

Encoded = z3.ExprRef | tuple["Encoded", ...]


def is_valid(formula: Term, milliseconds: int = 10_000) -> bool | None:
    """Whether Z3 finds the formula valid; None when it does not know."""
    solver = z3.Solver()
    solver.set("timeout", milliseconds)
    solver.add(z3.Not(encode(formula, {})))
    return {"unsat": True, "sat": False}.get(str(solver.check()))


def encode(term: Term, known: dict[Term, Encoded]) -> Encoded:
    """A formula or one of its terms for Z3; a tuple becomes the Python tuple of its components."""
    if term not in known:
        known[term] = _apply(term, [encode(argument, known) for argument in term.arguments])
    return known[term]


def _apply(term: Term, parts: list) -> Encoded:
    parameter = term.parameter
    match term.operator:
        case Operator.CONSTANT:
            return z3.BoolVal(parameter) if isinstance(term.type, BoolType) else z3.IntVal(parameter)
        case Operator.VARIABLE:
            return _variable(parameter[0], term.type)
        case Operator.ADD:
            return z3.Sum(parts)
        case Operator.SCALE:
            return parameter * parts[0]
        case Operator.DIV:
            return parts[0] / parameter
        case Operator.MOD:
            return parts[0] % parameter
        case Operator.EQUAL:
            return _equal(*parts)
        case Operator.LESS:
            return parts[0] < parts[1]
        case Operator.LESS_EQUAL:
            return parts[0] <= parts[1]
        case Operator.NOT:
            return z3.Not(parts[0])
        case Operator.AND:
            return z3.And(parts)
        case Operator.OR:
            return z3.Or(parts)
        case Operator.TUPLE:
            return tuple(parts)
        case Operator.PROJECTION:
            return parts[0][parameter]
        case Operator.ITE:
            return _choose(*parts)
    raise AssertionError(term.operator)


def _variable(name: str, of: object) -> Encoded:
    if isinstance(of, TupleType):
        return tuple(_variable(f"{name}.{index}", part) for index, part in enumerate(of.components))
    return z3.Bool(name) if isinstance(of, BoolType) else z3.Int(name)


def _equal(left: Encoded, right: Encoded) -> z3.BoolRef:
    if isinstance(left, tuple):
        return z3.And([_equal(*sides) for sides in zip(left, right, strict=True)])
    return left == right


def _choose(condition: z3.BoolRef, then: Encoded, otherwise: Encoded) -> Encoded:
    if isinstance(then, tuple):
        return tuple(_choose(condition, *sides) for sides in zip(then, otherwise, strict=True))
    return z3.If(condition, then, otherwise)
