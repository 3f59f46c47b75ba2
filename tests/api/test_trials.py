"""The reading is tried on an engine before a verdict leaves: what it contradicts is a defect, and no verdict."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from sqlglot import exp
from tallystick import Answer, MisreadingError, assert_equivalent_sql, check_sql
from tallystick.cli import main
from tallystick.core.queries.assumptions import Assumption
from tallystick.core.queries.interpreter.constraints import constraints
from tallystick.core.queries.interpreter.evaluation import evaluate
from tallystick.core.queries.interpreter.outcomes import Outcome
from tallystick.frontends.sql import comparisons, conditionals
from tallystick.frontends.sql.dialects import dialect_named
from tallystick.frontends.sql.reader import SqlPair, read_pair, read_schema
from tallystick.frontends.sql.source import SqlText
from tallystick.queries import replaying
from tallystick.queries.rounding import hangs_on_rounding
from tallystick.queries.trials import TRIALS, Contradiction, Trial, Trials, Tried, permits, trials_of
from tallystick.replay.sql_engines import EngineError, Ran, on_duckdb

SCHEMA = """
CREATE TABLE o (id INT PRIMARY KEY, c INT REFERENCES c (id), n INT CHECK (n < 9), p DECIMAL(6, 2), s VARCHAR(3));
CREATE TABLE c (id INT PRIMARY KEY, s VARCHAR(3) NOT NULL);
"""
DUCKDB = dialect_named("duckdb")
AT_LEAST = ("SELECT id FROM o WHERE n >= 3", "SELECT id FROM o WHERE NOT n < 3")
FILLED = ("SELECT COALESCE(n, 0) AS n FROM o", "SELECT IFNULL(n, 0) AS n FROM o")


def checked(left: str, right: str, dialect: str = "duckdb", **options: Any):
    return check_sql(left, right, schema=SCHEMA, dialect=dialect, replay="duckdb", **options)


# ---- the databases


def pair_of(left: str, right: str, schema: str = SCHEMA) -> SqlPair:
    texts = (SqlText(left, "left"), SqlText(right, "right"))
    return read_pair(*texts, read_schema(schema, DUCKDB), DUCKDB)


def trials(pair: SqlPair, number: int = TRIALS) -> Trials:
    return trials_of(pair.left, pair.right, pair.catalogue, pair.assumptions, number)


def test_databases_are_legal_and_have_what_readings_get_wrong():
    pair = pair_of("SELECT o.n, c.s FROM o JOIN c ON o.c = c.id WHERE o.n > 3", "SELECT n, s FROM o WHERE s = 'ab'")
    databases = [each.database for each in trials(pair).each]
    assert len(databases) == 50
    assert set(map(len, databases[0].values())) == {0}
    violation = constraints(pair.catalogue)
    for database in databases:
        assert violation(database) is None
    rows = [row for database in databases for row in database["o"]]
    assert {2, 3, 4, None} <= {row[2] for row in rows}
    assert {"ab", None} <= {row[4] for row in rows}
    assert any(len({row[2] for row in database["o"]}) < len(database["o"]) for database in databases)
    assert max(len(database["c"]) for database in databases) > 6


# ---- a reading that is right


@pytest.mark.parametrize(("left", "right"), [AT_LEAST, FILLED])
def test_an_equivalent_pair_says_on_how_many_databases_it_was_tried(left, right):
    verdict = checked(left, right)
    assert verdict.verdict is Answer.EQUIVALENT
    assert verdict.tried is not None
    assert (verdict.tried.same, verdict.tried.failed) == (50, 0)
    assert f"  tried: returned the same on 50 databases, {verdict.tried.engine}\n" in str(verdict)
    assert verdict.to_json()["tried"]["same"] == 50


def test_without_an_engine_nothing_is_tried():
    verdict = check_sql(*AT_LEAST, schema=SCHEMA, dialect="duckdb")
    assert verdict.tried is None
    assert "tried" not in str(verdict)
    assert verdict.to_json()["tried"] is None


def test_an_unknown_pair_is_tried_too():
    verdict = checked("SELECT id FROM c LIMIT 1", "SELECT id FROM c ORDER BY s LIMIT 1", timeout=1)
    assert verdict.verdict is Answer.UNKNOWN
    assert verdict.tried is not None
    assert 0 < verdict.tried.same < 50  # where there is a choice, the interpreter says nothing


def test_a_query_that_fails_on_some_databases_was_tried_on_the_others():
    verdict = checked("SELECT CAST(s AS INT) AS n FROM o", "SELECT CAST(s AS INT) AS n FROM o WHERE TRUE")
    assert verdict.verdict is Answer.EQUIVALENT
    assert verdict.tried is not None
    assert 0 < verdict.tried.same < 50
    assert verdict.tried.same + verdict.tried.failed == 50
    assert f"{verdict.tried.same} databases, {verdict.tried.engine}; on {verdict.tried.failed} more" in str(
        verdict.tried
    )


# ---- a reading that is wrong: planted


def at_least_as_more(patch: pytest.MonkeyPatch) -> None:
    """`>=` is read as `>`."""
    patch.setitem(comparisons.COMPARISONS, exp.GTE, ">")


def coalesce_as_its_first(patch: pytest.MonkeyPatch) -> None:
    """COALESCE is read as its first argument."""
    every = conditionals._alternatives  # type: ignore[attr-defined]
    patch.setattr(conditionals, "_alternatives", lambda *given: every(*given)[:1])


PLANTED = {
    "equivalent": (at_least_as_more, "SELECT id FROM o WHERE n >= 3", "SELECT id FROM o WHERE n > 3"),
    "inequivalent": (at_least_as_more, *AT_LEAST),
    "coalesce": (coalesce_as_its_first, "SELECT COALESCE(n, 0) AS n FROM o", "SELECT n FROM o"),
}
WRONG_READING = "the reading of the left query is wrong: DuckDB {} returns other rows than the reference interpreter"


@pytest.mark.parametrize("name", PLANTED)
def test_a_planted_misreading_is_no_verdict(name, monkeypatch):
    plant, left, right = PLANTED[name]
    plant(monkeypatch)
    assert check_sql(left, right, schema=SCHEMA, dialect="duckdb").verdict is not Answer.UNKNOWN
    with pytest.raises(MisreadingError) as found:
        checked(left, right)
    assert found.value.problem == WRONG_READING.format(version("duckdb"))
    assert (left, right) != found.value.names == ("the left query", "the right query")


@pytest.mark.parametrize("name", PLANTED)
def test_its_script_makes_a_database_on_which_it_shows(name, monkeypatch):
    plant, left, right = PLANTED[name]
    plant(monkeypatch)
    with pytest.raises(MisreadingError) as found:
        checked(left, right)
    content = found.value.to_json()
    (rows,) = on_duckdb(found.value.script.split(";\n")[:-1], [left])
    returned = content["witness"]["outputs"][0]
    assert len(rows) == len(returned["rows"])
    assert returned != content["read_as"][0]
    assert set(content) == {"verdict", "programs", "problem", "script", "engine", "witness", "read_as"}


def test_an_assertion_does_not_pass(monkeypatch):
    at_least_as_more(monkeypatch)
    with pytest.raises(MisreadingError):
        assert_equivalent_sql(*PLANTED["equivalent"][1:], schema=SCHEMA, dialect="duckdb", replay="duckdb")


@pytest.fixture
def command(tmp_path: Path) -> Callable[..., Any]:
    """Runs `check` on two texts and a schema in files."""

    def run(left: str, right: str, *options: str) -> Any:
        for name, text in (("left.sql", left), ("right.sql", right), ("schema.sql", SCHEMA)):
            (tmp_path / name).write_text(text)
        texts = [str(tmp_path / name) for name in ("left.sql", "right.sql")]
        return CliRunner().invoke(main, ["check", *texts, "--schema", str(tmp_path / "schema.sql"), *options])

    return run


def test_the_command_ends_with_status_4_and_says_what_is_wrong(command, monkeypatch, tmp_path):
    at_least_as_more(monkeypatch)
    script = tmp_path / "script.sql"
    result = command(*AT_LEAST, "--dialect", "duckdb", "--replay", "duckdb", "--script", str(script))
    assert result.exit_code == 4
    left, right = (str(tmp_path / name) for name in ("left.sql", "right.sql"))
    lines = result.stdout.splitlines()
    assert lines[0] == f"misread: {left} ? {right}"
    assert " ".join(each.strip() for each in lines[1:3]).startswith(f"the reading of {left} is wrong: DuckDB")
    assert lines[-1] == "  this is a defect of Tallystick, and no verdict: please report it, with the queries"
    assert "    CREATE TABLE" in result.stdout
    assert "    INSERT INTO" in result.stdout
    assert script.read_text() in "".join(line.removeprefix("    ") + "\n" for line in lines)


def test_the_command_prints_json(command, monkeypatch):
    at_least_as_more(monkeypatch)
    result = command(*AT_LEAST, "--dialect", "duckdb", "--replay", "duckdb", "--json")
    assert result.exit_code == 4
    content = json.loads(result.stdout)
    assert content["verdict"] == "misread"
    assert content["script"].startswith("CREATE TABLE")


def test_queries_of_another_dialect_may_be_translated_wrongly(monkeypatch):
    at_least_as_more(monkeypatch)
    with pytest.raises(MisreadingError) as found:
        checked(*AT_LEAST, dialect="postgres")
    assert found.value.problem.startswith("the reading of the left query, or its translation for the engine, is wrong")


@pytest.mark.spark
@pytest.mark.slow
def test_spark_catches_a_planted_misreading(monkeypatch):
    at_least_as_more(monkeypatch)
    with pytest.raises(MisreadingError, match="the reading of the left query is wrong: Spark 4"):
        check_sql(*PLANTED["equivalent"][1:], schema=SCHEMA, replay="spark")


@pytest.mark.spark
@pytest.mark.slow
def test_spark_runs_all_databases_of_an_equivalent_pair_in_one_process():
    verdict = check_sql(*AT_LEAST, schema=SCHEMA, replay="spark")
    assert verdict.verdict is Answer.EQUIVALENT
    assert verdict.tried is not None
    assert (verdict.tried.same > 0, verdict.tried.failed) == (True, 0)


def test_columns_that_were_not_read_are_a_misreading(monkeypatch):
    ran = Ran("DuckDB", tuple(([(1, 2)], [(1, 2)]) for _ in range(TRIALS)))
    monkeypatch.setattr(replaying, "databases_on_duckdb", lambda *_: ran)
    with pytest.raises(MisreadingError) as found:
        checked(*AT_LEAST)
    assert "(1, 2)" in str(found.value)


# ---- what the assumptions of a verdict exclude is no defect


ROW = (Fraction(1, 3),)


def judged(assumptions: set[Assumption], returned: tuple[Any, Any], outcomes: Any, equivalent: bool = True) -> Any:
    """What comes of one database on which an engine has returned something."""
    pair = pair_of("SELECT AVG(p) AS p FROM o", "SELECT AVG(p) AS p FROM o")
    trial = Trial({"o": ((1, None, 1, Fraction(1), "a"),), "c": ()}, outcomes)
    return Trials((pair.left, pair.right), frozenset(assumptions), (trial,)).judged("Duck 1", [returned], equivalent)


def outcome(*rows: Any) -> Outcome:
    return Outcome((rows,) if rows else ())


def test_what_an_engine_returns_is_compared_with_what_was_read():
    both = (outcome((1,)), outcome((1,)))
    assert judged(set(), ([(1,)], [(1,)]), both) == Tried("Duck 1", 1)
    found = judged(set(), ([(1,)], [(2,)]), both)
    assert isinstance(found, Contradiction)
    assert (found.side, found.size) == (1, 1)


def test_equivalent_queries_have_to_return_the_same_where_the_interpreter_says_nothing():
    found = judged(set(), ([(1,)], [(2,)]), (None, None))
    assert isinstance(found, Contradiction)
    assert found.side is None
    assert judged(set(), ([(1,)], [(2,)]), (None, None), equivalent=False) == Tried("Duck 1", 0)
    assert judged(set(), ([(1,), (2,)], [(2,), (1,)]), (None, None)) == Tried("Duck 1", 1)


@pytest.mark.parametrize("assumption", [Assumption.ONE_CHOICE, Assumption.SAME_MOMENT, Assumption.SAME_DRAWS])
def test_choices_moments_and_draws_may_differ_between_two_runs(assumption):
    assert judged({assumption}, ([(1,)], [(2,)]), (None, None)) == Tried("Duck 1", 0)
    assert isinstance(judged({assumption}, ([(1,)], [(2,)]), (outcome((1,)), None)), Tried)
    assert isinstance(judged({assumption}, ([(3,)], [(2,)]), (outcome((1,)), None)), Contradiction)


def test_an_error_of_a_query_does_not_count():
    tried = judged(set(), ("Out of Range\nmore", [(2,)]), (outcome((1,)), outcome((1,))))
    assert tried == Tried("Duck 1", 0, 1, "Out of Range")
    assert str(tried) == "Duck 1 ran them on no database: Out of Range"
    assert str(Tried("Duck 1")) == "nothing that Duck 1 returned could be compared"
    assert str(Tried("Duck 1", 1)) == "returned the same on 1 database, Duck 1"
    assert str(Tried("Duck 1", 3, 2, "Oh", 1)) == (
        "returned the same on 3 databases, Duck 1; on 2 more a query raised an error: Oh; "
        "on 1 more the results hang on how numbers are rounded"
    )


def test_numbers_are_compared_with_a_tolerance():
    near = ([(Fraction("0.333333"),)], [(Fraction("0.3333333333"),)])
    both = (outcome(ROW), outcome(ROW))
    assert judged({Assumption.EXACT_QUOTIENTS}, near, both) == Tried("Duck 1", 1)
    far = ([(Fraction("0.33"),)], [(Fraction("0.3333333333"),)])
    assert isinstance(judged({Assumption.EXACT_QUOTIENTS}, far, (outcome(ROW), outcome(ROW))), Tried | Contradiction)


@pytest.mark.parametrize("number", [Fraction(1, 3), Fraction("0.00005"), Fraction("-2.00015"), Fraction(10**9)])
def test_numbers_just_beside_each_other_are_the_same(number):
    for near in (number - Fraction(1, 10**7), number, number + Fraction(1, 10**7)):
        assert permits(outcome((number,)), [(near,)])
    assert not permits(outcome((number,)), [(number + Fraction(1, 1000),)])


ROUNDED = {
    "magnified": ("SELECT AVG(n) * 100000000 AS p FROM o", True),
    "compared": ("SELECT COUNT(*) AS c FROM (SELECT AVG(n) AS m FROM o) AS x WHERE m * 3 = 7", True),
    "shown": ("SELECT AVG(n) AS p FROM o", False),
    "of whole numbers": ("SELECT SUM(n) AS p FROM o", False),
}


@pytest.mark.parametrize("name", ROUNDED)
def test_a_result_that_hangs_on_rounding_is_known(name):
    text, hangs = ROUNDED[name]
    pair = pair_of(text, text)
    rows = tuple((number, None, number, None, None) for number in (1, 2, 4))
    found = evaluate(pair.left, {"o": rows, "c": ()})
    assert hangs_on_rounding(pair.left, {"o": rows, "c": ()}, found, permits) is hangs


def test_floats_are_exact_on_databases_of_binary_numbers_only():
    text = "SELECT SUM(p) AS p FROM o"
    pair = pair_of(text, text)
    for value, rounded in ((Fraction(1, 10), True), (Fraction(3, 8), False)):
        trial = Trial({"o": ((1, None, 1, value, None),), "c": ()}, (None, None))
        made = Trials((pair.left, pair.right), frozenset({Assumption.EXACT_FLOATS}), (trial,))
        assert made.is_rounded(trial) is rounded


def test_an_engine_that_is_not_there_leaves_the_verdict_and_a_note(monkeypatch):
    def missing(*_: object) -> None:
        raise EngineError("DuckDB is not installed")

    monkeypatch.setattr(replaying, "databases_on_duckdb", missing)
    verdict = checked(*AT_LEAST)
    assert (verdict.verdict, verdict.tried) == (Answer.EQUIVALENT, None)
    assert verdict.notes == ("duckdb does not run the queries: DuckDB is not installed",)
