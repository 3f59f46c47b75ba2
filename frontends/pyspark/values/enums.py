"""Enums of the source: classes whose members are constants, which are compared by identity."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Final

from tallystick.core.terms import TRUE, Term, constant, disjunction, equal, ite
from tallystick.core.types import INT, TEXT
from tallystick.frontends.pyspark.scoping.scopes import library_name
from tallystick.frontends.pyspark.scoping.source import Place, SourceFile
from tallystick.frontends.pyspark.values.describing import basic, constant_value
from tallystick.frontends.pyspark.values.kinds import EnumClass, Value
from tallystick.frontends.pyspark.values.nominal_types import NominalType, content, wrapped

MOST_MEMBERS: Final = 64


_MIXED: Final = {
    ("enum.IntEnum",): INT,
    ("builtins.int", "enum.Enum"): INT,
    ("enum.StrEnum",): TEXT,
    ("builtins.str", "enum.Enum"): TEXT,
}
"""The bases of enums whose members are ints or texts, too."""


def _bases(node: ast.ClassDef, source: SourceFile) -> tuple[str | None, ...]:
    return tuple(library_name(base, source) for base in node.bases)


def is_enum(node: ast.ClassDef, source: SourceFile) -> bool:
    """Whether a class is an enum, perhaps of ints or of texts."""
    known = not node.decorator_list and not node.keywords
    return known and (_bases(node, source) == ("enum.Enum",) or _bases(node, source) in _MIXED)


def _automatic(name: str, members: dict[str, Term], node: ast.ClassDef, place: Place) -> Term:
    """The value of `auto()`: one more than the member before, or the name of a member of a StrEnum."""
    bases = _bases(node, place.source)
    if bases == ("enum.StrEnum",):
        return constant(name.lower())
    before = [constant_value(each) for each in members.values()]
    numbers = [each for each in before if type(each) is int]
    if _MIXED.get(bases) == TEXT or len(numbers) < len(before) or numbers != sorted(numbers):  # type: ignore[arg-type]
        raise place.error("`auto()` is supported after ints that increase", "give the member a value")
    return constant(numbers[-1] + 1 if numbers else 1)


def enum_class(node: ast.ClassDef, source: SourceFile, evaluate: Callable[[ast.expr], Value]) -> EnumClass:
    """The enum that a definition makes; raises SourceError for bodies other than members with constants."""
    members: dict[str, Term] = {}
    for statement in node.body:
        where = source.place(statement)
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if not name.startswith("_"):
                automatic = isinstance(value, ast.Call) and library_name(value.func, source) == "enum.auto"
                made = _automatic(name, members, node, where) if automatic else evaluate(value)
                members[name] = basic(made, where, "a member's value")
            case ast.Expr(value=ast.Constant(value=str())) | ast.Pass():
                pass
            case _:
                raise where.error(f"this part of the enum `{node.name}` is not supported", "members are constants")
    values = list(members.values())
    types = {value.type for value in values}  # values of two types may be equal, as 1 and True are
    if not members or len(members) > MOST_MEMBERS or len({*values}) < len(values) or len(types) > 1:
        hint = f"it has 1 to {MOST_MEMBERS} members of different values, which are of one type"
        raise source.place(node).error(f"the enum `{node.name}` is not supported", hint)
    mixed = _MIXED.get(_bases(node, source))  # type: ignore[arg-type]
    for value in values:
        if mixed is not None and value.type != mixed:
            raise source.place(node).error(f"a member of `{node.name}` has a value of another type than its class")
    return EnumClass(NominalType((INT,), node.name, tuple(members), tuple(values), mixed is not None), tuple(values))


def member(enum: EnumClass, name: str, place: Place) -> Term:
    """`Enum.MEMBER`."""
    if name not in enum.of.members:
        raise place.error(f"`{enum.of}` has no member `{name}`", f"it has {', '.join(enum.of.members)}")
    return wrapped(enum.of, constant(enum.of.members.index(name)))


def member_of_value(enum: EnumClass, value: Value, place: Place) -> tuple[Term, Term]:
    """`Enum(value)`: whether there is a member with this value, and which; a member stands for itself."""
    given = basic(value, place, f"the argument of `{enum.of}`")
    if given.type == enum.of:
        return TRUE, given
    first, *others = enum.of.values
    if given.type != first.type:
        message = f"`{enum.of}` of a value of another type than those of its members, which raises ValueError"
        raise place.error(message, "give it the value of a member")
    result = wrapped(enum.of, constant(0))
    for index, each in enumerate(others, 1):
        result = ite(equal(given, each), wrapped(enum.of, constant(index)), result)
    return disjunction(*(equal(given, each) for each in enum.of.values)), result


def attribute(owner: Term, of: NominalType, name: str, place: Place) -> Term:
    """`member.name` and `member.value`."""
    if name == "name":
        return _chosen(owner, [constant(each) for each in of.members])
    if name == "value":
        return _chosen(owner, [*of.values])
    hint = "compare with members; `.name` and `.value` are read"
    raise place.error(f"`.{name}` of a member of `{of}` is not supported", hint)


def as_value(value: Value) -> Value:
    """The int or the text that a member of an enum is, if its class says so; any other value as it is."""
    if isinstance(value, Term) and isinstance(value.type, NominalType) and value.type.is_mixed:
        return _chosen(value, [*value.type.values])
    return value


def _chosen(owner: Term, alternatives: list[Term]) -> Term:
    """What belongs to a member, in the order of the members."""
    place = constant_value(content(owner))
    if isinstance(place, int):
        return alternatives[place]
    *others, result = alternatives
    for index, each in reversed([*enumerate(others)]):
        result = ite(equal(content(owner), constant(index)), each, result)
    return result
