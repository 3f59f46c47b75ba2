"""The shape of a stream: where its records come from, one by one, and what the operations make of each.

A stream is a list of branches. Each takes the records of an input or of a reduction, some batches late, keeps those
that satisfy a condition, and gives a value for each. Conditions and values are terms over `element`, an arbitrary
record of the source. Maps, filters, unions and windows only change the list.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import assert_never

from tallystick.core.terms import TRUE, Term, conjunction, constant, project, tuple_of, variable
from tallystick.core.types import BasicType, TupleType
from tallystick.streaming.proving.functions import (
    Combined,
    Update,
    combination_of,
    items_from,
    refuse_no_inverse,
    truth_of,
    update_of,
    value_of,
)
from tallystick.streaming.proving.recording import (
    Filtered,
    Function,
    Input,
    Keyed,
    Mapped,
    MappedValues,
    Node,
    NotUnderstoodError,
    Reduced,
    Slidden,
    State,
    United,
    Unkeyed,
    Windowed,
)

#: What a function makes of a record: values, each with the condition under which it is there.
Results = list[tuple[Term, Term]]


@dataclass(frozen=True, eq=False)
class Source:
    """What records come from: an input, or a reduction that gives at most one pair for each key in a batch.

    A reduction has the branches of the stream that it reduces, whose values are pairs, and the type of its values.
    """

    name: str
    element: Term
    branches: tuple[Branch, ...] = ()
    combined: Combined | None = None
    update: Update | None = None
    slid: Slid | None = None

    @property
    def is_input(self) -> bool:
        """Whether this is an input stream."""
        return self.combined is None and self.update is None and self.slid is None


@dataclass(frozen=True)
class Slid:
    """Sums over windows of `length` batches, each made from the one before; `keeps` is over the source's element."""

    length: int
    keeps: Term


@dataclass(frozen=True, eq=False)
class Branch:
    """The records of a source, `late` batches later, that satisfy a condition; each gives a value."""

    source: Source
    late: int
    condition: Term
    value: Term


@dataclass(frozen=True)
class Program:
    """The inputs of a program by name, and its reductions, or those of them that matter."""

    inputs: dict[str, Source]
    reductions: tuple[Source, ...]

    def part_for(self, branches: Iterable[Branch]) -> Program:
        """The program with those reductions only that streams with these branches come from."""
        needed: dict[Source, None] = {}
        waiting = [branch.source for branch in branches]
        while waiting:
            source = waiting.pop()
            if not source.is_input and source not in needed:
                needed[source] = None
                waiting += [branch.source for branch in source.branches]
        return Program(self.inputs, tuple(each for each in self.reductions if each in needed))


class Shapes:
    """The shapes of the streams of one program; each reduction is one source."""

    def __init__(self, inputs: dict[str, BasicType]) -> None:
        self.inputs = {name: Source(name, variable(f"a record of {name}", of)) for name, of in inputs.items()}
        self.reductions: list[Source] = []
        self._known: dict[Node, tuple[Branch, ...]] = {}

    @property
    def program(self) -> Program:
        """The inputs and the reductions that were made."""
        return Program(self.inputs, tuple(self.reductions))

    def of(self, node: Node) -> tuple[Branch, ...]:
        """The branches of a stream; raises `NotUnderstoodError`."""
        if node not in self._known:
            try:
                self._known[node] = self._branches(node)
            except NotUnderstoodError as problem:
                raise problem.in_step(node) from problem
        return self._known[node]

    def _branches(self, node: Node) -> tuple[Branch, ...]:
        match node:
            case Input(name):
                source = self.inputs[name]
                return (Branch(source, 0, TRUE, source.element),)
            case Mapped(parent, function, many):
                return self._each(parent, lambda value: _results(function, value, many))
            case MappedValues(parent, function, many):
                return self._each(parent, lambda pair: _pairs(pair, _results(function, _part(pair, 1), many)))
            case Filtered(parent, function):
                return self._each(parent, lambda value: [(truth_of(function, value), value)])
            case Keyed(parent, counted):
                pair = (lambda value: (value, constant(1))) if counted else (lambda value: (constant(0), value))
                return self._each(parent, lambda value: [(TRUE, tuple_of(*pair(value)))])
            case Unkeyed(parent):
                return self._each(parent, lambda pair: [(TRUE, _part(pair, 1))])
            case United(left, right):
                return _of_one_type((*self.of(left), *self.of(right)))
            case Windowed(parent, length):
                return tuple(
                    Branch(each.source, each.late + late, each.condition, each.value)
                    for each in self.of(parent)
                    for late in range(length)
                )
            case Reduced() | State() | Slidden():
                return self._reduction(node)
            case _:
                assert_never(node)

    def _each(self, parent: Node, make: Callable[[Term], Results]) -> tuple[Branch, ...]:
        """Apply a function from a value to results to each branch."""
        known: dict[Term, Results] = {}
        made: list[Branch] = []
        for each in self.of(parent):
            if each.value not in known:
                known[each.value] = make(each.value)
            for there, value in known[each.value]:
                made.append(Branch(each.source, each.late, conjunction(each.condition, there), value))
        return _of_one_type(tuple(made))

    def _reduction(self, node: Reduced | State | Slidden) -> tuple[Branch, ...]:
        branches = self.of(node.parent)
        pair = branches[0].value
        key, of = _part(pair, 0).type, _part(pair, 1).type
        combined = update = slid = None
        if isinstance(node, Slidden):
            refuse_no_inverse(node.function, node.inverse, of)  # type: ignore[arg-type]
        elif isinstance(node, Reduced):
            combined = combination_of(node.function, of)  # type: ignore[arg-type]
        else:
            update = update_of(node.function, of)  # type: ignore[arg-type]
            of = update.state.type
        name = f"reduction {len(self.reductions) + 1}"
        element = variable(f"a pair of {name}", TupleType((key, of)))  # type: ignore[arg-type]
        if isinstance(node, Slidden):
            slid = Slid(node.length, TRUE if node.keep is None else truth_of(node.keep, element))
        source = Source(name, element, branches, combined, update, slid)
        self.reductions.append(source)
        return (Branch(source, 0, TRUE, element),)


def _results(function: Function, value: Term, many: bool) -> Results:
    return items_from(function, value) if many else [(TRUE, value_of(function, value))]


def _pairs(pair: Term, results: Results) -> Results:
    """The results as pairs with the same key."""
    return [(there, tuple_of(_part(pair, 0), item)) for there, item in results]


def _part(pair: Term, index: int) -> Term:
    if not isinstance(pair.type, TupleType) or len(pair.type.components) != 2:
        raise NotUnderstoodError("an operation on pairs is applied to records that are no pairs")
    return project(pair, index)


def _of_one_type(branches: tuple[Branch, ...]) -> tuple[Branch, ...]:
    if len({each.value.type for each in branches}) > 1:
        raise NotUnderstoodError("a stream has records of several types")
    return branches
