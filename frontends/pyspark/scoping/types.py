"""Annotations of parameters, and the text of `--types`, as types."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Final, Protocol

from tallystick.core.types import BOOL, INT, RATIONAL, TEXT, BagType, BasicType, TupleType, Type, is_basic
from tallystick.frontends.errors import SourceError
from tallystick.frontends.pyspark.scoping.bound_names import all_parameters
from tallystick.frontends.pyspark.scoping.scopes import imported_name, library_name
from tallystick.frontends.pyspark.scoping.source import Place, SourceFile, parse
from tallystick.frontends.pyspark.values.coded_types import coded_type
from tallystick.frontends.pyspark.values.describing import leaves, show_type
from tallystick.frontends.pyspark.values.kinds import (
    MOST_LEAVES,
    EnumClass,
    Frame,
    RecordClass,
    SparkContextValue,
    Value,
)
from tallystick.frontends.pyspark.values.nominal_types import DATE, DATETIME, DECIMAL, FRACTION, TIMEDELTA
from tallystick.frontends.pyspark.values.options import NONE, common_type_of
from tallystick.frontends.pyspark.values.record_types import RecordType, unhashable_in

HINT: Final = (
    "types are int, bool, str, float, Decimal, Fraction, date, datetime, timedelta, tuple[…], list[…], set[…] and "
    "dict[…] of these, `… | None` of these, and RDD[…] of one of these"
)
DATAFRAME_HINT: Final = (
    "functions on RDDs are; of DataFrames and SQL the plans and queries are compared: `tallystick plans`, `check a.sql "
    "b.sql`"
)
_CONTAINERS: Final = {
    **{name: name for name in ("list", "set", "frozenset", "dict")},
    "List": "list",
    "Set": "set",
    "FrozenSet": "frozenset",
    "Dict": "dict",
    "Mapping": "dict",
}
_BUILTIN: Final = {
    **{name: name for name in ("int", "bool", "str", "float", "tuple", "RDD", "Optional", "Union")},
    **{name: name for name in ("SparkContext", "SparkSession")},
    "Tuple": "tuple",
    **_CONTAINERS,
}
_SIMPLE: Final[dict[str, Type]] = {"int": INT, "bool": BOOL, "str": TEXT, "float": RATIONAL}
_CLASSES: Final = {"date": DATE, "datetime": DATETIME, "timedelta": TIMEDELTA, "Decimal": DECIMAL, "Fraction": FRACTION}
_IMPORTED: Final = {
    "pyspark.RDD": "RDD",
    "pyspark.rdd.RDD": "RDD",
    "pyspark.core.rdd.RDD": "RDD",
    "pyspark.SparkContext": "SparkContext",
    "pyspark.context.SparkContext": "SparkContext",
    "pyspark.core.context.SparkContext": "SparkContext",
    "pyspark.sql.SparkSession": "SparkSession",
    "pyspark.sql.session.SparkSession": "SparkSession",
    "datetime.date": "date",
    "datetime.datetime": "datetime",
    "datetime.timedelta": "timedelta",
    "decimal.Decimal": "Decimal",
    "fractions.Fraction": "Fraction",
    "typing.Optional": "Optional",
    "typing.Tuple": "tuple",
    "typing.Union": "Union",
    **{f"typing.{name}": of for name, of in _CONTAINERS.items() if name != of},
    "collections.abc.Mapping": "dict",
}
CONTEXT_NAMES: Final = ("sc", "spark_context", "sparkContext")
"""What people call a SparkContext where they write no annotation."""
SESSION_NAMES: Final = ("spark", "spark_session")
"""What people call a SparkSession where they write no annotation."""
_INSTEAD: Final[dict[str, str]] = dict.fromkeys(
    ("Iterable", "Sequence", "Collection"), "write `list[…]`, `set[…]` or `tuple[…, ...]`"
)
"""What to write in the place of types that are not read."""
_DEEPEST: Final = 20


class Classes(Protocol):
    """What a reading knows of the classes of the source."""

    def evaluate(self, node: ast.expr, frame: Frame) -> Value:
        """The value of an expression."""
        ...

    def record_type(self, made: RecordClass, place: Place) -> RecordType:
        """The type of a class's records."""
        ...


def annotated_type(
    node: ast.expr, frame: Frame | None, place: Place, classes: Classes | None = None, depth: int = 0
) -> Type:
    """The type that an annotation means in a scope; without one, names mean what Python gives them.

    `classes` knows the types of the classes of the source; without it, there are none.
    """
    if depth > _DEEPEST:
        raise place.error("this type is nested too deeply", HINT)
    match node:
        case ast.Constant(value=None):
            return NONE
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            return _union([left, right], frame, place, classes, depth)
        case ast.Constant(value=str(text)):
            return annotated_type(_parsed(text, place), frame, place, classes, depth + 1)
        case ast.Name() | ast.Attribute():
            name = _resolve(node, frame, place, classes, depth)
            if not isinstance(name, str):
                return name
            if name in _SIMPLE:
                return _SIMPLE[name]
            if name in _CLASSES:
                return _CLASSES[name]
            raise place.error(f"the type `{dotted(node)}` needs its elements in brackets", HINT)
        case ast.Subscript(value=ast.Name() | ast.Attribute() as generic, slice=inside):
            name = _resolve(generic, frame, place, classes, depth)
            parts = inside.elts if isinstance(inside, ast.Tuple) else [inside]
            if name == "Union" and len(parts) > 1:
                return _union(parts, frame, place, classes, depth)
            if name == "Optional" and len(parts) == 1:
                return _union([*parts, ast.Constant(None)], frame, place, classes, depth)
            any_length = name == "tuple" and len(parts) == 2 and _is_ellipsis(parts[1])
            if isinstance(name, str) and (name in _CONTAINERS or any_length):
                return _container(name, parts, frame, place, classes, depth)
            if name == "tuple" and parts:
                components = [annotated_type(each, frame, place, classes, depth + 1) for each in parts]
                if sum(map(leaves, components)) > MOST_LEAVES:
                    raise place.error(f"this type has more than {MOST_LEAVES} components")
                if components == [BOOL]:
                    raise place.error("a tuple of one bool is not supported", "use bool itself")
                if all(map(is_basic, components)):
                    return TupleType(tuple(components))  # type: ignore[arg-type]
            if name == "RDD" and len(parts) == 1:
                element = annotated_type(parts[0], frame, place, classes, depth + 1)
                if is_basic(element):
                    return BagType(element)  # type: ignore[arg-type]
    raise place.error("this type is not supported", HINT)


def _is_ellipsis(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is ...


def _container(
    name: str, parts: list[ast.expr], frame: Frame | None, place: Place, classes: Classes | None, depth: int
) -> Type:
    """The type of lists, sets and dicts, and of tuples of any length."""
    inside = [annotated_type(each, frame, place, classes, depth + 1) for each in parts if not _is_ellipsis(each)]
    if len(inside) != (2 if name == "dict" else 1) or not all(map(is_basic, inside)):
        raise place.error("this type is not supported", HINT)
    if name in ("set", "frozenset", "dict") and unhashable_in(inside[0]) is not None:
        raise place.error(f"values of type {show_type(inside[0])} have no hash", "write `tuple[…]` for `list[…]`")
    item: BasicType = TupleType(tuple(inside)) if name == "dict" else inside[0]  # type: ignore[arg-type, assignment]
    kind = {"frozenset": "set", "tuple": "sequence"}.get(name, name)
    return coded_type(kind, item, show_type(item))  # type: ignore[arg-type]


def context_of(parameter: ast.arg, frame: Frame, source: SourceFile) -> SparkContextValue | None:
    """The SparkContext or SparkSession that a parameter is by its annotation or, without one, by its name."""
    annotation = parameter.annotation
    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
        annotation = _parsed(annotation.value, source.place(annotation))
    if annotation is None:
        known = parameter.arg in (*CONTEXT_NAMES, *SESSION_NAMES)
        return SparkContextValue(parameter.arg in SESSION_NAMES) if known else None
    for name in ("SparkContext", "SparkSession"):
        named = isinstance(annotation, ast.Name | ast.Attribute) and dotted(annotation).endswith(name)
        if named and _resolve(annotation, frame, source.place(annotation), None, 0) == name:  # type: ignore[arg-type]
            return SparkContextValue(name == "SparkSession")
    return None


def _union(parts: list[ast.expr], frame: Frame | None, place: Place, classes: Classes | None, depth: int) -> Type:
    """The type of values of one type, or None; raises SourceError for other unions."""
    types = [annotated_type(each, frame, place, classes, depth + 1) for each in parts]
    of = common_type_of(types)
    if of is None or not is_basic(of) or NONE not in types:
        raise place.error("this union of types is not supported", HINT)
    return of


def _parsed(text: str, place: Place) -> ast.expr:
    try:
        return ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise place.error("this annotation is no type", HINT) from None


def _resolve(
    node: ast.Name | ast.Attribute, frame: Frame | None, place: Place, classes: Classes | None, depth: int
) -> str | Type:
    """What a name in an annotation means: "int", "bool", "tuple", "RDD", or the type it is an alias of."""
    written = dotted(node)
    first, _, rest = written.partition(".")
    while frame is not None and first not in frame.scope.bindings:
        frame = frame.parent
    if written.rpartition(".")[2] == "DataFrame":
        raise place.error("functions on DataFrames are not read from source", DATAFRAME_HINT)
    if frame is None:
        if written in _BUILTIN:
            return _BUILTIN[written]
        raise place.error(f"the type `{written}` is not supported", _INSTEAD.get(written.rpartition(".")[2], HINT))
    bindings = frame.scope.bindings[first]
    full = imported_name(bindings[0].statement, first)
    if len(bindings) == 1 and bindings[0].direct:
        if full is not None and (known := _IMPORTED.get(f"{full}.{rest}" if rest else full)):
            return known
        match bindings[0].statement:
            case ast.ClassDef() | ast.Import() | ast.ImportFrom() if classes is not None:
                made = _class_of(node, frame, place, classes)
                if isinstance(made, EnumClass):
                    return made.of
                if isinstance(made, RecordClass):
                    return classes.record_type(made, place)
            case ast.Assign(value=ast.Call(func=called, args=[_, of])) if _is_new_type(called, frame):
                return annotated_type(of, frame, place, classes, depth + 1)
            case ast.Assign(value=value) | ast.AnnAssign(value=ast.expr() as value) if not rest:
                return annotated_type(value, frame, place, classes, depth + 1)
    raise place.error(f"the type `{written}` is not supported", _INSTEAD.get(written.rpartition(".")[2], HINT))


def _is_new_type(called: ast.expr, frame: Frame) -> bool:
    return library_name(called, frame.scope.source) == "typing.NewType"


def _class_of(node: ast.expr, frame: Frame, place: Place, classes: Classes) -> Value | None:
    """What a name in an annotation stands for, if it is of the source; raises SourceError for classes not read."""
    try:
        return classes.evaluate(node, frame)
    except SourceError as problem:
        if problem.path == place.source.name and problem.line == place.position[0]:  # an import of no file beside it
            return None
        raise


def dotted(node: ast.expr) -> str:
    """A name with its attributes, as in `pyspark.RDD`; "…" stands for any other owner."""
    attributes: list[str] = []
    while isinstance(node, ast.Attribute):
        attributes.append(node.attr)
        node = node.value
    return ".".join([node.id if isinstance(node, ast.Name) else "…", *reversed(attributes)])


def declared_types(text: str) -> dict[str, Type]:
    """The types in a text such as "r: RDD[int], k: int", by parameter; raises SourceError for others."""
    hint = 'write "r: RDD[int], k: int"'
    wrong = SourceError("this is no list of parameters and types", "--types", hint=hint)
    try:
        source = parse(f"def f(\n{text}\n): pass", Path("--types"), "--types")
    except SourceError:
        raise wrong from None
    match source.tree.body:
        case [ast.FunctionDef(args=names) as function] if len(all_parameters(function)) == len(names.args):
            annotations = {each.arg: each.annotation for each in names.args if each.annotation is not None}
            if len(annotations) == len(names.args) and not names.defaults:
                return {name: _declared(each, source) for name, each in annotations.items()}
    raise wrong


def _declared(annotation: ast.expr, source: SourceFile) -> Type:
    try:
        return annotated_type(annotation, None, source.place(annotation))
    except SourceError as problem:
        raise SourceError(problem.message, source.name, hint=problem.hint, excerpt=problem.excerpt) from None
