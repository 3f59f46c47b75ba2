"""Groups of values as sums of numbers of their items: the sum says how often each item is there, and no order.

Proofs know nothing of the number of an item but that equal items have equal numbers, and that the sum is one. For any
one input there are such numbers that tell all its bags apart: the powers of a base above the size of the input. So what
is proved for all numbers is true of the bags. Where a value is computed, items get the next power when they are first
seen; a sum also says how many items it has and of which generation their numbers are, so that none is read wrongly.
"""

from __future__ import annotations

from threading import Lock
from typing import Any, Final

from tallystick.core.functions import FUNCTIONS, Function, FunctionError
from tallystick.core.types import INT, BasicType

_DIGIT: Final = 12
"""Bits: an item is there at most as often as fits. Where one is there more often, the digits do not add up."""
_COUNT: Final = 32
_FIRST: Final = 96
"""Bits below the digits: how many items there are, and the sum of their generations."""
_MOST: Final = 256
"""Items of one generation: evaluations count the digits of numbers."""
_one_thread = Lock()


class _Numbers:
    """The numbers of the items of one type."""

    def __init__(self) -> None:
        self.generation = 0
        self.numbers: dict[Any, int] = {}
        self.items: list[Any] = []

    def number(self, item: Any) -> int:
        with _one_thread:
            if item not in self.numbers:
                if len(self.items) >= _MOST:
                    self.generation, self.numbers, self.items = self.generation + 1, {}, []
                self.numbers[item] = len(self.items)
                self.items.append(item)
            return (1 << _FIRST + _DIGIT * self.numbers[item]) + (self.generation << _COUNT) + 1

    def bag(self, total: int) -> list[Any]:
        """The items of which a number is the sum, in no order that says anything; raises FunctionError."""
        count, generations = total & ((1 << _COUNT) - 1), (total & ((1 << _FIRST) - 1)) >> _COUNT
        times = [(total >> _FIRST + _DIGIT * place) & ((1 << _DIGIT) - 1) for place in range(len(self.items))]
        above = total >> _FIRST + _DIGIT * len(self.items)
        if above or sum(times) != count or generations != count * self.generation:
            raise FunctionError("this is no sum of numbers of items that are known")
        return [item for item, often in zip(self.items, times, strict=True) for _ in range(often)]


_known: dict[str, _Numbers] = {}


def number_of_items(of: BasicType) -> str:
    """The name of the function that numbers the items of a type of the core."""
    name = f"python number of {of}"
    if name not in FUNCTIONS:
        _known[name] = _Numbers()
        FUNCTIONS[name] = Function((of,), INT, _known[name].number, raises=True)
    return name


def items_of(name: str, total: int) -> list[Any]:
    """The items of a bag, by the name of the function that numbers them; raises FunctionError."""
    return _known[name].bag(total)
