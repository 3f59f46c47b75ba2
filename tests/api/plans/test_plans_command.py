"""`tallystick plans`: folders, standard input, settings, steps of the optimiser, Spark's workers, and resuming."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from tallystick.cli import main
from tallystick.frontends.errors import SourceError
from tallystick.plans import validating
from tallystick.plans.running import results_of
from tallystick.plans.schemas import declared_tables
from tallystick.plans.verdict import Compared, PlanVerdict
from tallystick.replay.catalyst.process import SparkPlans
from tallystick.verdict import Answer

SCHEMA = str(Path(__file__).with_name("shop.sql"))
QUERIES = {
    "distinct": "SELECT count(*) AS n FROM (SELECT DISTINCT id FROM orders) WHERE id > 3",
    "outer": "SELECT c.id, o.amount FROM customer c LEFT JOIN orders o ON c.id = o.customer_id WHERE o.amount = 2;",
    "misspelt": "SELECT nothing FROM orders",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "queries" / "more").mkdir(parents=True)
    for name, place in (("distinct", "."), ("outer", "more"), ("misspelt", "more")):
        (tmp_path / "queries" / place / f"{name}.sql").write_text(QUERIES[name])
    return tmp_path / "queries"


def plans(*arguments: str, text: str | None = None) -> Result:
    return CliRunner().invoke(main, ["plans", "--schema", SCHEMA, *arguments], input=text, catch_exceptions=False)


@pytest.mark.slow
@pytest.mark.spark
def test_a_folder_is_checked_and_a_run_that_was_cut_off_goes_on(folder: Path, tmp_path: Path):
    kept = tmp_path / "results.jsonl"
    whole = plans(str(folder), "--results", str(kept))
    assert whole.exit_code == 2, whole.output
    assert "3 queries: 2 optimised plans proved equal, 0 wrong, 1 not known" in whole.output
    assert "spark: [UNRESOLVED_COLUMN" in whole.output
    assert all(f"\n{what}: " in whole.output for what in ("our time", "Spark's optimiser", "memory", "certificates"))
    lines = {Path(json.loads(line)["query"]).stem: line for line in kept.read_text().splitlines(keepends=True)}
    assert json.loads(lines["outer"])["memory_mebibytes"] > 10
    kept.write_text(lines["distinct"] + lines["misspelt"] + lines["outer"][:40])  # it was interrupted while it wrote
    (folder / "more" / "misspelt.sql").write_text("SELECT id FROM orders WHERE id > 1 AND id > 1")
    again = plans(str(folder), "--results", str(kept))
    assert again.exit_code == 0, again.output
    shown = sorted(Path(line).stem for line in again.output.splitlines() if line.endswith(".sql"))
    assert shown == ["misspelt", "outer"], "a query that was changed is decided again, one that is kept is not"
    assert "3 queries: 3 optimised plans proved equal" in again.output


@pytest.mark.slow
@pytest.mark.spark
def test_many_queries_are_decided_by_the_workers_of_a_spark(tmp_path: Path):
    for number in range(40):
        text = f"SELECT customer_id, count(*) AS n FROM orders WHERE id > {number} GROUP BY customer_id HAVING n > 1"
        (tmp_path / f"q{number}.sql").write_text(text)
    done = plans(str(tmp_path), "--spark", "local[2]")
    assert done.exit_code == 0, done.output
    assert "40 queries: 40 optimised plans proved equal, 0 wrong, 0 not known" in done.output


@pytest.mark.slow
@pytest.mark.spark
def test_settings_are_those_of_a_query_from_standard_input():
    text, rule = "SELECT id FROM orders WHERE amount > 1 + 1", "ConstantFolding"
    done = plans("--verbose", text=text)
    assert done.exit_code == 0, done.output
    assert "  the query\n" in done.output
    assert rule in done.output
    excluded = f"spark.sql.optimizer.excludedRules=org.apache.spark.sql.catalyst.optimizer.{rule}"
    other = plans("--verbose", "--spark-conf", excluded, text=text)
    assert other.exit_code == 0, other.output
    assert rule not in other.output


def unknown(pair, names, timeout):
    return PlanVerdict(Answer.UNKNOWN, names, Compared.of(pair), 0.0, reasons={"proof": "it was not looked for"})


@pytest.mark.slow
@pytest.mark.spark
def test_with_each_rule_the_steps_are_proved_and_a_wrong_one_is_named(monkeypatch):
    monkeypatch.setattr(validating, "decided", unknown)
    with SparkPlans() as spark:
        tables = validating.prepared(spark, declared_tables(SCHEMA))
        question = validating.plans_of(spark, "outer", QUERIES["outer"].rstrip(";"), each_rule=True)
        other = validating.plans_of(spark, "other", QUERIES["outer"].replace("= 2", "= 3").rstrip(";"))
    found = validating.answered(question, tables, 30, each_rule=True)
    assert found.verdict.verdict is Answer.EQUIVALENT, str(found.verdict)
    assert len(found.verdict.certificates) > 3
    assert "steps, one for each rule that changed the plan" in str(found.verdict)
    plans_of = question.plans
    assert plans_of is not None
    assert other.plans is not None
    rule, _ = plans_of["steps"][-1]
    plans_of["steps"][-1] = [rule, other.plans["optimized"]]  # as if this rule had made it
    wrong = validating.answered(question, tables, 30, each_rule=True)
    assert wrong.verdict.verdict is Answer.UNKNOWN
    assert wrong.stuck_at == rule
    assert f"steps are proved; {rule} is not" in wrong.verdict.reasons["steps"]
    assert validating.answered(question, tables, 30).stuck_at == ""


def test_a_file_that_holds_something_else_is_no_results(tmp_path: Path):
    other = tmp_path / "other.jsonl"
    other.write_text('{"name": 1}\n{"name": 2}\n')
    with pytest.raises(SourceError, match="the line is no result of a query"):
        results_of(other)


@pytest.mark.parametrize("setting", ["ansi", "=true"])
def test_a_setting_is_a_key_and_a_value(setting: str):
    done = CliRunner().invoke(main, ["plans", "--schema", SCHEMA, "--spark-conf", setting], input="SELECT 1")
    assert done.exit_code == 3
    assert f"--spark-conf '{setting}' is no KEY=VALUE" in done.output
