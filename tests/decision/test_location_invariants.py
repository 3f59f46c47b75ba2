"""Location invariants: folds with phases are proved, and programs that differ are not."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tallystick.certificates import kernel
from tallystick.core.interpreter import evaluate
from tallystick.core.programs import Program
from tallystick.core.terms import TRUE, variable
from tallystick.core.types import INT
from tallystick.decision.invariants.location_facts import candidate_facts
from tallystick.decision.methods.location_invariants import location_invariants
from tallystick.decision.outcome import Goal, MethodContext, Proved, Unknown
from tallystick.decision.prover import Prover
from tallystick.decision.service.portfolio import METHODS, decide

R = "r: RDD[int]"
Pair = Callable[[str, str, str], tuple[Program, Program]]
ONLY = {name: METHODS[name] for name in ("no_agg", "location_invariants")}

PROVED = {
    "two counts modulo 5, one of them backwards (CAV P15″, P16″)": (
        "r.fold(0, lambda a, x: 0 if a == 4 else a + 1)",
        "4 - r.fold(4, lambda a, x: 4 if a == 0 else a - 1)",
    ),
    "a tick for every second element": (
        "r.fold((0, 0, 0), lambda a, x: (1, a[1], a[2] + 1) if a[0] == 0 else (0, a[1] + 1, a[2] + 1))[1]",
        "r.count() // 2",
    ),
    "a phase decides which of two counters grows": (
        "r.fold((0, 0, 0), lambda a, x: (1, a[1] + 1, a[2]) if a[0] == 0 else (0, a[1], a[2] + 1)) != (1, 3, 3)",
        "True",
    ),
    "a residue at each phase": (
        "r.fold((0, 0), lambda a, x: (1, a[1] + 4) if a[0] == 0 else (0, a[1] + 2))[1] % 6 == 2",
        "False",
    ),
}


@pytest.mark.parametrize(("left", "right"), PROVED.values(), ids=PROVED)
def test_folds_with_phases_are_proved_without_oracles(pair: Pair, left: str, right: str) -> None:
    programs = pair(R, left, right)
    outcome = decide(*programs, Prover(), methods=ONLY).outcome
    assert isinstance(outcome, Proved)
    assert outcome.methods[0] == "location_invariants"
    assert kernel.equivalent(*programs, outcome.proof).oracles == frozenset()


NOT_PROVED = {
    "counts modulo 5 and 6": (
        "r.fold(0, lambda a, x: 0 if a == 4 else a + 1)",
        "r.fold(0, lambda a, x: 0 if a == 5 else a + 1)",
    ),
    "a phase that is left after long": (
        "r.fold((0, 0), lambda a, x: (1 if a[1] == 2500 else a[0], a[1] + 1))[0] == 0",
        "True",
    ),
}


@pytest.mark.parametrize(("left", "right"), NOT_PROVED.values(), ids=NOT_PROVED)
def test_programs_that_differ_are_not_proved(pair: Pair, left: str, right: str) -> None:
    outcome = decide(*pair(R, left, right), Prover(), methods=ONLY).outcome
    assert not isinstance(outcome, Proved)


@pytest.mark.parametrize(("left", "right"), [("r.sum()", "r.count()"), ("1", "2"), ("r", "r.map(lambda x: x)")])
def test_folds_without_locations_are_left_to_other_methods(pair: Pair, left: str, right: str) -> None:
    before, after = pair(R, left, right)
    goal = Goal(TRUE, before.expression, after.expression)
    assert location_invariants(goal, MethodContext(Prover(), lambda rest: Unknown("not asked"))) is None


def test_candidate_facts_hold_of_the_rows_that_suggest_them() -> None:
    x, y = variable("x", INT), variable("y", INT)
    rows = [(3 * n, 6 * n + 1) for n in range(20)]
    facts = list(candidate_facts([x, y], rows))
    assert facts
    assert all(evaluate(fact, {x: row[0], y: row[1]}) is True for fact in facts for row in rows)
