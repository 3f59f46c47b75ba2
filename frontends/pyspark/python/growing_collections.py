"""Dictionaries of lists and sets that a loop over the elements of an RDD fills: `d.setdefault(key, set()).add(value)`.

What is put at a key is a pair of the key and a value. A key that gets an empty list or set must get a value in the same
round, as no pair says of the key alone that it is there.
"""

from __future__ import annotations

import ast
from typing import Final, Literal

from tallystick.core.terms import TRUE, Operator, Term
from tallystick.frontends.pyspark.scoping.bound_names import BuiltinName
from tallystick.frontends.pyspark.scoping.source import Place
from tallystick.frontends.pyspark.values.kinds import Entry, Growing

ACTIONS: Final[dict[str, Literal["list", "set"]]] = {
    "append": "list",
    "collect": "set",
    "list": "list",
    "set of": "set",
}
"""How a list or a set is filled, and what is there: by a value, or by a key that gets an empty list or set."""
EMPTY: Final = {"list": "list", "set": "set of"}
HINT: Final = "write `d.setdefault(key, set()).add(value)`, or `[]` and `append`"
Put = tuple[str, ast.expr, ast.expr, str]
"""What a statement puts into a dictionary: its name, the key, the value, and how."""
_METHODS: Final = {"append": "append", "add": "collect"}


def put_by_form(statement: ast.stmt) -> Put | None:
    """What a statement puts into a list or a set at a key; None for other statements.

    Of `d.setdefault(key, [])`, and of `if key not in d: d[key] = []`, the value is the empty list or set itself.
    """
    match statement:
        case ast.Expr(
            ast.Call(func=ast.Attribute(value=into, attr="append" | "add" as method), args=[value], keywords=[])
        ):
            return _into(into, value, _METHODS[method])
        case ast.Expr(
            ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="setdefault"), args=[key, made], keywords=[])
        ) if (kind := _empty(made)) is not None:
            return name, key, made, EMPTY[kind]
        case ast.If(test=ast.Compare(left=key, ops=[ast.In() | ast.NotIn() as test], comparators=[ast.Name(id=name)])):
            found, missing = statement.body, statement.orelse
            if isinstance(test, ast.NotIn):
                found, missing = missing, found
            return _by_case(name, key, found, missing)
        case ast.Assign(
            targets=[ast.Subscript(value=ast.Name(id=name), slice=key)],
            value=ast.BinOp(
                left=ast.Call(
                    func=ast.Attribute(value=ast.Name(id=owner), attr="get"), args=[asked, made], keywords=[]
                ),
                op=ast.Add() | ast.BitOr() as operation,
                right=more,
            ),
        ) if owner == name and _same(asked, key):
            how = "append" if isinstance(operation, ast.Add) else "collect"
            value = _only_item(more, how)
            return None if value is None or _empty(made) != ACTIONS[how] else (name, key, value, how)
        case ast.AugAssign(
            target=ast.Subscript(value=ast.Name(id=name), slice=key), op=ast.Add() | ast.BitOr() as operation
        ):
            how = "append" if isinstance(operation, ast.Add) else "collect"
            value = _only_item(statement.value, how)
            return None if value is None else (name, key, value, f"{how} known")
    return None


def _into(into: ast.expr, value: ast.expr, how: str) -> Put | None:
    match into:
        case ast.Call(
            func=ast.Attribute(value=ast.Name(id=name), attr="setdefault"), args=[key, made], keywords=[]
        ) if _empty(made) == ACTIONS[how]:
            return name, key, value, how
        case ast.Subscript(value=ast.Name(id=name), slice=key):
            return name, key, value, f"{how} known"
    return None


def _by_case(name: str, key: ast.expr, found: list[ast.stmt], missing: list[ast.stmt]) -> Put | None:
    """`if key in d: d[key].append(value)`, `else: d[key] = [value]`; or without the first, `d[key] = []`."""
    match missing:
        case [ast.Assign(targets=[ast.Subscript(value=ast.Name(id=other), slice=new)], value=made)] if (
            other == name and _same(new, key)
        ):
            pass
        case _:
            return None
    if not found:
        kind = _empty(made)
        return None if kind is None else (name, key, made, EMPTY[kind])
    if len(found) != 1 or (put := put_by_form(found[0])) is None or put[0] != name or not _same(put[1], key):
        return None
    how = put[3].removesuffix(" known")
    first = _only_item(made, how) if put[3].endswith(" known") else None
    return (name, key, put[2], how) if first is not None and _same(first, put[2]) else None


def _only_item(display: ast.expr, how: str) -> ast.expr | None:
    """The item of `[item]` or `{item}`."""
    match display:
        case ast.List(elts=[item]) if how == "append" and not isinstance(item, ast.Starred):
            return item
        case ast.Set(elts=[item]) if how == "collect" and not isinstance(item, ast.Starred):
            return item
    return None


def _empty(made: ast.expr) -> str | None:
    """What an expression makes that is an empty list or set; None for others."""
    match made:
        case ast.List(elts=[]) | ast.Call(func=BuiltinName(id="list"), args=[], keywords=[]):
            return "list"
        case ast.Call(func=BuiltinName(id="set"), args=[], keywords=[]):
            return "set"
    return None


def is_known(grown: Growing, path: Term, key: Term, how: str) -> bool:
    """Whether a key has a list, or a set, where a round comes to `d[key].append(value)`."""
    if grown.of is not None:
        return grown.of == ACTIONS[how]
    return any(
        key is known and ACTIONS.get(before) == ACTIONS[how] and _implies(path, there)
        for there, known, _, before in grown.entries
    )


def entries_of(name: str, grown: Growing, place: Place) -> list[Entry]:
    """The values that are put into lists or sets; raises SourceError where a key may be there without one."""
    kinds = {ACTIONS.get(entry[3]) for entry in grown.entries}
    if len(kinds) != 1 or (grown.of is not None and grown.of not in kinds):
        raise place.error(f"`{name}` is filled in several ways, which is not supported", HINT)
    entries = [entry for entry in grown.entries if entry[3] in ("append", "collect")]
    for there, key, _, how in grown.entries:
        if how in EMPTY.values() and not any(key is each[1] and _implies(there, each[0]) for each in entries):
            raise place.error(f"a key of `{name}` may be there with nothing in its list or set", HINT)
    return entries


def _implies(one: Term, other: Term) -> bool:
    """Whether it is plain that a condition holds where another one does: its parts are among those of that one."""
    return set(_parts(other)) <= set(_parts(one))


def _parts(condition: Term) -> tuple[Term, ...]:
    if condition is TRUE:
        return ()
    return condition.arguments if condition.operator is Operator.AND else (condition,)


def _same(one: ast.expr, other: ast.expr) -> bool:
    return ast.dump(one) == ast.dump(other)
