"""Plans and expressions as `TreeNode.toJSON` writes them: the nodes of a tree in preorder, each a JSON object.

A field of a node holds a child by its number, or a tree of its own as a list of nodes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tallystick.frontends.errors import SourceError


@dataclass(frozen=True, eq=False)
class Node:
    """A node: the last part of its class's name, its fields, and its children."""

    name: str
    fields: Mapping[str, Any]
    children: tuple[Node, ...]

    def only(self) -> Node:
        """The only child."""
        if len(self.children) != 1:
            raise malformed(f"{self.name} has {len(self.children)} children, not one")
        return self.children[0]

    def one(self, field: str) -> Node:
        """The tree in a field."""
        found = self.maybe(field)
        if found is None:
            raise malformed(f"{self.name} has no {field}")
        return found

    def maybe(self, field: str) -> Node | None:
        """The tree in a field that may be empty."""
        value = self.fields.get(field)
        return None if value is None else self._tree(field, value)

    def many(self, field: str) -> tuple[Node, ...]:
        """The trees in a field that holds a sequence."""
        return tuple(self._tree(field, value) for value in self.items(field))

    def items(self, field: str) -> list[Any]:
        """What a field that holds a sequence holds."""
        value = self.fields.get(field)
        if not isinstance(value, list):
            raise malformed(f"{self.name} has no sequence {field}")
        return value

    def text(self, field: str) -> str:
        """The text in a field."""
        value = self.fields.get(field)
        if not isinstance(value, str):
            raise malformed(f"{self.name} has no text {field}")
        return value

    def number(self, field: str) -> int:
        """The integer in a field."""
        value = self.fields.get(field)
        if not isinstance(value, int) or isinstance(value, bool):
            raise malformed(f"{self.name} has no number {field}")
        return value

    def flag(self, field: str) -> bool:
        """The truth value in a field."""
        value = self.fields.get(field)
        if not isinstance(value, bool):
            raise malformed(f"{self.name} has no truth value {field}")
        return value

    def object_name(self, field: str) -> str:
        """The name of the Scala object or class in a field, such as `Inner` or `Ascending`."""
        value = self.fields.get(field)
        if isinstance(value, dict):
            value = value.get("object", value.get("product-class"))
        if not isinstance(value, str):
            raise malformed(f"{self.name} has no {field}")
        return value.rpartition(".")[2].removesuffix("$")

    def _tree(self, field: str, value: Any) -> Node:
        if isinstance(value, int) and not isinstance(value, bool):
            if not 0 <= value < len(self.children):
                raise malformed(f"{field} of {self.name} names a child that does not exist")
            return self.children[value]
        return tree(value)


def tree(nodes: Any) -> Node:
    """The tree of a list of nodes in preorder. Raises SourceError if it is none."""
    if not isinstance(nodes, list) or not nodes:
        raise malformed("a tree is a list of nodes")
    stack: list[Node] = []
    for fields in reversed(nodes):
        if not isinstance(fields, dict):
            raise malformed("a node is a JSON object")
        kind, number = fields.get("class"), fields.get("num-children")
        if not isinstance(kind, str) or not isinstance(number, int) or not 0 <= number <= len(stack):
            raise malformed("a node has a class and a number of children that exist")
        children = tuple(stack.pop() for _ in range(number))
        stack.append(Node(kind.rpartition(".")[2].removesuffix("$"), fields, children))
    if len(stack) != 1:
        raise malformed(f"a list of nodes has {len(stack)} roots")
    return stack[0]


def malformed(message: str) -> SourceError:
    """The error about JSON that is no plan."""
    return SourceError(message, "the plan")


def refused(node: Node, message: str = "", hint: str = "") -> SourceError:
    """The error about a node that is not understood."""
    return SourceError(message or f"{node.name} is not understood", "the plan", hint=hint)
