"""A solver's unknown is neither evidence nor a model (THEORY section 7)."""

from __future__ import annotations

import pytest
from tallystick.core.answers import NoAnswer
from tallystick.core.clock import clock
from tallystick.core.solvers.door import solver
from tallystick.core.terms import add, constant, equal, less, variable
from tallystick.core.types import INT
from tallystick.decision.prover import SOLVERS, Countermodel, GaveUp, Prover

X = variable("x", INT)
VALID, INVALID = less(X, add(X, constant(1))), equal(X, constant(7))


@pytest.mark.parametrize("name", SOLVERS)
@pytest.mark.parametrize("formula", [VALID, INVALID], ids=["valid", "invalid"])
def test_without_time_nothing_is_claimed(name: str, formula) -> None:
    assert isinstance(Prover(name, clock() - 1).answer(formula), GaveUp)


@pytest.mark.parametrize("name", ["z3", "cvc5"])
def test_a_solver_that_says_unknown_gives_neither_evidence_nor_a_model(name: str) -> None:
    late = clock() - 1
    assert isinstance(solver(name).validity(VALID, late), NoAnswer)
    assert isinstance(Prover(name, late)._ask(name, VALID, None), GaveUp)


@pytest.mark.parametrize("name", SOLVERS)
def test_with_time_valid_formulas_get_evidence_and_others_a_model(name: str) -> None:
    assert not isinstance(Prover(name).answer(VALID), Countermodel | GaveUp)
    assert isinstance(Prover(name).answer(INVALID), Countermodel)
