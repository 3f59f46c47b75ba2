"""Formulas of LTLss (paper, section 2.1).

    φ ::= ⊥ | ⊤ | p(e₁, …, eₙ) | e₁ = e₂ | ¬φ | φ ∨ φ | φ ∧ φ | φ → φ
        | X φ | ◇ₜ φ | □ₜ φ | φ Uₜ φ | φ Rₜ φ | λₓᵒ.φ

Two classes stand for the consume operator: `Consume` names the variables that it binds, as the paper does,
and `Bind` gives its body as a Python function of letter and time. A timeout is a natural number or a term
over bound variables; with timeout 0 the window of an operator is empty.

>>> x_is_b = Consume("x", "o", Equals(Variable("x"), Constant("b")))
>>> str(Always(Implies(x_is_b, Next(x_is_b)), 3))
'□₃ (λx.x = b → X λx.x = b)'
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NoReturn, TypeAlias

from tallystick.streaming.errors import FormulaError
from tallystick.streaming.logic.terms import Apply, Constant, Symbol, Term, Variable
from tallystick.streaming.logic.truth import Truth

Timeout: TypeAlias = int | Variable | Constant | Apply


class Phrase:
    """An operator that still waits for its timeout: call `.on(t)` or `.during(t)`."""

    def __init__(self, name: str, complete: Callable[[Timeout], Formula]) -> None:
        self._name = name
        self._complete = complete

    def on(self, timeout: Timeout) -> Formula:
        """Complete the operator with its timeout, a positive number of batches or a term."""
        if isinstance(timeout, int) and timeout < 1:
            raise FormulaError(f"{self._name} needs a timeout of at least one batch, not {timeout}")
        return self._complete(timeout)

    during = on

    def __bool__(self) -> NoReturn:
        raise FormulaError(f"{self._name} has no timeout yet: write {self._name}(…).on(10)")


class Formula:
    """What every formula can do: the Python operators, the timed phrases. Put operands in parentheses.

    `tallystick.streaming.logic.text` says how formulas are written.
    """

    def __and__(self, other: Any) -> Formula:
        return And(self, as_formula(other))

    def __or__(self, other: Any) -> Formula:
        return Or(self, as_formula(other))

    def __invert__(self) -> Formula:
        return Not(self)

    def __rshift__(self, other: Any) -> Formula:
        return self.implies(other)

    def implies(self, other: Any) -> Formula:
        """Return self → other; also written `self >> other`."""
        return Implies(self, as_formula(other))

    def until(self, other: Any) -> Phrase:
        """`a.until(b).on(t)` is a Uₜ b: b within t batches, and a in all batches before."""
        return Phrase("until", lambda timeout: Until(self, as_formula(other), timeout))

    def release(self, other: Any) -> Phrase:
        """`a.release(b).on(t)` is a Rₜ b: b for t batches, or up to and with a batch in which a holds too."""
        return Phrase("release", lambda timeout: Release(self, as_formula(other), timeout))

    def __bool__(self) -> NoReturn:
        raise FormulaError(
            "a formula has no truth value before it is evaluated: combine formulas with &, |, ~ and >>, "
            "not with and, or, not"
        )


@dataclass(frozen=True)
class Solved(Formula):
    """A solved formula: ⊤, ⊥, or ? once the word has ended."""

    value: Truth


TOP = Solved(Truth.TRUE)
BOTTOM = Solved(Truth.FALSE)


@dataclass(frozen=True)
class Predicate(Formula):
    """p(e₁, …, eₙ): holds when the interpretation of the symbol returns true."""

    symbol: Symbol
    arguments: tuple[Term, ...]


@dataclass(frozen=True)
class Equals(Formula):
    """e₁ = e₂."""

    left: Term
    right: Term


@dataclass(frozen=True)
class Not(Formula):
    """¬φ."""

    body: Formula


@dataclass(frozen=True)
class And(Formula):
    """φ₁ ∧ φ₂."""

    left: Formula
    right: Formula


@dataclass(frozen=True)
class Or(Formula):
    """φ₁ ∨ φ₂."""

    left: Formula
    right: Formula


@dataclass(frozen=True)
class Implies(Formula):
    """φ₁ → φ₂."""

    left: Formula
    right: Formula


@dataclass(frozen=True)
class Next(Formula):
    """X φ: φ holds in the next state."""

    body: Formula


@dataclass(frozen=True)
class _Timed(Formula):
    """An operator with one operand and a timeout."""

    body: Formula
    timeout: Timeout

    def __post_init__(self) -> None:
        check_timeout(self.timeout)


class Eventually(_Timed):
    """◇ₜ φ: φ holds in one of the next t states, this one included."""


class Always(_Timed):
    """□ₜ φ: φ holds in each of the next t states, this one included."""


@dataclass(frozen=True)
class _TimedPair(Formula):
    """An operator with two operands and a timeout."""

    left: Formula
    right: Formula
    timeout: Timeout

    def __post_init__(self) -> None:
        check_timeout(self.timeout)


class Until(_TimedPair):
    """φ₁ Uₜ φ₂: φ₂ holds in one of the next t states, and φ₁ in all states before that one."""


class Release(_TimedPair):
    """φ₁ Rₜ φ₂: φ₂ holds in the next t states, or up to and with a state in which φ₁ holds too."""


@dataclass(frozen=True)
class Consume(Formula):
    """λₓᵒ.φ: bind `letter` and `time` to the current letter and its timestamp; φ should hold in the next
    state."""

    letter: str
    time: str
    body: Formula


@dataclass(frozen=True)
class Bind(Formula):
    """λ with its body as a Python function of letter and time (sscheck's `BindNext`).

    `needs`, if given, is the safe word length of every formula that the function can return.
    """

    function: Callable[[Any, Any], Formula]
    needs: int | None = None
    name: str = "bind"


def next_times(formula: Formula, times: int) -> Formula:
    """Return Xⁿ φ; φ itself for n = 0."""
    for _ in range(times):
        formula = Next(formula)
    return formula


def check_timeout(timeout: Timeout) -> None:
    """Raise `FormulaError` unless the timeout is a natural number or a term."""
    if isinstance(timeout, (Variable, Constant, Apply)):
        return
    if isinstance(timeout, bool) or not isinstance(timeout, int) or timeout < 0:
        raise FormulaError(f"a timeout is a number of batches, 0 or more, not {timeout!r}")


def as_formula(value: Any) -> Formula:
    """Return the formula that a value stands for: itself, or ⊤ or ⊥ for a bool. Anything else is an error."""
    if isinstance(value, Formula):
        return value
    if isinstance(value, bool):
        return TOP if value else BOTTOM
    if isinstance(value, Phrase):
        bool(value)
    raise FormulaError(f"expected a formula, a phrase completed by .on(t), or a bool, not {value!r}")
