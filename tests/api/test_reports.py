"""Answers as Markdown, JUnit's XML and SARIF: what passes, what fails, and where."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree as Xml

import pytest
from click.testing import CliRunner, Result
from tallystick.cli import main
from tallystick.reports import FORMS, NOT_READ, OPEN, PASSED, Entry, to_junit, to_markdown, to_sarif
from tallystick.showing import COLOURS

SCHEMA = "CREATE TABLE t (a INT)"
ENTRIES = [
    Entry("proved", "equivalent", "equivalent: a ≡ b", "b.sql", seconds=0.5),
    Entry("differs", "inequivalent", "inequivalent: a ≢ c\n  table", "a b/c.sql", 3, 4),
    Entry("open", "unknown", "unknown: a ? d"),
    Entry("bad", "error", "d.sql:1:2: no", "d.sql", 1),
    Entry("passed over", NOT_READ, "not read: e"),
]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, text in {"a": "SELECT a FROM t", "b": "SELECT a + 0 FROM t", "c": "SELECT DISTINCT a FROM t"}.items():
        (tmp_path / f"{name}.sql").write_text(text)
    return tmp_path


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments)


def test_tests_of_junit_pass_fail_or_have_errors() -> None:
    suite = Xml.fromstring(to_junit("check", ENTRIES))[0]
    assert suite.attrib == {
        "name": "tallystick check",
        "tests": "5",
        "failures": "1",
        "errors": "2",
        "skipped": "1",
    }
    assert [test[0].tag for test in suite] == ["system-out", "failure", "error", "error", "skipped"]
    assert suite[1].attrib == {"name": "differs", "classname": "a b/c.sql", "file": "a b/c.sql", "line": "3"}
    assert suite[1][0].attrib == {"type": "inequivalent", "message": "inequivalent: a ≢ c"}
    assert suite[1][0].text == ENTRIES[1].text
    assert suite[0].attrib["time"] == "0.500"


def test_results_of_sarif_are_what_is_no_proof_with_places(folder: Path) -> None:
    (found,) = json.loads(to_sarif("check", ENTRIES))["runs"]
    levels = [(each["ruleId"], each["level"]) for each in found["results"]]
    assert levels == [("inequivalent", "error"), ("unknown", "warning"), ("error", "error"), ("not-read", "note")]
    assert found["results"][0]["locations"] == [
        {"physicalLocation": {"artifactLocation": {"uri": "a%20b/c.sql"}, "region": {"startLine": 3, "startColumn": 4}}}
    ]
    assert "locations" not in found["results"][1]
    assert {each["id"] for each in found["tool"]["driver"]["rules"]} == {rule for rule, _ in levels}


def test_markdown_folds_what_is_no_proof_and_nothing_breaks_out() -> None:
    hostile = Entry("a|`<b>`\n", "unknown", "unknown\n```\n<script>")
    text = to_markdown("check", [ENTRIES[0], hostile])
    assert text.startswith("### Tallystick check: 1 equivalent, 1 unknown\n\n| | what | answer |\n|---|---|---|\n")
    assert "| 🟡 | a&#124;&#96;&#60;b&#62;&#96;� | unknown |\n" in text
    assert "\n````\nunknown\n```\n<script>\n````\n" in text
    assert "<summary>proved" not in text


def test_xml_has_no_characters_that_it_may_not_have() -> None:
    made = to_junit("check", [Entry("a\x00\x1b", "unknown", "\ud800 <&>")])
    assert Xml.fromstring(made)[0][0].attrib["name"] == "a��"


def test_each_answer_passes_fails_or_is_open() -> None:
    failing = {"inequivalent", "rejected", "unsafe", "misread", "changed", "added", "removed"}
    assert {"equivalent", "accepted", "safe", "unchanged"} == PASSED
    assert COLOURS.keys() == PASSED | failing | (OPEN - {"error"})


@pytest.mark.parametrize("form", FORMS)
def test_an_answer_is_a_report_and_so_is_bad_input(folder: Path, form: str) -> None:
    for right, status, word in (("b", 0, "equivalent"), ("c", 1, "inequivalent"), ("d", 3, "error")):
        done = run("check", "a.sql", f"{right}.sql", "--schema", SCHEMA, "--format", form)
        assert done.exit_code == status
        assert (word in done.stdout) is not (form == "sarif" and status == 0)
        assert ("d.sql: there is no such file" in done.stdout) is (status == 3)


def test_folds_have_their_places(folder: Path) -> None:
    text = "from pyspark import RDD\n\n\ndef f(r: RDD[int]):\n    return r.fold(1, lambda a, b: a + b)\n"
    (folder / "jobs.py").write_text(f"{text}\n\ndef g(r: RDD[int]):\n    return r.nothing()\n")
    (found,) = json.loads(run("lint", "jobs.py", "--format", "sarif").stdout)["runs"]
    regions = [each["locations"][0]["physicalLocation"]["region"] for each in found["results"]]
    assert [each["ruleId"] for each in found["results"]] == ["unsafe", "not-read"]
    assert [each["startLine"] for each in regions] == [5, 9]
    strict = json.loads(run("lint", "jobs.py", "--strict", "--format", "sarif").stdout)["runs"][0]
    assert [each["ruleId"] for each in strict["results"]] == ["unsafe", "error"]


def test_models_have_their_files(folder: Path) -> None:
    for side, text in (("old", "SELECT a FROM t"), ("new", "SELECT DISTINCT a FROM t")):
        (folder / side / "marts").mkdir(parents=True)
        (folder / side / "marts" / "m.sql").write_text(text)
        (folder / side / "same.sql").write_text("SELECT a FROM t")
    done = run("dataflow", "old", "new", "--schema", SCHEMA, "--format", "junit")
    suite = Xml.fromstring(done.stdout)[0]
    tests = {test.attrib["name"]: (test.attrib.get("file"), test[0].tag) for test in suite}
    assert tests == {"m": ("new/marts/m.sql", "failure"), "same": ("new/same.sql", "system-out")}
    assert (done.exit_code, "differs on this input" in done.stdout) == (1, True)


def test_json_and_another_shape_contradict_each_other() -> None:
    done = run("check", "SELECT 1", "SELECT 2", "--schema", SCHEMA, "--json", "--format", "junit")
    assert (done.exit_code, "--json contradicts --format junit" in done.stderr) == (3, True)
