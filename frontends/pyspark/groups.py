"""Groups of values of a key, as `groupByKey` and `cogroup` make them: what a function computes of them, by key.

A group is never built. A function of groups is read once; each aggregate that it asks for becomes a component of the
state of one by-key fold, and a variable until the state is known. A co-group folds the values of both RDDs together,
each of which says where it comes from.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Final

from tallystick.core.terms import (
    FALSE,
    TRUE,
    Operator,
    Term,
    accumulator,
    add,
    apply,
    build,
    conjunction,
    constant,
    disjunction,
    element,
    free_variables,
    ite,
    project,
    rebuild,
    tuple_of,
    variable,
)
from tallystick.core.types import INT, RATIONAL, BasicType, TupleType
from tallystick.frontends.pyspark import arithmetic
from tallystick.frontends.pyspark.calls import Call, element_of
from tallystick.frontends.pyspark.options import default_of
from tallystick.frontends.pyspark.rdd_methods import methods_of, rdd_method
from tallystick.frontends.pyspark.source import Place
from tallystick.frontends.pyspark.values import Group, Grouped, Part, Record, Tagged, Value, basic, show_type

GROUP_HINT: Final = "supported are `mapValues` and `map` of functions that take sum, len, min or max of a group"


def _group_by_key(call: Call) -> Grouped:
    """The values of each key, of which `mapValues` and `map` may take sum, len, min and max."""
    return Grouped(Tagged(call.bag), (call.pair[1],))


def _group_by(call: Call) -> Grouped:
    """The elements x for each f(x), of which `mapValues` and `map` may take sum, len, min and max."""
    whole = element(call.element)
    pairs = build(Operator.MAP, (tuple_of(call.apply("f", whole), whole), call.bag))
    return Grouped(Tagged(pairs), (call.pair_of(pairs, call.place)[1],))


def _cogroup(call: Call) -> Grouped:
    """The values of each key in both RDDs, as two groups; one of them may be empty, and has sum and len only."""
    left, right = call.with_one_key_type("other")
    return Grouped(tagged(left, right), tuple(value_type(bag) for bag in (left, right)))


def tagged(left: Term, right: Term) -> Tagged:
    """The pairs of two RDDs as one bag.

    Where maps and filters make both RDDs of one bag, with equal keys, that bag is gone through once. In all other cases
    they are put together by a union, in the order of the names of their inputs, so that joins whose sides are exchanged
    are over one bag.
    """
    if (both := of_one_bag(left, right)) is not None:
        return Tagged(both)
    if _names(right) < _names(left):
        return Tagged(tagged(right, left).bag, (1, 0))
    first, second = element(element_of(left)), element(element_of(right))
    absent = [default_of(value_type(bag)) for bag in (left, right)]
    from_left = tuple_of(project(first, 0), tuple_of(FALSE, project(first, 1), absent[1]))
    from_right = tuple_of(project(second, 0), tuple_of(TRUE, absent[0], project(second, 1)))
    mapped = build(Operator.MAP, (from_left, left)), build(Operator.MAP, (from_right, right))
    return Tagged(build(Operator.UNION, mapped))


def _names(bag: Term) -> list[str]:
    return sorted(str(name.parameter[0]) for name in free_variables(bag))  # type: ignore[index]


def of_one_bag(left: Term, right: Term) -> Term | None:
    """`tagged` without a union; None where these are not maps and filters of one bag, with equal keys."""
    first, second = _source(left), _source(right)
    if first.bag is not second.bag or project(first.value, 0) is not project(second.value, 0):
        return None
    parts = (first.condition, project(first.value, 1), second.condition, project(second.value, 1))
    either = disjunction(first.condition, second.condition)
    kept = first.bag if either is TRUE else build(Operator.FILTER, (either, first.bag))
    return build(Operator.MAP, (tuple_of(project(first.value, 0), tuple_of(*parts)), kept))


def _source(bag: Term) -> Part:
    """The bag that maps and filters make a bag of, and what they make of its elements."""
    if bag.operator not in (Operator.MAP, Operator.FILTER):
        return Part(TRUE, element(element_of(bag)), bag, True)
    udf, inner = bag.arguments
    source = _source(inner)
    image = apply(udf, source.value)
    if bag.operator is Operator.MAP:
        return replace(source, value=image)
    return replace(source, condition=conjunction(source.condition, image))


def value_type(bag: Term) -> BasicType:
    """The type of the values of a bag of pairs."""
    of = element_of(bag)
    assert isinstance(of, TupleType)
    return of.components[1]


@dataclass
class _Asked:
    """What is asked of the groups of a key: names of aggregates with their initial values and steps."""

    grouped: Grouped
    names: dict[tuple[int, str], Term] = field(default_factory=dict)
    initial: list[Term] = field(default_factory=list)
    steps: list[Callable[[Term, Term], Term]] = field(default_factory=list)

    def group(self, side: int) -> Group:
        """One of the groups."""
        return Group(self.grouped.values[side], lambda name, place: self.aggregate(side, name, place))

    def aggregate(self, side: int, name: str, place: Place) -> Term:
        """The variable that stands for an aggregate of a group."""
        of = self.grouped.values[side]
        if name not in ("sum", "len", "min", "max"):
            raise place.error(f"`{name}` of a group is not supported", GROUP_HINT)
        if name in ("min", "max") and arithmetic.has_order(of):
            pass
        elif name != "len" and of not in (INT, RATIONAL):
            raise place.error(f"`{name}` needs groups of ints, and these are of type {show_type(of)}")
        if name in ("min", "max") and len(self.grouped.values) > 1:
            message = f"`{name}` of a group that may be empty, which raises"
            raise place.error(message, "write `fullOuterJoin` of two `reduceByKey`")
        if (side, name) not in self.names:
            initial, step = summary(name, of)
            self.names[side, name] = variable(f"{name} of group {side}", initial.type)
            self.initial.append(initial)
            self.steps.append(lambda state, each: self._on(side, step, state, each))
        known = self.names[side, name]
        return project(known, 0) if name in ("min", "max") else known

    def _on(self, side: int, step: Callable[[Term, Term], Term], state: Term, each: Term) -> Term:
        if len(self.grouped.values) == 1:
            return step(state, each)
        taken, value = self.grouped.tagged.on_side(each, side)
        return ite(taken, step(state, value), state)

    def folded(self, call: Call) -> tuple[Term, dict[Term, Term]]:
        """The by-key fold, and the names of aggregates as components of one of its pairs."""
        bag = self.grouped.bag
        if not self.names:
            self.initial.append(FALSE)
            self.steps.append(lambda state, _: state)
        initial = self.initial[0] if len(self.initial) == 1 else tuple_of(*self.initial)
        state, each = accumulator(initial.type), element(value_type(bag))  # type: ignore[arg-type]
        before = [state] if len(self.initial) == 1 else [project(state, index) for index in range(len(self.initial))]
        after = [step(known, each) for step, known in zip(self.steps, before, strict=True)]
        udf = after[0] if len(after) == 1 else tuple_of(*after)
        fold = call.folded(build(Operator.FOLD_BY_KEY, (initial, udf, bag)), "none")
        result = project(element(element_of(fold)), 1)
        parts = [result] if len(after) == 1 else [project(result, index) for index in range(len(after))]
        return fold, dict(zip(self.names.values(), parts, strict=False))


def _first_or(of: BasicType, better: Callable[[Term, Term], Term]) -> tuple[Term, Callable[[Term, Term], Term]]:
    def step(state: Term, each: Term) -> Term:
        best = project(state, 0)
        return tuple_of(ite(project(state, 1), ite(better(each, best), each, best), each), TRUE)

    return tuple_of(default_of(of), FALSE), step


def summary(name: str, of: BasicType) -> tuple[Term, Callable[[Term, Term], Term]]:
    """Initial state and step of sum, len, min or max of values of a type."""
    match name:
        case "sum":
            return default_of(of), lambda state, each: add(state, each)
        case "len":
            return constant(0), lambda state, _: add(state, constant(1))
        case "min":
            return _first_or(of, lambda each, best: arithmetic.precedes(each, best))
    return _first_or(of, lambda each, best: arithmetic.precedes(best, each))


def _call_of_groups(call: Call, grouped: Grouped) -> Term:
    """`mapValues` or `map` of the groups that `grouped` stands for."""
    place, function = call.arguments["f"]
    asked = _Asked(grouped)
    of = element_of(grouped.bag)
    assert isinstance(of, TupleType)
    key = variable("key of group", of.components[0])
    groups = [asked.group(side) for side in range(len(grouped.values))]
    values: Value = groups[0] if len(groups) == 1 else Record(tuple(groups))
    argument = values if call.name == "mapValues" else Record((key, values))
    returned = basic(call.reader.udf(function, place, argument), place, "what this function returns")
    fold, components = asked.folded(call)
    pair = element(element_of(fold))
    result = rebuild(returned, {**components, key: project(pair, 0)}, inside=True)
    mapped = tuple_of(project(pair, 0), result) if call.name == "mapValues" else result
    return fold if _is_identity(mapped, pair) else build(Operator.MAP, (mapped, fold))


def _is_identity(mapped: Term, pair: Term) -> bool:
    return mapped is tuple_of(project(pair, 0), project(pair, 1))


RDD_METHODS = (
    rdd_method("groupBy(f, numPartitions=None)", "r.groupBy(lambda x: x % 10).mapValues(len)", _group_by),
    rdd_method("groupByKey(numPartitions=None)", "s.groupByKey().mapValues(lambda g: (sum(g), len(g)))", _group_by_key),
    rdd_method(
        "cogroup(other, numPartitions=None)", "s.cogroup(t).mapValues(lambda p: (sum(p[0]), len(p[1])))", _cogroup
    ),
)
OTHER_METHODS = (
    methods_of(Grouped, ("mapValues(f)", "map(f, preservesPartitioning=False)"), GROUP_HINT, _call_of_groups),
)
