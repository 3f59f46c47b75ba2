"""The RDD methods that are understood: the positive list, one small function each.

Each function makes the term of its method. Its decorator gives the signature, with PySpark's parameter names,
and an example over `r: RDD[int]`, `s: RDD[tuple[int, int]]` and `t` of the same type; its docstring's first
line is the meaning that the documentation shows.
"""

from __future__ import annotations

import ast
import difflib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from tallystick.core.terms import (
    Operator,
    Term,
    accumulator,
    add,
    build,
    constant,
    element,
    equal,
    project,
    tuple_of,
)
from tallystick.core.types import BOOL, INT, BagType, BasicType, TupleType
from tallystick.frontends.pyspark.reading import Reading
from tallystick.frontends.pyspark.source import Place
from tallystick.frontends.pyspark.values import Frame, Value, basic, basic_type, describe, show_type

TUNING: Final[dict[str, tuple[str, Callable[[object], bool]]]] = {
    "numPartitions": (
        "None or a positive int",
        lambda value: value is None or (type(value) is int and value > 0),
    ),
    "preservesPartitioning": ("False", lambda value: value is False),
}
"""Optional parameters, and the values for which they change no result."""


@dataclass(frozen=True)
class SupportedCall:
    """One entry of the positive list: its name, signature, meaning in one line, and an example expression."""

    name: str
    signature: str
    meaning: str
    example: str


@dataclass(frozen=True)
class Call:
    """A call of an RDD method: the RDD, and its arguments by the names of PySpark's parameters."""

    reader: Reading
    bag: Term
    name: str
    place: Place
    arguments: dict[str, tuple[Place, Value]]

    @property
    def element(self) -> BasicType:
        """The type of the RDD's elements."""
        return _element_of(self.bag)

    @property
    def pair(self) -> tuple[BasicType, BasicType]:
        """The types of key and value; raises SourceError unless the elements are pairs."""
        return self.pair_of(self.bag, self.place)

    def pair_of(self, bag: Term, place: Place) -> tuple[BasicType, BasicType]:
        """The types of key and value of an RDD's elements; raises SourceError unless they are pairs."""
        match bag.type:
            case BagType(TupleType((key, value))):
                return key, value
        raise place.error(f"`{self.name}` needs an RDD of pairs, and this is {describe(bag)}")

    def rdd(self, parameter: str) -> Term:
        """An argument that is an RDD."""
        place, value = self.arguments[parameter]
        if isinstance(value, Term) and isinstance(value.type, BagType):
            return value
        raise place.error(f"`{self.name}` needs an RDD here, and this is {describe(value)}")

    def value(self, parameter: str) -> Term:
        """An argument of a basic type."""
        place, value = self.arguments[parameter]
        return basic(value, place, f"`{parameter}`")

    def apply(self, parameter: str, *values: Term) -> Term:
        """The result of the function that is given as an argument, on these values."""
        place, function = self.arguments[parameter]
        return self.reader.udf(function, place, *values)

    def step(self, parameter: str, initial: Term, folded: BasicType) -> Term:
        """A fold's function as a UDF over accumulator and element; it returns what `initial` is."""
        result = self.apply(parameter, accumulator(basic_type(initial)), element(folded))
        if result.type != initial.type:
            message = f"this function returns {show_type(result.type)}, but the fold starts from "
            raise self.arguments[parameter][0].error(message + show_type(initial.type), "both have one type")
        return result


Meaning = Callable[[Call], Term]
_CALLS: Final[dict[str, tuple[SupportedCall, list[str], list[str], Meaning]]] = {}


def supported_calls() -> tuple[SupportedCall, ...]:
    """The RDD methods that are understood, by name."""
    return tuple(entry for entry, *_ in (_CALLS[name] for name in sorted(_CALLS)))


def rdd_method(signature: str, example: str) -> Callable[[Meaning], Meaning]:
    """Put a method on the positive list. Parameters written with `=` are optional."""
    name, _, parameters = signature.rstrip(")").partition("(")
    names = [each.strip() for each in parameters.split(",") if each.strip()]
    required = [each for each in names if "=" not in each]

    def register(function: Meaning) -> Meaning:
        meaning = (function.__doc__ or "").splitlines()[0]
        entry = SupportedCall(name, signature, meaning, example)
        _CALLS[name] = (entry, [each.partition("=")[0] for each in names], required, function)
        return function

    return register


def find(name: str, place: Place) -> Meaning:
    """The meaning of an RDD method; raises SourceError for one that is not on the positive list."""
    if name in _CALLS:
        return _CALLS[name][3]
    close = difflib.get_close_matches(name, _CALLS, 1)
    hint = f"did you mean `{close[0]}`? " if close else ""
    hint += f"supported are {', '.join(sorted(_CALLS))}"
    raise place.error(f"the RDD method `{name}` is not supported", hint)


def call(reader: Reading, bag: Term, node: ast.Call, frame: Frame) -> Term:
    """The term of a call of an RDD method on `bag`."""
    place = frame.scope.source.place(node.func)
    assert isinstance(node.func, ast.Attribute)  # the caller found the method there
    name, method = node.func.attr, _method_place(place)
    find(name, method)
    entry, names, required, meaning = _CALLS[name]
    nodes: dict[str, ast.expr] = {}
    takes = f"`{entry.signature}`"
    if len(node.args) > len(names):
        raise place.source.place(node.args[len(names)]).error(f"one argument too many for {takes}")
    for parameter, value in [
        *zip(names, node.args, strict=False),
        *((each.arg or "", each.value) for each in node.keywords),
    ]:
        if parameter not in names or parameter in nodes:
            problem = "is given twice to" if parameter in nodes else "is no argument that is supported of"
            raise place.source.place(value).error(f"`{parameter}` {problem} {takes}")
        nodes[parameter] = value
    for parameter in required:
        if parameter not in nodes:
            raise method.error(f"`{parameter}` is missing: {takes}")
    arguments: dict[str, tuple[Place, Value]] = {}
    for parameter, value in nodes.items():
        where = place.source.place(value)
        if parameter in TUNING:
            _check_tuning(parameter, value, where)
        else:
            arguments[parameter] = where, reader.evaluate(value, frame)
    return meaning(Call(reader, bag, name, method, arguments))


def _method_place(place: Place) -> Place:
    """The place of the method's name in `rdd.method`."""
    node = place.node
    assert isinstance(node, ast.Attribute)
    name = ast.Name(node.attr, ast.Load())
    name.lineno = name.end_lineno = node.end_lineno or node.lineno
    name.end_col_offset = node.end_col_offset or 0
    name.col_offset = max(name.end_col_offset - len(node.attr.encode()), 0)
    return Place(place.source, name)


def _check_tuning(parameter: str, value: ast.expr, place: Place) -> None:
    allowed, harmless = TUNING[parameter]
    if not (isinstance(value, ast.Constant) and harmless(value.value)):
        raise place.error(f"`{parameter}` must be {allowed}", "leave it out")


def _element_of(bag: Term) -> BasicType:
    if not isinstance(bag.type, BagType):
        raise TypeError("a basic value where an RDD was checked for")
    return bag.type.element


def _mapped(udf: Term, bag: Term) -> Term:
    return build(Operator.MAP, (udf, bag))


def _whole(call: Call) -> Term:
    return element(call.element)


@rdd_method("map(f, preservesPartitioning=False)", "r.map(lambda x: 2 * x)")
def _map(call: Call) -> Term:
    """Every element x becomes f(x)."""
    return _mapped(call.apply("f", _whole(call)), call.bag)


@rdd_method("filter(f)", "r.filter(lambda x: x > 0)")
def _filter(call: Call) -> Term:
    """Keeps the elements x for which f(x) is True."""
    condition = call.apply("f", _whole(call))
    if condition.type != BOOL:
        hint = "write `!= 0` to keep what is not zero" if condition.type == INT else ""
        message = f"the function of `filter` must return a bool, and returns {show_type(condition.type)}"
        raise call.arguments["f"][0].error(message, hint)
    return build(Operator.FILTER, (condition, call.bag))


@rdd_method("cartesian(other)", "r.cartesian(s)")
def _cartesian(call: Call) -> Term:
    """All pairs of an element of this RDD and one of the other."""
    return build(Operator.CARTESIAN, (call.bag, call.rdd("other")))


@rdd_method("union(other)", "s.union(t)")
def _union(call: Call) -> Term:
    """The elements of both RDDs: how often each occurs adds up."""
    other = call.rdd("other")
    if other.type != call.bag.type:
        message = f"`union` of {show_type(call.bag.type)} and {show_type(other.type)}"
        raise call.arguments["other"][0].error(message, "the elements of both must have one type")
    return build(Operator.UNION, (call.bag, other))


@rdd_method("join(other, numPartitions=None)", "s.join(t)")
def _join(call: Call) -> Term:
    """A pair (k, (v, w)) for each pair (k, v) here and (k, w) in the other RDD."""
    other = call.rdd("other")
    left, right = call.pair, call.pair_of(other, call.arguments["other"][0])
    if left[0] != right[0]:
        message = f"`join` of keys of type {show_type(left[0])} with keys of type {show_type(right[0])}"
        raise call.arguments["other"][0].error(message, "the keys of both must have one type")
    both = element(TupleType((TupleType(left), TupleType(right))))
    first, second = project(both, 0), project(both, 1)
    same_key = equal(project(first, 0), project(second, 0))
    joined = tuple_of(project(first, 0), tuple_of(project(first, 1), project(second, 1)))
    product = build(Operator.CARTESIAN, (call.bag, other))
    return _mapped(joined, build(Operator.FILTER, (same_key, product)))


@rdd_method("mapValues(f)", "s.mapValues(lambda v: v + 1)")
def _map_values(call: Call) -> Term:
    """Every pair (k, v) becomes (k, f(v))."""
    pair = element(TupleType(call.pair))
    return _mapped(tuple_of(project(pair, 0), call.apply("f", project(pair, 1))), call.bag)


@rdd_method("keyBy(f)", "r.keyBy(lambda x: x % 10)")
def _key_by(call: Call) -> Term:
    """Every element x becomes (f(x), x)."""
    return _mapped(tuple_of(call.apply("f", _whole(call)), _whole(call)), call.bag)


@rdd_method("keys()", "s.keys()")
def _keys(call: Call) -> Term:
    """Every pair (k, v) becomes k."""
    return _mapped(project(element(TupleType(call.pair)), 0), call.bag)


@rdd_method("values()", "s.values()")
def _values(call: Call) -> Term:
    """Every pair (k, v) becomes v."""
    return _mapped(project(element(TupleType(call.pair)), 1), call.bag)


@rdd_method("fold(zeroValue, op)", "r.fold(0, lambda a, x: a + x)")
def _fold(call: Call) -> Term:
    """op(… op(op(zeroValue, x1), x2) …): SparkLite's fold, one pass over all elements."""
    initial = call.value("zeroValue")
    return build(Operator.FOLD, (initial, call.step("op", initial, call.element), call.bag))


@rdd_method("foldByKey(zeroValue, func, numPartitions=None)", "s.foldByKey(0, lambda a, v: a + v)")
def _fold_by_key(call: Call) -> Term:
    """A pair (k, m) for each key k, where m is the fold of the values of k."""
    _, value = call.pair
    initial = call.value("zeroValue")
    return build(Operator.FOLD_BY_KEY, (initial, call.step("func", initial, value), call.bag))


@rdd_method("count()", "r.count()")
def _count(call: Call) -> Term:
    """The number of elements: a fold that adds 1 for each."""
    return build(Operator.FOLD, (constant(0), add(accumulator(INT), constant(1)), call.bag))


@rdd_method("sum()", "r.sum()")
def _sum(call: Call) -> Term:
    """The sum of the elements: a fold that adds them up."""
    if call.element != INT:
        raise call.place.error(f"`sum` needs an RDD[int], and this is {show_type(call.bag.type)}")
    return build(Operator.FOLD, (constant(0), add(accumulator(INT), element(INT)), call.bag))
