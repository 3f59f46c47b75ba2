"""Element-blind folds: the UDFs ignore their elements, so only the number of elements counts.

Statement    Let no step depend on the element. Then M after n elements is stepⁿ(i): a single sequence of states, which
             is run. The programs differ iff they differ at one of its states; the first of these gives the smallest
             input, of n elements. If a state comes back, the finitely many states up to then are an invariant. (It
             decides halting for the machines of TR Theorem 2 that halt, or repeat a state, within the caps below.)
Fragment     folds over one index set, with UDFs (or folded values) that are constant in the element and mention
             no parameter. Differences are looked for where an input bag occurs once in the index set, so that any
             number of elements can be had, and where the results depend on the folds alone.
Complete     no: the sequence may go on for ever (TR Theorem 2: no method can be complete).
Certificate  the input, or FOLD with the disjunction of the states.

>>> from tallystick.core.terms import *
>>> from tallystick.core.types import INT, BagType
>>> from tallystick.decision.outcome import Goal, MethodContext
>>> from tallystick.decision.prover import Prover
>>> count = build(Operator.FOLD, (constant(0), add(accumulator(INT), constant(1)), variable("R", BagType(INT))))
>>> goal = Goal(TRUE, equal(count, constant(1000)), FALSE)
>>> element_blind(goal, MethodContext(Prover(), lambda rest: Unknown("not asked")))
Differs(environment={variable(('R', BagType(element=IntType()))): {0: 1000}}, method='element_blind')
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from tallystick.certificates.rules.fold import fold_transitions
from tallystick.core.errors import FragmentError
from tallystick.core.interpreter import Environment
from tallystick.core.monomials import monomials
from tallystick.core.terms import TRUE, Term, conjunction, constant, disjunction, equal, free_variables, tuple_of
from tallystick.core.types import BagType, Value, default_value
from tallystick.decision.invariants.compiled import compiled
from tallystick.decision.invariants.induction import Induction
from tallystick.decision.outcome import Differs, Goal, MethodContext, Outcome, Unknown

NAME = "element_blind"
STEPS = 100_000
LARGEST_BITS = 4096
STATES_IN_INVARIANT = 64

State = tuple[Value, ...]
"""The values of the accumulators, in order."""


def element_blind(goal: Goal, context: MethodContext) -> Outcome | None:
    """Runs the folds of a goal; None unless they are over one index set and ignore elements and parameters."""
    sequence = StateSequence.of(goal)
    if sequence is None:
        return None
    try:
        return _run(sequence, context)
    except (FragmentError, RecursionError) as error:
        return Unknown(f"the step cannot be run: {str(error) or 'it is nested too deeply'}")


def _run(sequence: StateSequence, context: MethodContext) -> Outcome:
    differs = sequence.difference()
    seen: dict[State, None] = {}
    for count, state in enumerate(sequence.states()):
        if state in seen:
            return _by_states(sequence.induction, list(seen), context)
        if differs is not None and differs(state):
            return Differs(sequence.input_of(count), NAME)
        if count == STEPS:
            return Unknown(f"no state comes back within {STEPS} steps (STEPS)")
        if count % 64 == 0:
            if _bits(state) > LARGEST_BITS:
                return Unknown(f"a value has more than {LARGEST_BITS} bits (LARGEST_BITS)")
            if context.prover.expired:
                return Unknown("the time limit was reached")
        seen[state] = None
    raise AssertionError("the sequence of states has no end")


def _by_states(induction: Induction, states: list[State], context: MethodContext) -> Outcome:
    """FOLD with the disjunction of all states."""
    if len(states) > STATES_IN_INVARIANT:
        limit = f"more than {STATES_IN_INVARIANT} (STATES_IN_INVARIANT)"
        return Unknown(f"the folds pass through {len(states)} states, {limit}")
    cases = [conjunction(*map(equal, induction.accumulators, map(literal, state))) for state in states]
    return induction.prove(disjunction(*cases), context, NAME)


def literal(value: Value) -> Term:
    """The closed term of a value."""
    return tuple_of(*map(literal, value)) if isinstance(value, tuple) else constant(value)


def _bits(value: Value | State) -> int:
    return max(map(_bits, value)) if isinstance(value, tuple) else int(value).bit_length()


@dataclass(frozen=True, slots=True)
class StateSequence:
    """The states that element-blind folds pass through, one after each element of their common index set."""

    induction: Induction
    initial: dict[Term, Term]
    after: dict[Term, Term]

    @classmethod
    def of(cls, goal: Goal) -> StateSequence | None:
        """The sequence of a goal's innermost folds; None where they are not element-blind over one index set."""
        induction = Induction.over(goal)
        if not induction.folds:
            return None
        try:
            transitions = fold_transitions(induction.folds, induction.accumulators)
        except FragmentError:
            return None
        if len(transitions.steps) != 1:
            return None
        [change] = transitions.steps
        after = change.after
        moving = (*transitions.initial.values(), *after.values())
        mentioned = frozenset[Term]().union(*map(free_variables, moving))
        return None if mentioned - set(after) else cls(induction, transitions.initial, after)

    def states(self) -> Iterator[State]:
        """The states after 0, 1, 2, … elements, without end."""
        names = self.induction.accumulators
        (state,) = (compiled([self.initial[name] for name in names], ())(()),)
        step = compiled([self.after[name] for name in names], names)
        while True:
            yield state
            state = step(state)

    def difference(self) -> Callable[[State], bool] | None:
        """Whether the sides differ where the folds have these values; None where no state and input could say so."""
        names = self.induction.accumulators
        claim = self.induction.conclusion(TRUE)
        others = (free_variables(claim.left) | free_variables(claim.right)) - set(names)
        if others or claim.hypothesis is not TRUE or isinstance(claim.left.type, BagType) or self._counted is None:
            return None
        sides = compiled((claim.left, claim.right), names)

        def differs(state: State) -> bool:
            left, right = sides(state)
            return left != right

        return differs

    @property
    def _counted(self) -> Term | None:
        """An input bag that occurs once in the index set."""
        sources = monomials(self.induction.folds[0].arguments[2])[0].sources
        return next((bag for bag in sources if sources.count(bag) == 1), None)

    def input_of(self, count: int) -> Environment:
        """An input with `count` elements in the index set."""
        counted = self._counted
        sources = monomials(self.induction.folds[0].arguments[2])[0].sources
        return {bag: _copies(bag, count if bag is counted else 1) for bag in sources}


def _copies(bag: Term, count: int) -> dict[Value, int]:
    assert isinstance(bag.type, BagType)
    return {default_value(bag.type.element): count} if count else {}
