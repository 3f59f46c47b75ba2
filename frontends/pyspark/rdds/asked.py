"""What functions compute of groups of values, as components of the state of one by-key fold.

A function of groups is read once. Each aggregate that it asks for becomes a component of the state, and a variable
until the state is known. A co-group folds the values of both RDDs together, each of which says where it comes from.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from tallystick.core.functions import RAISE
from tallystick.core.terms import (
    FALSE,
    TRUE,
    Operator,
    Term,
    accumulator,
    add,
    apply_function,
    build,
    conjunction,
    constant,
    disjunction,
    element,
    equal,
    free_variables,
    ite,
    negation,
    project,
    rebuild,
    tuple_of,
    variable,
)
from tallystick.core.types import BOOL, INT, RATIONAL, BasicType, TupleType
from tallystick.frontends.pyspark.python import arithmetic
from tallystick.frontends.pyspark.python.truth import truth
from tallystick.frontends.pyspark.rdds.calls import Call, element_of, require_hashable
from tallystick.frontends.pyspark.scoping.source import Place
from tallystick.frontends.pyspark.values.describing import basic_type, show_type
from tallystick.frontends.pyspark.values.kinds import Group, Grouped, Record, Value
from tallystick.frontends.pyspark.values.nominal_types import DECIMAL, content, wrapped
from tallystick.frontends.pyspark.values.options import default_of

NAMES: Final = ("sum", "len", "min", "max", "any", "all")
_BY_KEY: Final = ("min by", "max by")
"""Aggregates of groups of pairs (key, item): the item whose key is best."""
Step = Callable[[Term, Term], Term]


@dataclass(frozen=True)
class _Aggregate:
    """One component of the state: an aggregate of a group on one side of a co-group, or of the only group."""

    side: int
    name: str
    group: Group
    known: Term
    initial: Term
    step: Step

    @property
    def counts(self) -> bool:
        """Whether it may matter how often an item occurs."""
        return self.name not in ("min", "max", "any", "all", *_BY_KEY)


class Asked:
    """What is asked of the groups of a key, while functions of them are read.

    Attributes:
        grouped: the RDD of groups.
        key: the variable that stands for the key.
        groups: what stands for the group, or for the two groups of a co-group.
    """

    def __init__(self, grouped: Grouped) -> None:
        self.grouped = grouped
        of = element_of(grouped.bag)
        assert isinstance(of, TupleType)
        self.key = variable("key of group", of.components[0])
        self._values = [variable(f"item of group {side}", of) for side, of in enumerate(grouped.values)]
        sides = [self._group(side) for side in range(len(grouped.values))]
        self.groups: Value = sides[0] if len(sides) == 1 else Record(tuple(sides))
        self._aggregates: dict[tuple[object, ...], _Aggregate] = {}

    def _group(self, side: int) -> Group:
        def ask(name: str, group: Group, place: Place) -> Term:
            if name == "bool":
                return negation(equal(self._aggregate(side, "len", group, place), constant(0)))
            return self._aggregate(side, name, group, place)

        item = self._values[side]
        return Group(item, ((TRUE, item),), ask, self.grouped.kind, len(self.grouped.values) == 1)

    def _aggregate(self, side: int, name: str, group: Group, place: Place) -> Term:
        """The variable that stands for an aggregate of a group, where there is one."""
        if name in ("any", "all"):
            items = [(there, truth(item, place, f"an item of the argument of `{name}`")) for there, item in group.items]
            group = replace(group, items=tuple(items))
        if name == "sum" and all(item.type == DECIMAL for _, item in group.items):
            held = tuple((there, content(item)) for there, item in group.items)
            return wrapped(DECIMAL, self._aggregate(side, name, replace(group, items=held), place))
        of = _require_summed(name, group, place)
        self._require_one_pass(group, place)
        known = side, name, group.items, group.base
        if known not in self._aggregates:
            initial, step = summary(name, of)
            name_of_state = variable(f"{name} {len(self._aggregates)} of group {side}", initial.type)
            self._aggregates[known] = _Aggregate(side, name, group, name_of_state, initial, step)
        result = self._aggregates[known].known
        if name not in ("min", "max", *_BY_KEY):  # of the first items, the state itself
            return result
        best, there = project(result, 0), project(result, 1)
        best = project(best, 1) if name in _BY_KEY else best
        return best if group.is_never_empty else ite(there, best, apply_function(RAISE, basic_type(best)))

    def _require_one_pass(self, group: Group, place: Place) -> None:
        parts = [part for pair in group.items for part in pair] + ([] if group.base is None else [group.base])
        others = {each.known for each in self._aggregates.values()} | {self.key}
        asked = set().union(*map(free_variables, parts)) & others
        if asked:
            what = "the key" if self.key in asked else "another result of the group"
            message = f"what this takes of each value depends on {what}, which one pass does not know"
            raise place.error(message, "compute it for the RDD before, and join")

    def _set_of(self, call: Call) -> Term | None:
        """What the items of the set are whose occurrences are counted; None where the group's own are."""
        counted = {each.group.base for each in self._aggregates.values() if each.counts}
        (base,) = counted if len(counted) == 1 else (None,)
        others = base is not None and any(each.group.base is not base for each in self._aggregates.values())
        if len(counted) > 1 or others or (base is not None and len(self._values) > 1):
            message = "a function of a group and of a set of its items is not supported"
            raise call.place.error(message, "use `distinct` before `groupByKey`; or compute both, and join")
        return base

    def _step(self, aggregate: _Aggregate, distinct: bool, state: Term, each: Term) -> Term:
        taken, value = TRUE, each
        if len(self._values) > 1:
            taken, value = self.grouped.tagged.on_side(each, aggregate.side)
        group = aggregate.group
        if group.base is not None and not distinct:
            value = rebuild(group.base, {self._values[aggregate.side]: value}, inside=True)
        for there, item in group.items:
            condition, found = (rebuild(part, {group.item: value}, inside=True) for part in (there, item))
            state = ite(conjunction(taken, condition), aggregate.step(state, found), state)
        return state

    def pairs_of(self, group: Group, place: Place) -> tuple[Term, list[tuple[Term, Term]]]:
        """Pairs of key and value, or item of the set, that the only group has, and its items over these pairs."""
        known = {each.known for each in self._aggregates.values()}
        parts = [part for pair in group.items for part in pair] + ([] if group.base is None else [group.base])
        if known & set().union(*map(free_variables, parts)):
            message = "what this makes of each value depends on a result of the whole group"
            raise place.error(message, "compute that with `reduceByKey`, and join")
        bag = self.grouped.bag if group.base is None else self._distinct(group.base, place)
        pair = element(element_of(bag))
        here = {group.item: project(pair, 1), self.key: project(pair, 0)}
        return bag, [
            (rebuild(there, here, inside=True), rebuild(item, here, inside=True)) for there, item in group.items
        ]

    def _distinct(self, base: Term, place: Place) -> Term:
        """The pairs of each key and each item of the set of what its values are made to."""
        bag = self.grouped.bag
        pair = element(element_of(bag))
        made = rebuild(base, {self._values[0]: project(pair, 1), self.key: project(pair, 0)}, inside=True)
        require_hashable(made.type, place, "an item of a set")
        pairs = bag if made is project(pair, 1) else build(Operator.MAP, (tuple_of(project(pair, 0), made), bag))
        return build(Operator.DISTINCT, (pairs,))

    def folded(self, call: Call) -> tuple[Term, Mapping[Term, Term]]:
        """The by-key fold with the filters of the groups, and what the variables are for one of its pairs."""
        conditions = [
            truth(call.reader.udf(function, place, Record((self.key, self.groups))), place, "what this returns")
            for place, function in self.grouped.kept
        ]
        base = self._set_of(call)
        bag = self.grouped.bag if base is None else self._distinct(base, call.place)
        asked = list(self._aggregates.values())
        initials = [each.initial for each in asked] or [FALSE]
        initial = initials[0] if len(initials) == 1 else tuple_of(*initials)
        of = element_of(bag)
        assert isinstance(of, TupleType)
        state, value = accumulator(basic_type(initial)), element(of.components[1])
        before = _parts(state, len(initials))
        steps = [self._step(each, base is not None, old, value) for each, old in zip(asked, before, strict=False)]
        after = steps or before
        udf = after[0] if len(after) == 1 else tuple_of(*after)
        fold = call.folded(build(Operator.FOLD_BY_KEY, (initial, udf, bag)), "none")
        row = element(element_of(fold))
        results = _parts(project(row, 1), len(after))
        known = {self.key: project(row, 0)}
        known |= {each.known: result for each, result in zip(asked, results, strict=False)}
        for condition in conditions:
            fold = build(Operator.FILTER, (rebuild(condition, known, inside=True), fold))
        return fold, known


def _parts(state: Term, count: int) -> list[Term]:
    return [state] if count == 1 else [project(state, index) for index in range(count)]


def _require_summed(name: str, group: Group, place: Place) -> BasicType:
    """The type of a group's items; raises SourceError where the aggregate of these is not read."""
    types = {item.type for _, item in group.items}
    if len(types) > 1:
        raise place.error("the items of this have several types", "make items of one type")
    (of,) = map(basic_type, [group.items[0][1]])
    first = name.startswith(("first ", "last "))
    if name not in (*NAMES, *_BY_KEY) and not first:
        raise place.error(f"`{name}` of a group is not supported", f"supported are {', '.join(NAMES)}, list and set")
    fits = {
        "len": True,
        "sum": of in (INT, RATIONAL, BOOL),
        "any": of == BOOL,
        "all": of == BOOL,
        **dict.fromkeys(_BY_KEY, _has_ordered_key(of)),
        **({name: _has_ordered_key(of)} if first and name.endswith(" by") else {}),
    }.get(name, arithmetic.has_order(of))
    if not fits:
        what = {"sum": "numbers", "any": "bools", "all": "bools"}.get(name, "what Python orders")
        raise place.error(f"`{name}` needs groups of {what}, and these are of type {show_type(of)}")
    return of


def _has_ordered_key(of: BasicType) -> bool:
    return isinstance(of, TupleType) and arithmetic.has_order(of.components[0])


def _firsts(of: BasicType, count: int, better: Step) -> tuple[Term, Step]:
    """The first items in an order: pairs of whether there is one, and which; a new one goes before worse ones."""

    def step(state: Term, each: Term) -> Term:
        there, moved, slots = TRUE, each, list[Term]()
        for index in range(count):
            filled, item = (project(project(state, index), part) for part in (0, 1))
            before = conjunction(there, disjunction(negation(filled), better(moved, item)))
            slots.append(tuple_of(ite(before, TRUE, filled), ite(before, moved, item)))
            there, moved = ite(before, filled, there), ite(before, item, moved)
        return tuple_of(*slots)

    return tuple_of(*(tuple_of(FALSE, default_of(of)) for _ in range(count))), step


def _first_or(of: BasicType, better: Step) -> tuple[Term, Step]:
    def step(state: Term, each: Term) -> Term:
        best = project(state, 0)
        return tuple_of(ite(project(state, 1), ite(better(each, best), each, best), each), TRUE)

    return tuple_of(default_of(of), FALSE), step


def _better(ascending: bool, by_key: bool) -> Step:
    """Whether an item goes before another, by their keys if they are pairs (key, item)."""

    def better(each: Term, best: Term) -> Term:
        keys = (project(each, 0), project(best, 0)) if by_key else (each, best)
        return arithmetic.precedes(*keys) if ascending else arithmetic.precedes(*reversed(keys))

    return better


def summary(name: str, of: BasicType) -> tuple[Term, Step]:
    """Initial state and step of an aggregate of values of a type."""
    match name:
        case "sum" if of == BOOL:
            return constant(0), lambda state, each: add(state, ite(each, constant(1), constant(0)))
        case "sum":
            return default_of(of), lambda state, each: add(state, each)
        case "len":
            return constant(0), lambda state, _: add(state, constant(1))
        case "any":
            return FALSE, lambda state, each: disjunction(state, each)
        case "all":
            return TRUE, lambda state, each: conjunction(state, each)
        case "min by" | "max by":
            return _first_or(of, _better(name == "min by", True))
        case _ if name.startswith(("first ", "last ")):
            order, count, *by = name.split()
            return _firsts(of, int(count), _better(order == "first", bool(by)))
        case "min":
            return _first_or(of, lambda each, best: arithmetic.precedes(each, best))
    return _first_or(of, lambda each, best: arithmetic.precedes(best, each))
