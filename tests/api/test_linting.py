"""Lint: positions, texts and exit statuses; every unsafe finding is reproduced on PySpark."""

from __future__ import annotations

import json
from pathlib import Path
from textwrap import indent

import pytest
from click.testing import CliRunner, Result
from conftest import WriteFile
from tallystick import Answer, Safety, check, lint
from tallystick.cli import COMMANDS, main
from tallystick.findings import Finding
from tallystick.replay import SparkReplayer

ROOT = Path(__file__).parents[2]
JOBS = """
    from pyspark import RDD

    def plus(a, x): return a + x
    def count(a, x): return a + 1
    def larger(a, x): return x if x > a else a
    def above(m): return lambda x: x > m

    def total(r: RDD[int]): return r.fold(0, plus)
    def tripled(r: RDD[int]): return r.map(lambda x: 3 * x).fold(0, plus)
    def best(r: RDD[int]): return r.fold(0, larger)
    def counted(r: RDD[int]): return r.fold(0, count)
    def counted_by_spark(r: RDD[int]): return r.count()
    def from_five(r: RDD[int]): return r.fold(5, plus)
    def truths(r: RDD[bool]): return r.fold(0, lambda a, x: a + (1 if x else 0))
    def trues(r: RDD[bool]): return r.filter(lambda x: x).count()
    def divisible(r: RDD[int]): return r.fold(0, plus) % 5 == 0
    def divisible_tripled(r: RDD[int]): return r.map(lambda x: 3 * x).fold(0, plus) % 5 == 0
    def unreadable(r: RDD[int]): return r.first()
    def helper(x: int): return x

    def two_calls(r: RDD[int]):
        unused = r.fold(1, count)
        return (
            r.map(lambda x: x + 1)
            .filter(above(0))
            .fold(0, count)
        ) + r.count()

    def by_key(s: RDD[tuple[int, int]]): return s.foldByKey(0, count)
    def differences(s: RDD[tuple[int, int]]): return s.reduceByKey(lambda a, b: a - b)
    def of_pairs(s: RDD[tuple[int, int]]): return s.fold(0, count)
    def unpacked(s: RDD[tuple[int, int]]): return s.fold(0, lambda a, x: a + x[1])
    def sum_and_count(r: RDD[int]): return r.fold((0, 0), lambda a, x: (a[0] + x, a[1] + 1))
    def nested(r: RDD[int], s: RDD[int]): return s.filter(above(r.fold(0, larger))).fold(0, count)
    def without_partitions(r: RDD[int]): return r.fold(0, lambda a, x: 7)
    def last(r: RDD[int], k: int): return r.fold(0, lambda a, x: x) + k
    def product(r: RDD[int], s: RDD[int]): return r.cartesian(s).keys().fold(0, count)
    def joined(s: RDD[tuple[int, int]]): return s.join(s).keys().fold(0, count)
    def distinct(r: RDD[int]): return r.distinct().fold(0, count)
    def coalesced(r: RDD[int]): return r.coalesce(1).fold(0, count)
    def united(r: RDD[int], s: RDD[int]): return r.union(s).fold(0, count)
"""
UNSAFE = (
    *("counted", "from_five", "two_calls", "by_key", "differences", "of_pairs", "unpacked", "sum_and_count", "nested"),
    *("without_partitions", "last", "product", "joined", "united", "distinct"),
)


@pytest.fixture
def jobs(write: WriteFile) -> str:
    return write("jobs.py", JOBS)


def command(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments)


def test_a_finding_says_where_the_call_stands_and_shows_two_values(jobs: str) -> None:
    report = lint(f"{jobs}:from_five")
    assert report.safety is Safety.UNSAFE
    assert str(report) == (
        f"{jobs}:14:38: unsafe: the value of fold depends on how Spark partitions its elements\n"
        "    fold(5, λA,x. A + x)(r)\n"
        "    in partitions [0, 0]   it returns 10\n"
        "    in partitions [0], [0] it returns 15\n"
        "    replayed on: reference"
    )


def test_a_safe_finding_shows_the_invariant_of_its_proof(jobs: str) -> None:
    (finding,) = lint(f"{jobs}:best").findings
    assert (finding.safety, finding.invariant, finding.oracles) == (Safety.SAFE, "M ≥ 0", ())
    assert str(finding) == (
        f"{jobs}:11:33: safe: the value of fold does not depend on partitions\n"
        "    fold(0, λA,x. ite(A < x, x, A))(r)\n"
        "    invariant: M ≥ 0"
    )


def test_an_undecided_finding_says_why(jobs: str) -> None:
    (finding,) = lint(f"{jobs}:truths").findings
    assert (finding.safety, finding.witness) == (Safety.UNKNOWN, None)
    assert finding.reason == (
        "merging gives its function a partial result of type Int for an element of type Bool; Python may accept it"
    )


def test_in_a_chain_of_several_lines_the_position_is_that_of_the_methods_name(jobs: str) -> None:
    """And neither a fold whose value is not used nor Spark's own count is a finding."""
    (finding,) = lint(f"{jobs}:two_calls").findings
    assert (finding.method, finding.line, finding.column) == ("fold", 27, 10)


def test_one_term_by_count_and_by_fold_is_one_finding(write: WriteFile) -> None:
    text = "from pyspark import RDD\n\ndef both(r: RDD[int]):\n    return r.count() + r.fold(0, lambda a, x: a + 1)\n"
    (finding,) = lint(f"{write('jobs.py', text)}:both").findings
    assert (finding.line, finding.column) == (4, 26)


def test_a_program_without_folds_of_its_own_is_safe(jobs: str) -> None:
    report = lint(f"{jobs}:counted_by_spark")
    assert (report.safety, report.findings) == (Safety.SAFE, ())
    assert str(report) == "counted_by_spark: safe: it calls no method whose value may depend on partitions"


def test_a_report_is_no_truth_value(jobs: str) -> None:
    with pytest.raises(TypeError, match="a report has three outcomes"):
        bool(lint(f"{jobs}:total"))


def test_a_reduction_shows_what_the_method_returns(jobs: str) -> None:
    (finding,) = lint(f"{jobs}:differences").findings
    assert finding.witness is not None
    assert finding.witness.values == ([(0, -1)], [(0, 1)])


@pytest.mark.parametrize(
    ("program", "status"), [("total", 0), ("counted", 1), ("truths", 2), ("unreadable", 3), ("missing", 3)]
)
def test_the_exit_status_is_that_of_the_worst_finding(program: str, status: int, jobs: str) -> None:
    assert command("lint", f"{jobs}:{program}").exit_code == status


MIXED = """from pyspark import RDD


def bad(r: RDD[int]):
    return r.first()


def good(r: RDD[int]):
    return r.fold(0, lambda a, x: a + x)


def helper(x: int):
    return x.y
"""


def test_a_function_in_a_file_that_cannot_be_read_is_reported_and_fails_only_if_asked(write: WriteFile) -> None:
    path = write("jobs.py", MIXED)
    result = command("lint", path)
    assert result.exit_code == 0
    assert f"not read: {path}:5:14: the RDD method `first` is not supported\n" in result.stdout
    assert "9:14: safe: the value of fold does not depend on partitions" in result.stdout
    assert command("lint", path, "--strict").exit_code == 3
    content = json.loads(command("lint", path, "--json").stdout)
    assert [each["program"] for each in content["reports"]] == ["good"]
    (unread,) = content["unread"]
    assert (unread["program"], unread["path"], unread["line"], unread["column"]) == (f"{path}:bad", path, 5, 14)


def test_a_spark_that_cannot_be_started_is_no_function_that_cannot_be_read(
    write: WriteFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JAVA_HOME", "/nowhere")
    path = write("jobs.py", "from pyspark import RDD\ndef f(r: RDD[int]):\n    return r.fold(1, lambda a, x: a + x)\n")
    result = command("lint", path, "--replay", "spark")
    assert result.exit_code == 3
    assert result.stderr == "error: JAVA_HOME is /nowhere, where there is no bin/java: set it to a Java 17 or newer\n"


def test_folders_are_linted_with_their_notebooks_but_not_what_is_hidden(tmp_path: Path) -> None:
    unsafe = "from pyspark import RDD\ndef f(r: RDD[int]):\n    return r.fold(0, lambda a, x: a + 1)\n"
    for name in ("a/one.py", "b/two.py", ".venv/three.py", "a/venv/four.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(unsafe)
    cells = [{"cell_type": "code", "source": unsafe}]
    (tmp_path / "b" / "note.ipynb").write_text(json.dumps({"cells": cells}))
    (tmp_path / "b" / "broken.py").write_text("def (")
    result = command("lint", str(tmp_path), f"{tmp_path}/a", "--json")
    assert result.exit_code == 1
    content = json.loads(result.stdout)
    places = [finding["path"] for program in content["reports"] for finding in program["findings"]]
    assert places == [f"{tmp_path}/{name}" for name in ("a/one.py", "b/note.ipynb[1]", "b/two.py")]
    assert [each["program"] for each in content["unread"]] == [f"{tmp_path}/b/broken.py"]
    assert command("lint", f"{tmp_path}/b/broken.py").exit_code == 3


def test_a_file_without_programs_is_safe_and_a_missing_one_is_bad_input(write: WriteFile) -> None:
    assert command("lint", write("nothing.py", "x = 1\n")).exit_code == 0
    assert command("lint", "no_such_file.py").exit_code == 3


def test_json_is_one_object(jobs: str) -> None:
    content = json.loads(command("lint", "--json", f"{jobs}:counted", f"{jobs}:total").stdout)
    assert (content["verdict"], [each["safety"] for each in content["reports"]]) == ("unsafe", ["unsafe", "safe"])
    (finding,) = content["reports"][0]["findings"]
    assert finding["witness"] == {
        "inputs": {"r": [0, 0]},
        "input_partitions": [{"r": [[0, 0]]}, {"r": [[0], [0]]}],
        "partitions": [[[0, 0]], [[0], [0]]],
        "values": [1, 2],
        "replayed_on": ["reference"],
    }


def test_the_example_shows_both_kinds() -> None:
    path = ROOT / "examples" / "revenue.py"
    found = {name: lint(f"{path}:{name}").safety for name in ("report", "number_of_orders", "with_fee")}
    assert found == {"report": Safety.SAFE, "number_of_orders": Safety.UNSAFE, "with_fee": Safety.UNSAFE}
    assert lint(f"{path}:orders_per_customer").safety is Safety.UNSAFE


def test_the_pre_commit_hooks_run_commands_that_exist() -> None:
    lines = (ROOT / ".pre-commit-hooks.yaml").read_text().splitlines()
    entries = [line.split(": ")[1].split() for line in lines if line.startswith("  entry:")]
    assert [entry[0] for entry in entries] == ["tallystick"] * 3
    assert all(entry[1] in COMMANDS for entry in entries)


# --- check ----------------------------------------------------------------------------------------------------------


def test_safe_programs_are_compared_in_sparks_own_meaning(jobs: str) -> None:
    verdict = check(f"{jobs}:divisible", f"{jobs}:divisible_tripled")
    assert (verdict.verdict, verdict.semantics) == (Answer.EQUIVALENT, "spark")
    assert verdict.notes == ("read with Spark's own folds: all 2 calls that fold are proved partition-safe",)
    assert check(f"{jobs}:total", f"{jobs}:tripled", semantics="spark").verdict is Answer.INEQUIVALENT
    assert check(f"{jobs}:divisible", f"{jobs}:divisible_tripled", semantics="sparklite").notes == ()


def test_an_unsafe_program_has_no_one_meaning_in_spark(jobs: str) -> None:
    verdict = check(f"{jobs}:counted_by_spark", f"{jobs}:counted")
    assert (verdict.verdict, verdict.certificate) == (Answer.UNKNOWN, None)
    (report,) = verdict.no_one_value
    assert report.findings == lint(f"{jobs}:counted").findings
    assert str(verdict) == (
        "unknown: counted_by_spark ? counted\n"
        "  counted has no one value: it depends on how Spark partitions its elements\n"
    ) + indent(str(report), "    ")
    assert verdict.to_json()["no_one_value"][0]["findings"][0]["witness"]["values"] == (1, 2)
    result = command("check", f"{jobs}:counted", f"{jobs}:counted_by_spark")
    assert result.exit_code == 2
    assert "    in partitions [0], [0] it returns 2\n" in result.stdout
    lite = check(f"{jobs}:counted_by_spark", f"{jobs}:counted", semantics="sparklite")
    assert lite.verdict is Answer.EQUIVALENT


def test_undecided_safety_gives_unknown_with_its_reason(jobs: str) -> None:
    verdict = check(f"{jobs}:truths", f"{jobs}:trues", semantics="spark")
    assert verdict.verdict is Answer.UNKNOWN
    (finding,) = lint(f"{jobs}:truths").findings
    assert verdict.reasons == {f"partition safety of {finding.place}": finding.reason}
    assert command("check", f"{jobs}:truths", f"{jobs}:trues").exit_code == 2


# --- on PySpark -----------------------------------------------------------------------------------------------------


def replayed(jobs: str, program: str, replayer: SparkReplayer) -> Finding:
    return lint(f"{jobs}:{program}", replay="spark", replayer=replayer).findings[-1]


@pytest.mark.spark
@pytest.mark.parametrize("program", UNSAFE)
def test_every_unsafe_finding_is_reproduced_on_pyspark(program: str, jobs: str, replayer: SparkReplayer) -> None:
    simulated, finding = lint(f"{jobs}:{program}").findings[-1], replayed(jobs, program, replayer)
    assert (simulated.safety, finding.safety) == (Safety.UNSAFE, Safety.UNSAFE)
    if simulated.witness is None:
        assert simulated.reason.startswith("merging gives its function a partial result of type ")
        assert "; on PySpark it raised TypeError: " in finding.reason
        return
    assert simulated.witness is not None
    assert finding.witness is not None
    assert "spark" in finding.witness.replayed_on
    if simulated.witness.input_partitions is not None:
        assert finding.witness.replayed_on == ("reference", "spark")
        assert finding.witness.partitions == simulated.witness.partitions


@pytest.mark.spark
def test_what_pyspark_does_not_show_is_unknown(jobs: str, replayer: SparkReplayer) -> None:
    """The fold would return other values in other partitions, but never has other partitions than one."""
    (simulated,) = lint(f"{jobs}:coalesced").findings
    assert simulated.safety is Safety.UNSAFE
    assert simulated.witness is not None
    assert simulated.witness.input_partitions is None
    finding = replayed(jobs, "coalesced", replayer)
    assert finding.safety is Safety.UNKNOWN
    assert finding.reason == "PySpark returned one value for all partitionings that were tried"


@pytest.mark.spark
def test_a_program_without_one_value_has_two_on_pyspark(jobs: str, replayer: SparkReplayer) -> None:
    verdict = check(f"{jobs}:counted", f"{jobs}:counted_by_spark", replay="spark", replayer=replayer)
    assert verdict.verdict is Answer.UNKNOWN
    (report,) = verdict.no_one_value
    (finding,) = report.findings
    assert finding.witness is not None
    assert finding.witness.replayed_on == ("reference", "spark")
