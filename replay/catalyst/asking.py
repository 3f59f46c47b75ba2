"""Asks a Spark session for the logical plans of queries, as JSON with all that their meaning hangs on.

The modules of this folder need nothing but the standard library and PySpark 3.3 or newer, so that `server.py` runs with
any such Python. What `TreeNode.toJSON` leaves out (the projections
of Expand, the values of InSet, how a cast fails, …) is asked from the JVM's objects, on the way to such nodes only.
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

from .created import CREATED, as_text, digest
from .settings import settings

Json = Any


def captured(dataframe: Any, steps: bool = False) -> dict[str, Json]:
    """The plans of a DataFrame.

    Returns an object with `analyzed` and `optimized`, each a list of nodes in preorder; `settings`; `rules`, the
    optimiser's rules that changed the plan; `seconds`, what the optimiser took; with `steps` also the plan after each
    effective rule, as [rule, plan]. Raises what Spark raises for a query that it refuses.
    """
    session = _session_of(dataframe)
    execution = dataframe._jdf.queryExecution()
    start = time.perf_counter()
    analyzed = execution.analyzed()
    optimized = execution.optimizedPlan()
    result = {
        "settings": settings(session),
        "analyzed": as_json(analyzed),
        "optimized": as_json(optimized),
        "rules": effective_rules(execution),
        "seconds": time.perf_counter() - start,
    }
    if steps:
        result["steps"] = [[rule, as_json(plan)] for rule, plan in rule_by_rule(session, execution)]
    return result


def analysed(dataframe: Any) -> dict[str, Json]:
    """The analysed plan of a DataFrame and the settings of its session; the optimiser is not asked."""
    plan = dataframe._jdf.queryExecution().analyzed()
    return {"settings": settings(_session_of(dataframe)), "analyzed": as_json(plan)}


def where(dataframe: Any, kind: str) -> list[str]:
    """Where in the user's code the expressions of a class are made: a file and a line, `jobs.py:12`, of each.

    PySpark 4 says so of what was made by methods of Column, from which functions inside of them are not far.
    """
    found: list[str] = []

    def visit(tree: Any, is_plan: bool, near: str) -> None:
        context = getattr(tree.origin(), "pysparkErrorContext", lambda: None)()
        if context is not None and context.isDefined():
            near = str(context.get()._2()).partition("\n")[0]
        if near and str(tree.getClass().getSimpleName()).removesuffix("$") == kind:
            found.append(near)
        for each in _items(tree.expressions()) if is_plan else ():
            visit(each, False, "")
        for each in _items(tree.children()):
            visit(each, is_plan, near)

    visit(dataframe._jdf.queryExecution().analyzed(), True, "")
    return found


def _session_of(dataframe: Any) -> Any:
    return dataframe.sparkSession if hasattr(dataframe, "sparkSession") else dataframe.sql_ctx.sparkSession


def as_json(plan: Any) -> list[Json]:
    """A plan as the list of its nodes in preorder, completed."""
    nodes = json.loads(plan.toJSON())
    complete(nodes, plan)
    return nodes


def effective_rules(execution: Any) -> list[str]:
    """The rules of the optimiser and the analyser that changed the plan."""
    found = execution.tracker().topRulesByTime(10_000)
    rules = [found.apply(index) for index in range(found.size())]
    return sorted(_short(rule._1()) for rule in rules if rule._2().numEffectiveInvocations() > 0)


def rule_by_rule(session: Any, execution: Any) -> Iterator[tuple[str, Any]]:
    """The plan that the optimiser starts from, then the plan after each rule that changes it, in batches as it runs."""
    optimizer = session._jsparkSession.sessionState().optimizer()
    plan = execution.withCachedData().clone()
    if hasattr(execution, "normalized"):
        plan = execution.normalized().clone()
    yield "", plan
    batches = optimizer.batches()
    for index in range(batches.size()):
        batch = batches.apply(index)
        rules = [batch.rules().apply(place) for place in range(batch.rules().size())]
        for _ in range(batch.strategy().maxIterations()):
            before = plan
            for rule in rules:
                changed = rule.apply(plan)
                if not changed.fastEquals(plan):
                    yield _short(rule.ruleName()), changed
                plan = changed
            if plan.fastEquals(before):
                break


def _short(rule: str) -> str:
    return rule.rpartition(".")[2]


# ---- what toJSON leaves out


def complete(nodes: list[Json], top: Any) -> None:
    """Adds to the nodes of a tree, in preorder, what `toJSON` has left out; in a piece of code, all of each node."""
    lost = [_loses(node) for node in nodes]
    position = 0

    def visit(tree: Any, in_code: bool) -> None:
        nonlocal position
        node, here = nodes[position], position
        position += 1
        end = _end(nodes, here)
        if in_code or any(lost[here:end]):
            try:
                _complete_node(node, tree, in_code)
            except Exception as error:  # what the JVM does not say: a field that nobody reads, so that it is refused
                node["unsaid"] = str(error).partition("\n")[0]
            for index in range(node["num-children"]):
                visit(tree.children().apply(index), in_code or _kind(node) in CODE)
        position = end

    visit(top, False)


def _end(nodes: list[Json], start: int) -> int:
    """The place behind the last node of a subtree."""
    missing, place = 1, start
    while missing:
        missing += nodes[place]["num-children"] - 1
        place += 1
    return place


def _kind(node: Json) -> str:
    return str(node["class"]).rpartition(".")[2].removesuffix("$")


def _loses(node: Json) -> bool:
    """Whether a node, or an expression in its fields, has lost something."""
    if _kind(node) in RESTORED or _kind(node) in CODE or _is_asked(node):
        return True
    return any(_loses(part) for value in node.values() for part in _trees(value))


def _trees(value: Json) -> Iterator[Json]:
    """The nodes in a field, at any depth of lists."""
    if isinstance(value, list):
        for part in value:
            yield from _trees(part)
    elif isinstance(value, dict) and "class" in value:
        yield value
    elif isinstance(value, dict):
        for part in value.values():
            yield from _trees(part)


def _complete_node(node: Json, tree: Any, in_code: bool) -> None:
    restore = RESTORED.get(_kind(node))
    for name, value in node.items():
        if isinstance(value, list | dict) and any(_loses(part) for part in _trees(value)):
            _complete_field(value, getattr(tree, name)())
    if restore is not None:
        node.update(restore(tree))
    if _is_asked(node) or (in_code and _kind(node) not in VARIABLES):
        node.update(_in_full(node, tree))


def _complete_field(value: Json, held: Any) -> None:
    """A field that holds a tree, an optional tree, a sequence of trees or a pair of these."""
    if isinstance(value, list) and value and isinstance(value[0], dict) and "class" in value[0]:
        complete(value, held.get() if _is_option(held) else held)
    elif isinstance(value, list):
        for index, part in enumerate(value):
            if any(_loses(each) for each in _trees(part)):
                _complete_field(part, held.apply(index))
    else:
        for name, part in value.items():
            if any(_loses(each) for each in _trees(part)):
                _complete_field(part, getattr(held, name)())


def _is_option(held: Any) -> bool:
    return str(held.getClass().getName()) == "scala.Some"


def _items(sequence: Any) -> list[Any]:
    return [sequence.apply(index) for index in range(sequence.size())]


def _projections(expand: Any) -> dict[str, Json]:
    rows = [[as_json(part) for part in _items(row)] for row in _items(expand.projections())]
    return {"projections": rows}


def _set(in_set: Any) -> dict[str, Json]:
    values, iterator = [], in_set.hset().iterator()
    while iterator.hasNext():
        value = iterator.next()
        values.append(None if value is None else as_text(value))
    return {"hset": sorted(values, key=lambda value: (value is not None, value or ""))}


def _rows(relation: Any) -> dict[str, Json]:
    types = list(enumerate(attribute.dataType() for attribute in _items(relation.output())))
    rows = ([None if row.isNullAt(at) else row.get(at, each) for at, each in types] for row in _items(relation.data()))
    return {"data": [[None if value is None else as_text(value) for value in row] for row in rows]}


def _folder(relation: Any) -> dict[str, Json]:
    """What a relation without a name in the catalogue reads: its files, by their paths, their format and the options.

    Of what is no relation of files, such as a table of another server, nothing is said.
    """
    source = relation.relation()
    if relation.catalogTable().isDefined() or not is_a(source, FILES):
        return {}
    paths = sorted(str(path.toString()) for path in _items(source.location().rootPaths()))
    options = [(str(key).lower(), value) for key, value in _described(source.options())["map"]]
    described = [f"{key}={_option(key, value)}" for key, value in sorted(options) if key not in ("path", "paths")]
    return {"source": " ".join([*paths, f"as {source.fileFormat().toString()}", *described])}


FILES = "org.apache.spark.sql.execution.datasources.HadoopFsRelation"
SECRET = re.compile("secret|password|token|access.?key|credential")
"""Options that no certificate should hold: `spark.redaction.regex`, and credentials."""


def _option(key: str, value: Any) -> str:
    text = json.dumps(value)
    return f"sha256:{hashlib.sha256(text.encode()).hexdigest()[:16]}" if SECRET.search(key) else text


def _udf(call: Any) -> dict[str, Json]:
    """Which Python function is called: equal bytes are one function."""
    command = call.func().command()
    if not isinstance(command, bytes | bytearray):
        command = bytes(int(each) & 255 for each in str(command.mkString(",")).split(","))
    return {"identity": digest(_without_places(bytes(command))), "deterministic": bool(call.udfDeterministic())}


def _without_places(code: bytes) -> bytes:
    """A pickled function without where it was written: in which module, file and line. As it is if it is not unpickled.

    Where the function itself reads such a name, it stays.
    """
    import io
    import types

    from pyspark import cloudpickle

    class Pickler(cloudpickle.CloudPickler):
        def reducer_override(self, obj: Any) -> Any:
            if isinstance(obj, types.CodeType) and not ASKS_FOR_PLACES & _names(obj):
                return self.dispatch_table[types.CodeType](obj.replace(co_filename="", co_firstlineno=1, **table))
            if isinstance(obj, types.FunctionType) and not _is_of_module(obj):
                for each in {"__file__", "__path__", "__name__", "__package__"} - _names(obj.__code__):
                    obj.__globals__.pop(each, None)  # unpickled here: these globals are its own
                obj.__module__ = "__main__"
            return super().reducer_override(obj)

    table: dict[str, Any] = {"co_linetable": b""} if sys.version_info >= (3, 10) else {"co_lnotab": b""}
    written = io.BytesIO()
    try:
        Pickler(written).dump(cloudpickle.loads(code))
    except Exception:
        return code
    return written.getvalue()


ASKS_FOR_PLACES = frozenset({"_getframe", "inspect", "currentframe", "stack", "traceback", "__traceback__", "exc_info"})
"""Names by which code may see in which file and line it is."""


def _is_of_module(function: Any) -> bool:
    """Whether the globals of a function are those of a module that is there: it was not unpickled here."""
    own = function.__globals__
    return own is getattr(sys.modules.get(own.get("__name__") or ""), "__dict__", None)


def _names(code: Any) -> set[str]:
    """The global names and attributes that a function, and functions in it, refer to."""
    return {*code.co_names, *(name for each in code.co_consts if hasattr(each, "co_names") for name in _names(each))}


class _Tree(Exception):  # noqa: N818 - no error
    """A value has expressions in it, which are nodes of their own."""


def _is_asked(node: Json) -> bool:
    """Whether an expression is one of which more than its class may matter than `toJSON` writes."""
    return ".expressions." in str(node["class"]) and not {_kind(node)} & (PLAIN | VARIABLES | set(RESTORED))


NAMES: dict[str, list[str]] = {}
"""The fields of classes; none where Scala does not say."""
TREES: set[tuple[str, str]] = set()
"""Which fields of which classes have been found to hold expressions."""
REPLACED: dict[str, bool] = {}
"""Of which classes Spark evaluates another expression in their place."""


def _in_full(node: Json, expression: Any) -> dict[str, Json]:
    """All of an expression but the expressions in it: its type, whether it is deterministic, and the values of its
    fields, each as {"value": …}, so that it is told from the number of a child.

    `toJSON` leaves out a field that is None. Spark 3 does not name the fields; a division has a mode there.
    """
    kind, found = str(node["class"]), dict[str, Json]()
    if kind not in NAMES:
        NAMES[kind] = _fields_of(expression)
    for index, name in enumerate(NAMES[kind]):
        if (kind, name) in TREES:
            found |= {} if name in node else {name: {"value": None}}
            continue
        try:
            found[name] = {"value": _described(expression.productElement(index))}
        except _Tree:
            TREES.add((kind, name))
    if _is_old():
        return {"evalMode": str(expression.evalMode().toString())} if "evalMode" in node else {}
    type_ = json.loads(str(expression.dataType().json()))
    alike, for_null = _computes_alike(expression, kind), _is_null_for_null(expression)
    alone = for_null and _is_null_for_null_alone(expression)
    nulls = {"nullForNull": {"value": for_null}, "nullForNullAlone": {"value": alone}}
    return {**found, "valueType": type_, "computesAlike": {"value": alike}, **nulls}


def _is_null_for_null(expression: Any) -> bool:
    """Whether Spark says of an expression that it is NULL if a child is."""
    return hasattr(expression, "nullIntolerant") and bool(expression.nullIntolerant())


def _is_null_for_null_alone(expression: Any) -> bool:
    """Whether Spark says of an expression that is NULL if a child is that it is so only then."""
    from pyspark import SparkContext

    jvm: Any = SparkContext._active_spark_context._jvm  # type: ignore[union-attr]
    known = getattr(jvm, "org.apache.spark.sql.catalyst.expressions.KnownNotNull")
    try:
        present = [known(each) for each in _items(expression.children())]
        return not expression.withNewChildren(jvm.PythonUtils.toSeq(present)).nullable()
    except Exception:  # some want children of a class
        return False


def _is_old() -> bool:
    """Whether this is Spark 3."""
    import pyspark

    return str(pyspark.__version__) < "4"


def _fields_of(expression: Any) -> list[str]:
    return (
        [] if _is_old() else [str(expression.productElementName(index)) for index in range(expression.productArity())]
    )


def _computes_alike(expression: Any, kind: str) -> bool:
    """Whether Spark takes an expression, and what it evaluates in its place, for deterministic."""
    if not expression.deterministic():
        return False
    if kind not in REPLACED:
        REPLACED[kind] = is_a(expression, "org.apache.spark.sql.catalyst.expressions.RuntimeReplaceable")
    return not REPLACED[kind] or _all_alike(expression.replacement())


def _all_alike(expression: Any) -> bool:
    if not _computes_alike(expression, str(expression.getClass().getName())):
        return False
    return all(_all_alike(each) for each in _items(expression.children()))


def is_a(value: Any, kind: str) -> bool:
    """Whether an object of the JVM is of a class."""
    from py4j.java_gateway import is_instance_of
    from pyspark import SparkContext

    context: Any = SparkContext._active_spark_context
    return bool(is_instance_of(context._gateway, value, kind))


def _described(value: Any) -> Json:
    """A value as JSON that other values do not have; `unknown` with its class if nothing is known of its parts.

    Raises _Tree if there are expressions or plans in it.
    """
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, bytes | bytearray):
        return {"bytes": bytes(value).hex()}
    if not hasattr(value, "getClass") or isinstance(value, float):
        return {type(value).__name__: repr(value)}
    name = str(value.getClass().getName())
    if name == "scala.None$":
        return None
    if name.endswith("$"):
        return {"object": name}
    if name in TOLD_BY_TEXT:
        return {name.rpartition(".")[2]: str(value.toString())}
    if name == "java.lang.Class":
        return {"class": str(value.getName())}
    if name == "scala.Some":
        return _described(value.get())
    return _described_parts(value, name)


TOLD_BY_TEXT = frozenset(
    {
        *("scala.Enumeration$Val", "org.apache.spark.unsafe.types.UTF8String", "org.apache.spark.sql.types.Decimal"),
        "org.apache.spark.sql.catalyst.expressions.NumericEvalContext",
        *("scala.math.BigDecimal", "java.time.ZoneId", "java.time.ZoneRegion", "java.util.Locale"),
    }
)
"""Classes whose objects have different texts if they are different."""


def _described_parts(value: Any, name: str) -> Json:
    if is_a(value, "org.apache.spark.sql.catalyst.trees.TreeNode"):
        raise _Tree
    if is_a(value, "org.apache.spark.sql.types.DataType"):
        return {"type": json.loads(str(value.json()))}
    if is_a(value, "scala.collection.Map"):
        pairs = [[_described(pair._1()), _described(pair._2())] for pair in _items(value.toSeq())]
        return {"map": sorted(pairs, key=json.dumps)}
    if is_a(value, "scala.collection.Seq"):
        return [_described(each) for each in _items(value)]
    if is_a(value, "scala.Product") and name.startswith("org.apache.spark."):
        parts = [_described(value.productElement(index)) for index in range(value.productArity())]
        return {"object": name, "parts": parts}
    return {"unknown": name}


def _pivot_values(pivot: Any) -> dict[str, Json]:
    """The values of a pivot's column, as casts to its type would have them."""
    return {
        "pivotColumnValues": [None if value is None else as_text(value) for value in _items(pivot.pivotColumnValues())]
    }


CODE = frozenset({"LambdaFunction", "TryEval"})
"""Expressions whose children are not evaluated once for each row, and as if none failed."""
VARIABLES = frozenset({"NamedLambdaVariable", "LambdaFunction", "AttributeReference", "OuterReference", "CaseWhen"})
"""Expressions of which `toJSON` says all, also in a piece of code."""
PLAIN = frozenset(
    {
        *("Alias", "Literal", "And", "Or", "Not", "EqualTo", "EqualNullSafe", "LessThan", "LessThanOrEqual"),
        *("GreaterThan", "GreaterThanOrEqual", "In", "IsNull", "IsNotNull", "If", "Coalesce", "NullIfResult"),
        *("KnownNotNull", "KnownNullable", "KnownFloatingPointNormalized", "NormalizeNaNAndZero", "AtLeastNNonNulls"),
        *("ScalarSubquery", "Exists", "ListQuery", "InSubquery", "CreateNamedStruct", "GetStructField", "With"),
        *("SortOrder", "AggregateExpression", "WindowExpression", "WindowSpecDefinition", "SpecifiedWindowFrame"),
        *("CurrentRow", "UnboundedPreceding", "UnboundedFollowing", "Rank", "DenseRank", "RowNumber", "PercentRank"),
        *("CumeDist", "NTile", "NthValue", "Lag", "Lead", "Count", "Min", "Max", "First", "Last", "AnyValue"),
        *("BoolAnd", "BoolOr", "MakeDecimal", "CheckOverflow", "UnscaledValue", "PromotePrecision"),
        *("StddevSamp", "StddevPop", "VarianceSamp", "VariancePop", "Sum", "Average", "Add", "Subtract", "Multiply"),
    }
)
"""Expressions of which `toJSON` says all that they mean, as long as they are read by their classes."""
RESTORED: dict[str, Callable[[Any], dict[str, Json]]] = {
    "Expand": _projections,
    "InSet": _set,
    "LocalRelation": _rows,
    "LogicalRelation": _folder,
    "LogicalRDD": lambda leaf: CREATED.get(leaf.rdd().id(), {"source": f"rdd {leaf.rdd().id()}"}),
    "Like": lambda like: {"escapeChar": str(like.escapeChar())},
    "Cast": lambda cast: {"evalMode": str(cast.evalMode().toString())} if hasattr(cast, "evalMode") else {},
    "CommonExpressionDef": lambda each: {"id": str(each.id().toString())},
    "CommonExpressionRef": lambda each: {"id": str(each.id().toString())},
    "PythonUDF": _udf,
    "PivotFirst": _pivot_values,
    "Generate": lambda each: {"unrequiredChildIndex": [int(index) for index in _items(each.unrequiredChildIndex())]},
}
"""What is restored in nodes of these classes."""
