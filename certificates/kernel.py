"""The kernel: the only constructors of theorems.

A proof tree is replayed by one function, `prove`: each step's rule (`rules/`) says which premises and subgoals its
judgement follows from; premises are formulas, which refutation trees prove; subgoals are judgements, which the step's
subproofs prove. Everything that fails raises KernelError, or FragmentError from a rule; nothing is a bare false.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from tallystick.certificates import proofs, refutation, refuting
from tallystick.certificates.budget import Budget
from tallystick.certificates.judgements import Goal, Judgement, OneValue, Premise
from tallystick.certificates.rules import RULES
from tallystick.certificates.rules.again import Again
from tallystick.core.binders import in_scope
from tallystick.core.errors import KernelError, TallystickError
from tallystick.core.exceptions import may_raise
from tallystick.core.interpreter import STEP_LIMIT, Environment, evaluate
from tallystick.core.monomials import require_defined
from tallystick.core.operators import OF_QUERIES
from tallystick.core.programs import MEAN, SEMANTICS, SPARK, Program, comparable
from tallystick.core.terms import TRUE, Term, aggregates, is_linear, subterms
from tallystick.core.types import BOOL, RationalType
from tallystick.core.work import limited

NO_ORACLES: Final[frozenset[str]] = frozenset()


class StepError(KernelError):
    """A step of a proof tree fails; the message begins with its path."""


@dataclass(frozen=True, slots=True)
class Valid:
    """A theorem: `formula` is true for all values of its variables, if the oracles are right."""

    formula: Term
    oracles: frozenset[str]


@dataclass(frozen=True, slots=True)
class Holds:
    """A theorem: the judgement `goal` holds, if the oracles are right."""

    goal: Judgement
    oracles: frozenset[str]


@dataclass(frozen=True, slots=True)
class Inequivalent:
    """A theorem: on `environment` the programs return the different values `outputs`."""

    left: Program
    right: Program
    environment: Environment
    outputs: tuple[object, object] = field(compare=False)


def valid(premise: Premise, evidence: proofs.Evidence, budget: Budget, goal: Goal | None = None) -> Valid:
    """
    ¬ψ is refuted, or a solver says that ψ is valid
    -----------------------------------------------
    ψ

    for the rows of the goal and of the premise. Fails when ψ is no formula over them, or the refutation tree does not
    refute ¬ψ; a solver's word counts for linear arithmetic of integers, about all values of the rows, alone.
    """
    budget.spend_on(premise.formula)
    rows = (*(goal.rows if goal else ()), *premise.rows)
    if isinstance(evidence, proofs.Oracle):
        refutation.require_formula(premise.formula, budget)
        if evidence.solver not in proofs.ORACLES:
            raise KernelError(f"no solver is called {evidence.solver!r}")
        if not is_linear(premise.formula):
            raise KernelError("solvers are asked about linear arithmetic of integers, and nothing else")
        return Valid(premise.formula, frozenset({evidence.solver}))
    oracles: set[str] = set()

    def lemma(judgement: Goal, step: proofs.Step, path: str) -> None:
        oracles.update(prove(judgement, step, budget, path).oracles)

    refutation.check(premise.formula, evidence, budget, rows, goal.catalogue if goal else None, lemma)
    return Valid(premise.formula, frozenset(oracles))


def prove(goal: Judgement, step: proofs.Step, budget: Budget | None = None, path: str = "proof") -> Holds:
    """
    each premise of the rule, by its evidence    each subgoal of the rule, by its subproof
    --------------------------------------------------------------------------------------
    goal

    Fails (StepError, with the path of the step) when the rule is none of the kernel's or does not apply, when evidence
    or subproofs are lacking or left over, when one of them fails, when LIMIT would break ties in two ways, or when the
    budget is spent.
    """
    budget = Budget() if budget is None else budget
    try:
        if type(step) is not proofs.Step or type(step.rule) not in RULES:
            raise KernelError(f"no rule is called {type(getattr(step, 'rule', step)).__name__}")
        _well_formed(goal, budget)
        before = budget.proved.get(goal) if type(step.rule) is Again else None
        if type(step.rule) is Again and before is None:
            raise KernelError("AGAIN is about what was proved before, which this was not")
        required = step.rule.requirements(goal)
        if any(budget.choices.setdefault(what, said) != said for what, said in required.choices):
            raise KernelError("another step of the certificate says that LIMIT breaks ties otherwise")
        _as_many("premises", required.premises, "pieces of evidence", step.evidence)
        _as_many("subgoals", required.subgoals, "subproofs", step.subproofs)
        oracles = before.oracles if before else NO_ORACLES
        for subgoal, subproof in zip(required.subgoals, step.subproofs, strict=True):
            oracles |= prove(subgoal.goal, subproof, budget, f"{path}.{subgoal.role}").oracles
        for premise, piece in zip(required.premises, step.evidence, strict=True):
            try:
                oracles |= valid(premise, piece, budget, goal if isinstance(goal, Goal) else None).oracles
            except KernelError as error:
                raise KernelError(f"premise {str(premise.about)!r}: {error}") from error
        budget.proved[goal] = theorem = Holds(goal, oracles)
        return theorem
    except StepError:
        raise
    except RecursionError:
        raise StepError(f"{path}: its terms are nested too deeply") from None
    except TallystickError as error:
        raise StepError(f"{path}: {error}") from error


def _as_many(required: str, of: tuple[object, ...], given: str, pieces: tuple[object, ...]) -> None:
    if len(of) != len(pieces):
        raise KernelError(f"{len(of)} {required} need as many {given}, not {len(pieces)}")


def _well_formed(goal: Judgement, budget: Budget) -> None:
    """Checks that a judgement relates plain terms of one type under a boolean hypothesis."""
    if isinstance(goal, Goal):
        if goal.left.type != goal.right.type or goal.hypothesis.type != BOOL:
            raise KernelError("a goal relates terms of one type; hypotheses and invariants are boolean")
        for term in (goal.hypothesis, goal.left, goal.right):
            if budget.spend_on(term):
                require_defined(term)
            if budget.once((term, goal.rows)) and not in_scope(goal.rows, term):
                raise KernelError(f"a goal has no other rows than the {len(goal.rows)} in scope")
            if goal.catalogue is None and budget.once(term) and any(n.operator in OF_QUERIES for n in subterms(term)):
                raise KernelError("a goal about programs has no normal forms: NORMAL goes over to these")


def equivalent(left: Program, right: Program, proof: proofs.Step, budget: Budget | None = None) -> Holds:
    """The theorem ⊢ left ≡ right about two comparable programs; fails like `prove`."""
    if not comparable(left, right):
        raise KernelError("the programs take different parameters or return different kinds of results")
    return prove(Goal(TRUE, left.expression, right.expression), proof, budget)


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
    if not refuting.differ(left, *outputs):
        raise KernelError("both programs return the same value on this input")
    return Inequivalent(left, right, environment, outputs)


def one_values(semantics: str, *programs: Program) -> tuple[OneValue, ...]:
    """What has to hold of the folds of programs so that each program has one value for each input.

    Raises KernelError when, for Spark's meaning, it is not known how a fold is merged.
    """
    goals: dict[OneValue, None] = {}
    for program in programs:
        merged = {each.fold: None for each in program.folds}
        used = {fold: None for term in (program.expression, *merged) for fold in aggregates(term)}
        if semantics == SPARK and not used.keys() <= merged.keys():
            raise KernelError("a program does not say how Spark merges one of its folds")
        given = {OneValue(each.fold, each.merge): None for each in program.folds}
        proved = {goal.fold for goal in given if goal.merge is not None}
        in_order = {OneValue(fold, None): None for fold in used if fold not in proved}
        goals |= {**in_order, **{goal: None for goal in given if goal.merge is not None}}
    return tuple(goals)


def check(certificate: proofs.Certificate, steps: int = STEP_LIMIT, budget: Budget | None = None) -> frozenset[str]:
    """The oracles on whose word a certificate's claim depends; the claim holds if they are right.

    Raises KernelError, FragmentError or EvaluationError when it does not follow.
    """
    budget = Budget() if budget is None else budget
    with limited(budget):
        return _check(certificate, steps, budget)


def _require_assumptions(certificate: proofs.Certificate) -> None:
    """Raises KernelError unless the certificate assumes what its programs' functions and numbers need."""
    _, _, exact_decimals, exact_floats, no_errors = proofs.ASSUMPTIONS
    nodes = {node for program in (certificate.left, certificate.right) for node in subterms(program.expression)}
    if any(map(may_raise, nodes)) and no_errors not in certificate.assumptions:
        raise KernelError(f"a function of these programs may raise: the claim assumes that {no_errors}")
    numbers = any(isinstance(node.type, RationalType) for node in nodes)
    if numbers and not {exact_decimals, exact_floats} & set(certificate.assumptions):
        raise KernelError(
            f"a claim about numbers that are no integers assumes that {exact_floats}, or {exact_decimals}"
        )


def _check(certificate: proofs.Certificate, steps: int, budget: Budget) -> frozenset[str]:
    left, right, result = certificate.left, certificate.right, certificate.result
    if certificate.semantics not in SEMANTICS or not set(certificate.assumptions) <= set(proofs.ASSUMPTIONS):
        raise KernelError("the semantics, or an assumption, is none that the kernel knows")
    if MEAN in (left.returns, right.returns) and proofs.ASSUMPTIONS[1] not in certificate.assumptions:
        raise KernelError(f"a claim about means assumes that {proofs.ASSUMPTIONS[1]}")
    _require_assumptions(certificate)
    environment: Environment = {}
    if isinstance(result, proofs.Counterexample):
        environment = dict(zip(left.parameters, result.inputs, strict=True))
        if inequivalent(left, right, environment, steps).outputs != result.outputs:
            raise KernelError("the programs return other values than the certificate says")
        oracles = NO_ORACLES
    else:
        oracles = equivalent(left, right, result, budget).oracles
    goals = one_values(certificate.semantics, left, right)
    _as_many("folds", goals, "proofs that they have one value", certificate.one_values)
    for number, (goal, step) in enumerate(zip(goals, certificate.one_values, strict=True)):
        if step is not None:
            oracles |= prove(goal, step, budget, f"one_values[{number}]").oracles
        elif isinstance(result, proofs.Step) or goal.merge is not None:
            raise KernelError(f"one_values[{number}]: that a fold has one value needs a proof")
        else:
            refuting.require_one_value(goal.fold, environment, steps)
    return oracles
