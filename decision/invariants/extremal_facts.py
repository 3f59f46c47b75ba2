"""What is known of the states that folds by extrema reach: bounds, and elements that witness their values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count, permutations

from tallystick.core.monomials import rows_of
from tallystick.core.presburger.limits import Limits
from tallystick.core.presburger.validity import exists
from tallystick.core.terms import (
    Term,
    add,
    conjunction,
    constant,
    disjunction,
    equal,
    implies,
    less_equal,
    negation,
    substitute,
)
from tallystick.core.types import BOOL
from tallystick.decision.invariants.runs import Contents, holds, literals
from tallystick.decision.outcome import Goal, Model
from tallystick.decision.prover import Countermodel, Prover


@dataclass(frozen=True, slots=True)
class Extremum:
    """A component that steps by an extremum.

    Attributes:
        component: the component of an accumulator, with its initial value.
        steps: for each step of the system, what it makes of the component.
        upwards: whether it grows: a maximum, or a disjunction.
    """

    component: Term
    initial: Term
    steps: tuple[Term, ...]
    upwards: bool

    @property
    def is_initial(self) -> Term:
        """That the component has its initial value."""
        return equal(self.component, self.initial)

    @property
    def beyond(self) -> Term:
        """That the component is its initial value, or on the far side of it."""
        near, far = (self.initial, self.component) if self.upwards else (self.component, self.initial)
        return implies(near, far) if far.type == BOOL else less_equal(near, far)

    def attained(self, step: int) -> Term:
        """That the element of a step gives the component its value: from just before it, it is reached."""
        if self.component.type == BOOL:
            moved = self.after(step, constant(not self.upwards))
            return conjunction(self.component, moved) if self.upwards else negation(disjunction(self.component, moved))
        before = add(self.component, constant(-1 if self.upwards else 1))
        return equal(self.after(step, before), self.component)

    def after(self, step: int, value: Term) -> Term:
        """What a step makes of the component when it has a value."""
        return at(self.steps[step], self.component, value)


@dataclass(frozen=True, slots=True)
class Witness:
    """An element of a step's index set that attains a component, and does not exceed some others.

    Attributes:
        condition: that it is a witness.
        sources: the input bags of the index set.
        element: for each slot of the index set, the variable that stands for it in the condition.
    """

    condition: Term
    sources: tuple[Term, ...]
    element: Mapping[Term, Term]


@dataclass(frozen=True, slots=True)
class Fact:
    """What holds of the states that are reached: a formula is known, or there is one of several witnesses."""

    known: Term
    witnesses: tuple[Witness, ...] = ()

    @property
    def open(self) -> Term:
        """The fact with the variables of the witnesses free."""
        return disjunction(self.known, *(witness.condition for witness in self.witnesses))

    def closed(self, limits: Limits) -> Term:
        """The fact without the variables of the witnesses; raises LimitError."""
        found = (exists(tuple(witness.element.values()), witness.condition, limits) for witness in self.witnesses)
        return disjunction(self.known, *found)

    def at(self, state: Model, prover: Prover) -> Contents | None:
        """The element that witnesses the fact in a state, nothing where it is known; None where it fails."""
        contents = Contents()
        if holds(self.known, state):
            return contents
        for witness in self.witnesses:
            answer = prover.answer(negation(substitute(witness.condition, literals(state))))
            if isinstance(answer, Countermodel):
                element = {slot: answer.values[name] for slot, name in witness.element.items() if name in answer.values}
                contents.add(witness.sources, element)
                return contents
        return None


@dataclass(frozen=True, slots=True)
class Facts:
    """Facts about components, the simple ones first; the states of which all `exact` ones hold are those reached.

    No component is before its initial value; and it has this value, or an element attains it that exceeds no other
    component. Weaker facts say so of one other component each, or of none. Each fact is preserved by itself.
    """

    simple: tuple[Fact, ...]
    exact: tuple[Fact, ...]

    @classmethod
    def of(cls, goal: Goal, extrema: Sequence[Extremum], index_sets: Sequence[tuple[Term, ...]]) -> Facts:
        """The facts about components of a goal's folds, given the input bags of each step's index set."""
        numbers = count(1)

        def attained(extremum: Extremum, *others: Extremum) -> Fact:
            return Fact(extremum.is_initial, tuple(witnesses(extremum, others)))

        def witnesses(extremum: Extremum, others: tuple[Extremum, ...]) -> Iterator[Witness]:
            for step, sources in enumerate(index_sets):
                element = {slot: goal.fresh(f"x{next(numbers)}", slot.type) for slot in rows_of(sources)}
                kept = (equal(other.steps[step], other.component) for other in (extremum, *others))
                yield Witness(substitute(conjunction(extremum.attained(step), *kept), element), sources, element)

        bounds = [Fact(extremum.beyond) for extremum in extrema]
        alone = [attained(extremum) for extremum in extrema]
        pairs = [attained(extremum, other) for extremum, other in permutations(extrema, 2)]
        others = {extremum: [other for other in extrema if other is not extremum] for extremum in extrema}
        exact = [attained(extremum, *others[extremum]) for extremum in extrema]
        return cls((*bounds, *alone, *pairs), (*bounds, *exact))


def at(step: Term, component: Term, value: Term) -> Term:
    """A step, or any other term, where a component has a value."""
    return substitute(step, {component: value})
