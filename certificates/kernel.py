"""The kernel for programs: what a certificate has to prove of two programs, and whether it does.

Proofs are replayed by `proving`, and counterexamples evaluated by `refuting`: these make the theorems.
"""

from __future__ import annotations

from functools import partial
from typing import Final

from tallystick.certificates import proofs
from tallystick.certificates.budget import Budget
from tallystick.certificates.judgements import Goal, OneValue
from tallystick.certificates.proving import NO_ORACLES, Holds, StepError, Valid, as_many, prove, valid
from tallystick.core.errors import KernelError
from tallystick.core.operators import Operator
from tallystick.core.programs import MEAN, SEMANTICS, SPARK, Program, comparable
from tallystick.core.terms import TRUE, Term, aggregates, subterms
from tallystick.core.types import RationalType
from tallystick.core.work import STEP_LIMIT, limited

__all__ = ["Holds", "StepError", "Valid", "check", "equivalent", "one_values", "prove", "valid"]


CALLS: Final = (Operator.APPLY, Operator.EXPAND)
"""Operators that apply functions of Python's."""


def equivalent(left: Program, right: Program, proof: proofs.Step, budget: Budget | None = None) -> Holds:
    """The theorem ⊢ left ≡ right about two comparable programs; fails like `prove`."""
    if not comparable(left, right):
        raise KernelError("the programs take different parameters or return different kinds of results")
    return prove(Goal(TRUE, left.expression, right.expression), proof, budget)


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
    terms = (*certificate.left.terms, *certificate.right.terms)
    nodes = {node for term in terms for node in subterms(term)}
    if _may_raise(nodes) and no_errors not in certificate.assumptions:
        raise KernelError(f"a function of these programs may raise: the claim assumes that {no_errors}")
    numbers = any(isinstance(node.type, RationalType) for node in nodes)
    if numbers and not {exact_decimals, exact_floats} & set(certificate.assumptions):
        raise KernelError(
            f"a claim about numbers that are no integers assumes that {exact_floats}, or {exact_decimals}"
        )


def _may_raise(nodes: set[Term]) -> bool:
    """Whether some function may raise; what is known of Python's functions is loaded where some are applied."""
    if not any(node.operator in CALLS for node in nodes):
        return False
    from tallystick.core.exceptions import may_raise

    return any(map(may_raise, nodes))


def _check(certificate: proofs.Certificate, steps: int, budget: Budget) -> frozenset[str]:
    left, right, result = certificate.left, certificate.right, certificate.result
    if certificate.semantics not in SEMANTICS or not set(certificate.assumptions) <= set(proofs.ASSUMPTIONS):
        raise KernelError("the semantics, or an assumption, is none that the kernel knows")
    if MEAN in (left.returns, right.returns) and proofs.ASSUMPTIONS[1] not in certificate.assumptions:
        raise KernelError(f"a claim about means assumes that {proofs.ASSUMPTIONS[1]}")
    _require_assumptions(certificate)
    if isinstance(result, proofs.Counterexample):
        from tallystick.certificates import refuting

        environment = dict(zip(left.parameters, result.inputs, strict=True))
        if refuting.inequivalent(left, right, environment, steps).outputs != result.outputs:
            raise KernelError("the programs return other values than the certificate says")
        oracles, by_trying = NO_ORACLES, partial(refuting.require_one_value, environment=environment, steps=steps)
    else:
        oracles, by_trying = equivalent(left, right, result, budget).oracles, None
    goals = one_values(certificate.semantics, left, right)
    as_many("folds", goals, "proofs that they have one value", certificate.one_values)
    for number, (goal, step) in enumerate(zip(goals, certificate.one_values, strict=True)):
        if step is not None:
            oracles |= prove(goal, step, budget, f"one_values[{number}]").oracles
        elif by_trying is None or goal.merge is not None:
            raise KernelError(f"one_values[{number}]: that a fold has one value needs a proof")
        else:
            by_trying(goal.fold)
    return oracles
