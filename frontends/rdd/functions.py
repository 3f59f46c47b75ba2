"""Functions and classes of Python's that take any values, such as functions, RDDs and references: a rule for each."""

from __future__ import annotations

import collections
import dataclasses
import functools
import itertools
import operator
import typing
from collections.abc import Callable
from typing import Any, Final

from tallystick.core.terms import FALSE, TRUE, Term, conjunction, constant, disjunction, negation
from tallystick.frontends.pyspark.values.options import MISSING
from tallystick.frontends.python.interpreter.attributes import attribute_getter
from tallystick.frontends.python.interpreter.own import OWN
from tallystick.frontends.rdd.evaluation import Evaluation
from tallystick.frontends.rdd.store import (
    Deferred,
    Entries,
    Fields,
    Items,
    Ref,
    Super,
    TupleV,
    same,
)


class Functions(Evaluation):
    """The part of the evaluation that has these rules."""

    def rule_of(self, function: Any) -> Callable[..., Any] | None:
        """The rule of a function of Python's that takes any values, such as functions, RDDs and references."""
        try:
            return _RULES.get(function)
        except TypeError:
            return None

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

    def _from_keys(self, keys: Any, value: Any = MISSING) -> Any:
        made = self.new(Entries())
        for key in self.certain(keys, "what a dictionary has the keys of"):
            self.put(made, key, value)
        return made

    def _translation(self, *of: Any) -> Any:
        known = [each.parameter if isinstance(each, Term) else None for each in of]
        if not all(isinstance(each, str) for each in known):
            self.refuse("`str.maketrans` is supported of constant texts", "write `replace`")
        table = str.maketrans(*known).items()  # type: ignore[call-overload]
        pairs = ((constant(key), MISSING if to is None else constant(to)) for key, to in table)
        return self.new(Entries(tuple(pairs)))

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

    def _type(self, of: Any) -> Any:
        content = self.content(of)
        return content.made_by if isinstance(content, Fields) else NotImplemented

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


_RULES: Final[dict[Any, Callable[..., Any]]] = {
    typing.cast: Functions._cast, functools.reduce: Functions._reduce, functools.partial: Functions._partial,
    map: Functions._map, filter: Functions._filter, list: Functions._new_list, tuple: Functions._tupled,
    len: Functions._length, zip: Functions._zip, enumerate: Functions._enumerate, reversed: Functions._reversed,
    itertools.chain: Functions._chained, itertools.chain.from_iterable: Functions._flattened,
    iter: Functions._iterated, next: Functions._next, super: Functions._super,
    collections.defaultdict: Functions._defaultdict, collections.Counter: Functions._counter, dict: Functions._dict,
    frozenset: Functions._frozen, dict.fromkeys: Functions._from_keys,
    str.maketrans: Functions._translation, any: Functions._any, all: Functions._all,
    operator.itemgetter: Functions._itemgetter, attribute_getter: Functions._attrgetter,
    OWN["builtins.print"]: Functions._printed, OWN["builtins.type"]: Functions._type, int: Functions._int,
    str: Functions._str, float: Functions._float,
}  # fmt: skip
LAZY: Final = (
    Functions._map, Functions._filter, Functions._chained, Functions._flattened, Functions._iterated, Functions._next,
)  # fmt: skip
"""Rules that take no item of an iterator, or say themselves what is left in it."""
TAKE_ALL: Final = (
    sum, sorted, min, max, len, functools.reduce, list, tuple, set, frozenset, dict, collections.Counter,
)  # fmt: skip
"""Functions and classes that take all items of iterators."""
AT_ONCE: Final = (sum, sorted, min, max, list, tuple, set, frozenset)
"""Those of them that, without a key, do nothing in between that may raise an exception or be seen."""
