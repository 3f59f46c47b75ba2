"""Loops over the values of a group: folds of what the body does with one value.

As in loops over collected elements, the body is read once. What it gives new values is the state of a fold, which must
not depend on the order of the values, as `check` proves of every fold; a list that it appends to is a list of what it
appends for each value.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass, replace

from tallystick.core.terms import (
    FALSE,
    TRUE,
    Operator,
    Term,
    conjunction,
    disjunction,
    free_variables,
    ite,
    negation,
    project,
    subterms,
    tuple_of,
    variable,
)
from tallystick.core.types import BOOL, BasicType, TupleType, is_basic
from tallystick.frontends.pyspark.python import dictionary_cells, group_dictionaries, slots
from tallystick.frontends.pyspark.python.binding import bind
from tallystick.frontends.pyspark.python.driver_loops import (
    bound_in,
    first_of_round,
    grown_in,
    is_only_grown,
    refuse_other_changes,
    wider_types,
)
from tallystick.frontends.pyspark.python.growing_dictionaries import filled_in, is_filled_once, looks_at
from tallystick.frontends.pyspark.python.reading import Reading
from tallystick.frontends.pyspark.scoping.scopes import position_of
from tallystick.frontends.pyspark.scoping.source import Place
from tallystick.frontends.pyspark.values.describing import basic, basic_type
from tallystick.frontends.pyspark.values.groups import Group, GroupDictionary
from tallystick.frontends.pyspark.values.kinds import (
    DictionaryKind,
    Frame,
    Growing,
    Listing,
    Raises,
    Table,
    Unusable,
    Value,
)
from tallystick.frontends.pyspark.values.options import common_type, common_type_of, converted, default_of
from tallystick.frontends.pyspark.values.rounds import Round

HINT = "compute sums, extremes and lists in it, or use comprehensions"


Left = tuple[Term, Value | None, Term]
"""How a block ends: where it returned, what it returned, and where it broke the loop around it."""
_STOPPED, _RETURNED = " stopped", " returned"
"""Names, which Python has not, for whether a loop has ended before this value, and for what it returned, if it did."""


def run(
    reader: Reading, statement: ast.For, group: Group, frame: Frame, run_body: Callable[[], Left], place: Place
) -> Left:
    """Run a loop over a group; `run_body` runs its body once.

    A loop that `return` or `break` ends is a fold that changes nothing once it has ended.
    """
    if group.kind in ("ascending", "descending"):
        raise place.error("a loop over a sorted group may depend on its order, which no fold says", HINT)
    before = dict(frame.values)
    items, growing = _filled(reader, statement, group, before, frame, place)
    bound = bound_in(statement)
    lists = [name for name, value in before.items() if isinstance(value, Listing) and name in grown_in(statement)]
    for name in lists:
        if not is_only_grown(name, statement) or before[name].items:  # type: ignore[union-attr]
            raise place.error(f"`{name}` is read in this loop, or not empty before, while it grows there", HINT)
    initial = {name: value for name in bound if isinstance(value := before.get(name), Term)} | items
    types = {name: basic_type(basic(value, place, f"`{name}`")) for name, value in initial.items()}
    each = Round(group)
    name_of_state = f"item of loop {position_of(statement)} of {place.source.file}"
    looked_at, of_cell = next((name for name in growing if looks_at(name, statement)), None), None
    outside, frame.loop = frame.loop, position_of(statement)
    while True:
        state = variable(name_of_state, TupleType(tuple(types.values()) or (group.item.type,)))  # type: ignore[arg-type]
        cell = dictionary_cells.before_round(of_cell)
        empty = {name: Growing(kind, cell=cell if name == looked_at else None) for name, kind in growing.items()}
        start = {**before, **empty}
        after, ends = _once(reader, statement, each, frame, start, types, state, items, lists, run_body, place)
        wider, wider_cell = {**wider_types(types, after, place), **ends.types}, of_cell
        if looked_at is not None:
            wider_cell = dictionary_cells.wider(of_cell, cell, place)
        if wider == types and wider_cell == of_cell:
            break
        types, of_cell = wider, wider_cell
    frame.loop, frame.values = outside, dict(before)
    frame.values.update({name: Unusable("is the last value of a loop", HINT) for name in bound})
    if growing:
        _require_apart(empty, state, [basic(after[name], place, name) for name in types], lists, after, ends, place)
        frame.values.update({name: _dictionary(group, grown, each, place) for name, grown in empty.items()})
    known: dict[str, Term] = {}
    if types:
        first = [converted(initial[name], of) if name in initial else default_of(of) for name, of in types.items()]
        step = [converted(basic(after[name], place, f"`{name}`"), of) for name, of in types.items()]
        assert group.fold is not None
        result = group.fold(group, tuple_of(*first), each.settled(tuple_of(*step)), state, place)
        known = {name: project(result, index) for index, name in enumerate(types)}
        frame.values.update(
            {name: slots.from_state(before[name], known[name]) if name in items else known[name] for name in initial}
        )
    for name in lists:
        frame.values[name] = _list_of_appended(group, after[name], each, state, place)
    return ends.of_loop(known)


def _filled(
    reader: Reading, statement: ast.For, group: Group, before: dict[str, Value], frame: Frame, place: Place
) -> tuple[dict[str, Term], dict[str, DictionaryKind]]:
    """Dictionaries with constant keys and lists that a loop sets items of, as terms; and dictionaries that it fills."""
    items: dict[str, Term] = {}
    growing: dict[str, DictionaryKind] = {}
    for name in filled_in(statement):
        value = before.get(name)
        if (state := slots.as_state(value)) is not None:
            items[name] = state
        elif (isinstance(value, Growing) and value.of is None and value.first is None) or (
            isinstance(value, Table) and not value.entries
        ):
            growing[name] = value.kind if isinstance(value, Growing) else "dict"
            if frame.loop is not None or not is_filled_once(name, reader, frame, statement):
                raise place.error(f"`{name}` is filled in this loop, and used otherwise before", HINT)
        elif value is not None:
            message = "items that a loop over a group sets, of a dictionary or a list, are not supported"
            raise place.error(message, slots.HINT)
    if growing and (group.base is not None or len(group.items) != 1):
        raise place.error("a loop over a set, or over several items of each value, that fills a dictionary", HINT)
    if len([name for name in growing if looks_at(name, statement)]) > 1:
        raise place.error("a loop that looks at what two dictionaries have, while it fills them", "write two loops")
    return items, growing


def _require_apart(
    grown: dict[str, Growing],
    state: Term,
    steps: list[Term],
    lists: list[str],
    after: dict[str, Value],
    ends: _Ends,
    place: Place,
) -> None:
    """Raise SourceError where what a loop fills depends on what else it changes, or that on what it fills."""
    if ends.types:
        raise place.error("`return` or `break` in a loop that fills a dictionary is not supported", HINT)
    cells = [each.cell for each in grown.values() if each.cell is not None]
    entries = [part for each in grown.values() for entry in each.entries for part in entry[:3]]
    put = [part for cell in cells for part in (cell.key, cell.value, cell.there, cell.used) if part is not None]
    others = steps + [part for name in lists for item in after[name].items for part in item]  # type: ignore[union-attr]
    of_cell = [each for part in (*others, *entries) for each in subterms(part)]
    if any(each is state for part in (*entries, *put) for each in subterms(part)) or any(
        each.operator is Operator.ACCUMULATOR for each in of_cell
    ):
        raise place.error("what fills a dictionary and what else changes in this loop depend on each other", HINT)


def _dictionary(group: Group, grown: Growing, each: Round, place: Place) -> GroupDictionary:
    """The dictionary that the rounds for the values of a group fill."""
    if grown.cell is not None:
        used, key, *fold = map(each.settled, (grown.cell.used, *dictionary_cells.fold_of(grown, place)))
        return group_dictionaries.folded(group, used, key, (fold[0], fold[1]), grown.kind, place)
    entries = [(each.settled(there), each.settled(key), each.settled(value)) for there, key, value, _ in grown.entries]
    ways = {how for *_, how in grown.entries}
    if ways == {"add"}:
        return group_dictionaries.added_up(group, entries, grown.kind, place)
    if ways == {"set"}:
        return group_dictionaries.put(group, entries, grown.kind, place)
    raise place.error("a loop over a group that fills a dictionary in several ways is not supported", HINT)


@dataclass(frozen=True)
class _Ends:
    """How a loop ends: the types of what its state says of that, and what it always returns, where that is known."""

    types: dict[str, BasicType]
    constant: Term | None = None

    def of_loop(self, known: dict[str, Term]) -> Left:
        """How the loop ended, by the state after it."""
        if not self.types:
            return FALSE, None, FALSE
        if self.constant is not None:
            return known[_STOPPED], self.constant, FALSE
        if _RETURNED not in known:
            return FALSE, None, known[_STOPPED]
        returned = project(known[_RETURNED], 0)
        return returned, project(known[_RETURNED], 1), conjunction(known[_STOPPED], negation(returned))


def _once(
    reader: Reading,
    statement: ast.For,
    each: Round,
    frame: Frame,
    before: dict[str, Value],
    types: dict[str, BasicType],
    state: Term,
    items: dict[str, Term],
    lists: list[str],
    run_body: Callable[[], Left],
    place: Place,
) -> tuple[dict[str, Value], _Ends]:
    """The names after the rounds for one value of the group, each of whose items may be there; and how these end."""
    known: dict[str, Value] = {name: project(state, index) for index, name in enumerate(types)}
    known |= {name: slots.from_state(before[name], project(state, [*types].index(name))) for name in items}
    frame.values = {**first_of_round(statement, before), **known, **{name: Listing(()) for name in lists}}
    first = dict(frame.values)
    left: list[Left] = []
    with reader.alone():
        for there, item in each.items:
            earlier = dict(frame.values)
            stopped = earlier.get(_STOPPED, FALSE)
            assert isinstance(stopped, Term)
            runs = conjunction(there, negation(stopped))
            with reader.assuming(runs):
                bind(statement.target, item, frame)
                left.append(run_body())
            _end_round(reader, frame, earlier, types, left[-1], place)
            for name in (*types, *lists) if runs is not TRUE else ():
                frame.values[name] = reader.merge(runs, frame.values[name], earlier[name], f"`{name}`")
    refuse_other_changes(statement, first, frame.values, [*types, *lists], place)
    for name in items:
        found = slots.as_state(slots.with_keys_of(before[name], frame.values[name]))
        if found is None:
            raise place.error(f"`{name}` has other keys, or another number of items, after a round of this loop", HINT)
        frame.values[name] = found
    if all(returned is broke is FALSE for returned, _, broke in left):
        return frame.values, _Ends({})
    if lists:
        raise place.error("`return` or `break` in a loop that appends to lists is not supported", HINT)
    return frame.values, _ends(left, types, place)


def _end_round(
    reader: Reading, frame: Frame, earlier: dict[str, Value], types: dict[str, BasicType], left: Left, place: Place
) -> None:
    """Say in the names after a round how it ended. What a round that returns gave new values, nothing sees."""
    returned, value, broke = left
    if returned is not FALSE:
        for name in types:
            frame.values[name] = reader.merge(returned, earlier[name], frame.values[name], f"`{name}`")
    if _STOPPED in types:
        frame.values[_STOPPED] = disjunction(returned, broke)
    if _RETURNED in types and value is not None and returned is not FALSE:
        of = types[_RETURNED].components[1]  # type: ignore[union-attr]
        what = _returned(value, place)
        if common_type(of, what.type) == of:  # or else the round is read again, with a wider type
            found = tuple_of(TRUE, converted(what, of))
            frame.values[_RETURNED] = ite(returned, found, tuple_of(FALSE, default_of(of)))


def _returned(value: Value | None, place: Place) -> Term:
    if value is None or isinstance(value, Raises):
        raise place.error("an exception that ends a loop over a group is not supported", HINT)
    if isinstance(value, Unusable):
        raise place.error(f"what this loop returns {value.reason}", value.hint)
    return basic(value, place, "what is returned in this loop")


def _ends(left: list[Left], types: dict[str, BasicType], place: Place) -> _Ends:
    values = [_returned(value, place) for returned, value, _ in left if returned is not FALSE]
    if not values:
        return _Ends({_STOPPED: BOOL})
    broken = any(broke is not FALSE for _, _, broke in left)
    if not broken and len(set(values)) == 1 and not free_variables(values[0]) and not values[0].bound:
        return _Ends({_STOPPED: BOOL}, values[0])
    of = common_type_of([*(each.type for each in values), *_known_type(types)])
    if of is None or not is_basic(of):
        raise place.error("what this loop returns is of several types", "return values of one type")
    return _Ends({_STOPPED: BOOL, _RETURNED: TupleType((BOOL, of))})  # type: ignore[arg-type]


def _known_type(types: dict[str, BasicType]) -> tuple[BasicType, ...]:
    return (types[_RETURNED].components[1],) if _RETURNED in types else ()  # type: ignore[union-attr]


def _list_of_appended(group: Group, after: Value, each: Round, state: Term, place: Place) -> Group:
    """The list of what is appended for each value."""
    if not isinstance(after, Listing) or not after.items:
        raise place.error("nothing is appended to a list in this loop", HINT)
    if any(part is state for item in after.items for term in item for part in subterms(term)):
        raise place.error("what this loop collects depends on the values before", HINT)
    return replace(group, items=each.settled_items(after.items), kind="list", once=False)
