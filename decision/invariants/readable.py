"""Invariants that a reader can follow: an equivalent or stronger formula with fewer atoms that still serves.

Atoms are put into the form a·x + … ≤ b·y + … of `core/presburger`; two opposite bounds become an equation. Then
conjuncts are dropped, disjuncts are dropped, and bounds become equations, as long as the formula is enough for its
purpose. What is enough is for the caller to say, so nothing here can go wrong but the result's length.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tallystick.core.errors import FragmentError
from tallystick.core.terms import TRUE, Operator, Term, aggregates, conjunction, disjunction, equal, less_equal
from tallystick.decision.invariants.induction import Induction
from tallystick.decision.methods.no_agg import no_agg
from tallystick.decision.outcome import Goal, MethodContext, Outcome, Proved, Unknown

ATTEMPTS = 150
NESTED_ATTEMPTS = 12


def prove_shortly(induction: Induction, invariant: Term, context: MethodContext, method: str) -> Outcome:
    """What FOLD says with an invariant, or with the shortest one that was found to do as well."""
    outcome = induction.prove(invariant, context, method)
    if not isinstance(outcome, Proved):
        return outcome
    claim = induction.conclusion(TRUE)
    is_nested = bool(aggregates(claim.left) or aggregates(claim.right))

    def rest(goal: Goal) -> Outcome:
        return context.decide(goal) if is_nested else no_agg(goal, quick) or Unknown("not tried")

    def is_enough(candidate: Term) -> bool:
        return not prover.expired and isinstance(induction.prove(candidate, quick, method), Proved)

    prover = context.prover.quick()
    quick = MethodContext(prover, rest)
    shorter = simplify(invariant, is_enough, NESTED_ATTEMPTS if is_nested else ATTEMPTS)
    better = induction.prove(shorter, context, method)
    return better if isinstance(better, Proved) else outcome


def simplify(formula: Term, is_enough: Callable[[Term], bool], attempts: int = ATTEMPTS) -> Term:
    """A shorter formula that is still enough, found by at most so many attempts; the formula itself is enough."""
    current = _conjuncts(formula)
    if conjunction(*current) is not formula and not is_enough(conjunction(*current)):
        current = list(formula.arguments) if formula.operator is Operator.AND else [formula]
    improved = True
    while improved:
        improved = False
        for shorter in _shorter(current):
            attempts -= 1
            if attempts < 0:
                break
            if is_enough(conjunction(*shorter)):
                current, improved = shorter, True
                break
    return conjunction(*current)


def _conjuncts(formula: Term) -> list[Term]:
    """The conjuncts of a formula with linear atoms in normal form, and opposite bounds merged."""
    parts = formula.arguments if formula.operator is Operator.AND else (formula,)
    normal = [normalised(part) for part in parts]
    parts = [inner for part in normal for inner in (part.arguments if part.operator is Operator.AND else (part,))]
    merged: dict[Term, None] = {}
    for part in parts:
        if part.operator is Operator.LESS_EQUAL and _opposite(part) in parts:
            part = normalised(equal(*part.arguments))
        merged[part] = None
    return list(merged)


def _opposite(bound: Term) -> Term:
    left, right = bound.arguments
    return normalised(less_equal(right, left))


def normalised(formula: Term) -> Term:
    """The formula in negation normal form with canonical linear atoms; itself where it has div, mod or ite in them."""
    from tallystick.core.presburger.conversion import Conversion

    conversion = Conversion()
    try:
        found = conversion.formula(formula)
        result = formula if conversion.auxiliary else conversion.term(found)
        return result if _length(result) <= _length(formula) else formula
    except FragmentError:
        return formula


def _shorter(conjuncts: list[Term]) -> Iterator[list[Term]]:
    """Formulas to try instead of a conjunction, the most promising first."""
    equations = [part for part in conjuncts if part.operator is Operator.EQUAL]
    if len(equations) < len(conjuncts):
        yield equations
    longest_first = sorted(range(len(conjuncts)), key=lambda index: -_length(conjuncts[index]))
    for index in longest_first:
        yield conjuncts[:index] + conjuncts[index + 1 :]
    for index in longest_first:
        for stronger in _stronger(conjuncts[index]):
            yield [*conjuncts[:index], stronger, *conjuncts[index + 1 :]]


def _stronger(conjunct: Term) -> Iterator[Term]:
    """Formulas that imply a conjunct and are as short: a disjunction without a disjunct, an equation for a bound."""
    if conjunct.operator is Operator.OR:
        for index in range(len(conjunct.arguments)):
            yield disjunction(*conjunct.arguments[:index], *conjunct.arguments[index + 1 :])
    elif conjunct.operator is Operator.LESS_EQUAL:
        yield normalised(equal(*conjunct.arguments))


def _length(term: Term) -> int:
    return 1 + sum(map(_length, term.arguments))
