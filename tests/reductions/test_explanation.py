"""What a user of `tallystick machine FILE` is told."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tallystick.core.terms import (
    FALSE,
    TRUE,
    Operator,
    add,
    build,
    constant,
    equal,
    ite,
    less,
    negation,
    project,
    scale,
    variable,
)
from tallystick.decision.service.settlement import Settlement
from tallystick.reductions import MachineError, example_names, explain_machine, run_of_bag
from tallystick.reductions.explanation import decide_here
from tallystick.reductions.notation import infix, invariant_lines
from tallystick.reductions.to_programs import STATE
from tallystick.reductions.zoo import EXAMPLES, example

from reductions.machines import HALTING

NO_ANSWER = Settlement(reasons={"agg_one": "the invariant is not preserved by R"})


def _undecided(left, right, sources) -> Settlement:
    return NO_ANSWER


def test_a_halting_machine_is_explained_by_a_counterexample_of_its_length() -> None:
    report = explain_machine(EXAMPLES / "addition.txt")
    assert (report.verdict, report.exit_status, report.counterexample_size) == ("inequivalent", 1, 13)
    assert report.halting_run == report.run
    assert report.method in (("element_blind",), ("refute",))  # inputs are tried for a limited time before
    assert report.replayed_on == ("the reference interpreter",)
    assert "On a bag of 13 elements, P9 returns True and P10 returns False; no\n" in report.text
    assert "halts after 13 steps with c1 = 7, c2 = 0" in report.text
    assert report.to_json()["steps_to_halting"] == 13


def test_the_run_behind_a_counterexample_is_found_beyond_the_simulations_limit() -> None:
    report = explain_machine(EXAMPLES / "thousand.txt", step_limit=10)
    assert not report.run.halted
    assert report.halting_run == run_of_bag(report.machine, {0: 1000})


def test_a_machine_that_never_halts_is_explained_by_an_invariant() -> None:
    report = explain_machine(EXAMPLES / "see_saw.txt")
    assert (report.verdict, report.exit_status) == ("equivalent", 0)
    assert report.invariant == (
        "at loop: c1 = 1, c2 = 0",
        "at loop+1: c1 = 1, c2 = 1",
        "at loop+2: c1 = 0, c2 = 1",
        "at loop+3: c1 = 1, c2 = 1",
        "at loop+4: c1 = 1, c2 = 0",
    )
    assert all(f"\n               {line}\n" in report.text for line in report.invariant)
    assert report.audit is not None
    assert report.audit.oracles == ()


def test_an_invariant_speaks_of_locations() -> None:
    report = explain_machine(EXAMPLES / "positive.txt")
    assert report.invariant == (
        "at loop: 0 ≤ c1",
        "at loop+1: 1 ≤ c1",
        "at loop+2: 2 ≤ c1",
        "at loop+3: 1 ≤ c1",
    )


def test_unknown_comes_with_the_reasons() -> None:
    report = explain_machine(EXAMPLES / "powers_of_four.txt", decide=_undecided)
    assert (report.verdict, report.exit_status, report.certificate) == ("unknown", 2, None)
    assert "               agg_one: the invariant is not preserved by R\n" in report.text


def test_a_machine_that_halts_too_late_for_the_methods_is_unknown_and_said_to_halt() -> None:
    report = explain_machine(EXAMPLES / "addition.txt", decide=_undecided)
    assert report.verdict == "unknown"
    assert "The simulation says that the pair differs on 13 elements" in " ".join(report.text.split())


def test_a_certificate_about_another_machine_is_rejected() -> None:
    def elsewhere(left, right, sources) -> Settlement:
        from tallystick.reductions import programs

        return decide_here(*programs(example("count_up")), sources)

    report = explain_machine(EXAMPLES / "idle.txt", decide=elsewhere)
    assert report.verdict == "unknown"
    assert (
        report.reasons["audit"]
        == "the prover's certificate was rejected: the certificate is about other programs, or another meaning of folds"
    )


def test_every_report_says_why_the_problem_is_undecidable_within_80_columns() -> None:
    for name in example_names():
        text = explain_machine(EXAMPLES / f"{name}.txt", decide=_undecided).text
        assert "f(f(M, x), y) = f(f(M, y), x)" in " ".join(text.split())
        assert "no algorithm does" in " ".join(text.split())
        assert max(map(len, text.splitlines())) <= 80


class _Replay:
    def __init__(self, differs: bool) -> None:
        self.in_sparklite = self
        self.differs = differs


def test_a_replay_gets_the_source_of_the_pair_and_the_counterexample() -> None:
    seen = []

    def replay(left: str, right: str, environment):
        path = left.removesuffix(":p9")
        assert right == f"{path}:p10"
        with open(path, encoding="utf-8") as source:
            seen.append((source.read(), environment))
        return _Replay(True)

    report = explain_machine(EXAMPLES / "countdown.txt", replay=replay)
    assert report.replayed_on == ("the reference interpreter", "PySpark")
    ((source, environment),) = seen
    assert "def p9(R: RDD[int])" in source
    assert environment == {"R": {0: HALTING["countdown"]}}


def test_a_counterexample_that_makes_no_difference_on_pyspark_is_a_defect() -> None:
    with pytest.raises(RuntimeError, match="the counterexample of countdown makes no difference on PySpark"):
        explain_machine(EXAMPLES / "countdown.txt", replay=lambda left, right, environment: _Replay(False))


def test_what_is_no_machine_is_refused() -> None:
    with pytest.raises(MachineError, match=r"no\.txt: there is no such file"):
        explain_machine("no.txt")


M = variable("M1", STATE)
LOCATION, C1, C2 = (project(M, index) for index in range(3))


@pytest.mark.parametrize(
    ("term", "text"),
    [
        (equal(build(Operator.MOD, (add(C1, scale(-1, C2)),), 3), constant(2)), "(c1 - c2) mod 3 = 2"),
        (negation(equal(build(Operator.MOD, (C1,), 3), constant(2))), "c1 mod 3 ≠ 2"),
        (equal(scale(2, C1), add(C2, constant(-1))), "2 c1 = c2 - 1"),
        (negation(less(C1, C2)), "not (c1 < c2)"),
        (negation(equal(less(C1, C2), TRUE)), "not (c1 < c2 = true)"),
        (equal(equal(LOCATION, constant(3)), FALSE), "location ≠ 3"),
        (equal(ite(less(C1, C2), C1, C2), build(Operator.DIV, (C1,), 2)), "(c1 if c1 < c2 else c2) = c1 div 2"),
    ],
)
def test_formulas_are_shown_as_in_a_textbook(term, text: str) -> None:
    assert infix(term, M) == text


def test_a_case_without_a_location_is_shown_too() -> None:
    assert invariant_lines(example("idle"), M, less(C1, C2)) == ["c1 < c2"]


def test_a_settlement_of_the_wrong_verdict_cannot_pass() -> None:
    """Even a prover that lies is not believed: the audit replays what it says."""

    def lying(left, right, sources) -> Settlement:
        settlement = decide_here(left, right, sources)
        assert settlement.certificate is not None
        return replace(settlement, certificate=settlement.certificate.replace("13", "12"))

    report = explain_machine(EXAMPLES / "addition.txt", decide=lying)
    assert report.verdict == "unknown"
    assert report.reasons["audit"].startswith("the prover's certificate was rejected")
