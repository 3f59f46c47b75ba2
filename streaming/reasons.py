"""Why a formula is false of a case: the atoms that make it so, each with its batch and its values.

>>> from tallystick.streaming import always, at, is_empty
>>> from tallystick.streaming.letters import Letter
>>> word = [(Letter({"output": ()}), 1000), (Letter({"output": (7,)}), 2000)]
>>> for reason in reasons(word, always(at("output", is_empty)).during(2)):
...     print(reason)
batch 2: [output is empty] is false: output = [7]
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tallystick.streaming.describe import shown
from tallystick.streaming.letters import Letter
from tallystick.streaming.logic.evaluation import evaluate
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
    Until,
)
from tallystick.streaming.logic.judgement import Word
from tallystick.streaming.logic.opening import opened
from tallystick.streaming.logic.traversal import flattened
from tallystick.streaming.logic.truth import Truth, negation
from tallystick.streaming.logic.variables import timeout_of


@dataclass(frozen=True)
class Reason:
    """An atom of a formula that has a value in a batch, and the records it looks at."""

    batch: int
    atom: str
    value: Truth
    seen: str

    def __str__(self) -> str:
        holds = "true" if self.value is Truth.TRUE else "false"
        return f"batch {self.batch}: {self.atom} is {holds}" + (f": {self.seen}" if self.seen else "")


def false_conjunct(word: Word, formula: Formula) -> Formula:
    """Return the first conjunct of a false formula that is false by itself; the formula, if it is no conjunction."""
    return next((part for part in flattened(And, formula) if evaluate(word, part) is Truth.FALSE), formula)


def reasons(word: Word, formula: Formula) -> list[Reason]:
    """Return atoms whose values make the formula false on the word, in the order of the formula, none twice."""
    return list(dict.fromkeys(_why(word, formula, 1, Truth.FALSE)))


def _why(word: Word, formula: Formula, position: int, value: Truth) -> list[Reason]:
    """The formula has the value at the position; return what gives it this value."""

    def is_so(part: Formula, wanted: Truth, at: int = position) -> bool:
        return evaluate(word[at - 1 :], part) is wanted

    def why(part: Formula, wanted: Truth, at: int = position) -> list[Reason]:
        return _why(word, part, at, wanted)

    match formula:
        case Solved() | Predicate() | Equals():
            return [Reason(position, str(formula), value, "")]
        case Not(body):
            return why(body, negation(value))
        case Next(body):
            return why(body, value, position + 1)
        case And() | Or():
            parts = flattened(type(formula), formula)
            if isinstance(formula, And) is (value is Truth.FALSE):
                parts = [next(part for part in parts if is_so(part, value))]
            return [reason for part in parts for reason in why(part, value)]
        case Implies(left, right):
            if value is Truth.FALSE:
                return [*why(left, Truth.TRUE), *why(right, Truth.FALSE)]
            return why(left, Truth.FALSE) if is_so(left, Truth.FALSE) else why(right, Truth.TRUE)
        case Consume() | Bind():
            return _of_letter(word, formula, position, value)
        case Eventually(body, timeout) | Always(body, timeout):
            window = range(position, position + timeout_of(timeout))
            if isinstance(formula, Always) is (value is Truth.FALSE):
                window = [next(at for at in window if is_so(body, value, at))]
            return [reason for at in window for reason in why(body, value, at)]
        case Until(left, right, timeout) | Release(left, right, timeout):
            strong = Truth.FALSE if isinstance(formula, Until) else Truth.TRUE
            found: list[Reason] = []
            for at in range(position, position + timeout_of(timeout)):
                if value is strong:
                    found += why(right, value, at)
                    if is_so(left, value, at):
                        return [*found, *why(left, value, at)]
                elif is_so(right, value, at):
                    return [*found, *why(right, value, at)]
                else:
                    found += why(left, value, at)
            return found
        case _:
            raise TypeError(f"not a formula: {formula!r}")


def _of_letter(word: Word, formula: Consume | Bind, position: int, value: Truth) -> list[Reason]:
    letter, time = word[position - 1]
    body = opened(formula, letter, time)
    if isinstance(body, Predicate | Equals | Solved):
        return [Reason(position, str(formula), value, _seen(formula, letter))]
    return _why(word, body, position + 1, value)


def _seen(formula: Consume | Bind, letter: Any) -> str:
    """The records that an atom looks at: those of the streams that it names."""
    if not isinstance(letter, Letter):
        return f"the letter is {letter!r}"
    named: tuple[str, ...] = tuple(letter)
    if isinstance(formula, Consume) and isinstance(formula.body, Predicate):
        named = getattr(formula.body.symbol.interpretation, "streams", named)
    return ", ".join(f"{name} = [{', '.join(map(shown, letter[name]))}]" for name in named)
