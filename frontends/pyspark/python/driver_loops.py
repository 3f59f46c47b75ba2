"""Loops at the driver over the elements of an RDD: folds of variables, and lists and dictionaries that grow.

The body is read once, for one element. Numbers, texts and tuples that it gives new values are the state of one fold,
which must not depend on the order of the elements, as `check` proves of every fold. A list that it appends to is a list
of what it appends for each element. A dictionary that it fills has the pairs of these, whose keys must not repeat; one
that counts or adds up is a by-key fold.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Final

from tallystick.core.terms import FALSE, Term, accumulator, project
from tallystick.core.types import BasicType, TupleType, is_basic
from tallystick.frontends.pyspark.python import dictionary_cells, driver_results, leaving_loops, lists_at_keys
from tallystick.frontends.pyspark.python.binding import bind
from tallystick.frontends.pyspark.python.driver_results import HINT
from tallystick.frontends.pyspark.python.growing_dictionaries import collected_in, filled_in, is_filled_once, looks_at
from tallystick.frontends.pyspark.python.outcomes import GOES_ON, Outcome
from tallystick.frontends.pyspark.python.reading import Reading
from tallystick.frontends.pyspark.python.rounds import only_loop_in
from tallystick.frontends.pyspark.rdds.collected import list_of
from tallystick.frontends.pyspark.rdds.sources import Source, Sources, read_each, settled, source_of
from tallystick.frontends.pyspark.scoping.bound_names import targets_of
from tallystick.frontends.pyspark.scoping.scopes import position_of
from tallystick.frontends.pyspark.scoping.source import Place
from tallystick.frontends.pyspark.values.describing import basic, basic_type, show_type
from tallystick.frontends.pyspark.values.kinds import Frame, Growing, Listing, Ranked, Table, Unusable, Value
from tallystick.frontends.pyspark.values.options import common_type

GROWS: Final = ("append", "extend")


def run(
    reader: Reading,
    statement: ast.For,
    through: Sources,
    frame: Frame,
    run_body: Callable[[], Outcome],
    place: Place,
) -> Outcome:
    """Run a loop over the elements of an RDD; `run_body` runs its body once."""
    loop = _prepared(reader, statement, frame, run_body, place)
    before = loop.before
    outside, frame.loop = frame.loop, position_of(statement)
    with _inner_loop(reader, statement, frozenset((*loop.types, *loop.lists, *loop.tables))):
        source, after = read_each(reader, source_of(through, place), place, loop.read_round)
    frame.loop, frame.values = outside, dict(before)
    frame.values.update({name: Unusable("is the last value of a loop", HINT) for name in bound_in(statement)})
    if source.asked is not None and source.asked.has_dictionaries and (loop.types or loop.looked_at):
        raise place.error("dictionaries of groups in a loop that changes variables are not supported", HINT)
    if leaving_loops.ends_at(loop.outcome) is not FALSE:
        return _left(loop, source, after)
    bag, order, after = driver_results.over_one_bag(
        reader, source, after, [*loop.types, *loop.lists, *loop.tables], place
    )
    if isinstance(through, Ranked):
        if loop.types or loop.tables:
            raise place.error("a loop over elements in an order may only append to lists", "collect in any order")
        for name in loop.lists:
            frame.values[name] = driver_results.in_order(through, bag, order, before[name], after[name], place)
        return GOES_ON
    listed = list_of(reader, bag, place)
    if loop.types:
        frame.values.update(driver_results.folded(listed, before, loop.types, after, place))
    for name in loop.lists:
        frame.values[name] = driver_results.listed(listed, before[name], after[name], place)
    for name in loop.tables:
        grown = after[name]
        if isinstance(grown, Growing) and grown.cell is not None:
            frame.values[name] = driver_results.folded_by_key(listed, grown, place)
        elif isinstance(grown, Growing) and grown.entries:
            frame.values[name] = driver_results.filled(reader, listed, name, grown, place)
    return GOES_ON


def _with_lists(name: str, grown: Value, statement: ast.For, frame: Frame) -> Growing:
    """A dictionary that a loop fills, which says whether its values are lists of so many items."""
    assert isinstance(grown, Growing)
    return replace(grown, size=lists_at_keys.size_of_lists(name, statement, frame.scope.node, grown.size))


@contextmanager
def _inner_loop(reader: Reading, statement: ast.For, changed: frozenset[str]) -> Iterator[None]:
    """The block may find a loop in a loop that alone changes something."""
    outside, inner = reader.inner_loops, only_loop_in(statement, changed)
    reader.inner_loops = outside if inner is None else outside | {inner: changed}
    try:
        yield
    finally:
        reader.inner_loops = outside


def _left(loop: _Loop, source: Source, after: dict[str, Value]) -> Outcome:
    """A loop that `return` or `break` ends."""
    place, outcome = loop.place, loop.outcome
    if source.order is not None or loop.lists or loop.tables:
        hint = "write a comprehension, or a loop for each"
        raise place.error("`return` or `break` in a loop that fills something, or in an order, is not supported", hint)
    found = [outcome.returned, outcome.broke, *(basic(after[name], place, f"`{name}`") for name in loop.types)]
    if isinstance(outcome.value, Term):
        found.append(outcome.value)
    bag, found = settled(loop.reader, source, found, place)
    returned, broke, *found = found
    value = found.pop() if isinstance(outcome.value, Term) else outcome.value
    states = {name: (state, each) for (name, state), each in zip(_state_of(loop.types).items(), found, strict=True)}
    outcome, values = leaving_loops.left(loop.reader, bag, Outcome(returned, value, broke), states, loop.before, place)
    loop.frame.values.update(values)
    return outcome


@dataclass
class _Loop:
    """A loop while its body is read.

    Attributes:
        before: the names before the loop.
        types: the types of the variables that are its state; wide enough for all rounds, once a round was read.
        lists, tables: the names of lists and dictionaries that it fills.
        looked_at: the dictionaries of these that it looks at.
        run_body: runs the body once.
        outcome: what a round does.
    """

    reader: Reading
    statement: ast.For
    frame: Frame
    before: dict[str, Value]
    types: dict[str, BasicType]
    lists: list[str]
    tables: list[str]
    looked_at: list[str]
    run_body: Callable[[], Outcome]
    place: Place
    outcome: Outcome = GOES_ON

    def read_round(self, each: Value) -> dict[str, Value]:
        """The names after a round for an element, whatever the state was before it."""
        types, of_cell = dict(self.types), None
        while True:
            cells = {name: dictionary_cells.before_round(of_cell) for name in self.looked_at}
            for name in self.tables:
                self.before[name] = replace(self.before[name], entries=[], cell=cells.get(name), collects=True)  # type: ignore[type-var]
            after = self._once(each, types)
            wider = wider_types(types, after, self.place)
            wider_cell = None
            if self.looked_at:
                wider_cell = dictionary_cells.wider(of_cell, cells[self.looked_at[0]], self.place)
            if wider == types and wider_cell == of_cell:
                self.types = types
                return after
            types, of_cell = wider, wider_cell

    def _once(self, each: Value, types: dict[str, BasicType]) -> dict[str, Value]:
        """The names after one round, for a state of these types."""
        frame, lists = self.frame, {name: Listing(()) for name in self.lists}
        frame.values = {**first_of_round(self.statement, self.before), **_state_of(types), **lists}
        first = dict(frame.values)
        self.reader.in_udf = True  # what is computed is computed for each element
        try:
            with self.reader.alone():
                bind(self.statement.target, each, frame)
                self.outcome = self.run_body()
        finally:
            self.reader.in_udf = False
        refuse_other_changes(self.statement, first, frame.values, self.lists, self.place)
        return frame.values


def _prepared(
    reader: Reading, statement: ast.For, frame: Frame, run_body: Callable[[], Outcome], place: Place
) -> _Loop:
    """What a loop fills and changes; raises SourceError where what it fills may be seen otherwise."""
    before = dict(frame.values)
    filled = list(dict.fromkeys([*filled_in(statement), *collected_in(statement)]))
    for name in filled:
        if isinstance(value := before.get(name), Table) and not value.entries:
            before[name] = Growing("dict")
    states = {name: before[name] for name in bound_in(statement) if isinstance(before.get(name), Term)}
    lists = [name for name, value in before.items() if isinstance(value, Listing) and name in grown_in(statement)]
    for name in lists:
        if not is_only_grown(name, statement):
            raise place.error(f"`{name}` is read in this loop, while it grows there", HINT)
    tables = [name for name in filled if isinstance(before.get(name), Growing)]
    for name in tables:
        if frame.loop is not None or not is_filled_once(name, reader, frame, statement):
            raise place.error(f"`{name}` is filled in this loop, and used otherwise before", HINT)
        before[name] = _with_lists(name, before[name], statement, frame)
    types = {name: basic_type(basic(value, place, f"`{name}`")) for name, value in states.items()}
    looked_at = [name for name in tables if looks_at(name, statement) or before[name].first is not None]  # type: ignore[union-attr]
    for name in looked_at:
        if before[name].of is not None:  # type: ignore[union-attr]
            raise place.error(f"`{name}` is a defaultdict of lists or sets, and looked at in this loop", HINT)
    if len(looked_at) > 1 or (looked_at and types):
        message = f"a loop that looks at what `{looked_at[0]}` has, while it fills it, and does more, is not supported"
        raise place.error(message, "write a loop for each")
    return _Loop(reader, statement, frame, before, types, lists, tables, looked_at, run_body, place)


def bound_in(statement: ast.For) -> list[str]:
    """The names that a loop gives values: of its target and of assignments in its body."""
    stored = [
        node.id
        for each in statement.body
        for node in ast.walk(each)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    ]
    return list(dict.fromkeys([*targets_of(statement.target), *stored]))


def first_of_round(statement: ast.For, before: dict[str, Value]) -> dict[str, Value]:
    """The names as a round of a loop finds them: what the loop binds, rounds before may have given another value."""
    return before | {name: Unusable("may be of a round before", HINT) for name in bound_in(statement) if name in before}


def refuse_other_changes(
    statement: ast.For, first: dict[str, Value], after: dict[str, Value], lists: list[str], place: Place
) -> None:
    """Raise SourceError where a round changes a name in another way than by assignment."""
    known = {*bound_in(statement), *lists}
    for name, value in first.items():
        if name not in known and after.get(name) is not value:
            raise place.error(f"`{name}` changes from round to round of this loop", HINT)


def grown_in(statement: ast.For) -> set[str]:
    """The names whose `append` or `extend` a loop calls."""
    return {
        node.value.id
        for each in statement.body
        for node in ast.walk(each)
        if isinstance(node, ast.Attribute) and node.attr in GROWS and isinstance(node.value, ast.Name)
    }


def is_only_grown(name: str, loop: ast.For) -> bool:
    """Whether all that a loop does with a list is to call its `append` and `extend`."""
    grown = {
        node.func.value
        for node in ast.walk(loop)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in GROWS
    }
    return all(node in grown for node in ast.walk(loop) if isinstance(node, ast.Name) and node.id == name)


def _state_of(types: dict[str, BasicType]) -> dict[str, Term]:
    """What stands for each variable in the function of the fold."""
    if len(types) < 2:
        return {name: accumulator(of) for name, of in types.items()}
    state = accumulator(TupleType(tuple(types.values())))
    return {name: project(state, index) for index, name in enumerate(types)}


def wider_types(types: dict[str, BasicType], after: dict[str, Value], place: Place) -> dict[str, BasicType]:
    """The types of the variables that a loop changes, such that they hold what they are after a round, too."""
    wider: dict[str, BasicType] = {}
    for name, of in types.items():
        value = basic(after[name], place, f"`{name}`")
        both = common_type(of, value.type)
        if both is None or not is_basic(both):
            raise place.error(f"`{name}` is of type {show_type(of)} before the loop, and then {show_type(value.type)}")
        wider[name] = both  # type: ignore[assignment]
    return wider
