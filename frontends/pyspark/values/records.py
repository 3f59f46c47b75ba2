"""Records: made by calls of their class, and taken apart by names; their methods and properties."""

from __future__ import annotations

import ast

from tallystick.core.terms import Term, project
from tallystick.frontends.pyspark.python.one_time import kept
from tallystick.frontends.pyspark.python.parameters import bind_parameters
from tallystick.frontends.pyspark.python.reading import Reading
from tallystick.frontends.pyspark.scoping.bound_names import BuiltinName
from tallystick.frontends.pyspark.scoping.scopes import library_name, position_of, scope_of
from tallystick.frontends.pyspark.scoping.source import Place
from tallystick.frontends.pyspark.values.describing import basic, basic_type
from tallystick.frontends.pyspark.values.kinds import (
    Builtin,
    Closure,
    ConstantSet,
    Frame,
    Instance,
    Listing,
    Partial,
    RecordClass,
    Table,
    Value,
)
from tallystick.frontends.pyspark.values.record_classes import field_value, replaced, without_names
from tallystick.frontends.pyspark.values.record_types import RecordType, record_of


def construct(reader: Reading, made: RecordClass, place: Place, given: list[Value], named: dict[str, Value]) -> Value:
    """The record, or the object of a plain class, that a call of its class makes."""
    for name, method in made.methods.items():
        if any(library_name(each, made.source) == "abc.abstractmethod" for each in method.decorator_list):
            raise place.error(f"`{made.name}` has the abstract method `{name}`, so Python makes no object of it")
    if not made.fields:
        return _instance(reader, made, place, given, named)
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


def _instance(
    reader: Reading, made: RecordClass, place: Place, given: list[Value], named: dict[str, Value]
) -> Instance:
    """An object of a plain class, whose `__init__` assigns to attributes and does nothing else."""
    method = made.methods.get("__init__")
    result = Instance(made, {})
    if method is None:
        if given or named:
            raise place.error(f"`{made.name}` takes no arguments")
        return result
    _initialise(reader, made, method, result, place, given, named)
    return result


def _initialise(
    reader: Reading,
    made: RecordClass,
    method: ast.FunctionDef,
    result: Instance,
    place: Place,
    given: list[Value],
    named: dict[str, Value],
) -> None:
    """Run the `__init__` of a class for an object."""
    function = _closure(reader, made, method)
    values = bind_parameters(reader, function, place, [result, *given], named)
    frame = Frame(scope_of(made.source, method), values, function.frame, function.made_at)
    itself = method.args.args[0].arg if method.args.args else ""
    for statement in method.body:
        where = made.source.place(statement)
        match statement:
            case ast.Expr(value=ast.Constant(value=str())) | ast.Pass():
                pass
            case (
                ast.Assign(targets=[ast.Attribute(value=ast.Name(id=owner), attr=name)], value=value)
                | ast.AnnAssign(target=ast.Attribute(value=ast.Name(id=owner), attr=name), value=ast.expr() as value)
            ) if owner == itself:
                made_value = kept(reader.evaluate(value, frame), where)
                if isinstance(made_value, Listing | ConstantSet | Table):
                    reader.names.holds(name, made_value, where)
                result.attributes[name] = made_value
            case ast.Expr(
                value=ast.Call(
                    func=ast.Attribute(value=ast.Call(func=BuiltinName(id="super"), args=[]), attr="__init__"),
                    args=arguments,
                    keywords=keywords,
                )
            ) if made.base is not None and "__init__" in made.base.methods:
                given = [reader.evaluate(each, frame) for each in arguments]
                named = {str(each.arg): reader.evaluate(each.value, frame) for each in keywords}
                _initialise(reader, made.base, made.base.methods["__init__"], result, where, given, named)
            case _:
                raise where.error("this part of `__init__` is not supported", f"assign to `{itself}.name` only")


def of_instance(reader: Reading, owner: Instance, name: str, place: Place) -> Value:
    """`owner.name` of an object of a plain class: an attribute, a constant of the class, a property or a method."""
    if name in owner.attributes:
        return owner.attributes[name]
    method = owner.made.methods.get(name)
    if method is None and name not in owner.made.constants:
        known = ", ".join([*owner.attributes, *owner.made.constants, *owner.made.methods])
        raise place.error(f"an object of the class `{owner.made.name}` has no `{name}`", f"it has {known}")
    if method is None:
        return function_of_class(reader, owner.made, name, place)
    return bound_method(reader, owner.made, method, owner, place)


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


def bound_method(
    reader: Reading, made: RecordClass, method: ast.FunctionDef, owner: Term | Instance, place: Place
) -> Value:
    """A method of a record or of an object, or the value of a property."""
    function = _closure(reader, made, method)
    match _decorator(made, method):
        case "staticmethod":
            return function
        case "classmethod":
            return Partial(function, (made,), ())
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
    function = _closure(reader, made, method)
    return Partial(function, (made,), ()) if _decorator(made, method) == "classmethod" else function


def _closure(reader: Reading, made: RecordClass, method: ast.FunctionDef) -> Closure:
    return Closure(method, made.source, reader.names.module_frame(made.source), position_of(method))


def _decorator(made: RecordClass, method: ast.FunctionDef) -> str:
    """The decorator of a method: property, staticmethod, classmethod, or none."""
    decorators = [library_name(each, made.source) for each in method.decorator_list] or [""]
    if decorators not in ([""], ["builtins.property"], ["builtins.staticmethod"], ["builtins.classmethod"]):
        where = made.source.place(method.decorator_list[0])
        hint = "supported are property, staticmethod and classmethod"
        raise where.error("this decorator of a method is not supported", hint)
    return str(decorators[0]).removeprefix("builtins.")
