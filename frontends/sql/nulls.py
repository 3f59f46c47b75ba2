"""NULL without a type, as `SELECT NULL` has it: it takes the type of what it meets."""

from __future__ import annotations

from dataclasses import dataclass

from tallystick.core.queries.expressions import Expression


@dataclass(frozen=True)
class UntypedNull:
    """NULL that has not met a type; it never becomes part of a query."""


NULL = UntypedNull()
Value = Expression | UntypedNull
"""What an expression of a text stands for."""
