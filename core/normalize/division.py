"""Division: quotients and remainders as variables."""

from __future__ import annotations

from tallystick.core.normalize.rewriting import Names, bottom_up
from tallystick.core.terms import (
    Operator,
    Parameter,
    Term,
    add,
    conjunction,
    constant,
    equal,
    implies,
    less,
    less_equal,
    scale,
    simplified,
    variable,
)
from tallystick.core.types import INT


def division(formula: Term) -> Term:
    """`t div c` and `t mod c` become new variables q and r, and what determines them a premise of the formula.

        ψ[t div c, t mod c]  ⟿  t = c·q + r ∧ 0 ≤ r ∧ r < c ⇒ ψ[q, r]

    The new variables are read like all others, for all values: ∀q,r. constraints ⇒ ψ[q, r]. For every t there is
    exactly one such q and r, so this holds just where ψ does, and ∃q,r. constraints ∧ ψ[q, r] would say the same.
    The constraints are premises of the whole formula, not of an atom: under a negation an atom's would change sides.
    """
    names = Names(formula)
    parts: dict[tuple[Term, int], tuple[Term, Term]] = {}
    constraints: list[Term] = []

    def make(operator: Operator, arguments: tuple[Term, ...], parameter: Parameter) -> Term:
        if operator not in (Operator.DIV, Operator.MOD):
            return simplified(operator, arguments, parameter)
        (dividend,), divisor = arguments, parameter
        assert isinstance(divisor, int)
        if (dividend, divisor) not in parts:
            quotient, remainder = (variable(names.fresh(f"{letter}{len(parts)}"), INT) for letter in "qr")
            parts[dividend, divisor] = quotient, remainder
            constraints.append(equal(dividend, add(scale(divisor, quotient), remainder)))
            constraints.append(less_equal(constant(0), remainder))
            constraints.append(less(remainder, constant(divisor)))
        return parts[dividend, divisor][operator is Operator.MOD]

    rewritten = bottom_up(formula, make)
    return implies(conjunction(*constraints), rewritten)
