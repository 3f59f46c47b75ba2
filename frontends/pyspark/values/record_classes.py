"""Classes of records: NamedTuples and dataclasses, whose fields have annotations; and records with other values."""

from __future__ import annotations

import ast
from dataclasses import replace
from functools import lru_cache
from typing import Final

from tallystick.core.terms import Term, project
from tallystick.frontends.pyspark.scoping.scopes import library_name
from tallystick.frontends.pyspark.scoping.source import Place, SourceFile
from tallystick.frontends.pyspark.values.describing import basic, constant_value, show_type
from tallystick.frontends.pyspark.values.kinds import Builtin, Listing, RecordClass, Value
from tallystick.frontends.pyspark.values.options import common_type, converted
from tallystick.frontends.pyspark.values.record_types import RecordKind, RecordType, record_of

CLASSES: Final = "classes are NamedTuples and dataclasses, whose bodies are annotated fields, methods and properties"
_NO_BASES: Final = {"builtins.object", "abc.ABC", None}
"""Bases without an influence, and None for classes of the module, see `base_of`."""
_SPECIAL: Final = {True: ("__init__", "__call__"), False: ("__add__", "__sub__", "__mul__")}
"""Special methods that are read: of plain classes, and of records."""
_OPTIONS: Final = {"frozen", "slots", "eq", "order"}


@lru_cache(maxsize=256)
def record_class(node: ast.ClassDef, source: SourceFile) -> RecordClass:
    """The class that a definition makes; raises SourceError for other classes."""
    place = source.place(node)
    bases = [library_name(base, source) for base in node.bases]
    plain = set(bases) <= _NO_BASES and not (node.keywords or node.decorator_list)
    kind: RecordKind = "dataclass" if plain else _kind(node, place)
    frozen = any(
        option.arg == "frozen" and isinstance(option.value, ast.Constant) and option.value.value is True
        for decorator in node.decorator_list
        if isinstance(decorator, ast.Call)
        for option in decorator.keywords
    )
    fields: list[tuple[str, ast.expr]] = []
    defaults: dict[str, ast.expr] = {}
    methods: dict[str, ast.FunctionDef] = {}
    constants: dict[str, ast.expr] = {}
    for statement in node.body:
        match statement:
            case ast.AnnAssign(target=ast.Name(id=name), annotation=annotation, value=default):
                fields.append((name, annotation))
                if (default := _default(default, source)) is not None:
                    defaults[name] = default
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if plain:
                constants[name] = value
            case ast.FunctionDef(name=name) if not name.startswith("__") or name in _SPECIAL[plain]:
                methods[name] = statement
            case ast.FunctionDef(name="__repr__" | "__str__"):  # the text of an object is never read
                pass
            case ast.Expr(value=ast.Constant(value=str())) | ast.Pass():
                pass
            case _:
                raise source.place(statement).error(f"this part of the class `{node.name}` is not supported", CLASSES)
    if plain and fields:
        raise place.error(f"the class `{node.name}` is not supported", CLASSES)
    if not fields and not plain and base_of(node, source) is None:
        raise place.error(f"the class `{node.name}` has no fields", CLASSES)
    own = {*methods, *(name for name, _ in fields)}
    for default in defaults.values():
        if own & {each.id for each in ast.walk(default) if isinstance(each, ast.Name)}:
            raise source.place(default).error("a default value that names another field is not supported", CLASSES)
    if len(own) < len(methods) + len(fields):
        raise place.error(f"the class `{node.name}` gives two things one name", "name them apart")
    decorated = not plain
    return RecordClass(
        node.name, kind, tuple(fields), defaults, methods, source, frozen, constants, decorated=decorated
    )


def _default(written: ast.expr | None, source: SourceFile) -> ast.expr | None:
    """The default value of a field, which `dataclasses.field` may give; it must not change what is compared."""
    if not isinstance(written, ast.Call) or library_name(written.func, source) != "dataclasses.field":
        return written
    for option in written.keywords:
        if option.arg not in ("default", "repr"):
            hint = "a field may have a default: fields are compared, and given by position or by name"
            raise source.place(written).error(f"`{ast.unparse(written)}` is not supported", hint)
    return next((option.value for option in written.keywords if option.arg == "default"), None)


def base_of(node: ast.ClassDef, source: SourceFile) -> ast.Name | None:
    """The base of a class that is a class of the same module; None where there is none, or one of a library."""
    own = [base for base in node.bases if isinstance(base, ast.Name) and library_name(base, source) is None]
    return own[0] if len(own) == 1 else None


@lru_cache(maxsize=256)
def inherited(made: RecordClass, base: RecordClass, place: Place) -> RecordClass:
    """A class with what it has of its base; raises SourceError for pairs of classes that are not read."""
    plain = not made.decorated and not base.decorated
    records = made.decorated and made.kind == base.kind == "dataclass" and "__init__" not in base.methods
    if base.source is not made.source or not (plain or records):
        raise place.error(f"the class `{made.name}`, derived from `{base.name}`, is not supported", CLASSES)
    own = {*made.methods, *made.constants}
    if private := {*_private_names(made), *_private_names(base)}:
        raise place.error(f"`{min(private)}` is another name in each class that is derived", "write one underscore")
    if (own & dict(base.fields).keys()) | ({*base.methods, *base.constants} & dict(made.fields).keys()):
        raise place.error(f"`{made.name}` and `{base.name}` give two things one name", "name them apart")
    return replace(
        made,
        fields=tuple({**dict(base.fields), **dict(made.fields)}.items()),
        defaults={**base.defaults, **made.defaults},
        methods={**{name: each for name, each in base.methods.items() if name not in own}, **made.methods},
        constants={**{name: each for name, each in base.constants.items() if name not in own}, **made.constants},
        base=base,
    )


def _private_names(made: RecordClass) -> set[str]:
    """The names that Python replaces by others inside of a class: `__name` becomes `_C__name` in a class C."""
    used = {node.attr for each in made.methods.values() for node in ast.walk(each) if isinstance(node, ast.Attribute)}
    names = {*used, *made.methods, *made.constants, *dict(made.fields)}
    return {name for name in names if name.startswith("__") and not name.endswith("__")}


def _kind(node: ast.ClassDef, place: Place) -> RecordKind:
    if node.keywords:
        raise place.error(f"the class `{node.name}` has keywords, which are not supported", CLASSES)
    source, decorators = place.source, node.decorator_list
    bases = [library_name(base, source) for base in node.bases]
    if bases == ["typing.NamedTuple"] and not decorators:
        return "NamedTuple"
    if bases == ["typing.TypedDict"] and not decorators:
        return "dict"
    if set(bases) <= _NO_BASES and len(decorators) == 1:
        decorator = decorators[0]
        called = decorator.func if isinstance(decorator, ast.Call) else decorator
        if library_name(called, source) == "dataclasses.dataclass":
            _check_options(decorator, place)
            return "dataclass"
    raise place.error(f"the class `{node.name}` is not supported", CLASSES)


def _check_options(decorator: ast.expr, place: Place) -> None:
    for option in decorator.keywords if isinstance(decorator, ast.Call) else ():
        flag = isinstance(option.value, ast.Constant) and isinstance(option.value.value, bool)
        if option.arg not in _OPTIONS or not flag or (option.arg == "eq" and option.value.value is False):  # type: ignore[attr-defined]
            message = f"`{ast.unparse(option)}` of a dataclass is not supported"
            raise place.error(message, "frozen, slots and order may be given; equality is by fields")
    if isinstance(decorator, ast.Call) and decorator.args:
        raise place.error("arguments by position of `dataclass` are not supported")


def field_value(of: RecordType, name: str, value: Value, place: Place) -> Term:
    """The value of a field, which is of the type of its annotation: Python would take any other, too."""
    expected = of.components[of.names.index(name)]
    term = basic(value, place, f"`{name}`")
    if common_type(expected, term.type) != expected:
        message = f"`{name}` of `{of}` is annotated {show_type(expected)}, and gets a value of type"
        raise place.error(f"{message} {show_type(term.type)}", "give it a value of the type of its annotation")
    return converted(term, expected)


def without_names(place: Place, given: list[Value]) -> Value:
    """`_replace` of values without names, which is an error."""
    raise place.error("`_replace` takes its arguments by name")


def replaced(owner: Term, place: Place, given: list[Value], named: dict[str, Value]) -> Term:
    """A record with other values in some fields, as `_replace` and `dataclasses.replace` make it."""
    of = owner.type
    if not isinstance(of, RecordType):
        raise place.error(f"this is no record, but of type {show_type(of)}", CLASSES)
    if given:
        without_names(place, given)
    for name in named:
        if name not in of.names:
            raise place.error(f"`{name}` is no field of `{of}`", f"it has {', '.join(of.names)}")
    parts = [
        field_value(of, name, named[name], place) if name in named else project(owner, index)
        for index, name in enumerate(of.names)
    ]
    return record_of(of, *parts)


def _replace_function(place: Place, given: list[Value], named: dict[str, Value]) -> Term:
    """dataclasses.replace of a record, and values of fields by name."""
    if len(given) != 1:
        raise place.error("`replace` takes a record, and fields by name")
    return replaced(basic(given[0], place, "the argument of `replace`"), place, [], named)


def _namedtuple(place: Place, given: list[Value]) -> RecordClass:
    """collections.namedtuple of a name and names of fields, whose types are those of what a record is made of."""
    match given:
        case [Term() as name, Term() as listed] if _constant_text(name) and _constant_text(listed):
            fields = str(listed.parameter).replace(",", " ").split()
        case [Term() as name, Listing(items)] if all(map(_constant_text, (name, *(each for _, each in items)))):
            fields = [str(each.parameter) for _, each in items]
        case [Term() as name, Term() as parts] if _constant_text(name) and all(map(_constant_text, parts.arguments)):
            fields = [str(each.parameter) for each in parts.arguments]
        case _:
            raise place.error("`namedtuple` takes a constant name, and constant names of fields")
    if (
        not fields
        or len(set(fields)) < len(fields)
        or not all(each.isidentifier() and each[0] != "_" for each in fields)
    ):
        raise place.error("these are no names of fields", "give each field a name of its own")
    untyped = ast.Constant(None)
    made = tuple((field, untyped) for field in fields)
    return RecordClass(str(name.parameter), "NamedTuple", made, {}, {}, place.source, False, typed=False)


def _constant_text(term: Term) -> bool:
    return isinstance(constant_value(term), str)


NAMEDTUPLE: Final = Builtin("namedtuple", _namedtuple)
DATACLASSES_REPLACE: Final = Builtin(
    "replace", lambda place, given: _replace_function(place, given, {}), _replace_function
)
