"""Calls with two functions, means, dictionaries and None: from their source to a verdict."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner
from tallystick import Answer, audit, check
from tallystick.certificates.codec import decode, encode
from tallystick.certificates.rules.order import Order
from tallystick.certificates.rules.partition import Partition
from tallystick.cli import main
from tallystick.comparing import MEANS, SignatureError
from tallystick.decision.means import NOTE, Mean
from tallystick.decision.service.settlement import ONE_MEAN
from tallystick.linting import lint
from tallystick.replay import SparkReplayer
from tallystick.verdict import Raises

JOBS = """
from pyspark import RDD

def counted(r: RDD[int]): return r.count()
def aggregated(r: RDD[int]): return r.aggregate(0, lambda a, x: a + 1, lambda a, b: a + b)
def merged_wrong(r: RDD[int]): return r.aggregate(0, lambda a, x: a + 1, max)
def in_a_tree_wrong(r: RDD[int]): return r.treeAggregate(0, lambda a, x: a + 1, max)
def merged_by_chance(r: RDD[int]): return r.aggregate(0, lambda a, x: a + 35, lambda a, b: a + b if a % 35 == 0 else 0)
def from_one(r: RDD[int]): return r.treeAggregate(1, lambda a, x: a + x, lambda a, b: a + b)
def by_key_wrong(s: RDD[tuple[int, int]]): return s.combineByKey(lambda v: v, max, lambda a, b: a + b)
def highest(s: RDD[tuple[int, int]]): return s.reduceByKey(max)
def unsafe_inside(s: RDD[tuple[int, int]], t: RDD[tuple[int, int]]):
    return s.foldByKey(1, lambda a, v: a + v).fullOuterJoin(t.reduceByKey(max))

def mean(r: RDD[int]): return r.mean()
def mean_of_same(r: RDD[int]): return r.map(lambda x: 3 + x - 3).mean()
def mean_of_all_twice(r: RDD[int]): return r.union(r).mean()
def mean_of_positive(r: RDD[int]): return r.filter(lambda x: x > 0).mean()
def mean_of_huge(r: RDD[int]): return r.map(lambda x: 1180591620717411303424).mean()
def mean_of_huge_more(r: RDD[int]): return r.map(lambda x: 1180591620717411303425).mean()
def mean_if_any(r: RDD[int]): return r.mean() if r.max() > 0 else r.filter(lambda x: x > 0).mean()
def mean_beside_a_count(r: RDD[int], s: RDD[int]):
    m = s.count()
    return r.mean()
def mean_of_positive_beside_a_count(r: RDD[int], s: RDD[int]):
    m = s.count()
    return r.filter(lambda x: x > 0).mean()
def quotient(r: RDD[int]): return (r.sum(), r.count())

def as_dictionary(r: RDD[int]): return r.countByValue()
def as_rdd(r: RDD[int]): return r.map(lambda x: (x, 1)).reduceByKey(lambda a, b: a + b)

def known(r: RDD[int | None], k: int | None): return r.filter(lambda x: x is not None and x != k)
def others(r: RDD[int | None], k: int | None): return r.filter(lambda x: x != k)
def negative(r: RDD[int]): return r.map(lambda x: (x, None if x < 0 else x))
"""


@pytest.fixture
def jobs(tmp_path: Path) -> str:
    path = tmp_path / "jobs.py"
    path.write_text(JOBS)
    return str(path)


def test_functions_that_agree_are_proved_to_do_so_before_the_verdict(jobs: str) -> None:
    verdict = check(f"{jobs}:aggregated", f"{jobs}:counted", semantics="sparklite")
    assert verdict.verdict is Answer.EQUIVALENT
    assert verdict.oracles == ()
    assert verdict.notes == (f"both functions of aggregate ({jobs}:5:39) are proved to agree",)


def audited_text(certificate: Path, *against: str) -> str:
    """What `tallystick audit` prints, in one line, but for whether the texts were read."""
    done = CliRunner().invoke(main, ["audit", str(certificate), *(("--against", *against) if against else ())])
    assert done.exit_code == 0, done.output
    said = " ".join(done.output.split())
    assert "the claim is about" in said
    return re.sub(r"texts .* assuming ", "assuming ", said)


@pytest.mark.parametrize(("left", "right"), [("aggregated", "counted"), ("mean", "mean_of_same")])
def test_a_certificate_holds_all_that_its_claim_rests_on(jobs: str, tmp_path: Path, left: str, right: str) -> None:
    certificate, pair = tmp_path / "pair.json", (f"{jobs}:{left}", f"{jobs}:{right}")
    verdict = check(*pair)
    assert verdict.certificate is not None
    certificate.write_bytes(verdict.certificate)
    assert audited_text(certificate, *pair) == audited_text(certificate)
    content = decode(verdict.certificate)
    assert content.assumptions == ((MEANS,) if left == "mean" else ())
    rules = {type(step.rule) for step in content.one_values if step is not None}
    assert rules == ({Order, Partition} if left == "aggregated" else {Order})


def test_without_the_proof_that_both_functions_agree_nothing_is_accepted(jobs: str) -> None:
    verdict = check(f"{jobs}:aggregated", f"{jobs}:counted")
    assert verdict.certificate is not None
    content = decode(verdict.certificate)
    lacking = tuple(step if step and isinstance(step.rule, Order) else None for step in content.one_values)
    report = audit(encode(replace(content, one_values=lacking)))
    assert report.reason.endswith("that a fold has one value needs a proof")


@pytest.mark.parametrize("beside", ["", "_beside_a_count"])
def test_an_input_on_which_means_differ_assumes_that_they_are_quotients(jobs: str, beside: str) -> None:
    verdict = check(f"{jobs}:mean{beside}", f"{jobs}:mean_of_positive{beside}")
    assert verdict.certificate is not None
    assert decode(verdict.certificate).assumptions == verdict.assumptions == (MEANS,)


@pytest.mark.parametrize("name", ["merged_wrong", "in_a_tree_wrong", "from_one"])
def test_functions_that_do_not_agree_get_no_verdict_but_two_values(jobs: str, name: str) -> None:
    for semantics in ("spark", "sparklite"):
        verdict = check(f"{jobs}:counted", f"{jobs}:{name}", semantics=semantics)
        assert verdict.verdict is Answer.UNKNOWN
        (report,) = verdict.no_one_value
        assert report.program == name
        assert "in partitions [0], [0]" in str(verdict) or "in partitions [], [0]" in str(verdict)


def test_by_key_functions_that_do_not_agree_get_two_values(jobs: str) -> None:
    verdict = check(f"{jobs}:highest", f"{jobs}:by_key_wrong")
    assert verdict.verdict is Answer.UNKNOWN
    assert "the value of combineByKey depends on how Spark partitions" in str(verdict)


def test_functions_of_which_neither_is_known_make_the_verdict_unknown(jobs: str) -> None:
    verdict = check(f"{jobs}:merged_by_chance", f"{jobs}:counted")
    assert verdict.verdict is Answer.UNKNOWN
    assert list(verdict.reasons) == [f"partition safety of {jobs}:8:45"]


def test_lint_looks_into_what_a_joined_table_is_made_of(jobs: str) -> None:
    findings = {finding.method: str(finding.safety) for finding in lint(f"{jobs}:unsafe_inside").findings}
    assert findings == {"foldByKey": "unsafe", "reduceByKey": "safe"}
    verdict = check(f"{jobs}:unsafe_inside", f"{jobs}:unsafe_inside")
    assert (verdict.verdict, len(verdict.no_one_value)) == (Answer.UNKNOWN, 1)


def test_means_are_equal_where_sums_and_counts_are(jobs: str) -> None:
    verdict = check(f"{jobs}:mean", f"{jobs}:mean_of_same", semantics="sparklite")
    assert verdict.verdict is Answer.EQUIVALENT
    assert verdict.notes == (NOTE,)


def test_means_differ_only_where_the_quotients_do(jobs: str) -> None:
    verdict = check(f"{jobs}:mean", f"{jobs}:mean_of_positive")
    assert verdict.verdict is Answer.INEQUIVALENT
    assert verdict.counterexample is not None
    assert verdict.counterexample.inputs == {"r": [-1]}
    assert verdict.counterexample.outputs == (Mean(-1, 1), Mean(0, 0))
    assert "    mean             returns -1 (sum -1, count 1)\n" in str(verdict)
    witness = json.loads(json.dumps(verdict.to_json()))["witness"]
    assert witness["outputs"][0] == {"name": "mean", "value": {"sum": -1, "count": 1}}


def test_sums_and_counts_that_differ_do_not_make_means_different(jobs: str) -> None:
    verdict = check(f"{jobs}:mean", f"{jobs}:mean_of_all_twice")
    assert verdict.verdict is Answer.UNKNOWN
    assert verdict.reasons["mean"] == ONE_MEAN
    assert verdict.certificate is verdict.counterexample is None


def test_means_that_floats_cannot_tell_apart_are_not_called_different(jobs: str) -> None:
    assert check(f"{jobs}:mean_of_huge", f"{jobs}:mean_of_huge_more").verdict is Answer.UNKNOWN
    assert float(2**70) == float(2**70 + 1)


def test_a_mean_may_raise_on_the_way(jobs: str) -> None:
    verdict = check(f"{jobs}:mean", f"{jobs}:mean_if_any")
    assert verdict.verdict is Answer.INEQUIVALENT
    assert verdict.counterexample is not None
    assert verdict.counterexample.outputs == (Mean(0, 0), Raises("ValueError or KeyError"))


@pytest.mark.parametrize(
    ("one", "other", "shown"),
    [
        ("as_dictionary", "as_rdd", r"-> dict\[int, int\]\n.*-> RDD\[tuple\[int, int\]\]"),
        ("known", "negative", r"k: int \| None\) -> RDD\[int\]\n.*-> RDD\[tuple\[int, int \| None\]\]"),
    ],
)
def test_results_of_different_kinds_are_not_compared(jobs: str, one: str, other: str, shown: str) -> None:
    with pytest.raises(SignatureError, match=shown):
        check(f"{jobs}:{one}", f"{jobs}:{other}")


def test_none_is_shown_as_none(jobs: str, tmp_path: Path) -> None:
    verdict = check(f"{jobs}:known", f"{jobs}:others")
    assert verdict.verdict is Answer.INEQUIVALENT
    assert verdict.counterexample is not None
    assert verdict.counterexample.inputs["r"] == [None]
    assert verdict.counterexample.outputs == ([], [None])
    kept = tmp_path / "kept.json"
    kept.write_bytes(verdict.certificate or b"")
    assert audit(kept).accepted
    output = CliRunner().invoke(main, ["check", f"{jobs}:known", f"{jobs}:others", "--json"]).output
    assert json.loads(output)["witness"]["outputs"] == [
        {"name": "known", "value": []},
        {"name": "others", "value": [None]},
    ]


@pytest.mark.spark
@pytest.mark.slow
def test_counterexamples_with_none_means_and_dictionaries_run_on_spark(jobs: str) -> None:
    with SparkReplayer() as replayer:
        for left, right in (("known", "others"), ("mean", "mean_of_positive")):
            verdict = check(f"{jobs}:{left}", f"{jobs}:{right}", replay="spark", replayer=replayer)
            assert verdict.verdict is Answer.INEQUIVALENT
            assert verdict.counterexample is not None
            assert verdict.counterexample.replayed_on == ("reference", "spark")
        for name, method in (
            ("merged_wrong", "aggregate"),
            ("by_key_wrong", "combineByKey"),
            ("from_one", "treeAggregate"),
        ):
            (finding,) = lint(f"{jobs}:{name}", replay="spark", replayer=replayer).findings
            assert finding.method == method
            assert str(finding.safety) == "unsafe"
            assert finding.witness is not None
            assert "spark" in finding.witness.replayed_on
