"""What stands in brackets: items, slices, keys."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from tallystick.core.functions import RAISE
from tallystick.core.terms import (
    TRUE,
    Term,
    apply_function,
    ite,
    project,
    tuple_of,
)
from tallystick.core.types import BOOL, TEXT
from tallystick.frontends.pyspark.named_functions import containers
from tallystick.frontends.pyspark.python import arithmetic, dictionary_cells, group_dictionaries, products, texts
from tallystick.frontends.pyspark.python.expressions.names import usable
from tallystick.frontends.pyspark.python.functions import regular_expressions
from tallystick.frontends.pyspark.python.growing_lists import READ_BY
from tallystick.frontends.pyspark.python.indexing import item_at
from tallystick.frontends.pyspark.python.one_time import refuse
from tallystick.frontends.pyspark.python.reading import Reading
from tallystick.frontends.pyspark.python.sequences import items_of
from tallystick.frontends.pyspark.python.sorted_groups import first_of_group
from tallystick.frontends.pyspark.python.tables_of_constants import looked_up
from tallystick.frontends.pyspark.rdds import lookups, partial, slices_in_order
from tallystick.frontends.pyspark.rdds.calls import Call
from tallystick.frontends.pyspark.scoping.bound_names import BuiltinName
from tallystick.frontends.pyspark.scoping.source import Place
from tallystick.frontends.pyspark.values import records
from tallystick.frontends.pyspark.values.describing import (
    basic,
    basic_type,
    describe,
    literal,
    what_to_do_with,
)
from tallystick.frontends.pyspark.values.dictionaries import is_dictionary, table_of_entries
from tallystick.frontends.pyspark.values.groups import Firsts, Group, GroupDictionary
from tallystick.frontends.pyspark.values.kinds import (
    Dictionary,
    DictionaryOfGroups,
    Frame,
    Growing,
    Listing,
    Pieces,
    Ranked,
    Record,
    Spread,
    Table,
    Tally,
    Value,
)
from tallystick.frontends.pyspark.values.options import (
    NONE,
    component_count,
    is_option,
    is_tuple,
)
from tallystick.frontends.pyspark.values.record_types import RecordType
from tallystick.frontends.pyspark.values.row_values import is_row


def read_subscript(reader: Reading, node: ast.Subscript, frame: Frame, place: Place) -> Value:
    whole = reader.evaluate(node.value, frame)
    refuse(whole, place, "items that are indexed")
    if isinstance(whole, Term) and is_dictionary(whole):
        whole = table_of_entries(whole)
    if isinstance(whole, Dictionary) and whole.kind != "set":
        key = reader.evaluate(node.slice, frame)
        return lookups.looked_up(reader, whole, key, _may_be_seen(node.value, frame), place)
    if isinstance(whole, DictionaryOfGroups):
        return lookups.group_of(reader, whole, reader.evaluate(node.slice, frame), place)
    if isinstance(whole, Growing) and whole.cell is not None:
        return dictionary_cells.looked_up(reader, whole, reader.evaluate(node.slice, frame), place)
    if isinstance(whole, GroupDictionary):
        key = reader.evaluate(node.slice, frame)
        return group_dictionaries.looked_up(whole, key, _may_be_seen(node.value, frame), place)
    if containers.is_coded(whole, "dict"):
        key = reader.evaluate(node.slice, frame)
        if not reader.in_udf:
            reader.raises_unless(containers.member(whole, key, place), place)
        return containers.value_at(whole, key, place)
    if isinstance(whole, Table):
        key = reader.evaluate(node.slice, frame)
        return usable(looked_up(reader, whole, key, place), place)
    if regular_expressions.is_match(whole):
        key = reader.evaluate(node.slice, frame)
        if reader.attempts is not None:
            reader.attempts.note_use(whole, TypeError, reader.path, place)  # type: ignore[arg-type]
        return regular_expressions.item_of_match(place, whole, key)
    if isinstance(whole, Tally):
        key = texts.text(reader.evaluate(node.slice, frame), place, "a key")
        return texts.count_of(whole.pieces, key)
    if isinstance(whole, Pieces | Spread):
        return texts.item_of(whole, _constant_index(reader, node, frame, place), None, place)
    if isinstance(whole, Term) and whole.type == TEXT:
        if isinstance(node.slice, ast.Slice):
            return texts.sliced(whole, node.slice, lambda each: reader.evaluate(each, frame), place)
        index = reader.evaluate(node.slice, frame)
        return texts.character(whole, arithmetic.integer(index, place.source.place(node.slice), "the index of a text"))
    if isinstance(whole, Listing):
        items = items_of(whole, place)
        if any(condition is not TRUE for condition, _ in items):
            raise place.error("this list may have fewer items", "index a tuple")
        if isinstance(node.slice, ast.Slice):
            return Listing(whole.items[_slice(reader, node.slice, frame, place)])
        return _item(reader, node, frame, place, [item for _, item in items])
    if isinstance(whole, Ranked) and isinstance(node.slice, ast.Slice):
        parts = node.slice.lower, node.slice.upper, node.slice.step
        bounds = [None if each is None else reader.evaluate(each, frame) for each in parts]
        return slices_in_order.sliced(reader, whole, bounds, place)
    if (
        isinstance(whole, Ranked)
        and not reader.in_udf
        and (index := _constant_index(reader, node, frame, place)) in (0, -1)
    ):
        return partial.first_taken(Call(reader, None, f"[{index}]", place, {}), whole, last=index == -1)
    if isinstance(whole, Group):
        return _item_of_group(reader, node, frame, whole, place)
    if isinstance(whole, Firsts) and not isinstance(node.slice, ast.Slice):
        return _item_of_firsts(whole, _constant_index(reader, node, frame, place), place)
    if isinstance(whole, Record):
        return _item(reader, node, frame, place, whole.items)
    if (named := _field_of_row(reader, node, frame, whole, place)) is not None:
        return named
    if not (isinstance(whole, Term) and is_tuple(whole.type)):
        may_be_none = isinstance(whole, Term) and is_option(whole.type)
        hint = "test it before: `x is not None`" if may_be_none else what_to_do_with(whole)
        raise place.error(f"only tuples can be indexed, and this is {describe(whole)}", hint)
    return _item(reader, node, frame, place, [project(whole, index) for index in range(component_count(whole))])


def _may_be_seen(owner: ast.expr, frame: Frame) -> bool:
    """Whether code may see which keys a dictionary has, from a look-up on that makes one.

    Not where all uses of it are `[…]` and `get(…, 0)`, or in statements before that keep nothing of it.
    """
    if isinstance(owner, ast.Call):
        return False
    if not isinstance(owner, ast.Name):
        return True
    outer: Frame | None = frame
    while outer is not None and owner.id not in outer.scope.bindings:
        outer = outer.parent
    function = (outer or frame).scope.node
    nodes = [*ast.walk(function)]
    asked = {node.value for node in nodes if isinstance(node, ast.Subscript)}
    asked |= _looked_at_before(owner, function)
    for node in nodes:
        match node:
            case ast.Call(func=ast.Attribute(value=whole, attr="get"), args=[_, ast.Constant(value=0)], keywords=[]):
                asked.add(whole)
    uses = [node for node in nodes if isinstance(node, ast.Name) and node.id == owner.id]
    stored = [node for node in uses if isinstance(node.ctx, ast.Store)]
    return len(stored) != 1 or any(node not in asked for node in uses if node not in stored)


def _looked_at_before(owner: ast.Name, function: ast.AST) -> set[ast.expr]:
    """The uses of a dictionary in statements of a function before that of a look-up, which keep nothing of it."""
    found: set[ast.expr] = set()
    for statement in function.body if isinstance(function, ast.FunctionDef) else ():
        if owner in ast.walk(statement):
            return found
        waiting: list[ast.AST] = [statement]
        while waiting:
            node = waiting.pop()
            if isinstance(node, ast.FunctionDef | ast.Lambda | ast.ClassDef | ast.GeneratorExp):
                continue  # which may run later
            waiting += ast.iter_child_nodes(node)
            found.update(map(_of_view, _gone_through(node)))
    return set()


def _gone_through(node: ast.AST) -> list[ast.expr]:
    """What a statement or an expression goes through at once, and keeps nothing of."""
    match node:
        case ast.Call(func=BuiltinName(id=name), args=[whole, *_]) if name in READ_BY:
            return [whole.generators[0].iter] if isinstance(whole, ast.GeneratorExp) else [whole]
        case ast.For(iter=whole):
            return [whole]
        case ast.ListComp(generators=each) | ast.SetComp(generators=each) | ast.DictComp(generators=each):
            return [one.iter for one in each]
    return []


def _of_view(whole: ast.expr) -> ast.expr:
    """The dictionary of `d.items()`, `d.keys()` or `d.values()`; any other expression itself."""
    match whole:
        case ast.Call(func=ast.Attribute(value=owner, attr="items" | "keys" | "values"), args=[]):
            return owner
    return whole


def _field_of_row(reader: Reading, node: ast.Subscript, frame: Frame, whole: Value, place: Place) -> Value | None:
    """`row["name"]` of a row of Spark's; None for any other subscript."""
    of = whole.type if isinstance(whole, Term) else None
    if not (isinstance(of, RecordType) and is_row(of) and isinstance(node.slice, ast.Constant)):
        return None
    name = node.slice.value
    return records.field(reader, whole, name, place) if isinstance(name, str) else None  # type: ignore[arg-type]


def _item_of_group(reader: Reading, node: ast.Subscript, frame: Frame, group: Group, place: Place) -> Value:
    """The first or the last item of a sorted group: its smallest or its largest one."""
    if not group.is_sorted:
        raise place.error("the items of a group have no order that is fixed", "index `sorted(…)` of it")
    if isinstance(node.slice, ast.Slice):
        if node.slice.lower is not None and node.slice.upper is None and node.slice.step is None:
            lower = reader.evaluate(node.slice.lower, frame)
            if isinstance(lower, Term) and (after := products.from_index(group, lower, place)) is not None:
                return after
        return _first_of_group(_slice(reader, node.slice, frame, place), group, place)
    index = _constant_index(reader, node, frame, place)
    if index not in (0, -1):
        raise place.error("only the first and the last item of a sorted group can be taken", "write `[0]` or `[-1]`")
    return group.best(index == 0, place)


def _first_of_group(kept: slice, group: Group, place: Place) -> Firsts:
    """`[:n]` of a sorted group."""
    plain = kept.start in (None, 0) and kept.step in (None, 1)
    return first_of_group(group, kept.stop or 0 if plain else 0, place)


def _item_of_firsts(whole: Firsts, index: int, place: Place) -> Term:
    """One of the first items of a sorted group, which raises IndexError where there are fewer."""
    if not 0 <= index < len(whole.items):
        raise place.error("of the first items of a sorted group those from `[0]` on can be taken", "use `[:n]`")
    there, item = whole.items[index]
    return ite(there, item, apply_function(RAISE, basic_type(item)))


def _item(reader: Reading, node: ast.Subscript, frame: Frame, place: Place, items: Sequence[Value]) -> Value:
    """The item of a tuple that a subscript means, or the tuple that a slice makes of it."""
    where, size = place.source.place(node.slice), len(items)
    if isinstance(node.slice, ast.Slice):
        kept = items[_slice(reader, node.slice, frame, where)]
        if not kept:
            raise where.error("this slice is the empty tuple, which is not supported", "leave it out")
        if any(isinstance(each, Group) for each in kept):
            return Record(tuple(kept))
        parts = [basic(each, where, "a component of a tuple") for each in kept]
        if [each.type for each in parts] == [BOOL]:
            raise where.error("a tuple of one bool is not supported", "use the bool itself")
        return tuple_of(*parts)
    terms = [each for each in items if isinstance(each, Term)]
    if reader.in_udf and reader.attempts is None and len(terms) == size:
        asked = arithmetic.integer(reader.evaluate(node.slice, frame), where, "the index of a tuple")
        if literal(asked) is None and (found := item_at(terms, asked)) is not None:
            return found
    index = _constant_index(reader, node, frame, place)
    if not -size <= index < size:
        raise where.error(f"index {index} of a tuple with {size} component{'s' * (size > 1)}")
    return items[index]


def _slice(reader: Reading, node: ast.Slice, frame: Frame, place: Place) -> slice:
    """A slice whose bounds and step are constants."""
    bounds: list[int | None] = []
    for each in (node.lower, node.upper, node.step):
        value = None if each is None else reader.evaluate(each, frame)
        if value is None or (isinstance(value, Term) and value.type == NONE):
            bounds.append(None)
            continue
        bounds.append(literal(arithmetic.integer(value, place, "a bound of a slice")))
        if bounds[-1] is None:
            raise place.error("the bounds of a slice of a tuple must be constant", "index the components one by one")
    if bounds[2] == 0:
        raise place.error("the step of a slice is zero", "leave it out")
    return slice(*bounds)


def _constant_index(reader: Reading, node: ast.Subscript, frame: Frame, place: Place) -> int:
    where = place.source.place(node.slice)
    if isinstance(node.slice, ast.Slice):
        hint = "index its items one by one, or take them apart by a comprehension"
        raise where.error("slices are supported of texts, tuples and lists of a fixed number of items", hint)
    index = literal(arithmetic.integer(reader.evaluate(node.slice, frame), where, "the index of a tuple"))
    if index is None:
        raise where.error("the index of a tuple must be constant")
    return index
