"""The canonical text of Core Python: equal text, equal meaning.

Variables are numbered in the order in which a function mentions them, so what they are called does not count, nor where
the code stands. Names that are seen from outside stay: of attributes, of the module, of parameters, of classes.
"""

from __future__ import annotations

from dataclasses import fields
from typing import Any, Final

from tallystick.frontends.python import syntax as core

_WIDTH: Final = 100


def text(node: core.Node | core.Function | core.ModuleCode | tuple[Any, ...]) -> str:
    """The canonical text of a node, or of statements."""
    return _layout(_tree(node, _Slots()))


class _Slots:
    """The numbers of variables, of a function and of those around it."""

    def __init__(self, around: _Slots | None = None, shared: tuple[str, ...] = ()) -> None:
        self.around, self.shared = around, shared
        self.numbers: dict[str, int] = {}

    def of(self, slot: str) -> str:
        """What a variable is called: its number, and how many functions lie between."""
        level, at = 0, self
        while slot in at.shared and at.around is not None:
            level, at = level + 1, at.around
        return f"{'^' * level}{at.numbers.setdefault(slot, len(at.numbers))}"


def _tree(node: Any, slots: _Slots) -> Any:
    """A node as nested lists of texts."""
    match node:
        case tuple():
            return [_tree(each, slots) for each in node]
        case core.Local(slot):
            return f"%{slots.of(slot)}"
        case core.CellVariable(slot, _):
            return f"@{slots.of(slot)}"
        case core.Function():
            return _function(node, slots)
        case core.Const(value):
            return f"{type(value).__name__}:{value!r}"
        case core.Unread(what):
            return ["Unread", repr(what)]
        case core.ModuleCode(body):
            return _tree(body, slots)
        case str() | int() | None:
            return repr(node)
    return [type(node).__name__, *(_tree(getattr(node, each.name), slots) for each in fields(node))]


def _function(node: core.Function, around: _Slots) -> Any:
    slots = _Slots(around, node.captured)
    named = [*node.positional[node.positional_only :], *node.keyword_only]
    parameters = [
        node.positional,
        node.keyword_only,
        (node.star,) if node.star else (),
        (node.stars,) if node.stars else (),
    ]
    numbers = [[slots.of(each) for each in part] for part in parameters]
    kind = "Generator" if node.is_generator else "Function"
    return [kind, numbers, [repr(each) for each in named], _tree(node.body, slots)]


def _layout(tree: Any, indent: int = 0) -> str:
    """Nested lists as a text: on one line where they fit."""
    if isinstance(tree, str):
        return tree
    parts = [_layout(each, indent + 1) for each in tree]
    line = f"({' '.join(parts)})"
    if len(line) + indent <= _WIDTH and "\n" not in line:
        return line
    return "(" + f"\n{' ' * (indent + 1)}".join(parts) + ")"
