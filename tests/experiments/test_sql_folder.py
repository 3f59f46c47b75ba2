"""Suites of SQL queries: where they come from, what comes out, what is kept, and what contradicts their labels."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from tallystick.cli import main
from tallystick.experiments.sql_suites import running
from tallystick.experiments.sql_suites.outcomes import Decided, answered, decided, decided_of
from tallystick.experiments.sql_suites.raw_formats import STATED, raw_records
from tallystick.experiments.sql_suites.records import Record, read_record
from tallystick.experiments.sql_suites.running import run
from tallystick.experiments.sql_suites.sources import own_records, records_of
from tallystick.experiments.sql_suites.tables import by_reason, counts, report
from tallystick.frontends.errors import SourceError
from tallystick.results_file import ResultsFile

TABLES = {"t": {"columns": [{"name": "a", "type": "int", "nullable": True}], "primary_key": ["a"]}}
PAIRS = [
    ("SELECT a FROM t", "SELECT DISTINCT a FROM t", "equivalent"),
    ("SELECT a FROM t", "SELECT a FROM t WHERE a > 1", "inequivalent"),
    ("SELECT a FROM t", "SELECT a + 1 FROM t", "equivalent"),
    ("SELECT a FROM t", "SELECT b FROM t", "equivalent"),
]


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    lines = [
        json.dumps(
            {"suite": "small", "id": str(number), "schema": {"tables": TABLES}, "q1": a, "q2": b, "expected": expected}
            | {"dialect": "spark"}
        )
        for number, (a, b, expected) in enumerate(PAIRS)
    ]
    folder = tmp_path / "suites"
    folder.mkdir()
    (folder / "small.jsonl").write_text("\n".join(lines))
    (folder / "notes.txt").write_text("no suite")
    return folder


def test_a_folder_and_a_file_are_tabulated(suite: Path) -> None:
    for name in (suite, suite / "small.jsonl"):
        results = run(records_of(str(name)), 2.0)
        assert [each.outcome for each in results] == ["proved", "refuted", "refuted", "refused"]
        [row] = counts(results)
        assert row[:7] == ("small", "4", "1", "2", "0", "1", "1")
        assert [each.pair for each in results if each.is_wrong] == ["2"]
        assert by_reason(results, "refused") == [(1, "there is no column b", ("small 3",))]


def test_the_command_prints_the_tables_and_ends_with_1_for_a_wrong_verdict(suite: Path) -> None:
    result = CliRunner().invoke(main, ["suite", str(suite), "--timeout", "2"])
    assert result.exit_code == 1
    assert result.output.startswith("suite  pairs  proved  refuted  unknown  refused  wrong")
    assert "\nWRONG:\n  small 2: refuted\n" in result.output
    assert "refused, by reason:\n      1  there is no column b\n" in result.output


def stored(kept: Path) -> list[Decided]:
    return list(ResultsFile(kept, Decided.to_json, decided_of).results.values())


def test_a_run_goes_on_where_it_was(
    suite: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = tmp_path / "results" / "queries.jsonl"
    records = records_of(str(suite))
    asked: list[str] = []

    def interrupted(record: Record, seconds: float) -> Decided:
        if record.name == "2" and not asked:
            asked.append(record.name)
            raise KeyboardInterrupt
        return decided(record, seconds)

    monkeypatch.setattr(running, "decided", interrupted)
    with pytest.raises(KeyboardInterrupt):
        run(records, 2.0, kept)
    said = f"Interrupted. 2 of 4 pairs were decided: they are in {kept}; the same command goes on from there.\n"
    assert capsys.readouterr().err.endswith(said)
    assert [each.pair for each in stored(kept)] == ["0", "1"]
    with kept.open("a") as file:
        file.write('{"key": "cut o')
    again: list[str] = []
    monkeypatch.setattr(
        running, "decided", lambda record, seconds: again.append(record.name) or decided(record, seconds)
    )
    results = run(records, 2.0, kept)
    assert again == ["2", "3"]
    assert [each.outcome for each in results] == ["proved", "refuted", "refuted", "refused"]
    assert len(stored(kept)) == 4
    run(records, 3.0, kept)
    assert len(again) == 6  # under another limit everything is decided again


def test_an_interrupted_run_that_keeps_nothing_says_what_would_keep_it(
    suite: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(record: Record, seconds: float) -> Decided:
        raise KeyboardInterrupt

    monkeypatch.setattr(running, "decided", interrupted)
    with pytest.raises(KeyboardInterrupt):
        run(records_of(str(suite)), 2.0)
    said = "Interrupted. 0 of 4 pairs were decided: --results FOLDER would keep them.\n"
    assert capsys.readouterr().err.endswith(said)


def test_a_file_of_something_else_is_no_file_of_results(tmp_path: Path) -> None:
    (tmp_path / "queries.jsonl").write_text('{"a": 1}\n{"b": 2}\n')
    with pytest.raises(SourceError, match="the line is no result of a pair"):
        run([], 1.0, tmp_path / "queries.jsonl")


@pytest.mark.parametrize(
    ("condition", "with_lost_constraints"),
    [("a > 1", "refuted"), ("a + a <> 1234", "unknown")],  # the latter is a difference on one value alone
)
def test_plans_that_have_lost_something_are_refuted_where_they_often_differ(
    condition: str, with_lost_constraints: str
) -> None:
    right = f"SELECT a FROM t WHERE {condition} OR a IS NULL"
    data = {"schema": {"tables": TABLES}, "q1": "SELECT a FROM t", "q2": right, "expected": "inequivalent"}
    pair = read_record(Record("s", "1", data | {"dialect": "spark"}))
    assert answered(pair, 5.0).outcome == "refuted"
    assert answered(dataclasses.replace(pair, lost_constraints=True), 5.0).outcome == with_lost_constraints
    assert answered(dataclasses.replace(pair, lost_meaning=True), 5.0).outcome == "unknown"


def test_our_own_suite_is_one_by_its_name() -> None:
    records = own_records()
    assert len(records) == len(records_of("sql")) >= 200
    left_join = next(each for each in records if each.suite == "sql/joins" and each.expected == "equivalent")
    assert decided(left_join, 3.0).outcome == "proved"


def test_a_folder_without_pairs_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="there are no pairs of queries in a format that is known"):
        records_of(str(tmp_path))


# Clones of public repositories


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def test_a_clone_of_spes_is_read(tmp_path: Path) -> None:
    pairs = [
        {
            "name": "same",
            "q1": "SELECT SAL FROM EMP WHERE DEPTNO = 10",
            "q2": "SELECT SAL FROM EMP AS E WHERE 10 = DEPTNO",
        },
        {"name": "other", "q1": "SELECT SAL FROM EMP", "q2": "SELECT COMM FROM EMP"},
    ]
    write(tmp_path / "testData" / "calcite_tests.json", json.dumps(pairs))
    write(tmp_path / "testData" / "settings.json", "{}")
    write(tmp_path / "package.json", "[")
    results = run(records_of(str(tmp_path)), 2.0)
    assert [(each.suite, each.pair, each.outcome) for each in results] == [
        ("calcite_tests", "same", "proved"),
        ("calcite_tests", "other", "refuted"),
    ]
    assert not any(each.is_wrong for each in results)
    assert "refuted, though the source calls them equivalent:\n  calcite_tests other: refuted" in "\n".join(
        report(results)
    )


def test_a_clone_of_sqlsolver_is_read_with_its_schemas(tmp_path: Path) -> None:
    schema = "CREATE TABLE `emp` (`empno` int primary key not null, `sal` int not null);"
    write(tmp_path / "data" / "schemas" / "calcite_test.base.schema.sql", schema)
    write(tmp_path / "data" / "schemas" / "tpch.base.schema.sql", schema)
    write(tmp_path / "data" / "calcite" / "calcite_tests", "SELECT SAL FROM EMP\nSELECT SAL FROM EMP AS E\n")
    write(tmp_path / "data" / "spark" / "spark_tests", "SELECT 100 + 10 + sal FROM emp\nSELECT 110 + sal FROM emp\n\n")
    write(tmp_path / "data" / "rules.tpch.spark.txt", "select sal from emp\nselect sal + 1 from emp\n")
    results = run(records_of(str(tmp_path)), 2.0)
    assert sorted((each.suite, each.expected, each.outcome) for each in results) == [
        ("calcite_tests", STATED, "proved"),
        ("rules.tpch.spark", STATED, "refuted"),
        ("spark_tests", STATED, "proved"),
    ]


def test_a_clone_of_sqlsolver_without_its_schema_is_an_error(tmp_path: Path) -> None:
    write(tmp_path / "calcite_tests", "SELECT 1\nSELECT 1\n")
    with pytest.raises(SourceError, match=r"there is no schema for it, calcite\*\.schema\.sql"):
        list(raw_records(tmp_path))
    write(tmp_path / "calcite.schema.sql", "CREATE TABLE t (a int);")
    write(tmp_path / "calcite_tests", "SELECT 1\nSELECT 1\nSELECT 2\n")
    with pytest.raises(SourceError, match="it has an odd number of queries"):
        list(raw_records(tmp_path))


def test_a_clone_of_verieql_is_read_with_its_constraints(tmp_path: Path) -> None:
    data = {
        "index": 7,
        "schema": {"EMP": {"ID": "INT", "DEPT": "INT"}, "DEPT": {"ID": "INT"}},
        "constraint": [
            {"primary": [{"value": "DEPT__ID"}]},
            {"not_null": {"value": "EMP__DEPT"}},
            {"foreign": [{"value": "EMP__DEPT"}, {"value": "DEPT__ID"}]},
        ],
        "pair": ["SELECT EMP.ID FROM EMP JOIN DEPT ON EMP.DEPT = DEPT.ID", "SELECT ID FROM EMP"],
    }
    write(tmp_path / "benchmarks" / "calcite" / "calcite2.jsonlines", json.dumps(data))
    [result] = run(records_of(str(tmp_path)), 2.0)
    assert (result.pair, result.outcome) == ("7", "proved")
    for part in range(3):
        fewer = data | {"constraint": [each for place, each in enumerate(data["constraint"]) if place != part]}
        write(tmp_path / "benchmarks" / "calcite" / "calcite2.jsonlines", json.dumps(fewer))
        assert run(records_of(str(tmp_path)), 2.0)[0].outcome != "proved"


@pytest.mark.parametrize(
    "line", ["[", "[]", '{"schema": {}}', '{"schema": {}, "constraint": [{}], "pair": ["a", "b"]}']
)
def test_a_line_that_is_no_pair_of_verieql_is_an_error(line: str, tmp_path: Path) -> None:
    write(tmp_path / "x.jsonlines", line)
    with pytest.raises(SourceError, match=r"x\.jsonlines"):
        list(raw_records(tmp_path))


@pytest.mark.spark
@pytest.mark.slow
def test_spark_decides_as_this_process_does(suite: Path, tmp_path: Path) -> None:
    kept = tmp_path / "queries.jsonl"
    records = records_of(str(suite))
    there = run(records, 5.0, kept, "local[1]")
    assert [each.outcome for each in there] == [each.outcome for each in run(records, 5.0)]
    assert len(stored(kept)) == 4
