"""Records: what is kept of a pair, and what limits do to one."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest
from tallystick.certificates.audit import audit
from tallystick.experiments import running
from tallystick.experiments.questions import Options, Task, question_of_sources
from tallystick.experiments.records import SCHEMA, caps, record_of, row
from tallystick.experiments.running import decide_here
from tallystick.frontends.errors import SourceError

from .conftest import QUESTIONS, cav_tasks, hard_task


def test_a_record_says_how_a_verdict_was_found_and_what_it_cost():
    (record,) = decide_here(cav_tasks("P7/P8")).records
    assert (record.suite, record.pair, record.expected) == ("sparklite-cav", "P7/P8", "equivalent")
    assert (record.verdict, record.method, record.program_class) == ("equivalent", "agg_one_key", "AggOneKB")
    assert record.is_right
    assert not record.is_wrong
    assert record.certificate is not None
    assert record.certificate_bytes == len(record.certificate.encode())
    assert audit(record.certificate.encode()).accepted
    assert 0 < record.audit_seconds < record.seconds
    assert 0 < record.deciding_seconds < record.seconds
    assert record.folds == 2
    assert record.operators >= 6
    assert {"tallystick", "python", "z3-solver", "pyspark"} <= set(record.versions)


def test_what_is_decided_by_its_source_has_a_cost_too():
    """A mean and a call with two functions; both are asked what they mean before they are decided."""
    tasks = [Task(each, Options()) for each in QUESTIONS("beyond") if each.by_source]
    assert len(tasks) > 10
    for record in decide_here(tasks[:6]).records:
        assert record.verdict != "unknown"
        assert record.program_class
        assert min(record.deciding_seconds, record.certifying_seconds, record.audit_seconds) > 0
        assert record.deciding_seconds + record.certifying_seconds + record.audit_seconds < record.seconds


def test_a_record_is_a_row_and_back():
    (record,) = decide_here(cav_tasks("P1/P2'")).records
    columns = dict(zip((column.split()[0] for column in SCHEMA.split(", ")), row(record), strict=True))
    assert record_of(columns) == record


def test_deciding_again_gives_the_same_record_but_for_times():
    tasks = cav_tasks("P1/P2", "P31/P32")
    first, second = ([timeless(record) for record in decide_here(tasks).records] for _ in range(2))
    assert first == second


def test_a_run_goes_on_where_it_was(tmp_path, monkeypatch, capsys):
    kept = tmp_path / "results" / "records.jsonl"
    tasks = cav_tasks("P1/P2", "P1/P2'", "P31/P32")
    whole, asked = running.decide, []

    def until_interrupted(task, prover):
        asked.append(task.question.pair)
        if len(asked) == 2:
            raise KeyboardInterrupt
        return whole(task, prover)

    monkeypatch.setattr(running, "decide", until_interrupted)
    with pytest.raises(KeyboardInterrupt):
        decide_here(tasks, kept)
    said = f"Interrupted. 1 of 3 pairs were decided: they are in {kept}; the same command goes on from there.\n"
    assert capsys.readouterr().err.endswith(said)
    with kept.open("a") as file:
        file.write('{"key": "cut o')
    run = decide_here(tasks, kept)
    assert asked == ["P1/P2", "P1/P2'", "P1/P2'", "P31/P32"]
    assert run.decided == 2
    assert [record.pair for record in run.records] == ["P1/P2", "P1/P2'", "P31/P32"]
    again = decide_here(tasks, kept)
    assert (again.records, again.decided, len(asked)) == (run.records, 0, 4)
    kept.write_text("[1]\n{}\n")
    with pytest.raises(SourceError, match="the line is no result of a pair"):
        decide_here(tasks, kept)


def timeless(record):
    """A record without its times."""
    return dataclasses.replace(
        record, **{each.name: 0.0 for each in dataclasses.fields(record) if each.name.endswith("seconds")}
    )


def test_a_pair_that_never_ends_is_recorded_as_such_while_others_complete():
    (before, after) = cav_tasks("P1/P2", "P27/P28")
    records = decide_here([before, hard_task(24, Options(timeout=0.3)), after]).records
    assert [record.verdict for record in records] == ["equivalent", "unknown", "inequivalent"]
    assert [record.caps for record in records] == [(), ("time",), ()]
    assert not any(record.is_wrong for record in records)


def test_a_pair_that_cannot_be_read_is_recorded_with_the_problem(tmp_path: Path):
    path = tmp_path / "jobs.py"
    path.write_text("def before(r: RDD[int]):\n    return r.sample(False, 0.5)\n")
    question = question_of_sources("files", "sampled", "equivalent", f"{path}:before", f"{path}:before")
    (record,) = decide_here([Task(question, Options())]).records
    assert record.verdict == "unknown"
    assert "sample" in record.reasons["source"]


def test_programs_with_different_parameters_are_recorded_as_not_comparable(tmp_path: Path):
    path = tmp_path / "jobs.py"
    path.write_text("def one(r: RDD[int]):\n    return r\n\ndef two(s: RDD[int]):\n    return s\n")
    question = question_of_sources("files", "two names", None, f"{path}:one", f"{path}:two")
    assert question.problem.startswith("the programs cannot be compared: one(r: RDD[int]) -> RDD[int] and ")


def test_a_key_depends_on_the_programs_and_the_options_and_not_on_where_the_programs_stand():
    question, other = QUESTIONS("sparklite-cav")[:2]
    key = Task(question, Options()).key
    assert key == Task(dataclasses.replace(question, left="elsewhere.py:p1"), Options()).key
    assert key != Task(other, Options()).key
    assert key != Task(question, Options(solver="z3")).key
    assert key != Task(question, Options(timeout=29.0)).key
    assert key != Task(question, Options(methods=("no_agg",))).key


def test_only_the_named_methods_are_tried():
    (task,) = cav_tasks("P15''/P16''")
    papers = ("no_agg", "agg_one", "agg_one_sync")
    records = decide_here([task, Task(task.question, Options(methods=papers))]).records
    assert [record.verdict for record in records] == ["equivalent", "unknown"]
    assert set(records[1].reasons) <= set(papers)


def test_caps_are_named_as_reasons_name_them():
    reasons = {"a": "more than 9 branches (Limits.nodes)", "b": "too many (MOST_LOCATIONS); the time limit was reached"}
    assert caps(reasons) == ("Limits.nodes", "MOST_LOCATIONS", "time")
    assert caps({"a": "the folds differ (as expected)"}) == ()


def test_means_and_two_functions_are_decided_by_what_their_sources_mean(tmp_path: Path):
    """1/2 and 2/4 are one mean, though sums and counts differ; functions that do not agree have no one result."""
    (tmp_path / "jobs.py").write_text(
        """
from pyspark import RDD

def once(r: RDD[int]): return r.mean()
def twice(r: RDD[int]): return r.union(r).mean()
def positive(r: RDD[int]): return r.filter(lambda x: x > 0).mean()
def agreeing(r: RDD[int]): return r.aggregate(0, lambda a, x: a + x, lambda a, b: a + b)
def largest(r: RDD[int]): return r.aggregate(0, lambda a, x: a + x, max)
""",
        encoding="utf-8",
    )
    pairs = [
        ("once", "once"),
        ("once", "twice"),
        ("once", "positive"),
        ("agreeing", "agreeing"),
        ("agreeing", "largest"),
    ]
    tasks = [
        Task(
            question_of_sources(
                "means", f"{one}/{other}", None, *(f"{tmp_path}/jobs.py:{name}" for name in (one, other))
            ),
            Options(),
        )
        for one, other in pairs
    ]
    records = decide_here(tasks).records
    assert [record.verdict for record in records] == ["equivalent", "unknown", "inequivalent", "equivalent", "unknown"]
    assert "mean" in records[1].reasons
    assert "partitions" in records[4].reasons
