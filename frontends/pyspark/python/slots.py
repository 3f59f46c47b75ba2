"""Items that a function sets, of a dictionary with constant keys or a list of so many items: `d[key] += value`.

Each item is a value of its own: an assignment by a key or an index that is no constant gives each of them a new value
where the key or the index is its one.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Final

from tallystick.core.functions import RAISE
from tallystick.core.terms import (
    FALSE,
    TRUE,
    Term,
    apply_function,
    conjunction,
    constant,
    disjunction,
    ite,
    less,
    negation,
    project,
    tuple_of,
)
from tallystick.core.types import BOOL
from tallystick.frontends.pyspark.python import arithmetic
from tallystick.frontends.pyspark.python.growing_lists import READ_BY
from tallystick.frontends.pyspark.python.indexing import is_inside, places
from tallystick.frontends.pyspark.python.reading import Reading
from tallystick.frontends.pyspark.python.sequences import is_constant
from tallystick.frontends.pyspark.python.tables_of_constants import same
from tallystick.frontends.pyspark.scoping.bound_names import BuiltinName
from tallystick.frontends.pyspark.scoping.scopes import Scope
from tallystick.frontends.pyspark.scoping.source import Place
from tallystick.frontends.pyspark.values.describing import basic, basic_type, literal
from tallystick.frontends.pyspark.values.dictionaries import is_dictionary, table_of_entries
from tallystick.frontends.pyspark.values.kinds import Frame, Listing, Slots, Table, Value
from tallystick.frontends.pyspark.values.options import component_count, implies_literal, unified

HINT: Final = "make it by `{…}` or `[…]` in this function, set and read its items, and give it no other name"
_MADE_BY: Final = ("dict", "list")


def changed(reader: Reading, statement: ast.stmt, frame: Frame, place: Place) -> bool:
    """Follow `d[key] = value` and `d[key] += value`; False for other statements."""
    match statement:
        case ast.Assign(targets=[ast.Subscript(value=ast.Name(id=name), slice=at)], value=value):
            operation = None
        case ast.AugAssign(target=ast.Subscript(value=ast.Name(id=name), slice=at), op=operation, value=value):
            pass
        case _:
            return False
    value_before = frame.values.get(name)
    whole = _whole(value_before)
    if isinstance(value_before, Table) and not value_before.entries and operation is None:
        whole = value_before
    if whole is None or isinstance(at, ast.Slice):
        return False
    if reader.attempts is not None or not (_is_state(reader, name, frame) or is_own(name, frame.scope)):
        raise place.error(f"items are set of a {_kind(whole)} that this function made, and keeps to itself", HINT)
    key = basic(reader.evaluate(at, frame), place, "a key or an index")
    new = reader.evaluate(value, frame)

    def put(old: Term) -> Term:
        made = new if operation is None else arithmetic.combine(place, type(operation), old, new)
        return basic(made, place, "an item")

    if isinstance(whole, Table):
        frame.values[name] = _of_table(reader, whole, key, operation is None, put, place)
    else:
        frame.values[name] = _of_list(reader, whole, key, put, place)
    if (state := as_state(frame.values[name])) is not None:
        reader.computed(state, place)
    return True


def _is_state(reader: Reading, name: str, frame: Frame) -> bool:
    """Whether a parameter of a function is a state of a fold that it may change, to which it gives no other name."""
    function, names = reader.states
    if function is None or function is not frame.scope.node or name not in names:
        return False
    parents = {child: node for node in ast.walk(function) for child in ast.iter_child_nodes(node)}
    uses = [node for node in ast.walk(function) if isinstance(node, ast.Name) and node.id == name]
    return all(isinstance(node.ctx, ast.Load) and _is_plain_use(node, parents, function) for node in uses)


def _whole(value: Value | None) -> Table | Listing | None:
    """A dictionary with constant keys, or a list of so many items, all of which are there; None for other values."""
    if isinstance(value, Term) and is_dictionary(value):
        return table_of_entries(value)
    if isinstance(value, Table) and value.entries and all(isinstance(each, Term) for _, each in value.entries):
        return value
    if isinstance(value, Listing) and type(value) in (Listing, Slots) and value.items:
        return value if all(there is TRUE for there, _ in value.items) else None
    return None


def _kind(whole: Table | Listing) -> str:
    return "dictionary" if isinstance(whole, Table) else "list"


def _of_table(reader: Reading, whole: Table, key: Term, sets: bool, put: Callable[[Term], Term], place: Place) -> Table:
    """A dictionary after an item was set at a key."""
    here = [same(place, key, each) for each, _ in whole.entries]
    known = disjunction(*here)
    if not _is_sure(reader, known):
        if sets and known is FALSE and is_constant(key):
            return Table((*whole.entries, (key, put(key))))
        if sets:
            raise place.error(
                "a key that a dictionary may not have yet is not supported here", "give it all keys first"
            )
        _refuse_at_the_driver(reader, "a key that may be missing raises KeyError", place)
    old = [basic(value, place, "an item") for _, value in whole.entries]
    entries = zip(whole.entries, _put(here, known, old, reader, put, place), strict=True)
    return Table(tuple((each, value) for (each, _), value in entries))


def _of_list(reader: Reading, whole: Listing, at: Term, put: Callable[[Term], Term], place: Place) -> Listing:
    """A list after an item was set at an index."""
    at = ite(at, constant(1), constant(0)) if at.type == BOOL else at
    size, index = len(whole.items), arithmetic.integer(at, place, "an index")
    number = literal(index)
    if number is not None:
        if not -size <= number < size:
            raise place.error(f"this list has no item {number}", HINT)
        here: list[Term] = [constant(number % size == each) for each in range(size)]
        known: Term = TRUE
    else:
        possible = dict(places(index, size))
        here = [possible.get(each, FALSE) for each in range(size)]
        known = TRUE
    if number is None and not is_inside(index, size):
        known = conjunction(negation(less(index, constant(-size))), less(index, constant(size)))
        if not _is_sure(reader, known):
            _refuse_at_the_driver(reader, "an index that may be out of range raises IndexError", place)
    values = _put(here, known, [item for _, item in whole.items], reader, put, place)
    return Slots(tuple((TRUE, value) for value in values))


def _put(
    here: list[Term], known: Term, old: list[Term], reader: Reading, put: Callable[[Term], Term], place: Place
) -> list[Term]:
    """Each item, with a new value where it is set; where none is, Python raises an exception."""
    found = []
    for holds, before in zip(here, old, strict=True):
        both = (before, before) if holds is FALSE else unified(put(before), before)
        if both is None:
            raise place.error("this sets an item to a value of another type", "keep the types of items")
        after, before = both
        kept = before if _is_sure(reader, known) else ite(known, before, apply_function(RAISE, basic_type(before)))
        found.append(ite(holds, after, kept))
    return found


def _is_sure(reader: Reading, known: Term) -> bool:
    return known is TRUE or implies_literal(reader.path, known)


def _refuse_at_the_driver(reader: Reading, message: str, place: Place) -> None:
    if not reader.in_udf:
        raise place.error(message, "test it before")


def as_state(value: Value | None) -> Term | None:
    """The items of a dictionary or list as one term; None for other values."""
    whole = _whole(value)
    if isinstance(whole, Table):
        values = [each for _, each in whole.entries if isinstance(each, Term)]
        return values[0] if len(values) == 1 else tuple_of(*values)
    if isinstance(whole, Listing):
        items = [item for _, item in whole.items]
        return items[0] if len(items) == 1 else tuple_of(*items)
    return None


def from_state(before: Value, state: Term) -> Value:
    """The dictionary or list with the keys or the size of another, whose items are the parts of a term."""
    whole = _whole(before)
    assert whole is not None
    size = len(whole.entries if isinstance(whole, Table) else whole.items)
    values = [state] if size == 1 else [project(state, index) for index in range(component_count(state))]
    if isinstance(whole, Listing):
        return Slots(tuple((TRUE, value) for value in values))
    return Table(tuple((key, value) for (key, _), value in zip(whole.entries, values, strict=True)))


def with_keys_of(before: Value, after: Value | None) -> Value | None:
    """A dictionary with the keys of another in one order, or a list of its size; None for others."""
    one, other = _whole(before), _whole(after)
    if isinstance(one, Table) and isinstance(other, Table):
        return other if [key for key, _ in one.entries] == [key for key, _ in other.entries] else None
    if isinstance(one, Listing) and isinstance(other, Listing) and len(one.items) == len(other.items):
        return other
    return None


def is_own(name: str, scope: Scope) -> bool:
    """Whether nothing but a function's own code sees a dictionary or list: it is made once there, and has one name."""
    function = scope.node
    parents = {child: node for node in ast.walk(function) for child in ast.iter_child_nodes(node)}
    made = 0
    for node in ast.walk(function):
        if isinstance(node, ast.arg) and node.arg == name:
            return False
        if isinstance(node, ast.Global | ast.Nonlocal) and name in node.names:
            return False
        if isinstance(node, ast.Name) and node.id == name:
            made += isinstance(node.ctx, ast.Store)
            if not _is_plain_use(node, parents, function):
                return False
    return made == len(scope.bindings[name]) == 1


def _is_plain_use(node: ast.Name, parents: dict[ast.AST, ast.AST], function: ast.AST) -> bool:
    around: ast.AST = node
    while (around := parents[around]) is not function:
        if isinstance(around, ast.FunctionDef | ast.Lambda | ast.ClassDef):
            return False
    match parents[node]:
        case ast.Assign(targets=[target], value=value) | ast.AnnAssign(target=target, value=ast.expr() as value):
            return target is node and _makes(value)
        case ast.Subscript(value=whole):
            return whole is node
        case ast.Attribute(attr="get") as method:
            return isinstance(call := parents[method], ast.Call) and call.func is method
        case ast.Attribute(attr="items" | "keys" | "values") as method:
            call = parents[method]
            return isinstance(call, ast.Call) and _is_gone_through(call, parents, node.id)
        case ast.Compare(ops=[ast.In() | ast.NotIn()], comparators=[right]):
            return right is node
        case ast.Return() | ast.UnaryOp(op=ast.Not()) | ast.Starred():
            return True
        case ast.If(test=test) | ast.IfExp(test=test):
            return test is node
    return _is_gone_through(node, parents, node.id)


def _is_gone_through(whole: ast.expr, parents: dict[ast.AST, ast.AST], name: str) -> bool:
    """Whether an expression is gone through at once, and no item is set meanwhile."""
    match parents[whole]:
        case ast.comprehension(iter=through) as part:
            made = parents[part]
            return through is whole and (
                not isinstance(made, ast.GeneratorExp) or _is_gone_through(made, parents, name)
            )
        case ast.Call(func=BuiltinName(id="enumerate" | "map" | "reversed" | "zip")) as call:
            return whole in call.args and _is_gone_through(call, parents, name)
        case ast.Call(func=ast.Attribute(value=ast.Constant(value=str()), attr="join"), args=[argument]):
            return argument is whole
        case ast.Call(func=BuiltinName(id="min" | "max"), args=[_, _, *_]):
            return False  # gives one of its arguments
        case ast.Call(func=BuiltinName(id=reads), args=[argument, *_]):
            return reads in READ_BY and argument is whole
        case ast.For(iter=through) as loop:
            return through is whole and not any(
                isinstance(node, ast.Subscript)
                and isinstance(node.ctx, ast.Store)
                and isinstance(node.value, ast.Name)
                and node.value.id == name
                for node in ast.walk(loop)
            )
    return False


def _makes(value: ast.expr) -> bool:
    """Whether an expression makes a new dictionary or list."""
    match value:
        case ast.Dict() | ast.List() | ast.DictComp() | ast.ListComp():
            return True
        case ast.BinOp(left=ast.List(), op=ast.Mult()):
            return True
        case ast.Call(func=BuiltinName(id=name)):
            return name in _MADE_BY
        case ast.Call(func=ast.Attribute(value=BuiltinName(id="dict"), attr="fromkeys")):
            return True
    return False
