"""Tuples: an equality of tuples is the equality of their components (TR Proposition 1)."""

from __future__ import annotations

from tallystick.core.errors import FragmentError
from tallystick.core.normalize.rewriting import Names, bottom_up, in_order
from tallystick.core.terms import (
    Operator,
    Parameter,
    Term,
    conjunction,
    equal,
    free_variables,
    project,
    simplified,
    tuple_of,
    variable,
)
from tallystick.core.types import TupleType, Type


def tuples(formula: Term) -> Term:
    """A variable of a tuple type becomes one variable a component, and equalities go component by component.

        (x, y) = p  ⟿  x = p.1 ∧ y = p.2          p₁((x, y))  ⟿  x

    The formula is read as true for all values of its variables, so the components range over what the tuple did.
    Raises FragmentError when the formula still has conditionals or ⊥, which the passes before this one remove.
    """
    names = Names(formula)
    wholes = in_order(term for term in free_variables(formula) if isinstance(term.type, TupleType))
    split = {whole: _components(whole.parameter[0], whole.type, names) for whole in wholes}  # type: ignore[index]

    def make(operator: Operator, arguments: tuple[Term, ...], parameter: Parameter) -> Term:
        if operator in (Operator.ITE, Operator.BOTTOM):
            raise FragmentError(f"{operator.value} is removed from a formula before its tuples are")
        if operator is Operator.EQUAL:
            return _equal(*arguments)
        return split.get(whole := simplified(operator, arguments, parameter), whole)

    return bottom_up(formula, make)


def _components(name: str, of: Type, names: Names) -> Term:
    if not isinstance(of, TupleType):
        return variable(names.fresh(name), of)
    return tuple_of(*(_components(f"{name}.{index}", part, names) for index, part in enumerate(of.components, 1)))


def _equal(left: Term, right: Term) -> Term:
    if not isinstance(left.type, TupleType):
        return equal(left, right)
    return conjunction(*(_equal(project(left, i), project(right, i)) for i in range(len(left.type.components))))
