"""The operators of Texera that have a meaning, by their types: what they are in operators of ours.

What they do with NULL and with texts is Texera's, not SQL's: a join takes NULL for equal to NULL, a sum of nothing is
0, an aggregate of no rows is no row, a text is compared as a number if both sides are one.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from typing import Any, Final

from sqlglot import exp
from tallystick.core.queries.catalogue import Column, Table
from tallystick.core.queries.types import BOOLEAN, DECIMAL, INTEGER, TEXT
from tallystick.frontends.errors import SourceError
from tallystick.frontends.texera.content import Box
from tallystick.frontends.workflows.models import UNKNOWN_COLUMNS
from tallystick.frontends.workflows.operators import Operator

SOURCES: Final = frozenset(
    {"CSVFileScan", "CSVOldFileScan", "ParallelCSVFileScan", "JSONLFileScan", "FileScan", "ArrowSource"}
)
"""Types of operators that read a file."""
SINKS: Final = frozenset({"SimpleSink", "ProgressiveSink", "ViewResults"})
"""Types of operators whose rows are a result, as they come."""
NUMBER: Final = re.compile(r"-?[0-9]+(\.[0-9]+)?")

Translation = Callable[[Box, Sequence[str], Sequence[Table]], list[Operator]]


def translated(box: Box, inputs: Sequence[str], tables: Sequence[Table]) -> list[Operator]:
    """Operators of ours, the last of which has the rows and the name of one of Texera's.

    Raises SourceError if its type or its properties have no meaning here, or the columns that it reads are not known.
    """
    if box.type not in TRANSLATIONS:
        raise SourceError(f"nothing is known of operators of the type {box.type}", box.name)
    ports, translation = TRANSLATIONS[box.type]
    if len(inputs) != ports and ports:
        raise SourceError(f"a {box.type} has {ports} inputs, not {len(inputs)}", box.name)
    if any(table.columns == UNKNOWN_COLUMNS for table in tables):
        raise SourceError("it reads columns that are not known", box.name)
    return translation(box, inputs, tables)


def digest(properties: Mapping[str, Any]) -> str:
    """What properties are known by."""
    return sha256(json.dumps(properties, sort_keys=True, ensure_ascii=True).encode()).hexdigest()[:40]


def _said(box: Box, key: str, kind: type, default: Any = None) -> Any:
    value = box.properties.get(key, default)
    if not isinstance(value, kind):
        raise SourceError(f"its property {key!r} is missing, or of another type", box.name)
    return value


def _column(box: Box, table: Table, name: Any) -> Column:
    for column in table.columns:
        if column.name == name:
            return column
    raise SourceError(f"it reads a column {name!r}, which its input does not have", box.name)


def quoted(name: str) -> str:
    """A name in an expression."""
    return exp.to_identifier(name, quoted=True).sql("spark")


def text(value: str) -> str:
    """A text in an expression."""
    return exp.Literal.string(value).sql("spark")


def _chosen(box: Box, source: str, columns: Mapping[str, str]) -> Operator:
    """A projection. Raises SourceError where two columns have one name, or none is left."""
    if not columns:
        raise SourceError("no column is left", box.name)
    return Operator(box.name, "project", (source,), {"columns": dict(columns)})


def _filter(box: Box, inputs: Sequence[str], tables: Sequence[Table]) -> list[Operator]:
    """Rows for which one of the predicates is true."""
    tests = [_test(box, tables[0], each) for each in _said(box, "predicates", list)]
    if not tests:
        raise SourceError("it has no predicate", box.name)
    return [Operator(box.name, "filter", (inputs[0],), {"condition": " OR ".join(f"({each})" for each in tests)})]


CONDITIONS: Final = {"=": "=", "!=": "<>", ">": ">", ">=": ">=", "<": "<", "<=": "<="}


def _test(box: Box, table: Table, said: Any) -> str:
    if not isinstance(said, dict):
        raise SourceError("a predicate is no object", box.name)
    column = _column(box, table, said.get("attribute"))
    name, condition, value = quoted(column.name), said.get("condition"), said.get("value")
    if condition in ("is null", "is not null"):
        return f"{name} {condition.upper()}"
    if condition not in CONDITIONS or not isinstance(value, str):
        raise SourceError(f"a predicate has the condition {condition!r}", box.name)
    if column.type in (INTEGER, DECIMAL) and NUMBER.fullmatch(value.strip()):
        return f"{name} {CONDITIONS[condition]} {value.strip()}"
    if column.type is TEXT and not _may_be_number(value):
        return f"{name} {CONDITIONS[condition]} {text(value)}"
    if column.type is BOOLEAN and value.strip().lower() in ("true", "false") and condition in ("=", "!="):
        return f"{name} {CONDITIONS[condition]} {value.strip().upper()}"
    raise SourceError(f"{column.name} is compared with {value!r}, of which it is not known what it means", box.name)


def _may_be_number(value: str) -> bool:
    """Whether Java may read a text as a number: 1e3, 0x1p3, 1f, NaN and Infinity are some."""
    word = value.strip().lstrip("+-")
    return not word or word[0].isdigit() or word[0] == "." or word.startswith(("NaN", "Infinity"))


def _projection(box: Box, inputs: Sequence[str], tables: Sequence[Table]) -> list[Operator]:
    """Columns by other names; or all but some."""
    units = _said(box, "attributes", list)
    if not all(isinstance(each, dict) for each in units):
        raise SourceError("its attributes are no objects", box.name)
    if _said(box, "isDrop", bool, False):
        gone = {each.get("originalAttribute") for each in units}
        kept = {each.name: quoted(each.name) for each in tables[0].columns if each.name not in gone}
        return [_chosen(box, inputs[0], kept)]
    columns: dict[str, str] = {}
    for each in units:
        name = _column(box, tables[0], each.get("originalAttribute")).name
        alias = each.get("alias") or name
        if not isinstance(alias, str) or alias in columns:
            raise SourceError(f"two columns have the name {alias!r}", box.name)
        columns[alias] = quoted(name)
    return [_chosen(box, inputs[0], columns)]


def _join(box: Box, inputs: Sequence[str], tables: Sequence[Table]) -> list[Operator]:
    """An inner or left join on one column, whose NULLs are equal; the right one is left out."""
    left = _column(box, tables[0], box.properties.get("buildAttributeName")).name
    right = _column(box, tables[1], box.properties.get("probeAttributeName")).name
    kinds = {"inner": "inner", "left outer": "left"}
    kind = kinds.get(str(box.properties.get("joinType", "inner")))
    if kind is None:
        raise SourceError("what right and full joins do with columns of one name is not known", box.name)
    names = [column.name for column in tables[0].columns]
    others = [column.name for column in tables[1].columns if column.name != right]
    columns = {name: f"input1.{quoted(name)}" for name in names}
    for name in others:
        new = name
        while new in names or (new != name and new in others):
            new += "#@1"
        if new in columns:
            raise SourceError(f"two columns get the name {new!r}", box.name)
        columns[new] = f"input2.{quoted(name)}"
    condition = f"input1.{quoted(left)} <=> input2.{quoted(right)}"
    return [Operator(box.name, "join", tuple(inputs), {"kind": kind, "condition": condition, "columns": columns})]


def _aggregate(box: Box, inputs: Sequence[str], tables: Sequence[Table]) -> list[Operator]:
    """Values of groups. Without keys there is a row only if there is one to read."""
    keys = [_column(box, tables[0], each).name for each in _said(box, "groupByKeys", list, [])]
    values = {key: quoted(key) for key in keys}
    for said in _said(box, "aggregations", list):
        name = said.get("result attribute") if isinstance(said, dict) else None
        if not isinstance(name, str) or not name.strip() or name in values:
            raise SourceError(f"a result has no name, or one that is taken: {name!r}", box.name)
        values[name] = _aggregation(box, tables[0], said)
    chosen = ", ".join(f"{value} AS {quoted(name)}" for name, value in values.items())
    ending = f" GROUP BY {', '.join(map(quoted, keys))}" if keys else " HAVING COUNT(*) > 0"
    return [Operator(box.name, "query", (inputs[0],), {"query": f"SELECT {chosen} FROM input1{ending}"})]


def _aggregation(box: Box, table: Table, said: Mapping[str, Any]) -> str:
    function = said.get("aggFunction")
    if function == "count(*)" or (function == "count" and not said.get("attribute")):
        return "COUNT(*)"
    column = _column(box, table, said.get("attribute"))
    name = quoted(column.name)
    if function == "count":
        return f"COUNT({name})"
    if column.type not in (INTEGER, DECIMAL):
        raise SourceError(f"the {function} of {column.name} has no meaning here", box.name)
    if function == "sum":
        return f"COALESCE(SUM({name}), 0)"
    if function == "average":
        return f"AVG({name})"
    if function == "min":
        return f"MIN({name})"
    if function == "max" and not column.nullable:
        return f"MAX({name})"
    raise SourceError(f"the {function} of a column that may be NULL has no meaning here", box.name)


def _set(kind: str) -> Translation:
    """Each row once: of both inputs, or of the first alone."""

    def made(box: Box, inputs: Sequence[str], tables: Sequence[Table]) -> list[Operator]:
        _require_alike(box, tables)
        return [Operator(box.name, kind, tuple(inputs))]

    return made


def _require_alike(box: Box, tables: Sequence[Table]) -> None:
    shapes = [[(column.name, column.type) for column in table.columns] for table in tables]
    if any(shape != shapes[0] for shape in shapes):
        raise SourceError("its inputs have other columns", box.name)


def _symmetric(box: Box, inputs: Sequence[str], tables: Sequence[Table]) -> list[Operator]:
    """The rows of one input that the other does not have, each once."""
    _require_alike(box, tables)
    parts = (f"{box.name}: the first", f"{box.name}: the second")
    return [
        Operator(parts[0], "except", (inputs[0], inputs[1])),
        Operator(parts[1], "except", (inputs[1], inputs[0])),
        Operator(box.name, "union", parts),
    ]


def _union(box: Box, inputs: Sequence[str], tables: Sequence[Table]) -> list[Operator]:
    """The rows of all that is linked to the input, which the port has put together."""
    return [Operator(box.name, "replicate", (inputs[0],))]


def _distinct(box: Box, inputs: Sequence[str], tables: Sequence[Table]) -> list[Operator]:
    return [Operator(box.name, "distinct", (inputs[0],))]


def _limit(box: Box, inputs: Sequence[str], tables: Sequence[Table]) -> list[Operator]:
    return [Operator(box.name, "limit", (inputs[0],), {"count": _said(box, "limit", int)})]


def _some(attribute: str) -> Translation:
    """Rows by a test of one column, which is known by the properties."""

    def made(box: Box, inputs: Sequence[str], tables: Sequence[Table]) -> list[Operator]:
        return [_function(box, inputs[0], tables[0], "some", attribute)]

    return made


def _each(attribute: str, result: str, type_: str) -> Translation:
    """A further column that hangs on another one."""

    def made(box: Box, inputs: Sequence[str], tables: Sequence[Table]) -> list[Operator]:
        return [_function(box, inputs[0], tables[0], "each", attribute, (result, type_))]

    return made


def _unnest(box: Box, inputs: Sequence[str], tables: Sequence[Table]) -> list[Operator]:
    """For each row its parts; which there are hangs on the column and the delimiter."""
    return [_function(box, inputs[0], tables[0], "many", "Attribute", ("Result attribute", "STRING"))]


def _new(box: Box, table: Table, result: str) -> str:
    name = box.properties.get(result)
    if not isinstance(name, str) or not name or name in {column.name for column in table.columns}:
        raise SourceError(f"a result has no name, or one that is taken: {name!r}", box.name)
    return name


def _function(
    box: Box, source: str, table: Table, rows: str, reads: str, result: tuple[str, str] | None = None
) -> Operator:
    """A function of a column, and perhaps the column that it adds: known by its type and its other properties."""
    column = _column(box, table, box.properties.get(reads)).name
    known = {key: value for key, value in box.properties.items() if key != reads and (not result or key != result[0])}
    said = {"function": f"Texera's {box.type} {digest(known)}", "rows": rows, "reads": [column]}
    if result is not None:
        said["adds"] = {_new(box, table, result[0]): result[1]}
    return Operator(box.name, "function", (source,), said)


TRANSLATIONS: Final[dict[str, tuple[int, Translation]]] = {
    "Filter": (1, _filter),
    "Projection": (1, _projection),
    "HashJoin": (2, _join),
    "Aggregate": (1, _aggregate),
    "Union": (1, _union),
    "Distinct": (1, _distinct),
    "Intersect": (2, _set("intersect")),
    "Difference": (2, _set("except")),
    "SymmetricDifference": (2, _symmetric),
    "Limit": (1, _limit),
    "KeywordSearch": (1, _some("attribute")),
    "Regex": (1, _some("attribute")),
    "DictionaryMatcher": (1, _each("Attribute", "result attribute", "BOOLEAN")),
    "SentimentAnalysis": (1, _each("attribute", "result attribute", "INT")),
    "UnnestString": (1, _unnest),
}
"""For each type, how many inputs it has, and what it is."""
