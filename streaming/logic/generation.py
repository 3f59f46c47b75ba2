"""The generation of words from formulas: gen(ψ) (Definition 2.6).

A letter is a batch, a tuple of records; a word is a tuple of batches, without timestamps, as in the paper.
Where the definition lets one pick (a disjunct, a letter), an order of choice says what is tried first, and
backtracking tries the rest: `generated_words` therefore yields every word that Definition 2.6 can generate.
Conjunction is read as union of batches, so x = a ∧ x = b gives the batch that has both.

Negation, ⊥ and timestamps are excluded by the paper. Its printed equations for ∨, λ and the timeless formulas
contradict Example 9; ERRATA.md, items 10 to 12, says how they are read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeAlias, TypeVar

from hypothesis import reject
from hypothesis import strategies as st
from tallystick.streaming.errors import FormulaError, UnsatisfiableFormulaError
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
from tallystick.streaming.logic.next_form import lazy_next_form
from tallystick.streaming.logic.terms import value_of
from tallystick.streaming.logic.truth import Truth
from tallystick.streaming.logic.variables import free_variables_of, substitute

Batch: TypeAlias = tuple[Any, ...]
Batches: TypeAlias = tuple[Batch, ...]
_T = TypeVar("_T")
Order: TypeAlias = Callable[[Iterable[Any]], Iterable[Any]]


def generated_words(
    formula: Formula, alphabet: Iterable[Batch], order: Order = lambda options: options
) -> Iterator[Batches]:
    """Yield the words gen(φ) over an alphabet of batches; none if gen(φ) is `err`.

    `order` arranges the options of each choice; it may be lazy. Raises `FormulaError` on a negation, and on a
    consume operator whose timestamp is used or whose body is a Python function.
    """
    match formula:
        case Solved(value):
            yield from ((),) if value is Truth.TRUE else ()
        case Predicate(symbol, arguments):
            yield from ((),) if symbol.interpretation(*map(value_of, arguments)) else ()
        case Equals(left, right):
            yield from ((),) if value_of(left) == value_of(right) else ()
        case Or(left, right):
            for chosen in order((left, right)):
                yield from generated_words(chosen, alphabet, order)
        case And(left, right):
            for word in generated_words(left, alphabet, order):
                for other in generated_words(right, alphabet, order):
                    yield union(word, other)
        case Implies(_, right):
            yield from generated_words(right, alphabet, order)
        case Next(body):
            yield from (((), *word) for word in generated_words(body, alphabet, order))
        case Consume():
            yield from _picked(formula, alphabet, order)
        case Eventually() | Always() | Until() | Release():
            yield from generated_words(lazy_next_form(formula), alphabet, order)
        case Not():
            raise FormulaError(f"no words are generated from a negation: {formula} (paper, section 2.3)")
        case Bind():
            raise FormulaError(f"no words are generated from {formula}: name the variable with a consume operator")
        case _:
            raise TypeError(f"not a formula: {formula!r}")


def _picked(formula: Consume, alphabet: Iterable[Batch], order: Order) -> Iterator[Batches]:
    if formula.time in free_variables_of(formula.body) - {formula.letter}:
        raise FormulaError(f"no words are generated from {formula}: it uses the timestamp {formula.time}")
    for letter in order(alphabet):
        rest = substitute(formula.body, {formula.letter: letter})
        yield from ((letter, *word) for word in generated_words(rest, alphabet, order))


def union(word: Batches, other: Batches) -> Batches:
    """Return the union of two words, letter by letter; a letter is the larger bag of the two, record by
    record."""
    longer, shorter = (word, other) if len(word) >= len(other) else (other, word)
    return tuple(_bag_union(*pair) for pair in zip(word, other, strict=False)) + longer[len(shorter) :]


def _bag_union(batch: Batch, other: Batch) -> Batch:
    missing = list(other)
    for record in batch:
        if record in missing:
            missing.remove(record)
    return (*batch, *missing)


def words(
    formula: Formula, alphabet: Sequence[Batch] | st.SearchStrategy[Batch], tries: int = 20
) -> st.SearchStrategy[Batches]:
    """Return a Hypothesis strategy for words generated from the formula (Definition 2.6).

    The alphabet is a finite sequence of batches, or a strategy for batches, of which `tries` are tried at
    each letter. Over a finite alphabet an unsatisfiable formula raises `UnsatisfiableFormulaError`.
    """

    @st.composite
    def _words(draw: st.DrawFn) -> Batches:
        def drawn_order(options: Iterable[_T]) -> Iterable[_T]:
            if isinstance(options, st.SearchStrategy):
                return (draw(options) for _ in range(tries))
            listed = list(options)
            first = draw(st.integers(0, len(listed) - 1)) if listed else 0
            return listed[first:] + listed[:first]

        letters: Any = alphabet
        for word in generated_words(formula, letters, drawn_order):
            return word
        if isinstance(alphabet, st.SearchStrategy):
            reject()
        raise UnsatisfiableFormulaError(formula, list(alphabet))

    return _words()
