"""Well-definedness of folds: the order of the elements does not matter (TR section 2, CAV section 3 "Remarks").

Statement    A fold is well defined iff f(f(M, y₁), y₂) = f(f(M, y₂), y₁) for all values M that it reaches.
Answers      a witness of two orders of one bag that give different values, or the proof, or neither.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice, permutations

from tallystick.certificates.judgements import Premise
from tallystick.certificates.rules.by_key import in_bucket
from tallystick.certificates.rules.fold import orders
from tallystick.certificates.rules.order import opened
from tallystick.core.errors import EvaluationError, FragmentError
from tallystick.core.interpreter import Bag, Environment, evaluate
from tallystick.core.monomials import monomials
from tallystick.core.terms import TRUE, Operator, Term, aggregates, apply, free_variables, project
from tallystick.core.types import BagType, BasicType, TupleType, Value
from tallystick.decision.methods.refute import candidates
from tallystick.decision.outcome import Goal, Model
from tallystick.decision.prover import GaveUp, Prover
from tallystick.decision.tactics import Failed, evidence_for

INPUTS = 300
MOST = 4
ORDERS = 24
STEP_LIMIT = 50_000


@dataclass(frozen=True, slots=True)
class TwoOrders:
    """A fold, an input, two orders of the elements folded there (of one key), and the values that these give."""

    fold: Term
    environment: Environment
    orders: tuple[tuple[Value, ...], tuple[Value, ...]]
    results: tuple[Value, Value]


@dataclass(frozen=True, slots=True)
class NotShown:
    """A fold of which neither is known: that the order does not matter, or that it does; and why."""

    fold: Term
    reason: str


def order_of_elements(term: Term, prover: Prover) -> list[TwoOrders | NotShown]:
    """For each aggregate of a term that is not proved well defined, a witness or the reason why there is none."""
    return [found for fold in aggregates(term) if (found := _examine(fold, prover)) is not None]


def _examine(fold: Term, prover: Prover) -> TwoOrders | NotShown | None:
    models: tuple[Model, ...] = ()
    try:
        failed = evidence_for(_order_premises(fold), prover)
        if not isinstance(failed, Failed):
            return None
        models, reason = failed.models, "two elements in either order differ for some accumulated value"
        if isinstance(failed.answer, GaveUp):
            reason = failed.answer.reason
    except FragmentError as error:
        reason = str(error)
    for environment in islice(candidates(Goal(TRUE, fold, fold), models), INPUTS):
        witness = _witness(fold, environment)
        if witness is not None:
            return witness
    return NotShown(fold, reason)


def _order_premises(fold: Term) -> Iterator[Premise]:
    """That two elements may be folded in either order, whatever has been accumulated and aggregates inside are."""
    fold = opened(fold, None)[0].term
    initial, udf, bag = fold.arguments
    goal = Goal(TRUE, fold, fold)
    summands = monomials(bag)
    if fold.operator is Operator.FOLD_BY_KEY:
        key = goal.fresh("k", project(summands[0].value, 0).type)
        summands = tuple(in_bucket(summand, key) for summand in summands)
    return orders(TRUE, udf, goal.fresh("M", initial.type), summands)


def _witness(fold: Term, environment: Environment) -> TwoOrders | None:
    """Two orders of the elements that one input makes the fold run over, with different results."""
    initial, udf, bag = fold.arguments
    goal = Goal(TRUE, fold, bag)
    state, folded = goal.fresh("M", initial.type), goal.fresh("y", _folded(udf, bag, fold.operator))
    step = apply(udf, folded, state)
    needed = free_variables(step) - {state, folded}
    try:
        start = evaluate(initial, environment, STEP_LIMIT)
        for elements in _groups(evaluate(bag, environment, STEP_LIMIT), fold.operator):  # type: ignore[arg-type]
            results: dict[tuple[Value, ...], Value] = {}
            for order in islice(permutations(elements), ORDERS):
                value: Value = start  # type: ignore[assignment]
                for item in order:
                    inputs = {name: environment[name] for name in needed} | {state: value, folded: item}
                    value = evaluate(step, inputs, STEP_LIMIT)  # type: ignore[assignment]
                results[order] = value
            (first, result), *others = results.items()
            for order, other in others:
                if other != result:
                    return TwoOrders(fold, environment, (first, order), (result, other))
    except EvaluationError:
        pass
    return None


def _folded(udf: Term, bag: Term, operator: Operator) -> BasicType:
    assert isinstance(bag.type, BagType)
    of = bag.type.element
    return of.components[1] if operator is Operator.FOLD_BY_KEY and isinstance(of, TupleType) else of


def _groups(bag: Bag, operator: Operator) -> Iterator[list[Value]]:
    """The lists of two to MOST elements that are folded together: all, or those of one key."""
    groups: dict[Value, list[Value]] = {}
    for item, count in bag.items():
        if operator is Operator.FOLD_BY_KEY:
            key, value = item  # type: ignore[misc]
        else:
            key, value = 0, item
        groups.setdefault(key, []).extend([value] * min(count, MOST))
    yield from (elements for elements in groups.values() if 2 <= len(elements) <= MOST)
