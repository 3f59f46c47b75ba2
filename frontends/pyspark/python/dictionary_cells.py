"""Dictionaries that a loop fills, of which each round looks at one key: a fold by key of what it does there.

`if k not in best or v > best[k]: best[k] = v` is read as a step from what is there for the key, if anything is, to what
is there after the round.
"""

from __future__ import annotations

import ast
from typing import Final

from tallystick.core.functions import RAISE
from tallystick.core.terms import (
    FALSE,
    TRUE,
    Operator,
    Term,
    accumulator,
    apply_function,
    constant,
    disjunction,
    ite,
    negation,
    project,
    subterms,
    tuple_of,
)
from tallystick.core.types import BOOL, BasicType, TupleType, is_basic
from tallystick.frontends.pyspark.python import arithmetic
from tallystick.frontends.pyspark.python.reading import Reading
from tallystick.frontends.pyspark.rdds.calls import require_hashable
from tallystick.frontends.pyspark.scoping.source import Place
from tallystick.frontends.pyspark.values.describing import basic, basic_type, literal
from tallystick.frontends.pyspark.values.kinds import Frame, Growing, KeyEntry, Listing, Value
from tallystick.frontends.pyspark.values.options import MISSING, common_type, default_of, implies_literal, unified

HINT: Final = "use one key in each round, and look at it by `d[key]`, `d.get(key, …)`, `key in d` and `setdefault`"


def before_round(of: BasicType | None) -> KeyEntry:
    """What a dictionary has at a key before a round: nothing, or what the state of the fold says of a value."""
    if of is None:
        return KeyEntry(FALSE)
    state = accumulator(TupleType((of, BOOL)))
    return KeyEntry(project(state, 1), project(state, 0))


def wider(of: BasicType | None, after: KeyEntry, place: Place) -> BasicType:
    """The type of values that holds those before a round and those after it."""
    if after.value is None or after.key is None:
        raise place.error("a loop puts nothing into a dictionary that it looks at", HINT)
    both = after.value.type if of is None else common_type(of, after.value.type)
    if both is None or not is_basic(both):
        raise place.error("this puts values of several types into a dictionary", "make them of one type")
    return both  # type: ignore[return-value]


def fold_of(grown: Growing, place: Place) -> tuple[Term, Term, Term]:
    """The key of a round, and initial state and step of the fold: pairs of the value and whether it is there."""
    cell = grown.cell
    assert cell is not None
    assert cell.key is not None
    assert cell.value is not None
    require_hashable(cell.key.type, place, "a key")
    of = basic_type(cell.value)
    return cell.key, tuple_of(default_of(of), FALSE), tuple_of(cell.value, cell.there)


def changed(reader: Reading, statement: ast.stmt, frame: Frame, place: Place) -> bool:
    """Follow `d[key] = value` and `d[key] += value`; False for other statements."""
    match statement:
        case ast.Assign(targets=[ast.Subscript(value=ast.Name(id=name), slice=key)], value=value):
            operation = None
        case ast.AugAssign(target=ast.Subscript(value=ast.Name(id=name), slice=key), op=operation, value=value):
            pass
        case ast.Assign(targets=[ast.Subscript(value=ast.Subscript(value=ast.Name(id=name))) as item], value=value):
            return _set_item(reader, name, item, None, value, frame, place)
        case ast.AugAssign(
            target=ast.Subscript(value=ast.Subscript(value=ast.Name(id=name))) as item, op=operation, value=value
        ):
            return _set_item(reader, name, item, operation, value, frame, place)
        case _:
            return False
    grown = frame.values.get(name)
    if not isinstance(grown, Growing) or grown.cell is None:
        return False
    if operation is not None and grown.size is not None:
        raise place.error("`+` of a list that stands at a key is not supported", "set its items")
    old = None if operation is None else looked_up(reader, grown, reader.evaluate(key, frame), place)
    new = reader.evaluate(value, frame)
    if operation is not None and old is not None:
        new = arithmetic.combine(place, type(operation), old, new)
    _put(reader, grown, reader.evaluate(key, frame), _held(grown, new, place), place)
    return True


def _held(grown: Growing, value: Value, place: Place) -> Term:
    """What a dictionary has at a key: of a list of so many items, the tuple of these."""
    if grown.size is None:
        return basic(value, place, "a value of a dictionary")
    if not isinstance(value, Listing) or len(value.items) != grown.size:
        raise place.error(f"values of this dictionary are lists of {grown.size} items", "make each by `[…]`")
    return tuple_of(*(item for _, item in value.items))


def _set_item(
    reader: Reading,
    name: str,
    target: ast.Subscript,
    operation: ast.operator | None,
    value: ast.expr,
    frame: Frame,
    place: Place,
) -> bool:
    """Follow `d[key][index] = value` and `d[key][index] += value`, of lists of so many items; else False."""
    grown = frame.values.get(name)
    if not isinstance(grown, Growing) or grown.cell is None or grown.size is None:
        return False
    assert isinstance(target.value, ast.Subscript)
    key = reader.evaluate(target.value.slice, frame)
    index = literal(reader.evaluate(target.slice, frame))
    if index is None or not 0 <= index < grown.size:
        raise place.error(f"lists of this dictionary have the indices 0 to {grown.size - 1}", "use one of these")
    old = looked_up(reader, grown, key, place)
    items = [project(old, each) for each in range(grown.size)]
    new = reader.evaluate(value, frame)
    if operation is not None:
        new = arithmetic.combine(place, type(operation), items[index], new)
    items[index] = basic(new, place, "an item of a list")
    _put(reader, grown, key, tuple_of(*items), place)
    return True


def _cell_at(reader: Reading, grown: Growing, key: Value, place: Place) -> KeyEntry:
    """What a dictionary has at a key; raises SourceError where the round uses another one, too."""
    cell = grown.cell
    assert cell is not None
    asked = basic(key, place, "a key of a dictionary")
    if reader.attempts is not None:
        raise place.error("a dictionary that grows in a `try` is not supported", HINT)
    if any(each.operator is Operator.ACCUMULATOR for each in subterms(asked)):
        raise place.error("a key that depends on the elements before is not supported", HINT)
    if cell.key is None:
        cell.key = asked
    _note_use(cell, reader.path, place)
    if cell.key is not asked:
        raise place.error("a round of this loop uses several keys of a dictionary that it fills", HINT)
    return cell


def _note_use(cell: KeyEntry, path: Term, place: Place) -> None:
    """Note when a round uses the key: where it does not, Python may never compute that."""
    holds = set(_parts(path, Operator.AND))
    if any(holds.issuperset(_parts(each, Operator.AND)) for each in _parts(cell.used, Operator.OR)):
        return
    if any(each.operator is Operator.ACCUMULATOR for each in subterms(path)):
        raise place.error("whether this key is used depends on the elements before", "look at the key before")
    cell.used = disjunction(cell.used, path)


def _parts(condition: Term, operator: Operator) -> tuple[Term, ...]:
    if condition is (TRUE if operator is Operator.AND else FALSE):
        return ()
    return condition.arguments if condition.operator is operator else (condition,)


def _put(reader: Reading, grown: Growing, key: Value, new: Term, place: Place) -> None:
    cell = _cell_at(reader, grown, key, place)
    old = default_of(basic_type(new)) if cell.value is None else cell.value
    both = unified(new, old)
    if both is None:
        raise place.error("this puts values of several types into a dictionary", "make them of one type")
    cell.value = ite(reader.path, *both)
    opposite = implies_literal(negation(cell.there), reader.path)
    cell.there = TRUE if reader.path is TRUE or opposite else disjunction(cell.there, reader.path)


def has(reader: Reading, grown: Growing, key: Value, place: Place) -> Term:
    """`key in d`."""
    return _cell_at(reader, grown, key, place).there


def looked_up(reader: Reading, grown: Growing, key: Value, place: Place) -> Term:
    """`d[key]`: for a key that is not there, 0 of a defaultdict, which has it then, and of a Counter; or KeyError."""
    cell = _cell_at(reader, grown, key, place)
    if cell.value is not None and (cell.there is TRUE or implies_literal(reader.path, cell.there)):
        return cell.value
    if grown.kind == "defaultdict":
        found = _or(cell, constant(0) if grown.first is None else grown.first, place)
        _put(reader, grown, key, found, place)
        return found
    if grown.kind == "Counter":
        return _or(cell, constant(0), place)
    if cell.value is None:
        raise place.error("a key that is not there raises KeyError", "test `key in d` before")
    return ite(cell.there, cell.value, apply_function(RAISE, basic_type(cell.value)))


def get(reader: Reading, grown: Growing, given: list[Value], place: Place) -> Term:
    """`d.get(key)` and `d.get(key, default)`."""
    if not 1 <= len(given) <= 2:
        raise place.error("`get` takes a key and a default")
    if grown.size is not None:
        raise place.error("`get` of a dictionary of lists is not supported in this loop", HINT)
    default = basic(given[1], place, "the default of `get`") if len(given) > 1 else MISSING
    return _or(_cell_at(reader, grown, given[0], place), default, place)


def set_default(reader: Reading, grown: Growing, given: list[Value], place: Place) -> Term:
    """`d.setdefault(key, default)`."""
    if len(given) != 2:
        raise place.error("`setdefault` takes a key and a default")
    default = _held(grown, given[1], place)
    cell = _cell_at(reader, grown, given[0], place)
    found = _or(cell, default, place)
    _put(reader, grown, given[0], found, place)
    return found


def _or(cell: KeyEntry, default: Term, place: Place) -> Term:
    """What is there, or else a default."""
    if cell.value is None or cell.there is FALSE:
        return default
    both = unified(cell.value, default)
    if both is None:
        raise place.error("this look-up gives values of several types", "give a default of the values' type")
    return ite(cell.there, *both)
