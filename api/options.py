"""The options of questions about programs, and which values they take."""

from __future__ import annotations

from importlib.util import find_spec
from math import isfinite
from typing import Literal, get_args

from tallystick.core.errors import TallystickError
from tallystick.extras import install

Solver = Literal["auto", "z3", "cvc5", "cooper"]
ReplayOn = Literal["reference", "spark"]
Semantics = Literal["sparklite", "spark"]
Engine = Literal["reference", "duckdb", "spark", "own"]

_LIBRARIES = {"z3": ("z3", "pysmt"), "cvc5": ("cvc5", "pysmt")}
_CHOICES = {"solver": Solver, "replay": ReplayOn, "semantics": Semantics}


class OptionError(TallystickError, ValueError):
    """An option has a value that it does not take."""


def require_valid(*, timeout: float, **choices: str) -> None:
    """Raises OptionError unless a limit of time is finite and above 0, and choices are known and installed."""
    if isinstance(timeout, bool) or not isinstance(timeout, int | float) or not (isfinite(timeout) and timeout > 0):
        raise OptionError(f"timeout must be a number of seconds above 0, and is {timeout!r}")
    for name, value in choices.items():
        allowed = get_args(_CHOICES[name])
        if value not in allowed:
            raise OptionError(f"{name} must be one of {', '.join(map(repr, allowed))}, and is {value!r}")
    for library in _LIBRARIES.get(choices.get("solver", ""), ()):
        if find_spec(library) is None:
            raise OptionError(f"{library} is not installed: {install(library)}")
