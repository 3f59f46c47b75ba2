"""Conditions made of others, the test for NULL, and CASE, as pairs of formulas and cells."""

from __future__ import annotations

from tallystick.core.queries.compilation.bags import Scopes
from tallystick.core.queries.compilation.cells import Cell, Truth, certain
from tallystick.core.queries.compilation.scalars import Scalars
from tallystick.core.queries.constructs.truths import And, Case, IsNull, Not, Or
from tallystick.core.terms import FALSE, TRUE, Term, conjunction, disjunction, ite, negation


def truth(node: And | Or | Not | IsNull | Case, scalars: Scalars, scopes: Scopes) -> Truth:
    """When a boolean expression is true, and when it is false."""
    match node:
        case And(operands):
            truths = [scalars.truth(operand, scopes) for operand in operands]
            return Truth(conjunction(*(each.true for each in truths)), disjunction(*(each.false for each in truths)))
        case Or(operands):
            truths = [scalars.truth(operand, scopes) for operand in operands]
            return Truth(disjunction(*(each.true for each in truths)), conjunction(*(each.false for each in truths)))
        case Not(operand):
            negated = scalars.truth(operand, scopes)
            return Truth(negated.false, negated.true)
        case IsNull(operand):
            return certain(scalars.cell(operand, scopes).null)
        case Case(branches, default):
            result = scalars.truth(default, scopes)
            for test, value in reversed(branches):
                taken, inner = scalars.truth(test, scopes).true, scalars.truth(value, scopes)
                result = Truth(_chosen(taken, inner.true, result.true), _chosen(taken, inner.false, result.false))
            return result


def cell(node: Case, scalars: Scalars, scopes: Scopes) -> Cell:
    """The value of a CASE that is not boolean."""
    result = scalars.cell(node.default, scopes)
    for test, value in reversed(node.branches):
        taken, inner = scalars.truth(test, scopes).true, scalars.cell(value, scopes)
        result = Cell(ite(taken, inner.null, result.null), ite(taken, inner.value, result.value))
    return result


def _chosen(test: Term, one: Term, other: Term) -> Term:
    """One formula where a test holds, else another; the test itself, or its negation, if these are constants."""
    if {one, other} == {TRUE, FALSE}:
        return test if one is TRUE else negation(test)
    return ite(test, one, other)
