"""Linear aggregates: folds whose every step adds a value that depends on the element alone.

Statement    If every step is M' = M + h(x), the values that the accumulators reach are i + S, where S is the submonoid
             that the values of h generate. Values of a Presburger-definable h form a Presburger set, whose submonoid
             is a Presburger set again (THEORY section 3, source 5; `core/presburger/star.py`). With i + S for its
             invariant, FOLD decides the goal. The same holds of the linear forms of M that the goal depends on.
Fragment     any number of folds that are sums, counts and sums by case, over any number of bags; h does not mention
             basic parameters, initial values may.
Complete     yes, where the index set of each fold is one input bag, and where no input bag that is folded occurs in
             the rest of the programs: a state of i + S in which the results differ is the sum of values of h, whose
             elements make an input. Limits on the elimination of quantifiers can be met; the reason names them.
Certificate  FOLD with the invariant M - i in S, its quantifiers eliminated.

The sum and the count of marks from 0 to 100 have the values (v, 1) with 0 <= v <= 100 for h. Whether the average is at
most 100 depends on M1 - 100 * M2 alone, whose sums are `M1 <= 100 * M2`: the invariant.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace

from tallystick.certificates import premises
from tallystick.core.interpreter import Environment
from tallystick.core.monomials import is_slot
from tallystick.core.presburger.conversion import Conversion
from tallystick.core.presburger.formulas import atoms
from tallystick.core.presburger.formulas import conjunction as all_of
from tallystick.core.presburger.inequalities import Values
from tallystick.core.presburger.lift import cover, eliminate_block
from tallystick.core.presburger.limits import DEFAULT_LIMITS, LimitError, Limits
from tallystick.core.presburger.search import satisfy
from tallystick.core.presburger.star import Star, pieces
from tallystick.core.presburger.unimodular import independent
from tallystick.core.terms import (
    TRUE,
    Term,
    add,
    aggregates,
    conjunction,
    constant,
    equal,
    free_variables,
    negation,
    scale,
    substitute,
    tuple_of,
    variable,
)
from tallystick.core.types import INT, TupleType, Type, default_value
from tallystick.decision.affine_invariants import components
from tallystick.decision.induction import Induction
from tallystick.decision.inputs import inputs_from_model
from tallystick.decision.no_agg import find_matching
from tallystick.decision.outcome import Context, Differs, Goal, Outcome, Unknown
from tallystick.decision.prover import Countermodel
from tallystick.decision.readable import normalised
from tallystick.decision.runs import Contents, fold_slots, literal, realised

NAME = "linear_aggregates"
SECONDS = 5.0


def linear_aggregates(goal: Goal, context: Context) -> Outcome | None:
    """Decides a goal whose innermost folds are all linear; None for other goals."""
    induction = Induction.over(goal)
    system = linear_system(induction, context)
    if system is None:
        return None
    limits = replace(DEFAULT_LIMITS, deadline=min(context.prover.deadline, time.monotonic() + SECONDS))
    try:
        observed = Observation.of(induction, system)
        reached = Sums.of(observed.system, limits)
        found = _refuted(goal, observed, reached, context)
        if found is not None:
            return Differs(found, NAME)
        invariant = reached.invariant()
    except LimitError as limit:
        return Unknown(f"the sums that are reached: {limit}")
    return induction.prove(invariant, context, NAME)


def _refuted(goal: Goal, observed: Observation, reached: Sums, context: Context) -> Environment | None:
    """An input that reaches a state in which the sides of a goal differ; None when none was found.

    Such a state is sought before quantifiers are eliminated, which it does not need. Raises LimitError.
    """
    parts = (_combination(form, observed.totals) for form in observed.forms)
    seen = [equal(total, part) for total, part in zip(reached.variables, parts, strict=True)]
    for claim in observed.claims:
        model = reached.model_of(conjunction(negation(claim), *seen))
        contents = None if model is None else reached.run(model, context)
        if model is not None and contents is not None:
            given = reached.conversion.model(model, free_variables(claim) - set(observed.totals))
            found = realised(goal, inputs_from_model(goal, given), contents)
            if found is not None:
                return found
    return None


@dataclass(frozen=True, slots=True)
class LinearSystem:
    """Accumulators that start from `initial` and to which each step adds the value of its terms.

    Attributes:
        leaves: the integer components of the accumulators.
        initial: their initial values.
        added: for each step, what it adds to each component, terms over its slots.
        slots: for each step, the representative variables of its index set.
    """

    leaves: tuple[Term, ...]
    initial: tuple[Term, ...]
    added: tuple[tuple[Term, ...], ...]
    slots: tuple[tuple[Term, ...], ...]


def linear_system(induction: Induction, context: Context) -> LinearSystem | None:
    """The folds of an induction as a linear system; None unless they are one without basic parameters in a step."""
    states = induction.accumulators
    leaves = tuple(leaf for state in states for leaf in components(state))
    if not leaves or any(leaf.type != INT for leaf in leaves):
        return None
    transitions = premises.fold_transitions(induction.folds, states)
    at_zero = {state: literal(default_value(state.type)) for state in states}  # type: ignore[arg-type]
    added: list[tuple[Term, ...]] = []
    for _, _, after in transitions.steps:
        moved = [part for state in states for part in components(after.get(state, state))]
        step = tuple(substitute(part, at_zero) for part in moved)
        if not all(map(is_slot, (name for part in step for name in free_variables(part)))):
            return None
        same = (equal(part, add(leaf, more)) for part, leaf, more in zip(moved, leaves, step, strict=True))
        if not isinstance(context.prover.evidence(same), tuple):
            return None
        added.append(step)
    initial = tuple(part for state in states for part in components(transitions.initial[state]))
    return LinearSystem(leaves, initial, tuple(added), fold_slots(induction.folds))


@dataclass(frozen=True, slots=True)
class Observation:
    """What a goal depends on of the sums of a linear system: few forms are easier to describe than all components.

    Attributes:
        totals: a variable for the sum of each component.
        claims: what has to hold of the totals for the sides of the goal to agree; nothing when folds are left.
        forms: the linear forms of totals that the claims depend on; all totals without claims.
        system: what each step adds to these forms. A form of sums is a sum of its values, so that nothing is lost.
    """

    totals: tuple[Term, ...]
    claims: tuple[Term, ...]
    forms: tuple[tuple[int, ...], ...]
    system: LinearSystem

    @classmethod
    def of(cls, induction: Induction, system: LinearSystem) -> Observation:
        """What the goal of an induction depends on."""
        totals = tuple(variable(f"total{number}", INT) for number in range(len(system.leaves)))
        claims = _claims(induction, totals, system.initial)
        conversion = Conversion()
        names = [name for total in totals for name in conversion.unknowns(total)]
        found = [atom for claim in claims for atom in atoms(conversion.formula(claim, positive=False))]
        rows = dict.fromkeys(tuple(atom.term.coefficient(name) for name in names) for atom in found)
        forms = tuple(independent(sorted(rows, key=lambda row: sum(map(abs, row)))))
        if not claims or len(forms) == len(totals):
            unit = tuple(tuple(int(i == j) for j in range(len(totals))) for i in range(len(totals)))
            return cls(totals, claims, unit, system)

        def combined(parts: tuple[Term, ...]) -> tuple[Term, ...]:
            return tuple(_combination(form, parts) for form in forms)

        added = tuple(map(combined, system.added))
        seen = LinearSystem(combined(system.leaves), combined(system.initial), added, system.slots)
        return cls(totals, claims, forms, seen)


def _claims(induction: Induction, totals: tuple[Term, ...], initial: tuple[Term, ...]) -> tuple[Term, ...]:
    """What the conclusion of an induction says when each component has its initial value plus its total."""
    rest = induction.conclusion(TRUE)
    if aggregates(rest.left) or aggregates(rest.right):
        return ()
    leaves = (name if start is constant(0) else add(name, start) for name, start in zip(totals, initial, strict=True))

    def value(of: Type) -> Term:
        return tuple_of(*map(value, of.components)) if isinstance(of, TupleType) else next(leaves)

    states = {state: value(state.type) for state in induction.accumulators}
    required = premises.no_agg(rest.hypothesis, rest.left, rest.right, find_matching(rest))
    return tuple(substitute(formula, states) for _, formula in required)


@dataclass(frozen=True, slots=True)
class Sums:
    """The sums of the values that the steps of a linear system add.

    Attributes:
        conversion: gives the unknowns `names` of the components' sums.
        star: the submonoid of the sums.
        steps: for each of its pieces, the step whose values it holds.
    """

    system: LinearSystem
    conversion: Conversion
    variables: tuple[Term, ...]
    names: tuple[str, ...]
    star: Star
    steps: tuple[int, ...]
    limits: Limits

    @classmethod
    def of(cls, system: LinearSystem, limits: Limits) -> Sums:
        """The sums of a linear system; raises LimitError."""
        conversion = Conversion()
        sums = tuple(variable(f"sum{number}", INT) for number in range(len(system.leaves)))
        names = tuple(name for each in sums for name in conversion.unknowns(each))
        found: dict = {}
        for number, (step, slots) in enumerate(zip(system.added, system.slots, strict=True)):
            body = conversion.formula(conjunction(*map(equal, sums, step)))
            hidden = frozenset((*(name for slot in slots for name in conversion.unknowns(slot)), *conversion.auxiliary))
            for piece in pieces(names, cover(hidden, body, limits), limits):
                found.setdefault(piece, number)
        star = Star.of(tuple(found))
        return cls(system, conversion, sums, names, star, tuple(found[piece] for piece in star.pieces), limits)

    def invariant(self) -> Term:
        """That the accumulators are the initial values plus a sum; raises LimitError."""
        body = self.star.membership(self.names)
        formula = self.conversion.term(eliminate_block(self.star.unknowns, body, self.limits))
        parts = zip(self.variables, self.system.leaves, self.system.initial, strict=True)
        return normalised(substitute(formula, {name: _difference(leaf, start) for name, leaf, start in parts}))

    def model_of(self, formula: Term) -> Values | None:
        """Values of unknowns at which the sums satisfy a formula over them; None when there are none."""
        body = self.conversion.formula(formula)
        return satisfy(all_of((body, self.star.membership(self.names))), self.limits)

    def run(self, values: Values, context: Context) -> Contents | None:
        """Index elements that lead to the sums that values of unknowns give; None when one was not found."""
        contents = Contents()
        for piece, vector, times in self.star.summands(values, self.limits):
            step = self.steps[piece]
            wanted = (equal(part, constant(value)) for part, value in zip(self.system.added[step], vector, strict=True))
            answer = context.prover.answer(negation(conjunction(*wanted)))
            if not isinstance(answer, Countermodel):
                return None
            contents.add(self.system.slots[step], answer.values, times)
        return contents


def _combination(form: tuple[int, ...], parts: tuple[Term, ...]) -> Term:
    summands = [
        part if factor == 1 else scale(factor, part) for factor, part in zip(form, parts, strict=True) if factor
    ]
    return add(*summands) if len(summands) > 1 else summands[0]


def _difference(leaf: Term, start: Term) -> Term:
    return leaf if start is constant(0) else add(leaf, scale(-1, start))
