"""Why a formula is false of a case: the atoms that make it so, each with its batch and its values.

>>> from tallystick.streaming import always, at, is_empty
>>> from tallystick.streaming.letters import Letter
>>> word = [(Letter({"output": ()}), 1000), (Letter({"output": (7,)}), 2000)]
>>> for reason in reasons(word, always(at("output", is_empty)).during(2)):
...     print(reason)
batch 2: [output is empty] is false: output = [7]
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tallystick.streaming.describe import shown
from tallystick.streaming.letters import Letter
from tallystick.streaming.logic.evaluation import Evaluation, evaluate
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


@dataclass(frozen=True)
class Claim:
    """That a formula has a value at a position of the word."""

    formula: Formula
    position: int
    value: Truth


def false_conjunct(word: Word, formula: Formula) -> Formula:
    """Return the first conjunct of a false formula that is false by itself; the formula, if it is no conjunction."""
    return _first(word, 1, flattened(And, formula), Truth.FALSE)


def reasons(word: Word, formula: Formula) -> list[Reason]:
    """Return atoms whose values make the formula false on the word, in the order of the formula, none twice."""
    found: dict[Reason, None] = {}
    waiting: list[Claim | Reason] = [Claim(formula, 1, Truth.FALSE)]
    while waiting:
        claim = waiting.pop()
        if isinstance(claim, Reason):
            found[claim] = None
        else:
            waiting += reversed(_why(word, claim))
    return list(found)


def _why(word: Word, claim: Claim) -> Sequence[Claim | Reason]:
    """Return what makes a true claim true: claims about parts of its formula, or an atom."""
    formula, position, value = claim.formula, claim.position, claim.value
    match formula:
        case Solved() | Predicate() | Equals():
            return [Reason(position, str(formula), value, "")]
        case Not(body):
            return [Claim(body, position, negation(value))]
        case Next(body):
            return [Claim(body, position + 1, value)]
        case And() | Or():
            parts = flattened(type(formula), formula)
            if isinstance(formula, And) is (value is Truth.FALSE):
                parts = [_first(word, position, parts, value)]
            return [Claim(part, position, value) for part in parts]
        case Implies(left, right):
            if value is Truth.FALSE:
                return [Claim(left, position, Truth.TRUE), Claim(right, position, Truth.FALSE)]
            either = Not(left)
            if _first(word, position, [either, right], Truth.TRUE) is either:
                return [Claim(left, position, Truth.FALSE)]
            return [Claim(right, position, Truth.TRUE)]
        case Consume() | Bind():
            return [_of_letter(word, formula, position, value)]
        case Eventually(body, timeout) | Always(body, timeout):
            window = range(position, position + timeout_of(timeout))
            if isinstance(formula, Always) is (value is Truth.FALSE):
                window = [next(at for at in window if _is(word, Claim(body, at, value)))]
            return [Claim(body, at, value) for at in window]
        case Until() | Release():
            return _why_of_two(word, formula, position, value)
        case _:
            raise TypeError(f"not a formula: {formula!r}")


def _why_of_two(word: Word, formula: Until | Release, position: int, value: Truth) -> list[Claim]:
    """φ U ψ is false because ψ is false until φ is too; it is true because φ is true until ψ is; R is the dual."""
    ends_with_both = Truth.FALSE if isinstance(formula, Until) else Truth.TRUE
    found: list[Claim] = []
    for at in range(position, position + timeout_of(formula.timeout)):
        left, right = Claim(formula.left, at, value), Claim(formula.right, at, value)
        if value is ends_with_both:
            found.append(right)
            if _is(word, left):
                return [*found, left]
        elif _is(word, right):
            return [*found, right]
        else:
            found.append(left)
    return found


def _is(word: Word, claim: Claim) -> bool:
    return evaluate(word[claim.position - 1 :], claim.formula) is claim.value


def _first(word: Word, position: int, parts: Sequence[Formula], value: Truth) -> Formula:
    """Return the part that has the value after the fewest letters; one of them has it.

    The parts are evaluated side by side, letter by letter, as a connective is, until only one is left; so a nest of
    thousands of them, each of an atom and the rest, does not take a walk to the end of the word for each.
    """
    open_parts = [(part, Evaluation(part)) for part in parts]
    for letter, time in word[position - 1 :]:
        undecided: list[tuple[Formula, Evaluation]] = []
        for part, evaluation in open_parts:
            if len(open_parts) == 1 or evaluation.consume(letter, time) is value:
                return part
            if not evaluation.verdict.is_definite:
                undecided.append((part, evaluation))
        open_parts = undecided
    return next(part for part, evaluation in open_parts if evaluation.finish() is value)


def _of_letter(word: Word, formula: Consume | Bind, position: int, value: Truth) -> Claim | Reason:
    letter, time = word[position - 1]
    body = opened(formula, letter, time)
    if isinstance(body, Predicate | Equals | Solved):
        return Reason(position, str(formula), value, _seen(formula, letter))
    return Claim(body, position + 1, value)


def _seen(formula: Consume | Bind, letter: Any) -> str:
    """The records that an atom looks at: those of the streams that it names."""
    if not isinstance(letter, Letter):
        return f"the letter is {letter!r}"
    named: tuple[str, ...] = tuple(letter)
    if isinstance(formula, Consume) and isinstance(formula.body, Predicate):
        named = getattr(formula.body.symbol.interpretation, "streams", named)
    return ", ".join(f"{name} = [{', '.join(map(shown, letter[name]))}]" for name in named)
