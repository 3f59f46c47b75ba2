"""Lists and sets of so many items within tuples, as terms: until functions for `flatMap` have returned these tuples.

`[(w, [n]) for w in line.split()]` has tuples that hold lists. Each is a term whose type says which of its components
are lists or sets; an RDD of such tuples is kept as what one element of it is, see `rdds.objects`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

from tallystick.core.terms import TRUE, Term, element, project, tuple_of
from tallystick.core.types import BagType, TupleType, Type
from tallystick.frontends.pyspark.scoping.source import Place
from tallystick.frontends.pyspark.values.describing import basic, basic_type, show_type
from tallystick.frontends.pyspark.values.groups import Gathered, GatheredKind
from tallystick.frontends.pyspark.values.kinds import Listing, Objects, Record, Value
from tallystick.frontends.pyspark.values.nominal_types import NominalType, content, wrapped
from tallystick.frontends.pyspark.values.options import component_count

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldType(NominalType):
    """The type of lists or sets of so many items, at least one; these are never compared, hashed or returned.

    Attributes:
        kind: what they are.
    """

    kind: GatheredKind


def item_of_list(value: Value, place: Place, what: str) -> Term:
    """A value as a term, which may be a tuple that holds lists or sets; raises SourceError where it is none."""
    made = held(value) if isinstance(value, Record) else None
    return basic(value, place, what) if made is None else made


def held(value: Value) -> Term | None:
    """A list or set of so many items, at least one, or a tuple that holds such, as a term; None for other values."""
    match value:
        case Term():
            return None if isinstance(value.type, BagType) else value
        case Listing(items) if type(value) is Listing and items:
            return _wrapped("list", items)
        case Gathered(kind, parts=(), items=items) if items:
            return _wrapped(kind, items)
        case Record(items):
            parts = [held(each) for each in items]
            return None if None in parts else tuple_of(*parts)  # type: ignore[arg-type]
    return None


def _wrapped(kind: GatheredKind, items: tuple[tuple[Term, Term], ...]) -> Term | None:
    if any(there is not TRUE for there, _ in items):
        return None
    whole = tuple_of(*(item for _, item in items))
    shown = ", ".join(show_type(item.type) for _, item in items)
    return wrapped(HeldType((basic_type(whole),), f"{kind}[{shown}]", by_identity=True, kind=kind), whole)


def rows_of(value: Value) -> Listing | None:
    """A list of tuples that hold lists or sets, as one whose items are terms; None for other values."""
    match value:
        case Record(items) if all(isinstance(each, Record) for each in items):
            rows = [held(each) for each in items]
            return None if None in rows else Listing(tuple((TRUE, row) for row in rows))  # type: ignore[misc]
        case Listing() if type(value) is Listing:
            return value
    return None


def of_elements(result: T) -> T | Objects:
    """An RDD whose elements hold lists or sets, as what one element is; any other result as it is."""
    if isinstance(result, Term) and isinstance(result.type, BagType) and holds_lists(result.type.element):
        return Objects(_taken_apart(element(result.type.element)), result)
    return result


def holds_lists(of: Type) -> bool:
    """Whether values of a type are, or hold, lists or sets of so many items, which several of them may share."""
    return isinstance(of, HeldType) or (isinstance(of, TupleType) and any(map(holds_lists, of.components)))


def _taken_apart(term: Term) -> Value:
    """The value that a term stands for: lists, sets, tuples of these, or the term itself."""
    if isinstance(term.type, HeldType):
        items = tuple((TRUE, project(content(term), at)) for at in range(component_count(content(term))))
        return Listing(items) if term.type.kind == "list" else Gathered("set", (), items)
    if not holds_lists(term.type):
        return term
    return Record(tuple(_taken_apart(project(term, at)) for at in range(component_count(term))))
