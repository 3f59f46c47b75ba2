"""Validity of core formulas, with countermodels and witness terms, and quantifier elimination on core
terms."""

from __future__ import annotations

from collections.abc import Sequence

from tallystick.core import terms
from tallystick.core.answers import Answer, Invalid, NoAnswer, Valid, falsifies
from tallystick.core.errors import FragmentError
from tallystick.core.presburger.conversion import Conversion
from tallystick.core.presburger.lift import eliminate_block
from tallystick.core.presburger.limits import DEFAULT_LIMITS, LimitError, Limits
from tallystick.core.presburger.search import satisfy
from tallystick.core.presburger.witnesses import witness_terms
from tallystick.core.terms import Term, free_variables
from tallystick.core.types import Value, default_value, is_basic


def exists(variables: Sequence[Term], body: Term, limits: Limits = DEFAULT_LIMITS) -> Term:
    """A quantifier-free core term equivalent to ∃ variables. body, simplified; with no variables, just
    simplified.

    Raises FragmentError when the body is not a formula, LimitError.
    """
    conversion = Conversion()
    names = [name for variable in variables for name in conversion.unknowns(variable)]
    formula = conversion.formula(body)
    return conversion.term(eliminate_block((*names, *conversion.auxiliary), formula, limits))


def validity(formula: Term, limits: Limits = DEFAULT_LIMITS) -> Answer:
    """Whether a core formula holds for all values of its variables; the countermodel gives a value to each.

    Raises FragmentError when the term is not a formula.
    """
    conversion = Conversion()
    negated = conversion.formula(formula, positive=False)
    try:
        values = satisfy(negated, limits)
    except LimitError as reached:
        return NoAnswer(str(reached))
    if values is None:
        return Valid()
    model = conversion.model(values, sorted(free_variables(formula), key=repr))
    if not falsifies(model, formula):
        raise AssertionError("the countermodel does not falsify the formula")
    return Invalid(model)


def validity_forall_exists(
    universals: Sequence[Term], existentials: Sequence[Term], body: Term, limits: Limits = DEFAULT_LIMITS
) -> Answer:
    """Whether ∀ universals ∃ existentials. body, with witness terms over the universals.

    Variables of the body that neither list names are universal too. Values of the universals that no witness
    so far serves are sought; the existentials that serve them give Cooper's test points, hence further
    witnesses. As a body has finitely many test points, this ends. Raises FragmentError when the body is not
    a formula.
    """
    if not existentials:
        return validity(body, limits)
    universals = [*dict.fromkeys((*universals, *sorted(free_variables(body) - set(existentials), key=repr)))]
    witnesses: list[tuple[Term, ...]] = []
    try:
        while True:
            limits.check("witnesses", len(witnesses))
            answer = validity(_served(existentials, body, witnesses), limits)
            if isinstance(answer, NoAnswer):
                return answer
            if isinstance(answer, Valid):
                return Valid(_needed(existentials, body, witnesses, limits))
            model = {variable: answer.model.get(variable, _default(variable)) for variable in universals}
            witness = witness_terms(existentials, body, model, limits)
            if witness is None:
                return Invalid(model)
            witnesses.append(witness)
    except LimitError as reached:
        return NoAnswer(str(reached))


def _served(existentials: Sequence[Term], body: Term, witnesses: Sequence[tuple[Term, ...]]) -> Term:
    """The disjunction of the body's instances at the witnesses."""
    instances = (dict(zip(existentials, witness, strict=True)) for witness in witnesses)
    return terms.disjunction(*(terms.substitute(body, instance) for instance in instances))


def _needed(
    existentials: Sequence[Term], body: Term, witnesses: list[tuple[Term, ...]], limits: Limits
) -> tuple[tuple[Term, ...], ...]:
    """The witnesses without those that the others make superfluous."""
    kept = list(witnesses)
    for witness in witnesses:
        others = [other for other in kept if other is not witness]
        if others and isinstance(validity(_served(existentials, body, others), limits), Valid):
            kept = others
    return tuple(kept)


def _default(variable: Term) -> Value:
    if not is_basic(variable.type):
        raise FragmentError(f"a variable of type {variable.type} does not belong into a formula")
    return default_value(variable.type)  # type: ignore[arg-type]
