"""The border to the library of RDDs and of Python's functions: its values in, and ours out.

What an operator, a function or a method means on terms stands once, in the tables of `frontends/pyspark`. It is
asked by an expression whose names stand for values, at the place where the evaluation is.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from enum import EnumMeta
from types import MethodType
from typing import Any, Final

from tallystick.core.terms import FALSE, TRUE, Term, constant, disjunction, tuple_of
from tallystick.core.types import BOOL, INT, RATIONAL, TEXT, BagType, OptionType, Type, is_basic
from tallystick.frontends.errors import SourceError
from tallystick.frontends.pyspark.python import texts
from tallystick.frontends.pyspark.python.binding import bind
from tallystick.frontends.pyspark.python.sequences import is_constant, items_of
from tallystick.frontends.pyspark.rdds import positive_list
from tallystick.frontends.pyspark.rdds.calls import bound_arguments, method_place
from tallystick.frontends.pyspark.rdds.sources import SOURCES
from tallystick.frontends.pyspark.scoping.scopes import Binding, Scope
from tallystick.frontends.pyspark.scoping.source import Place
from tallystick.frontends.pyspark.values import kinds
from tallystick.frontends.pyspark.values.describing import basic, describe, dictionary_term, literal
from tallystick.frontends.pyspark.values.groups import Firsts, Gathered, Group, GroupDictionary, PerhapsGroup
from tallystick.frontends.pyspark.values.held_lists import item_of_list
from tallystick.frontends.pyspark.values.options import MISSING
from tallystick.frontends.python.interpreter.attributes import Module, Silent, made_here
from tallystick.frontends.python.interpreter.closures import Box, Closure, parts_of
from tallystick.frontends.rdd import store
from tallystick.frontends.rdd.evaluation import Evaluation
from tallystick.frontends.rdd.functions import Native, Partially
from tallystick.frontends.rdd.modules import located, name_of, old
from tallystick.frontends.rdd.sources import ElementSource, GroupSource, SpreadSource
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
    View,
    Whole,
    same,
)

_RDDS: Final = (kinds.Grouped, kinds.GroupJoin, kinds.Outer, kinds.Literals, kinds.Objects, kinds.Sorted)
_WHOLES: Final = (
    kinds.Collected, kinds.Dictionary, kinds.DictionaryOfGroups, kinds.Ranked, kinds.Taken, kinds.WiderSet, Group,
    kinds.Spread, kinds.Pieces, kinds.Tally, Gathered, GroupDictionary,
)  # fmt: skip
"""What the library knows of lists, sets and dictionaries, which are objects in Python."""
_PARTS: Final = (Term, kinds.Listing, kinds.Record, Gathered, Group, Firsts, PerhapsGroup)
"""What the library may have in a tuple."""
OURS: Final = (Closure, Partially, Native, Method, MethodType, Guarded, Ref, TupleV, Distributed, Super)


def _has_no_parts(of: Type) -> bool:
    """Whether no value of a type holds another object."""
    return _has_no_parts(of.of) if isinstance(of, OptionType) else of in (INT, BOOL, TEXT, RATIONAL)


class Library(Evaluation):
    """The part of the evaluation that asks the library."""

    # expressions over values

    def plain(self, make: Callable[..., ast.expr], *values: Any, **named: Any) -> Any:
        """What an expression means whose names stand for values."""
        scope = Scope(self.place.source, ast.Module([], []))
        frame = kinds.Frame(scope, {}, None, runs_at_once=True)
        names: list[ast.expr] = []
        for at, value in enumerate(values):
            frame.values[f"#{at}"] = self.out(value)
            names.append(ast.Name(f"#{at}", ast.Load()))
        frame.values.update({name: old(*path, self) for name, path in named.items()})
        for name in frame.values:
            scope.bindings[name] = [Binding(self.place.node, False)]
        found = self.into(self.reader.in_frame(located(make(*names), self.place), frame))
        if isinstance(found, Distributed):
            captured = {place: content for each in values for place, content in self.captured_by(each)}
            return Distributed(found.value, tuple(captured.items()))
        return found

    def _held_by(self, found: Any, given: list[Any], copies: bool = False) -> Any:
        """What a function of the library has made of values: each may be a part of it, as in `OrderedDict(x=items)`.

        So it is known by its value from here on, and is only read. Of what a function copies, this holds for the parts.
        """
        if not (isinstance(found, Distributed) or (isinstance(found, Term) and _has_no_parts(found.type))):
            for value in given:
                own = {value.number} if copies and isinstance(value, Ref) else set[int]()
                self.shared |= {place for (kind, place), _ in self.captured_by(value) if kind == "store"} - own
        return found

    def _outs(self, named: dict[str, Any]) -> dict[str, Any]:
        return {name: self.out(each) for name, each in named.items()}

    def called_outside(self, function: Any, given: list[Any], named: dict[str, Any]) -> Any:
        """What a function of Python's, or of Spark's, gives."""
        if isinstance(function, Native):
            return function.get(*given)
        names, keys = [f"#{at + 1}" for at in range(len(given))], list(named)

        def make(of: ast.expr, *arguments: ast.expr) -> ast.expr:
            by_name = [ast.keyword(key, each) for key, each in zip(keys, arguments[len(names) :], strict=True)]
            return ast.Call(of, list(arguments[: len(names)]), by_name)

        values = [*given, *named.values()]
        copies = any(function is each for each in (sorted, set, frozenset))
        return self._held_by(self.plain(make, function, *values), values, copies)

    def outside_method(self, of: Any, name: str, given: list[Any], named: dict[str, Any]) -> Any:
        """What a method of a value of the library gives."""
        keys = list(named)

        def make(owner: ast.expr, *arguments: ast.expr) -> ast.expr:
            by_name = [ast.keyword(key, each) for key, each in zip(keys, arguments[len(given) :], strict=True)]
            return ast.Call(ast.Attribute(owner, name, ast.Load()), list(arguments[: len(given)]), by_name)

        values = [of, *given, *named.values()]
        return self._held_by(self.plain(make, *values), values)

    def outside_attribute(self, of: Any, name: str) -> Any:
        """An attribute of a value of the library."""
        if isinstance(of, Distributed) and name not in ("context", "ctx"):
            return Method(of, name)
        found = self.plain(lambda owner: ast.Attribute(owner, name, ast.Load()), of)
        if isinstance(found, Ref):  # of a broadcast variable: what is written there, workers do not see
            self.shared.add(found.number)
        return found

    def truth(self, value: Any) -> Term:
        """When Python finds a value true."""
        value = self.resolved(value)
        content = self.content(value)
        match content:
            case Guarded(test, one, other):
                return self.choice(test, lambda: self.truth(one), lambda: self.truth(other))
            case Items(kind="list" | "set" | "view", items=items):
                self.require_read(content)
                return disjunction(FALSE, *(there for there, _ in items))
            case TupleV() | Entries():
                return constant(bool(content.items if isinstance(content, TupleV) else content.entries))
            case Closure() | type() | Partially() | Method() | Silent() | Deferred() | Module():
                return TRUE
            case Items():
                return TRUE
            case Fields(made_by):
                if any(name in vars(each) for each in made_by.__mro__ for name in ("__bool__", "__len__")):
                    self.refuse("the truth of an object with `__bool__` or `__len__` is not supported")
                return TRUE
            case KeyEntry() | AtKey():
                self.refuse("the truth of a dictionary that a loop fills is not supported", "read it after the loop")
            case Distributed():
                return TRUE
        scope = Scope(self.place.source, ast.Module([], []), {"#0": [Binding(self.place.node, False)]})
        frame = kinds.Frame(scope, {"#0": self.out(value)}, None, runs_at_once=True)
        return self.reader.condition_in(located(ast.Name("#0", ast.Load()), self.place), frame)

    # RDDs

    def is_context(self, value: Any) -> bool:
        """Whether a value is a SparkContext or a SparkSession, or what the interpreter has for one."""
        return isinstance(value, kinds.SparkContextValue)

    def method_of_rdd(self, of: Any, name: str, given: list[Any], named: dict[str, Any]) -> Any:
        """What a method of an RDD, or of a SparkContext, gives."""
        if isinstance(of, kinds.SparkContextValue) and name == "union":
            return self.union(self.certain(given[0], "what `union` puts together"))
        if isinstance(of, Distributed) and name in ("toDebugString", "id", "name", "getNumPartitions"):
            self.refuse(f"`{name}` says how an RDD is computed, and not what it has")
        if name == "persist":  # a storage level changes no result
            given, named = [], {}
        owner = self.rdd(of) if isinstance(of, Distributed) else of
        if isinstance(owner, kinds.SparkContextValue) and owner.is_session:
            return self.outside_method(of, name, given, named)
        arguments = [*map(self.out, given)], self._outs(named)
        before, noted = self.state.fork(), self.reader.noted()
        try:
            made = self._called_of_rdd(owner, name, arguments)
        except SourceError as problem:  # functions that are known by their names have values where no term says them
            functions = tuple(each for each in (*given, *named.values()) if isinstance(each, Closure))
            if not functions or self.by_name:
                raise
            self.state, self.by_name = before, functions
            self.reader.forget(noted)
            try:
                made = self._called_of_rdd(owner, name, arguments)
            except SourceError:
                raise problem from None
            finally:
                self.by_name = ()
        captured = {place: value for each in (of, *given, *named.values()) for place, value in self.captured_by(each)}
        if name == "broadcast":
            self.handed_over |= {number for kind, number in captured if kind == "store"}
        return self.into(made, tuple(captured.items()))

    def _called_of_rdd(self, owner: Any, name: str, arguments: tuple[list[Any], dict[str, Any]]) -> Any:
        called = self.place.node.func if isinstance(self.place.node, ast.Call) else self.place.node
        with self.reader.here():
            return positive_list.called(
                self.reader,
                owner,
                name,
                method_place(Place(self.place.source, called)),
                lambda signature: bound_arguments(signature, self.place, *arguments),
            )

    def union(self, rdds: list[Any]) -> Any:
        """The elements of several RDDs."""
        if not rdds:
            self.refuse("`union` of no RDDs is not supported")
        result, *others = rdds
        for each in others:
            result = self.method(result, "union", [each], {})
        return result

    def rdd(self, of: Distributed) -> Any:
        """An RDD, as the library has it; refuses one whose functions captured what has changed since."""
        if self.reader.in_udf:
            self.refuse("an RDD is used inside a function or a loop that runs on elements", "join the RDDs")
        for place, value in of.captured:
            if not same(value, self.state.at(place)):
                what = "a variable" if place[0] == "cells" else "an object"
                self.refuse(
                    f"{what} that a function of this RDD uses has changed since, and Spark runs the function later",
                    "hand the value on as a default argument: `lambda x, k=k: …`",
                )
        return of.value

    def captured_by(self, value: Any) -> list[tuple[store.Place, Any]]:
        """The places that a value leads to, with what is in them: of a function, what it captured."""
        found: dict[store.Place, Any] = {}
        waiting, seen = [value], set[int]()
        while waiting:
            each = waiting.pop()
            if id(each) in seen:
                continue
            seen.add(id(each))
            match each:
                case Ref(number):
                    found["store", number] = self.state.store[number]
                    waiting.append(self.state.store[number])
                case Box() if each in self.state.cells:
                    found["cells", each] = self.state.cells[each]
                    waiting.append(self.state.cells[each])
                case Closure():
                    _, _, boxes, defaults, by_name = parts_of(each)
                    waiting += [*boxes.values(), *defaults, *by_name.values()]
                case Partially(of, given, named):
                    waiting += [of, *given, *named.values()]
                case Method(of, _) | Super(_, of):
                    waiting.append(of)
                case MethodType():
                    waiting += [each.__func__, each.__self__]
                case TupleV(items):
                    waiting += items
                case View(of):
                    waiting.append(of)
                case Items(items=pairs):
                    waiting += [item for _, item in pairs]
                case Entries(entries):
                    waiting += [part for pair in entries for part in pair]
                case Fields(_, fields):
                    waiting += [part for _, part in fields]
                case Deferred(_, captured):
                    waiting += captured
                case Distributed(_, captured):
                    found.update(captured)
                case Guarded(_, one, other):
                    waiting += [one, other]
        return list(found.items())

    def own_places(self, content: Any, of: Ref) -> set[store.Place]:
        """The places that only the iterator has that a loop goes through."""
        boxes = content.captured if isinstance(content, Deferred) else ()
        return {("store", of.number), *(("cells", box) for box in boxes if isinstance(box, Box))}

    # what loops go through

    def items(self, value: Any, what: str = "this") -> Any:
        """What a loop goes through: items with their conditions, or a source of unknown length."""
        value = self.resolved(value)
        content = self.content(value)
        match content:
            case TupleV(items):
                return [(TRUE, each) for each in items]
            case Deferred():
                return self.items(self.used_up(value), what)
            case Items(kind="iterator", items=pairs):
                self.write(value, Items("iterator"))
                return list(pairs)
            case Items(kind="list" | "view", items=pairs):
                return list(self.require_read(content).items)
            case Items(kind="set", items=pairs) if len(pairs) < 2:
                return list(self.require_read(content).items)
            case Items(kind="set"):
                self.refuse(f"{what} is a set, whose items have no order", "go through `sorted(…)` of it, or a tuple")
            case Entries(entries):
                return [(TRUE, key) for key, _ in entries]
            case EnumMeta():
                return [(TRUE, self.lift(each)) for each in content]  # type: ignore[attr-defined]
            case Fields() | KeyEntry() | AtKey() | Distributed() | Guarded() | Closure() | type():
                self.refuse(f"{what} is not gone through here", "go through a list")
            case Whole(found, is_iterator):
                if is_iterator:
                    self.write(value, Items("iterator"))
                return self.source_of(found, what)
        return self.source_of(content, what)

    def items_in_any_order(self, value: Any, what: str) -> list[tuple[Term, Any]]:
        """The items of a list or a set of known size, where their order does not matter."""
        content = self.content(value)
        if isinstance(content, Items) and content.kind == "set":
            return list(self.require_read(content).items)
        items = self.items(value, what)
        if not isinstance(items, list):
            self.refuse(f"{what} is of unknown length", "make a new set")
        return items

    def source_of(self, found: Any, what: str) -> Any:
        """The same of what the library knows."""
        if isinstance(found, SOURCES):
            if self.reader.in_udf:
                self.refuse("elements of an RDD are gone through for each element of another", "join the RDDs")
            return ElementSource(found, self.place)
        if isinstance(found, Group):
            return GroupSource(found, self.place)
        spread = texts.spread_of(found)
        if isinstance(spread, kinds.Spread):
            return SpreadSource(spread, self.place)
        return [(there, self.into(item)) for there, item in items_of(found, self.place, what)]

    def items_to_unpack(self, value: Any, size: int, star: int | None) -> list[Any]:
        """What so many names get of a value that is taken apart, of which one may take the rest."""
        names: list[ast.expr] = [ast.Name(f"#{at}", ast.Store()) for at in range(size)]
        parts = [ast.Starred(each, ast.Store()) if at == star else each for at, each in enumerate(names)]
        target = ast.Tuple(parts, ast.Store())
        frame = kinds.Frame(Scope(self.place.source, ast.Module([], [])))
        whole = self.out(value)
        if self.reader.attempts is not None:
            with self.reader.here():
                self.reader.attempts.note_unpacking([target], whole, self.reader.path, self.place)
        bind(located(target, self.place), whole, frame)
        found = [frame.values[f"#{at}"] for at in range(size)]
        return [Poison(each.reason) if isinstance(each, kinds.Unusable) else self.into(each) for each in found]

    # values

    def tuple_of(self, items: list[Any]) -> Any:
        """A tuple: a term where its items are terms."""
        terms = [each for each in items if isinstance(each, Term) and is_basic(each.type)]
        if len(terms) == len(items) and items and [each.type for each in terms] != [BOOL]:
            return tuple_of(*terms)
        return TupleV(tuple(items))

    def integer(self, value: Any) -> int:
        """A constant int."""
        known = literal(value) if isinstance(value, Term) else None
        if type(known) is not int:
            self.refuse("this must be a constant int", "write the number")
        return known

    def is_constant(self, value: Term) -> bool:
        """Whether a term is a constant, or a tuple of constants."""
        return is_constant(value)

    def term(self, value: Any, what: str) -> Term:
        """A value as a term."""
        return basic(self.out(value), self.place, what)

    def into(self, value: Any, captured: tuple[tuple[store.Place, Any], ...] = ()) -> Any:
        """A value of the library as one of this evaluation."""
        match value:
            case Term() if isinstance(value.type, BagType):
                return Distributed(value, captured)
            case kinds.Grouped(at_driver=True):
                return self.new(Whole(value))
            case kinds.Listing(items):
                return self.new(Items("list", tuple((there, self.into(item)) for there, item in items)))
            case kinds.Generator(items):
                return self.new(Items("iterator", tuple((there, self.into(item)) for there, item in items)))
            case kinds.ConstantSet(items):
                return self.new(Items("set", tuple((TRUE, item) for item in items)))
            case kinds.Table(entries):
                return self.new(Entries(tuple((key, self.into(each)) for key, each in entries)))
            case kinds.Record(items):
                return self.tuple_of([self.into(each) for each in items])
            case kinds.Ignored():
                return MISSING
            case kinds.Growing():
                self.refuse("a dictionary of this kind is not supported here", "use `{}`, or `defaultdict` of a class")
            case kinds.Unusable(reason, hint):
                self.refuse(f"this value {reason}", hint)
            case _ if isinstance(value, _RDDS):
                return Distributed(value, captured)
            case _ if isinstance(value, _WHOLES):
                return self.new(Whole(value, getattr(value, "once", False)))
        return value

    def out(self, value: Any) -> Any:
        """A value as the library has it; what is no value there stays itself, as a function."""
        value = self.resolved(value)
        if isinstance(value, Ref):
            content = self.content(value)
            if isinstance(content, Deferred) or (isinstance(content, Items) and content.kind == "iterator"):
                made = self.out_of(self.content(self.used_up(value)))
                return kinds.Generator(made.items) if isinstance(made, kinds.Listing) else made
            if isinstance(content, Whole) and content.is_iterator:
                self.write(value, Poison("an iterator is used twice"))
            if isinstance(content, Fields):
                return self.object_out(value, content)
            return self.out_of(content)
        match value:
            case TupleV(items):
                parts = [self._part(each) for each in items]
                if parts and all(isinstance(each, Term) and is_basic(each.type) for each in parts):
                    return tuple_of(*parts)
                return kinds.Record(tuple(parts))
            case Distributed():
                return self.rdd(value)
            case Guarded(test, one, other):
                return self.merged(test, self.out(one), self.out(other))
            case Poison(why):
                self.refuse(f"this value {why}")
            case Silent():
                return kinds.Ignored()
            case Module():
                self.refuse("a module is no value")
        if isinstance(value, OURS) or (isinstance(value, type) and made_here(value)):
            return value
        if callable(value) and not isinstance(value, Term) and not isinstance(value, kinds.Closure):
            return self.function_out(value)
        return value

    def _part(self, value: Any) -> Any:
        """An item of a tuple, as the library has it; refuses what it has in no tuple."""
        made = self.out(value)
        made = (dictionary_term(made) or made) if isinstance(made, kinds.Table) else made
        if not isinstance(made, _PARTS):
            what = "a function or an object" if isinstance(made, OURS) else f"what is {describe(made)}"
            self.refuse(f"a tuple holds {what}", "take its parts one by one")
        return made

    def out_of(self, content: Any) -> Any:
        """The content of an object as the library has it."""
        match content:
            case Items(kind, items):
                self.require_read(content)
                pairs = tuple((there, item_of_list(self._part(item), self.place, "an item")) for there, item in items)
                if kind == "set":
                    certain = all(there is TRUE and isinstance(x, Term) and is_constant(x) for there, x in pairs)
                    if certain and len({x.type for _, x in pairs}) < 2:
                        return kinds.ConstantSet(tuple(dict.fromkeys(x for _, x in pairs)))
                    return Gathered("set", (), pairs)
                return kinds.Listing(pairs)
            case Entries(entries, kind):
                if kind != "dict" and not entries:
                    return kinds.Growing(kind)
                return kinds.Table(tuple((key, self.out(each)) for key, each in entries))
            case Whole(value):
                return value
            case Poison(why):
                self.refuse(why)
        raise self.place.error("a dictionary or a list is used in the loop that fills it", "read it after the loop")

    def object_out(self, value: Ref, content: Fields) -> Any:
        """An object, where the library can have one."""
        made = self.in_module(content.made_by, lambda name: name)
        if not isinstance(made, kinds.RecordClass) or made.fields:
            return value
        return kinds.Instance(made, {name: self.out(each) for name, each in content.fields})

    def function_out(self, function: Any) -> Any:
        """A function or class of Python's, as the library has it."""
        name = name_of(function)
        if name is None:
            self.refuse("this function is not supported")
        module, _, last = name.rpartition(".")
        found = old(module, last, self)
        shown = name.removeprefix("builtins.")
        if found is None:
            self.refuse(f"the function `{shown}` is not supported")
        if isinstance(found, kinds.Unusable):
            self.refuse(f"`{shown}` {found.reason}", found.hint)
        return found
