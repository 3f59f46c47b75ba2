"""Values, the store, and states of a symbolic evaluation.

A value is a term, a tuple, a function or class, what the library of RDDs knows (an RDD, a collected list, a group),
or a reference to an object of the store. Names hold references, so two names of one object share what is written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

from tallystick.core.terms import FALSE, TRUE, Term, conjunction, disjunction, negation
from tallystick.frontends.python.interpreter.closures import Box


@dataclass(frozen=True)
class Ref:
    """A reference to an object of the store."""

    number: int


@dataclass(frozen=True)
class TupleV:
    """A tuple that is no term, since an item of it is none."""

    items: tuple[Any, ...]


@dataclass(frozen=True, eq=False)
class Method:
    """A method of a value, not called yet."""

    of: Any
    name: str


@dataclass(frozen=True, eq=False)
class Super:
    """An object as the classes after `owner` see it."""

    owner: type
    of: Any


@dataclass(frozen=True, eq=False)
class Guarded:
    """One of two values of which no term says that they are one of two."""

    test: Term
    one: Any
    other: Any


@dataclass(frozen=True, eq=False)
class Poison:
    """What must not be used, and why: it is refused there, and not where it is made."""

    why: str


@dataclass(frozen=True, eq=False)
class Distributed:
    """An RDD, with what its functions captured: they run on workers, later, with what is captured then.

    Attributes:
        value: the RDD, as the library of RDDs has it.
        captured: places of the state with what was in them; a use of the RDD once this changed is refused.
    """

    value: Any
    captured: tuple[tuple[Place, Any], ...] = ()


# What the store has for an object


@dataclass(frozen=True)
class Items:
    """A list, a set, a view of a dict, or an iterator that was not used: items that are there under conditions.

    Attributes:
        mark: the number of the round of a loop before which something else was in it already; 0 where nothing was.
    """

    kind: Literal["list", "set", "view", "iterator"]
    items: tuple[tuple[Term, Any], ...] = ()
    mark: int = 0


@dataclass(frozen=True)
class Entries:
    """A dict: values at constant keys, in order.

    Attributes:
        default: what a defaultdict calls for a key that is not there; 0 of a Counter.
    """

    entries: tuple[tuple[Term, Any], ...] = ()
    kind: Literal["dict", "defaultdict", "Counter"] = "dict"
    default: Any = None


@dataclass(frozen=True)
class View:
    """What `keys`, `values` or `items` of a dict gives: what the dict has when it is asked."""

    of: Any
    what: Literal["keys", "values", "items"]


@dataclass(frozen=True)
class KeyEntry:
    """What a dict that a loop fills has at the one key that a round uses.

    Attributes:
        there, value: whether it has the key, and what is there; the value is None until something is.
        key: the key; None until it is used.
        used: where the key is used.
        holds: what stands at the key, where it is a list or a set that grows.
        added: what was put into it, each under a condition.
        version: how many lists or sets stood there in this round, one after another.
    """

    of: Entries
    there: Term = FALSE
    value: Term | None = None
    key: Term | None = None
    used: Term = FALSE
    holds: Literal["list", "set"] | None = None
    added: tuple[tuple[Term, Any], ...] = ()
    version: int = 0


@dataclass(frozen=True)
class AtKey:
    """The list or set at the key of a round, of a dict that a loop fills; another one once the version has changed."""

    of: Ref
    version: int = 0


@dataclass(frozen=True)
class Extended:
    """A new list or set of what is at the key of a round, if anything is, and of some items.

    Attributes:
        kind: what it is.
        before: what the round had put there when this was made.
        items: the items.
    """

    of: Ref
    kind: Literal["list", "set"]
    before: tuple[tuple[Term, Any], ...]
    items: tuple[tuple[Term, Any], ...] = ()


@dataclass(frozen=True)
class Fields:
    """An object of a class of the program."""

    made_by: type
    fields: tuple[tuple[str, Any], ...] = ()


@dataclass(frozen=True, eq=False)
class Deferred:
    """An iterator whose items were not computed: computing them gives what a list of them is."""

    run: Callable[[], Any]
    captured: tuple[Any, ...] = ()


@dataclass(frozen=True, eq=False)
class Whole:
    """A list, set or dict that the library of RDDs knows, such as the elements of an RDD."""

    value: Any
    is_iterator: bool = False


Content = Items | Entries | View | KeyEntry | AtKey | Extended | Fields | Deferred | Whole | Poison
Place = tuple[Literal["cells", "store"], Any]
"""A variable, by its box, or an object, by its number."""


@dataclass
class State:
    """What holds at a point of a program.

    Attributes:
        cells: the values of variables.
        store: what is in each object.
        path: the conditions under which control comes here.
    """

    cells: dict[Box, Any] = field(default_factory=dict)
    store: dict[int, Content] = field(default_factory=dict)
    path: tuple[Term, ...] = ()

    def fork(self, *tests: Term) -> State:
        """The same state, where tests hold besides."""
        added = [each for each in tests if each is not TRUE and each not in self.path]
        return State(dict(self.cells), dict(self.store), (*self.path, *added))

    def at(self, place: Place) -> Any:
        """What is in a place; None where there is none."""
        return (self.cells if place[0] == "cells" else self.store).get(place[1])

    def put(self, place: Place, value: Any) -> None:
        """Change what is in a place."""
        (self.cells if place[0] == "cells" else self.store)[place[1]] = value

    def places(self) -> Iterator[tuple[Place, Any]]:
        """All places, with what is in them."""
        for box, value in self.cells.items():
            yield ("cells", box), value
        for number, content in self.store.items():
            yield ("store", number), content

    def changes(self, since: State) -> list[Place]:
        """The places of an earlier state whose content differs now."""
        return [place for place, before in since.places() if not same(before, self.at(place))]


def same(one: Any, other: Any) -> bool:
    """Whether two values, or contents, are surely one."""
    return one is other or (type(one) is type(other) and one == other)


def told_apart(one: State, other: State) -> tuple[tuple[Term, ...], Term, Term]:
    """The common part of two paths, and what each says beyond it."""
    common = 0
    while common < min(len(one.path), len(other.path)) and one.path[common] is other.path[common]:
        common += 1
    return one.path[:common], conjunction(*one.path[common:]), conjunction(*other.path[common:])


def either(one: Term, other: Term) -> Term:
    """Whether one of two conditions holds: surely, where the one is what the other is not."""
    return TRUE if one is negation(other) or other is negation(one) else disjunction(one, other)


def conditional(
    test: Term, one: tuple[tuple[Term, Any], ...], other: tuple[tuple[Term, Any], ...]
) -> tuple[tuple[Term, Any], ...]:
    """The items of one list where a test holds, else of the other; what both begin with is there in any case."""
    common = 0
    while common < min(len(one), len(other)) and same(one[common], other[common]):
        common += 1
    mine = [(conjunction(test, there), item) for there, item in one[common:]]
    others = [(conjunction(negation(test), there), item) for there, item in other[common:]]
    return (*one[:common], *mine, *others)
