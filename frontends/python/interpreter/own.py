"""Rows whose values are the interpreter's own: Python's would reach attributes by texts, print, or never end."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final

from tallystick.frontends.python.interpreter import attributes, limits
from tallystick.frontends.python.interpreter.limits import Clock, UnreadError

SILENT: Final = attributes.Silent()


def _printed(*given: Any, **named: Any) -> None:
    for each in given:
        str(each)


def _type(*given: Any) -> Any:
    if len(given) != 1:
        raise UnreadError("`type` of several")
    return type(given[0])


def _range(*bounds: Any) -> range:
    made = range(*bounds)
    limits.require(len(made[: limits.MOST_ITEMS + 1]) <= limits.MOST_ITEMS, "a long range")
    return made


def _power(*given: Any) -> Any:
    if len(given) == 2:
        limits.power(*given)
    return pow(*given)


_LEVELS: Final = {"DEBUG": 10, "INFO": 20, "WARNING": 30, "ERROR": 40}
"""The levels of Python's logging."""
_FIXED: Final[dict[str, Any]] = {
    "builtins.print": _printed, "builtins.type": _type, "builtins.range": _range, "builtins.pow": _power,
    "builtins.getattr": attributes.getter, "builtins.hasattr": attributes.has,
    "builtins.setattr": attributes.set_attribute, "builtins.delattr": attributes.delete_attribute,
    "operator.attrgetter": attributes.attribute_getter, "operator.methodcaller": attributes.method_caller,
    "operator.pow": _power, "logging.getLogger": lambda *name: SILENT,
    **{f"logging.{name}": SILENT for name in ("debug", "info", "warning", "error", "exception", "basicConfig")},
    **{f"logging.{name}": level for name, level in _LEVELS.items()},
}  # fmt: skip
_ENDLESS: Final = (
    "count",
    "cycle",
    "repeat",
    "product",
    "permutations",
    "combinations",
    "combinations_with_replacement",
)


class Counted:
    """A function that makes an iterator each item of which is a step of a run.

    Attributes:
        make: Python's own function.
    """

    def __init__(self, make: Callable[..., Any], clock: Clock) -> None:
        self.make, self._clock = make, clock

    def __call__(self, *given: Any, **named: Any) -> Any:
        return self._clock.counted(self.make(*given, **named))


OWN: Final[Mapping[str, Any]] = MappingProxyType(
    {**_FIXED, **{f"itertools.{name}": getattr(itertools, name) for name in _ENDLESS}}
)


def value_of(name: str, clock: Clock) -> Any:
    """The value of one of these rows in a run, each item of what may have no end being a step."""
    made = OWN[name]
    return Counted(made, clock) if name.startswith("itertools.") else made
