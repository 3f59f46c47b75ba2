"""Calls: of functions and classes of the program, of functions of Python's, and of methods."""

from __future__ import annotations

import abc
import dataclasses
import functools
import typing
from enum import Enum, EnumMeta
from types import MethodType
from typing import Any, Final

from tallystick.core.terms import Term, constant
from tallystick.frontends.pyspark.values.options import MISSING
from tallystick.frontends.pyspark.values.record_types import RecordType
from tallystick.frontends.pyspark.values.row_values import ROW
from tallystick.frontends.python.interpreter.attributes import Module, Silent, made_here, module_of
from tallystick.frontends.python.interpreter.attributes import attribute as known_attribute
from tallystick.frontends.python.interpreter.closures import Box, Closure, bound, parts_of
from tallystick.frontends.python.interpreter.machine import Machine, prelude
from tallystick.frontends.rdd.evaluation import MACHINE
from tallystick.frontends.rdd.functions import AT_ONCE, LAZY, TAKE_ALL, Functions, Partially
from tallystick.frontends.rdd.statements import YIELDED, RaisedError
from tallystick.frontends.rdd.store import (
    AtKey,
    Deferred,
    Distributed,
    Entries,
    Fields,
    Guarded,
    Items,
    KeyEntry,
    Method,
    Poison,
    Ref,
    Super,
    TupleV,
    Whole,
)

_OTHER_OBJECTS: Final = ("__new__", "__slots__", "__getattribute__", "__delattr__")
"""What a class may have whose objects are not as others."""
DEEPEST: Final = 40
"""Calls of functions of the program are nested so deep at most."""


class Calls(Functions):
    """The part of the evaluation that calls."""

    depth: int

    def call(self, function: Any, given: list[Any], named: dict[str, Any]) -> Any:
        """What a call gives."""
        function = self.resolved(function)
        match function:
            case Closure():
                return self.entered(function, given, named)
            case Guarded(test, one, other):
                return self.choice(test, lambda: self.call(one, given, named), lambda: self.call(other, given, named))
            case Method(of, name):
                return self.method(of, name, given, named)
            case MethodType():
                return self.call(function.__func__, [self.lift(function.__self__), *given], named)
            case Partially(of, first, by_name):
                return self.call(of, [*first, *given], {**by_name, **named})
            case Silent():
                return MISSING
            case type() if made_here(function):
                return self.constructed(function, given, named)
            case Ref():
                return self.call(self.attribute(function, "__call__"), given, named)
        read = self.iterators_in(given)
        rule = self.rule_of(function)
        state = self.state
        before = state.fork()
        outside, self.takes_all = self.takes_all, function in AT_ONCE and not named
        try:
            found = NotImplemented if rule is None else rule(self, *given, **named)
            if found is NotImplemented:  # whatever the rule has taken of an iterator
                self.state, state.cells, state.store, state.path = state, before.cells, before.store, before.path
                found = self.called_outside(function, given, named)
        finally:
            self.takes_all = outside
        if rule not in LAZY and function not in TAKE_ALL:
            self.poison(read)
        return found

    def iterators_in(self, values: list[Any]) -> list[Ref]:
        """The iterators that some values are or read; refuses one that is given twice."""
        own = [each for each in values if isinstance(each, Ref) and self.is_iterator(each)]
        if len(set(own)) < len(own):
            self.refuse("one iterator is given twice", "make a list of it")
        read = [Ref(place[1]) for each in own for place, _ in self.captured_by(each) if place[0] == "store"]
        found = [each for each in read if self.is_iterator(each)]
        if len(set(found)) < len(found):
            self.refuse("two iterators read one", "make a list of it")
        return found

    def is_iterator(self, value: Ref) -> bool:
        """Whether an object is an iterator."""
        content = self.state.store.get(value.number)
        return (
            isinstance(content, Deferred)
            or (isinstance(content, Items) and content.kind == "iterator")
            or (isinstance(content, Whole) and content.is_iterator)
        )

    def poison(self, iterators: list[Ref]) -> None:
        """Say that iterators were perhaps left early, so that what is left in them is not known."""
        for each in iterators:
            self.state.store[each.number] = Poison("an iterator is used after what may have left it early")

    def entered(self, function: Closure, given: list[Any], named: dict[str, Any]) -> Any:
        """What a function of the program returns; of a generator, the iterator that runs it later."""
        machine, code, boxes, _, _ = parts_of(function)
        frame: dict[str, Any] = {**boxes, MACHINE: machine, **{slot: Box() for slot in code.cells}}
        try:
            values = bound(function, tuple(given), named)
        except TypeError as error:
            self.refuse(f"this call raises TypeError: {error}")
        for slot, value in values.items():
            if slot == code.star:
                value = self.tuple_of(list(value))
            elif slot == code.stars:
                value = self.new(Entries(tuple((constant(name), each) for name, each in value.items())))
            self.state.cells[frame.setdefault(slot, Box())] = self.lift(value)
        if not code.is_generator:
            return self.executed(function, frame)

        def run() -> Any:
            yielded = frame[YIELDED] = self.new(Items("list"))
            self.executed(function, frame)
            return yielded

        return self.new(Deferred(run, tuple(frame.values())))

    def executed(self, function: Closure, frame: dict[str, Any]) -> Any:
        """What the body of a function returns."""
        outside, self.ends, whole, self.takes_all = self.ends, [], self.takes_all, False
        self.depth += 1
        if self.depth > DEEPEST:
            self.refuse("calls are nested too deeply", "recursion is not supported")
        try:
            self.run(parts_of(function).code.body, frame)
            if not self.gone:
                self.leave("return", MISSING)
            left = self.ended("return")
            self.gone = False
            if left is None:
                raise RaisedError
            value, self.state = left
            return value
        finally:
            self.ends, self.depth, self.takes_all = outside, self.depth - 1, whole

    def constructed(self, made_by: type, given: list[Any], named: dict[str, Any]) -> Any:
        """An instance of a class of the program, or a row of Spark's."""
        if made_by is prelude().of_spark("Row"):
            return self.of_library(ROW, given, named)
        if isinstance(made_by, EnumMeta) or hasattr(made_by, "_fields") or dataclasses.is_dataclass(made_by):
            return self.of_class(made_by, given, named)
        own = [each for each in made_by.__mro__[:-1] if each not in (abc.ABC, typing.Generic)]
        plain = type(made_by) in (type, abc.ABCMeta)
        if not plain or any(not vars(each).keys().isdisjoint(_OTHER_OBJECTS) for each in own):
            self.refuse(f"an object of the class `{made_by.__name__}` is not supported")
        if not all(map(made_here, own)):
            self.refuse(f"an object of the class `{made_by.__name__}` is not supported", "derive it from no class")
        if getattr(made_by, "__abstractmethods__", None):
            self.refuse(f"`{made_by.__name__}` is abstract, so Python makes no object of it")
        made = self.new(Fields(made_by))
        start = found_in(made_by, "__init__")
        if isinstance(start, Closure):
            self.entered(start, [made, *given], named)
        elif given or named:
            self.refuse(f"`{made_by.__name__}` takes no arguments")
        return made

    # attributes and methods

    def attribute(self, of: Any, name: str) -> Any:
        """`of.name`."""
        of = self.resolved(of)
        content = self.content(of)
        match content:
            case Guarded(test, one, other):
                return self.choice(test, lambda: self.attribute(one, name), lambda: self.attribute(other, name))
            case Fields(made_by, fields):
                known = dict(fields)
                return known[name] if name in known else self.of_its_class(of, made_by, name)
            case Super(owner, inner):
                made_by = self.content(inner).made_by
                order = made_by.__mro__[made_by.__mro__.index(owner) + 1 :]
                return self.of_its_class(inner, made_by, name, order)
            case type() if made_here(content):
                return self.class_attribute(content, name)
            case Module():
                owner = module_of(content)
                if isinstance(owner, Machine):
                    self.note_use(owner, name)
                return self.lift(getattr(content, name))
            case Silent():
                return content
            case Term() if isinstance(content.type, RecordType) and name not in content.type.names:
                made_by = self.class_of(content.type)
                if made_by is not None and isinstance(found_in(made_by, name), Closure | property):
                    return self.of_its_class(of, made_by, name)
            case TupleV() | Items() | Entries() | KeyEntry() | AtKey() | Deferred() | Whole():
                return Method(of, name)
            case _ if callable(content):
                return self.lift(known_attribute(content, name))
        return self.outside_attribute(of, name)

    def of_its_class(self, of: Any, made_by: type, name: str, order: tuple[type, ...] = ()) -> Any:
        """What an object has of its class: a property's value, a bound method, a constant."""
        found = next((vars(each)[name] for each in order or made_by.__mro__ if name in vars(each)), None)
        match found:
            case property(fget=Closure() as getter):
                return self.entered(getter, [of], {})
            case functools.cached_property() | property():
                self.refuse(f"the property `{name}` is not supported")
            case staticmethod():
                return found.__func__
            case classmethod():
                return Partially(found.__func__, (made_by,), {})
            case Closure():
                return Partially(found, (of,), {})
            case None:
                self.refuse(f"an object of the class `{made_by.__name__}` has no `{name}`")
        if name == "__init__" and found is object.__init__:
            return Silent()
        return self.lift(found)

    def class_attribute(self, made_by: type, name: str) -> Any:
        """What a class has under a name."""
        if name == "__name__":
            return constant(made_by.__name__)
        found = found_in(made_by, name)
        match found:
            case staticmethod():
                return found.__func__
            case classmethod():
                return Partially(found.__func__, (made_by,), {})
            case Closure() | Enum():
                return self.lift(found)
        if isinstance(made_by, EnumMeta) and name in made_by.__members__:
            return self.lift(made_by[name])
        if found is None or isinstance(found, property) or name.startswith("__"):
            self.refuse(f"the class `{made_by.__name__}` has no `{name}` that is read")
        return self.lift(found)

    def method(self, of: Any, name: str, given: list[Any], named: dict[str, Any]) -> Any:
        """What a method of a value gives."""
        of = self.resolved(of)
        content = self.content(of)
        if isinstance(content, Guarded):
            one, other = content.one, content.other
            return self.choice(
                content.test,
                lambda: self.method(one, name, given, named),
                lambda: self.method(other, name, given, named),
            )
        if isinstance(content, Items | Entries | KeyEntry | AtKey | Whole | Deferred | TupleV):
            return self.method_of_object(of, content, name, given, named)
        if isinstance(content, Distributed) or self.is_context(content):
            return self.method_of_rdd(content, name, given, named)
        if isinstance(content, Super | type | Module | Silent):
            return self.call(self.attribute(of, name), given, named)
        if isinstance(content, Term) and isinstance(content.type, RecordType):
            made_by = self.class_of(content.type)
            if made_by is not None and isinstance(found_in(made_by, name), Closure | staticmethod | classmethod):
                return self.call(self.of_its_class(of, made_by, name), given, named)
        if name == "translate" and isinstance(content, Term) and len(given) == 1:
            return self.translated(content, self.content(given[0]))
        read = self.iterators_in(given)
        outside, self.takes_all = self.takes_all, name == "join"
        found = self.outside_method(of, name, given, named)
        self.takes_all = outside
        self.poison(read)
        return found


def found_in(made_by: type, name: str) -> Any:
    """What a class, or one that it is derived from, has under a name."""
    return next((vars(each)[name] for each in made_by.__mro__ if name in vars(each)), None)
