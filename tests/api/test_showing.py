"""Answers are short where Python shows a value, whole in print, and say what they assume in a line."""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import tallystick
from click.testing import CliRunner
from tallystick import audit, check, check_sql, lint
from tallystick.cli import main
from tallystick.core.queries.assumptions import Assumption
from tallystick.dataflow.comparing import compared
from tallystick.dataflow.reading import read_versions
from tallystick.queries.assumptions import assumption_lines

EXAMPLES = Path(__file__).parents[2] / "examples"
SCHEMA = "CREATE TABLE t (a INT, s VARCHAR(3))"
STANDARD = [Assumption.EXACT_NUMBERS, Assumption.NO_ERROR]


def test_the_representation_of_an_answer_is_its_first_line() -> None:
    query = check_sql("SELECT a FROM t", "SELECT a + 1 FROM t", schema=SCHEMA)
    assert repr(query) == "<SqlVerdict inequivalent: the left query ≢ the right query>"
    program = check(f"{EXAMPLES}/passing_grades.py:before", f"{EXAMPLES}/passing_grades.py:too_strict")
    assert repr(program) == "<Verdict inequivalent: before ≢ too_strict>"
    report = lint(f"{EXAMPLES}/passing_grades.py:before")
    assert repr(report).startswith("<LintReport ")
    assert "\n" not in repr(report)
    assert repr(report.findings[0]).startswith("<Finding ")
    assert query.certificate is not None
    assert repr(audit(query.certificate)) == "<AuditReport accepted: every step holds>"
    assert repr(audit(b"{}")).startswith("<AuditReport rejected: ")


def test_versions_of_a_workflow_are_shown_as_the_command_prints_them(tmp_path: Path) -> None:
    for side, text in (("old", "SELECT a FROM t"), ("new", "SELECT DISTINCT a FROM t")):
        (tmp_path / side).mkdir()
        (tmp_path / side / "m.sql").write_text(text)
        (tmp_path / side / "n.sql").write_text("SELECT s FROM t")
    verdict = compared(read_versions(tmp_path / "old", tmp_path / "new", schema=SCHEMA))
    assert repr(verdict) == "<DataflowVerdict 1 unchanged, 1 changed>"
    command = ["dataflow", f"{tmp_path}/old", f"{tmp_path}/new", "--schema", SCHEMA]
    first, *_ = CliRunner().invoke(main, command).stdout.splitlines()
    assert str(verdict).splitlines()[0] == first
    assert verdict._repr_html_().startswith('<pre><b style="color: firebrick">changed</b>    m  ')


def test_a_notebook_shows_the_whole_text_with_the_answer_in_its_colour() -> None:
    verdict = check_sql("SELECT a FROM t WHERE a < 1", "SELECT a FROM t WHERE a <= 1", schema=SCHEMA)
    html = verdict._repr_html_()
    assert html.startswith('<pre><b style="color: firebrick">inequivalent</b>: the left query ≢ the right query\n')
    assert html.replace('<b style="color: firebrick">', "").replace("</b>", "") == f"<pre>{verdict}</pre>"


def test_a_notebook_gets_no_tags_from_the_user() -> None:
    verdict = check_sql(
        "SELECT '<script>' AS x FROM t", "SELECT s AS x FROM t", schema="CREATE TABLE t (a INT, s VARCHAR(9))"
    )
    assert "<script>" in str(verdict)
    assert "<script>" not in verdict._repr_html_()
    assert "&lt;script&gt;" in verdict._repr_html_()


def test_standard_assumptions_stand_in_one_line_and_others_in_full() -> None:
    assert assumption_lines(STANDARD) == ["  assuming: exact numbers, no errors (--assumptions)"]
    assert assumption_lines([*STANDARD, Assumption.SAME_MOMENT]) == [
        "  assuming: exact numbers, no errors (--assumptions)",
        "  assuming: both queries run at the same moment",
    ]
    assert assumption_lines([Assumption.SAME_MOMENT]) == ["  assuming: both queries run at the same moment"]
    assert assumption_lines([]) == []


def test_all_assumptions_are_said_in_full_on_request() -> None:
    assert assumption_lines(STANDARD, in_full=True) == [
        "  assuming: numbers are exact: nothing overflows, and no decimal is rounded to a",
        "    scale",
        "  assuming: neither query stops with an error",
    ]
    command = ["check", "SELECT a FROM t", "SELECT a + 0 FROM t", "--schema", SCHEMA]
    assert "assuming: exact numbers, no errors (--assumptions)" in CliRunner().invoke(main, command).output
    shown = CliRunner().invoke(main, [*command, "--assumptions"]).output
    assert "assuming: neither query stops with an error\n" in shown
    assert "(--assumptions)" not in shown


def test_the_package_says_its_version_and_its_names_and_loads_no_solver_for_it() -> None:
    assert tallystick.__version__ == version("tallystick")
    assert set(tallystick.__all__) <= set(dir(tallystick))
    code = "import sys, tallystick; dir(tallystick), tallystick.__version__; print('z3' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "False\n"


def test_the_package_says_that_it_has_types() -> None:
    assert (Path(tallystick.__file__).parent / "py.typed").is_file()
