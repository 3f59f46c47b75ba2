"""`check_sql` and `tallystick check` on SQL: verdicts, small tables, scripts, statuses and errors."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from tallystick import Answer, assert_equivalent_sql, check_sql
from tallystick.certificates.audit import audit
from tallystick.cli import main
from tallystick.frontends.errors import SourceError
from tallystick.queries.reading import question, read_queries

SCHEMA = """
CREATE TABLE customer (id INT PRIMARY KEY, city VARCHAR(20));
CREATE TABLE orders (id INT PRIMARY KEY, customer_id INT REFERENCES customer (id), amount INT, weight DOUBLE);
"""
OLD = "SELECT c.id, COUNT(o.id) AS n FROM customer c LEFT JOIN orders o ON o.customer_id = c.id GROUP BY c.id"
NEW = "SELECT c.id, COUNT(*) AS n FROM customer c LEFT JOIN orders o ON o.customer_id = c.id GROUP BY c.id"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "schema.sql").write_text(SCHEMA)
    (tmp_path / "old.sql").write_text(f"{OLD};\n")
    (tmp_path / "new.sql").write_text(f"{NEW};\n")
    return tmp_path


def run(*arguments: str | Path) -> tuple[int, str]:
    result = CliRunner().invoke(main, [str(each) for each in arguments])
    return result.exit_code, result.output


def test_different_queries_are_shown_on_a_smallest_database() -> None:
    verdict = check_sql(OLD, NEW, schema=SCHEMA, replay="duckdb")
    assert verdict.verdict is Answer.INEQUIVALENT
    assert verdict.replayed_on == ("reference", "duckdb")
    assert verdict.counterexample is not None
    assert [len(rows) for rows in verdict.counterexample.database.values()] == [1, 0]
    assert "the left query returns    the right query returns\n  id  n                     id  n" in str(verdict)


def test_equal_queries_have_a_proof_that_the_kernel_has_checked() -> None:
    joined = "SELECT o.id, o.amount FROM orders o JOIN customer c ON o.customer_id = c.id"
    verdict = assert_equivalent_sql(
        joined, "SELECT id, amount FROM orders WHERE customer_id IS NOT NULL", schema=SCHEMA
    )
    assert verdict.verdict is Answer.EQUIVALENT
    assert verdict.certificate is not None
    assert f"certificate of {len(verdict.certificate)} bytes, audited: no solver has to be trusted" in str(verdict)


def test_without_the_key_the_join_may_drop_rows() -> None:
    joined = "SELECT o.id FROM orders o JOIN customer c ON o.customer_id = c.id"
    without = SCHEMA.replace("REFERENCES customer (id)", "")
    verdict = check_sql(joined, "SELECT id FROM orders WHERE customer_id IS NOT NULL", schema=without)
    assert verdict.verdict is Answer.INEQUIVALENT


def test_what_was_not_proved_is_not_claimed() -> None:
    """Nothing is known of REVERSE but that it is a function."""
    left = "SELECT c FROM t WHERE REVERSE(REVERSE(c)) = c"
    right = "SELECT c FROM t WHERE c IS NOT NULL"
    verdict = check_sql(left, right, schema="CREATE TABLE t (c STRING)", timeout=0.5)
    assert verdict.verdict is Answer.UNKNOWN
    assert set(verdict.reasons) == {"proof", "counterexamples"}


def test_a_verdict_is_no_truth_value() -> None:
    with pytest.raises(TypeError, match="a verdict has three values"):
        bool(check_sql(OLD, NEW, schema=SCHEMA))


def test_an_assertion_shows_the_database() -> None:
    with pytest.raises(AssertionError, match="inequivalent: the left query ≢ the right query"):
        assert_equivalent_sql(OLD, NEW, schema=SCHEMA)


def test_columns_tell_where_queries_differ() -> None:
    verdict = check_sql(OLD, NEW, schema=SCHEMA, columns=True, timeout=0.5)
    assert dict(verdict.columns)["n"] is Answer.INEQUIVALENT
    assert dict(verdict.columns)["id"] is not Answer.INEQUIVALENT


def test_the_dialect_is_part_of_the_verdict() -> None:
    """Of 1 and 2, half is 0.5 in Spark and 0 in PostgreSQL."""
    halves = ("SELECT amount / 2 FROM orders", "SELECT amount * 0.5 FROM orders")
    assert check_sql(*halves, schema=SCHEMA, dialect="postgres").verdict is Answer.INEQUIVALENT
    assert check_sql(*halves, schema=SCHEMA, dialect="spark", timeout=0.5).verdict is not Answer.INEQUIVALENT


def test_floating_point_numbers_are_passed_on_and_are_exact_on_request() -> None:
    same = check_sql("SELECT weight FROM orders", "SELECT weight FROM orders WHERE 1 = 1", schema=SCHEMA)
    assert same.verdict is Answer.EQUIVALENT
    with pytest.raises(SourceError, match="the constant 1e0 holds"):
        check_sql("SELECT weight FROM orders", "SELECT weight + 1e0 FROM orders", schema=SCHEMA)
    verdict = check_sql(
        "SELECT weight FROM orders", "SELECT -weight FROM orders", schema=SCHEMA, assume=["exact-floats"]
    )
    assert "assuming: floating-point numbers are exact, and none is NaN or infinite" in str(verdict)


def test_the_command_ends_with_1_and_writes_a_script(folder: Path) -> None:
    script = folder / "different.sql"
    status, output = run(
        "check", folder / "old.sql", folder / "new.sql", "--schema", folder / "schema.sql", "--script", script
    )
    assert status == 1
    assert output.startswith(f"inequivalent: {folder}/old.sql ≢ {folder}/new.sql\n")
    assert script.read_text().startswith('CREATE TABLE "customer" ("id" BIGINT NOT NULL, "city" VARCHAR);\n')


def test_the_command_prints_json(folder: Path) -> None:
    status, output = run("check", OLD, NEW, "--schema", folder / "schema.sql", "--json")
    content = json.loads(output)
    assert status == 1
    assert content["verdict"] == "inequivalent"
    assert content["switches"]["integer_division"] == "exact"
    customer, orders = content["witness"]["inputs"]
    assert customer == {
        "name": "customer",
        "columns": [{"name": "id", "type": "integer"}, {"name": "city", "type": "text"}],
        "rows": [[0, None]],
    }
    assert (orders["name"], orders["rows"]) == ("orders", [])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((OLD, NEW), "queries need --schema"),
        ((OLD, "SELECT cty FROM customer", "--schema", SCHEMA), "there is no column cty"),
        ((OLD, "missing.sql", "--schema", SCHEMA), "missing.sql: there is no such file"),
        ((OLD, NEW, "--schema", SCHEMA, "--dialect", "oracle"), "there is no dialect 'oracle'"),
        ((OLD, NEW, "--schema", SCHEMA, "--assume", "luck"), "there is no assumption 'luck' to be asked for"),
        ((OLD, "SELECT 1 FROM", "--schema", SCHEMA), "syntax error"),
    ],
)
def test_bad_input_ends_with_3(arguments: tuple[str, ...], message: str) -> None:
    status, output = run("check", *arguments)
    assert status == 3
    assert message in output


def test_names_of_columns_that_differ_are_said_and_decide_nothing() -> None:
    verdict = check_sql("SELECT id AS a, city FROM customer", "SELECT id AS b, CITY FROM customer", schema=SCHEMA)
    assert verdict.verdict is Answer.EQUIVALENT
    assert verdict.notes == ("column 1 is called a and b: columns are compared by position",)


@pytest.mark.parametrize(
    ("left", "message"),
    [
        ("SELECT 'id' AS id FROM customer", "column 1 of the results has the types text and integer"),
        ("SELECT id, city FROM customer", r"the results have 2 and 1 columns, \(id, city\) and \(id\)"),
    ],
)
def test_results_whose_columns_cannot_be_compared_are_refused(left: str, message: str) -> None:
    for rows in ("", " WHERE FALSE"):
        with pytest.raises(SourceError, match=message):
            check_sql(left + rows, "SELECT id FROM customer" + rows, schema=SCHEMA)


def test_an_order_of_one_side_only_is_said() -> None:
    left, right = "SELECT id FROM orders ORDER BY id", "SELECT id FROM orders"
    verdict = check_sql(left, right, schema=SCHEMA)
    assert (verdict.verdict, verdict.notes) == (Answer.UNKNOWN, ())
    assert verdict.reasons == {"order": "the same rows; only the left query fixes their order"}
    assert verdict.seconds < 1
    verdict = check_sql(left, f"{right} WHERE id > 1", schema=SCHEMA)
    assert verdict.verdict is Answer.INEQUIVALENT
    assert verdict.notes == ("only the left query has an ORDER BY: without it, rows are compared in any order",)


def test_rows_are_compared_in_any_order_if_that_is_asked_for() -> None:
    left, right = "SELECT id FROM orders ORDER BY id", "SELECT id FROM orders ORDER BY id DESC"
    assert check_sql(left, right, schema=SCHEMA, timeout=0.5).verdict is not Answer.EQUIVALENT
    verdict = check_sql(left, right, schema=SCHEMA, bag=True)
    assert verdict.verdict is Answer.EQUIVALENT
    assert verdict.certificate is not None
    assert audit(verdict.certificate, against=question(read_queries(left, right, schema=SCHEMA, bag=True)))
    assert not audit(verdict.certificate, against=question(read_queries(left, right, schema=SCHEMA)))


ROOM = "CREATE TABLE t (k INT, small TINYINT, flag VARCHAR(3), share DECIMAL(5, 2), whole DECIMAL, free DOUBLE)"


@pytest.mark.parametrize(
    ("impossible", "possible"),
    [
        ("k > 3000000000", "k > 2000000000"),
        ("small = 128", "small = -128"),
        ("LENGTH(flag) = 4", "LENGTH(flag) = 3"),
        ("flag LIKE '____%'", "flag LIKE '___%'"),
        ("share > 0 AND share < 0.01", "share > 0 AND share < 0.02"),
        ("share = 1000", "share = 999.99"),
        ("whole > 0 AND whole < 1", "whole > 0 AND whole <= 1"),
    ],
)
def test_no_counterexample_has_a_value_that_its_column_has_no_room_for(impossible: str, possible: str) -> None:
    def answer(condition: str, timeout: float) -> Answer:
        texts = f"SELECT k FROM t WHERE {condition}", "SELECT k FROM t WHERE FALSE"
        return check_sql(*texts, schema=ROOM, assume=("exact-floats",), timeout=timeout).verdict

    assert answer(impossible, 1.0) is not Answer.INEQUIVALENT
    assert answer(possible, 5.0) is Answer.INEQUIVALENT


def test_unsigned_columns_have_no_negative_values() -> None:
    schema = "CREATE TABLE t (k INT UNSIGNED, d DECIMAL(5, 2) UNSIGNED)"
    for column in "kd":
        texts = f"SELECT 1 FROM t WHERE {column} < 0", "SELECT 1 FROM t WHERE FALSE"
        assert check_sql(*texts, schema=schema, dialect="mysql", timeout=1.0).verdict is Answer.EQUIVALENT


def test_texts_are_found_that_are_the_numbers_that_they_meet() -> None:
    schema = "CREATE TABLE t (k INT, zip STRING)"
    for left, right in (("zip = 10", "zip = 11"), ("zip > 10.5", "zip >= 10.5")):
        verdict = check_sql(f"SELECT k FROM t WHERE {left}", f"SELECT k FROM t WHERE {right}", schema=schema)
        assert verdict.verdict is Answer.INEQUIVALENT


def test_texts_as_people_have_them_are_read(tmp_path: Path) -> None:
    """A byte order mark, Windows line ends, comments, a semicolon, quoted names."""
    schema = tmp_path / "schema.sql"
    schema.write_bytes(b"\xef\xbb\xbf" + SCHEMA.replace("\n", "\r\n").encode())
    strange = tmp_path / "old.sql"
    strange.write_bytes(b"\xef\xbb\xbf-- what\r\nSELECT `id`\r\n/* and */ FROM `customer` -- where\r\n;\r\n")
    assert check_sql(strange, "SELECT id FROM customer", schema=schema).verdict is Answer.EQUIVALENT


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "there is no query"),
        (b"-- nothing\r\n", "there is no query"),
        (b"SELECT 1;\nSELECT 2;\n", "one query is expected, not several"),
        (b"\xff\xfe", "the file is not text in UTF-8"),
        (b"SELECT a,\r\n  b FRM customer\r\n", "old.sql:2"),
    ],
)
def test_files_that_have_no_query_end_with_3(content: bytes, message: str, tmp_path: Path) -> None:
    (tmp_path / "old.sql").write_bytes(content)
    status, output = run("check", tmp_path / "old.sql", "SELECT 1 FROM customer", "--schema", SCHEMA)
    assert status == 3
    assert message in output


def test_wide_tables_are_turned_so_that_lines_have_80_columns() -> None:
    columns = [f"a_rather_long_name_{number}" for number in range(12)]
    schema = f"CREATE TABLE wide ({', '.join(f'{name} INT' for name in columns)});"
    verdict = check_sql("SELECT * FROM wide", f"SELECT * FROM wide WHERE {columns[0]} > 1", schema=schema)
    assert max(map(len, str(verdict).splitlines())) <= 80
    assert "  a_rather_long_name_11  NULL" in str(verdict)


def test_a_number_against_a_text_is_refuted_by_a_text_that_is_the_same_number() -> None:
    """In Spark b = 1 casts b, so that '01' is 1; the cast of NULL is NULL."""
    schema = "CREATE TABLE t (a INT, b STRING)"
    verdict = check_sql("SELECT a FROM t WHERE b = 1", "SELECT a FROM t WHERE b = '1'", schema=schema)
    assert verdict.verdict is Answer.INEQUIVALENT
    assert verdict.counterexample is not None
    assert verdict.counterexample.database == {"t": ((None, "01"),)}


def test_an_unknown_verdict_names_what_the_queries_differ_in() -> None:
    schema = "CREATE TABLE t (a INT, c STRING)"
    left = "SELECT a FROM t WHERE REVERSE(REVERSE(c)) = c"
    right = "SELECT a FROM t WHERE c IS NOT NULL"
    verdict = check_sql(left, right, schema=schema, timeout=2.0)
    assert verdict.verdict is Answer.UNKNOWN
    assert verdict.reasons["proof"] == "the queries differ in REVERSE: such a function is known by its name alone"
