"""Free variables, substitution, and the value of a timeout (paper, section 2.1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tallystick.streaming.errors import FormulaError
from tallystick.streaming.logic import terms
from tallystick.streaming.logic.formulas import (
    Always,
    And,
    Bind,
    Consume,
    Equals,
    Eventually,
    Formula,
    Implies,
    Next,
    Not,
    Or,
    Predicate,
    Release,
    Solved,
    Timeout,
    Until,
)
from tallystick.streaming.logic.traversal import fold


def free_variables_of(formula: Formula) -> frozenset[str]:
    """Return fv(φ): the variables that no consume operator binds, those of timeouts included."""
    return fold(formula, _free)


def _free(formula: Formula, of_operands: Sequence[frozenset[str]]) -> frozenset[str]:
    found = frozenset().union(*of_operands)
    match formula:
        case Predicate(_, arguments):
            return found.union(*map(terms.free_variables, arguments))
        case Equals(left, right):
            return terms.free_variables(left) | terms.free_variables(right)
        case Eventually(_, timeout) | Always(_, timeout) | Until(_, _, timeout) | Release(_, _, timeout):
            return found | _of_timeout(timeout)
        case Consume(letter, time, _):
            return found - {letter, time}
        case Solved() | Bind() | Not() | Next() | And() | Or() | Implies():
            return found
        case _:
            raise TypeError(f"not a formula: {formula!r}")


def substitute(formula: Formula, binding: Mapping[str, Any]) -> Formula:
    """Replace free variables by constants. What replaces them is closed, so nothing can be captured."""
    if not binding:
        return formula
    match formula:
        case Solved() | Bind():
            return formula
        case Predicate(symbol, arguments):
            return Predicate(symbol, tuple(terms.substitute(argument, binding) for argument in arguments))
        case Equals(left, right):
            return Equals(terms.substitute(left, binding), terms.substitute(right, binding))
        case Not(body) | Next(body):
            return type(formula)(substitute(body, binding))
        case Eventually(body, timeout) | Always(body, timeout):
            return type(formula)(substitute(body, binding), _in_timeout(timeout, binding))
        case And(left, right) | Or(left, right) | Implies(left, right):
            return type(formula)(substitute(left, binding), substitute(right, binding))
        case Until(left, right, timeout) | Release(left, right, timeout):
            new_left, new_right = substitute(left, binding), substitute(right, binding)
            return type(formula)(new_left, new_right, _in_timeout(timeout, binding))
        case Consume(letter, time, body):
            visible = {name: value for name, value in binding.items() if name not in (letter, time)}
            return Consume(letter, time, substitute(body, visible))
        case _:
            raise TypeError(f"not a formula: {formula!r}")


def timeout_of(timeout: Timeout) -> int:
    """Return the value of a closed timeout. Raises `FormulaError` unless it is a natural number."""
    if isinstance(timeout, int):
        return timeout
    value = terms.value_of(timeout)
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise FormulaError(f"the timeout {timeout} came out as {value!r}: it must be a natural number")
    return value


def _of_timeout(timeout: Timeout) -> frozenset[str]:
    return frozenset() if isinstance(timeout, int) else terms.free_variables(timeout)


def _in_timeout(timeout: Timeout, binding: Mapping[str, Any]) -> Timeout:
    return timeout if isinstance(timeout, int) else terms.substitute(timeout, binding)
