"""What functions compute of groups of values, as components of the state of one by-key fold.

A function of groups is read once. Each aggregate that it asks for becomes a component of the state, and a variable
until the state is known. A co-group folds the values of both RDDs together, each of which says where it comes from.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import reduce
from typing import Final

from tallystick.core.functions import RAISE
from tallystick.core.terms import (
    FALSE,
    TRUE,
    Operator,
    Term,
    accumulator,
    apply,
    apply_function,
    build,
    conjunction,
    constant,
    element,
    equal,
    free_variables,
    ite,
    negation,
    project,
    rebuild,
    subterms,
    tuple_of,
    variable,
)
from tallystick.core.types import BOOL, BasicType, TupleType
from tallystick.frontends.pyspark.assumptions import raises
from tallystick.frontends.pyspark.python.truth import truth
from tallystick.frontends.pyspark.rdds.calls import Call, element_of, require_hashable
from tallystick.frontends.pyspark.rdds.operators import once_each
from tallystick.frontends.pyspark.rdds.partners import without_partner
from tallystick.frontends.pyspark.rdds.summaries import BY_KEY, Step, require_no_state, require_summed, summary
from tallystick.frontends.pyspark.rdds.tables import joined_tables, table_of
from tallystick.frontends.pyspark.rdds.uniqueness import has_no_duplicates, is_of_one_each, tells_apart
from tallystick.frontends.pyspark.scoping.source import Place
from tallystick.frontends.pyspark.values.describing import basic_type
from tallystick.frontends.pyspark.values.groups import DictionaryFold, Group, Products
from tallystick.frontends.pyspark.values.kinds import Grouped, Record, Value
from tallystick.frontends.pyspark.values.nominal_types import EXACT, TIMEDELTA, NominalType, content, wrapped
from tallystick.frontends.pyspark.values.options import default_of
from tallystick.frontends.pyspark.values.rounds import INDEX, items_around, stands_for_an_item

_OF_THE_WHOLE: Final = (
    "what this makes of each value depends on a result of the whole group",
    "compute that with `reduceByKey`, and join",
)
Source = tuple[int, Term, DictionaryFold | None]
"""A set or a dictionary of a group: on which side of a co-group, its `base`, and the fold of a dictionary."""


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
        return self.group.folded is not None or self.name not in ("min", "max", "any", "all", *BY_KEY)

    @property
    def source(self) -> Source | None:
        """The set or dictionary that it is an aggregate of; None for the values of the group themselves."""
        return None if self.group.base is None else (self.side, self.group.base, self.group.folded)


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
            if name == "one each":
                return self._one_each(side, group)
            if name == "bool":
                return negation(equal(self._aggregate(side, "len", group, place), constant(0)))
            return self._aggregate(side, name, group, place)

        item = self._values[side]

        def fold(group: Group, initial: Term, step: Term, state: Term, place: Place) -> Term:
            return self._folded(side, group, initial, step, state, place)

        if self.grouped.made is not None:
            return replace(self.grouped.made[1], ask=ask, fold=fold)
        keys = () if self.grouped.by is None else (self.grouped.by,)
        at_least_one = len(self.grouped.values) == 1
        return Group(item, ((TRUE, item),), ask, self.grouped.kind, at_least_one, keys=keys, fold=fold)

    def _one_each(self, side: int, group: Group) -> Term:
        """TRUE, where no two values of a key have the same item, as far as it is known; else FALSE."""
        sides = self.grouped.tagged.sides
        if group.base is not None:
            return constant(is_of_one_each(group))
        if len(self._values) > 1 and not sides:
            return FALSE
        bag = sides[side] if len(self._values) > 1 else self.grouped.bag
        pair = element(element_of(bag))
        here = {self._values[side]: project(pair, 1), self.key: project(pair, 0)}
        items = [rebuild(item, here, inside=True) for _, item in group.items]
        return constant(len(items) == 1 and tells_apart([project(pair, 0), *items], bag))

    def _apart(self, group: Group, place: Place) -> Term:
        """TRUE, where no item of a group is there twice; raises SourceError where that is not known."""
        if group.base is None and not (len(self._values) == 1 and has_no_duplicates(self.grouped.bag)):
            message = "an item of this group may be there twice, and then pairs of equal items are made"
            raise place.error(message, "write `sorted(set(group))`, or `distinct` before `groupByKey`")
        return TRUE

    @property
    def has_dictionaries(self) -> bool:
        """Whether something is asked of a dictionary of a group that is a fold."""
        return any(each.group.folded is not None for each in self._aggregates.values())

    @property
    def initials(self) -> dict[Term, Term]:
        """What the aggregates are where there are no values."""
        return {each.known: each.initial for each in self._aggregates.values()}

    def require_of_values(self, group: Group, place: Place) -> None:
        """Raise SourceError unless what is made of the group is made of the key and each value alone."""
        parts = [*group.parts, *group.keys]
        asked = set().union(*map(free_variables, parts))
        _require_no_index(asked, place)
        require_no_state(parts, place)
        if asked & {each.known for each in self._aggregates.values()} or len(self._values) > 1:
            message = "groups that may be empty, or of which some are left out, are supported where each value says so"
            raise place.error(message, "use `filter` before `groupByKey`, or compute a value of each group")

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
        if group.folded is not None:
            raise call.place.error("pairs of items of a dictionary are not supported", "use `reduceByKey`, and join")
        if len(self._values) == 1:
            return self.grouped.bag if group.base is None else self._items_of(call, (0, group.base, None))
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
        known = side, "fold", (initial, step), group.base, group.folded
        depends = self._depends(replace(group, items=((TRUE, step),)), place)
        around = {each.known for each in self._aggregates.values()} | {self.key}
        require_no_state([initial], place)
        if free_variables(initial) & around or any(map(stands_for_an_item, free_variables(initial))):
            raise place.error("what this loop starts from depends on the group", "compute that after the loop")
        self._require_alone(side, replace(group, items=((TRUE, rebuild(step, {state: initial}, True)),)), place)
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
        self._require_alone(side, group, place)
        group = _by_its_base(group)
        if name in ("any", "all"):
            items = [(there, truth(item, place, f"an item of the argument of `{name}`")) for there, item in group.items]
            group = replace(group, items=tuple(items))
        (of, *others) = {item.type for _, item in group.items}
        if name == "sum" and isinstance(of, NominalType) and of in (*EXACT, TIMEDELTA) and not others:
            held = tuple((there, content(item)) for there, item in group.items)
            return wrapped(of, self._aggregate(side, name, replace(group, items=held), place))
        if raising := self._raising(group):
            held = tuple((rebuild(there, raising, True), rebuild(item, raising, True)) for there, item in group.items)
            found = self._aggregate(side, name, replace(group, items=held), place)
            there = conjunction(*(each.arguments[0] for each in raising))
            return ite(there, found, apply_function(RAISE, basic_type(found)))
        of = require_summed(name, group, place)
        depends = self._depends(group, place)
        known = side, name, group.items, group.base, group.folded
        if known not in self._aggregates:
            initial, step = summary(name, of)
            name_of_state = variable(f"{name} {len(self._aggregates)} of group {side}", initial.type)
            self._aggregates[known] = _Aggregate(side, name, group, name_of_state, initial, step)
            self._later |= {name_of_state} if depends else set()
        result = self._aggregates[known].known
        if name not in ("min", "max", *BY_KEY):  # of the first items, the state itself
            return result
        best, there = project(result, 0), project(result, 1)
        best = project(best, 1) if name in BY_KEY else best
        return best if group.is_never_empty else ite(there, best, apply_function(RAISE, basic_type(best)))

    def _require_alone(self, side: int, group: Group, place: Place) -> None:
        """Raise SourceError where what is asked of a group depends on the item of a loop around that."""
        made_of = () if group.base is None else (group.base, *(group.folded or ()))
        parts = [part for pair in group.items for part in pair]
        if items_around(group.item, *parts) or items_around(self._values[side], *made_of):
            raise place.error("a loop over a group inside of another one is not supported", "join the RDDs")

    def _raising(self, group: Group) -> dict[Term, Term]:
        """The places in what is asked of each item that raise for want of another aggregate, with the values if not.

        Python computed that aggregate before, where nothing else kept it from it: it is the whole that raises, not what
        is made of an item.
        """
        results = {each.known for each in self._aggregates.values()}
        nodes = [node for pair in group.items for part in pair for node in subterms(part)]
        return {
            node: node.arguments[1]
            for node in dict.fromkeys(nodes)
            if node.operator is Operator.ITE
            and raises(node.arguments[2])
            and free_variables(node.arguments[0]) <= results
        }

    def _depends(self, group: Group, place: Place) -> bool:
        """Whether what is asked of each value depends on another aggregate; that it may on the key is remembered."""
        asked = set().union(*map(free_variables, group.parts))
        _require_no_index(asked, place)
        require_no_state(replace(group, folded=None).parts, place)
        results = asked & {each.known for each in self._aggregates.values()}
        if results & self._later or (results and (len(self._values) > 1 or group.base is not None)):
            message = (
                "what this takes of each value depends on another result of the group, which two passes do not know"
            )
            raise place.error(message, "compute it for the RDD before, and join")
        self._uses_key |= self.key in asked
        return bool(results)

    def _sources(self, asked: list[_Aggregate]) -> list[tuple[Source | None, list[_Aggregate]]]:
        """The aggregates by what is folded: sets and dictionaries, where the occurrences of items count, or values."""
        counted = {each.source for each in asked if each.counts}
        found: dict[Source | None, list[_Aggregate]] = {}
        for each in asked:
            found.setdefault(each.source if each.source in counted else None, []).append(each)
        return list(found.items()) or [(None, [])]

    def _step(self, aggregate: _Aggregate, distinct: bool, state: Term, each: Term) -> Term:
        taken, value = TRUE, each
        if len(self._values) > 1:
            of_source = project(each, 0), project(each, 1)
            taken, value = of_source if distinct else self.grouped.tagged.on_side(each, aggregate.side)
        group = aggregate.group
        if group.base is not None and not distinct:
            value = rebuild(group.base, {self._values[aggregate.side]: value}, inside=True)
        for there, item in group.items:
            condition, found = (rebuild(part, {group.item: value}, inside=True) for part in (there, item))
            state = ite(conjunction(taken, condition), aggregate.step(state, found), state)
        return state

    def pairs_of(self, call: Call, group: Group) -> tuple[Term, list[tuple[Term, Term]]]:
        """Pairs of key and value, or item of the set, that a group has where it is kept, and its items over these."""
        kept = [self.condition(call, *each) for each in self.grouped.kept]
        group = replace(group, items=tuple((conjunction(*kept, there), item) for there, item in group.items))
        _require_no_index(set().union(*map(free_variables, group.parts)), call.place)
        if group.base is not None and {each.known for each in self._aggregates.values()} & free_variables(group.base):
            raise call.place.error(*_OF_THE_WHOLE)
        if group.base is not None and len(self._values) == 1:
            bag = self._items_of(call, (0, group.base, group.folded))
        else:
            bag = self._items_of_side(call, group)
        bag, group = self._without_partner(bag, group) or (bag, group)
        pair, parts = element(element_of(bag)), group.parts
        here = {group.item: project(pair, 1), self.key: project(pair, 0)}
        if {each.known for each in self._aggregates.values()} & set().union(*map(free_variables, parts)):
            may_raise = len(self._values) > 1 and any(raises(node) for part in parts for node in subterms(part))
            if self._later or self._uses_key or may_raise:
                raise call.place.error(*_OF_THE_WHOLE)
            bag, value, known = self._with_results(call, bag, list(self._aggregates.values()))
            row = project(element(element_of(bag)), 1)
            here = {name: apply(term, row) for name, term in {**known, group.item: value}.items()}
        return bag, [
            (rebuild(there, here, inside=True), rebuild(item, here, inside=True)) for there, item in group.items
        ]

    def _without_partner(self, bag: Term, group: Group) -> tuple[Term, Group] | None:
        """The pairs of one side whose key the other has not, and what is left to ask; None where more is asked."""
        sides, asked = self.grouped.tagged.sides, [*self._aggregates.values()]
        if len(sides) != 2 or len(asked) != 1 or asked[0].name != "len" or asked[0].source is not None:
            return None
        if asked[0].group.items != ((TRUE, self._values[asked[0].side]),):
            return None
        return without_partner(bag, group, equal(asked[0].known, constant(0)), sides[asked[0].side])

    def kept_pairs(self, call: Call) -> Term | None:
        """The pairs of key and value of the groups that filters keep; None where that takes more than two passes."""
        conditions = [self.condition(call, *each) for each in self.grouped.kept]
        if self._later or self._uses_key:
            return None
        bag, value, known = self._with_results(call, self.grouped.bag, list(self._aggregates.values()))
        pair = element(element_of(bag))
        holds = (rebuild(each, known, inside=True) for each in conditions)
        kept = build(Operator.FILTER, (apply(conjunction(*holds), project(pair, 1)), bag))
        return build(Operator.MAP, (tuple_of(project(pair, 0), apply(value, project(pair, 1))), kept))

    def condition(self, call: Call, place: Place, function: Value) -> Term:
        """When Python finds true what a filter's function returns for a key and its groups."""
        returned = call.reader.udf(function, place, Record((self.key, self.groups)))
        return truth(returned, place, "what this returns")

    def _with_results(self, call: Call, bag: Term, aggregates: list[_Aggregate]) -> tuple[Term, Term, dict[Term, Term]]:
        """Each value of a key, with the key and what aggregates of all values of the key are.

        Gives the bag of pairs of a key and these three, and what the value, and the variables, are for one of these.
        """
        pair = element(element_of(bag))
        key, value = project(pair, 0), project(pair, 1)
        found: dict[Term, Term] = {}
        if not aggregates:
            bag = build(Operator.MAP, (tuple_of(key, tuple_of(key, value)), bag))
        else:
            fold, found = self._results(call, aggregates)
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
        known = {
            each.known: apply(found[each.known], tuple_of(project(row, 0), project(row, 2))) for each in aggregates
        }
        return bag, project(row, 1), {self.key: project(row, 0), **known}

    def _results(self, call: Call, aggregates: list[_Aggregate]) -> tuple[Term, dict[Term, Term]]:
        """Aggregates of all values of each key, by key, and what their variables are for one of these pairs."""
        sources = self._sources(aggregates)
        return _joined(call, [(self._fold_of(call, *each), each[1]) for each in sources])

    def _items_of(self, call: Call, source: Source) -> Term:
        """The pairs of each key and each item of a set or a dictionary, which has at least one for each key.

        In a co-group the items are pairs (whether it is one, item): there is one that is none for values of the others.
        """
        side, base, folded = source
        pair = element(element_of(self.grouped.bag))
        key, value, taken = project(pair, 0), project(pair, 1), TRUE
        if len(self._values) > 1:
            taken, value = self.grouped.tagged.on_side(value, side)
        made = rebuild(base, {self._values[side]: value, self.key: key}, inside=True)
        if folded is not None:
            return self._dictionary(call, key, taken, made, folded)
        require_hashable(made.type, call.place, "an item of a set")
        if len(self._values) > 1:
            made = _where(taken, made)
        bag = self.grouped.bag
        return once_each(bag if made is project(pair, 1) else build(Operator.MAP, (tuple_of(key, made), bag)))

    def _dictionary(self, call: Call, key: Term, taken: Term, made: Term, folded: DictionaryFold) -> Term:
        """The pairs of each key and each item of the dictionary that its values make, by keys of their own."""
        inner, put = project(made, 0), project(made, 1)
        require_hashable(inner.type, call.place, "a key of a dictionary")
        initial, step = folded
        if self.key in free_variables(step):
            each = element(TupleType((basic_type(put), basic_type(key))))
            step = rebuild(
                apply(step, project(each, 0), accumulator(basic_type(initial))), {self.key: project(each, 1)}, True
            )
            put = tuple_of(put, key)
        if len(self._values) > 1:
            each, state = element(TupleType((BOOL, basic_type(put)))), accumulator(basic_type(initial))
            step = ite(project(each, 0), apply(step, project(each, 1), state), state)
            inner, put = _where(taken, inner), _where(taken, put)
        pairs = build(Operator.MAP, (tuple_of(tuple_of(key, inner), put), self.grouped.bag))
        fold = build(Operator.FOLD_BY_KEY, (initial, step, pairs))
        row = element(element_of(call.folded(fold, "none")))
        outer, inner, total = project(project(row, 0), 0), project(project(row, 0), 1), project(row, 1)
        item = tuple_of(inner, total)
        if len(self._values) > 1:
            item = tuple_of(project(inner, 0), tuple_of(project(inner, 1), total))
        return build(Operator.MAP, (tuple_of(outer, item), fold))

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
        conditions = [self.condition(call, *each) for each in self.grouped.kept]
        fold, found = self._all_results(call)
        found[self.key] = project(element(element_of(fold)), 0)
        for condition in conditions:
            fold = build(Operator.FILTER, (rebuild(condition, found, inside=True), fold))
        return fold, found

    def _all_results(self, call: Call) -> tuple[Term, dict[Term, Term]]:
        """The results of all aggregates, as of `_results`, where they may depend on the key, and on each other."""
        asked = list(self._aggregates.values())
        if not (self._later or self._uses_key):
            return self._results(call, asked)
        sources = self._sources(asked)
        if self._later and (len(sources) > 1 or sources[0][0] is not None):
            message = "a function of a set and of what depends on results of the whole group is not supported"
            raise call.place.error(message, "compute one of these before, and join")
        first = [each for each in asked if each.known not in self._later] if self._later else []
        folds = []
        for source, of_source in sources:
            bag = self._bag_of(call, source)
            bag, value, known = self._with_results(call, bag, first)
            folds.append((self._fold(call, bag, of_source, source is not None, value, known), of_source))
        return _joined(call, folds)

    def _bag_of(self, call: Call, source: Source | None) -> Term:
        """The pairs of each key and what is folded."""
        return self.grouped.bag if source is None else self._items_of(call, source)

    def _fold_of(self, call: Call, source: Source | None, asked: list[_Aggregate]) -> Term:
        """The by-key fold of aggregates of one set or dictionary, or of the values of the groups."""
        bag = self._bag_of(call, source)
        value = element(element_of(bag).components[1])  # type: ignore[union-attr]
        return self._fold(call, bag, asked, source is not None, value, {})


def _joined(call: Call, folds: list[tuple[Term, list[_Aggregate]]]) -> tuple[Term, dict[Term, Term]]:
    """By-key folds with the same keys as one table, and what the variables of their aggregates are for a pair of it."""
    fold = reduce(lambda one, other: _join(call, one, other), (each for each, _ in folds))
    result = project(element(element_of(fold)), 1)
    found: dict[Term, Term] = {}
    for index in reversed(range(len(folds))):
        asked, of_fold = folds[index][1], project(result, 1) if index else result
        parts = _parts(of_fold, max(1, len(asked)))
        found |= {each.known: part for each, part in zip(asked, parts, strict=False)}
        result = project(result, 0) if index else result
    return fold, found


def _join(call: Call, one: Term, other: Term) -> Term:
    left, right = table_of(one), table_of(other)
    assert left is not None
    assert right is not None
    return joined_tables(call, left, right, False, False)


def _where(condition: Term, value: Term) -> Term:
    """Whether a condition holds, with the value there: one for all where it does not hold."""
    return tuple_of(condition, ite(condition, value, default_of(basic_type(value))))


def _by_its_base(group: Group) -> Group:
    """A set or dictionary with one variable for all that are made of the same items; other groups as they are."""
    if group.base is None:
        return group
    item = variable("item of a set", basic_type(group.item))
    here = {group.item: item}
    items = tuple((rebuild(there, here, True), rebuild(each, here, True)) for there, each in group.items)
    return replace(group, item=item, items=items)


def _require_no_index(asked: set[Term], place: Place) -> None:
    """Raise SourceError where something depends on the index of an item of a sorted group."""
    if any(str(term.parameter[0]).startswith(INDEX) for term in asked):  # type: ignore[index]
        message = "the index of an item of a group is read in `group[index + 1:]` alone"
        raise place.error(message, "use `combinations(sorted(group), 2)`, or aggregates")


def _parts(state: Term, count: int) -> list[Term]:
    return [state] if count == 1 else [project(state, index) for index in range(count)]
