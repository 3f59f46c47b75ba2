"""What a loop goes through of which nobody knows how many items there are, and what its rounds leave together.

These are the elements of an RDD at the driver, the values of a key, and the lists of unknown length that `split` and
its kin make. The loop theorem (`loops.py`) says what a round may do.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal

from tallystick.core.operators import OVER_BAGS
from tallystick.core.terms import (
    FALSE,
    TRUE,
    Operator,
    Term,
    accumulator,
    add,
    disjunction,
    ite,
    project,
    rebuild,
    subterms,
    tuple_of,
    variable,
)
from tallystick.core.types import BOOL, BasicType, TupleType
from tallystick.frontends.errors import SourceError
from tallystick.frontends.pyspark.python import driver_results, group_dictionaries
from tallystick.frontends.pyspark.rdds.collected import list_of, of_each
from tallystick.frontends.pyspark.rdds.operators import union_of
from tallystick.frontends.pyspark.rdds.sources import Source as Elements
from tallystick.frontends.pyspark.rdds.sources import read_each, settled, source_of
from tallystick.frontends.pyspark.values import kinds
from tallystick.frontends.pyspark.values.describing import basic_type
from tallystick.frontends.pyspark.values.groups import Group
from tallystick.frontends.pyspark.values.options import common_type_of, converted, default_of
from tallystick.frontends.pyspark.values.rounds import Round, fresh
from tallystick.frontends.rdd.evaluation import End, Evaluation
from tallystick.frontends.rdd.store import (
    Entries,
    Items,
    KeyEntry,
    Place,
    Ref,
    State,
    Whole,
)

HINT: Final = "sums, lists and dictionaries may be gathered in it"
Pairs = list[tuple[Term, Any]]
Held = BasicType | Literal["list", "set"]
"""What a dict that a loop fills has at its keys."""


class Source(ABC):
    """What a loop goes through, of which nobody knows how many items there are.

    Attributes:
        of_elements: whether a round runs for each element of an RDD, as functions do that an RDD is given.
    """

    of_elements = True

    @abstractmethod
    def read(self, evaluation: Evaluation, run: Callable[[Pairs], Left]) -> tuple[Source, Left]:
        """What rounds for one item leave; perhaps after more is known of the item than before."""

    @abstractmethod
    def state(self, types: list[BasicType]) -> list[Term]:
        """What stands for the variables before a round."""

    @abstractmethod
    def folded(self, evaluation: Evaluation, initial: list[Term], steps: list[Term]) -> list[Term]:
        """The variables after all rounds."""

    @abstractmethod
    def listed(self, evaluation: Evaluation, kind: str, items: Pairs) -> Any:
        """The list, or set, of what the rounds add."""

    def filled(self, evaluation: Evaluation, cell: KeyEntry) -> Any:
        """The dict that the rounds fill."""
        evaluation.refuse("a dictionary that this loop fills is not supported", HINT)


@dataclass
class Left:
    """What one round leaves, of its slots: the state after it, and how it was left."""

    slots: Slots
    after: State | None
    ends: list[End]


@dataclass
class Slots:
    """What a loop changes, by what it is.

    Attributes:
        parts: the terms of each place that is part of the state, as they are before the loop, with their types.
        lists: the lists and sets that it adds to.
        cells: the dicts that it fills, with what they have at their keys before a round; None where there is nothing.
        poison: what keeps the value of the last round.
        left: whether `break` or `return` ends it.
        returns: the type of what it returns, where that depends on the item, or on how it ends.
    """

    parts: dict[Place, list[tuple[Term, BasicType]]] = field(default_factory=dict)
    lists: set[Place] = field(default_factory=set)
    cells: dict[Place, Held | None] = field(default_factory=dict)
    poison: set[Place] = field(default_factory=set)
    left: bool = False
    returns: BasicType | None = None

    @property
    def types(self) -> list[BasicType]:
        """The types of the state, in order."""
        own = [of for parts in self.parts.values() for _, of in parts]
        ends: list[BasicType] = [BOOL] if self.left else []
        return [*own, *ends, *([TupleType((BOOL, self.returns))] if self.returns is not None else [])]

    @property
    def known(self) -> set[Place]:
        """All places that are changed."""
        return {*self.parts, *self.lists, *self.cells, *self.poison}


def cell_before(entries: Entries, of: Held | None) -> KeyEntry:
    """What a dict has at a key before a round."""
    if of is None:
        return KeyEntry(entries)
    if of in ("list", "set"):
        return KeyEntry(entries, project(_cell_state(BOOL), 1), holds=of)  # type: ignore[arg-type]
    state = _cell_state(of)
    return KeyEntry(entries, project(state, 1), project(state, 0))


_CELL: Final = "item of a dictionary"


def _cell_state(of: BasicType) -> Term:
    return variable(_CELL, TupleType((of, BOOL)))


def _is_cell(term: Term) -> bool:
    return term.parameter[0] == _CELL  # type: ignore[index]


def open_parts(term: Term) -> Iterator[Term]:
    """The subterms of a term, without those of bags and folds in it, whose elements and states are their own."""
    waiting, seen = [term], set[Term]()
    while waiting:
        each = waiting.pop()
        if each not in seen:
            seen.add(each)
            yield each
            waiting += () if each.operator in OVER_BAGS else each.arguments


def put_only(cell: KeyEntry) -> tuple[Term, Term] | None:
    """When a round puts a value at its key, and which, where that depends on nothing that is there; else None."""
    if cell.value is None or cell.holds is not None:
        return None
    when, value = cell.used, cell.value
    if value.operator is Operator.ITE and value.arguments[2].operator is Operator.PROJECTION:
        when, value, before = value.arguments
        if not of_cell(before) or before.parameter != 0:
            return None
    elif cell.there is not TRUE:
        return None
    return None if of_cell(when) or of_cell(value) else (when, value)


def _added_only(cell: KeyEntry) -> tuple[Term, Term] | None:
    """When a round adds a number to the one at its key, or to 0, and which number; else None."""
    assert cell.value is not None
    when, value = cell.used, cell.value
    state = _cell_state(basic_type(value))
    before, there = project(state, 0), project(state, 1)
    if value.operator is Operator.ITE and value.arguments[2] is before:
        when, value, _ = value.arguments
    if cell.holds is not None or value.operator is not Operator.ADD:
        return None
    old = ite(there, before, default_of(basic_type(value)))
    number = [each for each in value.arguments if each is not old]
    if len(number) != len(value.arguments) - 1 or of_cell(when) or any(map(of_cell, number)):
        return None
    if cell.there is not (TRUE if when is TRUE else disjunction(when, there)):
        return None
    return when, number[0] if len(number) == 1 else add(*number)


def of_cell(term: Term) -> bool:
    return any(part.operator is Operator.VARIABLE and _is_cell(part) for part in subterms(term))


class ElementSource(Source):
    """The elements of an RDD at the driver: of a list, of a dictionary, of groups."""

    def __init__(self, through: Any, place: Any) -> None:
        self._through, self._place = through, place
        self._elements: Elements = source_of(through, place)

    def read(self, evaluation: Evaluation, run: Callable[[Pairs], Left]) -> tuple[Source, Left]:
        """What rounds for one element leave, with what they look up in dictionaries of elements."""
        made = ElementSource(self._through, self._place)
        made._elements, left = read_each(
            evaluation.reader, self._elements, self._place, lambda each: run([(TRUE, evaluation.into(each))])
        )
        return made, left

    def state(self, types: list[BasicType]) -> list[Term]:
        """Parts of the accumulator of a fold."""
        if len(types) == 1:
            return [accumulator(types[0])]
        whole = accumulator(TupleType(tuple(types))) if types else None
        return [project(whole, at) for at in range(len(types))] if whole is not None else []

    def _settled(self, evaluation: Evaluation, terms: list[Term]) -> tuple[Any, list[Term], Term | None]:
        order = [] if self._elements.order is None else [self._elements.order]
        bag, found = settled(evaluation.reader, self._elements, [*order, *terms], self._place)
        if self._elements.order is not None:
            return bag, found[1:], found[0]
        return bag, found, None

    def folded(self, evaluation: Evaluation, initial: list[Term], steps: list[Term]) -> list[Term]:
        """One fold over the elements."""
        if isinstance(self._through, kinds.Ranked):
            evaluation.refuse("a loop over elements in an order may only append to lists", "collect in any order")
        bag, steps, _ = self._settled(evaluation, steps)
        names = [str(at) for at in range(len(initial))]
        types = {name: step.type for name, step in zip(names, steps, strict=True)}
        found = driver_results.folded(
            list_of(evaluation.reader, bag, self._place),
            dict(zip(names, initial, strict=True)),
            types,  # type: ignore[arg-type]
            dict(zip(names, steps, strict=True)),
            self._place,
        )
        return [found[name] for name in names]

    def listed(self, evaluation: Evaluation, kind: str, items: Pairs) -> Any:
        """A map and a filter of the elements."""
        spread = [evaluation.out(item) for _, item in items]
        if len(items) == 1 and isinstance(spread[0], kinds.Spread):
            evaluation.refuse("lists of unknown length are put into a list", "use `flatMap`")
        terms = [term for (there, _), item in zip(items, spread, strict=True) for term in (there, item)]
        if not all(isinstance(term, Term) for term in terms):
            evaluation.refuse("what a loop adds to a list is no value of an element", HINT)
        if not items:
            return evaluation.new(Items("list"))
        bag, terms, order = self._settled(evaluation, terms)
        pairs = tuple(zip(terms[::2], terms[1::2], strict=True))
        if isinstance(self._through, kinds.Ranked):
            if kind == "set":
                evaluation.refuse("a set of a list in an order is not supported", "collect in any order")
            after = kinds.Listing(pairs)
            made: Any = driver_results.in_order(self._through, bag, order, kinds.Listing(()), after, self._place)
            return evaluation.new(Whole(made))
        whole = list_of(evaluation.reader, bag, self._place)
        if len(pairs) == 1:
            made = of_each(whole, *pairs[0], once=False)
        else:
            of = common_type_of(item.type for _, item in pairs)
            if of is None:
                evaluation.refuse("what a loop collects is of several types", "make items of one type")
            converted_pairs = [(there, converted(item, of)) for there, item in pairs]
            made = list_of(evaluation.reader, union_of(converted_pairs, bag), self._place)
        made = made.asked("set", self._place) if kind == "set" else made
        return evaluation.new(Whole(made))

    def flattened(self, evaluation: Evaluation) -> Any:
        """The items of lists that are made of the elements."""
        evaluation.refuse("lists in the elements of an RDD are put together", "use `flatMap` before `collect`")

    def filled(self, evaluation: Evaluation, cell: KeyEntry) -> Any:
        """A fold by key of the elements, or groups of these."""
        kind, place = cell.of.kind, self._place
        if isinstance(self._through, kinds.Ranked):
            evaluation.refuse("a dictionary that a loop over elements in an order fills is not supported")
        assert cell.key is not None
        if (put := put_only(cell)) is not None:
            bag, (when, key, value), _ = self._settled(evaluation, [put[0], cell.key, put[1]])
            grown = kinds.Growing(kind, entries=[(when, key, value, "set")])
            try:
                return driver_results.filled(
                    evaluation.reader, list_of(evaluation.reader, bag, place), "a dictionary", grown, place
                )
            except SourceError:  # keys may repeat, so which value is the last is for the prover to say
                pass
        if self._elements.asked is not None:
            evaluation.refuse("a dictionary that a loop over groups fills is not supported")
        listed = list_of(evaluation.reader, self._elements.bag, place)
        if cell.holds is not None:
            how = "append" if cell.holds == "list" else "collect"
            entries = [(there, cell.key, evaluation.term(item, "an item"), how) for there, item in cell.added]
            if any(of_cell(part) for there, key, item, _ in entries for part in (there, key, item)):
                evaluation.refuse("what is put at a key depends on what is there", HINT)
            if not entries or disjunction(*(there for there, *_ in entries)) is not cell.used:
                evaluation.refuse("a key gets an empty list or set", "add to it in the same round")
            grown = kinds.Growing(kind, cell.holds, entries, collects=True)  # type: ignore[arg-type]
            return driver_results.filled(evaluation.reader, listed, "a dictionary", grown, place)
        assert cell.value is not None
        first = (
            None if kind != "defaultdict" else evaluation.term(evaluation.call(cell.of.default, [], {}), "a default")
        )
        of = basic_type(cell.value)
        here = {_cell_state(of): accumulator(TupleType((of, BOOL)))}
        there, value, key, used = (rebuild(part, here, True) for part in (cell.there, cell.value, cell.key, cell.used))
        if any(part.operator is Operator.ACCUMULATOR for term in (key, used) for part in open_parts(term)):
            evaluation.refuse("a key that depends on the elements before is not supported", HINT)
        zero = first is not None and first.parameter in (0, None) and first.type != BOOL
        grown = kinds.Growing(
            kind, cell=kinds.KeyEntry(there, value, key, used), first=None if zero or first is None else first
        )
        return driver_results.folded_by_key(listed, grown, place)


class GroupSource(Source):
    """The values of a key, in a function of groups."""

    of_elements = False

    def __init__(self, group: Group, place: Any) -> None:
        if group.is_sorted or group.fold is None:
            raise place.error("a loop over a sorted group is not supported here", "use aggregates of it")
        self._group, self._place, self._each = group, place, Round(group)
        self._state: dict[tuple[BasicType, ...], Term] = {}

    def read(self, evaluation: Evaluation, run: Callable[[Pairs], Left]) -> tuple[Source, Left]:
        """What rounds for one value leave."""
        return self, run(list(self._each.items))

    def state(self, types: list[BasicType]) -> list[Term]:
        """Parts of a variable for the state."""
        if not types:
            return []
        known = tuple(types)
        if known not in self._state:
            self._state[known] = fresh("item of loop", TupleType(known))
        return [project(self._state[known], at) for at in range(len(types))]

    def folded(self, evaluation: Evaluation, initial: list[Term], steps: list[Term]) -> list[Term]:
        """A fold of the group."""
        state = self._state[tuple(basic_type(each) for each in steps)]
        fold = self._group.fold
        assert fold is not None
        result = fold(self._group, tuple_of(*initial), self._each.settled(tuple_of(*steps)), state, self._place)
        return [project(result, at) for at in range(len(steps))]

    def listed(self, evaluation: Evaluation, kind: str, items: Pairs) -> Any:
        """What is made of each value, as a group."""
        pairs = tuple((there, evaluation.term(item, "an item")) for there, item in items)
        if not pairs:
            return evaluation.new(Items("list"))
        made = replace(self._group, items=self._each.settled_items(pairs), kind="list", once=False)
        made = evaluation.call(set, [evaluation.new(Whole(made))], {}) if kind == "set" else made
        return made if isinstance(made, Ref) else evaluation.new(Whole(made))

    def filled(self, evaluation: Evaluation, cell: KeyEntry) -> Any:
        """The dictionary of the group: sums of numbers, or what is put at a key, or a fold of what is there."""
        group, kind, place, settled = self._group, cell.of.kind, self._place, self._each.settled
        if len(group.items) != 1 or cell.holds is not None:
            evaluation.refuse("a dictionary that this loop fills is not supported", HINT)
        assert cell.key is not None
        assert cell.value is not None
        if (put := put_only(cell)) is not None:
            there, key, value = map(settled, (put[0], cell.key, put[1]))
            return group_dictionaries.put(group, [(there, key, value)], kind, place)
        if (added := _added_only(cell)) is not None:
            there, key, value = map(settled, (added[0], cell.key, added[1]))
            return group_dictionaries.added_up(group, [(there, key, value)], kind, place)
        of = basic_type(cell.value)
        here = {_cell_state(of): accumulator(TupleType((of, BOOL)))}
        parts = (rebuild(part, here, True) for part in (cell.used, cell.key, tuple_of(cell.value, cell.there)))
        used, key, step = map(settled, parts)
        if any(part.operator is Operator.ACCUMULATOR for term in (key, used) for part in open_parts(term)):
            evaluation.refuse("a key that depends on the elements before is not supported", HINT)
        return group_dictionaries.folded(group, used, key, (tuple_of(default_of(of), FALSE), step), kind, place)


class SpreadSource(Source):
    """The items of a list of unknown length, such as `split` makes."""

    of_elements = False

    def __init__(self, spread: kinds.Spread, place: Any) -> None:
        self._spread, self._place, self._each = spread, place, Round(spread)

    def read(self, evaluation: Evaluation, run: Callable[[Pairs], Left]) -> tuple[Source, Left]:
        """What rounds for one item leave."""
        return self, run(list(self._each.items))

    def state(self, types: list[BasicType]) -> list[Term]:
        """There is no state: no term says what a loop over such a list adds up."""
        if types:
            raise self._place.error("a loop over a list of unknown length changes variables", "use `flatMap`")
        return []

    def folded(self, evaluation: Evaluation, initial: list[Term], steps: list[Term]) -> list[Term]:
        """There is none."""
        evaluation.refuse("a loop over a list of unknown length changes variables", "use `flatMap`")

    def listed(self, evaluation: Evaluation, kind: str, items: Pairs) -> Any:
        """What is made of each item."""
        pairs = tuple((there, evaluation.term(item, "an item")) for there, item in items)
        made: Any = kinds.Spread(self._spread.pieces, self._spread.item, self._each.settled_items(pairs))
        if kind == "set":
            return evaluation.call(set, [evaluation.new(Whole(made))], {})
        return evaluation.new(Whole(made))
