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
Certificate  FOLD with the invariant M - i in S, its quantifiers eliminated; or with less that is enough: linear
             relations between sums, and the sums of each linear form by itself.

The sum and the count of marks from 0 to 100 have the values (v, 1) with 0 <= v <= 100 for h. Whether the average is at
most 100 depends on M1 - 100 * M2 alone, whose sums are `M1 <= 100 * M2`: the invariant.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from tallystick.core.clock import clock
from tallystick.core.interpreter import Environment
from tallystick.core.monomials import rows_of
from tallystick.core.presburger.conversion import Conversion
from tallystick.core.presburger.formulas import conjunction as all_of
from tallystick.core.presburger.inequalities import Values
from tallystick.core.presburger.lift import cover, eliminate_block
from tallystick.core.presburger.limits import DEFAULT_LIMITS, LimitError, Limits
from tallystick.core.presburger.search import satisfy
from tallystick.core.presburger.star import Star, pieces
from tallystick.core.terms import (
    Term,
    add,
    conjunction,
    constant,
    equal,
    free_variables,
    negation,
    scale,
    substitute,
    variable,
)
from tallystick.core.types import INT
from tallystick.decision.inputs import input_bags, inputs_from_model
from tallystick.decision.invariants.induction import Induction
from tallystick.decision.invariants.linear_systems import LinearSystem, Observation, combination, linear_system
from tallystick.decision.invariants.readable import normalised
from tallystick.decision.invariants.runs import Contents, realised
from tallystick.decision.methods.affine_invariants import linear_equation
from tallystick.decision.outcome import Differs, Goal, MethodContext, Outcome, Proved, Unknown
from tallystick.decision.prover import Countermodel

NAME = "linear_aggregates"
SECONDS = 5.0


def linear_aggregates(goal: Goal, context: MethodContext) -> Outcome | None:
    """Decides a goal whose innermost folds are all linear; None for other goals."""
    induction = Induction.over(goal)
    system = linear_system(induction, context)
    if system is None:
        return None
    limits = replace(DEFAULT_LIMITS, deadline=min(context.prover.deadline, clock() + SECONDS))
    try:
        observed = Observation.of(induction, system, context)
        reached = Sums.of(observed.system, limits)
        found = _refuted(goal, observed, reached, context)
        if found is not None:
            return Differs(found, NAME)
        outcome = None
        for invariant in _invariants(observed, reached, system, limits):
            outcome = induction.prove(invariant, context, NAME)
            if isinstance(outcome, Proved):
                break
        return outcome
    except LimitError as limit:
        return Unknown(f"the sums that are reached: {limit}")


def _refuted(goal: Goal, observed: Observation, reached: Sums, context: MethodContext) -> Environment | None:
    """An input that reaches a state in which the sides of a goal differ; None when none was found.

    Such a state is sought before quantifiers are eliminated, which it does not need. Raises LimitError.
    """
    parts = (combination(form, observed.totals) for form in observed.forms)
    seen = [equal(total, part) for total, part in zip(reached.variables, parts, strict=True)]
    seen += [linear_equation([0, *relation], list(observed.totals)) for relation in observed.relations]
    for claim in observed.claims:
        model = reached.model_of(conjunction(negation(claim.formula), *seen))
        contents = None if model is None else reached.run(model, context)
        if model is not None and contents is not None:
            given = reached.conversion.model(model, free_variables(claim.formula) - set(observed.totals))
            found = realised(goal, inputs_from_model(goal, input_bags(given, claim.rows)), contents)
            if found is not None:
                return found
    return None


def _invariants(observed: Observation, reached: Sums, system: LinearSystem, limits: Limits) -> Iterator[Term]:
    """Invariants, simple ones first; the last one holds of no states but those that are reached.

    These are relations between sums, what is reached of each form by itself, and of all of them. Raises LimitError.
    """
    relations = conjunction(*_relations(observed, system))
    if observed.claims and observed.relations:
        yield relations
    if observed.claims and len(observed.forms) > 1:
        yield conjunction(relations, *(Sums.of(form, limits).invariant() for form in observed.system.components))
    yield conjunction(relations, reached.invariant())


def _relations(observed: Observation, system: LinearSystem) -> Iterator[Term]:
    """That the relations between sums hold of the accumulators without their initial values."""
    for relation in observed.relations:
        yield normalised(equal(combination(relation, system.leaves), combination(relation, system.initial)))


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
        for number, (step, sources) in enumerate(zip(system.added, system.sources, strict=True)):
            body = conversion.formula(conjunction(*map(equal, sums, step)))
            rows = (name for slot in rows_of(sources) for name in conversion.unknowns(slot))
            hidden = frozenset((*rows, *conversion.auxiliary))
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

    def run(self, values: Values, context: MethodContext) -> Contents | None:
        """Index elements that lead to the sums that values of unknowns give; None when one was not found."""
        contents = Contents()
        for piece, vector, times in self.star.summands(values, self.limits):
            step = self.steps[piece]
            wanted = (equal(part, constant(value)) for part, value in zip(self.system.added[step], vector, strict=True))
            answer = context.prover.answer(negation(conjunction(*wanted)))
            if not isinstance(answer, Countermodel):
                return None
            contents.add(self.system.sources[step], answer.values, times)
        return contents


def _difference(leaf: Term, start: Term) -> Term:
    return leaf if start is constant(0) else add(leaf, scale(-1, start))
