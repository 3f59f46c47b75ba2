"""Expressions that are known by their names alone: deterministic functions of which nothing but equality is said.

A name has all that Spark's expression is made of but its arguments: the class, the values of its fields (formats,
zones, options, whether it fails), the types of its arguments and of its result. Pieces of code, which are evaluated for
each element of an array, or as if nothing failed, are part of the name as canonical text; their columns are arguments.

What is refused: what Spark does not call deterministic, what it wrongly calls so (`RANDOM`), what has a field of which
the capture could not say all, and types whose equality is not known.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from tallystick.core.queries.assumptions import Assumption
from tallystick.core.queries.expressions import Case, Function, IsNull, Literal
from tallystick.frontends.catalyst.nodes import Node, is_plain, refused
from tallystick.frontends.catalyst.reading import PlanReading
from tallystick.frontends.catalyst.types import SparkType, column_type, spark_type
from tallystick.frontends.catalyst.values import Value

if TYPE_CHECKING:
    from tallystick.frontends.catalyst.expressions import Expressions

BY_NAME: Final = "a function by name"
"""What takes values of which nothing is known but their equality."""
CODE: Final = frozenset({"LambdaFunction", "TryEval"})
"""Expressions whose children are pieces of code: not evaluated once for each row, or as if none failed."""
RANDOM: Final = {"[Aa]esEncrypt": "its initial value is random", "Kll.*(Agg|Merge).*": "what it leaves out is random"}
"""What Spark calls deterministic, and is not."""
NULL_FOR_NULL: Final = frozenset({"GetJsonObject"})
"""What is NULL if an argument is, besides what Spark says it of."""
MOMENTS: Final = {
    **{name: name for name in ("CurrentDate", "CurrentTime", "CurrentTimestamp", "LocalTimestamp")},
    "Now": "CurrentTimestamp",
}
"""What hangs on the moment of the run, and is one constant of it."""
NO_MEANING: Final = frozenset(
    {
        *("class", "num-children", "valueType", "computesAlike", "replacement", "nullable"),
        *("nullForNull", "nullForNullAlone"),
        *("mutableAggBufferOffset", "inputAggBufferOffset", "hidden"),
    }
)
"""Fields that a name does not have: the number of children follows from the others."""


def read_named(self: Expressions, node: Node) -> Value:
    """An expression as a function by name. Raises SourceError where Spark does not say all that it is."""
    require_deterministic(node)
    type_ = named_type(node)
    naming = Naming(self)
    text = naming.name(node)
    code = any(each.name in CODE for each in (node, *node.children))
    known = not code and len(naming.arguments) == len(node.children)
    for_null, alone = (known and node.plain(each) is True for each in ("nullForNull", "nullForNullAlone"))
    for_null = for_null or (known and node.name in NULL_FOR_NULL)
    return by_name(self.reading, text, naming.arguments, type_, alone, for_null)


def by_name(
    reading: PlanReading,
    text: str,
    arguments: list[Value],
    type_: SparkType,
    strict: bool = False,
    for_null: bool = False,
) -> Value:
    """The function of a name that tells it from all others, but for the types of arguments and result.

    A strict one is NULL if an argument is NULL, and only then; one that is so `for_null` may be NULL for others, too.
    """
    name = name_of(reading, text, arguments, type_)
    values = tuple(each.expression for each in arguments)
    function = Function(name, values, type_.core, strict)
    null = Literal(None, type_.core)
    branches = tuple((IsNull(each), null) for each in values if for_null and not strict and each.nullable)
    return Value(Case(branches, function) if branches else function, type_)


def name_of(reading: PlanReading, text: str, arguments: list[Value], type_: SparkType) -> str:
    """The name of a function with the types of its arguments and its result."""
    name = f"Spark's {text} of ({', '.join(each.type.ddl for each in arguments)}) as {type_.ddl}"
    if "double" in name or "float" in name:  # −0.0 is equal to 0.0, and functions may tell them apart
        reading.assumptions.add(Assumption.EXACT_FLOATS)
    return name


def require_deterministic(node: Node) -> None:
    """Raises SourceError unless Spark says that an expression is deterministic, and it is."""
    called = node.plain("functionName") if "functionName" in node.fields else node.name
    reason = next((why for what, why in RANDOM.items() if re.fullmatch(what, str(called))), "")
    if reason or node.plain("computesAlike") is False:
        raise refused(node, f"{called} is not deterministic", reason or ANOTHER)
    if node.plain("computesAlike") is not True:
        raise refused(node, f"the expression {node.name} is not understood")


ANOTHER: Final = "its value is another one in each run, so that there is nothing to compare"


def named_type(node: Node) -> SparkType:
    """The type of a value that is known by name. Raises SourceError if its equality is not known."""
    found = column_type(node.fields.get("valueType"))
    if found.kind == "unknown":
        raise refused(node, f"the type {found} of {node.name} is not understood")
    return found


@dataclass
class Naming:
    """Names expressions, and collects what they are functions of.

    Attributes:
        expressions: reads the arguments.
        constants: whether constant arguments are part of the name, for functions of several rows.
        arguments: the values of columns and of other expressions that a name is a function of.
    """

    expressions: Expressions
    constants: bool = False
    arguments: list[Value] = field(default_factory=list)
    variables: dict[Any, str] = field(default_factory=dict)

    def name(self, node: Node, in_code: bool = False) -> str:
        """The name of an expression, with a place for each argument."""
        if node.name in MOMENTS:
            self.expressions.reading.assumptions.add(Assumption.SAME_MOMENT)
        children = [self._child(each, in_code or node.name in CODE) for each in node.children]
        if node.name == "CaseWhen":  # its fields are pairs of children, and of nothing else
            node.items("branches")
            node.fields.get("elseValue")
            return f"CaseWhen({', '.join(children)})"
        met = set[int]()
        fields = [each for each in sorted(node.fields) if each not in NO_MEANING]
        named = [f"{each}={self._field(node, each, children, met)}" for each in fields]
        for place, child in enumerate(node.children):
            if not any(child.is_same(node.children[each]) for each in ({place} & met or met)):
                raise refused(node, f"child {place} of {node.name} is not understood")
        for each in NO_MEANING:
            node.fields.get(each)
        return f"{MOMENTS.get(node.name, node.name)}({', '.join(named)})"

    def _field(self, node: Node, name: str, children: list[str], met: set[int]) -> str:
        value = node.fields[name]
        if is_plain(value):
            if _has_unknown(value["value"]):
                raise refused(node, f"{name} of {node.name} is not understood")
            return json.dumps(value["value"], sort_keys=True)
        places = value if isinstance(value, list) else [value]
        if places and all(isinstance(each, list) for each in places):
            return f"[{', '.join(map(_constant, node.many(name)))}]"
        if not all(type(place) is int and 0 <= place < len(children) for place in places):
            raise refused(node, f"{name} of {node.name} is not understood")
        met.update(places)
        found = [children[place] for place in places]
        return f"[{', '.join(found)}]" if isinstance(value, list) else found[0]

    def _child(self, node: Node, in_code: bool) -> str:
        """What stands for a child in a name."""
        if node.name == "LambdaFunction":
            return self._function(node)
        if in_code and node.stands_for_another:
            return self._child(node.one("replacement"), in_code)
        if in_code and node.name == "NamedLambdaVariable":
            return self._variable(node)
        if in_code and node.name not in ("AttributeReference", "OuterReference"):
            require_deterministic_in_code(node)
            return self.name(node, in_code)
        value = self.expressions.read(node)
        if self.constants and isinstance(value.expression, Literal):
            return f"{value.expression.value!r}: {value.type.ddl}"
        self.arguments.append(value)
        return f"${len(self.arguments)}"

    def _function(self, node: Node) -> str:
        """A function of variables, which are numbered from the outermost."""
        variables = node.many("arguments")
        before = dict(self.variables)
        for each in variables:
            self.variables[_identity(each)] = f"v{len(self.variables)}"
        named = [f"{self._variable(each)}: {named_variable_type(each).ddl}" for each in variables]
        body = node.one("function")
        text = self._child(body, True)
        self.variables = before
        return f"({', '.join(named)}) -> {text}"

    def _variable(self, node: Node) -> str:
        found = self.variables.get(_identity(node))
        if found is None:
            raise refused(node, "a variable of no function is not understood")
        node.fields.get("dataType")
        return found


def require_deterministic_in_code(node: Node) -> None:
    """The same of what stands in a piece of code, which may have a CASE."""
    if node.name != "CaseWhen":
        require_deterministic(node)
        named_type(node)


def _constant(node: Node) -> str:
    """The text of a constant that is no argument."""
    if node.name != "Literal":
        raise refused(node, f"a {node.name} in a field is not understood")
    return f"{json.dumps(node.fields.get('value'))}: {json.dumps(node.fields.get('dataType'))}"


def _has_unknown(value: Any) -> bool:
    """Whether the capture could not say all of a value."""
    if isinstance(value, dict):
        return "unknown" in value or any(map(_has_unknown, value.values()))
    return isinstance(value, list) and any(map(_has_unknown, value))


def _identity(node: Node) -> Any:
    found = node.fields.get("exprId")
    if node.name != "NamedLambdaVariable" or not isinstance(found, dict) or "id" not in found:
        raise refused(node, "a variable of a function is not understood")
    return found["id"]


def named_variable_type(node: Node) -> SparkType:
    """The type of a variable."""
    found = spark_type(node.fields.get("dataType")) or column_type(node.fields.get("dataType"))
    if found.kind == "unknown":
        raise refused(node, f"the type {found} of a variable is not understood")
    return found
