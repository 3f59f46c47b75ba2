"""Which constraints would make two queries equal: the smallest set, and none where none helps."""

from __future__ import annotations

import json
from itertools import combinations

import pytest
from click.testing import CliRunner
from tallystick import Answer, check_sql
from tallystick.cli import main
from tallystick.core.queries.catalogue import Catalogue, ForeignKey
from tallystick.frontends.sql.dialects import SPARK
from tallystick.frontends.sql.reader import read_pair, read_schema
from tallystick.frontends.sql.source import SqlText
from tallystick.queries import missing
from tallystick.queries.candidates import NotNull, PrimaryKey, Refers, candidates

CUSTOMER = "CREATE TABLE customer (id INT{}, city STRING);"
ORDERS = "CREATE TABLE orders (id INT{}, customer INT{}, total INT{});"
PLAIN = CUSTOMER.format("") + ORDERS.format("", "", "")

PAIRS = {
    "distinct": ("SELECT DISTINCT id, city FROM customer", "SELECT id, city FROM customer"),
    "join": ("SELECT o.id FROM orders o JOIN customer c ON o.customer = c.id", "SELECT id FROM orders"),
    "not in": (
        "SELECT id FROM customer WHERE id NOT IN (SELECT customer FROM orders)",
        "SELECT id FROM customer c WHERE NOT EXISTS (SELECT 1 FROM orders o WHERE o.customer = c.id)",
    ),
    "count": ("SELECT COUNT(total) FROM orders", "SELECT COUNT(*) FROM orders"),
    "composite": (
        "SELECT a.total FROM orders a JOIN orders b ON a.id = b.id AND a.customer = b.customer",
        "SELECT total FROM orders",
    ),
}
NEEDED = {
    "distinct": ("customer: PRIMARY KEY (id)",),
    "join": (
        "orders.customer NOT NULL",
        "orders: FOREIGN KEY (customer) REFERENCES customer (id), the PRIMARY KEY of customer",
    ),
    "not in": ("orders.customer NOT NULL", "customer.id NOT NULL"),
    "count": ("orders.total NOT NULL",),
}


@pytest.mark.parametrize("name", NEEDED)
def test_the_constraints_that_are_needed_are_named(name: str) -> None:
    verdict = check_sql(*PAIRS[name], schema=PLAIN, suggest=True)
    assert verdict.verdict is Answer.INEQUIVALENT
    assert sorted(verdict.missing) == sorted(NEEDED[name])
    _, _, said = str(verdict).partition("\n  they would be equivalent if the schema said:\n")
    assert " ".join(said.split()) == " ".join(verdict.missing)


def test_with_the_constraints_that_were_named_the_queries_are_equivalent() -> None:
    keyed = CUSTOMER.format(" PRIMARY KEY") + ORDERS.format("", " NOT NULL REFERENCES customer (id)", " NOT NULL")
    for name in ("distinct", "join", "not in", "count"):
        assert check_sql(*PAIRS[name], schema=keyed).verdict is Answer.EQUIVALENT, name


def test_each_of_the_constraints_is_needed() -> None:
    parts = (" NOT NULL REFERENCES customer (id)", " REFERENCES customer (id)", " NOT NULL")
    verdicts = [
        check_sql(*PAIRS["join"], schema=CUSTOMER.format(" PRIMARY KEY") + ORDERS.format("", part, "")).verdict
        for part in parts
    ]
    assert verdicts == [Answer.EQUIVALENT, Answer.INEQUIVALENT, Answer.INEQUIVALENT]


def test_a_key_of_several_columns_is_tried() -> None:
    verdict = check_sql(*PAIRS["composite"], schema=PLAIN, suggest=True)
    assert any("PRIMARY KEY (" in each for each in verdict.missing)


def test_nothing_is_named_where_no_constraint_helps() -> None:
    verdict = check_sql("SELECT id FROM customer", "SELECT id FROM customer WHERE id > 3", schema=PLAIN, suggest=True)
    assert verdict.missing == ()
    assert "would be equivalent" not in str(verdict)


def test_nothing_is_searched_for_where_queries_are_equivalent() -> None:
    verdict = check_sql("SELECT id FROM customer", "SELECT c.id FROM customer c", schema=PLAIN, suggest=True)
    assert (verdict.verdict, verdict.missing) == (Answer.EQUIVALENT, ())


def test_nothing_is_searched_for_unasked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(missing, "candidates", lambda *_: pytest.fail("a search for constraints"))
    assert check_sql(*PAIRS["count"], schema=PLAIN).missing == ()
    assert "would be equivalent" not in CliRunner().invoke(main, ["check", *PAIRS["count"], "--schema", PLAIN]).output


def test_the_command_prints_them_below_the_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    command = ["check", *PAIRS["count"], "--schema", PLAIN]
    asked = CliRunner().invoke(main, [*command, "--suggest"]).output
    assert asked.endswith("\n  they would be equivalent if the schema said:\n    orders.total NOT NULL\n")
    monkeypatch.setattr("tallystick.commands.check.on_a_terminal", lambda: True)
    assert _without_seconds(CliRunner().invoke(main, command).output) == _without_seconds(asked)


def _without_seconds(output: str) -> list[str]:
    return [line for line in output.splitlines() if "decided in" not in line]


def test_the_command_prints_them_as_json() -> None:
    result = CliRunner().invoke(main, ["check", *PAIRS["count"], "--schema", PLAIN, "--json", "--suggest"])
    assert json.loads(result.output)["missing"] == ["orders.total NOT NULL"]


def catalogue_of(name: str, schema: str = PLAIN) -> tuple[Catalogue, list[NotNull | PrimaryKey | Refers]]:
    texts = [SqlText(text, name) for text in PAIRS[name]]
    pair = read_pair(texts[0], texts[1], read_schema(schema, SPARK), SPARK)
    return pair.catalogue, candidates(pair.catalogue, pair.left, pair.right)


def test_candidates_are_constraints_that_the_schema_does_not_have() -> None:
    keyed = CUSTOMER.format(" PRIMARY KEY") + ORDERS.format("", " NOT NULL REFERENCES customer (id)", "")
    _, found = catalogue_of("join", keyed)
    assert set(found) == {
        NotNull("orders", 0),
        PrimaryKey("orders", (0,)),
        PrimaryKey("orders", (1,)),
    }


def test_each_candidate_adds_what_it_says_and_nothing_else() -> None:
    catalogue, found = catalogue_of("join")
    for one, other in combinations(found, 2):
        both, again = one.added(other.added(catalogue)), other.added(one.added(catalogue))
        for table, same in zip(both.tables, again.tables, strict=True):
            assert (table.columns, set(table.keys), table.foreign_keys) == (
                same.columns,
                set(same.keys),
                same.foreign_keys,
            )
    reference = next(each for each in found if isinstance(each, Refers))
    changed = reference.added(catalogue)
    assert changed.by_name["orders"].foreign_keys == (ForeignKey((1,), "customer", (0,)),)
    assert changed.by_name["customer"].keys == ((0,),)
    assert not changed.by_name["customer"].columns[0].nullable
    assert changed.by_name["orders"].columns == catalogue.by_name["orders"].columns
