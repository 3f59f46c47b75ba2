"""Files of configuration give defaults to options, and what they may not say is refused by name."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from tallystick import configuration
from tallystick.cli import main

from api.test_changes import git

SCHEMA = "CREATE TABLE t (a INT, s VARCHAR(3));"
PAIR = "SELECT a FROM t WHERE a > 1", "SELECT a FROM t WHERE a >= 2"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "tables.sql").write_text(SCHEMA)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments)


def dialect_of(*arguments: str) -> str:
    return json.loads(run(*arguments, "check", *PAIR, "--json").stdout)["dialect"]


def test_options_that_are_not_given_are_those_of_the_file(folder: Path) -> None:
    (folder / "tallystick.toml").write_text('dialect = "mysql"\nschema = "tables.sql"\ntimeout = 5\n')
    assert dialect_of() == "mysql"
    given = run("check", *PAIR, "--dialect", "duckdb", "--json")
    assert json.loads(given.stdout)["dialect"] == "duckdb"


def test_the_table_of_a_command_goes_before_what_stands_on_top(folder: Path) -> None:
    (folder / "pyproject.toml").write_text(
        '[tool.tallystick]\ndialect = "mysql"\nschema = "tables.sql"\n[tool.tallystick.check]\ndialect = "postgres"\n'
    )
    assert dialect_of() == "postgres"
    (folder / "tallystick.toml").write_text('schema = "tables.sql"\n')
    assert dialect_of() == "spark", "tallystick.toml goes before pyproject.toml"


def test_a_file_above_counts_within_one_repository_alone(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "tallystick.toml").write_text('dialect = "mysql"\nschema = "tables.sql"\n')
    (folder / "models").mkdir()
    monkeypatch.chdir(folder / "models")
    assert "queries need --schema" in run("check", *PAIR).stderr
    git(folder, "init")
    assert dialect_of() == "mysql"


def test_a_file_is_named_or_passed_over_on_request(folder: Path) -> None:
    (folder / "tallystick.toml").write_text('schema = "tables.sql"\ndialect = "mysql"\n')
    (folder / "other.toml").write_text('[tool.tallystick]\nschema = "tables.sql"\ndialect = "duckdb"\n')
    assert dialect_of("--config", "other.toml") == "duckdb"
    assert "queries need --schema" in run("--no-config", "check", *PAIR).stderr


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('dialct = "mysql"', "there is no key dialct; did you mean dialect?"),
        ('[chek]\ndialect = "mysql"', "there is no key chek; did you mean check?"),
        ('prepare = "dbt compile"', "there is no key prepare; there are assume, base, collation, dialect, memory, "),
        ("dialect = 3", "dialect must be a text"),
        ("timeout = true", "timeout must be a number"),
        ("memory = 0.5", "memory must be a whole number"),
        ('assume = "exact-floats"', "assume must be a list of texts"),
        ('[lint]\ncertificate = "a.json"', "there is no key lint.certificate; there are assume, "),
        ('[check]\nbase = "main"', "check.base: check has no option --base"),
        ("dialect =", "this is no TOML: "),
    ],
)
def test_what_a_file_may_not_say_is_refused(folder: Path, text: str, said: str) -> None:
    (folder / "tallystick.toml").write_text(text)
    done = run("check", *PAIR, "--schema", SCHEMA)
    assert done.exit_code == 3
    assert done.stderr.startswith(f"error: {folder}/tallystick.toml: {said}")
    assert run("check", "--help").exit_code == 0


def test_a_value_that_an_option_does_not_take_is_said_to_stand_in_the_file(folder: Path) -> None:
    (folder / "tallystick.toml").write_text('solver = "yices"')
    done = run("check", *PAIR, "--schema", SCHEMA)
    assert done.exit_code == 3
    assert done.stderr.endswith(
        "Invalid value for '--solver': 'yices' is not one of 'auto', 'z3', 'cvc5', 'cooper'.\n"
        f"The value stands in {folder}/tallystick.toml.\n"
    )


def test_no_key_names_what_is_run_or_written() -> None:
    risky = {"prepare", "functions", "python", "spark", "spark_conf", "replay", "certificate", "script", "html"}
    assert not (risky | {"summary", "history", "results", "output"}) & configuration.KEYS.keys()


def test_a_schema_of_a_file_makes_no_dataframes_of_functions_on_rdds(folder: Path, jobs: Path) -> None:
    (folder / "tallystick.toml").write_text('schema = "tables.sql"')
    assert run("check", f"{jobs}:doubled", f"{jobs}:early").stdout.startswith("equivalent: doubled ≡ early\n  class ")


def test_sources_are_what_lint_and_changes_look_at(folder: Path, jobs: Path) -> None:
    assert "Missing argument 'PATHS...'" in run("lint").stderr
    (folder / "jobs").mkdir()
    (folder / "jobs" / "jobs.py").write_text(
        "from pyspark import RDD\n\n\ndef total(r: RDD[int]):\n    return r.fold(0, lambda a, b: a + b)\n"
    )
    (folder / "tallystick.toml").write_text('sources = "jobs"')
    assert run("lint").stdout.startswith("jobs/jobs.py:5:14: safe: ")
    (folder / "models").mkdir()
    (folder / "models" / "m.sql").write_text("SELECT a FROM t")
    (folder / "tallystick.toml").write_text('schema = "tables.sql"\nsources = "models"')
    git(folder, "init")
    git(folder, "add", ".")
    git(folder, "commit", "-m", "Add a model")
    assert run("changes").stdout.startswith("unchanged  1 that was not edited")
