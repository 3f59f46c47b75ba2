"""Proofs: one function replays all of them, and makes the theorems that they prove.

A proof tree is replayed by `prove`: each step's rule (`rules/`) says which premises and subgoals its judgement follows
from; premises are formulas, which refutation trees prove; subgoals are judgements, which the step's subproofs prove.
Everything that fails raises KernelError, or FragmentError from a rule; nothing is a bare false. What a claim about
programs or queries has to prove is for `kernel` and `queries/kernel` to say.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from tallystick.certificates import refutation
from tallystick.certificates.budget import Budget
from tallystick.certificates.judgements import Goal, Judgement, Premise
from tallystick.certificates.rules import rule
from tallystick.certificates.trees import ORACLES, Oracle, Step
from tallystick.core.binders import in_scope
from tallystick.core.errors import KernelError, TallystickError
from tallystick.core.operators import OF_QUERIES
from tallystick.core.terms import Term, is_linear, require_defined, subterms
from tallystick.core.types import BOOL

if TYPE_CHECKING:
    from tallystick.certificates.evidence import Evidence

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


def valid(premise: Premise, evidence: Evidence, budget: Budget, goal: Goal | None = None) -> Valid:
    """
    ¬ψ is refuted, or a solver says that ψ is valid
    -----------------------------------------------
    ψ

    for the rows of the goal and of the premise. Fails when ψ is no formula over them, or the refutation tree does not
    refute ¬ψ; a solver's word counts for linear arithmetic of integers, about all values of the rows, alone.
    """
    budget.spend_on(premise.formula)
    rows = (*(goal.rows if goal else ()), *premise.rows)
    if isinstance(evidence, Oracle):
        refutation.require_formula(premise.formula, budget)
        if evidence.solver not in ORACLES:
            raise KernelError(f"no solver is called {evidence.solver!r}")
        if not is_linear(premise.formula):
            raise KernelError("solvers are asked about linear arithmetic of integers, and nothing else")
        return Valid(premise.formula, frozenset({evidence.solver}))
    oracles: set[str] = set()

    def lemma(judgement: Goal, step: Step, path: str) -> None:
        oracles.update(prove(judgement, step, budget, path).oracles)

    refutation.check(premise.formula, evidence, budget, rows, goal.catalogue if goal else None, lemma)
    return Valid(premise.formula, frozenset(oracles))


def prove(goal: Judgement, step: Step, budget: Budget | None = None, path: str = "proof") -> Holds:
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
        name = type(getattr(step, "rule", step)).__name__
        if type(step) is not Step or rule(name) is not type(step.rule):
            raise KernelError(f"no rule is called {name}")
        _well_formed(goal, budget)
        before = budget.proved.get(goal) if name == "Again" else None
        if name == "Again" and before is None:
            raise KernelError("AGAIN is about what was proved before, which this was not")
        required = step.rule.requirements(goal)
        if any(budget.choices.setdefault(what, said) != said for what, said in required.choices):
            raise KernelError("another step of the certificate says that LIMIT breaks ties otherwise")
        as_many("premises", required.premises, "pieces of evidence", step.evidence)
        as_many("subgoals", required.subgoals, "subproofs", step.subproofs)
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


def as_many(required: str, of: tuple[object, ...], given: str, pieces: tuple[object, ...]) -> None:
    """Raises KernelError unless there are as many pieces as are required."""
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
