"""Tuples, lists, sets and f-strings as they are written."""

from __future__ import annotations

import ast

from tallystick.core.terms import (
    TRUE,
    Term,
    tuple_of,
)
from tallystick.core.types import BOOL
from tallystick.frontends.pyspark.python import gathered, texts
from tallystick.frontends.pyspark.python.one_time import kept
from tallystick.frontends.pyspark.python.reading import Reading
from tallystick.frontends.pyspark.python.sequences import constant_set, is_constant, items_of
from tallystick.frontends.pyspark.scoping.source import Place
from tallystick.frontends.pyspark.values import dates
from tallystick.frontends.pyspark.values.describing import basic, object_term
from tallystick.frontends.pyspark.values.groups import Gathered, Group
from tallystick.frontends.pyspark.values.kinds import Builtin, Closure, Frame, Instance, Listing, Partial, Record, Value


def read_tuple(reader: Reading, node: ast.Tuple, frame: Frame, place: Place) -> Value:
    if not node.elts:
        raise place.error("the empty tuple is not supported", "a tuple has at least one component")
    found = _items(reader, node, frame)
    if any(there is not TRUE for there, _, _ in found):
        raise place.error("a tuple has items that may not be there", "choose them afterwards")
    if reader.in_udf:
        found = [(there, _as_term(value), where) for there, value, where in found]
    values = [value for _, value, _ in found]
    if any(map(_is_no_term, values)) or (reader.in_udf and any(isinstance(each, Listing) for each in values)):
        return Record(tuple(values))
    components = [basic(value, where, "a component of a tuple") for _, value, where in found]
    if not components:
        raise place.error("the empty tuple is not supported", "a tuple has at least one component")
    if [each.type for each in components] == [BOOL]:
        raise place.error("a tuple of one bool is not supported", "use the bool itself")
    return tuple_of(*components)


def _as_term(value: Value) -> Value:
    """An object of a plain class as a term, where it is one; any other value as it is."""
    made = object_term(value) if isinstance(value, Instance) else None
    return value if made is None else made


def _is_no_term(value: Value) -> bool:
    """Whether a value is a function, an object or a group, or a tuple in which there are such."""
    return isinstance(value, Closure | Builtin | Partial | Instance | Gathered | Group | Record)


def read_list(reader: Reading, node: ast.List, frame: Frame, place: Place) -> Value:
    if (whole := _put_together(reader, node, frame, place)) is not None:
        return whole
    found = _items(reader, node, frame)
    values = [value for _, value, _ in found]
    if values and any(map(_is_no_term, values)):  # of a list of a module, `scoping.names` sees that no code changes it
        return Record(tuple(values))
    return Listing(tuple((there, basic(value, where, "an item of a list")) for there, value, where in found))


def _put_together(reader: Reading, node: ast.List | ast.Set, frame: Frame, place: Place) -> Gathered | None:
    """`[*l, x]` or `{*s, x}` of what a fold puts together; None for other displays."""
    kind = "list" if isinstance(node, ast.List) else "set"
    whole = Gathered(kind, (), ())
    starred = [each.value for each in node.elts if isinstance(each, ast.Starred)]
    known = [frame.values.get(each.id) if isinstance(each, ast.Name) else None for each in starred]
    if not known or not all(isinstance(each, Gathered) and each.kind == kind for each in known):
        return None
    for each in node.elts:
        if isinstance(each, ast.Starred):
            more = reader.evaluate(each.value, frame)
            assert isinstance(more, Gathered)
        else:
            more = Gathered(kind, (), ((TRUE, basic(reader.evaluate(each, frame), place, "an item")),))
        whole = gathered.joined(whole, more, place)
    return whole


def _items(reader: Reading, node: ast.Tuple | ast.List | ast.Set, frame: Frame) -> list[tuple[Term, Value, Place]]:
    """The items of a display, each with the condition under which it is there; starred ones are taken apart."""
    found: list[tuple[Term, Value, Place]] = []
    for each in node.elts:
        where = frame.scope.source.place(each)
        if isinstance(each, ast.Starred):
            reader.goes_through(each.value)
            whole = reader.evaluate(each.value, frame)
            found += [(there, item, where) for there, item in items_of(whole, where, "what `*` takes apart")]
        else:
            found.append((TRUE, kept(reader.evaluate(each, frame), where), where))
    return found


def read_set(reader: Reading, node: ast.Set, frame: Frame, place: Place) -> Value:
    if (whole := _put_together(reader, node, frame, place)) is not None:
        return whole
    found = _items(reader, node, frame)
    if any(there is not TRUE for there, _, _ in found):
        raise place.error("which items this set has depends on values", "make a list")
    items = [basic(value, where, "an item of a set") for _, value, where in found]
    if not all(map(is_constant, items)):
        return Gathered("set", (), tuple((TRUE, item) for item in items))
    return constant_set(items, place)


def read_f_string(reader: Reading, node: ast.JoinedStr, frame: Frame, place: Place) -> Value:
    parts: list[tuple[Value, str]] = []
    for each in node.values:
        specification = ""
        if isinstance(each, ast.FormattedValue):
            if each.conversion != -1 and (each.conversion != ord("s") or each.format_spec is not None):
                raise place.error("a conversion in an f-string is not supported", "write the value alone")
            match each.format_spec:
                case None:
                    pass
                case ast.JoinedStr(values=[ast.Constant(value=str(specification))]):
                    pass
                case _:
                    raise place.error("this format of an f-string is not supported", "write the value alone")
            value = reader.evaluate(each.value, frame)
            of_date = dates.shown(value, specification, place) if isinstance(value, Term) else None
            parts.append((value, specification) if of_date is None else (of_date, ""))
        else:
            parts.append((reader.evaluate(each, frame), ""))
    return texts.formatted(place, parts)
