"""The options of questions about programs, and which values they take."""

from __future__ import annotations

from math import isfinite
from typing import Literal, get_args

from tallystick.core.errors import TallystickError

Solver = Literal["auto", "z3", "cvc5", "cooper"]
ReplayOn = Literal["reference", "spark"]
Semantics = Literal["sparklite", "spark"]

_CHOICES = {"solver": Solver, "replay": ReplayOn, "semantics": Semantics}


class OptionError(TallystickError, ValueError):
    """An option has a value that it does not take."""


def require_valid(*, timeout: float, **choices: str) -> None:
    """Raises OptionError unless a limit of time is finite and above 0, and each choice is one of its values."""
    if isinstance(timeout, bool) or not isinstance(timeout, int | float) or not (isfinite(timeout) and timeout > 0):
        raise OptionError(f"timeout must be a number of seconds above 0, and is {timeout!r}")
    for name, value in choices.items():
        allowed = get_args(_CHOICES[name])
        if value not in allowed:
            raise OptionError(f"{name} must be one of {', '.join(map(repr, allowed))}, and is {value!r}")
