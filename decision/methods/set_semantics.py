"""Set semantics: programs that end with distinct, and distinct inside of programs.

Statement    Two bags without repetitions are equal iff each value of one is a value of the other. P ⊆ Q iff for every
             monomial t of P and all v with t(v) ≠ ⊥ some monomial s of Q and some map h of its slots into v's slots of
             the same bag has s(v∘h) = t(v) (THEORY section 3, SET).
Fragment     distinct of NoAgg bags, filters and products of such bags; distinct may occur inside of distinct.
             Elsewhere, a distinct bag of the left side that equals one of the right is replaced by a fresh bag.
Complete     yes for programs that end with distinct: both sides grow with their inputs, so a failed premise gives an
             input with exactly its elements on which the programs differ. Not for replaced bags: the fresh bag forgets
             that it repeats nothing.
Certificate  SET, below CONG where needed.

`r.cartesian(r).map(lambda p: p[0]).distinct()` is `r.distinct()`: put both slots of the product into the one slot.
"""

from __future__ import annotations

from collections.abc import Iterator

from tallystick.certificates.proofs import Step
from tallystick.certificates.rules.distinct import Distinct, support
from tallystick.core.errors import FragmentError
from tallystick.core.monomials import Monomial, monomials
from tallystick.core.terms import Operator, Term, subterms
from tallystick.core.types import BagType, default_value
from tallystick.decision.inputs import differs, input_bags, inputs_from_model
from tallystick.decision.methods.congruence import replaced
from tallystick.decision.outcome import Differs, Goal, MethodContext, Model, Outcome, Proved, Unknown
from tallystick.decision.prover import Countermodel, GaveUp
from tallystick.decision.tactics import Failed, evidence_for

NAME = "set_semantics"


def set_semantics(goal: Goal, context: MethodContext) -> Outcome | None:
    """Decides programs that end with distinct, and replaces distinct bags elsewhere; None where there is none."""
    if not (_distinct_bags(goal.left) and _distinct_bags(goal.right)):
        return None
    outcome: Outcome | None = None
    if isinstance(goal.left.type, BagType):
        outcome = same_elements(goal, context)
        if not isinstance(outcome, Unknown):
            return outcome
    return _by_congruence(goal, context) or outcome or Unknown("no distinct bag occurs on both sides")


def same_elements(goal: Goal, context: MethodContext) -> Outcome:
    """SET for two bags; Unknown with the reason where the rule does not apply."""
    try:
        required = Distinct().requirements(goal).premises
        sources = (*monomials(support(goal.left)), *monomials(support(goal.right)))
    except FragmentError as error:
        return Unknown(str(error))
    evidence = evidence_for(required, context.prover)
    if not isinstance(evidence, Failed):
        return Proved(Step(Distinct(), evidence), (NAME,))
    match evidence.answer:
        case Countermodel(model):
            return _differing_input(goal, sources[required.index(evidence.premise)], model)
        case GaveUp(reason):
            return Unknown(reason)


def _differing_input(goal: Goal, source: Monomial, model: Model) -> Outcome:
    """The input with just the elements of which a monomial makes a value that the other side lacks."""
    elements = {slot: default_value(slot.type) for slot in source.slots}  # type: ignore[arg-type]
    for environment in inputs_from_model(goal, input_bags({**elements, **model}, source.sources)):
        if differs(goal, environment):
            return Differs(environment, NAME)
    return Unknown("a model of a failed premise gave no input on which the programs differ")


def _by_congruence(goal: Goal, context: MethodContext) -> Outcome | None:
    """Replaces the first pair of equal distinct bags by one fresh bag, and leaves the rest to the portfolio."""
    for one, other in _pairs(goal):
        part = same_elements(Goal(goal.hypothesis, one, other), context)
        if isinstance(part, Proved):
            outcome = replaced(goal, (one, other), part, context)
            if isinstance(outcome, Proved):
                return outcome
    return None


def _pairs(goal: Goal) -> Iterator[tuple[Term, Term]]:
    """Distinct bags of one type, one of each side, the largest first; not both sides themselves."""
    for one in _distinct_bags(goal.left):
        for other in _distinct_bags(goal.right):
            if one.type == other.type and (one, other) != (goal.left, goal.right):
                yield one, other


def _distinct_bags(term: Term) -> list[Term]:
    """The distinct subterms, the largest first."""
    return [node for node in subterms(term) if node.operator is Operator.DISTINCT][::-1]
