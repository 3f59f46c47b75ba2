"""Values of CPython and of the interpreter side by side: the same inputs for both, and results in one form."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from types import ModuleType
from typing import Any

from tallystick.frontends.python.interpreter.limits import StopError
from tallystick.frontends.python.interpreter.machine import Machine, prelude

EXPECTED = (
    ArithmeticError,
    AssertionError,
    LookupError,
    NameError,
    ValueError,
    TypeError,
    AttributeError,
    RuntimeError,
)


def interpreted(value: Any, module: ModuleType, machine: Machine) -> Any:
    """A value of CPython with the classes and RDDs of the interpreter."""
    kind = type(value)
    if hasattr(value, "parallelize"):
        return prelude().of_spark("SparkContext")()
    if isinstance(getattr(value, "elements", None), list):
        return prelude().of_spark("RDD")([interpreted(each, module, machine) for each in value.elements])
    if kind.__module__ == module.__name__ and kind.__name__ in machine.globals:
        made = machine.globals[kind.__name__]
        if isinstance(value, Enum):
            return made[value.name]
        parts = value if isinstance(value, tuple) else [getattr(value, each.name) for each in fields(value)]
        return made(*(interpreted(each, module, machine) for each in parts))
    if isinstance(value, tuple | list | set):
        return kind(interpreted(each, module, machine) for each in value)
    if isinstance(value, dict):
        return {interpreted(k, module, machine): interpreted(v, module, machine) for k, v in value.items()}
    return value


def shown(value: Any, inside: bool = False) -> Any:
    """A value as tuples: what is unordered, and lists that may be an RDD's elements, as bags."""
    elements = getattr(value, "_elements", getattr(value, "elements", None))
    if isinstance(elements, list):
        return shown(elements)
    if isinstance(value, Enum):
        return f"{type(value).__name__}.{value.name}"
    if is_dataclass(value) and not isinstance(value, type):
        return type(value).__name__, *(shown(getattr(value, each.name), True) for each in fields(value))
    if isinstance(value, tuple):
        return "tuple", *(shown(each, True) for each in value)
    if isinstance(value, list) or hasattr(value, "__next__"):
        items = [repr(shown(each, True)) for each in value]
        return ("list", *items) if inside else ("bag", *sorted(items))
    if isinstance(value, set | frozenset):
        return "set", *sorted(repr(shown(each, True)) for each in value)
    if isinstance(value, dict | Counter):
        return "dict", *sorted(repr((shown(k, True), shown(v, True))) for k, v in value.items())
    if isinstance(value, float | Fraction | Decimal):
        return type(value).__name__, round(float(value), 6)
    if value is None or isinstance(value, bool | int | str | date | datetime | timedelta):
        return type(value).__name__, value
    return type(value).__name__, *sorted((k, repr(shown(v, True))) for k, v in getattr(value, "__dict__", {}).items())


def outcome(function: Callable[..., Any], arguments: list[Any]) -> Any:
    """What a call gives, or the class of the exception that it raises; StopError passes."""
    try:
        return shown(function(*arguments))
    except StopError:
        raise
    except EXPECTED as error:
        return "raised", type(error).__name__
