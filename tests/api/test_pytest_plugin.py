"""The pytest plugin, in a pytest of its own, as a user runs it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from tallystick.certificates.audit import audit

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


def _project(folder: Path, tests: str, configuration: str = "") -> Path:
    (folder / "jobs.py").write_text(JOBS)
    (folder / "test_jobs.py").write_text(tests)
    (folder / "pytest.ini").write_text(f"[pytest]\n{configuration}")
    return folder


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


def test_a_difference_fails_the_test_with_a_counterexample_and_without_a_traceback_of_the_library(tmp_path: Path):
    tests = """
        def test_it(assert_equivalent):
            assert_equivalent("jobs.py:before", "jobs.py:wrong", types="r: RDD[int]")
    """
    status, output = _pytest(_project(tmp_path, _dedented(tests)))
    assert status == 1
    assert "inequivalent: before ≢ wrong" in output
    assert "on r = [0]" in output
    assert "pytest_plugin.py" not in output
    assert "assertions.py:" not in output


def test_a_refusal_shows_the_test_and_the_refused_code_and_no_frame_of_the_library(tmp_path: Path):
    tests = """
        import tallystick

        def test_by_fixture(assert_equivalent):
            assert_equivalent("jobs.py:before", "jobs.py:refused", types="r: RDD[int]")

        def test_by_function():
            tallystick.assert_equivalent("jobs.py:before", "jobs.py:refused", types="r: RDD[int]")

        def test_by_option(assert_equivalent):
            assert_equivalent("jobs.py:before", "jobs.py:after", solver="foo")
    """
    status, output = _pytest(_project(tmp_path, _dedented(tests)))
    assert status == 1
    assert output.count("the RDD method `sample` is not supported") >= 2
    assert "solver must be one of 'auto', 'z3', 'cvc5', 'cooper', and is 'foo'" in output
    for ours in ("pytest_plugin.py:", "assertions.py:", "checking.py:", "program.py:", "operators.py:", "options.py:"):
        assert ours not in output


def test_functions_of_the_test_file_are_compared_as_objects(tmp_path: Path):
    tests = """
        def here(r: "RDD[int]"):
            return r.map(lambda x: x + x)

        def there(r: "RDD[int]"):
            return r.map(lambda x: 2 * x)

        def test_it(assert_equivalent):
            verdict = assert_equivalent(here, there)
            assert verdict.oracles == ()
    """
    tests = "from pyspark import RDD\n" + _dedented(tests)
    status, output = _pytest(_project(tmp_path, tests))
    assert status == 0, output


def test_an_unknown_answer_fails_the_test_with_what_was_tried(tmp_path: Path):
    tests = """
        def test_it(assert_equivalent):
            assert_equivalent("jobs.py:mapped", "jobs.py:unmapped", types="r: RDD[int]")
    """
    status, output = _pytest(_project(tmp_path, _dedented(tests)))
    assert status == 1
    assert "unknown: mapped ? unmapped" in output
    assert "what was tried:" in output


def test_several_certificates_of_one_test_are_numbered(tmp_path: Path):
    tests = """
        def test_it(assert_equivalent):
            assert_equivalent("jobs.py:before", "jobs.py:after", types="r: RDD[int]")
            assert_equivalent("jobs.py:after", "jobs.py:before", types="r: RDD[int]")
    """
    status, output = _pytest(_project(tmp_path, _dedented(tests)), "--tallystick-certificates", "kept")
    assert status == 0, output
    names = sorted(path.name for path in (tmp_path / "kept").iterdir())
    assert names == ["test_jobs.py--test_it-2.json", "test_jobs.py--test_it.json"]


def test_a_timeout_that_is_no_number_of_seconds_is_an_error_that_says_so(tmp_path: Path):
    tests = """
        def test_it(assert_equivalent):
            assert_equivalent("jobs.py:before", "jobs.py:after", types="r: RDD[int]")
    """
    status, output = _pytest(_project(tmp_path, _dedented(tests), "tallystick_timeout = soon\n"))
    assert status == 1
    assert "tallystick_timeout must be a number of seconds above 0, and is 'soon'" in output


def _dedented(text: str) -> str:
    return "\n".join(line.removeprefix("        ") for line in text.splitlines()) + "\n"


SQL_SCHEMA = "CREATE TABLE t (id INT PRIMARY KEY, n INT);"


def _sql_project(folder: Path, tests: str) -> Path:
    (folder / "schema.sql").write_text(SQL_SCHEMA)
    (folder / "old.sql").write_text("SELECT COUNT(*) AS n FROM t")
    (folder / "new.sql").write_text("SELECT COUNT(id) AS n FROM t")
    (folder / "wrong.sql").write_text("SELECT COUNT(n) AS n FROM t")
    (folder / "typo.sql").write_text("SELECT COUNT(m) AS n FROM t")
    return _project(folder, _dedented(tests))


def test_queries_are_compared_by_files_beside_the_test_and_by_texts(tmp_path: Path):
    tests = f"""
        from pathlib import Path
        def test_files(assert_equivalent_sql):
            verdict = assert_equivalent_sql("old.sql", Path("new.sql"), schema="schema.sql")
            assert str(verdict.verdict) == "equivalent"
        def test_texts(assert_equivalent_sql):
            assert_equivalent_sql("SELECT id FROM t", "SELECT id i FROM t", schema="{SQL_SCHEMA}", dialect="duckdb")
    """
    status, output = _pytest(_sql_project(tmp_path, tests), "-q")
    assert status == 0, output
    assert "2 passed" in output


def test_different_queries_fail_the_test_with_a_database_and_without_frames_of_the_library(tmp_path: Path):
    tests = """
        def test_it(assert_equivalent_sql):
            assert_equivalent_sql("old.sql", "wrong.sql", schema="schema.sql")
    """
    status, output = _pytest(_sql_project(tmp_path, tests))
    assert status == 1
    assert "inequivalent: " in output
    assert "they would be equivalent if the schema said:" in output
    assert "t.n NOT NULL" in output
    assert "checking.py:" not in output


def test_a_query_that_is_not_understood_fails_the_test_with_its_line(tmp_path: Path):
    tests = """
        def test_it(assert_equivalent_sql):
            assert_equivalent_sql("old.sql", "typo.sql", schema="schema.sql")
    """
    status, output = _pytest(_sql_project(tmp_path, tests))
    assert status == 1
    assert "typo.sql:1:14: there is no column m" in output
    assert "reader.py:" not in output
