"""Loops over the values of a group: folds of what the body does with one value.

As in loops over collected elements, the body is read once. What it gives new values is the state of a fold, which must
not depend on the order of the values, as `check` proves of every fold; a list that it appends to is a list of what it
appends for each value.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import replace

from tallystick.core.terms import TRUE, Term, project, subterms, tuple_of, variable
from tallystick.core.types import BasicType, TupleType
from tallystick.frontends.pyspark.python.binding import bind
from tallystick.frontends.pyspark.python.driver_loops import bound_in, grown_in, is_only_grown, wider_types
from tallystick.frontends.pyspark.python.growing_dictionaries import filled_in
from tallystick.frontends.pyspark.python.reading import Reading
from tallystick.frontends.pyspark.scoping.scopes import position_of
from tallystick.frontends.pyspark.scoping.source import Place
from tallystick.frontends.pyspark.values.describing import basic, basic_type
from tallystick.frontends.pyspark.values.kinds import Frame, Group, Listing, Unusable, Value
from tallystick.frontends.pyspark.values.options import converted

HINT = "compute sums, extremes and lists in it, or use comprehensions"


def run(
    reader: Reading, statement: ast.For, group: Group, frame: Frame, run_body: Callable[[], bool], place: Place
) -> None:
    """Run a loop over a group; `run_body` runs its body once, and says whether control got through."""
    if group.kind in ("ascending", "descending"):
        raise place.error("a loop over a sorted group may depend on its order, which no fold says", HINT)
    before = dict(frame.values)
    if any(name in before for name in filled_in(statement)):
        raise place.error("items that a loop over a group sets, of a dictionary or a list, are not supported", HINT)
    bound = bound_in(statement)
    lists = [name for name, value in before.items() if isinstance(value, Listing) and name in grown_in(statement)]
    for name in lists:
        if not is_only_grown(name, statement) or before[name].items:  # type: ignore[union-attr]
            raise place.error(f"`{name}` is read in this loop, or not empty before, while it grows there", HINT)
    changed = [name for name in bound if isinstance(before.get(name), Term)]
    types = {name: basic_type(basic(before[name], place, f"`{name}`")) for name in changed}
    name_of_state = f"item of loop {position_of(statement)} of {place.source.file}"
    outside, frame.loop = frame.loop, position_of(statement)
    while True:
        state = variable(name_of_state, TupleType(tuple(types.values()) or (group.item.type,)))  # type: ignore[arg-type]
        after = _once(reader, statement, group, frame, before, types, state, lists, run_body, place)
        wider = wider_types(types, after, place)
        if wider == types:
            break
        types = wider
    frame.loop, frame.values = outside, dict(before)
    frame.values.update({name: Unusable("is the last value of a loop", HINT) for name in bound})
    if types:
        initial = tuple_of(*(converted(basic(before[name], place, f"`{name}`"), of) for name, of in types.items()))
        step = tuple_of(*(converted(basic(after[name], place, f"`{name}`"), of) for name, of in types.items()))
        assert group.fold is not None
        result = group.fold(group, initial, step, state, place)
        frame.values.update({name: project(result, index) for index, name in enumerate(types)})
    for name in lists:
        frame.values[name] = _listed(group, after[name], state, place)


def _once(
    reader: Reading,
    statement: ast.For,
    group: Group,
    frame: Frame,
    before: dict[str, Value],
    types: dict[str, BasicType],
    state: Term,
    lists: list[str],
    run_body: Callable[[], bool],
    place: Place,
) -> dict[str, Value]:
    """The names after the rounds for one value of the group, each of whose items may be there."""
    known = {name: project(state, index) for index, name in enumerate(types)}
    frame.values = {**before, **known, **{name: Listing(()) for name in lists}}
    with reader.alone():
        for there, item in group.items:
            earlier = dict(frame.values)
            with reader.assuming(there):
                bind(statement.target, item, frame)
                if not run_body():
                    message = "`return` or `break` in a loop over a group is not supported"
                    raise place.error(message, "write `any`, `all`, or a comprehension with `if`")
            for name in (*types, *lists) if there is not TRUE else ():
                frame.values[name] = reader.merge(there, frame.values[name], earlier[name], f"`{name}`")
    return frame.values


def _listed(group: Group, after: Value, state: Term, place: Place) -> Group:
    """The list of what is appended for each value."""
    if not isinstance(after, Listing) or not after.items:
        raise place.error("nothing is appended to a list in this loop", HINT)
    if any(part is state for item in after.items for term in item for part in subterms(term)):
        raise place.error("what this loop collects depends on the values before", HINT)
    return replace(group, items=after.items, kind="list", once=False)
