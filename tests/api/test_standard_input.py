"""A program, a schema or a certificate may stand on standard input, written `-`."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from tallystick.cli import main

SCHEMA = "CREATE TABLE t (a INT)"
QUERY, SAME = "SELECT a FROM t WHERE a > 1", "SELECT a FROM t WHERE a >= 2"


def run(given: str | bytes, *arguments: str) -> Result:
    return CliRunner().invoke(main, arguments, input=given)


def test_a_query_is_read_and_called_so() -> None:
    done = run(QUERY, "check", "-", SAME, "--schema", SCHEMA)
    assert done.stdout.startswith("equivalent: standard input ≡ the right query\n")
    done = run("SELECT b\nFROM t", "check", SAME, "-", "--schema", SCHEMA)
    assert done.stderr.startswith("error: standard input:1:8: there is no column b\n")


def test_what_comes_from_there_is_a_text_however_it_looks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "q.sql").write_text(QUERY)
    assert "standard input:1:" in run("q.sql", "check", "-", SAME, "--schema", SCHEMA).stderr
    done = run(f"{QUERY} -- jobs.py:f\n", "check", "-", SAME, "--schema", SCHEMA)
    assert done.stdout.startswith("equivalent: standard input ≡ ")


def test_a_schema_and_a_certificate_are_read(tmp_path: Path) -> None:
    certificate = tmp_path / "c.json"
    arguments = ("check", QUERY, SAME, "--schema", "-", "--certificate", str(certificate))
    assert run(SCHEMA, *arguments).exit_code == 0
    done = run(certificate.read_bytes(), "audit", "-", "--against", QUERY, SAME, "--schema", SCHEMA)
    assert (done.exit_code, done.stdout.splitlines()[0]) == (0, "accepted  every step holds")
    done = run(certificate.read_bytes()[:-1], "audit", "-")
    assert (done.exit_code, done.stdout.startswith("rejected")) == (1, True)
    assert "--with needs a certificate in a file" in run(b"", "audit", "-", "--with", "coq").stderr


@pytest.mark.parametrize("places", [("-", "-", SCHEMA), ("-", QUERY, "-")])
def test_one_thing_alone_is_read(places: tuple[str, str, str]) -> None:
    done = run(QUERY, "check", *places[:2], "--schema", places[2])
    assert (done.exit_code, "only one thing can be read from standard input" in done.stderr) == (3, True)


def test_nothing_and_what_is_no_text_are_refused() -> None:
    done = run("", "check", "-", SAME, "--schema", SCHEMA)
    assert done.stderr == "error: standard input: there is no query\n"
    done = run(b"SELECT \xff", "check", "-", SAME, "--schema", SCHEMA)
    assert "standard input is not text in UTF-8" in done.stderr
