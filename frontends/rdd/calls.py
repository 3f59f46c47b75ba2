"""Calls: of functions and classes of the program, of functions of Python's, and of methods."""

from __future__ import annotations

import collections
import dataclasses
import functools
import itertools
import operator
import typing
from collections.abc import Callable
from enum import Enum, EnumMeta
from types import MethodType
from typing import Any, Final

from tallystick.core.terms import FALSE, TRUE, Term, conjunction, constant, disjunction, negation
from tallystick.frontends.pyspark.values.options import MISSING
from tallystick.frontends.pyspark.values.record_types import RecordType
from tallystick.frontends.pyspark.values.row_values import ROW
from tallystick.frontends.python.interpreter.attributes import Module, Silent, attribute_getter, made_here, module_of
from tallystick.frontends.python.interpreter.attributes import attribute as known_attribute
from tallystick.frontends.python.interpreter.closures import Box, Closure, bound, parts_of
from tallystick.frontends.python.interpreter.machine import Machine, prelude
from tallystick.frontends.python.interpreter.own import OWN
from tallystick.frontends.rdd.evaluation import MACHINE, Evaluation
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
    same,
)

_OTHER_OBJECTS: Final = ("__new__", "__slots__", "__getattribute__", "__delattr__")
"""What a class may have whose objects are not as others."""
DEEPEST: Final = 40
"""Calls of functions of the program are nested so deep at most."""


class Calls(Evaluation):
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
        found = NotImplemented if rule is None else rule(self, *given, **named)
        if found is NotImplemented:
            found = self.called_outside(function, given, named)
        if rule not in _LAZY and function not in _TAKE_ALL:
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

    def rule_of(self, function: Any) -> Callable[..., Any] | None:
        """The rule of a function of Python's that takes any values, such as functions, RDDs and references."""
        try:
            return _RULES.get(function)
        except TypeError:
            return None

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
        outside, self.ends = self.ends, []
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
            self.ends, self.depth = outside, self.depth - 1

    def constructed(self, made_by: type, given: list[Any], named: dict[str, Any]) -> Any:
        """An instance of a class of the program, or a row of Spark's."""
        if made_by is prelude().of_spark("Row"):
            return self.of_library(ROW, given, named)
        if isinstance(made_by, EnumMeta) or hasattr(made_by, "_fields") or dataclasses.is_dataclass(made_by):
            return self.of_class(made_by, given, named)
        if type(made_by) is not type or any(
            not vars(each).keys().isdisjoint(_OTHER_OBJECTS) for each in made_by.__mro__[:-1]
        ):
            self.refuse(f"an object of the class `{made_by.__name__}` is not supported")
        if any(not made_here(each) for each in made_by.__mro__[:-1] if each.__name__ not in ("ABC", "Generic")):
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
        read = self.iterators_in(given)
        found = self.outside_method(of, name, given, named)
        self.poison(read)
        return found

    # functions of Python's that take any values

    def _cast(self, kind: Any, of: Any) -> Any:
        return of

    def _reduce(self, function: Any, of: Any, *first: Any) -> Any:
        items = self.items(of, "what `reduce` goes through")
        if not isinstance(items, list):
            return NotImplemented
        if any(there is not TRUE for there, _ in items) or not (items or first):
            self.refuse("`reduce` of what may have no items, or fewer, is not supported", "give it a first value")
        result, *others = [*first, *(item for _, item in items)]
        for each in others:
            result = self.call(function, [result, each], {})
        return result

    def _partial(self, function: Any, *given: Any, **named: Any) -> Any:
        return Partially(function, given, named)

    def _map(self, function: Any, *of: Any) -> Any:
        def run() -> Any:
            if len(of) == 1:
                return self.for_each(of[0], lambda item: (TRUE, self.call(function, [item], {})))
            columns = [self.certain(each, "what `map` goes through") for each in of]
            rows = [self.call(function, list(row), {}) for row in zip(*columns, strict=False)]
            return self.new(Items("list", tuple((TRUE, row) for row in rows)))

        return self.new(Deferred(run, (function, *of)))

    def _filter(self, function: Any, of: Any) -> Any:
        def kept(item: Any) -> tuple[Term, Any]:
            return self.truth(item if function is MISSING else self.call(function, [item], {})), item

        return self.new(Deferred(lambda: self.for_each(of, kept), (function, of)))

    def _new_list(self, of: Any = None) -> Any:
        content = None if of is None else self.content(of)
        if content is None:
            return self.new(Items("list"))
        if isinstance(content, Deferred):
            made = self.used_up(of)
            return self.call(list, [made], {})
        if isinstance(content, Items) and content.kind != "set":
            items = self.items(of)
            return self.new(Items("list", tuple(items)))
        if isinstance(content, TupleV | Entries):
            return self.new(Items("list", tuple((TRUE, each) for each in self.certain(of, "this"))))
        return NotImplemented

    def _tupled(self, of: Any = None) -> Any:
        if of is None:
            return TupleV(())
        if isinstance(self.content(of), Items | TupleV | Entries | Deferred):
            return self.tuple_of(self.certain(of, "what a tuple is made of"))
        return NotImplemented

    def _length(self, of: Any) -> Any:
        content = self.content(of)
        if isinstance(content, Items) and content.kind in ("list", "view") and all(t is TRUE for t, _ in content.items):
            return constant(len(self.require_read(content).items))
        if isinstance(content, Entries | TupleV):
            return constant(len(content.entries if isinstance(content, Entries) else content.items))
        return NotImplemented

    def _zip(self, *of: Any, strict: Any = None) -> Any:
        if not all(isinstance(self.content(each), Items | TupleV | Entries) for each in of):
            return NotImplemented
        columns = [self.certain(each, "what `zip` goes through") for each in of]
        if strict is not None and len({len(each) for each in columns}) > 1:
            self.refuse("`zip` of lists of different lengths, where `strict` is given")
        rows = tuple((TRUE, self.tuple_of(list(row))) for row in zip(*columns, strict=False))
        return self._unless_changed(of, rows)

    def _enumerate(self, of: Any, start: Any = None) -> Any:
        if not isinstance(self.content(of), Items | TupleV | Entries):
            return NotImplemented
        first = 0 if start is None else self.integer(start)
        rows = enumerate(self.certain(of, "what `enumerate` goes through"), first)
        return self._unless_changed((of,), tuple((TRUE, self.tuple_of([constant(n), x])) for n, x in rows))

    def _reversed(self, of: Any) -> Any:
        if not isinstance(self.content(of), Items | TupleV):
            return NotImplemented
        return self._unless_changed((of,), tuple((TRUE, x) for x in reversed(self.certain(of, "this"))))

    def _unless_changed(self, of: tuple[Any, ...], items: tuple[tuple[Term, Any], ...]) -> Any:
        """An iterator of items that were made of objects; refused once these have changed, as it reads them later."""
        read = [(each, self.state.store[each.number]) for each in of if isinstance(each, Ref)]

        def run() -> Any:
            if any(not same(content, self.state.store[each.number]) for each, content in read):
                self.refuse("a list has changed since an iterator of it was made", "make a list of the iterator")
            return self.new(Items("list", items))

        return self.new(Deferred(run, of))

    def _chained(self, *of: Any) -> Any:
        return self._flattened(self.tuple_of(list(of)))

    def _flattened(self, of: Any) -> Any:
        def run() -> Any:
            return self.flattened(of)

        return self.new(Deferred(run, (of,)))

    def _iterated(self, of: Any) -> Any:
        content = self.content(of)
        if isinstance(content, Deferred) or (isinstance(content, Items) and content.kind == "iterator"):
            return of
        return self.new(Deferred(lambda: self._new_list(of), (of,)))

    def _next(self, of: Any, *default: Any) -> Any:
        if not isinstance(of, Ref) or not self.is_iterator(of):
            self.refuse("`next` of what is no iterator raises TypeError")
        before = self.state.fork()
        made = self.content(self.used_up(of))
        changed = [
            place for place in self.state.changes(before) if place not in self.own_places(before.store[of.number], of)
        ]
        if changed or not isinstance(made, Items):
            self.refuse("`next` of this iterator is not supported", "make a list, and take its first item")
        if not made.items and default:
            return default[0]
        if not made.items or made.items[0][0] is not TRUE:
            return self._first_of(of, made, default)
        self.write(of, Items("iterator", made.items[1:]))
        return made.items[0][1]

    def _first_of(self, of: Ref, made: Items, default: tuple[Any, ...]) -> Any:
        """The first item that is there, or else a default; what is left of the iterator is not known then."""
        items = list(made.items)
        certain = next((at for at, (there, _) in enumerate(items) if there is TRUE), None)
        if certain is None and not default:
            self.refuse("`next` raises StopIteration where there is no item", "give it a default")
        result = items[certain][1] if certain is not None else default[0]
        for there, item in reversed(items[:certain]):
            result = self.select(there, item, result)
        self.poison([of])
        return result

    def _super(self, owner: Any, of: Any) -> Any:
        return Super(owner, of)

    def _defaultdict(self, make: Any = MISSING, *given: Any) -> Any:
        if given:
            return NotImplemented
        return self.new(Entries((), "dict" if make is MISSING else "defaultdict", make))

    def _frozen(self, *of: Any) -> Any:
        made = self.called_outside(frozenset, [*of], {})
        if isinstance(made, Ref):
            self.shared.add(made.number)
        return made

    def _counter(self, *of: Any) -> Any:
        return NotImplemented if of else self.new(Entries((), "Counter", constant(0)))

    def _dict(self, *of: Any, **named: Any) -> Any:
        if not of and not named:
            return self.new(Entries())
        if not of or isinstance(self.content(of[0]), Items | Deferred | TupleV | Entries):
            pairs: list[Any] = []
            if of and isinstance(content := self.content(of[0]), Entries):
                pairs = list(content.entries)
            elif of:
                items = self.items(of[0], "what a dictionary is made of")
                if not isinstance(items, list) or any(there is not TRUE for there, _ in items):
                    return NotImplemented
                pairs = [tuple(self.unpacked(each, 2, None)) for _, each in items]
            made = self.new(Entries())
            for key, value in (*pairs, *((constant(name), each) for name, each in named.items())):
                self.put(made, key, value)
            return made
        return NotImplemented

    def _any(self, of: Any) -> Any:
        return self._all_or_any(of, any_of=True)

    def _all(self, of: Any) -> Any:
        return self._all_or_any(of, any_of=False)

    def _all_or_any(self, of: Any, any_of: bool) -> Any:
        content = self.content(of)
        listed = isinstance(content, Items) and content.kind in ("list", "view")
        if not isinstance(content, TupleV | Entries) and not listed:
            return NotImplemented
        found = [
            conjunction(there, self.truth(item) if any_of else negation(self.truth(item)))
            for there, item in self.items(of)
        ]
        some = disjunction(FALSE, *found)
        return some if any_of else negation(some)

    def _printed(self, *of: Any, **named: Any) -> Any:
        return MISSING

    def _int(self, *of: Any) -> Any:
        return NotImplemented if of else constant(0)

    def _str(self, *of: Any) -> Any:
        return NotImplemented if of else constant("")

    def _float(self, *of: Any) -> Any:
        return NotImplemented if of else self.lift(0.0)

    def _itemgetter(self, *places: Any) -> Any:
        def get(of: Any) -> Any:
            found = [self.apply("item", [of, each]) for each in places]
            return found[0] if len(found) == 1 else self.tuple_of(found)

        return Native(get)

    def _attrgetter(self, *names: Any) -> Any:
        if not all(isinstance(each, Term) and isinstance(each.parameter, str) for each in names):
            self.refuse("the arguments of `attrgetter` must be constant texts")

        def get(of: Any) -> Any:
            found = [functools.reduce(self.attribute, str(each.parameter).split("."), of) for each in names]
            return found[0] if len(found) == 1 else self.tuple_of(found)

        return Native(get)


@dataclasses.dataclass(frozen=True, eq=False)
class Partially:
    """A function with its first arguments, and with some by name."""

    of: Any
    given: tuple[Any, ...]
    named: dict[str, Any]


@dataclasses.dataclass(frozen=True, eq=False)
class Native:
    """A function of one value that is a rule of ours."""

    get: Callable[[Any], Any]


def found_in(made_by: type, name: str) -> Any:
    """What a class, or one that it is derived from, has under a name."""
    return next((vars(each)[name] for each in made_by.__mro__ if name in vars(each)), None)


_RULES: Final[dict[Any, Callable[..., Any]]] = {
    typing.cast: Calls._cast, functools.reduce: Calls._reduce, functools.partial: Calls._partial,
    map: Calls._map, filter: Calls._filter, list: Calls._new_list, tuple: Calls._tupled, len: Calls._length,
    zip: Calls._zip, enumerate: Calls._enumerate, reversed: Calls._reversed, itertools.chain: Calls._chained,
    itertools.chain.from_iterable: Calls._flattened, iter: Calls._iterated, next: Calls._next, super: Calls._super,
    collections.defaultdict: Calls._defaultdict, collections.Counter: Calls._counter, dict: Calls._dict,
    frozenset: Calls._frozen,
    any: Calls._any, all: Calls._all, operator.itemgetter: Calls._itemgetter,
    attribute_getter: Calls._attrgetter, OWN["builtins.print"]: Calls._printed,
    int: Calls._int, str: Calls._str, float: Calls._float,
}  # fmt: skip
_LAZY: Final = (Calls._map, Calls._filter, Calls._chained, Calls._flattened, Calls._iterated, Calls._next)
"""Rules that take no item of an iterator, or say themselves what is left in it."""
_TAKE_ALL: Final = (
    sum, sorted, min, max, len, functools.reduce, list, tuple, set, frozenset, dict, collections.Counter,
)  # fmt: skip
"""Functions and classes that take all items of iterators."""
