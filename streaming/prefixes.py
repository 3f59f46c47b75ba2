"""Hypothesis strategies for stream prefixes, from strategies for stream prefixes (sscheck's `PDStreamGen`).

The temporal operators have the meaning of the logic: `until(a, b, t)` generates prefixes that satisfy a Uₜ
b, where conjunction superposes prefixes batch by batch. Choices are drawn so that a failing case shrinks to
fewer batches first, then to smaller batches, then to simpler records.

>>> from hypothesis import find, strategies as st
>>> find(concatenate(constant(((1,), (2,))), constant(((3,),))), lambda prefix: True)
((1,), (2,), (3,))
>>> superposed(((1,), (2,)), ((3,),))
((1, 3), (2,))
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import reduce
from itertools import zip_longest
from typing import Any, TypeAlias

from hypothesis import strategies as st
from tallystick.streaming.letters import Batch, StreamPrefix
from tallystick.streaming.logic.formulas import Formula
from tallystick.streaming.logic.generation import words

Prefixes: TypeAlias = st.SearchStrategy[StreamPrefix]


def constant(prefix: Mapping[str, Iterable[Iterable[Any]]] | Iterable[Iterable[Any]]) -> st.SearchStrategy[Any]:
    """Always the one prefix given, or the prefixes of several streams, by name."""
    if isinstance(prefix, Mapping):
        return st.just({name: tuple(map(tuple, each)) for name, each in prefix.items()})
    return st.just(tuple(map(tuple, prefix)))


def of_batches(batches: st.SearchStrategy[Batch], min_size: int = 0, max_size: int = 10) -> Prefixes:
    """Between `min_size` and `max_size` batches, drawn one after the other."""
    return st.lists(batches, min_size=min_size, max_size=max_size).map(tuple)


def of_formula(formula: Formula, alphabet: Sequence[Batch] | st.SearchStrategy[Batch]) -> Prefixes:
    """Words generated from a formula over an alphabet of batches (Definition 2.6).

    Raises `UnsatisfiableFormulaError` when drawn from, if the finite alphabet has no word for the formula.
    """
    return words(formula, alphabet)


def next(prefixes: Prefixes, times: int = 1) -> Prefixes:  # noqa: A001
    """`times` empty batches, then the prefix."""
    return prefixes.map(lambda prefix: delayed(prefix, times))


def always(prefixes: Prefixes, timeout: int) -> Prefixes:
    """□ₜ: t prefixes, each starting one batch after the one before, superposed."""
    _check(timeout)
    return _each_later([prefixes] * timeout)


def eventually(prefixes: Prefixes, timeout: int) -> Prefixes:
    """◇ₜ: the prefix after 0 to t − 1 empty batches."""
    _check(timeout)
    return st.integers(0, timeout - 1).flatmap(lambda wait: next(prefixes, wait))


def until(before: Prefixes, then: Prefixes, timeout: int) -> Prefixes:
    """Uₜ: 0 to t − 1 prefixes `before`, each a batch later, and `then` a batch after the last of them."""
    _check(timeout)
    return st.integers(0, timeout - 1).flatmap(lambda count: _each_later([before] * count + [then]))


def release(release_by: Prefixes, held: Prefixes, timeout: int) -> Prefixes:
    """Rₜ: prefixes `held`, each a batch later, up to and with the batch where `release_by` starts; or t of
    them."""
    _check(timeout)

    def released_after(count: int) -> Prefixes:
        if count == timeout:
            return _each_later([held] * timeout)
        return _each_later([held] * count + [superpose(held, release_by)])

    return st.integers(0, timeout).flatmap(released_after)


def concatenate(*parts: Prefixes) -> Prefixes:
    """One prefix after the other in time (sscheck's `++`)."""
    return _drawn_from_the_end(parts).map(lambda prefixes: sum(prefixes, ()))


def superpose(*parts: Prefixes) -> Prefixes:
    """All prefixes at once, united batch by batch (sscheck's `+`); as long as the longest."""
    return st.tuples(*parts).map(lambda prefixes: reduce(superposed, prefixes, ()))


def repeat(prefixes: Prefixes, times: int) -> Prefixes:
    """`times` prefixes, drawn anew each time, one after the other."""
    return concatenate(*[prefixes] * times)


def map_records(prefixes: Prefixes, function: Callable[[Any], Any]) -> Prefixes:
    """The prefix with a function applied to every record."""
    return prefixes.map(lambda prefix: tuple(tuple(map(function, batch)) for batch in prefix))


def map_batches(prefixes: Prefixes, function: Callable[[Batch], Iterable[Any]]) -> Prefixes:
    """The prefix with a function applied to every batch."""
    return prefixes.map(lambda prefix: tuple(tuple(function(batch)) for batch in prefix))


def superposed(prefix: StreamPrefix, other: StreamPrefix) -> StreamPrefix:
    """Unite two prefixes batch by batch, keeping duplicates."""
    return tuple(left + right for left, right in zip_longest(prefix, other, fillvalue=()))


def delayed(prefix: StreamPrefix, times: int) -> StreamPrefix:
    """Return `times` empty batches followed by the prefix."""
    return ((),) * times + prefix


def _each_later(parts: list[Prefixes]) -> Prefixes:
    """Superpose the parts, the k-th of them delayed by k batches."""

    def together(prefixes: tuple[StreamPrefix, ...]) -> StreamPrefix:
        length = max((start + len(prefix) for start, prefix in enumerate(prefixes)), default=0)
        batches: list[list[Any]] = [[] for _ in range(length)]
        for start, prefix in enumerate(prefixes):
            for offset, batch in enumerate(prefix):
                batches[start + offset].extend(batch)
        return tuple(map(tuple, batches))

    return _drawn_from_the_end(parts).map(together)


def _drawn_from_the_end(parts: Sequence[Prefixes]) -> st.SearchStrategy[tuple[StreamPrefix, ...]]:
    """The parts, of which the last is drawn first.

    Hypothesis makes simple first what is drawn first. So what matters for a failure moves to the first batches,
    where the formula is decided soon.
    """
    return st.tuples(*reversed(parts)).map(lambda drawn: drawn[::-1])


def _check(timeout: int) -> None:
    if timeout < 1:
        raise ValueError(f"a temporal generator needs a timeout of at least one batch, not {timeout}")
