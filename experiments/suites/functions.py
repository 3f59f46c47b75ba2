"""User-defined functions that programs of several suites import (TR Fig. 10)."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


def double(x: int) -> int:
    """m2 of TR Fig. 10."""
    return 2 * x


def triple(x: int) -> int:
    """m3 of TR Fig. 10."""
    return 3 * x


def discounted(price: int) -> int:
    """dis of TR Fig. 10."""
    return price - 20


def is_odd(x: int) -> bool:
    """odd of TR Fig. 10."""
    return x % 2 == 1


def geq(bound: int) -> Callable[[int], bool]:
    """The parametric function geq of TR section 1.1: a predicate for each bound."""
    return lambda x: x >= bound


def smaller(accumulated: int, x: int) -> int:
    """min of TR Fig. 10, by comparison."""
    if x < accumulated:
        return x
    return accumulated


def larger(accumulated: int, x: int) -> int:
    """max of TR Fig. 10, by a conditional expression."""
    return x if x > accumulated else accumulated


def plus(accumulated: int, x: int) -> int:
    """sum of TR Fig. 10."""
    return accumulated + x


def count_up(accumulated: int, x: int) -> int:
    """count of TR Fig. 10: the element does not matter."""
    return accumulated + 1


def sum_modulo_5(accumulated: int, x: int) -> int:
    """sMod5 of TR Fig. 10."""
    return (accumulated + x) % 5


def double_both(pair: tuple[int, int]) -> tuple[int, int]:
    """dd of TR Fig. 10."""
    key, value = pair
    return 2 * key, 2 * value


def double_value(pair: tuple[int, int]) -> tuple[int, int]:
    """dV of TR Fig. 10: the key stays."""
    return pair[0], 2 * pair[1]


def double_joined(row: tuple[int, tuple[int, int]]) -> tuple[int, tuple[int, int]]:
    """dA of TR Fig. 10, on a row of a join."""
    key, (left, right) = row
    return 2 * key, (2 * left, 2 * right)
