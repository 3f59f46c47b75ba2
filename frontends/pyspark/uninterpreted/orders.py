"""When the order of what is iterated cannot matter: keys that tell items apart, and expressions that never raise."""

from __future__ import annotations

from typing import Any

from tallystick.frontends.pyspark.uninterpreted.types import EXACT, HIDDEN, INT, PureType, inner, is_totally_ordered


def determines(body: tuple[Any, ...], variable: object, of: PureType) -> bool:
    """Whether equal keys mean equal items, for a key that is computed by `body` from an item of a type."""
    return is_totally_ordered_inside(of) and _covered(_paths(body, variable, of), of, ())


def is_totally_ordered_inside(of: PureType) -> bool:
    """Whether equal items cannot be told apart, records of all classes included."""
    if of.kind == "record":
        return all(map(is_totally_ordered_inside, inner(of)))
    if of.kind == "tuple":
        return all(map(is_totally_ordered_inside, inner(of)))
    return is_totally_ordered(of)


def seen_by(body: tuple[Any, ...], variable: object, of: PureType) -> PureType:
    """The type of items that are sorted by a key: of those that have equal keys, the other parts are hidden."""
    return of if determines(body, variable, of) else _seen(_paths(body, variable, of), of, ())


def _seen(paths: set[tuple[int, ...]], of: PureType, place: tuple[int, ...]) -> PureType:
    if place in paths and is_totally_ordered_inside(of):
        return of
    if of.kind not in ("tuple", "record"):
        return HIDDEN
    inside = tuple(_seen(paths, each, (*place, i)) for i, each in enumerate(inner(of)))
    return PureType(of.kind, inside, of.name, of.fields, (), of.ordered)


def _paths(body: tuple[Any, ...], variable: object, of: PureType) -> set[tuple[int, ...]]:
    """Which parts of the item a key holds: paths of places."""
    if body == variable:
        return {()}
    if body[0] == "tuple":
        return {path for each in body[1:] for path in _paths(each, variable, of)}
    if body[:2] == ("unary", "-"):
        return {path for path in _paths(body[2], variable, of) if _type_at(of, path) in (INT, *EXACT)}
    path = _path(body, variable)
    return {path} if path is not None and _type_at(of, path) is not None else set()


def is_plain(body: tuple[Any, ...], variable: object, of: PureType) -> bool:
    """Whether a key is made of parts of the item alone, so that it never raises an exception and changes nothing."""
    if body[0] == "tuple":
        return all(is_plain(each, variable, of) for each in body[1:])
    if body[:2] == ("unary", "-"):
        path = _path(body[2], variable)
        return path is not None and _type_at(of, path) in (INT, *EXACT)
    path = _path(body, variable)
    return body[0] == "const" or (path is not None and _type_at(of, path) is not None)


def _path(body: tuple[Any, ...], variable: object) -> tuple[int, ...] | None:
    if body == variable:
        return ()
    if body[0] == "at" and body[2][0] == "const" and type(body[2][1]) is int and body[2][1] >= 0:
        before = _path(body[1], variable)
        return None if before is None else (*before, body[2][1])
    return None


def _type_at(of: PureType, path: tuple[int, ...]) -> PureType | None:
    for place in path:
        if of.kind not in ("tuple", "record") or place >= len(inner(of)):
            return None
        of = inner(of)[place]
    return of


def _covered(paths: set[tuple[int, ...]], of: PureType, place: tuple[int, ...]) -> bool:
    if place in paths:
        return True
    inside = inner(of) if of.kind in ("tuple", "record") else ()
    return bool(inside) and all(_covered(paths, each, (*place, i)) for i, each in enumerate(inside))


def cannot_raise(node: tuple[Any, ...]) -> bool:
    """Whether an expression on items without None has a value for all: names, places of tuples, equality."""
    if node[0] in ("var", "const"):
        return True
    if node[0] == "at":
        return node[2][0] == "const" and type(node[2][1]) is int and cannot_raise(node[1])
    if node[0] in ("and", "or", "not", "tuple"):
        return all(map(cannot_raise, node[1:]))
    return node[0] == "compare" and node[1] in ("==", "!=", "is", "is not") and all(map(cannot_raise, node[2:]))
