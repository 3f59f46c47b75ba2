"""Whether order matters, also for folds whose functions or initial values hold other aggregates."""

from __future__ import annotations

import pytest
from tallystick.core.terms import Operator, Term, accumulator, add, build, constant, element, ite, less, variable
from tallystick.core.types import INT, BagType, TupleType
from tallystick.decision.prover import Prover
from tallystick.decision.well_defined import TwoOrders, order_of_elements

R = variable("r", BagType(INT))
S = variable("s", BagType(TupleType((INT, INT))))
SUM = add(accumulator(INT), element(INT))
LAST = element(INT)
TOTAL = build(Operator.FOLD, (constant(0), SUM, R))


def above(threshold: Term, step: Term) -> Term:
    """A step for elements above a threshold only."""
    return ite(less(threshold, element(INT)), step, accumulator(INT))


WELL_DEFINED = {
    "a threshold": build(Operator.FOLD, (constant(0), above(TOTAL, SUM), R)),
    "a summand": build(Operator.FOLD, (constant(0), add(accumulator(INT), element(INT), TOTAL), R)),
    "an initial value": build(Operator.FOLD, (TOTAL, SUM, R)),
    "by key": build(Operator.FOLD_BY_KEY, (constant(0), above(TOTAL, SUM), S)),
    "a threshold of a threshold": build(
        Operator.FOLD, (constant(0), above(build(Operator.FOLD, (TOTAL, above(TOTAL, SUM), R)), SUM), R)
    ),
}


@pytest.mark.parametrize("name", WELL_DEFINED)
def test_order_does_not_matter_whatever_the_aggregates_inside_are(name: str) -> None:
    assert order_of_elements(WELL_DEFINED[name], Prover("none")) == []


@pytest.mark.parametrize(("operator", "bag"), [(Operator.FOLD, R), (Operator.FOLD_BY_KEY, S)])
def test_two_orders_are_found_where_order_matters_above_a_threshold(operator: Operator, bag: Term) -> None:
    fold = build(operator, (constant(0), above(TOTAL, LAST), bag))
    (found,) = order_of_elements(fold, Prover("none"))
    assert isinstance(found, TwoOrders)
    assert found.fold is fold
    assert found.results[0] != found.results[1]
