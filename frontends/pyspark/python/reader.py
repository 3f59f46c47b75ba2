"""The reader: runs functions of the source on terms instead of values, and thereby turns them into terms.

Assignments, calls and closures are followed as Python would; a conditional runs both branches and merges
their results with `ite`, variable by variable, so code grows terms, never paths. Each construct is read in
full or refused at its position.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Final

from tallystick.core.exceptions import may_raise
from tallystick.core.functions import RAISE
from tallystick.core.terms import (
    TRUE,
    Operator,
    Term,
    apply_function,
    build,
    conjunction,
    implies,
    ite,
    negation,
    variable,
)
from tallystick.core.types import TEXT, BagType, is_basic
from tallystick.frontends.errors import SourceError
from tallystick.frontends.pyspark.named_functions.applying import applied, applied_builtin
from tallystick.frontends.pyspark.named_functions.methods import RANGE
from tallystick.frontends.pyspark.python import parameters, slots, statements, texts
from tallystick.frontends.pyspark.python.attempts import Attempts
from tallystick.frontends.pyspark.python.expressions import evaluating, operators
from tallystick.frontends.pyspark.python.functions.table import BUILTINS
from tallystick.frontends.pyspark.python.gathered import merged_gathered
from tallystick.frontends.pyspark.python.group_dictionaries import keys_of
from tallystick.frontends.pyspark.python.group_sets import group_or_empty, merged_groups
from tallystick.frontends.pyspark.python.reading import Noted
from tallystick.frontends.pyspark.python.truth import truth
from tallystick.frontends.pyspark.rdds.collected import collected_or_empty, kind_of_either
from tallystick.frontends.pyspark.rdds.folds import FoldCall
from tallystick.frontends.pyspark.scoping.names import Names
from tallystick.frontends.pyspark.scoping.scopes import position_of, scope_of
from tallystick.frontends.pyspark.scoping.source import Place, SourceFile
from tallystick.frontends.pyspark.scoping.types import annotated_type
from tallystick.frontends.pyspark.uninterpreted.types import NotPureError
from tallystick.frontends.pyspark.values import enums, records
from tallystick.frontends.pyspark.values.describing import describe, dictionary_term, is_rdd, leaves
from tallystick.frontends.pyspark.values.dictionaries import dictionary_type
from tallystick.frontends.pyspark.values.groups import HAS_GROUP, Gathered, Group, PerhapsGroup, Products
from tallystick.frontends.pyspark.values.held_lists import rows_of
from tallystick.frontends.pyspark.values.kinds import (
    MOST_LEAVES,
    Builtin,
    Closure,
    Dictionary,
    EnumClass,
    Frame,
    Grouped,
    Ignored,
    Instance,
    Listing,
    Partial,
    Pieces,
    Raises,
    Ranked,
    Record,
    RecordClass,
    Slots,
    Spread,
    Table,
    Unusable,
    Value,
)
from tallystick.frontends.pyspark.values.means import guarded_mean
from tallystick.frontends.pyspark.values.options import MISSING, implies_literal, narrowed, unified
from tallystick.frontends.pyspark.values.record_types import RecordType

DEEPEST: Final = 100
MOST_STEPS: Final = 100_000
IN_ANY_ORDER: Final = frozenset(("len", "sum", "min", "max", "any", "all", "set", "frozenset", "Counter"))
"""Functions whose values do not depend on the order of a list."""


class Reader:
    """Reads one program. Every method raises SourceError for code that is not supported."""

    def __init__(self) -> None:
        self.names = Names(self.evaluate, self.decorated)
        self.folds: list[FoldCall] = []
        self.repartitions = False
        self.in_udf = False
        self.files: set[Term] = set()
        self.yields: list[tuple[Term, Term]] | None = None
        self.source_of_yields: Spread | Group | Products | None = None
        self.yields_of_source = 0  # how many of these are made for each item of the source
        self.attempts: Attempts | None = None
        self.answers: dict[tuple[Term, Term], Term] = {}
        self.groups: dict[tuple[Term, Grouped], Value] = {}
        self.inner_loops: dict[ast.For, frozenset[str]] = {}  # of loops at the driver: what these change
        self.item: Term | None = None  # of an inner loop
        self.conditions: list[tuple[Place, Term]] = []
        self._path: Term = TRUE
        self._gone_through: set[ast.expr] = set()
        self._active: list[Closure] = []
        self._record_types: dict[RecordClass, RecordType] = {}
        self._depth = 0
        self._steps = 0
        self._depth_of: dict[Term, int] = {}
        self.named: set[object] = set()
        self.states: tuple[ast.AST | None, frozenset[str]] = None, frozenset()
        self.state_size: int | None = None
        self.flattened: ast.AST | None = None
        self.may_fail = False  # whether Python may raise for what was computed, even if nothing uses that

    def evaluate(self, node: ast.expr, frame: Frame) -> Value:
        """The value of an expression."""
        place = frame.scope.source.place(node)
        with self.nested(place):
            value = evaluating.evaluate(self, node, frame, place)
        if self.attempts is not None:
            self.attempts.note(node, value, self._path, place)
        self.may_fail = self.may_fail or isinstance(value, Raises)
        if isinstance(value, PerhapsGroup) and implies_literal(self._path, HAS_GROUP):
            value = value.group
        if isinstance(value, Term):
            value = narrowed(value, self._path)
            self.computed(value, place)
            if leaves(value.type) > MOST_LEAVES:
                message = f"this value has more than {MOST_LEAVES} components"
                raise place.error(message, "keep only the components that are needed")
        if self.in_udf and is_rdd(value):
            hint = "Spark cannot use an RDD inside a function; join or combine the RDDs outside it"
            raise place.error("an RDD is used inside a function that runs on elements", hint)
        return value

    def condition(self, node: ast.expr, frame: Frame, what: str) -> Term:
        """When Python finds the value of an expression true."""
        with self.nested(frame.scope.source.place(node)):
            return operators.condition(self, node, frame, what)

    @contextmanager
    def nested(self, place: Place) -> Iterator[None]:
        """One more level of nesting while the block runs, and one more step; both are bounded."""
        self._steps += 1
        if self._depth >= DEEPEST:
            message = f"the code is nested more than {DEEPEST} levels deep"
            raise place.error(message, "name intermediate values")
        if self._steps > MOST_STEPS:
            raise place.error(f"reading the program takes more than {MOST_STEPS} steps", "call fewer helpers")
        self._depth += 1
        try:
            yield
        finally:
            self._depth -= 1

    @contextmanager
    def assuming(self, condition: Term) -> Iterator[None]:
        """The code that the block reads runs only where the condition holds."""
        outside = self._path
        self._path = conjunction(outside, condition)
        try:
            yield
        finally:
            self._path = outside

    @contextmanager
    def alone(self) -> Iterator[None]:
        """The code that the block reads runs by itself: its conditions say nothing of the code around it."""
        outside, self._path = self._path, TRUE
        try:
            yield
        finally:
            self._path = outside

    @property
    def path(self) -> Term:
        """The condition under which the code runs that is being read."""
        return self._path

    def raises_unless(self, condition: Term, place: Place) -> None:
        """The program raises here, where control comes here and the condition does not hold."""
        self.conditions.append((place, implies(self._path, condition)))

    def goes_through(self, *nodes: ast.expr) -> None:
        """Say that all items of what these expressions give are asked for, in order."""
        self._gone_through.update(nodes)

    def is_gone_through(self, node: ast.expr) -> bool:
        """Whether all items of what an expression gives are asked for."""
        return node in self._gone_through

    @contextmanager
    def lazily(self, node: ast.expr, place: Place) -> Iterator[None]:
        """The block makes the items of a generator, of which Python makes as many as are asked for.

        Raises SourceError where they may raise an exception, and not all are surely asked for.
        """
        before = self._possible_exceptions()
        yield
        if self._possible_exceptions() != before and not self.is_gone_through(node):
            message = "Python may leave this generator before an item that raises an exception"
            raise place.error(message, "make a list: `[…]`")
        if self.attempts is not None and self.attempts.count > before[0]:
            self.attempts.lazy[node] = self.attempts.count

    def _possible_exceptions(self) -> tuple[int, int]:
        failures = 0 if self.attempts is None else self.attempts.count
        return failures, sum(condition is not TRUE for _, condition in self.conditions)

    def computed(self, term: Term, place: Place) -> None:
        """Note that Python computes a term here; raises SourceError for one that is too deep."""
        known = self._depth_of
        if term not in known:
            waiting = [term]
            while waiting:
                parts = _parts(waiting[-1])
                if missing := [each for each in parts if each not in known]:
                    waiting.extend(missing)
                else:
                    done = waiting.pop()
                    known[done] = 1 + max((known[each] for each in parts), default=0)
                    self.may_fail = self.may_fail or may_raise(done)
        if known[term] > 2 * DEEPEST:
            message = f"the value that this computes is more than {2 * DEEPEST} levels deep"
            raise place.error(message, "compute it in fewer steps")

    def closure(self, node: ast.FunctionDef | ast.Lambda, frame: Frame) -> Closure:
        """The function that a def or lambda makes now: it sees the names as they are, and itself."""
        if frame.static:
            return Closure(node, frame.scope.source, frame, position_of(node))
        if frame.runs_at_once:
            place = frame.scope.source.place(node)
            raise place.error("a function made in a comprehension is not supported", "make it before")
        made = Frame(frame.scope, dict(frame.values), frame.parent, frame.created_at)
        made_at = position_of(node) if frame.loop is None else frame.loop
        defaults = parameters.default_values(self, node, frame)
        result = Closure(node, frame.scope.source, made, made_at, defaults=defaults)
        if isinstance(node, ast.FunctionDef):
            made.values[node.name] = result
        return result

    def decorated(self, function: Closure, frame: Frame) -> Value:
        """The function that the decorators of a definition make of it."""
        result: Value = function
        decorators = function.node.decorator_list if isinstance(function.node, ast.FunctionDef) else []
        for each in reversed(decorators):
            place = frame.scope.source.place(each)
            result = self.call(self.evaluate(each, frame), place, [result], {})
            if not isinstance(result, Closure | Partial | Builtin):
                raise place.error("this decorator makes no function", "call the function itself")
        return result

    def call(self, function: Value, place: Place, given: list[Value], named: dict[str, Value]) -> Value:
        """The value of a call, whose arguments are given by position and by name."""
        if isinstance(function, Builtin):
            return self._called_builtin(function, place, given, named)
        if isinstance(function, Ignored):
            return MISSING
        if isinstance(function, Unusable):
            raise place.error(f"this function {function.reason}", function.hint)
        if isinstance(function, Partial):
            return self.call(function.function, place, [*function.given, *given], {**dict(function.named), **named})
        if isinstance(function, Instance) and "__call__" in function.made.methods:
            return self.call(records.of_instance(self, function, "__call__", place), place, given, named)
        if isinstance(function, RecordClass):
            return records.construct(self, function, place, given, named)
        if isinstance(function, EnumClass):
            return self._member_of_value(function, place, given, named)
        if not isinstance(function, Closure):
            raise place.error(f"this is called as a function and is {describe(function)}")
        if function in self._active:
            raise place.error(f"{function.shown} calls itself", "recursion is not supported")
        values = parameters.bind_parameters(self, function, place, given, named)
        scope = scope_of(function.source, function.node)
        frame = Frame(scope, values, function.frame, function.made_at)
        self._active.append(function)
        try:
            with self.nested(place):
                return self._run(function, place, frame)
        finally:
            self._active.pop()

    def noted(self) -> Noted:
        """What is noted of the code that was read so far, for `forget`."""
        return (
            self.yields,
            self.source_of_yields,
            self.attempts,
            len(self.folds),
            len(self.conditions),
            dict(self.answers),
        )

    def forget(self, noted: Noted) -> None:
        """Forget what was noted of code since: it is not read so."""
        self.yields, self.source_of_yields, self.attempts, folds, conditions, self.answers = noted
        del self.folds[folds:], self.conditions[conditions:]

    def _run(self, function: Closure, place: Place, frame: Frame) -> Value:
        """What a function returns; one that Spark runs on elements, and that is not read, is only given a name."""
        values = dict(frame.values)
        named = (function.node, tuple(each.type if isinstance(each, Term) else type(each) for each in values.values()))
        if (not self.in_udf and function.node not in self.named) or self.attempts is not None:
            return statements.run(self, function, frame)
        before = self.noted()
        try:
            if named not in self.named and function.node not in self.named:
                return statements.run(self, function, frame)
            problem = place.error(f"{function.shown} is not supported here")
        except SourceError as error:
            problem = error
            self.forget(before)
        try:
            result = applied(self, function, place, values)
        except NotPureError:
            raise problem from None
        self.named.add(named)
        return result

    def _member_of_value(self, enum: EnumClass, place: Place, given: list[Value], named: dict[str, Value]) -> Value:
        """`Enum(value)`, which raises ValueError where no member has the value."""
        if len(given) != 1 or named or self.attempts is not None:
            raise place.error(f"`{enum.of}` is called with one value, and not in a `try`", "test the value before")
        there, member = enums.member_of_value(enum, given[0], place)
        if self.in_udf:
            return ite(there, member, apply_function(RAISE, enum.of))
        self.raises_unless(there, place)
        return member

    def _called_builtin(self, function: Builtin, place: Place, given: list[Value], named: dict[str, Value]) -> Value:
        if self.attempts is not None and function.name == "fromordinal":
            raise place.error("days that there are not are not followed in a `try`", "write a condition")
        if function.name not in ("dict", "Counter"):
            given = [*map(keys_of, given)]
        if function.name in IN_ANY_ORDER and "key" not in named:
            given = [each.of if isinstance(each, Ranked) and each.of is not None else each for each in given]
        if function.calling is not None:
            return function.calling(lambda each, values: self.call(each, place, values, {}), place, given, dict(named))
        if named and function.apply_named is None:
            raise place.error(f"`{function.name}` takes no keyword `{next(iter(named))}` here")
        if named and function.apply_named is not None:
            return function.apply_named(place, given, named)
        value = function.apply(place, given)
        if self.attempts is not None:  # it may be called by `map` and the like, not by the source
            self.attempts.note(ast.Call(place.node), value, self._path, place)  # type: ignore[arg-type]
        return value

    def record_type(self, made: RecordClass, place: Place) -> RecordType:
        """The type of a class's records, as its annotations say."""
        if not made.typed:
            hint = "write it as a class: `class …(NamedTuple)`, with a type for each field"
            raise place.error(f"the fields of `{made.name}` have no types", hint)
        if made not in self._record_types:
            frame = self.names.module_frame(made.source)
            types = [annotated_type(each, frame, made.source.place(each), self) for _, each in made.fields]
            if not types:
                raise place.error(f"objects of the class `{made.name}` have no fields", "take what has a value")
            for (name, each), of in zip(made.fields, types, strict=True):
                if not is_basic(of):
                    raise made.source.place(each).error(f"the field `{name}` of `{made.name}` is an RDD")
            names = tuple(name for name, _ in made.fields)
            if made.kind == "dict":
                return dictionary_type(dict(zip(names, types, strict=True)))  # type: ignore[arg-type]
            self._record_types[made] = RecordType(tuple(types), names, made.kind, made)  # type: ignore[arg-type]
        return self._record_types[made]

    @contextmanager
    def all_items_of(self, function: Value) -> Iterator[None]:
        """The block takes all items of what a function returns, so a generator is as good as a list."""
        node = function.node if isinstance(function, Closure) else None
        outside, self.flattened = self.flattened, node
        try:
            yield
        finally:
            self.flattened = outside

    def udf(self, function: Value, place: Place, *arguments: Value) -> Value:
        """What a function that Spark runs on elements returns for these arguments."""
        callable_object = isinstance(function, Instance) and "__call__" in function.made.methods
        if not (callable_object or isinstance(function, Closure | Builtin | Partial | RecordClass)):
            raise place.error(f"this must be a function, and is {describe(function)}")
        outside, self.in_udf = self.in_udf, True
        try:
            result = self.call(function, place, list(arguments), {})
            return self._range_as_value(function, result, place, arguments)
        except SourceError as problem:
            if not (isinstance(function, Builtin) and BUILTINS.get(function.name) is function):
                raise
            if len(arguments) != 1 or not isinstance(arguments[0], Term):
                raise
            try:
                return applied_builtin(function, place, arguments[0])
            except NotPureError:
                raise problem from None
        finally:
            self.in_udf = outside

    def condition_of(self, function: Value, place: Place, *arguments: Value) -> Term:
        """When Python finds true what a function returns that Spark runs on elements."""
        return truth(self.udf(function, place, *arguments), place, "what this function returns")

    def _range_as_value(self, function: Value, result: Value, place: Place, arguments: tuple[Value, ...]) -> Value:
        """What a function returned; a list of numbers of a range, where its items are not all taken, as one value."""
        of_range = isinstance(result, Spread) and result.pieces.function.endswith(RANGE)
        if not of_range or not isinstance(function, Closure) or function.node is self.flattened:
            return result
        try:
            given = parameters.bind_parameters(self, function, place, list(arguments), {})
            return applied(self, function, place, given)
        except NotPureError:
            return result

    def merge(self, condition: Term, then: Value, otherwise: Value, what: str) -> Value:
        """`then` if the condition holds, else `otherwise`; Unusable when no term says that."""
        if then is otherwise:
            return then
        if (both := self._merged_items(condition, then, otherwise, what)) is not None:
            return both
        if (group := group_or_empty(condition, then, otherwise)) is not None:
            return group
        then, otherwise = _as_term(then), _as_term(otherwise)
        if isinstance(then, Term) and isinstance(otherwise, Term):
            both = unified(then, otherwise)
            if both is None:
                types = f"{describe(then)} in one branch and {describe(otherwise)} in the other"
                return Unusable(f"is {types}", f"{what} must have one type")
            then, otherwise = both
            if is_rdd(then):
                opposite = build(Operator.FILTER, (negation(condition), otherwise))
                return build(Operator.UNION, (build(Operator.FILTER, (condition, then)), opposite))
            return ite(condition, then, otherwise)
        if isinstance(then, Raises) or isinstance(otherwise, Raises):
            return _merged_with_exception(condition, then, otherwise)
        if (spread := _merged_spreads(condition, then, otherwise)) is not None:
            return spread
        if isinstance(then, Gathered) or isinstance(otherwise, Gathered):
            return merged_gathered(condition, then, otherwise)
        if isinstance(then, Group) or isinstance(otherwise, Group):
            return merged_groups(condition, then, otherwise)
        if (rows := _merged_rows(condition, then, otherwise)) is not None:
            return rows
        if isinstance(then, Listing) and isinstance(otherwise, Listing):
            return _merged_lists(condition, then, otherwise)
        if (chosen := collected_or_empty(condition, then, otherwise)) is not None:
            return chosen
        if isinstance(then, Dictionary) and isinstance(otherwise, Dictionary) and not condition.bound:
            bag = self.merge(condition, then.bag, otherwise.bag, what)
            if not isinstance(bag, Term):
                return bag
            if (then.kind == "set") == (otherwise.kind == "set"):
                return Dictionary(replace(then.items, bag=bag), kind_of_either(then.kind, otherwise.kind))
        for value in (then, otherwise):
            if isinstance(value, Unusable):
                return value
        return Unusable("depends on a condition and is no value", "choose between values, not functions")

    def _merged_items(self, condition: Term, then: Value, otherwise: Value, what: str) -> Value | None:
        """Dictionaries with the same constant keys, or lists whose items were set, item by item; None for others."""
        of_state = isinstance(then, Listing) and len(then.items) == self.state_size
        if not (isinstance(then, Table | Slots) or isinstance(otherwise, Slots) or of_state):
            return None
        one, other = slots.as_state(then), slots.as_state(slots.with_keys_of(then, otherwise))
        merged = None if one is None or other is None else self.merge(condition, one, other, what)
        return slots.from_state(then, merged) if isinstance(merged, Term) else None

    def enclosing(self, source: SourceFile, functions: list[ast.FunctionDef | ast.AsyncFunctionDef]) -> Frame:
        """The frame of the names around a function that stands inside `functions`, outermost first."""
        frame = self.names.module_frame(source)
        for function in functions:
            frame = Frame(scope_of(source, function), {}, frame, position_of(function), static=True)
        return frame


def _parts(term: Term) -> tuple[Term, ...]:
    """The arguments of a term; of a mean, the sum and the count, as its quotient never raises."""
    mean = guarded_mean(term)
    return term.arguments if mean is None else (mean.total, mean.count)


def _as_term(value: Value) -> Value:
    """A dictionary of constant keys as a term, where it is one; any other value as it is."""
    made = dictionary_term(value) if isinstance(value, Table) else None
    return value if made is None else made


def _merged_with_exception(condition: Term, then: Value, otherwise: Value) -> Value:
    """A value on one side of a condition, and an exception on the other."""
    if isinstance(then, Raises) and isinstance(otherwise, Raises):
        return then
    value = otherwise if isinstance(then, Raises) else then
    if not isinstance(value, Term) or isinstance(value.type, BagType):
        return Unusable("is made in one branch, where the other raises an exception", "raise where a value is computed")
    raised = apply_function(RAISE, value.type)
    return ite(condition, raised, value) if isinstance(then, Raises) else ite(condition, value, raised)


def _merged_rows(condition: Term, then: Value, otherwise: Value) -> Listing | None:
    """Lists of tuples that hold lists, where one of the two at least has such; None for other values."""
    if not isinstance(then, Record) and not isinstance(otherwise, Record):
        return None
    one, other = rows_of(then), rows_of(otherwise)
    return None if one is None or other is None else _merged_lists(condition, one, other)


def _merged_lists(condition: Term, then: Listing, otherwise: Listing) -> Listing:
    items = [(conjunction(condition, holds), item) for holds, item in then.items]
    items += [(conjunction(negation(condition), holds), item) for holds, item in otherwise.items]
    return Listing(tuple(items))


def _merged_spreads(condition: Term, then: Value, otherwise: Value) -> Spread | None:
    """A list of unknown length, or of the same list, on one side of a condition and another on the other side."""
    if not isinstance(then, Spread | Pieces | Listing) or not isinstance(otherwise, Spread | Pieces | Listing):
        return None
    one, other = texts.spread_of(then), texts.spread_of(otherwise)
    sources = {each.pieces for each in (one, other) if isinstance(each, Spread)}
    empty = [each for each in (one, other) if isinstance(each, Listing)]
    if len(sources) != 1 or any(each.items for each in empty):
        return None
    items = [
        (conjunction(guard, there), item)
        for guard, each in ((condition, one), (negation(condition), other))
        if isinstance(each, Spread)
        for there, item in each.items
    ]
    (pieces,) = sources
    once = any(isinstance(each, Spread) and each.once for each in (one, other))
    return Spread(pieces, variable(texts.ITEM, TEXT), tuple(items), once)
