"""One encoding of core formulas for every back-end: SMT solvers, the Horn solver, and scripts in SMT-LIB.

What an operator is to a solver stands in the table of `core/operators.py`, as a function of SMT-LIB; a parameter of the
operator is its last argument there. A back-end makes constants, variables and applications of these functions. Tuples
are taken apart here: an encoded tuple is the Python tuple of its encoded components.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from tallystick.core.errors import FragmentError
from tallystick.core.operators import FIRST_ORDER
from tallystick.core.presburger.conversion import paths
from tallystick.core.terms import Operator, Term, project, subterms
from tallystick.core.types import BOOL, TupleType, Type


class BackEnd(Protocol):
    """Makes the terms of one solver."""

    def constant(self, value: bool | int) -> Any: ...

    def variable(self, path: Term) -> Any:
        """The Int or Bool variable for a variable or row, or for a component of one; asked for once a path."""
        ...

    def apply(self, symbol: str, arguments: Sequence[Any], of: Type) -> Any:
        """A function of SMT-LIB, by its name there, with a result of type Int or Bool.

        The divisors of `div` and `mod`, and the last factor of `*`, are constants; divisors are positive.
        """
        ...


class Encoder:
    """Encodes core formulas for one back-end, each distinct subterm once."""

    def __init__(self, back_end: BackEnd) -> None:
        self._back_end = back_end
        self._encoded: dict[Term, Any] = {}

    def encode(self, term: Term) -> Any:
        """A term of linear integer arithmetic (`terms.is_linear`); raises FragmentError for another, with its name."""
        for part in subterms(term):
            if part not in self._encoded:
                self._encoded[part] = self._applied(part, [self._encoded[argument] for argument in part.arguments])
        return self._encoded[term]

    def _applied(self, term: Term, arguments: list[Any]) -> Any:
        match term.operator, term.parameter:
            case Operator.CONSTANT, bool() | int() as value:
                return self._back_end.constant(value)
            case ((Operator.VARIABLE | Operator.ROW), _):
                paths(term)  # refuses what has no encoding
                return self._variable(term)
            case Operator.TUPLE, _:
                return tuple(arguments)
            case Operator.PROJECTION, int() as index:
                return arguments[0][index]
            case Operator.ITE, _:
                condition, then, otherwise = arguments
                return self._choice(condition, then, otherwise, term.type)
            case Operator.EQUAL, _:
                return self._equal(*arguments)
        symbol = FIRST_ORDER[term.operator].symbol if term.operator in FIRST_ORDER else None
        if symbol is None:
            raise FragmentError(f"{term.operator.value} does not belong into a formula")
        if isinstance(term.parameter, int):
            arguments.append(self._back_end.constant(term.parameter))
        return self._back_end.apply(symbol, arguments, term.type)

    def _variable(self, path: Term) -> Any:
        if isinstance(path.type, TupleType):
            return tuple(self._variable(project(path, index)) for index in range(len(path.type.components)))
        return self._back_end.variable(path)

    def _choice(self, condition: Any, then: Any, otherwise: Any, of: Type) -> Any:
        if isinstance(of, TupleType):
            sides = zip(then, otherwise, of.components, strict=True)
            return tuple(self._choice(condition, *side) for side in sides)
        return self._back_end.apply(_symbol(Operator.ITE), (condition, then, otherwise), of)

    def _equal(self, left: Any, right: Any) -> Any:
        sides = zip(_components(left), _components(right), strict=True)
        equal = [self._back_end.apply(_symbol(Operator.EQUAL), side, BOOL) for side in sides]
        return equal[0] if len(equal) == 1 else self._back_end.apply(_symbol(Operator.AND), equal, BOOL)


def _symbol(operator: Operator) -> str:
    symbol = FIRST_ORDER[operator].symbol
    if symbol is None:
        raise FragmentError(f"{operator.value} is no function of SMT-LIB")
    return symbol


def _components(encoded: Any) -> list[Any]:
    """The components of what is encoded, those of inner tuples too; itself if it is no tuple."""
    return [leaf for part in encoded for leaf in _components(part)] if isinstance(encoded, tuple) else [encoded]
