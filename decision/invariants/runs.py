"""Runs of folds turned into inputs: which elements make a step, and which bags make a run."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from tallystick.certificates.rules.fold import Change
from tallystick.core.interpreter import Bag, Environment, evaluate
from tallystick.core.monomials import rows_of
from tallystick.core.terms import (
    Term,
    conjunction,
    constant,
    equal,
    free_variables,
    negation,
    substitute,
    tuple_of,
)
from tallystick.core.types import BagType, TupleType, Value, default_value
from tallystick.decision.inputs import differs, parameters
from tallystick.decision.outcome import Goal, Model
from tallystick.decision.prover import Countermodel, Prover


@dataclass(slots=True)
class Contents:
    """The index elements of a run: elements of input bags, with the number of times that the run takes them."""

    elements: list[tuple[tuple[tuple[Term, Value], ...], int]] = field(default_factory=list)

    def add(self, sources: Sequence[Term], values: Model, count: int = 1) -> None:
        """Adds an index element, a row of each source; a row without a value has the default one."""
        found = (values.get(slot, default_value(slot.type)) for slot in rows_of(sources))  # type: ignore[arg-type]
        self.elements.append((tuple(zip(sources, found, strict=True)), count))

    def bags(self) -> dict[Term, dict[Value, int]]:
        """The elements that the run takes from each bag."""
        found: dict[Term, dict[Value, int]] = {}
        for element, count in self.elements:
            for bag, value in element:
                taken = found.setdefault(bag, {})
                taken[value] = taken.get(value, 0) + count
        return found

    def model(self) -> dict[Term, Value]:
        """The elements of each bag, as a model of the goal."""
        return {bag: tuple(taken) for bag, taken in self.bags().items()}


def literal(value: Value) -> Term:
    """A value as a term."""
    return tuple_of(*map(literal, value)) if isinstance(value, tuple) else constant(value)


def literals(model: Model) -> dict[Term, Term]:
    """The values of a model as terms."""
    return {name: literal(value) for name, value in model.items()}


def holds(formula: Term, environment: Environment) -> bool:
    """Whether a formula holds at values of its variables; those without one have the default value of their type."""
    names = {name: default_value(name.type) for name in free_variables(formula)}  # type: ignore[arg-type]
    return evaluate(formula, {**names, **environment}) is True


def assembled(names: Sequence[Term], leaves: Iterable[Value]) -> dict[Term, Value]:
    """The values of variables, given those of their components in order."""
    rest = iter(leaves)

    def value(of: object) -> Value:
        return tuple(map(value, of.components)) if isinstance(of, TupleType) else next(rest)

    return {name: value(name.type) for name in names}


def after_step(steps: Sequence[Change], before: Model, later: Model, contents: Contents, prover: Prover) -> bool:
    """Adds an index element that leads from one state to the next; whether there is one."""
    for step in steps:
        reached = [equal(step.after.get(name, name), literal(later[name])) for name in later]
        formula = substitute(negation(conjunction(step.guard, *reached)), literals(before))
        answer = prover.answer(formula)
        if isinstance(answer, Countermodel):
            contents.add(step.sources, answer.values)
            return True
    return False


def realised(goal: Goal, bases: Iterable[Environment], contents: Contents) -> Environment | None:
    """An input of a run's elements on which both sides of a goal differ; None when none of those tried is one.

    Each of `bases` gives values to basic parameters, and to the bags that no step takes anything from.
    """
    names, bags = parameters(goal), contents.bags()
    for base in bases:
        for content in (bags, {bag: dict.fromkeys(elements, 1) for bag, elements in bags.items()}):
            environment: dict[Term, Value | Bag] = {}
            for name in names:
                is_bag = isinstance(name.type, BagType)
                other = base.get(name, {} if is_bag else default_value(name.type))  # type: ignore[arg-type]
                environment[name] = content.get(name, other) if is_bag else other
            if differs(goal, environment):
                return environment
    return None
