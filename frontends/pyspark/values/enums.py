"""Enums of the source: classes whose members are constants, which are compared by identity."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Final

from tallystick.core.terms import Term, constant, equal, ite
from tallystick.core.types import INT
from tallystick.frontends.pyspark.scoping.scopes import library_name
from tallystick.frontends.pyspark.scoping.source import Place, SourceFile
from tallystick.frontends.pyspark.values.describing import basic
from tallystick.frontends.pyspark.values.kinds import EnumClass, Value
from tallystick.frontends.pyspark.values.nominal_types import NominalType, content, wrapped

MOST_MEMBERS: Final = 64


def is_enum(node: ast.ClassDef, source: SourceFile) -> bool:
    """Whether a class is a plain enum."""
    return [library_name(base, source) for base in node.bases] == ["enum.Enum"] and not node.decorator_list


def enum_class(node: ast.ClassDef, source: SourceFile, evaluate: Callable[[ast.expr], Value]) -> EnumClass:
    """The enum that a definition makes; raises SourceError for bodies other than members with constants."""
    members: dict[str, Term] = {}
    for statement in node.body:
        where = source.place(statement)
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if not name.startswith("_"):
                members[name] = basic(evaluate(value), where, "a member's value")
            case ast.Expr(value=ast.Constant(value=str())) | ast.Pass():
                pass
            case _:
                raise where.error(f"this part of the enum `{node.name}` is not supported", "members are constants")
    values = list(members.values())
    if not members or len(members) > MOST_MEMBERS or len({*values}) < len(values):
        raise source.place(node).error(
            f"the enum `{node.name}` is not supported", f"it has 1 to {MOST_MEMBERS} members of different values"
        )
    return EnumClass(NominalType((INT,), node.name, tuple(members)), tuple(values))


def member(enum: EnumClass, name: str, place: Place) -> Term:
    """`Enum.MEMBER`."""
    if name not in enum.of.members:
        raise place.error(f"`{enum.of}` has no member `{name}`", f"it has {', '.join(enum.of.members)}")
    return wrapped(enum.of, constant(enum.of.members.index(name)))


def attribute(owner: Term, of: NominalType, name: str, place: Place) -> Term:
    """`member.name`."""
    if name != "name":
        raise place.error(f"`.{name}` of a member of `{of}` is not supported", "compare with members; `.name` is read")
    *others, last = (constant(each) for each in of.members)
    result = last
    for index, each in reversed([*enumerate(others)]):
        result = ite(equal(content(owner), constant(index)), each, result)
    return result
