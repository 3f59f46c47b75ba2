"""Location invariants: for each value of a control component, facts that hold when it has that value.

Statement    Let the steps compare some components of the accumulators with constants: the *location*. Facts are
             guessed at each location from sampled runs, and facts that a step can break are dropped, location by
             location (Houdini); of the others, those that the conclusion rests on are kept. This is the inductive
             assertion method (Floyd, 1967), with guessed assertions.
Fragment     folds whose steps move from one constant location to finitely many others.
Complete     no: facts are linear equations, bounds of sums and differences, and residues (`location_facts`).
Certificate  FOLD with the disjunction, over the locations, of what holds there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from types import MappingProxyType

from tallystick.certificates.rules.fold import Transitions, fold_transitions
from tallystick.core.errors import FragmentError
from tallystick.core.interpreter import evaluate
from tallystick.core.terms import (
    FALSE,
    TRUE,
    Operator,
    Parameter,
    Term,
    aggregates,
    conjunction,
    constant,
    disjunction,
    equal,
    implies,
    ite,
    negation,
    rebuild,
    simplified,
    substitute,
)
from tallystick.core.types import BOOL, INT, BagType
from tallystick.decision.invariants.houdini import surviving
from tallystick.decision.invariants.induction import Induction
from tallystick.decision.invariants.location_facts import (
    Location,
    candidate_facts,
    compared_components,
    integer_components,
    sampled,
)
from tallystick.decision.outcome import Goal, MethodContext, Outcome, Unknown
from tallystick.decision.prover import Countermodel, GaveUp

NAME = "location_invariants"
MOST_LOCATIONS = 100


def location_invariants(goal: Goal, context: MethodContext) -> Outcome | None:
    """Proves a goal by facts for each location of its folds; None where these have no locations."""
    induction = Induction.over(goal)
    if not induction.folds or isinstance(goal.left.type, BagType):
        return None
    claim = induction.conclusion(TRUE)
    if aggregates(claim.left) or aggregates(claim.right):
        return None
    try:
        transitions = fold_transitions(induction.folds, induction.accumulators)
        system = LocationSystem.sampled(goal.hypothesis, transitions, context)
        if system is None:
            return None
        system.drop_what_is_not_inductive()
        needed = system.needed_for(equal(claim.left, claim.right))
    except FragmentError as error:
        return Unknown(str(error))
    except RecursionError:
        return Unknown("the steps are nested too deeply")
    if needed is None:
        return Unknown("the facts found at the locations do not imply the conclusion")
    return induction.prove(system.invariant(needed), context, NAME)


Facts = dict[Location, list[Term]]


@dataclass(frozen=True, slots=True)
class Move:
    """What a step does at a location: accumulators after it, and each next location with the condition for it."""

    after: dict[Term, Term]
    targets: dict[Location, Term]

    def effect(self, fact: Term, target: Location) -> Term:
        """That the fact holds after the step, if that leads to the target."""
        return implies(self.targets[target], folded(fact, self.after))


@dataclass(slots=True)
class LocationSystem:
    """The locations that folds are known to reach, and what is believed to hold at each."""

    hypothesis: Term
    transitions: Transitions
    control: list[Term]
    facts: Facts
    context: MethodContext
    moves: dict[Location, list[Move]] = field(default_factory=dict)

    @classmethod
    def sampled(cls, hypothesis: Term, transitions: Transitions, context: MethodContext) -> LocationSystem | None:
        """The system with all facts that sampled runs suggest; None without control components."""
        compared, leaves = compared_components(transitions), integer_components(transitions)
        if not compared:
            return None
        states = [dict(zip(leaves, values, strict=True)) for values in sampled(transitions, leaves)]
        control = [leaf for leaf in compared if len({state[leaf] for state in states}) <= MOST_LOCATIONS]
        data = [leaf for leaf in leaves if leaf not in control]
        rows: dict[Location, list[tuple[int, ...]]] = {}
        for state in states:
            rows.setdefault(tuple(state[leaf] for leaf in control), []).append(tuple(state[leaf] for leaf in data))
        if not control or len(rows) > MOST_LOCATIONS:
            return None
        facts = {place: list(dict.fromkeys(candidate_facts(data, seen))) for place, seen in rows.items()}
        return cls(hypothesis, transitions, control, facts, context)

    def at(self, location: Location) -> Term:
        """The formula that the folds are at a location."""
        return conjunction(*(equal(leaf, constant(value)) for leaf, value in zip(self.control, location, strict=True)))

    def specialised(self, term: Term, location: Location) -> Term:
        """A term at a location."""
        return folded(term, dict(zip(self.control, map(constant, location), strict=True)))

    def invariant(self, facts: Facts) -> Term:
        """That the folds are at one of the locations, and there with its facts."""
        return disjunction(*(conjunction(self.at(location), *facts[location]) for location in sorted(facts)))

    def moves_from(self, location: Location) -> list[Move]:
        """What each step does at a location; raises FragmentError when it does not lead to one of a few locations."""
        if location not in self.moves:
            self.moves[location] = [self._move(step.after, location) for step in self.transitions.steps]
        return self.moves[location]

    def _move(self, change: dict[Term, Term], location: Location) -> Move:
        after = {state: self.specialised(term, location) for state, term in change.items()}
        control = [self.specialised(folded(leaf, after), location) for leaf in self.control]
        choices = list(product(*map(constant_values, control)))
        if len(choices) > MOST_LOCATIONS:
            raise FragmentError(f"a step leads to more than {MOST_LOCATIONS} locations (MOST_LOCATIONS)")
        conditions = {values: conjunction(*map(has_value, control, values)) for values in choices}
        return Move(after, {values: condition for values, condition in conditions.items() if condition is not FALSE})

    def drop_what_is_not_inductive(self) -> None:
        """Leaves at each location the facts that hold initially and that no step breaks."""
        for location, facts in self.facts.items():
            here = substitute(self.at(location), self.transitions.initial)
            claims = {fact: implies(here, substitute(fact, self.transitions.initial)) for fact in facts}
            self.facts[location] = surviving(claims, self.hypothesis, self.context)
        pending = dict.fromkeys(self.facts)
        while pending and not self.context.prover.expired:
            location = next(iter(pending))
            del pending[location]
            for move in self.moves_from(location):
                pending |= dict.fromkeys(self._weakened(location, move))

    def _weakened(self, location: Location, move: Move) -> Iterator[Location]:
        """The locations that lose facts because a move from `location` breaks them, or that are new."""
        for target, condition in move.targets.items():
            if target not in self.facts:
                if not self._proves(location, self.facts[location], negation(condition)):
                    if len(self.facts) == MOST_LOCATIONS:
                        raise FragmentError(f"the folds have more than {MOST_LOCATIONS} locations (MOST_LOCATIONS)")
                    self.facts[target] = []
                    yield target
                continue
            claims = {fact: move.effect(fact, target) for fact in self.facts[target]}
            kept = surviving(claims, self._known(location, self.facts[location]), self.context)
            if len(kept) < len(claims):
                self.facts[target] = kept
                yield target

    def needed_for(self, claim: Term) -> Facts | None:
        """Facts that suffice for a claim about the accumulators and for one another; None if all do not."""
        needed: Facts = {location: [] for location in self.facts}
        goals = [(location, self.specialised(claim, location)) for location in self.facts]
        for location in self.facts:
            for move in self.moves_from(location):
                outside = (condition for target, condition in move.targets.items() if target not in self.facts)
                goals += [(location, negation(condition)) for condition in outside]
        while goals:
            location, goal = goals.pop()
            found = self._core(location, needed[location], goal)
            if found is None:
                return None
            needed[location] += found
            for source in self.facts:
                for move in self.moves_from(source):
                    if location in move.targets:
                        goals += [(source, move.effect(fact, location)) for fact in found]
        return {place: [fact for fact in facts if fact in needed[place]] for place, facts in self.facts.items()}

    def _core(self, location: Location, given: list[Term], goal: Term) -> list[Term] | None:
        """Facts at a location, none of which can be left out, that together with those given imply a goal."""
        found: list[Term] = []
        rest = [fact for fact in self.facts[location] if fact not in given]
        while not self._proves(location, [*given, *found], goal):
            low, high = 0, len(rest)  # the first `low` of the rest do not suffice
            if not self._proves(location, [*given, *found, *rest], goal):
                return None
            while high - low > 1:
                middle = (low + high) // 2
                if self._proves(location, [*given, *found, *rest[:middle]], goal):
                    high = middle
                else:
                    low = middle
            found.append(rest[high - 1])
            rest = rest[: high - 1]
        return found

    def _known(self, location: Location, facts: Sequence[Term]) -> Term:
        return conjunction(self.hypothesis, self.at(location), *facts)

    def _proves(self, location: Location, facts: Sequence[Term], goal: Term) -> bool:
        answer = self.context.prover.answer(implies(self._known(location, facts), goal))
        return not isinstance(answer, Countermodel | GaveUp)


def folded(term: Term, values: Mapping[Term, Term] = MappingProxyType({})) -> Term:
    """`term` with constants put in for some of its parts, evaluated as far as they determine it."""
    return rebuild(term, values, inside=True, make=_folding)


def _folding(operator: Operator, arguments: tuple[Term, ...], parameter: Parameter) -> Term:
    made = simplified(operator, arguments, parameter)
    if made.operator is Operator.PROJECTION and made.arguments[0].operator is Operator.ITE:
        condition, *parts = made.arguments[0].arguments
        return ite(condition, *(_folding(Operator.PROJECTION, (part,), parameter) for part in parts))
    constants = all(argument.operator is Operator.CONSTANT for argument in made.arguments)
    if constants and made.arguments and made.type in (INT, BOOL):
        return constant(evaluate(made, {}))  # type: ignore[arg-type]
    return made


def constant_values(term: Term) -> list[int]:
    """The values of a conditional between constants; raises FragmentError for other terms."""
    if term.operator is Operator.CONSTANT:
        return [term.parameter]  # type: ignore[list-item]
    if term.operator is not Operator.ITE:
        raise FragmentError("a step does not lead from each location to one of a few")
    return list(dict.fromkeys(constant_values(term.arguments[1]) + constant_values(term.arguments[2])))


def has_value(term: Term, value: int) -> Term:
    """The formula that a conditional between constants has a value."""
    if term.operator is Operator.CONSTANT:
        return TRUE if term.parameter == value else FALSE
    condition, then, otherwise = term.arguments
    return disjunction(
        conjunction(condition, has_value(then, value)), conjunction(negation(condition), has_value(otherwise, value))
    )
