"""Sets of an RDD's elements at the driver: `&`, `|`, `-`, `^` and the methods that mean the same.

What two sets have in common is the intersection of the RDDs of their elements, and so on; with a set of constants it is
a filter.
"""

from __future__ import annotations

import ast
from typing import Final

from tallystick.core.terms import Operator, Term, build, conjunction, element, implies, negation
from tallystick.frontends.pyspark.python.reading import Reading
from tallystick.frontends.pyspark.python.sequences import items_of
from tallystick.frontends.pyspark.python.tables_of_constants import member
from tallystick.frontends.pyspark.rdds import lookups
from tallystick.frontends.pyspark.rdds.calls import Call, element_of
from tallystick.frontends.pyspark.rdds.collected import collected
from tallystick.frontends.pyspark.rdds.operators import whether_empty
from tallystick.frontends.pyspark.rdds.set_operations import RDD_METHODS
from tallystick.frontends.pyspark.scoping.source import Place
from tallystick.frontends.pyspark.values.describing import describe, show_type
from tallystick.frontends.pyspark.values.kinds import Collected, ConstantSet, Dictionary, Listing, Value
from tallystick.frontends.pyspark.values.options import unified

OPERATORS: Final[dict[type[ast.operator], str]] = {
    ast.BitAnd: "intersection",
    ast.BitOr: "union",
    ast.Sub: "difference",
    ast.BitXor: "symmetric_difference",
}
METHODS: Final = frozenset({*OPERATORS.values(), "issubset", "issuperset", "isdisjoint"})
HINT: Final = f"read are {', '.join(sorted(METHODS))} of two sets"
_OF_RDDS: Final = {method.entry.name: method.meaning for method in RDD_METHODS}


def is_set(value: Value) -> bool:
    """Whether a value is a set of an RDD's elements."""
    return isinstance(value, Dictionary) and value.kind == "set"


def operated(reader: Reading, operator: ast.operator, left: Value, right: Value, place: Place) -> Value | None:
    """What an operator of two sets gives; None where none of them is a set of an RDD's elements."""
    if not any(map(is_set, (left, right))):
        return None
    name = OPERATORS.get(type(operator))
    if name is None or not all(is_set(each) or isinstance(each, ConstantSet) for each in (left, right)):
        raise place.error(f"this operator of what is {describe(left)} and what is {describe(right)}", HINT)
    return combined(reader, name, left, right, place)


def compared(reader: Reading, operator: ast.cmpop, left: Value, right: Value, place: Place) -> Term | None:
    """`<=`, `<`, `>=`, `>`, `==` and `!=` of sets, of which one is of an RDD's elements; None where there is none."""
    if not any(map(is_set, (left, right))) or isinstance(operator, ast.Is | ast.IsNot):
        return None
    if not all(is_set(each) or isinstance(each, ConstantSet) for each in (left, right)):
        raise place.error("this comparison of a set of an RDD's elements is not supported", HINT)
    if isinstance(operator, ast.GtE | ast.Gt):
        left, right = right, left
    one = _is_inside(reader, left, right, place)
    if isinstance(operator, ast.LtE | ast.GtE):
        return one
    other = _is_inside(reader, right, left, place)
    if isinstance(operator, ast.Lt | ast.Gt):
        return conjunction(one, negation(other))
    both = conjunction(one, other)
    return both if isinstance(operator, ast.Eq) else negation(both)


def _is_inside(reader: Reading, one: Value, other: Value, place: Place) -> Term:
    """Whether all of one set, or list, is in another; one of both is of an RDD's elements."""
    _refuse_on_elements(reader, place)
    if isinstance(one, ConstantSet | Listing):
        whole = other.asked("set", place) if isinstance(other, Collected) else other
        assert isinstance(whole, Dictionary)
        items = items_of(one, place, "this set", any_order=True)
        found = ((there, lookups.found(reader, whole, item, place)[0]) for there, item in items)
        return conjunction(*(implies(there, each) for there, each in found))
    return _is_empty(reader, _elements(reader, "difference", one, other, place), place)


def _refuse_on_elements(reader: Reading, place: Place) -> None:
    if reader.in_udf:
        hint = "join the RDDs, or use `subtract` or `intersection`"
        raise place.error("the elements of an RDD are used inside a function that runs on elements", hint)


def combined(reader: Reading, name: str, left: Value, right: Value, place: Place) -> Value:
    """What an operator or method of two sets gives, of which one at least is a set of an RDD's elements.

    Raises SourceError for others, and inside of functions that run on elements.
    """
    _refuse_on_elements(reader, place)
    match name:
        case "issubset":
            return _is_inside(reader, left, right, place)
        case "issuperset":
            return _is_inside(reader, right, left, place)
        case "isdisjoint":
            return _is_empty(reader, _elements(reader, "intersection", left, right, place), place)
        case "symmetric_difference":
            parts = [_elements(reader, "difference", *both, place) for both in ((left, right), (right, left))]
            return _as_set(reader, build(Operator.UNION, tuple(parts)), place)
        case "intersection" | "union" | "difference":
            return _as_set(reader, _elements(reader, name, left, right, place), place)
    raise place.error(f"`{name}` of a set of an RDD's elements is not supported", HINT)


def _elements(reader: Reading, name: str, left: Value, right: Value, place: Place) -> Term:
    """The elements of the intersection, union or difference of two sets."""
    if isinstance(right, ConstantSet | Listing) and name != "union":
        return _filtered(_bag(left, place), name == "intersection", right, place)
    if isinstance(left, ConstantSet | Listing) and name == "intersection":
        return _filtered(_bag(right, place), True, left, place)
    both = unified(_bag(left, place), _bag(right, place))
    if both is None:
        types = " and ".join(show_type(element_of(_bag(each, place))) for each in (left, right))
        raise place.error(f"these sets have elements of types {types}", "make sets of one type")
    if name == "union":
        return build(Operator.UNION, both)
    called = "subtract" if name == "difference" else name
    found = _OF_RDDS[called](Call(reader, both[0], called, place, {"other": (place, both[1])}))
    assert isinstance(found, Term)
    return found


def _filtered(bag: Term, inside: bool, constants: ConstantSet | Listing, place: Place) -> Term:
    there = member(place, element(element_of(bag)), constants)
    return build(Operator.FILTER, (there if inside else negation(there), bag))


def _bag(value: Value, place: Place) -> Term:
    if isinstance(value, Dictionary) and value.kind == "set":
        keys = value.items.asked("keys", place)
        assert isinstance(keys, Collected)
        return keys.bag
    if isinstance(value, Collected) and not value.once:
        return value.bag
    raise place.error(f"this must be a set of an RDD's elements, and is {describe(value)}", HINT)


def _as_set(reader: Reading, bag: Term, place: Place) -> Value:
    return collected(Call(reader, bag, "set", place, {}), bag).asked("set", place)


def _is_empty(reader: Reading, bag: Term, place: Place) -> Term:
    return whether_empty(Call(reader, bag, "issubset", place, {}))
