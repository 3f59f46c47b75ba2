"""The canonical text of pure code: equal texts are equal functions, since all that the interpreter reads is in it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from fractions import Fraction
from typing import Any

from tallystick.frontends.pyspark.uninterpreted.types import PureType


def text(code: tuple[Any, ...], takes: Sequence[PureType]) -> str:
    """The text of a function and the types that it takes; variables are numbered in the order of their first place."""
    names: dict[str, int] = {}
    return f"{_written(code, names)} of {', '.join(map(str, takes))}"


def _written(node: object, names: dict[str, int]) -> str:
    if isinstance(node, tuple):
        if len(node) == 2 and node[0] == "var":
            return f"${names.setdefault(node[1], len(names))}"
        if len(node) == 2 and node[0] == "const":
            return _constant(node[1])
        return f"({' '.join(_written(each, names) for each in node)})"
    if isinstance(node, str):
        return repr(node)
    raise TypeError(f"{node!r} is no part of pure code")


def _constant(value: object) -> str:
    if not isinstance(value, bool | int | float | Fraction | str | date | timedelta | None):
        raise TypeError(f"{value!r} is no constant of pure code")
    return f"{type(value).__name__}:{value!r}"
