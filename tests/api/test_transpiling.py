"""Translations by sqlglot: each statement compared with what was written."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from tallystick import transpile_sql
from tallystick.cli import main
from tallystick.frontends.errors import SourceError
from tallystick.frontends.sql.dialects import DIALECTS
from tallystick.frontends.sql.source import SqlText
from tallystick.queries import transpiling
from tallystick.queries.transpiling import split, worst

SCHEMA = "CREATE TABLE t (a INT NOT NULL, b INT, s VARCHAR(10))"
TEXT = """
SELECT a FROM t ORDER BY b; -- NULL comes last; in Spark, too, after the translation
SELECT a / 2 FROM t;
;
SELECT UPPER(s) FROM t WHERE s = ';';
DELETE FROM t
"""


def test_each_statement_has_its_answer():
    found = transpile_sql(TEXT, schema=SCHEMA, dialect=("postgres", "spark"), timeout=1)
    assert [each.answer for each in found] == ["equivalent", "inequivalent", "unknown", "refused"]
    assert found[0].text == "SELECT a FROM t ORDER BY b NULLS LAST"
    assert found[1].verdict is not None
    assert found[1].verdict.counterexample is not None
    assert "a query is expected, not DELETE" in found[3].problem
    assert worst(found) == "inequivalent"
    assert [worst([each]) for each in found] == ["equivalent", "inequivalent", "unknown", "refused"]
    assert str(found[0]).startswith("equivalent: the text statement 1 ≡ the text statement 1 in spark\n")
    assert str(found[0]).rstrip().endswith("\n    SELECT a FROM t ORDER BY b NULLS LAST")


def test_a_text_is_split_where_its_statements_end():
    texts = [each.text for each in split(SqlText("SELECT ';' ;\n\n; SELECT 1 -- ; no end\n", "q"), DIALECTS["duckdb"])]
    assert texts == ["SELECT ';'", "SELECT 1 -- ; no end"]


@pytest.mark.parametrize(("text", "message"), [(" ; ", "there is no query"), ("SELECT 'a", "syntax error: ")])
def test_what_has_no_statements_is_refused(text: str, message: str):
    with pytest.raises(SourceError, match=message):
        transpile_sql(SqlText(text, "q"), schema=SCHEMA, dialect=("duckdb", "spark"))


def test_what_sqlglot_does_not_translate_says_so():
    [found] = transpile_sql("SELECT a FROM t WHERE (", schema=SCHEMA, dialect=("duckdb", "spark"))
    assert found.problem.startswith("sqlglot does not translate it: ")
    assert (found.text, found.answer) == (None, "refused")


def test_what_sqlglot_says_it_cannot_translate_is_shown_beside_the_answer():
    [found] = transpile_sql("SELECT a FROM t EXCEPT ALL SELECT b FROM t", schema=SCHEMA, dialect=("spark", "bigquery"))
    assert found.unsupported == ("EXCEPT ALL is not supported",)
    assert "\n  sqlglot: EXCEPT ALL is not supported\n" in str(found)


def test_the_optimiser_is_compared_within_one_dialect_too():
    text = "SELECT a FROM (SELECT a, b FROM t) AS q WHERE b > 1 AND TRUE"
    [found] = transpile_sql(text, schema=SCHEMA, dialect=("duckdb", "duckdb"), optimized=True)
    assert found.answer == "equivalent"
    assert found.text == 'SELECT "t"."a" AS "a" FROM "t" AS "t" WHERE "t"."b" > 1'


def test_the_optimiser_knows_the_types_of_columns():
    between = ("postgres", "spark")
    [found] = transpile_sql("SELECT a / 2 FROM t", schema=SCHEMA, dialect=between, optimized=True, timeout=1)
    assert "CAST" in str(found.text)


def test_a_translation_ends_with_its_time(monkeypatch: pytest.MonkeyPatch):
    def endless(*_: object, **__: object) -> None:
        while True:
            pass

    monkeypatch.setattr(transpiling, "optimize", endless)
    [found] = transpile_sql("SELECT a FROM t", schema=SCHEMA, dialect=("duckdb", "spark"), optimized=True, timeout=1)
    assert (found.answer, found.text) == ("refused", None)
    assert found.problem == "sqlglot does not translate it: no answer within 1 seconds of the processor"


def run(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(main, ["transpile", *arguments, "--schema", SCHEMA])
    return result.exit_code, result.output


def test_the_command_ends_with_the_worst_answer(tmp_path: Path):
    good, bad = "SELECT a FROM t ORDER BY b", "SELECT a / 2 FROM t"
    to = ("--from", "postgres", "--to", "spark")
    written = tmp_path / "out.sql"
    assert run(good, *to, "-o", str(written))[0] == 0
    assert written.read_text() == "SELECT a FROM t ORDER BY b NULLS LAST;\n"
    other = tmp_path / "other.sql"
    assert run(f"{good}; {bad}", *to, "-o", str(other))[0] == 1
    assert not other.exists()
    assert run("SELECT UPPER(s) FROM t", *to, "--timeout", "1")[0] == 2
    status, output = run("DELETE FROM t", *to)
    assert (status, output.splitlines()[0]) == (3, "refused: the text: the text:1:13: a query is expected, not DELETE")


def test_json_has_an_answer_for_each_statement():
    status, output = run("SELECT a FROM t; SELECT a / 2 FROM t", "--from", "postgres", "--to", "spark", "--json")
    content = json.loads(output)
    assert (status, content["verdict"]) == (1, "inequivalent")
    assert [each["verdict"] for each in content["translations"]] == ["equivalent", "inequivalent"]
    assert content["translations"][1]["translation"] == "SELECT a / 2 FROM t"
    assert content["translations"][1]["witness"]["inputs"]
