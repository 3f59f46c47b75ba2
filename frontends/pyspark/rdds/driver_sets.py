"""Sets of an RDD's elements at the driver: `&`, `|`, `-`, `^` and the methods that mean the same.

What two sets have in common is the intersection of the RDDs of their elements, and so on; with a set of constants it is
a filter. A set of elements and constants is no bag, as SparkLite has no constant bags: it is known by what is in it.
"""

from __future__ import annotations

import ast
from functools import reduce
from typing import Final

from tallystick.core.terms import Operator, Term, build, conjunction, disjunction, element, implies, negation
from tallystick.frontends.pyspark.python.reading import Reading
from tallystick.frontends.pyspark.python.sequences import items_of
from tallystick.frontends.pyspark.python.tables_of_constants import member
from tallystick.frontends.pyspark.rdds import lookups
from tallystick.frontends.pyspark.rdds.calls import Call, element_of
from tallystick.frontends.pyspark.rdds.collected import collected
from tallystick.frontends.pyspark.rdds.lineages import marked
from tallystick.frontends.pyspark.rdds.operators import whether_empty
from tallystick.frontends.pyspark.rdds.set_operations import RDD_METHODS
from tallystick.frontends.pyspark.scoping.source import Place
from tallystick.frontends.pyspark.values.describing import describe, show_type
from tallystick.frontends.pyspark.values.kinds import Collected, ConstantSet, Dictionary, Listing, Value, WiderSet
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
    """Whether a value is a set of an RDD's elements, and perhaps of constants."""
    return isinstance(value, WiderSet) or (isinstance(value, Dictionary) and value.kind == "set")


def has(reader: Reading, whole: Dictionary | WiderSet, item: Value, place: Place) -> Term:
    """Whether a set of an RDD's elements, and perhaps of constants, or a dictionary of them, has an item."""
    if isinstance(whole, Dictionary):
        return lookups.found(reader, whole, item, place)[0]
    found, _ = lookups.found(reader, whole.elements, item, place)
    return disjunction(found, *(member(place, item, each) for each in whole.constants))


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
        assert isinstance(whole, Dictionary | WiderSet)
        items = items_of(one, place, "this set", any_order=True)
        found = ((there, has(reader, whole, item, place)) for there, item in items)
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
            return _as_set(reader, marked(build(Operator.UNION, tuple(parts)), name), place)
        case "union" if any(isinstance(each, WiderSet | ConstantSet | Listing) for each in (left, right)):
            return _wider(reader, left, right, place)
        case "intersection" | "union" | "difference":
            return _as_set(reader, marked(_elements(reader, name, left, right, place), name), place)
    raise place.error(f"`{name}` of a set of an RDD's elements is not supported", HINT)


def _elements(reader: Reading, name: str, left: Value, right: Value, place: Place) -> Term:
    """The elements of the intersection, union or difference of two sets."""
    if isinstance(right, WiderSet) and name == "difference":
        rest = _elements(reader, name, left, right.elements, place)
        for each in right.constants:
            rest = _filtered(rest, False, each, place)
        return rest
    if isinstance(right, WiderSet) and name == "intersection":
        parts = (right.elements, *right.constants)
        return _united([_elements(reader, name, left, each, place) for each in parts])
    if isinstance(left, WiderSet) and name == "intersection":
        return _elements(reader, name, right, left, place)
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


def _wider(reader: Reading, left: Value, right: Value, place: Place) -> WiderSet:
    """The union of two sets, of which one has constants."""
    sets: list[Dictionary] = []
    constants: list[ConstantSet | Listing] = []
    for each in (left, right):
        if isinstance(each, ConstantSet | Listing):
            constants.append(each)
        elif isinstance(each, WiderSet):
            sets.append(each.elements)
            constants += each.constants
        else:
            sets.append(_as_set(reader, _bag(each, place), place))
    if len(sets) == 2:
        sets = [_as_set(reader, _elements(reader, "union", sets[0], sets[1], place), place)]
    return WiderSet(sets[0], tuple(constants))


def _united(bags: list[Term]) -> Term:
    return reduce(lambda one, other: build(Operator.UNION, (one, other)), bags)


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


def _as_set(reader: Reading, bag: Term, place: Place) -> Dictionary:
    made = collected(Call(reader, bag, "set", place, {}), bag).asked("set", place)
    assert isinstance(made, Dictionary)
    return made


def _is_empty(reader: Reading, bag: Term, place: Place) -> Term:
    return whether_empty(Call(reader, bag, "issubset", place, {}))
