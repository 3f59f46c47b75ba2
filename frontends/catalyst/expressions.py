"""Scalar expressions: one handler for each class of Catalyst's expressions, in the table `HANDLERS`.

A class that is not in the table is refused by its name. Spark has resolved names, types and implicit casts: what a
plan says of types is compared with what the reading finds, and a difference is an error.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tallystick.core.queries.assumptions import Assumption
from tallystick.core.queries.expressions import Expression, Function, Literal
from tallystick.core.queries.types import BOOLEAN, TEXT
from tallystick.frontends.catalyst import arithmetic, conditionals, dates, predicates, subqueries, texts
from tallystick.frontends.catalyst.casts import cast
from tallystick.frontends.catalyst.named import ANOTHER, BY_NAME, by_name, named_type, read_named, require_deterministic
from tallystick.frontends.catalyst.nodes import Node, Refused, malformed, refused
from tallystick.frontends.catalyst.reading import Attribute, PlanReading, Relation, Scopes, expression_id, unknown
from tallystick.frontends.catalyst.types import SparkType, core_value
from tallystick.frontends.catalyst.values import Struct, Value, field_of


@dataclass(frozen=True)
class Expressions:
    """Reads expressions over rows in scope.

    Attributes:
        reading: what is known of the plans.
        scopes: the rows, level 0 first.
        query: reads the plan of a subquery in scopes of its own.
        special: what is asked first about each expression, for those that have another meaning here.
        common: the expressions that CommonExpressionRefs stand for.
    """

    reading: PlanReading
    scopes: Scopes
    query: Callable[[Node, Scopes], Relation]
    special: Callable[[Node], Value | Struct | None] | None = None
    common: tuple[tuple[str, Value], ...] = ()

    def any(self, node: Node) -> Value | Struct:
        """An expression, which may be a struct."""
        found = self.special(node) if self.special is not None else None
        value = self.by_class(node) if found is None else found
        self.require_known(node, value)
        return value

    def by_class(self, node: Node) -> Value | Struct:
        """An expression by the class of its node."""
        if node.stands_for_another:
            return self.any(node.one("replacement"))
        handler = HANDLERS.get(node.name)
        if handler is None:
            return self.by_name(node)
        try:
            return self.consumed(node.name, handler, node)
        except Refused as problem:
            if problem.node is not node or "computesAlike" not in node.fields:
                raise
            return self.by_name(node)

    def by_name(self, node: Node) -> Value:
        """An expression of which nothing is known but its name."""
        try:
            return self.consumed(BY_NAME, read_named, node)
        except Refused as problem:
            problem.hint = problem.hint or HINTS.get(node.name, "")
            raise

    def consumed(self, consumer: str, read: Callable[[Any, Node], Any], node: Node) -> Any:
        """What is read of a node for a consumer of its children's values."""
        consumers = self.reading.consumers
        consumers.append((consumer, node))
        try:
            return read(self, node)
        finally:
            consumers.pop()

    def require_known(self, node: Node, value: Value | Struct) -> None:
        """Raises SourceError where more is needed of a value than is known of its type."""
        consumer, of_node = self.reading.consumers[-1] if self.reading.consumers else ("Alias", node)
        passing = PASSING if isinstance(value, Value) and value.type.kind == "whole" else ("Alias",)
        if isinstance(value, Struct) or not value.type.kind or consumer in passing:
            return
        of = f" of the column {node.text('name')}" if "name" in node.fields else ""
        where = "" if consumer == "Alias" else f" in {consumer}"
        problem = refused(node, f"the type {value.type}{of} is not understood{where}")
        problem.node = of_node
        raise problem

    def read(self, node: Node) -> Value:
        """An expression as one value, also if it is a struct."""
        value = self.any(node)
        if isinstance(value, Struct):
            if value.whole is None:
                raise refused(node, f"a struct is not understood here ({node.name})")
            value = value.whole
            self.require_known(node, value)
        if value.type.kind == "unknown":
            raise unknown(value.type, node.text("name") if "name" in node.fields else node.name)
        return value

    def all(self, nodes: tuple[Node, ...]) -> list[Value]:
        """Several expressions."""
        return [self.read(node) for node in nodes]

    def condition(self, node: Node) -> Expression:
        """A boolean expression; an untyped NULL is one."""
        value = self.read(node)
        if value.type.name == "void":
            return Literal(None, BOOLEAN)
        if value.type.name != "boolean":
            raise malformed(f"a condition is of type {value.type} ({node.name})")
        return value.expression


def read_attribute(self: Expressions, node: Node) -> Value | Struct:
    """A column of the input row."""
    id_ = expression_id(node)
    attribute = self.scopes[0].attributes.get(id_)
    if attribute is None:
        raise malformed(f"{node.fields.get('name')}#{id_} is no column of the input")
    check_type(self.reading, node, attribute)
    return self.scopes[0].value(attribute, 0)


def read_outer(self: Expressions, node: Node) -> Value | Struct:
    """A column of a row around the subquery, the innermost that has it."""
    inner = node.one("e")
    id_ = expression_id(inner)
    for level, frame in enumerate(self.scopes[1:], 1):
        if id_ in frame.attributes:
            check_type(self.reading, inner, frame.attributes[id_])
            return frame.value(frame.attributes[id_], level)
    raise malformed(f"{inner.fields.get('name')}#{id_} is no column around the subquery")


def check_type(reading: PlanReading, node: Node, attribute: Attribute) -> None:
    """Raises SourceError unless the plan says the type of an attribute that was found for it."""
    if attribute.type.name == "pivoted":
        said, found = reading.column_of(node), SparkType(f"array<{attribute.type.fields[0].ddl}>", kind="whole")
    elif attribute.type.names:
        said, found = reading.column_of(node), SparkType(attribute.type.ddl, kind="whole")
        said = SparkType(said.name, kind=said.kind)
    else:
        said, found = reading.column_of(node) if attribute.type.kind else reading.type_of(node), attribute.type
    if attribute.type.kind != "unknown" and said != found:
        raise malformed(
            f"{attribute.name}#{attribute.id} is of type {said} in the plan, {attribute.type} as it is read"
        )


def read_literal(self: Expressions, node: Node) -> Value:
    """A constant."""
    type_, value = self.reading.type_of(node), node.fields.get("value")
    if type_.kind and value is not None:
        raise refused(node, f"the type {type_} of Literal is not understood")
    if type_.name == "timestamp" and not self.reading.settings.is_utc and value is not None:
        raise refused(node, "a timestamp is understood in a session whose time zone is UTC")
    try:
        return Value(Literal(core_value(value, type_), type_.core), type_)
    except (ValueError, TypeError, AttributeError):
        raise refused(node, f"the {type_} {value!r} is not understood") from None


def read_child(self: Expressions, node: Node) -> Value | Struct:
    """What changes nothing: a name, a hint, a mark for NULL or NaN."""
    return self.any(node.one("child"))


def read_cast(self: Expressions, node: Node) -> Value:
    """CAST."""
    if node.fields.get("timeZoneId") not in (None, self.reading.settings.time_zone):
        raise refused(node, "a cast in another time zone than the session's is not understood")
    mode = node.fields.get("evalMode") or ("ANSI" if self.reading.settings.ansi else "LEGACY")
    if mode not in ("ANSI", "LEGACY", "TRY"):
        raise refused(node, f"a cast in mode {mode} is not understood")
    target = self.reading.column_of(node)
    try:
        return cast(self.reading, node, self.read(node.one("child")), target, mode)
    except Refused as problem:
        if problem.node is not node or target.kind == "unknown":
            raise
    value = self.consumed(BY_NAME, lambda _, each: self.read(each.one("child")), node)
    strict = "variant" not in value.type.ddl and (
        mode == "ANSI" or (value.type.name, target.name) == ("string", "binary")
    )
    text = f"Cast({mode}, {json.dumps(node.fields.get('timeZoneId'))})"
    return by_name(self.reading, text, [value], target, strict, for_null=True)


def read_with(self: Expressions, node: Node) -> Value | Struct:
    """An expression in which common expressions are referred to."""
    defined = [(definition.text("id"), self.read(definition.one("child"))) for definition in node.many("defs")]
    inner = Expressions(self.reading, self.scopes, self.query, self.special, (*self.common, *defined))
    return inner.any(node.one("child"))


def read_common(self: Expressions, node: Node) -> Value:
    """A reference to a common expression."""
    id_ = node.text("id")
    found = next((value for name, value in reversed(self.common) if name == id_), None)
    if found is None or found.type != self.reading.type_of(node):
        raise malformed(f"there is no common expression {id_} of this type")
    return found


PADDING = ("CharVarcharCodegenUtils", "readSidePadding")


def read_padding(self: Expressions, node: Node) -> Value:
    """What Spark makes of a CHAR column when it reads its table; nobody may look at it."""
    called = str(node.plain("functionName"))
    if (_class_name(node.plain("staticObject")), called) != PADDING:
        raise refused(node, f"the call of {called} is not understood")
    node.many("arguments")
    return Value(Literal(None, TEXT), SparkType("char", kind="unknown"))


def _class_name(named: Any) -> str:
    """The last part of a class's name, as a text or in an object of its own."""
    return str(named.get("class") if isinstance(named, dict) else named).rpartition(".")[2]


def read_struct(self: Expressions, node: Node) -> Struct:
    """A struct: fields are found by their places, and their names matter where it becomes one value."""
    children = node.many("children")
    for child in children[0::2]:
        child.fields.get("dataType")
    names = tuple(str(child.fields.get("value")) for child in children[0::2] if child.name == "Literal")
    fields = tuple(self.read(child) for child in children[1::2])
    return Struct(fields, names if len(names) == len(fields) else ())


def read_field(self: Expressions, node: Node) -> Value:
    """A field of a struct."""
    struct, ordinal = self.any(node.one("child")), node.number("ordinal")
    if isinstance(struct, Value) and 0 <= ordinal < len(struct.type.parts):
        return field_of(struct, ordinal)
    if not isinstance(struct, Struct) or not 0 <= ordinal < len(struct.fields):
        raise refused(node, "a field of this struct is not understood")
    return struct.fields[ordinal]


def read_changed(self: Expressions, node: Node) -> Value:
    """A struct with other fields: `withField` and `dropFields`, as a function by name."""
    arguments = [self.consumed(BY_NAME, lambda _, each: self.read(each.one("structExpr")), node)]
    changes = []
    for each in node.many("fieldOps"):
        if each.name not in ("WithField", "DropField"):
            raise refused(each, f"the change {each.name} of a struct is not understood")
        named = json.dumps(each.text("name"))
        if each.name == "WithField":
            arguments.append(self.consumed(BY_NAME, lambda _, one: self.read(one.one("valExpr")), each))
            named = f"{named} = ${len(arguments)}"
        changes.append(f"{each.name}({named})")
    require_deterministic(node)
    return by_name(self.reading, f"UpdateFields({', '.join(changes)})", arguments, named_type(node))


def read_item(self: Expressions, node: Node) -> Value:
    """An element of an array, of which nothing is known unless a pivot has made it."""
    array, ordinal = self.any(node.one("child")), self.read(node.one("ordinal")).expression
    number = ordinal.value if isinstance(ordinal, Literal) else None
    if not isinstance(array, Struct) or type(number) is not int or not 0 <= number < len(array.fields):
        raise refused(node, "an element of this array is not understood")
    node.plain("failOnError")
    return array.fields[number]


def read_udf(self: Expressions, node: Node) -> Value:
    """A Python function, of which its identity is known: its code and the type of its result.

    The same values of the core may be other ones in Python, so that what types have in common there is in the name.
    """
    name, identity = node.text("name"), node.text("identity")
    how = node.number("evalType") if "evalType" in node.fields else ROW_BY_ROW[0]
    if how not in ROW_BY_ROW:
        raise refused(node, f"the Python function {name} takes many rows at once")
    if not node.flag("deterministic"):
        raise refused(node, f"the Python function {name} is not deterministic")
    self.reading.assumptions.add(Assumption.PURE_FUNCTIONS)
    type_ = self.reading.type_of(node)
    values = self.all(node.many("children"))
    of = ", ".join(_in_python(value.type) for value in values)
    called = f"Python function {name} {identity[:40]} of ({of}) as {type_.ddl}{' by Arrow' * (how != ROW_BY_ROW[0])}"
    return Value(Function(called, tuple(value.expression for value in values), type_.core, strict=False), type_)


def _in_python(type_: SparkType) -> str:
    """What the values of a type are for a Python function: types for which that is the same have one word."""
    if type_.name == "decimal":
        return f"decimal of scale {type_.scale}"
    return "integer" if type_.is_integral else "float" if type_.is_float else type_.ddl


ROW_BY_ROW = (100, 101)
"""Spark's numbers for functions that are called on the values of a row: with pickled values, with values of Arrow."""


PASSING = frozenset(
    {
        BY_NAME,
        *("Alias", "KnownNotNull", "With", "CommonExpressionRef", "CreateNamedStruct", "GetStructField", "PythonUDF"),
        *("EqualTo", "EqualNullSafe", "In", "IsNull", "IsNotNull", "AtLeastNNonNulls", "Coalesce", "If", "CaseWhen"),
    }
)
"""Expressions that need nothing of the values that they pass on, or compare, but their equality."""


HANDLERS: dict[str, Callable[[Any, Node], Value | Struct]] = {
    "AttributeReference": read_attribute,
    "OuterReference": read_outer,
    "Literal": read_literal,
    "Cast": read_cast,
    **dict.fromkeys(
        ("Alias", "KnownNotNull", "KnownNullable", "KnownFloatingPointNormalized", "NormalizeNaNAndZero"), read_child
    ),
    "StaticInvoke": read_padding,
    "With": read_with,
    "CommonExpressionRef": read_common,
    "CreateNamedStruct": read_struct,
    "GetStructField": read_field,
    "UpdateFields": read_changed,
    "GetArrayItem": read_item,
    "PythonUDF": read_udf,
    **arithmetic.HANDLERS,
    **predicates.HANDLERS,
    **conditionals.HANDLERS,
    **dates.HANDLERS,
    **texts.HANDLERS,
    **subqueries.HANDLERS,
}
"""The positive list: what reads an expression of each class."""

HINTS = {
    "Rand": ANOTHER,
    "Randn": ANOTHER,
    "Shuffle": ANOTHER,
    "Uuid": ANOTHER,
    "MonotonicallyIncreasingID": "it hangs on how Spark partitions the rows",
    "SparkPartitionID": "it hangs on how Spark partitions the rows",
}
"""Why expressions are refused that have no value of their own, or what to do instead."""
