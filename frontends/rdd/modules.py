"""Values of modules that ran in the interpreter, as values of the evaluation; classes and their instances."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from dataclasses import is_dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal
from enum import Enum
from typing import Any, Final

from tallystick.core.terms import TRUE, Term, constant
from tallystick.frontends.errors import SourceError
from tallystick.frontends.pyspark.python.functions.table import BUILTINS
from tallystick.frontends.pyspark.scoping.source import Place, SourceFile
from tallystick.frontends.pyspark.values import kinds
from tallystick.frontends.pyspark.values.options import MISSING
from tallystick.frontends.pyspark.values.record_types import RecordType
from tallystick.frontends.python.interpreter import own
from tallystick.frontends.python.interpreter.attributes import PREFIX, SPARK, made_here
from tallystick.frontends.python.interpreter.closures import Closure
from tallystick.frontends.python.interpreter.expressions import Unknown
from tallystick.frontends.rdd.calls import found_in
from tallystick.frontends.rdd.evaluation import Evaluation
from tallystick.frontends.rdd.store import (
    Entries,
    Fields,
    Items,
    Ref,
)

_HERE: Final = "tallystick.frontends."
"""Where the classes of values of this evaluation, and of the library, stand."""
_OWN_START: Final = ("__init__", "__post_init__", "__setattr__", "__getattribute__")
"""Methods with which an object of a dataclass does not have what its class was given."""
_LARGE: Final = 1 << 63
_CLASSES: Final = {"datetime": ("datetime",), "Decimal": ("decimal", "Decimal")}
_MODULES: Final = {"_operator": "operator", "_functools": "functools", "_collections": "collections", "re": "re"}


class Modules(Evaluation):
    """The part of the evaluation that takes values from modules."""

    # values of modules

    def lift(self, value: Any) -> Any:
        """A value of a module that ran, or of Python's own; what a program made already is itself."""
        if isinstance(value, Term) or value is MISSING:
            return value
        match value:
            case None:
                return MISSING
            case Enum():
                return self.member(value)
            case bool() | int() | str() if type(value) in (bool, str) or (type(value) is int and abs(value) < _LARGE):
                return constant(value)
            case int() | float():  # a number that is too large is refused
                return self.plain(lambda: ast.Constant(value))
            case Unknown():
                self.refuse(f"{value.why} is not supported")
            case _ if type(value).__module__.startswith(_HERE):
                return value
            case date() | datetime() | timedelta() | Decimal():
                return self.plain(lambda: ast.parse(repr(value), mode="eval").body, **_CLASSES)
            case re.Pattern():
                flags = value.flags & ~re.UNICODE
                compile_ = old("re", "compile", self)
                given = [constant(value.pattern), kinds.Flags(flags)]
                return self.into(self.reader.call(compile_, self.place, given, {}))
            case range():
                return self.called_outside(range, [*map(constant, (value.start, value.stop, value.step))], {})
            case tuple() if hasattr(value, "_fields"):
                return self.constructed(type(value), [self.lift(each) for each in value], {})
            case tuple():
                return self.tuple_of([self.lift(each) for each in value])
            case list() | set() | frozenset() | dict():
                return self.shared_object(value)
        if type(value).__module__ == f"{PREFIX}{SPARK}":
            return self.of_spark(value)
        if is_dataclass(value) and not isinstance(value, type):
            names = value.__dataclass_fields__
            return self.constructed(type(value), [], {name: self.lift(getattr(value, name)) for name in names})
        if made_here(type(value)) and not isinstance(value, type):
            return self.shared_object(value)
        return value

    def of_spark(self, value: Any) -> Any:
        """What stands for an object that the interpreter has of a class of Spark's."""
        name = type(value).__name__
        if name not in ("SparkContext", "SparkSession"):
            self.refuse("an RDD of the module is not supported", "make it a parameter")
        return kinds.SparkContextValue(name == "SparkSession")

    def shared_object(self, value: Any) -> Ref:
        """An object of a module: one for all its names, which is only read, and which no other code may change."""
        known = self.lifted.get(id(value))
        if known is not None and known[1].number in self.state.store:
            return known[1]
        for machine in list(self.machines.values()):
            for name, each in list(machine.globals.items()):
                if _leads_to(each, value):
                    self.note_use(machine, name)
        made = self.new(Items("list"))
        self.lifted[id(value)] = (value, made)
        match value:
            case dict():
                kind = "dict" if type(value) is dict else "Counter" if type(value).__name__ == "Counter" else None
                if kind is None:
                    self.refuse("a dictionary of this class is not supported", "use a plain one")
                entries = tuple((self.lift(key), self.lift(each)) for key, each in value.items())
                content: Any = Entries(entries, kind, constant(0) if kind == "Counter" else None)
            case list():
                content = Items("list", tuple((TRUE, self.lift(each)) for each in value))
            case set() | frozenset():
                content = Items("set", tuple((TRUE, self.lift(each)) for each in sorted(value, key=repr)))
            case _:
                self.reader.names.note_attributes(vars(value))
                content = Fields(type(value), tuple((name, self.lift(each)) for name, each in vars(value).items()))
        self.state.store[made.number] = content
        self.shared.add(made.number)
        return made

    def member(self, value: Enum) -> Any:
        """A member of an enum of the program."""
        return self.in_module(type(value), lambda name: ast.Attribute(name, value.name, ast.Load()))

    def in_module(self, made_by: type, make: Callable[[ast.expr], ast.expr]) -> Any:
        """What an expression over the name of a class means in the module of the class."""
        source = self.file_of(made_by)
        frame = self.reader.names.module_frame(source)
        node = located(make(ast.Name(made_by.__name__, ast.Load())), self.place)
        return self.into(self.reader.in_frame(node, frame))

    def file_of(self, made_by: type) -> SourceFile:
        """The file of a class of the program."""
        named = (name for name, each in self.machines.items() if each.globals.get(made_by.__name__) is made_by)
        found = self.sources.get(next(named, ""))
        if found is None or "." in made_by.__qualname__:
            self.refuse(f"the class `{made_by.__name__}` is not supported", "define it at the top level")
        return found

    def of_class(self, made_by: type, given: list[Any], named: dict[str, Any]) -> Any:
        """A record, or a member of an enum, that a call of its class gives."""
        try:
            return self.of_library(self.in_module(made_by, lambda name: name), given, named)
        except SourceError:
            own = any(isinstance(found_in(made_by, name), Closure) for name in _OWN_START)
            if not is_dataclass(made_by) or own:
                raise
        fields = made_by.__dataclass_fields__
        values = {**dict(zip(fields, given, strict=False)), **named}
        if values.keys() != fields.keys():
            self.refuse(f"`{made_by.__name__}` needs a value for each field here")
        return self.new(Fields(made_by, tuple((name, values[name]) for name in fields)))

    def of_library(self, function: Any, given: list[Any], named: dict[str, Any]) -> Any:
        """What a call of a function, or of a class, that the library has gives."""
        by_name = {name: self.out(each) for name, each in named.items()}
        with self.reader.here():
            return self.into(self.reader.call(function, self.place, [*map(self.out, given)], by_name))

    def class_of(self, of: RecordType) -> type | None:
        """The class of a record, as the module that ran has it."""
        for name, machine in self.machines.items():
            if self.sources[name] is of.definition.source:
                found = machine.globals.get(of.definition.name)
                return found if isinstance(found, type) else None
        return None


def _leads_to(start: Any, value: Any) -> bool:
    """Whether a value of a module is an object, or holds it, in items, in attributes, or as a constant of a class."""
    waiting, seen = [start], set[int]()
    while waiting:
        each = waiting.pop()
        if each is value:
            return True
        if id(each) in seen:
            continue
        seen.add(id(each))
        if isinstance(each, list | tuple | set | frozenset):
            waiting += each
        elif isinstance(each, dict):
            waiting += each.values()
        elif made_here(each if isinstance(each, type) else type(each)):
            waiting += getattr(each, "__dict__", {}).values()
    return False


def old(*path: Any) -> Any:
    """What the library has for a module, or for a name of a module; None where it has nothing."""
    *names, evaluation = path
    if len(names) == 1:
        return kinds.Module(names[0], None)
    module, name = names
    if module == "builtins":
        return BUILTINS.get(name)
    if module in ("builtins.str", "builtins.dict", "builtins.set"):
        owner = BUILTINS[module.rpartition(".")[2]]
        return evaluation.plain(lambda of: ast.Attribute(of, name, ast.Load()), owner)
    owner, _, inner = module.rpartition(".")
    if owner:
        made = old(owner, inner, evaluation)
        return made and evaluation.plain(lambda of: ast.Attribute(of, name, ast.Load()), made)
    try:
        return evaluation.reader.names.attribute(kinds.Module(module, None), name, evaluation.place)
    except SourceError:
        return None


def located(node: ast.expr, place: Place) -> ast.expr:
    """An expression that stands at a place."""
    for each in ast.walk(node):
        for name in ("lineno", "col_offset", "end_lineno", "end_col_offset"):
            setattr(each, name, getattr(place.node, name, 1 if "line" in name else 0))
    return node


_OWN: Final = {id(value): name for name, value in own.OWN.items()}


def name_of(function: Any) -> str | None:
    """The full name of a function of Python's: of its rows, so that what is called otherwise is not found."""
    if id(function) in _OWN:
        return _OWN[id(function)]
    if isinstance(function, own.Counted):
        return f"itertools.{function.make.__name__}"
    owner = getattr(function, "__objclass__", None)
    if owner is None and isinstance(getattr(function, "__self__", None), type):
        owner = function.__self__
    if owner is not None:
        return f"{owner.__module__}.{owner.__name__}.{function.__name__}"
    module, name = getattr(function, "__module__", None), getattr(function, "__qualname__", None)
    if module is None or name is None or str(module).startswith(PREFIX):
        return None
    return f"{_MODULES.get(module, module)}.{name}"
