"""Loops at the driver over the elements of an RDD: folds of variables, and lists and dictionaries that grow.

The body is read once, for one element. Numbers, texts and tuples that it gives new values are the state of one fold,
which must not depend on the order of the elements, as `check` proves of every fold. A list that it appends to is a list
of what it appends for each element. A dictionary that it fills has the pairs of these, whose keys must not repeat; one
that counts or adds up is a by-key fold.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

from tallystick.core.terms import (
    TRUE,
    Operator,
    Term,
    accumulator,
    add,
    build,
    constant,
    element,
    project,
    subterms,
    tuple_of,
)
from tallystick.core.types import INT, RATIONAL, BasicType, TupleType, is_basic
from tallystick.frontends.pyspark.python import dictionary_cells
from tallystick.frontends.pyspark.python.binding import bind
from tallystick.frontends.pyspark.python.growing_dictionaries import filled_in, is_filled_once, looks_at
from tallystick.frontends.pyspark.python.reading import Reading
from tallystick.frontends.pyspark.rdds.calls import element_of, require_hashable
from tallystick.frontends.pyspark.rdds.operators import union_of
from tallystick.frontends.pyspark.scoping.scopes import position_of, targets_of
from tallystick.frontends.pyspark.scoping.source import Place
from tallystick.frontends.pyspark.values.describing import basic, basic_type, describe, show_type
from tallystick.frontends.pyspark.values.kinds import (
    Collected,
    Dictionary,
    Frame,
    Growing,
    Listing,
    Ranked,
    Table,
    Unusable,
    Value,
)
from tallystick.frontends.pyspark.values.options import common_type, converted

GROWS = ("append", "extend")
HINT = "collect sums, lists and dictionaries in it, or use `reduceByKey` and the like"


def run(
    reader: Reading,
    statement: ast.For,
    through: Collected | Ranked,
    frame: Frame,
    run_body: Callable[[], bool],
    place: Place,
) -> None:
    """Run a loop over the elements of an RDD; `run_body` runs its body once, and says whether control got through."""
    in_order = isinstance(through, Ranked)
    row = element(element_of(through.pairs if isinstance(through, Ranked) else through.bag))
    each = project(row, 1) if in_order else row
    before = dict(frame.values)
    for name in filled_in(statement):
        if isinstance(value := before.get(name), Table) and not value.entries:
            before[name] = Growing("dict")
    bound = bound_in(statement)
    states = {name: before[name] for name in bound if isinstance(before.get(name), Term)}
    lists = [name for name, value in before.items() if isinstance(value, Listing) and name in grown_in(statement)]
    for name in lists:
        if not is_only_grown(name, statement):
            raise place.error(f"`{name}` is read in this loop, while it grows there", HINT)
    tables = [name for name in filled_in(statement) if isinstance(before.get(name), Growing)]
    for name in tables:
        if frame.loop is not None or not is_filled_once(name, frame.scope.node, statement):
            raise place.error(f"`{name}` is filled in this loop, and used otherwise before", HINT)
    types = {name: basic_type(basic(value, place, f"`{name}`")) for name, value in states.items()}
    looked_at = [name for name in tables if looks_at(name, statement)]
    if len(looked_at) > 1 or (looked_at and types):
        message = f"a loop that looks at what `{looked_at[0]}` has, while it fills it, and does more, is not supported"
        raise place.error(message, "write a loop for each")
    of_cell: BasicType | None = None
    outside, frame.loop = frame.loop, position_of(statement)
    while True:
        cells = {name: dictionary_cells.before_round(of_cell) for name in looked_at}
        for name in tables:
            before[name] = replace(before[name], entries=[], cell=cells.get(name))  # type: ignore[type-var]
        after, wider = _once(reader, statement, each, frame, before, types, lists, run_body, place)
        wider_cell = dictionary_cells.wider(of_cell, cells[looked_at[0]], place) if looked_at else None
        if wider == types and wider_cell == of_cell:
            break
        types, of_cell = wider, wider_cell
    frame.loop = outside
    frame.values = dict(before)
    frame.values.update({name: Unusable("is the last value of a loop", HINT) for name in bound})
    if isinstance(through, Ranked):
        if types or tables:
            raise place.error("a loop over elements in an order may only append to lists", "collect in any order")
        frame.values.update({name: _in_order(through, before[name], after[name], place) for name in lists})
        return
    if types:
        frame.values.update(_folded(through, {name: before[name] for name in types}, types, after, place))
    for name in lists:
        frame.values[name] = _listed(through, before[name], after[name], place)
    for name in tables:
        grown = after[name]
        if isinstance(grown, Growing) and grown.cell is not None:
            frame.values[name] = _folded_by_key(through, grown, place)
        elif isinstance(grown, Growing) and grown.entries:
            frame.values[name] = _filled(through, name, grown, place)


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


def _once(
    reader: Reading,
    statement: ast.For,
    each: Term,
    frame: Frame,
    before: dict[str, Value],
    types: dict[str, BasicType],
    lists: list[str],
    run_body: Callable[[], bool],
    place: Place,
) -> tuple[dict[str, Value], dict[str, BasicType]]:
    """The names after one round, for a state of these types; and the types that hold what they then are, too."""
    frame.values = {**first_of_round(statement, before), **_state_of(types), **{name: Listing(()) for name in lists}}
    first = dict(frame.values)
    reader.in_udf = True  # what is computed is computed for each element
    try:
        with reader.alone():
            bind(statement.target, each, frame)
            through = run_body()
    finally:
        reader.in_udf = False
    if not through:
        raise place.error("`return` or `break` in a loop over the elements of an RDD is not supported", HINT)
    refuse_other_changes(statement, first, frame.values, lists, place)
    return frame.values, wider_types(types, frame.values, place)


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


def _folded(
    through: Collected, before: dict[str, Value], types: dict[str, BasicType], after: dict[str, Value], place: Place
) -> dict[str, Term]:
    """The variables after the loop, as parts of one fold."""
    initial = [converted(basic(before[name], place, f"`{name}`"), of) for name, of in types.items()]
    steps = [converted(basic(after[name], place, f"`{name}`"), of) for name, of in types.items()]
    if len(types) == 1:
        fold = build(Operator.FOLD, (initial[0], steps[0], through.bag))
        through.asked("fold", place, fold=fold)
        return dict.fromkeys(types, fold)
    fold = build(Operator.FOLD, (tuple_of(*initial), tuple_of(*steps), through.bag))
    through.asked("fold", place, fold=fold)
    return {name: project(fold, index) for index, name in enumerate(types)}


def _listed(through: Collected, before: Value, after: Value, place: Place) -> Collected:
    """The list of what is appended for each element."""
    if not isinstance(before, Listing) or before.items or not isinstance(after, Listing) or not after.items:
        raise place.error("a list that grows in a loop over the elements of an RDD must be empty before", HINT)
    _refuse_state([part for item in after.items for part in item], place)
    return replace(through, bag=_bag_of(list(after.items), through.bag, place))


def _in_order(through: Ranked, before: Value, after: Value, place: Place) -> Ranked:
    """The list of what is appended for each element of a list in an order, which is one item for each."""
    match before, after:
        case Listing(items=()), Listing(items=((there, item),)) if there is TRUE:
            order = project(element(element_of(through.pairs)), 0)
            return replace(through, pairs=build(Operator.MAP, (tuple_of(order, item), through.pairs)), of=None)
    raise place.error("a loop over elements in an order appends one item for each, to an empty list", HINT)


def _bag_of(items: list[tuple[Term, Term]], bag: Term, place: Place) -> Term:
    of: object = items[0][1].type
    for _, item in items:
        both = common_type(of, item.type)  # type: ignore[arg-type]
        if both is None:
            raise place.error("what this collects is of several types", "make items of one type")
        of = both
    return union_of([(there, converted(item, of)) for there, item in items], bag)  # type: ignore[arg-type]


def _refuse_state(parts: list[Term], place: Place) -> None:
    """Raise SourceError where what is collected depends on what was before in the loop."""
    if any(each.operator is Operator.ACCUMULATOR for part in parts for each in subterms(part)):
        raise place.error("what this loop collects depends on the elements before", HINT)


def _folded_by_key(through: Collected, grown: Growing, place: Place) -> Dictionary:
    """The dictionary that a loop fills, each round of which looks at one key: a fold by key of its elements."""
    key, initial, step = dictionary_cells.fold_of(grown, place)
    assert grown.cell is not None
    row = element(element_of(through.bag))
    used = grown.cell.used
    bag = through.bag if used is TRUE else build(Operator.FILTER, (used, through.bag))
    pairs = build(Operator.MAP, (tuple_of(key, row), bag))
    fold = build(Operator.FOLD_BY_KEY, (initial, step, pairs))
    through.asked("fold", place, fold=fold)
    pair = element(element_of(fold))
    there = project(project(pair, 1), 1)
    kept = fold if project(step, 1) is TRUE else build(Operator.FILTER, (there, fold))
    bag = build(Operator.MAP, (tuple_of(project(pair, 0), project(project(pair, 1), 0)), kept))
    return Dictionary(replace(through, bag=bag), grown.kind)


def _filled(through: Collected, name: str, grown: Growing, place: Place) -> Dictionary:
    """The dictionary that a loop fills."""
    _refuse_state([part for entry in grown.entries for part in entry[:3]], place)
    (action, *others) = {entry[3] for entry in grown.entries}
    if others or (action == "set" and len(grown.entries) > 1):
        raise place.error(f"`{name}` is filled in several ways, which is not supported", HINT)
    pairs = [(there, tuple_of(key, value)) for there, key, value, _ in grown.entries]
    bag = _bag_of(pairs, through.bag, place)
    of = element_of(bag)
    assert isinstance(of, TupleType)
    require_hashable(of.components[0], place, "a key")
    listed = replace(through, bag=bag)
    if action == "set":
        made = listed.asked("dict", place)
        assert isinstance(made, Dictionary)
        return replace(made, kind=grown.kind)
    if of.components[1] not in (INT, RATIONAL):
        raise place.error(f"`+=` of what is {describe(pairs[0][1])} in a dictionary is not supported", "add up numbers")
    zero = constant(0) if of.components[1] == INT else constant(Fraction(0))
    state = add(accumulator(of.components[1]), element(of.components[1]))
    fold = build(Operator.FOLD_BY_KEY, (zero, state, bag))
    listed.asked("fold", place, fold=fold)
    return Dictionary(replace(through, bag=fold), grown.kind)
