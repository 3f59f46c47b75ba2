"""NULL without a type, as `SELECT NULL` has it: it takes the type of what it meets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NoReturn

from tallystick.core.queries.expressions import Expression


@dataclass(frozen=True)
class UntypedNull(Expression):
    """NULL that has not met a type; it never becomes part of a query."""

    nullable = True
    operands = ()

    @property
    def type(self) -> NoReturn:
        raise AssertionError("an untyped NULL is given a type before it is used")


NULL = UntypedNull()
