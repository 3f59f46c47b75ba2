"""Presburger formulas, quantifiers included, as pySMT formulas; core formulas are encoded in `encode.py`."""

from __future__ import annotations

from pysmt.environment import Environment
from pysmt.fnode import FNode
from pysmt.typing import INT as PYSMT_INT
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
