"""Expressions of the source: one small function for each kind that is read; all others are refused."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Final

from tallystick.core.terms import (
    FALSE,
    TRUE,
    Operator,
    Term,
    build,
    conjunction,
    constant,
    disjunction,
    negation,
    project,
    tuple_of,
)
from tallystick.core.types import BOOL, TEXT
from tallystick.frontends.pyspark.python import arithmetic, comprehensions, texts
from tallystick.frontends.pyspark.python.reading import Reading
from tallystick.frontends.pyspark.python.sequences import constant_set, items_of
from tallystick.frontends.pyspark.python.tables_of_constants import looked_up, member, table_method
from tallystick.frontends.pyspark.python.truth import truth
from tallystick.frontends.pyspark.rdds import positive_list
from tallystick.frontends.pyspark.rdds.calls import method_place
from tallystick.frontends.pyspark.rdds.orders import first_of
from tallystick.frontends.pyspark.rdds.rdd_methods import Owner
from tallystick.frontends.pyspark.scoping.constructs import construct
from tallystick.frontends.pyspark.scoping.source import Place
from tallystick.frontends.pyspark.values import dates, enums, records
from tallystick.frontends.pyspark.values.describing import (
    as_bag,
    basic,
    constant_value,
    describe,
    is_rdd,
    literal,
    show_type,
    what_to_do_with,
)
from tallystick.frontends.pyspark.values.dictionaries import is_dictionary, table_of_entries
from tallystick.frontends.pyspark.values.kinds import (
    Broadcast,
    Builtin,
    Choice,
    Closure,
    Context,
    Dictionary,
    EnumClass,
    Frame,
    Group,
    Ignored,
    Instance,
    Listing,
    Module,
    Partial,
    Pieces,
    Ranked,
    Record,
    RecordClass,
    Spread,
    Table,
    Unusable,
    Value,
)
from tallystick.frontends.pyspark.values.nominal_types import NominalType
from tallystick.frontends.pyspark.values.options import (
    MISSING,
    NONE,
    component_count,
    is_option,
    is_tuple,
    narrowed,
    unified,
)
from tallystick.frontends.pyspark.values.record_types import RecordType
from tallystick.frontends.pyspark.values.row_values import is_row

SUPPORTED: Final = (
    "int, bool and str constants, None, names, `+ - * // %`, comparisons, `in`, `and or not`, `x if c else y`, tuples, "
    "`t[0]`, `:=`, lambdas, calls, comprehensions over what has a fixed number of items, and sets and dictionaries "
    "of constants"
)


def evaluate(reader: Reading, node: ast.expr, frame: Frame, place: Place) -> Value:
    """The value of an expression of any kind."""
    read = _READ.get(type(node))
    if read is None:
        raise place.error(f"{construct(node)} is not supported", f"supported are {SUPPORTED}")
    return read(reader, node, frame, place)


def _constant(reader: Reading, node: ast.Constant, frame: Frame, place: Place) -> Value:
    if isinstance(node.value, bool):
        return constant(node.value)
    if isinstance(node.value, int):
        return arithmetic.number(node.value, place)
    if isinstance(node.value, str):
        return constant(node.value)
    if isinstance(node.value, float):
        return _float_constant(node, place)
    if node.value is None:
        return MISSING
    kind = f"a constant of type {type(node.value).__name__}"
    raise place.error(f"{kind} is not supported", "constants are ints, texts, True, False and None")


def _float_constant(node: ast.Constant, place: Place) -> Value:
    """A float as the number that it is written as."""
    if node.value != node.value or node.value in (float("inf"), float("-inf")):
        raise place.error("this constant is no number", "use a smaller one")
    return constant(Fraction(repr(node.value)))


def _name(reader: Reading, node: ast.Name, frame: Frame, place: Place) -> Value:
    return reader.names.lookup(node.id, frame, place)


def _attribute(reader: Reading, node: ast.Attribute, frame: Frame, place: Place) -> Value:
    owner = reader.evaluate(node.value, frame)
    if isinstance(owner, Module):
        value = reader.names.attribute(owner, node.attr, place)
        if isinstance(value, Unusable):
            raise place.error(f"`{node.attr}` {value.reason}", value.hint)
        return value
    if isinstance(owner, Term) and isinstance(owner.type, RecordType):
        return _usable(records.field(reader, owner, node.attr, place), place)
    if isinstance(owner, Ignored):
        return owner
    if isinstance(owner, Broadcast):
        return _of_broadcast(owner, node.attr, place)
    if isinstance(owner, EnumClass):
        return enums.member(owner, node.attr, place)
    if isinstance(owner, Builtin) and owner.name in dates.CLASSES:
        return dates.of_class(owner.name, node.attr, place)
    if isinstance(owner, Term) and isinstance(owner.type, NominalType):
        return _nominal_attribute(owner, owner.type, node.attr, place)
    if isinstance(owner, Builtin) and owner.name == "str":
        return Builtin(f"str.{node.attr}", texts.of_class(node.attr, place))
    if isinstance(owner, Instance):
        return _usable(records.of_instance(reader, owner, node.attr, place), place)
    if isinstance(owner, RecordClass):
        return records.function_of_class(reader, owner, node.attr, place)
    if is_rdd(owner) and node.attr in ("context", "ctx"):
        return Context()
    if is_rdd(owner):
        positive_list.require_supported(node.attr, method_place(place))
        raise place.error(f"the method `{node.attr}` must be called where it stands")
    raise place.error(f"`.{node.attr}` is not supported: its left side is {describe(owner)}", what_to_do_with(owner))


def _of_broadcast(owner: Broadcast, name: str, place: Place) -> Value:
    """`.value` of a broadcast variable; what it does to the copies that workers keep changes no result."""
    if name == "value":
        return owner.value
    if name in ("unpersist", "destroy"):
        return Ignored()
    raise place.error(f"`.{name}` of a broadcast variable is not supported", "supported is `.value`")


def _nominal_attribute(owner: Term, of: NominalType, name: str, place: Place) -> Value:
    if of.members:
        return enums.attribute(owner, of, name, place)
    return dates.attribute(owner, name, place)


def _binary(reader: Reading, node: ast.BinOp, frame: Frame, place: Place) -> Value:
    left, right = reader.evaluate(node.left, frame), reader.evaluate(node.right, frame)
    if isinstance(node.op, ast.Add) and is_rdd(left):
        return _union(left, right, place)
    if isinstance(node.op, ast.Mod) and texts.is_text(left):
        return texts.filled_by_percent(left, right, place)  # type: ignore[arg-type]
    return arithmetic.combine(place, type(node.op), left, right)


def _union(left: Value, right: Value, place: Place) -> Value:
    """`+` of two RDDs, which is `union`."""
    one, other = as_bag(left), as_bag(right)
    if not (isinstance(one, Term) and isinstance(other, Term)):
        raise place.error(f"`+` of what is {describe(left)} and what is {describe(right)}", "write `union`")
    both = unified(one, other)
    if both is None or not is_rdd(other):
        raise place.error(f"`+` of {show_type(one.type)} and {show_type(other.type)}", "both are RDDs of one type")
    return build(Operator.UNION, both)


def _unary(reader: Reading, node: ast.UnaryOp, frame: Frame, place: Place) -> Value:
    if isinstance(node.op, ast.Not):
        return condition(reader, node, frame, "the operand of `not`")
    operand = reader.evaluate(node.operand, frame)
    match node.op:
        case ast.USub():
            return arithmetic.negative(place, operand)
        case ast.UAdd():
            return arithmetic.integer(operand, place, "the operand of `+`")
    raise place.error("`~` is not supported", "write `-x - 1`, or `not` for booleans")


def condition(reader: Reading, node: ast.expr, frame: Frame, what: str) -> Term:
    """When Python finds the value of an expression true; the operands of `and`, `or`, `not` may differ in type."""
    place = frame.scope.source.place(node)
    match node:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return negation(reader.condition(operand, frame, "the operand of `not`"))
        case ast.BoolOp(values=operands):
            conjunctive, result = isinstance(node.op, ast.And), TRUE
            for index, each in enumerate(operands):
                if index:
                    refuse_walrus(each, place)
                if result is FALSE:  # Python never evaluates the rest
                    break
                with reader.assuming(result):
                    holds = reader.condition(each, frame, f"an operand of `{'and' if conjunctive else 'or'}`")
                result = conjunction(result, holds if conjunctive else negation(holds))
            return result if conjunctive else negation(result)
    return truth(reader.evaluate(node, frame), place, what)


def _connective(reader: Reading, node: ast.BoolOp, frame: Frame, place: Place) -> Value:
    """`and` and `or` give the first operand that decides, or else the last one."""
    return _first_that_decides(reader, node, node.values, frame, place)


def _first_that_decides(
    reader: Reading, node: ast.BoolOp, operands: Sequence[ast.expr], frame: Frame, place: Place
) -> Value:
    first, *others = operands
    value = reader.evaluate(first, frame)
    if not others:
        return value
    refuse_walrus(others[0], place)
    where, symbol = place.source.place(first), "and" if isinstance(node.op, ast.And) else "or"
    goes_on = truth(value, where, f"an operand of `{symbol}`")
    goes_on = goes_on if symbol == "and" else negation(goes_on)
    if goes_on in (TRUE, FALSE):  # Python never evaluates the rest, or always
        return value if goes_on is FALSE else _first_that_decides(reader, node, others, frame, place)
    with reader.assuming(goes_on):
        rest = _first_that_decides(reader, node, others, frame, place)
    if _is_bool(value) and _is_bool(rest):
        return conjunction(value, rest) if symbol == "and" else disjunction(value, rest)  # type: ignore[arg-type]
    kept = narrowed(value, negation(goes_on)) if isinstance(value, Term) else value
    merged = reader.merge(goes_on, rest, kept, f"both operands of `{symbol}`")
    return Choice(goes_on, rest, kept, merged.reason) if isinstance(merged, Unusable) else merged


def _is_bool(value: Value) -> bool:
    return isinstance(value, Term) and value.type == BOOL


def _usable(value: Value, place: Place) -> Value:
    if isinstance(value, Unusable):
        raise place.error(f"this value {value.reason}", value.hint)
    return value


def refuse_walrus(node: ast.AST, place: Place) -> None:
    """Raise SourceError for `:=` in what is evaluated under a condition."""
    for each in ast.walk(node):
        if isinstance(each, ast.NamedExpr):
            where = place.source.place(each)
            raise where.error("`:=` under a condition is not supported", "assign before the condition")


def _comparison(reader: Reading, node: ast.Compare, frame: Frame, place: Place) -> Value:
    left, result = reader.evaluate(node.left, frame), TRUE
    for index, (operation, each) in enumerate(zip(node.ops, node.comparators, strict=True)):
        if index:
            refuse_walrus(each, place)
        with reader.assuming(result):
            right = reader.evaluate(each, frame)
        result = conjunction(result, _compared(place, operation, left, right))
        left = right
    return result


def _compared(place: Place, operation: ast.cmpop, left: Value, right: Value) -> Term:
    if not isinstance(operation, ast.In | ast.NotIn):
        return arithmetic.compare(place, type(operation), left, right)
    found = member(place, left, right)
    return found if isinstance(operation, ast.In) else negation(found)


def _conditional(reader: Reading, node: ast.IfExp, frame: Frame, place: Place) -> Value:
    test = reader.condition(node.test, frame, "the condition of `if … else`")
    if test in (TRUE, FALSE):  # Python never evaluates the other
        return reader.evaluate(node.body if test is TRUE else node.orelse, frame)
    refuse_walrus(node.body, place)
    refuse_walrus(node.orelse, place)
    with reader.assuming(test):
        then = reader.evaluate(node.body, frame)
    with reader.assuming(negation(test)):
        otherwise = reader.evaluate(node.orelse, frame)
    return _usable(reader.merge(test, then, otherwise, "both branches"), place)


def _walrus(reader: Reading, node: ast.NamedExpr, frame: Frame, place: Place) -> Value:
    if frame.static or frame.runs_at_once:
        raise place.error("`:=` is not supported here", "assign before")
    value = reader.evaluate(node.value, frame)
    frame.values[node.target.id] = value
    return value


def _tuple(reader: Reading, node: ast.Tuple, frame: Frame, place: Place) -> Value:
    if not node.elts:
        raise place.error("the empty tuple is not supported", "a tuple has at least one component")
    values = [reader.evaluate(each, frame) for each in node.elts]
    if any(isinstance(value, Group) for value in values) or _are_functions(values):
        return Record(tuple(values))
    components = [
        basic(value, place.source.place(each), "a component of a tuple")
        for value, each in zip(values, node.elts, strict=True)
    ]
    if [each.type for each in components] == [BOOL]:
        raise place.error("a tuple of one bool is not supported", "use the bool itself")
    return tuple_of(*components)


def _are_functions(values: Sequence[Value]) -> bool:
    return all(isinstance(value, Closure | Builtin | Partial) for value in values)


def _list(reader: Reading, node: ast.List, frame: Frame, place: Place) -> Value:
    values = [reader.evaluate(each, frame) for each in node.elts]
    if values and not frame.static and _are_functions(values):  # no other code can change this list
        return Record(tuple(values))
    items = [
        basic(value, place.source.place(each), "an item of a list")
        for value, each in zip(values, node.elts, strict=True)
    ]
    return Listing(tuple((TRUE, item) for item in items))


def _set(reader: Reading, node: ast.Set, frame: Frame, place: Place) -> Value:
    items = [basic(reader.evaluate(each, frame), place.source.place(each), "an item of a set") for each in node.elts]
    return constant_set(items, place)


def _subscript(reader: Reading, node: ast.Subscript, frame: Frame, place: Place) -> Value:
    whole = reader.evaluate(node.value, frame)
    if isinstance(whole, Term) and is_dictionary(whole):
        whole = table_of_entries(whole)
    if isinstance(whole, Table):
        key = reader.evaluate(node.slice, frame)
        return _usable(looked_up(reader, whole, key, place), place)
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
        kept = _slice(reader, node.slice, frame, place)
        if kept.start in (None, 0) and kept.step in (None, 1) and kept.stop is not None and kept.stop >= 0:
            return first_of(whole, kept.stop)
        raise place.error("of a list in an order only the first items can be taken", "write `[:n]`")
    if isinstance(whole, Group):
        return _item_of_group(reader, node, frame, whole, place)
    if isinstance(whole, Record):
        return _item(reader, node, frame, place, whole.items)
    if (named := _field_of_row(reader, node, frame, whole, place)) is not None:
        return named
    if not (isinstance(whole, Term) and is_tuple(whole.type)):
        may_be_none = isinstance(whole, Term) and is_option(whole.type)
        hint = "test it before: `x is not None`" if may_be_none else what_to_do_with(whole)
        raise place.error(f"only tuples can be indexed, and this is {describe(whole)}", hint)
    return _item(reader, node, frame, place, [project(whole, index) for index in range(component_count(whole))])


def _field_of_row(reader: Reading, node: ast.Subscript, frame: Frame, whole: Value, place: Place) -> Value | None:
    """`row["name"]` of a row of Spark's; None for any other subscript."""
    of = whole.type if isinstance(whole, Term) else None
    if not (isinstance(of, RecordType) and is_row(of) and isinstance(node.slice, ast.Constant)):
        return None
    name = node.slice.value
    return records.field(reader, whole, name, place) if isinstance(name, str) else None  # type: ignore[arg-type]


def _item_of_group(reader: Reading, node: ast.Subscript, frame: Frame, group: Group, place: Place) -> Value:
    """The first or the last item of a sorted group: its smallest or its largest one."""
    if group.kind not in ("ascending", "descending"):
        raise place.error("the items of a group have no order that is fixed", "index `sorted(…)` of it")
    index = None if isinstance(node.slice, ast.Slice) else _constant_index(reader, node, frame, place)
    if index not in (0, -1):
        raise place.error("only the first and the last item of a sorted group can be taken", "write `[0]` or `[-1]`")
    return group.aggregate("min" if (index == 0) is (group.kind == "ascending") else "max", place)


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


def _f_string(reader: Reading, node: ast.JoinedStr, frame: Frame, place: Place) -> Value:
    parts: list[tuple[Value, str]] = []
    for each in node.values:
        specification = ""
        if isinstance(each, ast.FormattedValue):
            if each.conversion not in (-1, ord("s")):
                raise place.error("a conversion in an f-string is not supported", "write the value alone")
            match each.format_spec:
                case None:
                    pass
                case ast.JoinedStr(values=[ast.Constant(value=str(specification))]):
                    pass
                case _:
                    raise place.error("this format of an f-string is not supported", "write the value alone")
            parts.append((reader.evaluate(each.value, frame), specification))
        else:
            parts.append((reader.evaluate(each, frame), ""))
    return texts.formatted(place, parts)


def _lambda(reader: Reading, node: ast.Lambda, frame: Frame, place: Place) -> Value:
    return reader.closure(node, frame)


def _call(reader: Reading, node: ast.Call, frame: Frame, place: Place) -> Value:
    if isinstance(node.func, ast.Attribute):
        owner = reader.evaluate(node.func.value, frame)
        if isinstance(owner, Owner) and (is_rdd(owner) or isinstance(owner, Context)):
            for each in (*node.args, *(each for each in node.keywords if each.arg is None)):
                if isinstance(each, ast.Starred | ast.keyword):
                    where = place.source.place(each.value)
                    raise where.error(
                        "`*` arguments of a method of an RDD are not supported", "write each argument out"
                    )
            return positive_list.call(reader, owner, node, frame)
        if texts.is_text(owner):
            given, named = _arguments(reader, node, frame)
            return texts.method(owner, node.func.attr, given, named, method_place(place.source.place(node.func)))  # type: ignore[arg-type]
        if isinstance(owner, Dictionary) and node.func.attr in ("items", "keys", "values") and not node.args:
            items = owner.items
            return items if node.func.attr == "items" else items.asked(node.func.attr, place)
        if isinstance(owner, Term) and is_dictionary(owner):
            if node.func.attr != "get":
                message = "the order of the entries of this dictionary is not known"
                raise place.error(message, "take them by their keys: `d[key]`, `d.get(key)`")
            owner = table_of_entries(owner)
        if isinstance(owner, Table):
            given, _ = _arguments(reader, node, frame)
            return _usable(table_method(reader, owner, node.func.attr, given, place), place)
    function = reader.evaluate(node.func, frame)
    if isinstance(function, Ignored):
        return _ignored(reader, node, frame)
    given, named = _arguments(reader, node, frame)
    return reader.call(function, place, given, named)


def _arguments(reader: Reading, node: ast.Call, frame: Frame) -> tuple[list[Value], dict[str, Value]]:
    """The arguments of a call by position and by name; starred ones are taken apart."""
    given: list[Value] = []
    for each in node.args:
        if isinstance(each, ast.Starred):
            where = frame.scope.source.place(each)
            items = items_of(reader.evaluate(each.value, frame), where, "a starred argument")
            if any(there is not TRUE for there, _ in items):
                raise where.error("a starred argument has items that may not be there", "write each argument out")
            given += [item for _, item in items]
        else:
            given.append(reader.evaluate(each, frame))
    named: dict[str, Value] = {}
    for keyword in node.keywords:
        where = frame.scope.source.place(keyword.value)
        value = reader.evaluate(keyword.value, frame)
        entries: list[tuple[object, Value]] = [(keyword.arg, value)]
        if keyword.arg is None:
            if isinstance(value, Term) and is_dictionary(value):
                value = table_of_entries(value)
            if not isinstance(value, Table):
                raise where.error(f"`**` of what is {describe(value)} is not supported", "write each argument out")
            entries = [(constant_value(key), each) for key, each in value.entries]
        for name, each in entries:
            if not isinstance(name, str) or name in named:
                raise where.error("the names of arguments must be texts that differ", "write each argument out")
            named[name] = each
    return given, named


def _ignored(reader: Reading, node: ast.Call, frame: Frame) -> Value:
    """A call without influence on the result, whose arguments are computed."""
    waiting: list[ast.expr] = [*node.args, *(each.value for each in node.keywords)]
    for each in waiting:
        if isinstance(each, ast.JoinedStr):
            waiting += [part.value for part in each.values if isinstance(part, ast.FormattedValue)]
        elif not isinstance(each, ast.Constant):
            reader.evaluate(each, frame)
    return Ignored()


_READ: Final[dict[type[ast.expr], Callable[..., Value]]] = {
    ast.Attribute: _attribute,
    ast.BinOp: _binary,
    ast.BoolOp: _connective,
    ast.Call: _call,
    ast.Compare: _comparison,
    ast.Constant: _constant,
    ast.Dict: comprehensions.table,
    ast.DictComp: comprehensions.dictionary,
    ast.GeneratorExp: comprehensions.comprehension,
    ast.IfExp: _conditional,
    ast.JoinedStr: _f_string,
    ast.Lambda: _lambda,
    ast.List: _list,
    ast.ListComp: comprehensions.comprehension,
    ast.Name: _name,
    ast.NamedExpr: _walrus,
    ast.Set: _set,
    ast.SetComp: comprehensions.comprehension,
    ast.Subscript: _subscript,
    ast.Tuple: _tuple,
    ast.UnaryOp: _unary,
}
