"""Plans and expressions as `TreeNode.toJSON` writes them: the nodes of a tree in preorder, each a JSON object.

A field of a node holds a child by its number, or a tree of its own as a list of nodes.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from tallystick.frontends.catalyst.harmless import says_nothing
from tallystick.frontends.errors import SourceError


class Fields(Mapping[str, Any]):
    """The fields of a node, and which of them were looked at."""

    def __init__(self, values: Mapping[str, Any]) -> None:
        self._values = values
        self.taken: set[str] = set()

    def __getitem__(self, name: str) -> Any:
        self.taken.add(name)
        return self._values[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    @property
    def values_of(self) -> Mapping[str, Any]:
        """All of them, at which nobody has looked for that."""
        return self._values

    def left(self) -> Iterator[tuple[str, Any]]:
        """The fields at which nobody has looked."""
        return ((name, value) for name, value in self._values.items() if name not in self.taken)


@dataclass
class Seen:
    """The nodes of a tree, those in fields too, as far as they were asked for."""

    nodes: list[Node] = field(default_factory=list)
    trees: dict[int, tuple[Any, Node]] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Node:
    """A node: the last part of its class's name, its fields, and its children."""

    name: str
    fields: Fields
    children: tuple[Node, ...]
    seen: Seen

    @property
    def stands_for_another(self) -> bool:
        """Whether Spark evaluates another expression in its place, the only child."""
        return isinstance(self.fields.get("replacement"), int)

    def inside(self, name: str, fields: Mapping[str, Any]) -> Node:
        """What a field holds that is no node but has fields of its own, as a node."""
        if id(fields) not in self.seen.trees:
            self.seen.trees[id(fields)] = fields, _node(name, fields, self.children, self.seen)
        return self.seen.trees[id(fields)][1]

    def require_read(self) -> None:
        """Raises SourceError for a field of the tree that says something, and at which nobody has looked."""
        for node in self.seen.nodes:
            if not node.fields.taken or node.stands_for_another:
                continue
            for name, value in node.fields.left():
                if not says_nothing(node.name, name, value) and not node._are_read(value):
                    raise refused(node, f"{name} of {node.name} is not understood here ({_shown(value)})")

    def _are_read(self, value: Any) -> bool:
        """Whether a field holds children by their numbers, and somebody has looked at these."""
        places = value if isinstance(value, list) else [value]
        if not all(type(place) is int and 0 <= place < len(self.children) for place in places):
            return False
        return all(self.children[place].fields.taken or not self.children[place].fields for place in places)

    def is_same(self, other: Node) -> bool:
        """Whether two trees are the same, so that a field may name one where the other is meant."""
        if self.name != other.name or self.fields.values_of != other.fields.values_of:
            return False
        pairs = zip(self.children, other.children, strict=False)
        return len(self.children) == len(other.children) and all(one.is_same(each) for one, each in pairs)

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
        value = self.plain(field)
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

    def plain(self, field: str) -> Any:
        """The value in a field, which may stand in an object of its own: a number in one is no child's."""
        value = self.fields.get(field)
        return value["value"] if isinstance(value, dict) and is_plain(value) else value

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
        if id(value) not in self.seen.trees:
            self.seen.trees[id(value)] = value, tree(value, self.seen)
        return self.seen.trees[id(value)][1]


def tree(nodes: Any, seen: Seen | None = None) -> Node:
    """The tree of a list of nodes in preorder. Raises SourceError if it is none."""
    seen = Seen() if seen is None else seen
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
        stack.append(_node(kind.rpartition(".")[2].removesuffix("$"), fields, children, seen))
    if len(stack) != 1:
        raise malformed(f"a list of nodes has {len(stack)} roots")
    return stack[0]


def is_plain(value: Any) -> bool:
    """Whether what a field holds is a value in an object of its own, and no expression."""
    return isinstance(value, dict) and set(value) == {"value"}


def _node(name: str, fields: Mapping[str, Any], children: tuple[Node, ...], seen: Seen) -> Node:
    node = Node(name, Fields(fields), children, seen)
    seen.nodes.append(node)
    return node


def _shown(value: Any) -> str:
    """A value of JSON in a few letters."""
    text = json.dumps(value)
    return text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}…"


LONGEST_SHOWN = 60
"""Letters of a value in a message."""


def malformed(message: str) -> SourceError:
    """The error about JSON that is no plan."""
    return SourceError(message, "the plan")


class Refused(SourceError):  # noqa: N818 - it names what the reader did
    """A node is not understood."""

    node: Node


def refused(node: Node, message: str = "", hint: str = "") -> Refused:
    """The error about a node that is not understood."""
    error = Refused(message or f"{node.name} is not understood", "the plan", hint=hint)
    error.node = node
    return error
