"""Strategies for random closed formulas and words over a small alphabet, and shorthands for the paper's
examples."""

from __future__ import annotations

import operator

from hypothesis import strategies as st
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
    Until,
)
from tallystick.streaming.logic.terms import Apply, Constant, Symbol, Variable

X, Y, Z, T = Variable("x"), Variable("y"), Variable("z"), Variable("o")
A, B, C = Constant("a"), Constant("b"), Constant("c")
PLUS = Symbol("plus", operator.add)
LEQ = Symbol("leq", operator.le)

#: The word of Examples 2, 4 and 7.
BBAA = (("b", 0), ("b", 2), ("a", 3), ("a", 6))


def consume(body: Formula, letter: str = "x", time: str = "o") -> Consume:
    return Consume(letter, time, body)


def letter_is(value: Constant, variable: Variable = X, time: str = "o") -> Consume:
    """λ of one variable that says what the current letter is."""
    return Consume(variable.name, time, Equals(variable, value))


def words(min_size: int = 0, max_size: int = 7) -> st.SearchStrategy[tuple[tuple[str, int], ...]]:
    """Words over a, b, c whose timestamps grow by 0, 1 or 2."""

    def timed(letters: list[tuple[str, int]]) -> tuple[tuple[str, int], ...]:
        elapsed = 0
        word = []
        for letter, gap in letters:
            elapsed += gap
            word.append((letter, elapsed))
        return tuple(word)

    letters = st.tuples(st.sampled_from("abc"), st.integers(0, 2))
    return st.lists(letters, min_size=min_size, max_size=max_size).map(timed)


_constants = st.sampled_from((A, B, C))
_letter_atoms = st.one_of(
    st.sampled_from((TOP, BOTTOM)),
    st.builds(Equals, st.just(X), _constants),
    st.builds(Predicate, st.just(Symbol("leq", operator.le)), st.tuples(st.just(X), _constants)),
)
_time_atoms = st.builds(Predicate, st.just(LEQ), st.tuples(st.just(T), st.integers(0, 6).map(Constant)))


KINDS = tuple("atom not and or implies next always later until release consume bind".split())  # noqa: SIM905


@st.composite
def _open_formulas(draw: st.DrawFn, depth: int, bound: bool, open_timeouts: bool) -> Formula:
    """A formula with at most x and o free, and those only if `bound`."""
    atoms = [st.sampled_from((TOP, BOTTOM)), st.just(letter_is(A)), st.just(letter_is(B))]
    if bound:
        atoms += [_letter_atoms, _time_atoms]
    if depth == 0:
        return draw(st.one_of(atoms))
    kind = draw(st.sampled_from(KINDS))
    inner = _open_formulas(depth - 1, bound, open_timeouts)
    timeouts: st.SearchStrategy = st.integers(1, 3)
    if bound and open_timeouts:
        timeouts |= st.builds(
            lambda n: Apply(Symbol("minus", lambda o, k: abs(o - k) % 4), (T, Constant(n))), st.integers(0, 3)
        )
    match kind:
        case "atom":
            return draw(st.one_of(atoms))
        case "not" | "next":
            return {"not": Not, "next": Next}[kind](draw(inner))
        case "and" | "or" | "implies":
            return {"and": And, "or": Or, "implies": Implies}[kind](draw(inner), draw(inner))
        case "always" | "later":
            return {"always": Always, "later": Eventually}[kind](draw(inner), draw(timeouts))
        case "until" | "release":
            return {"until": Until, "release": Release}[kind](draw(inner), draw(inner), draw(timeouts))
        case "bind" if open_timeouts and not bound:
            named = Consume("x", "o", draw(_open_formulas(depth - 1, True, open_timeouts)))
            return _as_bind(named)
        case _:
            return Consume("x", "o", draw(_open_formulas(depth - 1, True, open_timeouts)))


def _as_bind(named: Consume) -> Bind:
    from tallystick.streaming.logic.opening import opened

    return Bind(lambda letter, time: opened(named, letter, time))


def closed_formulas(depth: int = 4, open_timeouts: bool = False) -> st.SearchStrategy[Formula]:
    """Random closed formulas; with `open_timeouts`, timeouts that letters bind and Python bodies too."""
    return _open_formulas(depth, False, open_timeouts)
