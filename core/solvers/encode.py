"""Core formulas and Presburger formulas as pySMT formulas.

pySMT has no integer division, remainder or divisibility. `t div d` is a fresh q with d·q ≤ t < d·q + d, and
`t mod d` is t - d·q; the definitions are kept apart, since their place depends on the quantifiers around.
Nothing is simplified or substituted by pySMT: its simplifier divides integers through floats, its
substitution captures.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from pysmt.environment import Environment
from pysmt.fnode import FNode
from pysmt.typing import BOOL as PYSMT_BOOL
from pysmt.typing import INT as PYSMT_INT
from tallystick.core.errors import FragmentError
from tallystick.core.presburger.conversion import component, paths
from tallystick.core.presburger.formulas import (
    And,
    Atom,
    Exists,
    Forall,
    Formula,
    Iff,
    Implies,
    Not,
    Or,
    Relation,
)
from tallystick.core.presburger.linear import Linear
from tallystick.core.terms import Operator, Term, free_variables
from tallystick.core.types import BOOL, TupleType, Value


class Quotient(NamedTuple):
    """A symbol that stands for a quotient, what defines it, and the variables of the dividend."""

    symbol: FNode
    definition: FNode
    variables: frozenset[Term]


class Encoder:
    """Encodes core formulas over one set of symbols.

    Attributes:
        symbols: the symbol of each Int or Bool variable or component of a variable.
        quotients: the quotients that occur, each defined by a symbol of its own.
    """

    def __init__(self, environment: Environment) -> None:
        self._manager = environment.formula_manager
        self._encoded: dict[Term, FNode] = {}
        self.symbols: dict[Term, FNode] = {}
        self.quotients: dict[tuple[Term, int], Quotient] = {}

    def symbols_of(self, variables: Iterable[Term]) -> list[FNode]:
        """The symbols of the variables' components."""
        return [self._symbol(path) for variable in variables for path in paths(variable)]

    def _symbol(self, path: Term) -> FNode:
        if path not in self.symbols:
            kind = PYSMT_BOOL if path.type == BOOL else PYSMT_INT
            self.symbols[path] = self._manager.Symbol(f"v{len(self.symbols)}", kind)
        return self.symbols[path]

    def encode(self, term: Term) -> FNode:
        """An Int- or Bool-typed term without ⊥, bags and bound variables; raises FragmentError for
        another."""
        if term not in self._encoded:
            self._encoded[term] = self._encode(term)
        return self._encoded[term]

    def _encode(self, term: Term) -> FNode:
        manager, arguments = self._manager, term.arguments
        match term.operator, term.parameter:
            case Operator.CONSTANT, bool() as value:
                return manager.Bool(value)
            case Operator.CONSTANT, int() as value:
                return manager.Int(value)
            case Operator.VARIABLE | Operator.ROW, _ if not isinstance(term.type, TupleType):
                return self._symbol(*paths(term))
            case Operator.PROJECTION, int() as index:
                path = component(arguments[0], index)
                return self._symbol(path) if path is term else self.encode(path)
            case Operator.ADD, _:
                return manager.Plus([self.encode(argument) for argument in arguments])
            case Operator.SCALE, int() as factor:
                return manager.Times(manager.Int(factor), self.encode(arguments[0]))
            case Operator.DIV, int() as divisor:
                return self._quotient(arguments[0], divisor)
            case Operator.MOD, int() as divisor:
                multiple = manager.Times(manager.Int(divisor), self._quotient(arguments[0], divisor))
                return manager.Minus(self.encode(arguments[0]), multiple)
            case Operator.EQUAL, _:
                return self._equal(arguments[0], arguments[1])
            case Operator.LESS, _:
                return manager.LT(self.encode(arguments[0]), self.encode(arguments[1]))
            case Operator.LESS_EQUAL, _:
                return manager.LE(self.encode(arguments[0]), self.encode(arguments[1]))
            case Operator.NOT, _:
                return manager.Not(self.encode(arguments[0]))
            case Operator.AND, _:
                return manager.And([self.encode(argument) for argument in arguments])
            case Operator.OR, _:
                return manager.Or([self.encode(argument) for argument in arguments])
            case Operator.ITE, _:
                return manager.Ite(*(self.encode(argument) for argument in arguments))
        raise FragmentError(f"{term.operator.value} does not belong into a formula")

    def _equal(self, left: Term, right: Term) -> FNode:
        if isinstance(left.type, TupleType):
            indices = range(len(left.type.components))
            pairs = [(component(left, index), component(right, index)) for index in indices]
            return self._manager.And([self._equal(one, other) for one, other in pairs])
        relate = self._manager.Iff if left.type == BOOL else self._manager.Equals
        return relate(self.encode(left), self.encode(right))

    def _quotient(self, dividend: Term, divisor: int) -> FNode:
        key = dividend, divisor
        if key not in self.quotients:
            encoded = self.encode(dividend)
            manager = self._manager
            symbol = manager.Symbol(f"q{len(self.quotients)}", PYSMT_INT)
            remainder = manager.Minus(encoded, manager.Times(manager.Int(divisor), symbol))
            within = (manager.LE(manager.Int(0), remainder), manager.LT(remainder, manager.Int(divisor)))
            self.quotients[key] = Quotient(symbol, manager.And(within), free_variables(dividend))
        return self.quotients[key].symbol


def value_of(path: Term, values: dict[Term, Value]) -> Value:
    """The value of a variable, put together from those of its components (the default value where none
    is)."""
    if isinstance(path.type, TupleType):
        inner = (component(path, index) for index in range(len(path.type.components)))
        return tuple(value_of(part, values) for part in inner)
    return values.get(path, False if path.type == BOOL else 0)


def encode_formula(formula: Formula, environment: Environment) -> FNode:
    """A Presburger formula, with quantifiers; divisibility becomes ∃q. t = d·q, its negation 1 ≤ t - d·q <
    d."""
    manager = environment.formula_manager
    bound = 0

    def symbol(name: str) -> FNode:
        return manager.Symbol(f"x {name}", PYSMT_INT)

    def linear(term: Linear) -> FNode:
        products = [manager.Times(manager.Int(factor), symbol(name)) for name, factor in term.coefficients]
        return manager.Plus([*products, manager.Int(term.constant)])

    def atom(found: Atom) -> FNode:
        nonlocal bound
        encoded, zero = linear(found.term), manager.Int(0)
        match found.relation:
            case Relation.AT_MOST:
                return manager.LE(encoded, zero)
            case Relation.EQUAL:
                return manager.Equals(encoded, zero)
            case Relation.DIFFERS:
                return manager.Not(manager.Equals(encoded, zero))
        bound += 1
        quotient = manager.Symbol(f"q {bound}", PYSMT_INT)
        remainder = manager.Minus(encoded, manager.Times(manager.Int(found.divisor), quotient))
        if found.relation is Relation.DIVIDES:
            return manager.Exists([quotient], manager.Equals(remainder, zero))
        above = manager.LT(remainder, manager.Int(found.divisor))
        return manager.Exists([quotient], manager.And(manager.LT(zero, remainder), above))

    def visit(part: Formula) -> FNode:
        match part:
            case Atom():
                return atom(part)
            case And(parts):
                return manager.And([visit(inner) for inner in parts])
            case Or(parts):
                return manager.Or([visit(inner) for inner in parts])
            case Not(inner):
                return manager.Not(visit(inner))
            case Implies(premise, conclusion):
                return manager.Implies(visit(premise), visit(conclusion))
            case Iff(left, right):
                return manager.Iff(visit(left), visit(right))
            case Exists(names, body):
                return manager.Exists([symbol(name) for name in names], visit(body))
            case Forall(names, body):
                return manager.ForAll([symbol(name) for name in names], visit(body))

    return visit(formula)
