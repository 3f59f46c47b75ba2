"""Groups of values of a key, and what is made of them: none of these is a term."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final, Literal

from tallystick.core.terms import TRUE, Term, negation, project, tuple_of, variable
from tallystick.core.types import BOOL
from tallystick.frontends.pyspark.scoping.source import Place
from tallystick.frontends.pyspark.values.options import component_count

GroupKind = Literal["iterable", "list", "set", "ascending", "descending"]
DictionaryFold = tuple[Term, Term]
"""A fold of what is put at one key of a dictionary: initial state, and step over `accumulator` and `element`."""


@dataclass(frozen=True, eq=False)
class Group:
    """The values of one key, or what a comprehension makes of them.

    Attributes:
        item: the variable that stands for one value of the key, or for one item of the set that is made of these.
        items: what there is for that value, each with the condition under which it is there.
        ask: makes the term of an aggregate of these: sum, len, min, max, any, all, or bool, whether there is one.
        kind: what Python has: what Spark gives, or a list, a set, or a list in an order.
        keys: what a list in an order is in the order of, one for each of `items`; none where that is the items.
        at_least_one: whether there is a value of the key, as in a group that is not of `cogroup`.
        base: what the items of that set are, over the variable for one value of the key; None where there is no set.
        fold: makes the term of a fold of the items, from its initial value, a step and the state in it, both of which
            are over the variable for one item and one for the state.
        once: whether it is a generator, which the first that goes through it uses up.
        folded: where `base` is a pair of a key and what is put there, how that is folded: the items are pairs of each
            key and the state of the fold.
    """

    item: Term
    items: tuple[tuple[Term, Term], ...]
    ask: Callable[[str, Group, Place], Term]
    kind: GroupKind = "iterable"
    at_least_one: bool = True
    base: Term | None = None
    keys: tuple[Term, ...] = ()
    fold: Callable[[Group, Term, Term, Term, Place], Term] | None = None
    once: bool = False
    folded: DictionaryFold | None = None

    def aggregate(self, name: str, place: Place) -> Term:
        """The term of an aggregate."""
        return self.ask(name, self, place)

    @property
    def parts(self) -> list[Term]:
        """What it is made of."""
        of_base = () if self.base is None else (self.base,)
        return [*(part for pair in self.items for part in pair), *of_base, *(self.folded or ())]

    @property
    def is_sorted(self) -> bool:
        """Whether it is a list in an order."""
        return self.kind in ("ascending", "descending")

    @property
    def with_keys(self) -> Group:
        """The group of pairs (key, item), where it is in the order of keys; else the group itself."""
        if not self.is_sorted or not self.keys:
            return self
        pairs = ((there, tuple_of(key, item)) for key, (there, item) in zip(self.keys, self.items, strict=True))
        return replace(self, items=tuple(pairs), keys=())

    def best(self, first: bool, place: Place) -> Term:
        """The first or the last item of a list in an order."""
        name = "min" if first is (self.kind == "ascending") else "max"
        return self.with_keys.aggregate(f"{name} by" if self.keys else name, place)

    def is_there(self, place: Place) -> Term:
        """Whether there is an item: what Python finds true of it."""
        return TRUE if self.is_never_empty else self.ask("bool", self, place)

    @property
    def is_never_empty(self) -> bool:
        """Whether there is an item for each value, and a value."""
        return self.at_least_one and any(there is TRUE for there, _ in self.items)


HAS_GROUP: Final = variable("whether there is a group", BOOL)
"""Says, while a function is read, whether the one group that may be None is there."""


@dataclass(frozen=True, eq=False)
class PerhapsGroup:
    """The group of a key, or None for a key that has no values."""

    group: Group


@dataclass(frozen=True, eq=False)
class Products:
    """What a function makes of each pair of an item of one group and one of another, or of the same one.

    Attributes:
        first, second: the groups; the variables for their items differ.
        items: what there is for a pair, each with the condition under which it is there.
        once: whether it is a generator, which the first that goes through it uses up.
        is_set: whether it is a set, which has each item once.
    """

    first: Group
    second: Group
    items: tuple[tuple[Term, Term], ...]
    once: bool = False
    is_set: bool = False


GatheredKind = Literal["list", "set"]


@dataclass(frozen=True)
class Gathered:
    """A list or set that a fold puts together (see `python.gathered`).

    Attributes:
        parts: which lists or sets of the fold it is put together from.
        items: what else is in it, each with the condition under which it is there.
        function: the function that the fold calls, which may change them; None where none may.
    """

    kind: GatheredKind
    parts: tuple[int, ...]
    items: tuple[tuple[Term, Term], ...]
    function: ast.AST | None = None


@dataclass(frozen=True, eq=False)
class Firsts:
    """The first items of a sorted group: each is there under a condition, and so are those before it.

    Attributes:
        kind: the order; None where it is by a key, or where there may be no item.
    """

    items: tuple[tuple[Term, Term], ...]
    kind: GroupKind | None


@dataclass(frozen=True, eq=False)
class GroupDictionary:
    """A dictionary that is made of the values of a group, by keys of their own.

    Attributes:
        keys: the group of its keys.
        items: the group of its items; None where the order of the values may decide which value a key has.
        of: the pairs of key and what is put there, for each value of the group.
        how: whether numbers are added up, or what is put is folded, or each key has one value.
        kind: a defaultdict and a Counter give 0 for keys that are not there.
        fold: of what is put at a key, to pairs of a value and whether it is there; None but where `how` is "folds".
    """

    keys: Group
    items: Group | None
    of: Group
    how: Literal["sums", "folds", "values"]
    kind: Literal["dict", "defaultdict", "Counter", "set", "other default"] = "dict"
    fold: DictionaryFold | None = None


@dataclass(frozen=True)
class Tagged:
    """The pairs of two RDDs as one bag, whose values say which of the two they are of.

    Attributes:
        bag: pairs of a key and (whether the value is of the second RDD, value of the first, value of the second); or,
            where a value may be of both, (whether it is of the first, value there, the same of the second).
        order: which RDD is the first and which the second: 0 for the left one, 1 for the right one.
        sides: the left and the right RDD, where there are two.
    """

    bag: Term
    order: tuple[int, int] = (0, 1)
    sides: tuple[Term, ...] = ()

    def on_side(self, value: Term, side: int) -> tuple[Term, Term]:
        """Whether a value is of the left RDD, 0, or the right one, 1, and the value there."""
        place = self.order[side]
        if component_count(value) == 3:
            of_second = project(value, 0)
            return of_second if place else negation(of_second), project(value, 1 + place)
        return project(value, 2 * place), project(value, 2 * place + 1)
