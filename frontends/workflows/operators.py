"""Operators of a workflow as data: a type, what is read at each input port, and properties."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from graphlib import CycleError, TopologicalSorter
from typing import Any, Final

from tallystick.frontends.errors import SourceError


@dataclass(frozen=True)
class Operator:
    """An operator.

    Attributes:
        name: of its wire; no two operators have one.
        type: a key of `TYPES`.
        inputs: the source or operator that is read at each input port, in the order of the ports.
        properties: what its type says of it: `TYPES` lists which.
    """

    name: str
    type: str
    inputs: tuple[str, ...]
    properties: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Kind:
    """What a type of operators has.

    Attributes:
        ports: the least and the greatest number of inputs.
        required, optional: names of properties, with the types of their values.
        about: its rows, in a line.
    """

    ports: tuple[int, int]
    required: Mapping[str, type | tuple[type, ...]]
    optional: Mapping[str, type | tuple[type, ...]]
    about: str


MOST_PORTS: Final = 100
_ONE: Final = (1, 1)

TYPES: Final[dict[str, Kind]] = {
    "filter": Kind(_ONE, {"condition": str}, {}, "the rows on which a condition is true"),
    "project": Kind(_ONE, {"columns": dict}, {}, "for each row, expressions by their names"),
    "extend": Kind(_ONE, {"columns": dict}, {}, "each row, and expressions by their names"),
    "join": Kind((2, 2), {"kind": str, "condition": str}, {"columns": dict}, "a join of input1 and input2"),
    "union": Kind((2, MOST_PORTS), {}, {"distinct": bool}, "the rows of all inputs, by position"),
    "intersect": Kind((2, 2), {}, {"all": bool}, "the rows of both inputs"),
    "except": Kind((2, 2), {}, {"all": bool}, "the rows of the first input without those of the second"),
    "aggregate": Kind(_ONE, {"keys": list, "values": dict}, {}, "a row for each group; values by their names"),
    "distinct": Kind(_ONE, {}, {}, "each row once"),
    "sort": Kind(_ONE, {"keys": list}, {}, "the rows in an order"),
    "limit": Kind(_ONE, {"count": int}, {"offset": int}, "the first rows, in the order that they come in"),
    "replicate": Kind(_ONE, {}, {}, "the rows as they come, for several readers"),
    "sink": Kind(_ONE, {}, {}, "a result"),
    "query": Kind((0, MOST_PORTS), {"query": str}, {}, "a query of SQL over input1, input2 and so on"),
    "function": Kind(
        (1, MOST_PORTS),
        {"function": str, "rows": str},
        {"reads": list, "adds": dict, "columns": dict, "reads_as": str, "deterministic": bool},
        "a function of the user's",
    ),
}
ROWS: Final = {
    "each": "a row for each, with added columns",
    "some": "those rows for which it is true",
    "many": "for each row any number of rows, with added columns",
    "all": "rows that hang on all rows together",
}
"""What a function makes of the rows that it reads."""
READS_AS: Final = ("bag", "set", "list")
"""What a function of all rows sees: duplicates or not, and their order or not."""


def require_operators(operators: Sequence[Operator], sources: Sequence[str], path: str) -> list[Operator]:
    """The operators, each after those that it reads.

    Raises SourceError, naming the operator, for a type or property that does not exist, inputs that are missing or too
    many, names that are given twice, and a circle.
    """
    by_name: dict[str, Operator] = {}
    for operator in operators:
        if operator.name in by_name or operator.name in sources:
            raise SourceError(f"two operators or sources have the name {operator.name}", path)
        by_name[operator.name] = operator
        _require_properties(operator, path)
    for operator in operators:
        for name in operator.inputs:
            if name not in by_name and name not in sources:
                raise SourceError(f"{operator.name} reads {name}, which is no source and no operator", path)
    reads = {each.name: [name for name in each.inputs if name in by_name] for each in operators}
    try:
        return [by_name[name] for name in TopologicalSorter(reads).static_order()]
    except CycleError as error:
        circle = " reads ".join(reversed(error.args[1]))
        raise SourceError(f"operators read each other in a circle: {circle}", path) from None


def _require_properties(operator: Operator, path: str) -> None:
    kind = TYPES.get(operator.type)
    if kind is None:
        hint = f"types are {', '.join(TYPES)}"
        raise SourceError(f"{operator.name}: there is no type {operator.type!r} of operators", path, hint=hint)
    least, most = kind.ports
    if not least <= len(operator.inputs) <= most:
        wanted = str(least) if least == most else f"{least} or more"
        raise SourceError(f"{operator.name}: a {operator.type} has {wanted} inputs, not {len(operator.inputs)}", path)
    known = {**kind.required, **kind.optional}
    for name, value in operator.properties.items():
        if name not in known:
            hint = f"a {operator.type} has {', '.join(known) or 'none'}"
            raise SourceError(f"{operator.name}: there is no property {name!r}", path, hint=hint)
        if not isinstance(value, known[name]) or (isinstance(value, bool) and known[name] is int):
            raise SourceError(f"{operator.name}: the property {name} has a value of another type: {value!r}", path)
        texts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
        if not all(isinstance(each, str) for each in texts):
            raise SourceError(f"{operator.name}: the property {name} holds something that is no text", path)
    for name in kind.required:
        if name not in operator.properties:
            raise SourceError(f"{operator.name}: a {operator.type} needs the property {name}", path)
