"""Runs of folds turned into inputs: which elements make a step, and which bags make a run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from tallystick.core.interpreter import Bag, Environment, evaluate
from tallystick.core.monomials import SLOT_MARK, monomials, representative
from tallystick.core.terms import (
    Term,
    conjunction,
    constant,
    equal,
    free_variables,
    negation,
    substitute,
    tuple_of,
    variable,
)
from tallystick.core.types import BagType, BasicType, TupleType, Value, default_value
from tallystick.decision.inputs import differs, parameters
from tallystick.decision.outcome import Goal, Model
from tallystick.decision.prover import Countermodel, Prover


@dataclass(frozen=True, slots=True)
class Step:
    """A step of a transition system: its guard, the values after it, and the slots of its index set."""

    guard: Term
    after: Mapping[Term, Term]
    slots: tuple[Term, ...]


@dataclass(slots=True)
class Contents:
    """The index elements of a run: values of slots, each with the number of times that the run takes them."""

    elements: list[tuple[Model, int]] = field(default_factory=list)

    def add(self, slots: Iterable[Term], values: Model, count: int = 1) -> None:
        """Adds an index element; a slot without a value has the default one."""
        element = {slot: values.get(slot, default_value(slot.type)) for slot in slots}  # type: ignore[arg-type]
        self.elements.append((element, count))

    def bags(self) -> dict[str, dict[Value, int]]:
        """By the name of the bag, the elements that the run takes from it."""
        found: dict[str, dict[Value, int]] = {}
        for element, count in self.elements:
            for slot, value in element.items():
                bag = found.setdefault(slot.parameter[0].partition(SLOT_MARK)[0], {})  # type: ignore[index]
                bag[value] = bag.get(value, 0) + count
        return found

    def model(self) -> dict[Term, Value]:
        """The elements as values of slots, each a slot of its own."""
        values: dict[Term, Value] = {}
        for element, _ in self.elements:
            for slot, value in element.items():
                bag = slot.parameter[0].partition(SLOT_MARK)[0]  # type: ignore[index]
                from_bag = [other for other in values if other.parameter[0].startswith(f"{bag}{SLOT_MARK}")]  # type: ignore[index]
                number = len(from_bag)
                values[slot_of(bag, slot.type, number)] = value  # type: ignore[arg-type]
        return values


def slot_of(bag: str, of: BasicType, number: int) -> Term:
    """The representative variable of a slot of the bag with this name and type of elements."""
    return representative(variable(bag, BagType(of)), number)


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


def after_step(steps: Sequence[Step], before: Model, later: Model, contents: Contents, prover: Prover) -> bool:
    """Adds an index element that leads from one state to the next; whether there is one."""
    for step in steps:
        reached = [equal(step.after.get(name, name), literal(later[name])) for name in later]
        formula = substitute(negation(conjunction(step.guard, *reached)), literals(before))
        answer = prover.answer(formula)
        if isinstance(answer, Countermodel):
            contents.add(step.slots, answer.values)
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
                environment[name] = content.get(name.parameter[0], other) if is_bag else other  # type: ignore[index]
            if differs(goal, environment):
                return environment
    return None


def fold_slots(folds: tuple[Term, ...]) -> tuple[tuple[Term, ...], ...]:
    """For each step of folds, the slots of its index set."""
    degrees = dict.fromkeys(source.degree for fold in folds for source in monomials(fold.arguments[2]))
    return tuple(tuple(representative(bag, i) for bag, count in degree for i in range(count)) for degree in degrees)
