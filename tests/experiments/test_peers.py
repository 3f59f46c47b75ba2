"""The comparison with a peer: what it is asked, what is made of its answers, and what contradicts a certificate."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from tallystick.core.queries.catalogue import Catalogue
from tallystick.experiments.peers.comparing import report
from tallystick.experiments.peers.verieql import DRIVER, PeerAnswer, PeerError, VeriEql, _summary, question
from tallystick.experiments.sql_suites.outcomes import Decided
from tallystick.experiments.sql_suites.records import Record
from tallystick.frontends.errors import SourceError
from tallystick.frontends.sql.dialects import DIALECTS
from tallystick.frontends.sql.reader import read_pair
from tallystick.frontends.sql.schema_statements import schema_from_statements
from tallystick.frontends.sql.source import SqlText

TABLES = """
    CREATE TABLE s (id INT PRIMARY KEY, name VARCHAR(9), born DATE NOT NULL, t INT REFERENCES t (k));
    CREATE TABLE t (k INT NOT NULL, l INT NOT NULL, ok BOOLEAN, UNIQUE (k, l), UNIQUE (k))
"""


def catalogue(tables: str) -> Catalogue:
    """The catalogue of CREATE TABLE statements; its last table is called t."""
    dialect = DIALECTS["postgres"]
    query = SqlText("SELECT 1 FROM t", "query")
    return read_pair(query, query, schema_from_statements(SqlText(tables, "schema"), dialect), dialect).catalogue


def test_tables_and_constraints_are_said_in_its_words() -> None:
    schema, constraints = question(catalogue(TABLES))
    assert schema == {
        "S": {"ID": "INT", "NAME": "VARCHAR", "BORN": "DATE", "T": "INT"},
        "T": {"K": "INT", "L": "INT", "OK": "BOOLEAN"},
    }
    values = {json.dumps(each) for each in constraints}
    expected = [
        {"not_null": {"value": "S__ID"}},
        {"not_null": {"value": "S__BORN"}},
        {"primary": [{"value": "S__ID"}]},
        {"foreign": [{"value": "S__T"}, {"value": "T__K"}]},
        {"not_null": {"value": "T__K"}},
        {"not_null": {"value": "T__L"}},
        {"primary": [{"value": "T__K"}, {"value": "T__L"}]},
        {"primary": [{"value": "T__K"}]},
    ]
    assert values == {json.dumps(each) for each in expected}


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ("CREATE TABLE t (a TIMESTAMP)", "VeriEQL has no type for t.a"),
        ("CREATE TABLE t (a INT CHECK (a > 0))", "VeriEQL has no checks"),
        ("CREATE TABLE t (a INT UNIQUE)", "VeriEQL has no keys that may be NULL"),
        (
            "CREATE TABLE t (a INT, b INT, PRIMARY KEY (a, b), FOREIGN KEY (a, b) REFERENCES t (a, b))",
            "VeriEQL has no foreign keys of two columns",
        ),
    ],
)
def test_what_it_has_no_words_for_is_not_asked(table: str, message: str) -> None:
    with pytest.raises(SourceError) as caught:
        question(catalogue(table))
    assert caught.value.message == message


@pytest.mark.parametrize(
    ("states", "expected"),
    [
        (["EQU", "EQU", "NEQ"], PeerAnswer("refuted", 3, 3.0)),
        (["EQU", "EQU"], PeerAnswer("none", 2, 2.0)),
        ([], PeerAnswer("unknown", 0, 9.0, "no bound within its limit")),
        (["NotSupportedError"], PeerAnswer("refused", 0, 1.0, "NotSupportedError: LIKE")),
        (["EQU", "KeyError"], PeerAnswer("refused", 1, 2.0, "KeyError: LIKE")),
    ],
)
def test_its_answers_are_bounded(states: list[str], expected: PeerAnswer) -> None:
    lines = [{"rows": row, "state": each, "seconds": 1.0, "about": "LIKE"} for row, each in enumerate(states, 1)]
    assert _summary(lines, 9.0) == expected


def test_a_certificate_contradicts_a_refutation() -> None:
    def pair(name: str, ours: str, theirs: PeerAnswer) -> tuple[Record, Decided, float, PeerAnswer]:
        return Record("suite", name, {}), Decided("", "suite", name, "unknown", ours, "", 0.5, 0.1), 0.5, theirs

    refuted, none = PeerAnswer("refuted", 2, 1.0), PeerAnswer("none", 4, 3.0)
    pairs = [pair("a", "proved", refuted), pair("b", "proved", none), pair("c", "refuted", none)]
    lines = list(report(pairs))
    assert lines[1].split() == ["proved", "1", "1", "0", "0"]
    assert lines[5:] == [
        "here: 3 answered, 0.50 s in the median, 2 s in all",
        "VeriEQL: 3 answered, 3.00 s in the median, 7 s in all",
        "VeriEQL's bound where it finds nothing: 4 rows in the median",
        "CONTRADICTED by a certificate: suite a",
        "not seen with 4 rows: suite c",
    ]


def test_the_driver_needs_nothing_of_ours(tmp_path: Path) -> None:
    """It runs in a folder with the part of VeriEQL's interface that it uses, by a Python without our packages."""
    (tmp_path / "environment.py").write_text(
        "class Environment:\n"
        "    def __init__(self, **options): pass\n"
        "    def __enter__(self): return self\n"
        "    def __exit__(self, *error): pass\n"
        "    def create_database(self, columns, bound_size, name): self.rows = bound_size; print(name)\n"
        "    def add_constraints(self, constraints): pass\n"
        "    save_checkpoints = reload_checkpoints = lambda self: None\n"
        "    def analyze(self, left, right): return left == right or self.rows < 2\n"
    )
    asked = {"schema": {"T": {"A": "INT"}}, "constraint": [], "pair": ["x", "y"], "rows": 5}
    command = [sys.executable, "-I", "-S", str(DRIVER), str(tmp_path)]
    done = subprocess.run(command, input=json.dumps(asked), capture_output=True, text=True, check=True)
    assert [json.loads(line)["state"] for line in done.stdout.splitlines()] == ["EQU", "NEQ"]


def test_a_folder_that_is_no_clone_is_named(tmp_path: Path) -> None:
    data = {"schema": "CREATE TABLE t (a INT)", "q1": "SELECT a FROM t", "q2": "SELECT a FROM t", "dialect": "mysql"}
    with pytest.raises(PeerError, match="is no clone of VeriEQL, or its Python lacks what that needs"):
        VeriEql(tmp_path, Path(sys.executable)).answer(Record("suite", "a", {**data, "expected": "unknown"}), 5, 1)
