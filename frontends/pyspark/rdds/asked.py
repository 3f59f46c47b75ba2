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
    apply,
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
from tallystick.frontends.pyspark.python.products import INDEX
from tallystick.frontends.pyspark.python.truth import truth
from tallystick.frontends.pyspark.rdds.calls import Call, element_of, require_hashable
from tallystick.frontends.pyspark.rdds.operators import once_each
from tallystick.frontends.pyspark.scoping.source import Place
from tallystick.frontends.pyspark.values.describing import basic_type, show_type
from tallystick.frontends.pyspark.values.kinds import Group, Grouped, Products, Record, Value
from tallystick.frontends.pyspark.values.nominal_types import EXACT, NominalType, content, wrapped
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
        return self.group.totals or self.name not in ("min", "max", "any", "all", *_BY_KEY)


def item_of_group(side: int, of: BasicType) -> Term:
    """The variable that stands for one value of a key."""
    return variable(f"item of group {side}", of)


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
        self._values = [item_of_group(side, of) for side, of in enumerate(grouped.values)]
        sides = [self._group(side) for side in range(len(grouped.values))]
        self.groups: Value = sides[0] if len(sides) == 1 else Record(tuple(sides))
        self._aggregates: dict[tuple[object, ...], _Aggregate] = {}
        self._later: set[Term] = set()  # what stands for aggregates that depend on others
        self._uses_key = False

    def _group(self, side: int) -> Group:
        def ask(name: str, group: Group, place: Place) -> Term:
            if name == "apart":
                return self._apart(group, place)
            if name == "bool":
                return negation(equal(self._aggregate(side, "len", group, place), constant(0)))
            return self._aggregate(side, name, group, place)

        item = self._values[side]

        def fold(group: Group, initial: Term, step: Term, state: Term, place: Place) -> Term:
            return self._folded(side, group, initial, step, state, place)

        keys = () if self.grouped.by is None else (self.grouped.by,)
        at_least_one = len(self.grouped.values) == 1
        return Group(item, ((TRUE, item),), ask, self.grouped.kind, at_least_one, keys=keys, fold=fold)

    def _apart(self, group: Group, place: Place) -> Term:
        """TRUE, where no item of a group is there twice; raises SourceError where that is not known."""
        if group.base is None and not (len(self._values) == 1 and has_no_duplicates(self.grouped.bag)):
            message = "an item of this group may be there twice, and then pairs of equal items are made"
            raise place.error(message, "write `sorted(set(group))`, or `distinct` before `groupByKey`")
        return TRUE

    def products_of(self, call: Call, of: Products) -> tuple[Term, list[tuple[Term, Term]]]:
        """The pairs of pairs (key, item) of two groups with equal keys, and the items over these."""
        bags = [self._items_of_side(call, each) for each in (of.first, of.second)]
        both = element(TupleType((element_of(bags[0]), element_of(bags[1]))))
        left, right = project(both, 0), project(both, 1)
        here = {of.first.item: project(left, 1), of.second.item: project(right, 1), self.key: project(left, 0)}
        asked = set().union(*(free_variables(part) for pair in of.items for part in pair))
        _require_no_index(asked, call.place)
        if {each.known for each in self._aggregates.values()} & asked:
            message = "what this makes of pairs of items depends on a result of the whole group"
            raise call.place.error(message, "compute that with `reduceByKey`, and join")
        same = equal(project(left, 0), project(right, 0))
        bag = build(Operator.FILTER, (same, build(Operator.CARTESIAN, tuple(bags))))
        return bag, [tuple(rebuild(part, here, inside=True) for part in pair) for pair in of.items]  # type: ignore[misc]

    def _items_of_side(self, call: Call, group: Group) -> Term:
        """The pairs of key and item, or item of the set, that a group has."""
        if group.totals:
            raise call.place.error("pairs of items of a dictionary are not supported", "use `reduceByKey`, and join")
        if len(self._values) == 1:
            return self.grouped.bag if group.base is None else self._distinct(group.base, call.place)
        name = str(group.item.parameter[0]).partition(",")[0]  # type: ignore[index]
        inside = set() if group.base is None else free_variables(group.base)
        (side,) = [index for index, of in enumerate(self._values) if of in inside or str(of.parameter[0]) == name]  # type: ignore[index]
        bag = self.grouped.tagged.sides[side]
        if group.base is None:
            return bag
        pair = element(element_of(bag))
        made = rebuild(group.base, {self._values[side]: project(pair, 1), self.key: project(pair, 0)}, inside=True)
        require_hashable(made.type, call.place, "an item of a set")
        return once_each(build(Operator.MAP, (tuple_of(project(pair, 0), made), bag)))

    def _folded(self, side: int, group: Group, initial: Term, step: Term, state: Term, place: Place) -> Term:
        """The variable that stands for a fold of a group's items, by a step over the variables of state and item."""
        known = side, "fold", (initial, step), group.base
        depends = self._depends(replace(group, items=((TRUE, step),)), place)
        around = {each.known for each in self._aggregates.values()} | {self.key}
        if free_variables(initial) & around or any(map(_stands_for_one, free_variables(initial))):
            raise place.error("what this loop starts from depends on the group", "compute that after the loop")
        if any(map(_stands_for_one, free_variables(step) - {state, group.item})):
            raise place.error("a loop over a group inside of another one is not supported", "join the RDDs")
        if known not in self._aggregates:
            item, one = group.item, replace(group, items=((TRUE, group.item),))
            name = variable(f"fold {len(self._aggregates)} of group {side}", initial.type)

            def next_state(before: Term, each: Term) -> Term:
                return rebuild(step, {state: before, item: each}, inside=True)

            self._aggregates[known] = _Aggregate(side, "fold", one, name, initial, next_state)
            self._later |= {name} if depends else set()
        return self._aggregates[known].known

    def _aggregate(self, side: int, name: str, group: Group, place: Place) -> Term:
        """The variable that stands for an aggregate of a group, where there is one."""
        if name in ("any", "all"):
            items = [(there, truth(item, place, f"an item of the argument of `{name}`")) for there, item in group.items]
            group = replace(group, items=tuple(items))
        (of, *others) = {item.type for _, item in group.items}
        if name == "sum" and isinstance(of, NominalType) and of in EXACT and not others:
            held = tuple((there, content(item)) for there, item in group.items)
            return wrapped(of, self._aggregate(side, name, replace(group, items=held), place))
        of = _require_summed(name, group, place)
        depends = self._depends(group, place)
        known = side, name, group.items, group.base
        if known not in self._aggregates:
            initial, step = summary(name, of)
            name_of_state = variable(f"{name} {len(self._aggregates)} of group {side}", initial.type)
            self._aggregates[known] = _Aggregate(side, name, group, name_of_state, initial, step)
            self._later |= {name_of_state} if depends else set()
        result = self._aggregates[known].known
        if name not in ("min", "max", *_BY_KEY):  # of the first items, the state itself
            return result
        best, there = project(result, 0), project(result, 1)
        best = project(best, 1) if name in _BY_KEY else best
        return best if group.is_never_empty else ite(there, best, apply_function(RAISE, basic_type(best)))

    def _depends(self, group: Group, place: Place) -> bool:
        """Whether what is asked of each value depends on another aggregate; that it may on the key is remembered."""
        parts = [part for pair in group.items for part in pair] + ([] if group.base is None else [group.base])
        asked = set().union(*map(free_variables, parts))
        _require_no_index(asked, place)
        results = asked & {each.known for each in self._aggregates.values()}
        if results & self._later or (results and (len(self._values) > 1 or group.base is not None)):
            message = (
                "what this takes of each value depends on another result of the group, which two passes do not know"
            )
            raise place.error(message, "compute it for the RDD before, and join")
        self._uses_key |= self.key in asked
        return bool(results)

    def _set_of(self, call: Call) -> Term | None:
        """What the items of the set are whose occurrences are counted; None where the group's own are."""
        counted = {each.group.base for each in self._aggregates.values() if each.counts}
        (base,) = counted if len(counted) == 1 else (None,)
        others = base is not None and any(each.group.base is not base for each in self._aggregates.values())
        mixed = base is not None and len({each.group.totals for each in self._aggregates.values()}) > 1
        if len(counted) > 1 or others or mixed or (base is not None and len(self._values) > 1):
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

    def pairs_of(self, call: Call, group: Group) -> tuple[Term, list[tuple[Term, Term]]]:
        """Pairs of key and value, or item of the set, that the only group has, and its items over these pairs."""
        parts = [part for pair in group.items for part in pair] + ([] if group.base is None else [group.base])
        bag = self.grouped.bag
        _require_no_index(set().union(*map(free_variables, parts)), call.place)
        if group.base is not None:
            bag = self._totals(call, group.base) if group.totals else self._distinct(group.base, call.place)
        pair = element(element_of(bag))
        here = {group.item: project(pair, 1), self.key: project(pair, 0)}
        if {each.known for each in self._aggregates.values()} & set().union(*map(free_variables, parts)):
            if group.base is not None or self._later or self._uses_key:
                message = "what this makes of each value depends on a result of the whole group"
                raise call.place.error(message, "compute that with `reduceByKey`, and join")
            base = self._set_of(call)
            over = None if base is None else self._items_of_base(call, base)
            bag, value, known = self._with_results(call, bag, list(self._aggregates.values()), over)
            row = project(element(element_of(bag)), 1)
            here = {name: apply(term, row) for name, term in {**known, group.item: value}.items()}
        return bag, [
            (rebuild(there, here, inside=True), rebuild(item, here, inside=True)) for there, item in group.items
        ]

    def kept_pairs(self, call: Call) -> Term | None:
        """The pairs of key and value of the groups that filters keep; None where that takes more than two passes."""
        conditions = [self._condition(call, *each) for each in self.grouped.kept]
        if self._set_of(call) is not None or self._later or self._uses_key:
            return None
        bag, value, known = self._with_results(call, self.grouped.bag, list(self._aggregates.values()))
        pair = element(element_of(bag))
        holds = (rebuild(each, known, inside=True) for each in conditions)
        kept = build(Operator.FILTER, (apply(conjunction(*holds), project(pair, 1)), bag))
        return build(Operator.MAP, (tuple_of(project(pair, 0), apply(value, project(pair, 1))), kept))

    def _condition(self, call: Call, place: Place, function: Value) -> Term:
        returned = call.reader.udf(function, place, Record((self.key, self.groups)))
        return truth(returned, place, "what this returns")

    def _with_results(
        self, call: Call, bag: Term, aggregates: list[_Aggregate], items: Term | None = None
    ) -> tuple[Term, Term, dict[Term, Term]]:
        """Each value of a key, with the key and what aggregates of all values of the key are, or of its `items`.

        `items` are those of the set, or of the dictionary, of whose items the aggregates are. Gives the bag of pairs of
        a key and these three, and what the value, and the variables, are for one of these.
        """
        pair = element(element_of(bag))
        key, value = project(pair, 0), project(pair, 1)
        if not aggregates:
            bag = build(Operator.MAP, (tuple_of(key, tuple_of(key, value)), bag))
        else:
            over = bag if items is None else items
            folded = element(element_of(over).components[1])  # type: ignore[union-attr]
            fold = self._fold(call, over, aggregates, items is not None, folded, {})
            both = element(TupleType((element_of(bag), element_of(fold))))
            left, right = project(both, 0), project(both, 1)
            same = build(
                Operator.FILTER,
                (equal(project(left, 0), project(right, 0)), build(Operator.CARTESIAN, (bag, fold))),
            )
            key, value = project(left, 0), project(left, 1)
            bag = build(Operator.MAP, (tuple_of(key, tuple_of(key, value, project(right, 1))), same))
        of = element_of(bag)
        assert isinstance(of, TupleType)
        row = element(of.components[1])
        results = _parts(project(row, 2), len(aggregates)) if aggregates else []
        known = {each.known: result for each, result in zip(aggregates, results, strict=True)}
        return bag, project(row, 1), {self.key: project(row, 0), **known}

    def _items_of_base(self, call: Call, base: Term) -> Term:
        """The pairs of each key and each item of the set, or of the dictionary, that functions ask about."""
        (totals,) = {each.group.totals for each in self._aggregates.values()}
        return self._totals(call, base) if totals else self._distinct(base, call.place)

    def _totals(self, call: Call, base: Term) -> Term:
        """The pairs of each key and each item of the dictionary of what its values add up to, by keys of their own."""
        bag = self.grouped.bag
        pair = element(element_of(bag))
        made = rebuild(base, {self._values[0]: project(pair, 1), self.key: project(pair, 0)}, inside=True)
        inner, number = project(made, 0), project(made, 1)
        require_hashable(inner.type, call.place, "a key of a dictionary")
        pairs = build(Operator.MAP, (tuple_of(tuple_of(project(pair, 0), inner), number), bag))
        of = basic_type(number)
        fold = build(Operator.FOLD_BY_KEY, (default_of(of), add(accumulator(of), element(of)), pairs))
        row = element(element_of(call.folded(fold, "none")))
        keys = project(row, 0)
        item = tuple_of(project(keys, 0), tuple_of(project(keys, 1), project(row, 1)))
        return build(Operator.MAP, (item, fold))

    def _distinct(self, base: Term, place: Place) -> Term:
        """The pairs of each key and each item of the set of what its values are made to."""
        bag = self.grouped.bag
        pair = element(element_of(bag))
        made = rebuild(base, {self._values[0]: project(pair, 1), self.key: project(pair, 0)}, inside=True)
        require_hashable(made.type, place, "an item of a set")
        pairs = bag if made is project(pair, 1) else build(Operator.MAP, (tuple_of(project(pair, 0), made), bag))
        return once_each(pairs)

    def _fold(
        self,
        call: Call,
        bag: Term,
        asked: list[_Aggregate],
        distinct: bool,
        value: Term,
        known: Mapping[Term, Term],
    ) -> Term:
        """The by-key fold that computes aggregates of values, which stand in what a bag has for a key."""
        initials = [each.initial for each in asked] or [FALSE]
        initial = initials[0] if len(initials) == 1 else tuple_of(*initials)
        state = accumulator(basic_type(initial))
        before = _parts(state, len(initials))
        steps = [self._step(each, distinct, old, value) for each, old in zip(asked, before, strict=False)]
        after = [rebuild(step, known, inside=True) for step in steps] or before
        udf = after[0] if len(after) == 1 else tuple_of(*after)
        return call.folded(build(Operator.FOLD_BY_KEY, (initial, udf, bag)), "none")

    def folded(self, call: Call) -> tuple[Term, Mapping[Term, Term]]:
        """The by-key fold with the filters of the groups, and what the variables are for one of its pairs.

        What is asked of each value may depend on the key, and on aggregates of all values of the key: these are joined
        to the values before.
        """
        conditions = [self._condition(call, *each) for each in self.grouped.kept]
        base = self._set_of(call)
        bag = self.grouped.bag if base is None else self._items_of_base(call, base)
        asked = list(self._aggregates.values())
        value, known = element(element_of(bag).components[1]), {}  # type: ignore[union-attr]
        if self._later or self._uses_key:
            first = [each for each in asked if each.known not in self._later] if self._later else []
            bag, value, known = self._with_results(call, bag, first)
        fold = self._fold(call, bag, asked, base is not None, value, known)
        row = element(element_of(fold))
        results = _parts(project(row, 1), max(1, len(asked)))
        found = {self.key: project(row, 0)}
        found |= {each.known: result for each, result in zip(asked, results, strict=False)}
        for condition in conditions:
            fold = build(Operator.FILTER, (rebuild(condition, found, inside=True), fold))
        return fold, found


def _require_no_index(asked: set[Term], place: Place) -> None:
    """Raise SourceError where something depends on the index of an item of a sorted group."""
    if any(str(term.parameter[0]).startswith(INDEX) for term in asked):  # type: ignore[index]
        message = "the index of an item of a group is read in `group[index + 1:]` alone"
        raise place.error(message, "use `combinations(sorted(group), 2)`, or aggregates")


def has_no_duplicates(bag: Term) -> bool:
    """Whether no element of a bag is there twice, by how it is made."""
    match bag.operator:
        case Operator.DISTINCT | Operator.FOLD_BY_KEY:
            return True
        case Operator.FILTER:
            return has_no_duplicates(bag.arguments[1])
        case Operator.MAP:
            udf, inner = bag.arguments
            return set(_leaves(element(element_of(inner)))) <= set(_leaves(udf)) and has_no_duplicates(inner)
    return False


def _leaves(term: Term) -> list[Term]:
    """The parts of a term that have no parts."""
    if not isinstance(term.type, TupleType):
        return [term]
    return [leaf for index in range(len(term.type.components)) for leaf in _leaves(project(term, index))]


def _stands_for_one(term: Term) -> bool:
    """Whether a variable stands for one item of a list or group, or for the state of a loop."""
    return str(term.parameter[0]).startswith("item of ")  # type: ignore[index]


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
