"""Constants, names and attributes."""

from __future__ import annotations

import ast
from fractions import Fraction

from tallystick.core.terms import (
    Term,
    constant,
)
from tallystick.frontends.pyspark.python import arithmetic, gathered, group_dictionaries, texts
from tallystick.frontends.pyspark.python.functions import regular_expressions
from tallystick.frontends.pyspark.python.reading import Reading
from tallystick.frontends.pyspark.rdds import lookups, positive_list
from tallystick.frontends.pyspark.rdds.calls import method_place
from tallystick.frontends.pyspark.scoping.source import Place
from tallystick.frontends.pyspark.values import dates, enums, records
from tallystick.frontends.pyspark.values.describing import (
    describe,
    is_rdd,
    what_to_do_with,
)
from tallystick.frontends.pyspark.values.groups import Gathered, GroupDictionary
from tallystick.frontends.pyspark.values.kinds import (
    Broadcast,
    Builtin,
    Dictionary,
    EnumClass,
    Frame,
    Ignored,
    Instance,
    Module,
    Pattern,
    RecordClass,
    SparkContextValue,
    Unusable,
    Value,
)
from tallystick.frontends.pyspark.values.nominal_types import NominalType
from tallystick.frontends.pyspark.values.options import (
    MISSING,
)
from tallystick.frontends.pyspark.values.record_types import RecordType


def read_constant(reader: Reading, node: ast.Constant, frame: Frame, place: Place) -> Value:
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


def read_name(reader: Reading, node: ast.Name, frame: Frame, place: Place) -> Value:
    return reader.names.lookup(node.id, frame, place)


def read_attribute(reader: Reading, node: ast.Attribute, frame: Frame, place: Place) -> Value:
    owner = reader.evaluate(node.value, frame)
    if isinstance(owner, Module):
        value = reader.names.attribute(owner, node.attr, place)
        if isinstance(value, Unusable):
            raise place.error(f"`{node.attr}` {value.reason}", value.hint)
        return value
    if isinstance(owner, Term) and isinstance(owner.type, RecordType):
        return usable(records.field(reader, owner, node.attr, place), place)
    if isinstance(owner, Ignored):
        return owner
    if isinstance(owner, Pattern):
        return regular_expressions.method(place, owner, node.attr)
    if regular_expressions.is_match(owner):
        if reader.attempts is not None:
            reader.attempts.note_use(owner, AttributeError, reader.path, place)  # type: ignore[arg-type]
        return regular_expressions.of_match(place, owner, node.attr)
    if isinstance(owner, Broadcast):
        return _of_broadcast(owner, node.attr, place)
    if isinstance(owner, EnumClass):
        return enums.member(owner, node.attr, place)
    if isinstance(owner, Builtin) and owner.name in dates.CLASSES:
        return dates.of_class(owner.name, node.attr, place)
    if isinstance(owner, Term) and isinstance(owner.type, NominalType):
        return _nominal_attribute(owner, owner.type, node.attr, place)
    if isinstance(owner, Builtin) and (owner.name, node.attr) == ("set", "union"):
        return Builtin("set.union", gathered.union)
    if isinstance(owner, Gathered) and (owner.kind, node.attr) == ("set", "union"):
        return Builtin("set.union", lambda where, values: gathered.union(where, [owner, *values]))
    if isinstance(owner, GroupDictionary) and node.attr == "get":
        return Builtin("get", lambda where, given: group_dictionaries.method(owner, "get", given, where))
    if isinstance(owner, Dictionary) and owner.kind != "set" and node.attr == "get":
        return Builtin("get", lambda where, given: lookups.get(reader, owner, given, where))
    if isinstance(owner, Builtin) and owner.name == "str":
        return Builtin(f"str.{node.attr}", texts.of_class(node.attr, place))
    if isinstance(owner, Instance):
        return usable(records.of_instance(reader, owner, node.attr, place), place)
    if isinstance(owner, RecordClass):
        return records.function_of_class(reader, owner, node.attr, place)
    if isinstance(owner, SparkContextValue) and owner.is_session and node.attr == "sparkContext":
        return SparkContextValue()
    if is_rdd(owner) and node.attr in ("context", "ctx"):
        return SparkContextValue()
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


def usable(value: Value, place: Place) -> Value:
    if isinstance(value, Unusable):
        raise place.error(f"this value {value.reason}", value.hint)
    return value
