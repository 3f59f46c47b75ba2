"""What the annotations of dataclasses allow in a certificate: types, nodes and terms by their rows, records by name."""

from __future__ import annotations

from dataclasses import dataclass, fields, is_dataclass
from enum import Enum
from fractions import Fraction
from functools import cache
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from tallystick.core.queries.syntax import NODES, Query
from tallystick.core.terms import Term
from tallystick.core.types import BagType, BoolType, IntType, OptionType, RationalType, TextType, TupleType, Type


@cache
def fields_of(kind: type) -> dict[str, Any]:
    """The types of the fields of a dataclass, in order; those of queries name `Query`, which is defined after them."""
    hints = get_type_hints(kind, localns={"Query": Query})
    return {field.name: hints[field.name] for field in fields(kind)}


@dataclass(frozen=True, slots=True)
class Allowed:
    """What an annotation allows.

    Attributes:
        tabled: terms, or classes of nodes of queries: their rows in a table.
        records: dataclasses by name.
        choices: values that a text stands for.
        scalars: types of values that stand for themselves, and Fraction.
        items: the types of the parts of a tuple. entries: those of the key and the value of a dictionary.
        described: in words.
    """

    tabled: frozenset[Any]
    records: dict[str, Any]
    choices: dict[str, Any]
    scalars: frozenset[type]
    items: tuple[Any, ...] | None
    entries: tuple[Any, ...] | None
    described: str


@cache
def allowed_by(kind: Any) -> Allowed:
    """What an annotation allows."""
    members = get_args(kind) if isinstance(kind, UnionType) or get_origin(kind) is Union else (kind,)
    origins = {get_origin(each): get_args(each) for each in members}
    tabled = frozenset(each for each in members if each is Term or each in NODES.values())
    enums = (each for each in members if isinstance(each, type) and issubclass(each, Enum))
    return Allowed(
        tabled,
        {str(getattr(each, "__name__", each)): each for each in members if is_dataclass(each) and each not in tabled},
        {text: text for text in origins.get(Literal, ())} | {member.value: member for each in enums for member in each},
        frozenset(each for each in members if each in (int, bool, str, NoneType, Fraction)),
        origins.get(tuple),
        origins.get(dict),
        "a node of a query" if tabled and Term not in tabled else _listed(members),
    )


def _listed(members: tuple[Any, ...]) -> str:
    return " or ".join(getattr(each, "__name__", str(each)) for each in members)


def annotation(of: Type) -> Any:
    """The annotation of the Python values of a type."""
    match of:
        case TupleType(components):
            return tuple[tuple(map(annotation, components))]
        case BagType(element):
            return dict[annotation(element), int]
        case IntType():
            return int
        case BoolType():
            return bool
        case TextType():
            return str
        case RationalType():
            return Fraction
        case OptionType(inner):
            return annotation(inner) | None
