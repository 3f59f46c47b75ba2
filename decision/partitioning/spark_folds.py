"""Folds in Spark's own meaning, run on lists of partitions (THEORY section 5), and the search for two that differ.

What is computed, and why it is what Spark computes, stands in `certificates/rules/partition.py`. A partitioning is a
tuple of partitions, each a tuple of elements in order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial, reduce
from itertools import chain, combinations, islice, pairwise, permutations

from tallystick.certificates.rules.order import opened, unused_name
from tallystick.core.errors import EvaluationError
from tallystick.core.interpreter import Bag, Environment, evaluate
from tallystick.core.terms import TRUE, Operator, Term, aggregates, build, element, free_variables, row, variable
from tallystick.core.types import BagType, Value
from tallystick.decision.invariants.compiled import compiled
from tallystick.decision.methods.refute import candidates, shrink, small_inputs
from tallystick.decision.outcome import Goal, Model

INPUTS = 500
PARTITIONINGS = 60
MOST_PERMUTED = 4
STEP_LIMIT = 50_000

Partitioning = tuple[tuple[Value, ...], ...]


@dataclass(frozen=True, slots=True)
class Witness:
    """Two partitionings of the elements that are folded on some input, and the two values that Spark's fold has.

    Attributes:
        environment: the input.
        partitionings: how the folded elements are spread.
        values: what the fold accumulates: a value, or the bag of keys with their values.
        sources: partitionings of the one input bag that give these of the folded elements; None where there is none.
    """

    environment: Environment
    partitionings: tuple[Partitioning, Partitioning]
    values: tuple[Value | Bag, Value | Bag]
    sources: tuple[Partitioning, Partitioning] | None


class SparkMeaning:
    """A fold on one input, whose parameters and inner aggregates have their SparkLite values there.

    Raises EvaluationError on construction when one of these cannot be computed within the step limit.
    """

    def __init__(self, term: Term, merge: Term, environment: Environment) -> None:
        fold, inside = opened(term, merge)
        self.fold, self.term, self.environment = fold, term, environment
        state, other, taken = row(0, fold.state), row(1, fold.state), row(2, fold.element)
        terms = fold.step(state, taken), fold.merged(state, other)
        needed = {name for each in terms for name in free_variables(each)} - {state, other, taken}
        known = {name: _value(inside.get(name, name), environment) for name in needed}
        self._step = compiled(terms[:1], [state, taken, *known])
        self._merge = compiled(terms[1:], [state, other, *known])
        self._fixed = list(known.values())
        self.zero: Value = _value(term.arguments[0], environment)  # type: ignore[assignment]

    def step(self, state: Value, taken: Value) -> Value:
        """The state after one more element."""
        return self._step([state, taken, *self._fixed])[0]  # type: ignore[list-item]

    def merge(self, state: Value, other: Value) -> Value:
        """The state after the result of one more partition."""
        return self._merge([state, other, *self._fixed])[0]  # type: ignore[list-item]

    def value(self, partitions: Partitioning) -> Value | Bag:
        """What Spark's fold returns."""
        if not self.fold.by_key:
            return reduce(self.merge, [reduce(self.step, part, self.zero) for part in partitions], self.zero)
        merged: dict[Value, Value] = {}
        for part in partitions:
            local: dict[Value, Value] = {}
            for key, value in part:  # type: ignore[misc]
                local[key] = self.step(local.get(key, self.zero), value)
            for key, state in local.items():
                merged[key] = self.merge(merged[key], state) if key in merged else state
        return dict.fromkeys(merged.items(), 1)

    def elements(self) -> list[Value]:
        """The folded elements, in ascending order."""
        return listed(_value(self.term.arguments[2], self.environment))  # type: ignore[arg-type]


def _value(term: Term, environment: Environment) -> Value | Bag:
    return evaluate(term, {name: environment[name] for name in free_variables(term)}, STEP_LIMIT)


def listed(bag: Bag) -> list[Value]:
    """The elements of a bag in ascending order, with repetitions."""
    return [each for each in sorted(bag) for _ in range(bag[each])]  # type: ignore[type-var]


def source_of(bag: Term) -> Term | None:
    """The input bag that maps and filters alone make a bag of, which leave elements in their partitions.

    None for others: products, joins and shuffles place elements as they will, a union in a term may be a `flatMap` or
    a choice between RDDs in the source, and a UDF may mention a fold that is itself unsafe.
    """
    match bag.operator:
        case Operator.VARIABLE:
            return bag
        case Operator.MAP | Operator.FILTER if not aggregates(bag.arguments[0]):
            return source_of(bag.arguments[1])
    return None


def partitions_of(bag: Term, environment: Environment, partitioning: Partitioning) -> Partitioning:
    """The partitions of a bag whose source has the given ones: each is mapped and filtered."""
    if bag.operator is Operator.VARIABLE:
        return partitioning
    udf, inner = bag.arguments
    parts = partitions_of(inner, environment, partitioning)
    of = inner.type.element  # type: ignore[union-attr]
    images = {each: _image(udf, element(of), each, environment) for part in parts for each in part}
    if bag.operator is Operator.MAP:
        return tuple(tuple(images[each] for each in part) for part in parts)
    return tuple(tuple(each for each in part if images[each]) for part in parts)


def _image(udf: Term, bound: Term, value: Value, environment: Environment) -> Value:
    """What a UDF returns for an element: it is mapped over the bag that has this element alone."""
    single = variable(unused_name("single", udf), BagType(bound.type))  # type: ignore[arg-type]
    mapped = build(Operator.MAP, (udf, single))
    known = {name: environment[name] for name in free_variables(mapped) if name is not single}
    (image,) = evaluate(mapped, {**known, single: {value: 1}}, STEP_LIMIT)  # type: ignore[misc]
    return image


def find_witness(
    term: Term, merge: Term, models: tuple[Model, ...] = (), expired: Callable[[], bool] = lambda: False
) -> Witness | None:
    """An input with two partitionings on which Spark's fold differs, small ones first; None when none was found.

    Partitions without elements are tried last. `expired` says when to stop.
    """
    goal = Goal(TRUE, term, term)
    for empty_parts in (False, True):
        for environment in islice(chain(small_inputs(goal), candidates(goal, models)), INPUTS):
            if expired():
                return None
            if _differing(term, merge, environment, empty_parts) is not None:
                small = shrink(environment, partial(_differs, term, merge, empty_parts))
                return _differing(term, merge, small, empty_parts)
    return None


def _differs(term: Term, merge: Term, empty_parts: bool, environment: Environment) -> bool:
    return _differing(term, merge, environment, empty_parts) is not None


def _differing(term: Term, merge: Term, environment: Environment, empty_parts: bool) -> Witness | None:
    """A witness on one input; none of its partitions is empty unless `empty_parts`."""
    try:
        spread = list(islice(_spreads(term.arguments[2], environment, empty_parts), PARTITIONINGS))
        meaning = SparkMeaning(term, merge, environment)
        known = [(source, parts) for source, parts in spread if empty_parts or all(parts)]
        values = [meaning.value(parts) for _, parts in known]
    except EvaluationError:
        return None
    for (source, parts), value in zip(known, values, strict=True):
        if value != values[0]:
            first_source, first = known[0]
            sources = None if source is None or first_source is None else (first_source, source)
            return Witness(environment, (first, parts), (values[0], value), sources)
    return None


def _spreads(
    bag: Term, environment: Environment, empty_parts: bool
) -> Iterator[tuple[Partitioning | None, Partitioning]]:
    """Ways to spread a bag: those of its source, with what they make of the bag; else any."""
    source = source_of(bag)
    if source is None:
        elements = listed(_value(bag, environment))  # type: ignore[arg-type]
        yield from ((None, parts) for parts in partitionings(elements, empty_parts))
    else:
        for parts in partitionings(listed(environment[source]), empty_parts):  # type: ignore[arg-type]
            yield parts, partitions_of(bag, environment, parts)


def partitionings(elements: Sequence[Value], empty_parts: bool = False) -> Iterator[Partitioning]:
    """Ways to spread elements over partitions: one partition first, then one for each, then others.

    Few elements are spread in all orders and into all numbers of partitions. Without elements there is one partition,
    unless `empty_parts` asks for more, and for an RDD without any partition.
    """
    whole = tuple(elements)
    yield (whole,)
    if empty_parts:
        yield from ((whole, ()), ((), whole)) if whole else ((), ((), ()))
    if len(whole) < 2:
        return
    yield tuple((each,) for each in whole)
    if len(whole) > MOST_PERMUTED:
        half = len(whole) // 2
        yield from ((whole[:half], whole[half:]), (whole[::-1],), tuple((each,) for each in whole[::-1]))
        return
    seen: set[Partitioning] = {(whole,), tuple((each,) for each in whole)}
    for order in permutations(whole):
        for cuts in _subsets(range(1, len(whole))):
            spread = tuple(order[start:end] for start, end in pairwise((0, *cuts, len(whole))))
            if spread not in seen:
                seen.add(spread)
                yield spread


def _subsets(numbers: Iterable[int]) -> Iterator[tuple[int, ...]]:
    items = list(numbers)
    return chain.from_iterable(combinations(items, size) for size in range(len(items) + 1))
