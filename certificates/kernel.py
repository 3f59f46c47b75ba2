"""The kernel: the only constructors of theorems, one function a rule of THEORY section 3.

    valid             ψ is true for all values of its variables
    no_agg            Γ ⊢ P₁ ≡ P₂ without aggregates
    fold              Γ ⊢ E₁[F₁] ≡ E₂[F₂] by an invariant of the folds
    by_key            Γ ⊢ post₁(B₁) ≡ post₂(B₂) by an invariant of a joint bucket
    congruence, transitive, symmetric
    inequivalent      P₁ ≢ P₂ by an input on which they differ
    prove             replays a proof tree for a goal

Γ ⊢ P₁ ≡ P₂ says: for every input that satisfies the formula Γ, both terms have the same value under the reference
semantics (`core/interpreter.py`). Every rule raises KernelError, or FragmentError from its premises, when it fails.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from tallystick.certificates import premises, proofs, refutation
from tallystick.core.errors import KernelError
from tallystick.core.interpreter import STEP_LIMIT, Environment, evaluate
from tallystick.core.monomials import plain
from tallystick.core.programs import Program, comparable
from tallystick.core.terms import TRUE, Operator, Term, conjunction, free_variables, substitute, variable
from tallystick.core.types import BOOL, BagType, TupleType

NO_ORACLES: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Valid:
    """A theorem: `formula` is true for all values of its variables, if the oracles are right."""

    formula: Term
    oracles: frozenset[str]


@dataclass(frozen=True, slots=True)
class Equivalent:
    """A theorem: hypothesis ⊢ left ≡ right, if the oracles are right."""

    hypothesis: Term
    left: Term
    right: Term
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
                         ⊢ ψ

    Fails when the refutation tree does not refute ¬ψ.
    """
    if isinstance(evidence, proofs.Oracle):
        return Valid(formula, frozenset({evidence.solver}))
    refutation.check(formula, evidence)
    return Valid(formula, NO_ORACLES)


def _discharge(required: premises.Premises, evidence: Sequence[proofs.Evidence]) -> frozenset[str]:
    """The oracles behind all premises; fails when one lacks evidence, has bad evidence, or evidence is left over."""
    if len(required) != len(evidence):
        raise KernelError(f"{len(required)} premises need as many pieces of evidence; found {len(evidence)}")
    oracles = NO_ORACLES
    for (name, formula), piece in zip(required, evidence, strict=True):
        try:
            oracles |= valid(formula, piece).oracles
        except KernelError as error:
            raise KernelError(f"premise {name!r}: {error}") from error
    return oracles


def no_agg(
    hypothesis: Term, left: Term, right: Term, matching: premises.Matching | None, evidence: Sequence[proofs.Evidence]
) -> Equivalent:
    """
        each premise of `premises.no_agg` is valid
        ------------------------------------------  NOAGG (TR Theorem 1, generalised)
                    Γ ⊢ left ≡ right

    Fails when the sides have different types, lie outside the NoAgg class, or a premise is not proved.
    """
    if left.type != right.type or hypothesis.type != BOOL:
        raise KernelError("NOAGG relates terms of one type under a boolean hypothesis")
    required = premises.no_agg(hypothesis, left, right, matching)
    return Equivalent(hypothesis, left, right, _discharge(required, evidence))


def fold_goal(
    hypothesis: Term,
    left: Term,
    right: Term,
    folds: tuple[Term, ...],
    accumulators: tuple[Term, ...],
    invariant: Term,
) -> tuple[Term, Term, Term]:
    """The hypothesis and the sides of FOLD's conclusion premise: Γ ∧ Inv(M) ⊢ E₁[M₁] ≡ E₂[M₂]."""
    _fresh(accumulators, [term.type for term in folds], (hypothesis, left, right))
    if any(term.operator is not Operator.FOLD for term in folds) or invariant.type != BOOL:
        raise KernelError("FOLD is about folds and an invariant of their accumulators")
    states = dict(zip(folds, accumulators, strict=True))
    return conjunction(hypothesis, invariant), substitute(left, states), substitute(right, states)


def fold(
    hypothesis: Term,
    left: Term,
    right: Term,
    folds: tuple[Term, ...],
    accumulators: tuple[Term, ...],
    invariant: Term,
    evidence: Sequence[proofs.Evidence],
    conclusion: Equivalent,
) -> Equivalent:
    """
        Γ ⇒ Inv(i)    Γ ∧ Inv(M) ⇒ Inv(stepₛ(M, x)) for each index set s    order does not matter where Inv holds
        Γ ∧ Inv(M) ⊢ E₁[M₁] ≡ E₂[M₂]
        ----------------------------------------------------------------------------------------------------------  FOLD
        Γ ⊢ E₁[F₁] ≡ E₂[F₂]

    Fails when the accumulators are not fresh, a folded bag has an aggregate inside, a premise is not proved, or the
    conclusion is about something else.
    """
    goal = fold_goal(hypothesis, left, right, folds, accumulators, invariant)
    if goal != (conclusion.hypothesis, conclusion.left, conclusion.right):
        raise KernelError("FOLD's last premise is about other programs than its conclusion")
    oracles = _discharge(premises.fold(hypothesis, folds, accumulators, invariant), evidence)
    return Equivalent(hypothesis, left, right, oracles | conclusion.oracles)


def by_key(
    hypothesis: Term,
    left: Term,
    right: Term,
    folds: tuple[Term, Term],
    buckets: tuple[premises.Bucket, premises.Bucket],
    invariant: Term,
    evidence: Sequence[proofs.Evidence],
) -> Equivalent:
    """
        keys agree    Inv of buckets without elements    enabled steps preserve Inv
        order does not matter where Inv holds    Inv ⇒ out₁ = out₂
        ---------------------------------------------------------------------------  BYKEY (CAV eq. 2–3, generalised)
        Γ ⊢ post₁(foldByKey(i₁, f₁)(μ₁)) ≡ post₂(foldByKey(i₂, f₂)(μ₂))

    Fails when a side is not one monomial over one pair of its by-key fold, the variables of the buckets are not
    fresh, or a premise is not proved.
    """
    if any(term.operator is not Operator.FOLD_BY_KEY for term in folds) or invariant.type != BOOL:
        raise KernelError("BYKEY is about two by-key folds and an invariant of their buckets")
    types = [kind for term in folds for kind in _bucket_types(term)]
    _fresh([v for bucket in buckets for v in bucket.variables], types, (hypothesis, left, right))
    required = premises.by_key(hypothesis, folds, posts((left, right), folds), buckets, invariant)
    return Equivalent(hypothesis, left, right, _discharge(required, evidence))


def congruence_goal(
    hypothesis: Term, left: Term, right: Term, parts: tuple[Term, Term], fresh: Term
) -> tuple[Term, Term, Term]:
    """The hypothesis and the sides of CONG's second premise: Γ ⊢ E₁[x] ≡ E₂[x]."""
    _fresh((fresh,), [parts[0].type], (hypothesis, left, right))
    return hypothesis, substitute(left, {parts[0]: fresh}), substitute(right, {parts[1]: fresh})


def congruence(left: Term, right: Term, fresh: Term, equal_parts: Equivalent, whole: Equivalent) -> Equivalent:
    """
        Γ ⊢ S₁ ≡ S₂    Γ ⊢ E₁[x] ≡ E₂[x]    x fresh
        --------------------------------------------  CONG
        Γ ⊢ E₁[S₁] ≡ E₂[S₂]

    Fails when the premises are about other terms, or x occurs elsewhere.
    """
    hypothesis = equal_parts.hypothesis
    goal = congruence_goal(hypothesis, left, right, (equal_parts.left, equal_parts.right), fresh)
    if goal != (whole.hypothesis, whole.left, whole.right):
        raise KernelError("CONG's second premise is about other programs than its conclusion")
    return Equivalent(hypothesis, left, right, equal_parts.oracles | whole.oracles)


def transitive(first: Equivalent, second: Equivalent) -> Equivalent:
    """
        Γ ⊢ P₁ ≡ P₂    Γ ⊢ P₂ ≡ P₃
        ---------------------------  TRANS
        Γ ⊢ P₁ ≡ P₃

    Fails when the hypotheses or the middle terms differ.
    """
    if first.hypothesis != second.hypothesis or first.right != second.left:
        raise KernelError("TRANS needs one hypothesis and one middle term")
    return Equivalent(first.hypothesis, first.left, second.right, first.oracles | second.oracles)


def symmetric(theorem: Equivalent) -> Equivalent:
    """
    Γ ⊢ P₁ ≡ P₂
    -----------  SYM
    Γ ⊢ P₂ ≡ P₁
    """
    return Equivalent(theorem.hypothesis, theorem.right, theorem.left, theorem.oracles)


def inequivalent(left: Program, right: Program, environment: Environment, steps: int = STEP_LIMIT) -> Inequivalent:
    """
        ⟦P₁⟧(ρ) ≠ ⟦P₂⟧(ρ)
        ------------------  REFUTE
        ⊢ P₁ ≢ P₂

    Fails when the programs are not comparable, ρ is not an input, or both return the same. Raises EvaluationError
    when an evaluation takes more than `steps` steps.
    """
    if not comparable(left, right) or set(environment) != set(left.parameters):
        raise KernelError("REFUTE needs comparable programs and one value for each parameter")
    outputs = evaluate(left.expression, environment, steps), evaluate(right.expression, environment, steps)
    if outputs[0] == outputs[1]:
        raise KernelError("both programs return the same value on this input")
    return Inequivalent(left, right, environment, outputs)


def prove(hypothesis: Term, left: Term, right: Term, proof: proofs.Proof) -> Equivalent:
    """The theorem hypothesis ⊢ left ≡ right, by replaying `proof`; fails when a step of it fails."""
    match proof:
        case proofs.NoAgg(matching, evidence):
            return no_agg(hypothesis, left, right, matching, evidence)
        case proofs.Fold(folds, accumulators, invariant, evidence, rest):
            conclusion = prove(*fold_goal(hypothesis, left, right, folds, accumulators, invariant), rest)
            return fold(hypothesis, left, right, folds, accumulators, invariant, evidence, conclusion)
        case proofs.ByKey(folds, buckets, invariant, evidence):
            return by_key(hypothesis, left, right, folds, buckets, invariant, evidence)
        case proofs.Congruence(parts, fresh, equal_parts, whole):
            first = prove(hypothesis, *parts, equal_parts)
            return congruence(
                left, right, fresh, first, prove(*congruence_goal(hypothesis, left, right, parts, fresh), whole)
            )
        case proofs.Transitive(middle, one, other):
            return transitive(prove(hypothesis, left, middle, one), prove(hypothesis, middle, right, other))
        case proofs.Symmetric(rest):
            return symmetric(prove(hypothesis, right, left, rest))
    raise KernelError(f"no rule is called {type(proof).__name__}")


def equivalent(left: Program, right: Program, proof: proofs.Proof) -> Equivalent:
    """The theorem ⊢ left ≡ right about two comparable programs; fails when a step of the proof fails."""
    if not comparable(left, right):
        raise KernelError("the programs take different parameters or return different types")
    return prove(TRUE, left.expression, right.expression, proof)


def _fresh(variables: Sequence[Term], types: Sequence[object], others: Iterable[Term]) -> None:
    """Checks that `variables` are distinct variables of the given types whose names occur in none of `others`."""
    if any(term.operator is not Operator.VARIABLE for term in variables):
        raise KernelError("fresh variables are variables")
    names = [term.parameter[0] for term in variables]  # type: ignore[index]
    used = {term.parameter[0] for other in others for term in free_variables(other)}  # type: ignore[index]
    if len(set(names)) < len(names) or used & set(names) or [term.type for term in variables] != list(types):
        raise KernelError("fresh variables are distinct, of the right types, and occur nowhere else")
    plain(*variables)


def _bucket_types(term: Term) -> tuple[object, ...]:
    match term.type:
        case BagType(TupleType((key, accumulated))):
            return key, BOOL, accumulated
    raise KernelError("BYKEY is about by-key folds")


def posts(sides: tuple[Term, Term], folds: tuple[Term, Term]) -> tuple[Term, Term]:
    """Both sides as functions of what their by-key fold returns: with a new bag variable in its place."""
    longest = max((len(term.parameter[0]) for side in sides for term in free_variables(side)), default=0)  # type: ignore
    name = "B" * (1 + longest)
    left, right = (substitute(side, {term: variable(name, term.type)}) for side, term in zip(sides, folds, strict=True))
    return left, right
