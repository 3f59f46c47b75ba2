"""Expressions of Core Python on symbolic values."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any, Final

from tallystick.core.terms import FALSE, TRUE, Term, conjunction, constant, disjunction, negation, project
from tallystick.core.types import BOOL, INT, RATIONAL, TEXT
from tallystick.frontends.errors import SourceError
from tallystick.frontends.pyspark.values.describing import literal
from tallystick.frontends.pyspark.values.dictionaries import is_dictionary, table_of_entries
from tallystick.frontends.pyspark.values.kinds import Unusable
from tallystick.frontends.pyspark.values.options import MISSING, component_count, is_tuple, narrowed
from tallystick.frontends.python import syntax as core
from tallystick.frontends.python.interpreter.closures import Box, Closure
from tallystick.frontends.python.interpreter.limits import StopError
from tallystick.frontends.python.reading import OPERATORS
from tallystick.frontends.rdd.attempts import RaisedError
from tallystick.frontends.rdd.evaluation import MACHINE, Evaluation, Frame
from tallystick.frontends.rdd.store import (
    AtKey,
    Entries,
    Extended,
    Fields,
    Guarded,
    Items,
    KeyEntry,
    Poison,
    Ref,
    TupleV,
    Whole,
    conditional,
    same,
)

_NODES: Final = {sign: kind for kind, sign in OPERATORS.items()}
_ASK_NO_ITEM: Final = ("iterator", "is", "is not", "not", "append", "add", "put")
"""Operators that take no item of an iterator."""
_LARGEST_EXPONENT: Final = 64
"""Of constants: larger powers are left to the library, which refuses them."""
_COMPARISONS: Final = ("==", "!=", "<", "<=", ">", ">=", "is", "is not", "in", "not in")


class Expressions(Evaluation):
    """The part of the evaluation that computes values."""

    def value(self, node: core.Expression, frame: Frame) -> Any:
        """The value of an expression, at whose place the evaluation is meanwhile."""
        outside, self.place = self.place, self.place_of(node, frame)
        try:
            with self.reader.nested(self.place):
                found = _VALUES[type(node)](self, node, frame)
            if isinstance(found, Term):
                found = narrowed(found, conjunction(*self.state.path))
                self.reader.computed(found, self.place)
            return found
        finally:
            self.place = outside

    def _unread(self, node: core.Unread, frame: Frame) -> Any:
        self.refuse(f"{node.what} is not supported")

    def _const(self, node: core.Const, frame: Frame) -> Any:
        return self.lift(node.value)

    def _local(self, node: core.Local | core.CellVariable, frame: Frame) -> Any:
        return self.variable(frame.get(node.slot), node.slot)

    def variable(self, box: Box | None, name: str) -> Any:
        """The value of a variable."""
        if box in self.state.cells:
            found = self.resolved(self.state.cells[box])
            waiting = [found]
            while waiting:
                each = waiting.pop()
                if isinstance(each, Poison):
                    self.refuse(f"`{name}` {each.why}")
                waiting += [each.one, each.other] if isinstance(each, Guarded) else []
            return found
        if box is None or not hasattr(box, "value"):
            self.refuse(f"`{name}` may have no value here", "give it a value before")
        return self.lift(box.value)

    def resolved(self, value: Any) -> Any:
        """A value, where it is known here which of two it is."""
        while isinstance(value, Guarded) and (known := self.known(value.test)) is not None:
            value = value.one if known else value.other
        return value

    def _global(self, node: core.Global | core.Builtin, frame: Frame) -> Any:
        machine = self.machine(frame)
        if isinstance(node, core.Global):
            self.note_use(machine, node.name)
        try:
            return self.lift(machine.global_value(node.name))
        except (StopError, Exception) as error:
            if isinstance(error, SourceError):
                raise
            self.refuse(f"`{node.name}` is not read here: {error}")

    def _import(self, node: core.Import, frame: Frame) -> Any:
        return self.lift(self.machine(frame).world.module(node.module, node.level, self.machine(frame)))

    def _import_name(self, node: core.ImportName, frame: Frame) -> Any:
        return self.lift(self.machine(frame).world.imported(node.module, node.level, node.name, self.machine(frame)))

    def each(self, nodes: tuple[core.Expression, ...], frame: Frame) -> list[Any]:
        """The values of expressions, some of them starred."""
        found: list[Any] = []
        for node in nodes:
            if not isinstance(node, core.Star):
                found.append(self.value(node, frame))
                continue
            found += self.certain(self.value(node.of, frame), "a starred value")
        return found

    def certain(self, value: Any, what: str) -> list[Any]:
        """The items of what has a known number of them, all of which are there."""
        items = self.items(value, what)
        if not isinstance(items, list) or any(there is not TRUE for there, _ in items):
            self.refuse(f"{what} has an unknown number of items")
        return [item for _, item in items]

    def _tuple(self, node: core.TupleOf, frame: Frame) -> Any:
        return self.tuple_of(self.each(node.items, frame))

    def _new(self, node: core.New, frame: Frame) -> Any:
        if node.kind != "dict":
            if node.items and all(isinstance(each, core.Star) for each in node.items) and len(node.items) == 1:
                return self.call({"list": list, "set": set}[node.kind], [self.value(node.items[0].of, frame)], {})  # type: ignore[union-attr]
            items = tuple((TRUE, each) for each in self.each(node.items, frame))
            return self.new_set(items) if node.kind == "set" else self.new(Items("list", items))
        made = self.new(Entries())
        for each in node.items:
            if isinstance(each, core.Star):
                pairs: list[tuple[Any, Any]] = list(self.entries_of(self.value(each.of, frame)).entries)
            else:
                pairs = [tuple(self.each(each.items, frame))]  # type: ignore[union-attr, list-item]
            for key, of in pairs:
                self.put(made, key, of)
        return made

    def entries_of(self, value: Any) -> Entries:
        """The entries of a dictionary with constant keys, which may be one value."""
        content = self.content(value)
        if isinstance(content, Term) and is_dictionary(content):
            content = self.content(self.into(table_of_entries(content)))
        if not isinstance(content, Entries):
            self.refuse("`**` of what is no dictionary with constant keys is not supported", "write each item out")
        return content

    def new_set(self, items: tuple[tuple[Term, Any], ...]) -> Ref:
        """A new set of items; equal ones are one."""
        return self.new(Items("set", tuple(dict.fromkeys(items))))

    def _apply(self, node: core.Apply, frame: Frame) -> Any:
        if node.operator == "items of" and isinstance(known := node.operands[1], core.Const):
            return self._items_of(self.value(node.operands[0], frame), *known.value)  # type: ignore[misc]
        return self.apply(node.operator, [self.value(each, frame) for each in node.operands])

    def _items_of(self, subject: Any, size: int, star: int | None) -> Any:
        """The items of what the pattern of a sequence matches, as a tuple; None where it does not match."""
        subject = self.resolved(subject)
        content = self.content(subject)
        match content:
            case TupleV() | Items(kind="list"):
                items = self.certain(subject, "the subject of this pattern")
            case Term() if is_tuple(content.type):
                items = [project(content, at) for at in range(component_count(content))]
            case Term() if content.type in (INT, BOOL, TEXT, RATIONAL):
                return MISSING
            case _:
                self.refuse("this pattern of `match` is not supported here", "write `if` and `elif`")
        if len(items) != size if star is None else len(items) < size - 1:
            return MISSING
        return self.tuple_of(items if star is None else self.with_rest(items, size, star))

    def with_rest(self, items: list[Any], size: int, star: int) -> list[Any]:
        """Items for so many names, one of which takes the list of what the others leave."""
        after = len(items) - (size - 1 - star)
        return [*items[:star], self.call(list, [self.tuple_of(items[star:after])], {}), *items[after:]]

    def apply(self, sign: str, values: list[Any]) -> Any:
        """What an operator gives."""
        values = [self.resolved(each) for each in values]
        for at, each in enumerate(values):
            if isinstance(each, Guarded) and sign not in ("slice", "append", "add", "put"):
                return self._of_each(sign, values, at, each)
        if sign not in _ASK_NO_ITEM and any(isinstance(each, Ref) and self.is_iterator(each) for each in values):
            self.refuse(f"`{sign}` of an iterator is not supported", "make a list of it")
        rule = _RULES.get(sign)
        if rule is not None:
            found = rule(self, *values)
            if found is not NotImplemented:
                return found
        if sign.endswith("=") and sign not in _COMPARISONS:
            return self.changed_in_place(sign[:-1], *values)
        if sign not in _NODES:
            self.refuse("this pattern of `match` is not supported here", "write `if` and `elif`")
        if sign in _COMPARISONS:
            return self.plain(lambda a, b: ast.Compare(a, [_NODES[sign]()], [b]), *values)
        if len(values) == 1:
            return self.plain(lambda a: ast.UnaryOp(_NODES[sign](), a), *values)
        return self.plain(lambda a, b: ast.BinOp(a, _NODES[sign](), b), *values)

    def _of_each(self, sign: str, values: list[Any], at: int, of: Guarded) -> Any:
        """What an operator gives for each of the two values that an operand may be."""
        one, other = ([*values[:at], chosen, *values[at + 1 :]] for chosen in (of.one, of.other))
        return self.choice(of.test, lambda: self.apply(sign, one), lambda: self.apply(sign, other))

    def changed_in_place(self, sign: str, one: Any, other: Any) -> Any:
        """`one op= other`, which lists and sets do in place."""
        content = self.content(one)
        if isinstance(content, AtKey | Items | Whole) and isinstance(one, Ref):
            if sign == "|" and isinstance(content, AtKey):
                self.method(one, "update", [other], {})
                return one
            if sign != "+" or (isinstance(content, Items) and content.kind != "list"):
                self.refuse(f"`{sign}=` of a list or a set is not supported here", "use `update`, or make a new one")
            self.method(one, "extend", [other], {})
            return one
        return self.apply(sign, [one, other])

    def _if_not(self, one: Any) -> Any:
        return negation(self.truth(one))

    def _identity(self, one: Any, other: Any) -> Any:
        if isinstance(one, Term) and isinstance(other, Term):
            return NotImplemented
        if isinstance(one, Ref) and isinstance(other, Ref):
            if one != other and any(map(self._may_be_kept, (one, other))):
                self.refuse("`is` of sets and iterators is not supported", "compare by `==`")
            return constant(one == other)
        if isinstance(one, Closure | type) and isinstance(other, Closure | type):
            return constant(one is other)
        for each, against in ((one, other), (other, one)):
            if against is MISSING and isinstance(each, Ref | Closure | type | TupleV):
                return FALSE
        return NotImplemented

    def _may_be_kept(self, value: Ref) -> bool:
        """Whether an object may be one that a function was given and returned, as `frozenset` and `iter` do."""
        content = self.content(value)
        return (
            self.is_iterator(value)
            or not isinstance(content, Fields | Entries | KeyEntry | AtKey | Items)
            or (isinstance(content, Items) and content.kind != "list")
        )

    def _no_identity(self, one: Any, other: Any) -> Any:
        found = self._identity(one, other)
        return found if found is NotImplemented else negation(found)

    def equal(self, one: Any, other: Any) -> Term:
        """Whether two values are equal."""
        found = self.apply("==", [one, other])
        assert isinstance(found, Term)
        return found

    def _equal(self, one: Any, other: Any) -> Any:
        a, b = self.content(one), self.content(other)
        if isinstance(a, TupleV) and isinstance(b, TupleV):
            if len(a.items) != len(b.items):
                return FALSE
            return conjunction(*(self.equal(x, y) for x, y in zip(a.items, b.items, strict=True)))
        if isinstance(a, Fields) or isinstance(b, Fields):
            self.refuse("`==` of objects of a class is not supported", "compare attributes")
        if any(isinstance(each, Items) and each.kind == "view" for each in (a, b)):
            self.refuse("`==` of a view of a dictionary is not supported", "compare lists or sets")
        if isinstance(a, Items) and isinstance(b, Items) and a.kind == b.kind == "list":
            certain = all(there is TRUE for there, _ in (*a.items, *b.items)) and not (a.mark or b.mark)
            if certain:
                pairs = zip(a.items, b.items, strict=False)
                same_size = len(a.items) == len(b.items)
                return conjunction(*(self.equal(x, y) for (_, x), (_, y) in pairs)) if same_size else FALSE
        return NotImplemented

    def _unequal(self, one: Any, other: Any) -> Any:
        found = self._equal(one, other)
        return found if found is NotImplemented else negation(found)

    def _contains(self, item: Any, of: Any) -> Any:
        content = self.content(of)
        match content:
            case TupleV(items):
                return disjunction(FALSE, *(self.equal(item, each) for each in items))
            case Items(items=items):
                self.require_read(content)
                return disjunction(FALSE, *(conjunction(there, self.equal(item, each)) for there, each in items))
            case Entries(entries):
                return disjunction(FALSE, *(self.equal(item, key) for key, _ in entries))
            case KeyEntry():
                return self.cell_at(of, item).there
        return NotImplemented

    def _contains_not(self, item: Any, of: Any) -> Any:
        found = self._contains(item, of)
        return found if found is NotImplemented else negation(found)

    def require_read(self, content: Items) -> Items:
        """A list or set that is read; refuses one that a loop is about to fill."""
        if content.mark:
            self.refuse("a list or a set is read in the loop that fills it", "read it after the loop")
        return content

    def _slice(self, *bounds: Any) -> Any:
        return slice(*bounds)

    def _item(self, of: Any, index: Any) -> Any:
        content = self.content(of)
        match content:
            case Entries() | KeyEntry():
                return self.looked_up(of, index)
            case Fields():
                return self.call(self.attribute(of, "__getitem__"), [index], {})
            case TupleV(items):
                found = self.at(list(items), index)
                return self.tuple_of(found) if isinstance(index, slice) else found
            case Items(kind="list", items=pairs):
                self.require_read(content)
                if any(there is not TRUE for there, _ in pairs):
                    return NotImplemented
                found = self.at([each for _, each in pairs], index)
                if found is NotImplemented:
                    return found
                return self.new(Items("list", tuple((TRUE, x) for x in found))) if isinstance(index, slice) else found
        if isinstance(index, slice):
            parts = {"lower": index.start, "upper": index.stop, "step": index.step}
            there = {name: each for name, each in parts.items() if each is not MISSING}

            def sliced(whole: ast.expr, *bounds: ast.expr) -> ast.expr:
                given = dict(zip(there, bounds, strict=True))
                part = ast.Slice(given.get("lower"), given.get("upper"), given.get("step"))
                return ast.Subscript(whole, part, ast.Load())

            return self.plain(sliced, of, *there.values())
        key = literal(index) if isinstance(index, Term) else None
        if isinstance(key, str):  # of a row of Spark's
            return self.plain(lambda a: ast.Subscript(a, ast.Constant(key), ast.Load()), of)
        return self.plain(lambda a, b: ast.Subscript(a, b, ast.Load()), of, index)

    def at(self, items: list[Any], index: Any) -> Any:
        """An item, or a slice, of a list; refuses an index that is not constant, or out of range."""
        if isinstance(index, slice):
            bounds = [None if each is MISSING else self.integer(each) for each in (index.start, index.stop, index.step)]
            return items[slice(*bounds)]
        known = self.integer(index)
        if not -len(items) <= known < len(items):
            self.refuse(f"the index {known} of what has {len(items)} items")
        return items[known]

    def _plus(self, one: Any, other: Any) -> Any:
        a, b = self.content(one), self.content(other)
        if isinstance(a, Items) and isinstance(b, Items) and a.kind == b.kind == "list":
            return self.new(Items("list", (*self.require_read(a).items, *self.require_read(b).items)))
        if isinstance(a, AtKey | Extended) and isinstance(b, Items) and b.kind == "list":
            return self.extended(one, a, "list", self.require_read(b).items)
        if isinstance(a, TupleV) or isinstance(b, TupleV):
            return self.tuple_of([*self.certain(one, "this"), *self.certain(other, "this")])
        return NotImplemented

    def _power(self, one: Any, other: Any) -> Any:
        base, exponent = (literal(each) if isinstance(each, Term) else None for each in (one, other))
        small = type(base) is type(exponent) is int and abs(base) <= 1000 and 0 <= exponent <= _LARGEST_EXPONENT  # type: ignore[arg-type,operator]
        return constant(base**exponent) if small else NotImplemented  # type: ignore[operator]

    def _united(self, one: Any, other: Any) -> Any:
        a, b = self.content(one), self.content(other)
        if isinstance(a, AtKey | Extended) and isinstance(b, Items) and b.kind == "set":
            return self.extended(one, a, "set", self.require_read(b).items)
        return NotImplemented

    def _format(self, one: Any, spec: Any) -> Any:
        if not (isinstance(spec, Term) and isinstance(spec.parameter, str)):
            self.refuse("a format that is not constant is not supported")
        form = ast.JoinedStr([ast.Constant(spec.parameter)]) if spec.parameter else None
        return self.plain(lambda a: ast.JoinedStr([ast.FormattedValue(a, -1, form)]), one)

    def _concat(self, *parts: Any) -> Any:
        made: Any = constant("")
        for each in parts:
            made = each if made is constant("") else self.apply("+", [made, each])
        return made

    def _put_item(self, of: Any, key: Any, value: Any) -> Any:
        self.put(of, key, value)
        return MISSING

    def _call(self, node: core.Call, frame: Frame) -> Any:
        if isinstance(node.function, core.Attribute):
            of = self.value(node.function.of, frame)
            if isinstance(of, Ref) and isinstance(self.content(of), Fields):  # found before the arguments are computed
                function = self.attribute(of, node.function.name)
                return self.call(function, self.each(node.arguments, frame), self._named(node, frame))
            given, named = self.each(node.arguments, frame), self._named(node, frame)
            return self.method(of, node.function.name, given, named)
        function = self.value(node.function, frame)
        return self.call(function, self.each(node.arguments, frame), self._named(node, frame))

    def _named(self, node: core.Call, frame: Frame) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for name, each in node.keywords:
            value = self.value(each, frame)
            more = {name: value}
            if name == "**":
                entries = self.entries_of(value).entries
                if not all(isinstance(key.parameter, str) for key, _ in entries):
                    self.refuse("the names of arguments must be texts")
                more = {str(key.parameter): each for key, each in entries}
            if found.keys() & more.keys():
                self.refuse("an argument is given twice")
            found |= more
        return found

    def _attribute(self, node: core.Attribute, frame: Frame) -> Any:
        return self.attribute(self.value(node.of, frame), node.name)

    def _if(self, node: core.If, frame: Frame) -> Any:
        test = self.truth(self.value(node.test, frame))
        return self.choice(test, lambda: self.value(node.then, frame), lambda: self.value(node.otherwise, frame))

    def _block(self, node: core.Block, frame: Frame) -> Any:
        self.run(node.body, frame)
        if self.gone:
            self.gone = False
            raise RaisedError
        return self.value(node.value, frame)

    def _closure(self, node: core.MakeClosure, frame: Frame) -> Any:
        defaults = tuple(self.value(each, frame) for each in node.defaults)
        by_name = {name: self.value(each, frame) for name, each in node.keyword_defaults}
        boxes = {slot: frame.setdefault(slot, Box()) for slot in node.function.captured}
        return Closure(frame[MACHINE], node.function, boxes, defaults, by_name)

    def _class(self, node: core.MakeClass | core.OfClass, frame: Frame) -> Any:
        self.refuse("a class inside of a function is not supported", "define it at the top level")

    def select(self, test: Term, one: Any, other: Any) -> Any:
        """`one` where a test holds, else `other`."""
        if test in (TRUE, FALSE) or same(one, other):
            return other if test is FALSE else one
        match one, other:
            case Term(), Term():
                if one.type == other.type == BOOL and (one is test or other is test):
                    return disjunction(test, other) if one is test else conjunction(test, one)
                found = self.reader.merge(test, one, other, "both branches")
                return Guarded(test, one, other) if isinstance(found, Unusable) else found
            case TupleV(a), TupleV(b) if len(a) == len(b):
                return self.tuple_of([self.select(test, x, y) for x, y in zip(a, b, strict=True)])
            case Items(kind, a, mark), Items(kind=of, items=b, mark=number) if (kind, mark) == (of, number):
                return Items(kind, conditional(test, a, b), mark)
            case Entries(a, kind, default), Entries(b) if [k for k, _ in a] == [k for k, _ in b]:
                pairs = zip(a, b, strict=True)
                return Entries(tuple((k, self.select(test, x, y)) for (k, x), (_, y) in pairs), kind, default)
            case Fields(made_by, a), Fields(of, b) if made_by is of and [n for n, _ in a] == [n for n, _ in b]:
                pairs = zip(a, b, strict=True)
                return Fields(made_by, tuple((n, self.select(test, x, y)) for (n, x), (_, y) in pairs))
            case KeyEntry(), KeyEntry():
                return self.joined_cells(test, one, other)
            case Whole() | Items() | Entries() | Fields(), _:
                return self.merged_contents(test, one, other)
        return Guarded(test, one, other)


_VALUES: Final[dict[type, Callable[..., Any]]] = {
    core.Unread: Expressions._unread, core.Const: Expressions._const, core.Local: Expressions._local,
    core.CellVariable: Expressions._local, core.OfClass: Expressions._class, core.Global: Expressions._global,
    core.Builtin: Expressions._global, core.Import: Expressions._import, core.ImportName: Expressions._import_name,
    core.TupleOf: Expressions._tuple, core.New: Expressions._new, core.Apply: Expressions._apply,
    core.Call: Expressions._call, core.Attribute: Expressions._attribute, core.If: Expressions._if,
    core.Block: Expressions._block, core.MakeClosure: Expressions._closure, core.MakeClass: Expressions._class,
}  # fmt: skip
_RULES: Final[dict[str, Callable[..., Any]]] = {
    "not": Expressions._if_not, "is": Expressions._identity, "is not": Expressions._no_identity,
    "==": Expressions._equal, "!=": Expressions._unequal, "in": Expressions._contains,
    "not in": Expressions._contains_not, "slice": Expressions._slice, "item": Expressions._item,
    "+": Expressions._plus, "|": Expressions._united, "format": Expressions._format, "concat": Expressions._concat,
    "append": lambda self, of, item: self.method(of, "append", [item], {}),
    "add": lambda self, of, item: self.method(of, "add", [item], {}),
    "put": Expressions._put_item, "**": Expressions._power, "iterator": lambda self, of: of,
}  # fmt: skip
