"""What the annotations of dataclasses allow in a certificate: objects by their rows, records by name, values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, is_dataclass
from enum import Enum
from fractions import Fraction
from functools import cache
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

VALUES = (int, bool, str, NoneType)
"""The types of values that stand for themselves."""


@cache
def names_of(kind: type) -> tuple[str, ...]:
    """The names of the fields of a dataclass, in order."""
    return tuple(field.name for field in fields(kind))


@dataclass(frozen=True, slots=True, eq=False)
class Allowed:
    """What an annotation allows.

    Attributes:
        tabled: classes of objects that have rows in a table, which stand for them.
        record: other dataclasses by name, None where there is none; rules are loaded when they are asked for.
        choices: values that a text stands for.
        scalars: types of values that stand for themselves, and Fraction.
        plain: those of them whose values are allowed as they are, whatever else is.
        items: what the parts of a tuple allow; if `many`, it has any number of parts like the only one.
        entry: what a pair of a key and its value allows, for dictionaries.
        described: in words.
    """

    tabled: frozenset[Any]
    record: Callable[[str], Any]
    choices: dict[str, Any]
    scalars: frozenset[type]
    plain: frozenset[type]
    items: tuple[Allowed, ...] | None
    many: bool
    entry: Allowed | None
    described: str


class Annotations:
    """What annotations allow where objects of some classes have rows in a table.

    Attributes:
        nodes, terms: these classes, of the table of nodes and of that of terms; theirs below them are, too.
        names: what annotations may name before it is defined.
        rules: for what annotations call a rule, what gives the class of a rule with a name.
    """

    def __init__(
        self,
        nodes: tuple[type, ...],
        names: Mapping[str, Any],
        terms: frozenset[type] = frozenset(),
        rules: Mapping[Any, Callable[[str], type | None]] | None = None,
    ) -> None:
        self.nodes, self.terms = frozenset(nodes), terms
        self.names = dict(names)
        self.rules = dict(rules or {})
        self._allowed: dict[Any, Allowed] = {}
        self._fields: dict[type, dict[str, Allowed]] = {}

    def fields(self, kind: type) -> dict[str, Allowed]:
        """What the fields of a dataclass allow, in order."""
        if kind not in self._fields:
            hints = get_type_hints(kind, localns=self.names)
            self._fields[kind] = {name: self.allowed(hints[name]) for name in names_of(kind)}
        return self._fields[kind]

    def allowed(self, kind: Any) -> Allowed:
        """What an annotation allows."""
        if kind not in self._allowed:
            self._allowed[kind] = self._described(kind)
        return self._allowed[kind]

    def _described(self, kind: Any) -> Allowed:
        members = get_args(kind) if isinstance(kind, UnionType) or get_origin(kind) is Union else (kind,)
        origins = {get_origin(each): get_args(each) for each in members}
        tabled = frozenset(each for each in members if each in self.nodes or each in self.terms)
        records = {
            str(getattr(each, "__name__", each)): each for each in members if is_dataclass(each) and each not in tabled
        }
        enums = (each for each in members if isinstance(each, type) and issubclass(each, Enum))
        scalars = frozenset(each for each in members if each in VALUES or each is Fraction)
        items = origins.get(tuple)
        rule = next((self.rules[each] for each in members if each in self.rules), None)
        return Allowed(
            tabled,
            records.get if rule is None else lambda name: records.get(name) or rule(name),
            {text: text for text in origins.get(Literal, ())}
            | {member.value: member for each in enums for member in each},
            scalars,
            scalars & ({bool, NoneType} if tabled else {int, bool, NoneType}),
            None if items is None else tuple(self.allowed(each) for each in items if each is not ...),
            items is not None and items[1:] == (...,),
            self.allowed(tuple[origins[dict]]) if dict in origins else None,
            "a node of a query" if tabled & self.nodes else self._alternatives(members),
        )

    def _alternatives(self, members: tuple[Any, ...]) -> str:
        names = ("a rule" if each in self.rules else getattr(each, "__name__", str(each)) for each in members)
        return " or ".join(names)
