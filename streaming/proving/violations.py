"""What it takes for a formula to be false: a positive combination of claims about batches, and how many witnesses.

The formula is unrolled over the letters 1, 2, … that decide it. A claim is that at least so many records of a batch
satisfy a test, or at most so many. Only claims of the first kind need records; to take others away makes none of the
second kind false.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from itertools import product
from math import prod

from tallystick.streaming.describe import describe
from tallystick.streaming.fluent import OnBatches
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
from tallystick.streaming.logic.terms import Variable
from tallystick.streaming.logic.text import text_of
from tallystick.streaming.logic.truth import Truth
from tallystick.streaming.logic.variables import timeout_of
from tallystick.streaming.predicates import BatchPredicate, Number, OneOf
from tallystick.streaming.proving.recording import NotUnderstoodError


@dataclass(frozen=True, eq=False)
class Claim:
    """In a letter, at least `count` records of a stream satisfy the test of a number, or fewer."""

    stream: str
    letter: int
    number: Number
    at_least: bool
    count: int


@dataclass(frozen=True, eq=False)
class AllOf:
    """All parts hold; none, that is true."""

    parts: tuple[Violation, ...]


@dataclass(frozen=True, eq=False)
class AnyOf:
    """Some part holds; none, that is false."""

    parts: tuple[Violation, ...]


Violation = Claim | AllOf | AnyOf
ALWAYS, NEVER = AllOf(()), AnyOf(())


class Unrolling:
    """When a formula is false, or true; equal parts are one object. Raises `NotUnderstoodError`."""

    def __init__(self) -> None:
        self._known: dict[tuple[int, int, bool], Violation] = {}
        self._claims: dict[tuple[str, int, Number, bool, int], Claim] = {}

    def when(self, formula: Formula, letter: int, holds: bool) -> Violation:
        """What it takes for the formula to be true, or false, from a letter on."""
        key = id(formula), letter, holds
        if key not in self._known:
            self._known[key] = self._when(formula, letter, holds)
        return self._known[key]

    def _when(self, formula: Formula, letter: int, holds: bool) -> Violation:
        match formula:
            case Solved(value):
                if value is Truth.UNKNOWN:
                    return NEVER
                return ALWAYS if (value is Truth.TRUE) is holds else NEVER
            case Not(body):
                return self.when(body, letter, not holds)
            case Next(body):
                return self.when(body, letter + 1, holds)
            case And(left, right):
                return _both(holds, self.when(left, letter, holds), self.when(right, letter, holds))
            case Or(left, right):
                return _both(not holds, self.when(left, letter, holds), self.when(right, letter, holds))
            case Implies(left, right):
                return _both(not holds, self.when(left, letter, not holds), self.when(right, letter, holds))
            case Always(body, timeout) | Eventually(body, timeout):
                together = isinstance(formula, Always) is holds
                window = range(letter, letter + timeout_of(timeout))
                return _both(together, *(self.when(body, at, holds) for at in window))
            case Until(left, right, timeout) | Release(left, right, timeout):
                return self._pair(formula, left, right, range(letter, letter + timeout_of(timeout)), holds)
            case Consume(name, _, Predicate(symbol, arguments)):
                return self._batches(formula, symbol.interpretation, name, arguments, letter, holds)
            case Consume() | Bind() | Predicate() | Equals():
                raise NotUnderstoodError(f"the formula has {text_of(formula)}, which is no predicate of one batch")
            case _:
                raise TypeError(f"not a formula: {formula!r}")

    def _pair(self, formula: Formula, left: Formula, right: Formula, window: range, holds: bool) -> Violation:
        """φ U ψ is ψ ∨ (φ ∧ X (φ U ψ)) for one letter less; ψ at the last letter. R is its dual."""
        until = isinstance(formula, Until)
        result: Violation = NEVER if until is holds else ALWAYS
        for at in reversed(window):
            first, second = self.when(left, at, holds), self.when(right, at, holds)
            if at == window[-1]:
                result = second
            else:
                result = _both(until is not holds, second, _both(until is holds, first, result))
        return result

    def _batches(
        self, formula: Formula, test: object, name: str, arguments: tuple[object, ...], letter: int, holds: bool
    ) -> Violation:
        known = isinstance(test, OnBatches) and isinstance(test.predicate, BatchPredicate)
        if not (known and len(test.streams) == 1 and arguments == (Variable(name),)):  # type: ignore[union-attr]
            message = f"the formula has {text_of(formula)}, a predicate that is not one of this library on one batch"
            raise NotUnderstoodError(message)
        (stream,) = test.streams  # type: ignore[union-attr]
        return _both(holds, *(self._number(stream, letter, each, holds) for each in test.predicate.numbers))  # type: ignore[union-attr]

    def _number(self, stream: str, letter: int, number: Number, holds: bool) -> Violation:
        parts: list[Violation] = []
        if number.least:
            parts.append(self._claim(stream, letter, number, holds, number.least))
        if number.most is not None:
            parts.append(self._claim(stream, letter, number, not holds, number.most + 1))
        return _both(holds, *parts)

    def _claim(self, stream: str, letter: int, number: Number, at_least: bool, count: int) -> Claim:
        key = stream, letter, number, at_least, count
        if key not in self._claims:
            self._claims[key] = Claim(*key)
        return self._claims[key]


def _both(together: bool, *parts: Violation) -> Violation:
    unit, zero = (ALWAYS, NEVER) if together else (NEVER, ALWAYS)
    if zero in parts:
        return zero
    parts = tuple(dict.fromkeys(part for part in parts if part is not unit))
    if len(parts) < 2:
        return parts[0] if parts else unit
    return AllOf(parts) if together else AnyOf(parts)


def witnesses(violation: Violation, weight: Callable[[Claim], int]) -> int:
    """How many records some way to make the violation true needs at most, where a claim that asks for records needs
    as many as `weight` says."""

    @cache
    def needed(part: Violation) -> int:
        match part:
            case Claim():
                return weight(part) if part.at_least else 0
            case AllOf(parts):
                return sum(map(needed, parts))
            case AnyOf(parts):
                return max(map(needed, parts), default=0)

    return needed(violation)


def ways(violation: Violation, apart: bool, most: int = 64) -> tuple[Violation, ...]:
    """Violations of which one is true if and only if the given one is.

    Of a violation that is all of some parts, one for each choice of parts that are alternatives, if they are to be
    looked at `apart`; as it is, if these are more than `most`.
    """
    if isinstance(violation, AnyOf):
        found = tuple(way for part in violation.parts for way in ways(part, apart, most)) if apart else violation.parts
        return found if len(found) <= most else violation.parts
    if not apart or not isinstance(violation, AllOf):
        return (violation,)
    choices = [ways(part, apart, most) for part in violation.parts]
    if prod(map(len, choices)) > most:
        return (violation,)
    return tuple(_both(True, *chosen) for chosen in product(*choices))


def shown(violation: Violation, most: int = 4) -> str:
    """A violation in words: its claims, or the first of them."""
    claims = sorted(claims_of(violation), key=lambda claim: claim.letter)
    texts = [
        f"{'at least' if claim.at_least else 'fewer than'} {claim.count} of {claim.stream} in batch {claim.letter} "
        f"{_test(claim.number)}"
        for claim in claims[:most]
    ]
    return "; ".join(texts) + ("; …" if len(claims) > most else "")


def _test(number: Number) -> str:
    if number.test is None:
        return "are there"
    if isinstance(number.test, OneOf):
        return f"{'are' if number.wanted else 'are not'} {' or '.join(map(repr, number.test.records))}"
    return f"{'satisfy' if number.wanted else 'do not satisfy'} {describe(number.test)}"


def claims_of(violation: Violation) -> list[Claim]:
    """The claims of a violation, each once."""
    found: dict[Violation, None] = {}
    waiting = [violation]
    while waiting:
        part = waiting.pop()
        if part in found:
            continue
        found[part] = None
        if not isinstance(part, Claim):
            waiting.extend(part.parts)
    return [part for part in found if isinstance(part, Claim)]
