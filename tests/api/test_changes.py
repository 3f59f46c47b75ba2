"""A working copy is compared with the revision of git from which it started: by the command, the action and hooks."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner, Result
from tallystick.cli import main

ROOT = Path(__file__).parents[2]
SCHEMA = "CREATE TABLE orders (id INT PRIMARY KEY, customer INT, amount INT);"
MODELS = {
    "staged": "SELECT id, customer, amount FROM orders WHERE amount > 0",
    "totals": "SELECT customer, SUM(amount) AS total FROM staged GROUP BY customer",
}
SAME = "SELECT id, customer, amount FROM orders WHERE NOT amount <= 0"
OTHER = "SELECT id, customer, amount FROM orders WHERE amount >= 0"


def git(folder: Path, *arguments: str) -> str:
    """What git prints in a folder, as somebody of no name."""
    who = ["-c", "user.name=nobody", "-c", "user.email=nobody", "-c", "init.defaultBranch=main"]
    done = subprocess.run(["git", *who, *arguments], cwd=folder, capture_output=True, text=True, check=True)
    return done.stdout.strip()


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with a schema and two models on main, and a branch that starts there."""
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / "schema.sql").write_text(SCHEMA)
    for name, text in MODELS.items():
        (tmp_path / "models" / f"{name}.sql").write_text(text)
    git(tmp_path, "init")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-m", "Add models")
    git(tmp_path, "checkout", "-b", "branch")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def changes(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["changes", "models", "--schema", "models/schema.sql", *arguments])


def staged(repository: Path, text: str) -> None:
    (repository / "models" / "staged.sql").write_text(text)


def test_a_working_copy_is_compared_with_its_last_commit(repository: Path) -> None:
    assert changes().exit_code == 0
    staged(repository, SAME)
    assert "edited, but the same: staged\n" in changes().stdout
    staged(repository, OTHER)
    done = changes()
    assert done.exit_code == 1
    assert "to be built again: staged, totals\n" in done.stdout
    assert git(repository, "status", "--short") == "M models/staged.sql"


def test_a_branch_is_compared_with_where_it_left_another(repository: Path) -> None:
    staged(repository, OTHER)
    git(repository, "commit", "-am", "Keep free orders")
    git(repository, "checkout", "main")
    (repository / "models" / "totals.sql").write_text("SELECT customer, 0 AS total FROM staged")
    git(repository, "commit", "-am", "Count nothing")
    git(repository, "checkout", "branch")
    assert changes().exit_code == 0
    done = changes("--base", "main", "--json")
    wires = {wire["name"]: wire["verdict"] for wire in json.loads(done.stdout)["wires"]}
    assert wires == {"staged": "changed", "totals": "changed"}
    assert [wire["edited"] for wire in json.loads(done.stdout)["wires"]] == [True, False]


def test_both_versions_are_prepared(repository: Path) -> None:
    staged(repository, OTHER)
    done = changes("--prepare", "for each in staged; do sed -i.kept 's/>=/>/' $each.sql; done")
    assert done.exit_code == 0
    done = changes("--prepare", "echo no; false")
    assert done.exit_code == 3
    assert "'echo no; false' ends with 1 in " in done.stderr


def test_in_a_hook_of_git_the_index_of_the_commit_stays(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    staged(repository, OTHER)
    git(repository, "add", ".")
    monkeypatch.setenv("GIT_INDEX_FILE", str(repository / ".git" / "index"))
    monkeypatch.setenv("GIT_DIR", str(repository / ".git"))
    assert changes().exit_code == 1
    assert git(repository, "diff", "--cached", "--name-only") == "models/staged.sql"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--base", "nobody"), "git merge-base fails: fatal: Not a valid object name nobody"),
        (("--base", "HEAD", "--schema", "CREATE TABLE t"), "schema"),
    ],
)
def test_what_cannot_be_compared_is_bad_input(repository: Path, arguments: tuple[str, ...], said: str) -> None:
    done = changes(*arguments)
    assert done.exit_code == 3
    assert said in done.stderr


def test_a_folder_that_is_new_and_one_outside_of_git_are_bad_input(repository: Path, tmp_path_factory) -> None:
    (repository / "more").mkdir()
    done = CliRunner().invoke(main, ["changes", "more", "--schema", "models/schema.sql"])
    assert (done.exit_code, "more is not in HEAD: there is nothing to compare it with" in done.stderr) == (3, True)
    done = CliRunner().invoke(main, ["changes", str(tmp_path_factory.mktemp("outside")), "--schema", SCHEMA])
    assert (done.exit_code, "not a git repository" in done.stderr) == (3, True)


@pytest.fixture
def act(repository: Path, tmp_path_factory):
    """Runs the script of the action, with a `gh` that writes down what it is asked for."""
    folder = tmp_path_factory.mktemp("programs")
    (folder / "gh").write_text('#!/bin/sh\necho "$@" > "$ASKED"\ncat "$5" >> "$ASKED"\n')
    (folder / "gh").chmod(0o755)
    path = f"{folder}:{Path(sys.executable).parent}:{os.environ['PATH']}"
    given = {"TALLYSTICK_PATH": "models", "TALLYSTICK_SCHEMA": "models/schema.sql", "TALLYSTICK_BASE": "main"}
    given |= {"TALLYSTICK_COMMENT": "true", "TALLYSTICK_PULL_REQUEST": "7", "ASKED": str(folder / "asked")}
    given |= {"GITHUB_STEP_SUMMARY": str(folder / "summary.md"), "PATH": path}

    def run(**more: str) -> tuple[int, str, str]:
        environment = {**os.environ, **given, **more}
        done = subprocess.run([ROOT / "action.sh"], cwd=repository, env=environment, capture_output=True, text=True)
        asked = folder / "asked"
        return done.returncode, (folder / "summary.md").read_text(), asked.read_text() if asked.exists() else ""

    return run


def test_the_action_summarises_comments_and_fails(repository: Path, act) -> None:
    staged(repository, OTHER)
    git(repository, "commit", "-am", "Keep free orders")
    status, summary, asked = act()
    assert status == 1
    assert summary.startswith("### Tallystick: 2 changed\n")
    first, _, body = asked.partition("\n")
    assert first.startswith("pr comment 7 --body-file ")
    assert first.endswith(" --edit-last --create-if-none")
    assert body == summary


def test_the_action_may_let_changes_pass_and_be_silent(repository: Path, act) -> None:
    staged(repository, OTHER)
    status, _, asked = act(TALLYSTICK_FAIL_ON="nothing", TALLYSTICK_COMMENT="false")
    assert (status, asked) == (0, "")


def test_the_action_hands_each_input_to_the_script() -> None:
    action = yaml.safe_load((ROOT / "action.yml").read_text())
    install, run = action["runs"]["steps"]
    handed = {**install["env"], **run["env"]}
    for name in action["inputs"]:
        assert any(f"inputs.{name}" in value for value in handed.values()), name
    script = (ROOT / "action.sh").read_text()
    for name in run["env"]:
        assert name == "GH_TOKEN" or name in script, name


def test_the_entries_of_hooks_are_commands() -> None:
    for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text()):
        program, *arguments = shlex.split(hook["entry"])
        assert program == "tallystick"
        assert CliRunner().invoke(main, [*arguments, "--help"]).exit_code == 0


def test_the_answer_names_its_command_and_both_versions(repository: Path) -> None:
    found = json.loads(changes("--json").stdout)
    assert (found["command"], found["programs"]) == (
        "changes",
        [f"models at {git(repository, 'rev-parse', 'HEAD')[:12]}", "models"],
    )
    assert 'testsuite name="tallystick changes"' in changes("--format", "junit").stdout
