"""Queries in two dialects: in Python, on the command line, audited, explained, and each on its own engine."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from tallystick import check_sql
from tallystick.certificates.audit import audit
from tallystick.cli import main
from tallystick.explaining.queries import walkthrough
from tallystick.explaining.text_format import to_text
from tallystick.frontends.errors import SourceError
from tallystick.misreading import MisreadingError
from tallystick.options import OptionError
from tallystick.queries import replaying
from tallystick.queries.reading import question, read_queries
from tallystick.serving import serve
from tallystick.verdict import Answer

SCHEMA = "CREATE TABLE t (a INT NOT NULL, b INT, s VARCHAR(10))"
OLD, NEW = "SELECT a, b / 2 AS h FROM t ORDER BY b", "SELECT a, b DIV 2 AS h FROM t ORDER BY b NULLS LAST"
DIALECTS = "postgres", "spark"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in (("schema", SCHEMA), ("old", OLD), ("new", NEW)):
        (tmp_path / f"{name}.sql").write_text(text)
    return tmp_path


def run(folder: Path, command: str, *arguments: str) -> tuple[int, str]:
    given = [str(folder / each) if each.endswith((".sql", ".json")) else each for each in arguments]
    result = CliRunner().invoke(main, [command, *given])
    return result.exit_code, result.output


def test_a_translation_by_hand_is_proved_and_says_its_dialects():
    verdict = check_sql(OLD, NEW, schema=SCHEMA, dialect=DIALECTS)
    assert verdict.verdict is Answer.EQUIVALENT
    assert "in the dialects postgres and spark\n  types: INT, VARCHAR(10)\n" in str(verdict)
    content = verdict.to_json()
    assert (content["dialect"], content["to"]) == DIALECTS
    assert content["switches"]["integer_division"] == "truncate"
    assert content["switches_to"]["integer_division"] == "exact"
    assert content["types"] == {"INT": "INT", "VARCHAR(10)": "VARCHAR(10)"}


def test_json_of_one_dialect_has_no_other():
    assert "to" not in check_sql(OLD, OLD, schema=SCHEMA, dialect="postgres").to_json()


def test_the_note_of_a_dialect_that_is_read_by_its_manual_stands_once():
    text = "SELECT a FROM t"
    verdict = check_sql(text, text, schema=SCHEMA, dialect=("snowflake", "spark"))
    assert verdict.all_notes == ("read by the manual of Snowflake, no engine was asked",)


def test_names_that_differ_in_case_are_the_same_in_two_dialects():
    text = "SELECT a FROM t"
    assert check_sql(text, text, schema=SCHEMA, dialect=("snowflake", "postgres")).notes == ()


@pytest.mark.parametrize("dialect", [("spark",), ("spark", "duckdb", "postgres"), ("spark", 1), 3])
def test_a_dialect_is_a_name_or_two(dialect: Any):
    with pytest.raises(OptionError, match="dialect must be a name, or a pair of names, and is"):
        check_sql(OLD, NEW, schema=SCHEMA, dialect=dialect)


@pytest.mark.parametrize(("dialect", "option"), [(("oracle", "spark"), "--dialect"), (("spark", "oracle"), "--to")])
def test_a_dialect_that_is_not_known_is_named_with_its_option(dialect: tuple[str, str], option: str):
    with pytest.raises(SourceError, match=f"^{option}: there is no dialect 'oracle'"):
        read_queries(OLD, NEW, schema=SCHEMA, dialect=dialect)


def test_the_certificate_is_about_both_dialects():
    verdict = check_sql(OLD, NEW, schema=SCHEMA, dialect=DIALECTS)
    assert verdict.certificate is not None
    assert audit(verdict.certificate, question(read_queries(OLD, NEW, schema=SCHEMA, dialect=DIALECTS))).accepted
    for other in ("spark", ("spark", "postgres"), ("postgres", "databricks"), ("databricks", "spark")):
        try:
            asked = question(read_queries(OLD.replace("/ 2", "+ 2"), OLD, schema=SCHEMA, dialect=other))
        except Exception as problem:
            pytest.fail(str(problem))
        assert not audit(verdict.certificate, asked).accepted
    claim = audit(verdict.certificate).claim
    assert "the left query is read in the dialect 'postgres': integer_division truncate" in claim
    assert "the right query is read in the dialect 'spark': integer_division exact" in claim


def test_a_certificate_with_one_of_the_dialects_changed_is_about_something_else():
    verdict = check_sql(OLD, NEW, schema=SCHEMA, dialect=DIALECTS)
    assert verdict.certificate is not None
    asked = question(read_queries(OLD, NEW, schema=SCHEMA, dialect=DIALECTS))
    forged = verdict.certificate.replace(b'"spark"]', b'"databricks"]')
    assert forged != verdict.certificate
    assert audit(forged).accepted
    assert not audit(forged, asked).accepted
    assert "the name of a dialect is an identifier" in audit(forged.replace(b'"databricks"', b'"two words"')).reason


def test_check_and_audit_on_the_command_line(folder: Path):
    given = ("--schema", "schema.sql", "--dialect", "postgres")
    status, output = run(
        folder, "check", "old.sql", "new.sql", *given, "--to", "spark", "--certificate", str(folder / "c.json")
    )
    assert (status, output.splitlines()[0][:11]) == (0, "equivalent:")
    assert run(folder, "audit", "c.json", "--against", "old.sql", "new.sql", *given, "--to", "spark")[0] == 0
    (folder / "new.sql").write_text(NEW.replace("NULLS LAST", ""))
    assert run(folder, "audit", "c.json", "--against", "old.sql", "new.sql", *given, "--to", "spark")[0] == 1
    status, output = run(folder, "check", "old.sql", "new.sql", *given, "--to", "spark", "--json")
    assert (status, json.loads(output)["to"]) == (1, "spark")
    assert (
        "read in the dialects postgres and spark"
        in run(folder, "explain", "old.sql", "new.sql", *given, "--to", "spark")[1]
    )


def test_a_note_says_where_columns_have_two_types():
    text = "SELECT d + INTERVAL '1' DAY FROM t"
    verdict = check_sql(text, text, schema="CREATE TABLE t (d DATE)", dialect=("mysql", "duckdb"), collation="binary")
    assert verdict.verdict is Answer.EQUIVALENT
    assert verdict.notes == ("column 1 is of type date and timestamp: the values are compared, not the types",)


def test_constraints_that_would_make_them_equal_are_found_in_two_dialects():
    old, new = "SELECT DISTINCT a FROM t", "SELECT a FROM t"
    verdict = check_sql(old, new, schema=SCHEMA, dialect=DIALECTS, suggest=True, columns=True)
    assert verdict.missing == ("t: PRIMARY KEY (a)",)
    assert verdict.columns == (("a", Answer.INEQUIVALENT),)


def test_a_question_may_name_two_dialects():
    asked = {"before": OLD, "after": NEW, "schema": SCHEMA, "dialect": "postgres", "to": "spark"}
    answers = StringIO()
    serve(StringIO(json.dumps(asked)), answers, "spark", 5)
    assert json.loads(answers.getvalue())["answer"]["verdict"] == "equivalent"


def test_the_explanation_says_what_becomes_of_types():
    text = "SELECT a FROM t"
    shown = " ".join(
        to_text(walkthrough(check_sql(text, text, schema=SCHEMA, dialect=("snowflake", "duckdb")))).split()
    )
    assert "read in the dialects snowflake and duckdb" in shown
    assert "INT → HUGEINT, VARCHAR(10)" in shown


def test_two_dialects_are_replayed_on_their_own_engines_alone():
    with pytest.raises(OptionError, match="replay must be 'own' where there are two dialects, and is 'duckdb'"):
        check_sql(OLD, NEW, schema=SCHEMA, dialect=DIALECTS, replay="duckdb")


def test_a_dialect_without_an_engine_here_is_taken_as_it_is_read():
    old, new = "SELECT a, b / 2 AS h FROM t", "SELECT a, b // 2 AS h FROM t"
    verdict = check_sql(old, new, schema=SCHEMA, dialect=("postgres", "duckdb"), replay="own")
    assert verdict.verdict is Answer.EQUIVALENT
    assert verdict.tried is not None
    assert verdict.tried.same > 40
    assert verdict.tried.engine.startswith("DuckDB")
    different = check_sql(old, old, schema=SCHEMA, dialect=("postgres", "duckdb"), replay="own")
    assert different.replayed_on == ("reference", "duckdb")


def test_where_no_engine_is_here_a_note_says_so():
    text = "SELECT a FROM t"
    verdict = check_sql(text, text, schema=SCHEMA, dialect=("postgres", "mysql"), replay="own", collation="binary")
    assert verdict.notes == ("nothing was tried: no engine of postgres or mysql is here",)


def test_tables_have_the_names_of_each_dialect_on_its_engine():
    text = 'SELECT "A" FROM "Of"'
    schema = 'CREATE TABLE "Of" ("A" INT)'
    verdict = check_sql(text, text, schema=schema, dialect=("postgres", "duckdb"), replay="own")
    assert verdict.tried is not None
    assert verdict.tried.same > 40


def test_an_engine_that_contradicts_the_reading_leaves_no_verdict(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(replaying, "translated", lambda text, dialect, engine: text.replace("b //", "a //"))
    old, new = "SELECT a, b / 2 AS h FROM t", "SELECT a, b // 2 AS h FROM t"
    with pytest.raises(MisreadingError):
        check_sql(old, new, schema=SCHEMA, dialect=("postgres", "duckdb"), replay="own")


@pytest.mark.spark
@pytest.mark.slow
def test_each_query_runs_on_its_own_engine():
    text = "SELECT a FROM t ORDER BY b"
    verdict = check_sql(text, text, schema=SCHEMA, dialect=("duckdb", "spark"), replay="own")
    assert verdict.verdict is Answer.INEQUIVALENT
    assert verdict.replayed_on == ("reference", "duckdb", "spark")
