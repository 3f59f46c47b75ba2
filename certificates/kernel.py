"""The kernel: the only constructors of theorems, one function a rule of THEORY section 3.

Γ ⊢ P₁ ≡ P₂ says: for every input that satisfies the formula Γ, both terms have the same value under the reference
semantics (`core/interpreter.py`). A rule takes its conclusion as a goal, the step of a proof tree that claims it, and
the path of that step. What stands above the line is proved on the way: formulas from the step's evidence, judgements
from its subproofs. A rule raises KernelError, or FragmentError from its premises, when it fails.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from tallystick.certificates import premises, proofs, refutation
from tallystick.core.errors import KernelError, TallystickError
from tallystick.core.interpreter import STEP_LIMIT, Environment, evaluate
from tallystick.core.monomials import name_of, plain
from tallystick.core.programs import Program, comparable
from tallystick.core.terms import TRUE, Operator, Term, conjunction, free_variables, substitute, variable
from tallystick.core.types import BOOL, BagType, TupleType

NO_ORACLES: Final[frozenset[str]] = frozenset()
Goal = tuple[Term, Term, Term]
"""Γ, P₁ and P₂ of a judgement Γ ⊢ P₁ ≡ P₂."""


class StepError(KernelError):
    """A step of a proof tree fails; the message begins with its path."""


@dataclass(frozen=True, slots=True)
class Valid:
    """A theorem: `formula` is true for all values of its variables, if the oracles are right."""

    formula: Term
    oracles: frozenset[str]


@dataclass(frozen=True, slots=True)
class Equivalent:
    """A theorem: the judgement `goal` holds, if the oracles are right."""

    goal: Goal
    oracles: frozenset[str]


@dataclass(frozen=True, slots=True)
class Inequivalent:
    """A theorem: on `environment` the programs return the different values `outputs`."""

    left: Program
    right: Program
    environment: Environment
    outputs: tuple[object, object] = field(compare=False)


def valid(formula: Term, evidence: proofs.Evidence) -> Valid:
    """
    ¬ψ is refuted, or a solver says that ψ is valid
    -----------------------------------------------
    ψ

    Fails when ψ is no formula, or the refutation tree does not refute ¬ψ.
    """
    if isinstance(evidence, proofs.Oracle):
        refutation.require_formula(formula)
        return Valid(formula, frozenset({evidence.solver}))
    refutation.check(formula, evidence)
    return Valid(formula, NO_ORACLES)


def equivalent(left: Program, right: Program, proof: proofs.Proof) -> Equivalent:
    """The theorem ⊢ left ≡ right about two comparable programs; fails like `prove`."""
    if not comparable(left, right):
        raise KernelError("the programs take different parameters or return different types")
    return prove((TRUE, left.expression, right.expression), proof)


def inequivalent(left: Program, right: Program, environment: Environment, steps: int = STEP_LIMIT) -> Inequivalent:
    """
    ⟦P₁⟧(ρ) ≠ ⟦P₂⟧(ρ)
    ------------------  REFUTE
    P₁ ≢ P₂

    Fails when the programs are not comparable, ρ is not an input, or both return the same. Raises EvaluationError
    when an evaluation takes more than `steps` steps.
    """
    if not comparable(left, right) or set(environment) != set(left.parameters):
        raise KernelError("REFUTE needs comparable programs and one value for each parameter")
    outputs = evaluate(left.expression, environment, steps), evaluate(right.expression, environment, steps)
    if outputs[0] == outputs[1]:
        raise KernelError("both programs return the same value on this input")
    return Inequivalent(left, right, environment, outputs)


def check(certificate: proofs.Certificate, steps: int = STEP_LIMIT) -> frozenset[str]:
    """The oracles on whose word a certificate's claim depends; the claim holds if they are right.

    Raises KernelError, FragmentError or EvaluationError when it does not follow.
    """
    left, right, result = certificate.left, certificate.right, certificate.result
    if not isinstance(result, proofs.Counterexample):
        return equivalent(left, right, result).oracles
    environment = dict(zip(left.parameters, result.inputs, strict=True))
    if inequivalent(left, right, environment, steps).outputs != result.outputs:
        raise KernelError("the programs return other values than the certificate says")
    return NO_ORACLES


def prove(goal: Goal, proof: proofs.Proof, path: str = "proof") -> Equivalent:
    """The theorem `goal`, by replaying `proof`; raises StepError, with the path of the step, when a step fails."""
    try:
        if type(proof) not in RULES:
            raise KernelError(f"no rule is called {type(proof).__name__}")
        _well_formed(goal)
        return RULES[type(proof)](goal, proof, path)
    except StepError:
        raise
    except RecursionError:
        raise StepError(f"{path}: its terms are nested too deeply") from None
    except TallystickError as error:
        raise StepError(f"{path}: {error}") from error


def _no_agg(goal: Goal, step: proofs.NoAgg, path: str) -> Equivalent:
    """
    each premise of `premises.no_agg`
    ---------------------------------  NOAGG (TR Theorem 1, generalised)
    Γ ⊢ P₁ ≡ P₂

    Fails when the sides lie outside the NoAgg class.
    """
    return Equivalent(goal, _discharge(premises.no_agg(*goal, step.matching), step.evidence))


def _distinct(goal: Goal, step: proofs.Distinct, path: str) -> Equivalent:
    """
    each premise of `premises.distinct`
    -----------------------------------  SET
    Γ ⊢ P₁ ≡ P₂

    Fails when a side may repeat an element, or has an aggregate.
    """
    return Equivalent(goal, _discharge(premises.distinct(*goal), step.evidence))


def _fold(goal: Goal, step: proofs.Fold, path: str) -> Equivalent:
    """
    Γ ⇒ Inv(i)    Γ ∧ Inv(M) ⇒ Inv(stepₛ(M, x)) for each index set s    order does not matter
    Γ ∧ Inv(M) ⊢ E₁[M₁] ≡ E₂[M₂]
    -----------------------------------------------------------------------------------------  FOLD
    Γ ⊢ E₁[F₁] ≡ E₂[F₂]

    Fails when the accumulators are not fresh, or a folded bag has an aggregate inside.
    """
    conclusion = fold_goal(*goal, step.folds, step.accumulators, step.invariant)
    rest = prove(conclusion, step.conclusion, f"{path}.conclusion")
    required = premises.fold(goal[0], step.folds, step.accumulators, step.invariant)
    return Equivalent(goal, _discharge(required, step.evidence) | rest.oracles)


def fold_goal(
    hypothesis: Term, left: Term, right: Term, folds: tuple[Term, ...], accumulators: tuple[Term, ...], invariant: Term
) -> Goal:
    """FOLD's last premise: Γ ∧ Inv(M) ⊢ E₁[M₁] ≡ E₂[M₂]."""
    _well_formed((hypothesis, left, right), invariant)
    _fresh(accumulators, [term.type for term in folds], (hypothesis, left, right, *folds))
    if any(term.operator is not Operator.FOLD for term in folds):
        raise KernelError("FOLD is about folds and an invariant of their accumulators")
    states = dict(zip(folds, accumulators, strict=True))
    return conjunction(hypothesis, invariant), substitute(left, states), substitute(right, states)


def _by_key(goal: Goal, step: proofs.ByKey, path: str) -> Equivalent:
    """
    keys agree    Inv of buckets without elements    enabled steps preserve Inv
    order does not matter where Inv holds    Inv ⇒ out₁ = out₂
    ---------------------------------------------------------------------------  BYKEY (CAV eq. 2–3, generalised)
    Γ ⊢ post₁(foldByKey(i₁, f₁)(μ₁)) ≡ post₂(foldByKey(i₂, f₂)(μ₂))

    Fails when a side is not one monomial over one pair of its by-key fold, or the buckets' variables are not fresh.
    """
    _well_formed(goal, step.invariant)
    types = [part for term in step.folds for part in _bucket_types(term)]
    _fresh([name for bucket in step.buckets for name in bucket.variables], types, (*goal, *step.folds))
    functions = posts(goal[1:], step.folds)
    required = premises.by_key(goal[0], step.folds, functions, step.buckets, step.invariant)
    return Equivalent(goal, _discharge(required, step.evidence))


def _bucket_types(term: Term) -> tuple[object, ...]:
    match term.operator, term.type:
        case Operator.FOLD_BY_KEY, BagType(TupleType((key, accumulated))):
            return key, BOOL, accumulated
    raise KernelError("BYKEY is about by-key folds")


def posts(sides: tuple[Term, Term], folds: tuple[Term, Term]) -> tuple[Term, Term]:
    """Both sides as functions of what their by-key fold returns: with a new bag variable in its place.

    Fails when another input bag, or none, is left in one of them: its monomial would be taken for one of the new bag.
    """
    name = "B" * (1 + max((len(name_of(term)) for side in sides for term in free_variables(side)), default=0))
    left, right = (substitute(side, {term: variable(name, term.type)}) for side, term in zip(sides, folds, strict=True))
    for post, term in ((left, folds[0]), (right, folds[1])):
        if {free for free in free_variables(post) if isinstance(free.type, BagType)} != {variable(name, term.type)}:
            raise KernelError("BYKEY relates functions of by-key folds and of no other bag")
    return left, right


def _congruence(goal: Goal, step: proofs.Congruence, path: str) -> Equivalent:
    """
    Γ ⊢ S₁ ≡ S₂    Γ ⊢ E₁[x] ≡ E₂[x]    x fresh
    --------------------------------------------  CONG
    Γ ⊢ E₁[S₁] ≡ E₂[S₂]
    """
    equal_parts = prove((goal[0], *step.parts), step.equal_parts, f"{path}.equal_parts")
    whole = prove(congruence_goal(*goal, step.parts, step.fresh), step.whole, f"{path}.whole")
    return Equivalent(goal, equal_parts.oracles | whole.oracles)


def congruence_goal(hypothesis: Term, left: Term, right: Term, parts: tuple[Term, Term], fresh: Term) -> Goal:
    """CONG's second premise: Γ ⊢ E₁[x] ≡ E₂[x]."""
    _well_formed((hypothesis, left, right))
    _fresh((fresh,), [parts[0].type], (hypothesis, left, right, *parts))
    return hypothesis, substitute(left, {parts[0]: fresh}), substitute(right, {parts[1]: fresh})


def _transitive(goal: Goal, step: proofs.Transitive, path: str) -> Equivalent:
    """
    Γ ⊢ P₁ ≡ P₂    Γ ⊢ P₂ ≡ P₃
    ---------------------------  TRANS
    Γ ⊢ P₁ ≡ P₃
    """
    hypothesis, left, right = goal
    first = prove((hypothesis, left, step.middle), step.first, f"{path}.first")
    second = prove((hypothesis, step.middle, right), step.second, f"{path}.second")
    return Equivalent(goal, first.oracles | second.oracles)


def _symmetric(goal: Goal, step: proofs.Symmetric, path: str) -> Equivalent:
    """
    Γ ⊢ P₁ ≡ P₂
    -----------  SYM
    Γ ⊢ P₂ ≡ P₁
    """
    hypothesis, left, right = goal
    return Equivalent(goal, prove((hypothesis, right, left), step.proof, f"{path}.proof").oracles)


RULES: Final[dict[type, Callable[[Goal, Any, str], Equivalent]]] = {
    proofs.NoAgg: _no_agg,
    proofs.Distinct: _distinct,
    proofs.Fold: _fold,
    proofs.ByKey: _by_key,
    proofs.Congruence: _congruence,
    proofs.Transitive: _transitive,
    proofs.Symmetric: _symmetric,
}


def _discharge(required: premises.Premises, evidence: Sequence[proofs.Evidence]) -> frozenset[str]:
    """The oracles behind all premises; fails when one lacks evidence, has bad evidence, or evidence is left over."""
    if len(required) != len(evidence):
        raise KernelError(f"{len(required)} premises need as many pieces of evidence, not {len(evidence)}")
    oracles = NO_ORACLES
    for (name, formula), piece in zip(required, evidence, strict=True):
        try:
            oracles |= valid(formula, piece).oracles
        except KernelError as error:
            raise KernelError(f"premise {name!r}: {error}") from error
    return oracles


def _well_formed(goal: Goal, *formulas: Term) -> None:
    """Checks that a goal relates terms of one type under a boolean hypothesis, and that all its terms are plain."""
    hypothesis, left, right = goal
    if left.type != right.type or any(term.type != BOOL for term in (hypothesis, *formulas)):
        raise KernelError("a goal relates terms of one type; hypotheses and invariants are boolean")
    plain(*goal, *formulas)


def _fresh(variables: Sequence[Term], types: Sequence[object], others: Sequence[Term]) -> None:
    """Checks that `variables` are distinct variables of the given types whose names occur in none of `others`."""
    if any(term.operator is not Operator.VARIABLE for term in variables):
        raise KernelError("fresh variables are variables")
    plain(*variables, *others)
    names = [name_of(term) for term in variables]
    used = {name_of(term) for other in others for term in free_variables(other)}
    if len(set(names)) < len(names) or used & set(names) or [term.type for term in variables] != list(types):
        raise KernelError("fresh variables are distinct, of the right types, and occur nowhere else")
