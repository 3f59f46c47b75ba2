"""The next form of a formula: explicit (Definition 2.2), recursive (Definition 2.3) and lazy (section 2.2).

    ψ ::= ⊥ | ⊤ | p(e, …, e) | e = e | ¬ψ | ψ ∨ ψ | ψ ∧ ψ | ψ → ψ | X ψ | λₓᵒ.ψ        (Definition 2.1)

Definition 2.3 prints nt(φ₁ R₁ φ₂) = nt(φ₁) ∧ nt(φ₂). Definition 2.2 and the judgement give φ₂, which is
what is computed here (ERRATA.md, item 7). A timeout of 0, which a term may evaluate to, gives the empty ∨
or ∧.

>>> from tallystick.streaming.logic.formulas import Consume, Equals, Eventually
>>> from tallystick.streaming.logic.terms import Constant, Variable
>>> x_is_c = Consume("x", "o", Equals(Variable("x"), Constant("c")))
>>> print(explicit_next_form(Eventually(x_is_c, 3)))
λx.x = c ∨ X λx.x = c ∨ X² λx.x = c
>>> print(recursive_next_form(Eventually(x_is_c, 3)))
λx.x = c ∨ X (λx.x = c ∨ X λx.x = c)
>>> print(lazy_next_form(Eventually(x_is_c, 3)))
λx.x = c ∨ X ◇₂ λx.x = c
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce

from tallystick.streaming.errors import FormulaError
from tallystick.streaming.logic.formulas import (
    BOTTOM,
    TOP,
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
    next_times,
)
from tallystick.streaming.logic.opening import opened
from tallystick.streaming.logic.terms import free_variables
from tallystick.streaming.logic.variables import timeout_of

_Timed = Eventually | Always | Until | Release


def is_next_form(formula: Formula) -> bool:
    """Whether the formula is in next form (Definition 2.1). The body of a `Bind` cannot be seen; it is
    trusted."""
    match formula:
        case Solved() | Predicate() | Equals() | Bind():
            return True
        case Not(body) | Next(body) | Consume(_, _, body):
            return is_next_form(body)
        case And(left, right) | Or(left, right) | Implies(left, right):
            return is_next_form(left) and is_next_form(right)
        case Eventually() | Always() | Until() | Release():
            return False
        case _:
            raise TypeError(f"not a formula: {formula!r}")


def explicit_next_form(formula: Formula) -> Formula:
    """Return ntᵉ(φ) (Definition 2.2).

    Raises `FormulaError` when a timeout depends on a variable, or the body of a consume operator is a Python
    function: then no next form can be computed beforehand.
    """
    match formula:
        case Solved() | Predicate() | Equals():
            return formula
        case Bind():
            raise FormulaError(f"no explicit next form: the body of {formula} is known only at its letter")
        case Not(body) | Next(body):
            return type(formula)(explicit_next_form(body))
        case Consume(letter, time, body):
            return Consume(letter, time, explicit_next_form(body))
        case And(left, right) | Or(left, right) | Implies(left, right):
            return type(formula)(explicit_next_form(left), explicit_next_form(right))
        case Eventually(body, timeout):
            return _disjunction([next_times(explicit_next_form(body), k) for k in range(_known(timeout, formula))])
        case Always(body, timeout):
            return _conjunction([next_times(explicit_next_form(body), k) for k in range(_known(timeout, formula))])
        case Until(left, right, timeout):
            first, second = explicit_next_form(left), explicit_next_form(right)
            return _disjunction([_until_at(first, second, k) for k in range(_known(timeout, formula))])
        case Release(left, right, timeout):
            first, second = explicit_next_form(left), explicit_next_form(right)
            end = _known(timeout, formula)
            always = _conjunction([next_times(second, k) for k in range(end)])
            released = [_until_at(second, And(first, second), k) for k in range(end)]
            return _disjunction([always, *released])
        case _:
            raise TypeError(f"not a formula: {formula!r}")


def recursive_next_form(formula: Formula) -> Formula:
    """Return nt(φ) (Definition 2.3). Below a consume operator whose variables occur in timeouts, and in the
    body of a `Bind`, the transformation waits for the letter, as in Example 6.
    """
    match formula:
        case Solved() | Predicate() | Equals():
            return formula
        case Not(body) | Next(body):
            return type(formula)(recursive_next_form(body))
        case Consume(letter, time, body) if not _open_timeouts(body):
            return Consume(letter, time, recursive_next_form(body))
        case Consume() | Bind():
            name = f"λ.nt({formula.body})" if isinstance(formula, Consume) else formula.name
            return Bind(lambda e, t: recursive_next_form(opened(formula, e, t)), None, name)
        case And(left, right) | Or(left, right) | Implies(left, right):
            return type(formula)(recursive_next_form(left), recursive_next_form(right))
        case Eventually() | Always() | Until() | Release():
            return _unfolded(formula, recursive_next_form, lambda rest: Next(recursive_next_form(rest)))
        case _:
            raise TypeError(f"not a formula: {formula!r}")


def lazy_next_form(formula: Formula) -> Formula:
    """Return nt(φ) as far as the current letter needs it: operands of X and λ are left as they are."""
    match formula:
        case Solved() | Predicate() | Equals() | Next() | Consume() | Bind():
            return formula
        case Not(body):
            return Not(lazy_next_form(body))
        case And(left, right) | Or(left, right) | Implies(left, right):
            return type(formula)(lazy_next_form(left), lazy_next_form(right))
        case Eventually() | Always() | Until() | Release():
            return _unfolded(formula, lazy_next_form, Next)
        case _:
            raise TypeError(f"not a formula: {formula!r}")


def _unfolded(
    formula: _Timed, transform: Callable[[Formula], Formula], postpone: Callable[[Formula], Formula]
) -> Formula:
    """Unfold one state of a timed operator: `transform` acts on the current state, `postpone` on the rest."""
    timeout = timeout_of(formula.timeout)
    if timeout == 0:
        return TOP if isinstance(formula, Always | Release) else BOTTOM
    if isinstance(formula, Eventually | Always):
        now = transform(formula.body)
        if timeout == 1:
            return now
        rest = postpone(type(formula)(formula.body, timeout - 1))
        return Or(now, rest) if isinstance(formula, Eventually) else And(now, rest)
    now = transform(formula.right)
    if timeout == 1:
        return now
    left = transform(formula.left)
    rest = postpone(type(formula)(formula.left, formula.right, timeout - 1))
    if isinstance(formula, Until):
        return Or(now, And(left, rest))
    return Or(And(left, now), And(now, rest))


def _until_at(before: Formula, then: Formula, k: int) -> Formula:
    """Return before ∧ X before ∧ … ∧ Xᵏ⁻¹ before ∧ Xᵏ then."""
    return _conjunction([*(next_times(before, j) for j in range(k)), next_times(then, k)])


def _known(timeout: Timeout, formula: Formula) -> int:
    if _is_open(timeout):
        raise FormulaError(f"no explicit next form: the timeout of {formula} is known only at a letter")
    return timeout_of(timeout)


def _open_timeouts(formula: Formula) -> bool:
    """Whether some timeout in the formula has a variable, or a `Bind` in it hides whether it has."""
    match formula:
        case Solved() | Predicate() | Equals() | Bind():
            return False
        case Not(body) | Next(body) | Consume(_, _, body):
            return _open_timeouts(body)
        case And(left, right) | Or(left, right) | Implies(left, right):
            return _open_timeouts(left) or _open_timeouts(right)
        case Eventually(body, timeout) | Always(body, timeout):
            return _is_open(timeout) or _open_timeouts(body)
        case Until(left, right, timeout) | Release(left, right, timeout):
            return _is_open(timeout) or _open_timeouts(left) or _open_timeouts(right)
        case _:
            raise TypeError(f"not a formula: {formula!r}")


def _is_open(timeout: Timeout) -> bool:
    return not isinstance(timeout, int) and bool(free_variables(timeout))


def _conjunction(formulas: list[Formula]) -> Formula:
    return reduce(And, formulas) if formulas else TOP


def _disjunction(formulas: list[Formula]) -> Formula:
    return reduce(Or, formulas) if formulas else BOTTOM
