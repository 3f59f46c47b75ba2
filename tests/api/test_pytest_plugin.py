"""The pytest plugin, in a pytest of its own, as a user runs it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from tallystick.certificates.audit import audit

pytestmark = pytest.mark.xdist_group("pytest_plugin")  # one run is looked at by several tests
EXAMPLES = Path(__file__).parents[2] / "examples"
JOBS = """
def before(r): return r.filter(lambda x: x > 0)
def after(r): return r.filter(lambda x: x >= 1)
def wrong(r): return r.filter(lambda x: x >= 0)
def mapped(r): return r.map(lambda x: 2 * x).distinct()
def refused(r): return r.sample(False, 0.5)
def unmapped(r): return r.distinct().map(lambda x: 2 * x)
"""


def _pytest(folder: Path, *arguments: str) -> tuple[int, str]:
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "--rootdir", str(folder), *arguments]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
    result = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120, env=environment)
    return result.returncode, result.stdout + result.stderr


SCHEMA = "CREATE TABLE t (id INT PRIMARY KEY, n INT);"
FILES = {
    "jobs.py": JOBS,
    "schema.sql": SCHEMA,
    "old.sql": "SELECT COUNT(*) AS n FROM t",
    "new.sql": "SELECT COUNT(id) AS n FROM t",
    "wrong.sql": "SELECT COUNT(n) AS n FROM t",
    "typo.sql": "SELECT COUNT(m) AS n FROM t",
}
TESTS = f"""
from pathlib import Path
import tallystick
from pyspark import RDD

def test_different(assert_equivalent):
    assert_equivalent("jobs.py:before", "jobs.py:wrong", types="r: RDD[int]")

def test_refused_by_fixture(assert_equivalent):
    assert_equivalent("jobs.py:before", "jobs.py:refused", types="r: RDD[int]")

def test_refused_by_function():
    tallystick.assert_equivalent("jobs.py:before", "jobs.py:refused", types="r: RDD[int]")

def test_refused_by_option(assert_equivalent):
    assert_equivalent("jobs.py:before", "jobs.py:after", solver="foo")

def here(r: "RDD[int]"):
    return r.map(lambda x: x + x)

def there(r: "RDD[int]"):
    return r.map(lambda x: 2 * x)

def test_of_objects(assert_equivalent):
    verdict = assert_equivalent(here, there)
    assert verdict.oracles == ()

def test_unknown(assert_equivalent):
    assert_equivalent("jobs.py:mapped", "jobs.py:unmapped", types="r: RDD[int]", timeout=2)

def test_twice(assert_equivalent):
    assert_equivalent("jobs.py:before", "jobs.py:after", types="r: RDD[int]")
    assert_equivalent("jobs.py:after", "jobs.py:before", types="r: RDD[int]")

def test_files(assert_equivalent_sql):
    verdict = assert_equivalent_sql("old.sql", Path("new.sql"), schema="schema.sql")
    assert str(verdict.verdict) == "equivalent"

def test_texts(assert_equivalent_sql):
    assert_equivalent_sql("SELECT id FROM t", "SELECT id i FROM t", schema="{SCHEMA}", dialect="duckdb")

def test_different_queries(assert_equivalent_sql):
    assert_equivalent_sql("old.sql", "wrong.sql", schema="schema.sql")

def test_typo(assert_equivalent_sql):
    assert_equivalent_sql("old.sql", "typo.sql", schema="schema.sql")
"""


def _project(folder: Path, tests: str, configuration: str = "") -> Path:
    for name, text in {**FILES, "test_jobs.py": tests, "pytest.ini": f"[pytest]\n{configuration}"}.items():
        (folder / name).write_text(text)
    return folder


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return _project(tmp_path_factory.mktemp("project"), TESTS)


@pytest.fixture(scope="module")
def failures(folder: Path) -> dict[str, str]:
    """What pytest shows of each test of a user's that fails; certificates are kept."""
    status, output = _pytest(folder, "--tallystick-certificates", "kept")
    assert status == 1
    assert "4 passed" in output, output
    _, *parts = re.split(r"^_{3,} (\w+) _{3,}$", output.partition("short test summary")[0], flags=re.MULTILINE)
    return dict(zip(parts[::2], parts[1::2], strict=True))


def test_the_examples_pass_and_their_certificates_are_accepted(tmp_path: Path):
    kept_in = ("--tallystick-certificates", str(tmp_path / "kept"))
    status, output = _pytest(EXAMPLES, "-c", os.devnull, *kept_in, "--ignore", "test_revenue_by_city.py", ".")
    assert status == 0, output
    kept = sorted((tmp_path / "kept").iterdir())
    assert [each.name for each in kept] == [
        "sql-test_shipped.py--test_one_row_a_customer_first_counts_the_same_orders.json",
        "test_passing_grades.py--test_filtering_first_gives_the_same_histogram.json",
    ]
    assert [audit(each).verdict for each in kept] == ["equivalent", "equivalent"]


@pytest.mark.spark
@pytest.mark.slow
def test_the_example_of_dataframes_passes_and_its_certificate_is_accepted(tmp_path: Path):
    kept_in = ("--tallystick-certificates", str(tmp_path / "kept"))
    status, output = _pytest(EXAMPLES, "-c", os.devnull, *kept_in, "test_revenue_by_city.py")
    assert status == 0, output
    (kept,) = (tmp_path / "kept").iterdir()
    assert audit(kept).verdict == "equivalent"


def test_tests_fail_that_have_something_to_say(failures: dict[str, str]):
    """And no other one: functions of the test file are compared as objects, queries by files and by texts."""
    refused = ("refused_by_fixture", "refused_by_function", "refused_by_option")
    names = ("different", *refused, "unknown", "different_queries", "typo")
    assert [*failures] == [f"test_{name}" for name in names]


def test_a_difference_fails_the_test_with_a_counterexample_and_without_a_traceback_of_the_library(
    failures: dict[str, str],
):
    output = failures["test_different"]
    assert "inequivalent: before ≢ wrong" in output
    assert "on r = [0]" in output
    assert "pytest_plugin.py" not in output
    assert "assertions.py:" not in output


@pytest.mark.parametrize(
    ("way", "message"),
    [
        ("fixture", "the RDD method `sample` is not supported"),
        ("function", "the RDD method `sample` is not supported"),
        ("option", "solver must be one of 'auto', 'z3', 'cvc5', 'cooper', and is 'foo'"),
    ],
)
def test_a_refusal_shows_the_test_and_the_refused_code_and_no_frame_of_the_library(
    failures: dict[str, str], way: str, message: str
):
    output = failures[f"test_refused_by_{way}"]
    assert message in output
    for ours in ("pytest_plugin.py:", "assertions.py:", "checking.py:", "program.py:", "operators.py:", "options.py:"):
        assert ours not in output


def test_an_unknown_answer_fails_the_test_with_what_was_tried(failures: dict[str, str]):
    assert "unknown: mapped ? unmapped" in failures["test_unknown"]
    assert "what was tried:" in failures["test_unknown"]


def test_several_certificates_of_one_test_are_numbered(failures: dict[str, str], folder: Path):
    names = sorted(path.name for path in (folder / "kept").iterdir() if "twice" in path.name)
    assert names == ["test_jobs.py--test_twice-2.json", "test_jobs.py--test_twice.json"]


def test_a_timeout_that_is_no_number_of_seconds_is_an_error_that_says_so(tmp_path: Path):
    status, output = _pytest(_project(tmp_path, TESTS, "tallystick_timeout = soon\n"), "-k", "test_twice")
    assert status == 1
    assert "tallystick_timeout must be a number of seconds above 0, and is 'soon'" in output


def test_different_queries_fail_the_test_with_a_database_and_without_frames_of_the_library(failures: dict[str, str]):
    output = failures["test_different_queries"]
    assert "inequivalent: " in output
    assert "they would be equivalent if the schema said:" in output
    assert "t.n NOT NULL" in output
    assert "checking.py:" not in output


def test_a_query_that_is_not_understood_fails_the_test_with_its_line(failures: dict[str, str]):
    assert "typo.sql:1:14: there is no column m" in failures["test_typo"]
    assert "reader.py:" not in failures["test_typo"]
