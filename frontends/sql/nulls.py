"""NULL without a type, as `SELECT NULL` has it: it takes the type of what it meets.

So does a bind parameter whose type is not known yet, which is read like it until it has met one: see `parameters.py`.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from tallystick.core.queries.expressions import Expression, Literal
from tallystick.core.queries.types import SqlType


@dataclass(frozen=True)
class UntypedNull:
    """NULL that has not met a type; it never becomes part of a query.

    Attributes:
        met: what takes the types that it meets.
    """

    met: set[SqlType] | None = field(default=None, compare=False)

    def of(self, type_: SqlType) -> Literal:
        """The NULL of a type that it meets."""
        if self.met is not None:
            self.met.add(type_)
        return Literal(None, type_)


NULL = UntypedNull()
Value = Expression | UntypedNull
"""What an expression of a text stands for."""
