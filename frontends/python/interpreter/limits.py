"""Where a run of Core Python ends before it is done: what it cannot do, and bounds on steps, sizes and depth."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from math import isfinite
from typing import Any, Final

MOST_STEPS: Final = 2_000_000
MOST_CALLS: Final = 90
"""How deep calls of functions may be nested; each takes several frames of CPython's."""
MOST_ITEMS: Final = 200_000
MOST_BITS: Final = 100_000
_SHORT: Final = 2**20
_WIDE: Final = re.compile(r"[0-9]{5,}")


class StopError(BaseException):
    """The run ends here, whatever handlers the program has."""


class LimitError(StopError):
    """It takes too many steps, or makes something too large."""


class UnreadError(StopError):
    """It came to what is not interpreted.

    Attributes:
        what: that, in words.
    """

    def __init__(self, what: str) -> None:
        super().__init__(what)
        self.what = what


class Clock:
    """Counts the steps of a run, and how deep its calls are.

    Attributes:
        exact: whether no float was made, so far, that may have been rounded.
    """

    def __init__(self, most: int = MOST_STEPS) -> None:
        self.most = self.left = most
        self.depth, self.exact = 0, True

    def restart(self) -> None:
        """Begin a new run."""
        self.left, self.depth, self.exact = self.most, 0, True

    def made(self, number: float) -> None:
        """Note a float: sums and products of short ones are exact, and others have many digits."""
        self.exact = self.exact and isfinite(number) and number.as_integer_ratio()[1] <= _SHORT

    def step(self) -> None:
        """One step more; raises LimitError when it is one too many."""
        self.left -= 1
        if self.left < 0:
            raise LimitError("too many steps")

    def counted(self, items: Iterable[Any]) -> Iterator[Any]:
        """The items of what may have no end, each a step."""
        for each in items:
            self.step()
            yield each


def require(holds: bool, what: str) -> None:
    """Raise LimitError where a bound is not kept."""
    if not holds:
        raise LimitError(what)


def product(left: Any, right: Any) -> None:
    """Require that `left * right` is small."""
    for one, other in ((left, right), (right, left)):
        if isinstance(one, str | bytes | list | tuple) and isinstance(other, int):
            require(len(one) * other <= MOST_ITEMS, "a long list or text")
    if isinstance(left, int) and isinstance(right, int):
        require(left.bit_length() + right.bit_length() <= MOST_BITS, "a large number")


def power(left: Any, right: Any) -> None:
    """Require that `left ** right` is small."""
    if isinstance(right, int) and hasattr(left, "numerator"):
        bits = max(int(left.numerator).bit_length(), int(left.denominator).bit_length())
        require(bits * abs(right) <= MOST_BITS, "a large number")


def shifted(left: Any, right: Any) -> None:
    """Require that `left << right` is small."""
    if isinstance(left, int) and isinstance(right, int):
        require(left.bit_length() + right <= MOST_BITS, "a large number")


def total(left: Any, right: Any) -> None:
    """Require that `left + right` is small."""
    if isinstance(left, str | bytes | list | tuple) and isinstance(right, str | bytes | list | tuple):
        require(len(left) + len(right) <= MOST_ITEMS, "a long list or text")


def formatted(text: Any) -> None:
    """Require that what a format asks for is small."""
    require(not (isinstance(text, str) and _WIDE.search(text)), "a wide format")


def call(function: Callable[..., Any], arguments: list[Any]) -> None:
    """Require that a method of a text makes no long one, and that a list has not become long."""
    of = getattr(function, "__self__", None)
    if isinstance(of, list):
        require(len(of) <= MOST_ITEMS, "a long list")
    elif isinstance(of, str):
        name = function.__name__
        require(not any(isinstance(each, int) and each > MOST_ITEMS for each in arguments), "a long text")
        if name == "replace" and len(arguments) > 1 and isinstance(arguments[1], str):
            require((len(of) + 1) * (len(arguments[1]) + 1) <= MOST_ITEMS, "a long text")
        elif name == "join" and arguments and isinstance(arguments[0], list | tuple):
            lengths = [len(each) + len(of) for each in arguments[0] if isinstance(each, str)]
            require(sum(lengths) <= MOST_ITEMS, "a long text")
        elif name.startswith("format"):
            formatted(of)
