"""The fluent way to write formulas over the named streams of a program.

    always(at("output", for_each_record(lambda n: n > 0))).during(10)
    at("input", is_empty).until(at("output", contains("#spark"))).on(5)
    always(bind(lambda letter, time: later(at("output", contains(letter.input[0]))).on(3), needs=3)).during(4)

Combine formulas with `&`, `|`, `~` and `>>` (implies). Python gives these no useful precedence among each
other, so put operands in parentheses. Everything here builds the formulas of
`tallystick.streaming.logic.formulas`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tallystick.streaming.describe import arity, describe
from tallystick.streaming.errors import FormulaError
from tallystick.streaming.letters import Letter
from tallystick.streaming.logic.formulas import (
    Always,
    Bind,
    Consume,
    Eventually,
    Formula,
    Phrase,
    Predicate,
    as_formula,
    next_times,
)
from tallystick.streaming.logic.terms import Symbol, Variable


def always(formula: Formula) -> Phrase:
    """`always(a).during(t)` is □ₜ a: a holds in this batch and the t − 1 that follow."""
    body = as_formula(formula)
    return Phrase("always", lambda timeout: Always(body, timeout))


def later(formula: Formula) -> Phrase:
    """`later(a).on(t)` is ◇ₜ a: a holds in this batch or one of the t − 1 that follow."""
    body = as_formula(formula)
    return Phrase("later", lambda timeout: Eventually(body, timeout))


def next_(formula: Formula, times: int = 1) -> Formula:
    """Return Xⁿ φ: the formula holds `times` batches later."""
    if times < 0:
        raise FormulaError(f"next_ looks ahead: times must be 0 or more, not {times}")
    return next_times(as_formula(formula), times)


def at(stream: str | tuple[str, ...], predicate: Callable[..., bool], name: str | None = None) -> Formula:
    """A predicate on the current batch of a stream, or on those of several, given in that order.

    `name` is what failure tables show; without it, the predicate's own text is shown.
    """
    streams = (stream,) if isinstance(stream, str) else tuple(stream)
    test = OnBatches(streams, predicate)
    symbol = Symbol(name or f"{', '.join(streams)} {describe(predicate)}", test, is_sentence=True)
    return Consume("letter", "time", Predicate(symbol, (Variable("letter"),)))


def now(predicate: Callable[..., bool], name: str | None = None) -> Formula:
    """A predicate on the current letter, or, if it takes two arguments, on the letter and its timestamp in
    ms."""
    timed = arity(predicate) == 2
    arguments = (Variable("letter"), Variable("time")) if timed else (Variable("letter"),)
    symbol = Symbol(name or describe(predicate), OnLetter(predicate), is_sentence=True)
    return Consume("letter", "time", Predicate(symbol, arguments))


def bind(function: Callable[..., Any], needs: int | None = None, name: str | None = None) -> Formula:
    """The consume operator: give the current letter (and its timestamp, in ms) to a function; the formula
    that it returns should hold from the next batch on. Its timeouts may depend on what is bound.

    `needs` declares the safe word length of the formulas returned, and gives the whole a safe word length.
    """
    timed = function if arity(function) == 2 else lambda letter, time: function(letter)
    return Bind(timed, needs, name or f"bind({describe(function)})")


@dataclass(frozen=True)
class OnBatches:
    """The interpretation of `at`: picks the batches of the letter and asks the predicate."""

    streams: tuple[str, ...]
    predicate: Callable[..., bool]

    def __call__(self, letter: Letter) -> bool:
        return _truth(self.predicate, *(letter[name] for name in self.streams))


@dataclass(frozen=True)
class OnLetter:
    """The interpretation of `now`: asks the predicate about the letter, or about the letter and its timestamp."""

    predicate: Callable[..., bool]

    def __call__(self, *given: Any) -> bool:
        return _truth(self.predicate, *given)


def _truth(predicate: Callable[..., bool], *arguments: Any) -> bool:
    """What a predicate says. Nothing is not false: it is what a function without `return` returns."""
    answer = predicate(*arguments)
    if isinstance(answer, (Formula, Phrase)):
        raise FormulaError(f"the predicate {describe(predicate)} returned a formula: use bind for that")
    if answer is None:
        raise FormulaError(f"the predicate {describe(predicate)} returned None: it must return whether it holds")
    return bool(answer)
