"""`check` and its verdicts: what is answered, and what is refused."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
import tallystick
from click.testing import CliRunner
from tallystick import Answer, assert_equivalent, check
from tallystick.certificates.audit import audit
from tallystick.checking import OrderError, audited
from tallystick.cli import main
from tallystick.comparing import SignatureError
from tallystick.decision.service.settlement import Settlement
from tallystick.frontends.pyspark import SourceError
from tallystick.frontends.rdd import read_program
from tallystick.options import OptionError
from tallystick.replay import SparkReplayer


def test_equivalent_programs_get_a_certificate_that_the_auditor_accepts(jobs: Path) -> None:
    verdict = check(f"{jobs}:doubled", f"{jobs}:early")
    assert verdict.verdict is Answer.EQUIVALENT
    assert verdict.method == ("no_agg",)
    assert (verdict.program_class, verdict.complete, verdict.oracles) == ("NoAgg", True, ())
    assert verdict.certificate is not None
    assert audit(verdict.certificate).accepted


def test_inequivalent_programs_get_an_input_and_both_outputs(jobs: Path) -> None:
    verdict = check(f"{jobs}:doubled", f"{jobs}:late")
    assert verdict.verdict is Answer.INEQUIVALENT
    assert verdict.counterexample is not None
    assert verdict.counterexample.inputs == {"r": [50]}
    assert verdict.counterexample.outputs == ([], [100])
    assert verdict.counterexample.replayed_on == ("reference",)


def test_unknown_verdicts_say_what_was_tried(jobs: Path) -> None:
    verdict = check(f"{jobs}:squares", f"{jobs}:yes", timeout=2)
    assert verdict.verdict is Answer.UNKNOWN
    assert verdict.certificate is None
    assert verdict.reasons


@pytest.mark.parametrize("solver", ["auto", "z3", "cvc5", "cooper"])
def test_every_solver_leads_to_the_same_verdicts_without_oracles(jobs: Path, solver: str) -> None:
    same = check(f"{jobs}:smallest", f"{jobs}:discounted", solver=solver)  # type: ignore[arg-type]
    assert (same.verdict, same.oracles) == (Answer.EQUIVALENT, ())
    other = check(f"{jobs}:doubled", f"{jobs}:late", solver=solver)  # type: ignore[arg-type]
    assert other.verdict is Answer.INEQUIVALENT


def test_programs_with_other_parameters_are_refused_with_both_signatures(jobs: Path) -> None:
    with pytest.raises(SignatureError) as error:
        check(f"{jobs}:doubled", f"{jobs}:pairs")
    assert str(error.value).splitlines() == [
        "the programs cannot be compared: their parameters and results must agree",
        f"  {jobs}:4: doubled(r: RDD[int]) -> RDD[int]",
        f"  {jobs}:7: pairs(r: RDD[tuple[int, int]]) -> RDD[tuple[int, int]]",
    ]


def test_programs_with_results_of_different_types_are_refused(jobs: Path) -> None:
    with pytest.raises(SignatureError, match=r"doubled\(r: RDD\[int\]\) -> RDD\[int\]\n.*size\(r: RDD\[int\]\) -> int"):
        check(f"{jobs}:doubled", f"{jobs}:size")


def test_a_fold_whose_result_depends_on_the_order_is_refused_with_two_orders(jobs: Path) -> None:
    with pytest.raises(OrderError) as error:
        check(f"{jobs}:unordered", f"{jobs}:unordered", semantics="sparklite")
    assert str(error.value) == (
        "the result of fold in unordered depends on the order of the elements: [0, 1] gives 1, [1, 0] gives -1"
    )


def test_types_may_be_given_apart_from_the_source(jobs: Path) -> None:
    assert check(f"{jobs}:untyped", f"{jobs}:untyped", types="r: RDD[bool]").verdict is Answer.EQUIVALENT
    with pytest.raises(SourceError, match="untyped"):
        check(f"{jobs}:untyped", f"{jobs}:untyped")


def test_a_rejected_certificate_makes_the_verdict_unknown_and_reports_a_defect(jobs: Path) -> None:
    good = check(f"{jobs}:doubled", f"{jobs}:early").certificate
    assert good is not None
    left, right = read_program(f"{jobs}:doubled"), read_program(f"{jobs}:late")
    verdict = audited(left.program, right.program, Settlement(certificate=good.decode(), method=("no_agg",)), 0.0)
    assert verdict.verdict is Answer.UNKNOWN
    assert verdict.certificate is None
    assert verdict.reasons["audit"].startswith("a defect of the prover: its certificate was rejected")


def test_verdicts_are_no_truth_values(jobs: Path) -> None:
    with pytest.raises(TypeError, match="three values"):
        bool(check(f"{jobs}:doubled", f"{jobs}:early"))


def test_assertion_shows_the_counterexample(jobs: Path) -> None:
    assert_equivalent(f"{jobs}:doubled", f"{jobs}:early")
    with pytest.raises(AssertionError, match=r"inequivalent: doubled ≢ late\n  on r = \[50\]"):
        assert_equivalent(f"{jobs}:doubled", f"{jobs}:late")


def test_json_has_the_documented_keys(jobs: Path) -> None:
    content = json.loads(json.dumps(check(f"{jobs}:doubled", f"{jobs}:late").to_json()))
    assert set(content) == {
        "verdict",
        "method",
        "class",
        "complete",
        "seconds",
        "certificate",
        "witness",
        "replayed_on",
        "assumptions",
        "oracles",
        "reasons",
        "semantics",
        "notes",
        "as_sets",
        "phases",
        "solver_calls",
        "programs",
        "no_one_value",
        "trials",
    }
    assert set(content["phases"]) == {"deciding", "certifying", "classifying", "auditing", "trying"}
    assert sum(content["phases"].values()) <= content["seconds"]
    assert set(content["witness"]) == {"inputs", "outputs"}


@pytest.mark.parametrize("seconds", [float("inf"), float("nan"), -1, 0, "5", True])
def test_a_limit_of_time_is_a_finite_number_above_0(jobs: Path, seconds: float) -> None:
    with pytest.raises(OptionError) as refused:
        check(f"{jobs}:doubled", f"{jobs}:early", timeout=seconds)
    assert str(refused.value) == f"timeout must be a number of seconds above 0, and is {seconds!r}"


REFUSED = {
    "replay": ("sprak", "replay must be one of 'reference', 'spark', and is 'sprak'"),
    "semantics": ("x", "semantics must be one of 'sparklite', 'spark', and is 'x'"),
    "solver": ("foo", "solver must be one of 'auto', 'z3', 'cvc5', 'cooper', and is 'foo'"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_options_take_their_values_alone(jobs: Path, name: str) -> None:
    value, message = REFUSED[name]
    with pytest.raises(ValueError) as refused:  # noqa: PT011 - the message is compared below
        check(f"{jobs}:doubled", f"{jobs}:early", **{name: value})  # type: ignore[arg-type]
    assert str(refused.value) == message


def test_types_are_given_for_parameters_alone(jobs: Path) -> None:
    with pytest.raises(ValueError, match="types are given for `k`, which is no parameter of `doubled`"):
        check(f"{jobs}:doubled", f"{jobs}:early", types="k: int")


def test_a_verdict_prints_as_the_command_line_prints_it(jobs: Path) -> None:
    pair = f"{jobs}:doubled", f"{jobs}:late"
    printed = CliRunner().invoke(main, ["check", *pair]).output
    shown = str(check(*pair))
    assert re.sub(r"[0-9.]+ s", "s", f"{shown}\n") == re.sub(r"[0-9.]+ s", "s", printed)


def test_a_notebook_shows_a_verdict_with_its_answer_in_colour(jobs: Path) -> None:
    shown = check(f"{jobs}:doubled", f"{jobs}:late")._repr_html_()
    assert shown.startswith('<pre><b style="color: firebrick">inequivalent</b>: doubled ≢ late\n  on r = [50]')
    assert shown.endswith("</pre>")


def test_unknown_names_of_the_package_are_attribute_errors() -> None:
    with pytest.raises(AttributeError, match="no attribute 'prove'"):
        tallystick.prove  # noqa: B018


@pytest.mark.spark
def test_counterexamples_run_on_pyspark_when_asked(jobs: Path, replayer: SparkReplayer) -> None:
    verdict = check(f"{jobs}:doubled", f"{jobs}:late", replay="spark", replayer=replayer)
    assert verdict.verdict is Answer.INEQUIVALENT
    assert verdict.counterexample is not None
    assert verdict.counterexample.replayed_on == ("reference", "spark")
