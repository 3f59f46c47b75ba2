"""Records: made by calls of their class, and taken apart by names; their methods and properties."""

from __future__ import annotations

import ast

from tallystick.core.terms import Term, project
from tallystick.frontends.pyspark.reading import Reading
from tallystick.frontends.pyspark.record_classes import field_value, replaced, without_names
from tallystick.frontends.pyspark.record_types import RecordType, record_of
from tallystick.frontends.pyspark.scopes import library_name, position_of
from tallystick.frontends.pyspark.source import Place
from tallystick.frontends.pyspark.values import Builtin, Closure, Partial, RecordClass, Value, basic, basic_type


def construct(reader: Reading, made: RecordClass, place: Place, given: list[Value], named: dict[str, Value]) -> Term:
    """The record that a call of its class makes."""
    if not made.fields:
        raise place.error(f"an object of the class `{made.name}` is not supported", "make its methods static")
    of = reader.record_type(made, place) if made.typed else _untyped(made, given, named, place)
    if len(given) > len(of.names):
        raise place.error(f"`{made.name}` has {len(of.names)} fields, and gets {len(given)} by position")
    values = dict(zip(of.names, given, strict=False))
    for name, value in named.items():
        if name not in of.names or name in values:
            raise place.error(f"`{name}` is {'given twice' if name in values else f'no field of `{made.name}`'}")
        values[name] = value
    frame = reader.names.module_frame(made.source)
    for name, default in made.defaults.items():
        if name not in values:
            values[name] = reader.evaluate(default, frame)
    missing = [name for name in of.names if name not in values]
    if missing:
        raise place.error(f"`{made.name}` needs a value for `{missing[0]}`")
    return record_of(of, *(field_value(of, name, values[name], place) for name in of.names))


def _untyped(made: RecordClass, given: list[Value], named: dict[str, Value], place: Place) -> RecordType:
    """The type of a record whose class says no types: that of the values that it is made of."""
    names = tuple(name for name, _ in made.fields)
    values = {**dict(zip(names, given, strict=False)), **named}
    what = f"a field of `{made.name}`"
    return RecordType(
        tuple(basic_type(basic(values[name], place, what)) for name in names if name in values),
        names,
        made.kind,
        made,
    )


def field(reader: Reading, owner: Term, name: str, place: Place) -> Value:
    """`owner.name` of a record: a field, a property's value, a method, or `_replace`."""
    of = owner.type
    assert isinstance(of, RecordType)
    if name in of.names:
        return project(owner, of.names.index(name))
    if name == "_replace" and of.kind == "NamedTuple":
        return Builtin("_replace", without_names, lambda where, given, named: replaced(owner, where, given, named))
    method = of.definition.methods.get(name)
    if method is None:
        known = ", ".join([*of.names, *of.definition.methods])
        raise place.error(f"`{of}` has no field `{name}`", f"it has {known}")
    return bound_method(reader, of.definition, method, owner, place)


def bound_method(reader: Reading, made: RecordClass, method: ast.FunctionDef, owner: Term, place: Place) -> Value:
    """A method of a record, or the value of a property."""
    function = _closure(reader, made, method)
    match _decorator(made, method):
        case "staticmethod":
            return function
        case "property":
            return reader.call(function, place, [owner], {})
    return Partial(function, (owner,), ())


def function_of_class(reader: Reading, made: RecordClass, name: str, place: Place) -> Value:
    """`Class.method`: the function itself."""
    if name in made.constants:
        return reader.evaluate(made.constants[name], reader.names.module_frame(made.source))
    method = made.methods.get(name)
    if method is None or _decorator(made, method) == "property":
        known = ", ".join(made.methods) or "none"
        raise place.error(f"the class `{made.name}` has no function `{name}`", f"its methods: {known}")
    return _closure(reader, made, method)


def _closure(reader: Reading, made: RecordClass, method: ast.FunctionDef) -> Closure:
    return Closure(method, made.source, reader.names.module_frame(made.source), position_of(method), of_class=True)


def _decorator(made: RecordClass, method: ast.FunctionDef) -> str:
    """The decorator of a method: property, staticmethod, or none."""
    decorators = [library_name(each, made.source) for each in method.decorator_list] or [""]
    if decorators not in ([""], ["builtins.property"], ["builtins.staticmethod"]):
        where = made.source.place(method.decorator_list[0])
        raise where.error("this decorator of a method is not supported", "supported are property and staticmethod")
    return str(decorators[0]).removeprefix("builtins.")
