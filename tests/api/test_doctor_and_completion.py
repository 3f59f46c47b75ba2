"""What is installed is said with what to type, and shells complete commands, options, dialects and suites."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from importlib import metadata
from importlib.metadata import PackageNotFoundError, version

import pytest
from click.testing import CliRunner
from tallystick.cli import COMMANDS, main
from tallystick.commands import doctor
from tallystick.extras import EXTRAS
from tallystick.frontends.sql.dialects import DIALECTS


def test_the_doctor_says_versions_and_tries_a_proof() -> None:
    done = CliRunner().invoke(main, ["doctor"])
    assert done.exit_code == 0
    assert done.stdout.startswith(f"tallystick {version('tallystick')}, Python {sys.version.split()[0]}, in ")
    assert f"ok      sql        queries, folders of models, workflows: sqlglot {version('sqlglot')}\n" in done.stdout
    assert re.search(r"\ntried: a pair of programs was proved equivalent, .* in \d+\.\d\d s\n$", done.stdout)


def test_what_is_missing_or_old_is_said_with_what_to_type(monkeypatch: pytest.MonkeyPatch) -> None:
    def installed(name: str) -> str:
        if name == "pyspark":
            raise PackageNotFoundError(name)
        return "1.0" if name == "sqlglot" else version(name)

    monkeypatch.setattr(metadata, "version", installed)
    monkeypatch.setattr(shutil, "which", lambda name: None)
    lines = CliRunner().invoke(main, ["doctor"]).stdout.splitlines()
    assert "missing spark      DataFrames, plans, answers tried on Spark" in lines
    assert f"{'':19}pyspark is not installed; type: pip install 'tallystick[spark]'" in lines
    assert f"{'':19}sqlglot 1.0 is older than 30.0; type: pip install 'tallystick[sql]'" in lines
    assert "missing git        tallystick changes" in lines


def test_the_doctor_knows_each_extra() -> None:
    assert set(doctor.PARTS) == set(EXTRAS.values())


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_shell_gets_what_it_evaluates(shell: str) -> None:
    done = CliRunner().invoke(main, ["completion", shell])
    assert (done.exit_code, "_TALLYSTICK_COMPLETE" in done.stdout) == (0, True)
    if shutil.which(shell):
        assert subprocess.run([shell, "-n"], input=done.stdout, text=True, check=False).returncode == 0


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("", list(COMMANDS)),
        ("check --dialect ", list(DIALECTS)),
        ("dataflow --dialect pos", ["postgres"]),
        ("suite sparklite-", ["sparklite-cav", "sparklite-tr"]),
        ("check --format j", ["junit"]),
        ("reproduce ve", ["veer"]),
        ("check examples/q", []),
    ],
)
def test_words_are_completed(typed: str, offered: list[str]) -> None:
    words = f"tallystick {typed}"
    given = {"_TALLYSTICK_COMPLETE": "bash_complete", "COMP_WORDS": words, "COMP_CWORD": str(len(words.split(" ")) - 1)}
    done = CliRunner().invoke(main, [], env=given, prog_name="tallystick")
    kinds = [line.partition(",") for line in done.stdout.splitlines()]
    assert [word for kind, _, word in kinds if kind == "plain"] == offered
    assert any(kind == "file" for kind, _, _ in kinds) is typed.startswith(("suite", "check examples"))
