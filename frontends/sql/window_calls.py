"""The window calls of a query, as they are met."""

from __future__ import annotations

from dataclasses import dataclass, field

from sqlglot import exp
from tallystick.core.queries.calls import WindowCall
from tallystick.core.queries.expressions import Expression, Reference


@dataclass
class Windows:
    """The window calls of a query: their columns follow the `width` columns of its rows.

    Attributes:
        named: the windows of the clause WINDOW, by name.
        aliases: the SELECT list, by name.
    """

    width: int
    named: dict[str, exp.Expr] = field(default_factory=dict)
    aliases: dict[str, exp.Expr] = field(default_factory=dict)
    calls: list[WindowCall] = field(default_factory=list)

    def value_of(self, call: WindowCall) -> Expression:
        """The column of a call, which is added if it is new."""
        if call not in self.calls:
            self.calls.append(call)
        return Reference(0, self.width + self.calls.index(call), call.column.type, call.column.nullable)
