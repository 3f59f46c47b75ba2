"""The types of values in pure code, and how the types of containers grow while code is read.

Containers that may change hold their types in cells: all names of one object share its cell, so what is added under one
name is known under all. Records are tuples; a `bag` has no order, and neither have sets and `unordered dict`s.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final


class NotPureError(Exception):
    """Code is not known to be a deterministic pure function of its arguments.

    Attributes:
        node: where, in the source: a node of its tree, or None.
        message: what is not known, and what is.
    """

    def __init__(self, node: object, message: str) -> None:
        super().__init__(message)
        self.node = node
        self.message = message


@dataclass(eq=False)
class ElementType:
    """What a container holds, as far as it is known; `fixed` if the container is from outside and may not change."""

    held: PureType | None = None
    fixed: bool = False
    link: ElementType | None = None

    def root(self) -> ElementType:
        """The cell that stands for this one and all that were made one with it."""
        cell = self
        while cell.link is not None:
            cell = cell.link
        return cell


@dataclass(frozen=True)
class PureType:
    """A type of values.

    Attributes:
        kind: its name; see the constants and functions below.
        of: the types of what is inside.
        name: of records, the name of the class.
        fields: of records, the names of its fields, in order.
        cells: of containers while code is read, instead of `of`.
        ordered: of records, whether they are tuples too (a NamedTuple), with order, items and length.
    """

    kind: str
    of: tuple[PureType, ...] = ()
    name: str = ""
    fields: tuple[str, ...] = ()
    cells: tuple[ElementType, ...] = field(default=())
    ordered: bool = False

    def __str__(self) -> str:
        inside = ", ".join(map(str, (resolved(self)).of))
        names = ", ".join(self.fields)
        return (
            self.kind
            + (f" {self.name}({names}){self.ordered}" if self.name else "")
            + (f"[{inside}]" if inside else "")
        )


INT: Final = PureType("int")
BOOL: Final = PureType("bool")
FLOAT: Final = PureType("float")
"""Python's own floats, and ints where these may stand in one place: computed as Python does, in a known order alone."""
RATIONAL: Final = PureType("rational")
DECIMAL: Final = PureType("decimal")
"""Floats and Decimals as exact numbers, which is what claims assume: all in code that gets some from outside."""
EXACT: Final = (RATIONAL, DECIMAL)
TEXT: Final = PureType("text")
NONE: Final = PureType("none")
DATE: Final = PureType("date")
DATETIME: Final = PureType("datetime")
TIMEDELTA: Final = PureType("timedelta")
MATCH: Final = PureType("match")
"""Matches of regular expressions."""
NEVER: Final = PureType("never")
"""What is in an empty container."""
HIDDEN: Final = PureType("hidden")
"""Values that may be others in another order of a group: they are kept, but nothing is asked of them."""
SCALARS: Final = (INT, BOOL, TEXT, DATE, DATETIME, TIMEDELTA, *EXACT)
CONTAINERS: Final = ("list", "set", "dict", "unordered dict", "deque")
UNORDERED: Final = ("set", "bag", "unordered dict", "unordered iterator")
"""The kinds that are iterated in an order that is not known."""
ITERATORS: Final = ("iterator", "unordered iterator")
"""The kinds that are iterated once."""


def optional(inner: PureType) -> PureType:
    """Values of a type, or None."""
    return inner if inner.kind in ("optional", "nullable", "none") else PureType("optional", (inner,))


def nullable(inner: PureType) -> PureType:
    """Values of a type, or None, which are from outside: used where a test says that they are not None, and not before.

    Code that uses None where Python raises an exception means nothing, which a claim assumes away. Of what the code
    itself made None, that is a mistake; a None from outside is an input like others.
    """
    return inner if inner.kind in ("nullable", "none") else PureType("nullable", (certain(inner),))


def certain(of: PureType) -> PureType:
    """The type of the values that are not None, where a test says that they are not."""
    return of.of[0] if of.kind in ("optional", "nullable") else of


def from_outside(of: PureType) -> PureType:
    """A type of arguments: what may be None in it is from outside."""
    inside = tuple(map(from_outside, of.of))
    return (
        nullable(inside[0]) if of.kind == "optional" else PureType(of.kind, inside, of.name, of.fields, (), of.ordered)
    )


def enum_of(name: str, members: tuple[str, ...]) -> PureType:
    """The members of an enum: they are compared with each other, and kept; nothing else is known of them."""
    return PureType("enum", name=name, fields=members)


def tuple_of(*items: PureType) -> PureType:
    """Tuples of a known number of items."""
    return PureType("tuple", items)


def sequence_of(item: PureType) -> PureType:
    """Tuples of any number of items of one type: `tuple[T, ...]`."""
    return PureType("sequence", (item,))


def list_of(item: PureType) -> PureType:
    """Lists."""
    return PureType("list", (item,))


def set_of(item: PureType) -> PureType:
    """Sets, frozen ones too."""
    return PureType("set", (item,))


def dict_of(key: PureType, value: PureType) -> PureType:
    """Dictionaries in a known order."""
    return PureType("dict", (key, value))


def bag_of(item: PureType) -> PureType:
    """Iterables in no known order: groups."""
    return PureType("bag", (item,))


def record_of(name: str, fields: tuple[tuple[str, PureType], ...], ordered: bool) -> PureType:
    """Records of a class, whose values are tuples here; `ordered` if they are tuples in Python (NamedTuple)."""
    return PureType("record", tuple(t for _, t in fields), name, tuple(n for n, _ in fields), ordered=ordered)


def resolved(of: PureType) -> PureType:
    """The type with what its cells hold now."""
    inside = [cell.root().held or NEVER for cell in of.cells] if of.cells else of.of
    return PureType(of.kind, tuple(map(resolved, inside)), of.name, of.fields, (), of.ordered)


def inner(of: PureType) -> tuple[PureType, ...]:
    """The types of what is inside."""
    return tuple(cell.root().held or NEVER for cell in of.cells) if of.cells else of.of


def celled(of: PureType, fixed: bool) -> PureType:
    """The same type with cells of its own, for an object from outside (`fixed`) or a new one."""
    inside = tuple(celled(each, fixed) for each in inner(of))
    if of.kind in CONTAINERS:
        return PureType(of.kind, cells=tuple(ElementType(each, fixed) for each in inside))
    return PureType(of.kind, inside, of.name, of.fields, (), of.ordered)


def is_fixed(of: PureType) -> bool:
    """Whether objects of the type may be from outside, where a change would show."""
    return not of.cells or any(cell.root().fixed for cell in of.cells)


def may_change(of: PureType) -> bool:
    """Whether a value has containers inside that the code itself makes, and may change."""
    return (of.kind in CONTAINERS and not is_fixed(of)) or any(map(may_change, inner(of)))


def plain(of: PureType) -> PureType:
    """The type of the values that are not None: an operation that has none for None raises an exception there."""
    return of.of[0] if of.kind == "optional" else of


def contains(of: PureType, kinds: tuple[str, ...]) -> bool:
    """Whether the type, or one inside, is of one of the kinds."""
    return of.kind in kinds or any(contains(each, kinds) for each in inner(of))


def has_equality(of: PureType) -> bool:
    """Whether it is known which values are equal: of those without an order, and of unknown types, it is not."""
    return not contains(of, ("bag", "condition", "hidden", "match", *ITERATORS))


def is_totally_ordered(of: PureType) -> bool:
    """Whether `<` is a total order of the values, and those that are equal cannot be told apart."""
    if of in SCALARS or of == NEVER:
        return True
    if of.kind in ("tuple", "sequence", "list") or (of.kind == "record" and of.ordered):
        return all(map(is_totally_ordered, inner(of)))
    return False


def variables(node: object) -> set[str]:
    """The variables of a node."""
    if not isinstance(node, tuple):
        return set()
    if len(node) == 2 and node[0] == "var":
        return {node[1]}
    return {name for each in node for name in variables(each)}


class Growth:
    """How types of cells grow: counts changes, so that code is read again until nothing changes.

    A place of the code that makes containers has the same cells each time that it is read.
    """

    def __init__(self) -> None:
        self.changes = 0
        self.exact = False
        """Whether floats are exact numbers in this code."""
        self.defaults = False
        """Whether there is a defaultdict in the code: what asks for a place may change it."""
        self.kept: dict[object, object] = {}
        """Nodes that stand for others, so that each time the same one does."""
        self._places: dict[tuple[object, int, str], tuple[ElementType, ...]] = {}

    def fresh(self, place: object, node: object, kind: str, *inside: PureType) -> PureType:
        """The type of a new container, made at a place of the code; what is inside keeps its own cells."""
        cells = self._places.setdefault((place, id(node), kind), tuple(ElementType() for _ in inside))
        for cell, of in zip(cells, inside, strict=True):
            self.add(cell, of, node)
        return PureType(kind, cells=cells)

    def found_default(self) -> None:
        """There is a defaultdict in the code: what was read before is read again."""
        self.changes += not self.defaults
        self.defaults = True

    def check_keys(self, node: object) -> None:
        """Whether it is known which keys and items of sets are equal; raises NotPureError."""
        for (_, _, kind), cells in self._places.items():
            if kind in ("set", "dict", "unordered dict") and not has_equality(cells[0].root().held or NEVER):
                raise NotPureError(node, "groups are no keys, and no items of sets: their order is not known")
            if kind in ("set", "dict", "unordered dict") and contains(cells[0].root().held or NEVER, ("float",)):
                raise NotPureError(node, "floats are no keys, and no items of sets: 0.0 and -0.0 are equal")

    def join(self, one: PureType, other: PureType, node: object) -> PureType:
        """The least type of the values of both; containers become of one type. Raises NotPureError."""
        if one == other or other == NEVER:
            return one
        if one == NEVER:
            return other
        if HIDDEN in (one, other):
            return HIDDEN
        if {one, other} == {INT, FLOAT}:
            return FLOAT
        if {one, other} == {INT, RATIONAL}:
            return RATIONAL
        if "nullable" in (one.kind, other.kind):
            known = [certain(each) for each in (one, other) if each != NONE]
            return nullable(self.join(known[0], known[-1], node))
        if NONE in (one, other):
            return optional(other if one == NONE else one)
        if "optional" in (one.kind, other.kind):
            return optional(self.join(plain(one), plain(other), node))
        same = one.kind == other.kind and (one.name, one.fields) == (other.name, other.fields)
        if same and one.cells and other.cells:
            for mine, its in zip(one.cells, other.cells, strict=True):
                self.unify(mine, its, node)
            return one
        if same and len(one.of) == len(other.of) and one.of:
            inside = tuple(self.join(a, b, node) for a, b in zip(one.of, other.of, strict=True))
            return PureType(one.kind, inside, one.name, one.fields, (), one.ordered)
        if {one.kind, other.kind} <= {"tuple", "sequence"}:
            joined = NEVER
            for each in (*one.of, *other.of):
                joined = self.join(joined, each, node)
            return PureType("sequence", (joined,))
        if {one.kind, other.kind} == {"list", "bag"} and "list" in (one.name, other.name):
            return PureType("bag", (self.join(inner(one)[0], inner(other)[0], node),), "list")
        raise NotPureError(node, f"values of the types {one} and {other} stand in one place: one type is supported")

    def unify(self, one: ElementType, other: ElementType, node: object) -> None:
        """Makes two cells one."""
        one, other = one.root(), other.root()
        if one is other:
            return
        held = self.join(one.held or NEVER, other.held or NEVER, node)
        one, other = one.root(), other.root()
        self.changes += 1
        one.held, one.fixed = held, one.fixed or other.fixed
        if one is not other:
            other.link = one

    def add(self, cell: ElementType, of: PureType, node: object) -> None:
        """Lets a cell hold values of a type too."""
        cell = cell.root()
        before = resolved(cell.held) if cell.held else None
        held = self.join(cell.held or NEVER, of, node)
        cell.root().held = held
        if before != resolved(held):
            self.changes += 1
