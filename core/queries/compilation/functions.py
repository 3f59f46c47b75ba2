"""Functions that are known by name."""

from __future__ import annotations

from tallystick.core.queries.compilation.bags import Scopes
from tallystick.core.queries.compilation.cells import Cell, packed, symbol, unpacked, value_type
from tallystick.core.queries.compilation.scalars import Scalars
from tallystick.core.queries.constructs.functions import Function
from tallystick.core.queries.types import ColumnType
from tallystick.core.terms import apply_function, disjunction
from tallystick.core.types import OptionType


def cell(node: Function, scalars: Scalars, scopes: Scopes) -> Cell:
    """A function that is known by its name alone: of values if strict, else of options."""
    cells = scalars.row(node.arguments, scopes)
    of, name = value_type(node.type), symbol(node.name, (each.type for each in node.arguments), node.type)
    if node.strict:
        value = apply_function(name, of, *(each.value for each in cells))
        return Cell(disjunction(*(each.null for each in cells)), value)
    columns = [ColumnType(argument.type, True) for argument in node.arguments]
    options = [packed(each, column) for each, column in zip(cells, columns, strict=True)]
    return unpacked(apply_function(name, OptionType(of), *options))
