"""Verdicts about workflows: what is unchanged is certified, what is changed has an input, the rest is unknown."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tallystick.certificates.audit import audit
from tallystick.core.queries.catalogue import Column, Table
from tallystick.core.queries.types import DECIMAL, INTEGER
from tallystick.dataflow.comparing import compared
from tallystick.dataflow.sweep.sweeping import SweepLimits
from tallystick.dataflow.verdict import Change
from tallystick.frontends.errors import SourceError
from tallystick.frontends.sql.dialects import DIALECTS
from tallystick.frontends.sql.schema import FLOATING
from tallystick.frontends.sql.source import SqlText
from tallystick.frontends.workflows.models import Model, Reference, words

from dataflow.flows import answers, pair_of, verdict_of, version

STAGED = {
    "staged": "SELECT id, customer, amount FROM orders WHERE status <> 'test'",
    "totals": "SELECT customer, SUM(amount) AS total FROM staged GROUP BY customer",
    "report": "SELECT name, total FROM customers JOIN totals ON id = customer",
}


def edited(**texts: str) -> dict[str, str]:
    return {**STAGED, **texts}


def test_an_empty_difference_is_unchanged_without_a_proof() -> None:
    verdict = verdict_of(STAGED, STAGED)
    assert verdict.exit_status == 0
    assert verdict.calls == 0
    assert {wire.reason for wire in verdict.wires} == {"nothing was edited"}


def test_a_harmless_edit_is_certified_and_its_readers_need_no_proof() -> None:
    new = edited(staged="WITH o AS (SELECT * FROM orders) SELECT id, customer, amount FROM o WHERE NOT status = 'test'")
    verdict = verdict_of(STAGED, new)
    assert verdict.exit_status == 0
    assert verdict.calls == 1
    assert verdict.of("report").reason == "its text is the same, what it reads is equal"
    assert verdict.certificate is not None
    report = audit(verdict.certificate)
    assert report.accepted
    assert "old 'report' and new 'report' hold the same bag of rows" in report.claim


def test_a_change_has_an_input_for_each_wire_that_it_reaches() -> None:
    verdict = verdict_of(STAGED, edited(staged="SELECT id, customer, amount FROM orders"))
    assert [str(wire.change) for wire in verdict.wires] == ["changed"] * 3
    assert verdict.exit_status == 1
    found = verdict.of("report").difference
    assert found is not None
    assert len(found.database["orders"]) == len(found.database["customers"]) == 1
    assert verdict.of("report").reason == "it reads totals"
    assert verdict.certificate is not None
    assert "do not hold the same bag of rows" in audit(verdict.certificate).claim


def test_a_change_that_a_reader_undoes_stops_there() -> None:
    """The filter moves from the staging model to its reader."""
    new = edited(
        staged="SELECT id, customer, amount, status FROM orders",
        totals="SELECT customer, SUM(amount) AS total FROM staged WHERE status <> 'test' GROUP BY customer",
    )
    verdict = verdict_of(STAGED, new)
    assert {wire.name: str(wire.change) for wire in verdict.wires} == {
        "staged": "changed",
        "totals": "unchanged",
        "report": "unchanged",
    }
    assert verdict.of("staged").reason == "it has the new column status"
    shared = verdict.of("staged").shared
    assert shared is not None
    assert shared.change is Change.CHANGED


def test_a_new_column_changes_no_reader() -> None:
    verdict = verdict_of(
        STAGED, edited(staged="SELECT id, customer, amount, status FROM orders WHERE status <> 'test'")
    )
    shared = verdict.of("staged").shared
    assert shared is not None
    assert (verdict.of("staged").change, shared.change) == (Change.CHANGED, Change.UNCHANGED)
    assert verdict.of("totals").change is verdict.of("report").change is Change.UNCHANGED


def test_a_renamed_column_changes_the_model_and_not_who_reads_it_by_its_new_name() -> None:
    new = edited(
        staged="SELECT id, customer AS buyer, amount FROM orders WHERE status <> 'test'",
        totals="SELECT buyer AS customer, SUM(amount) AS total FROM staged GROUP BY buyer",
    )
    assert answers(STAGED, new) == {"staged": "changed", "totals": "unchanged", "report": "unchanged"}


def test_columns_in_another_order_are_the_same_columns() -> None:
    new = edited(staged="SELECT amount, id, customer FROM orders WHERE status <> 'test'")
    assert set(answers(STAGED, new).values()) == {"unchanged"}


def test_a_star_below_columns_in_another_order_is_still_read_by_name() -> None:
    old = {"a": "SELECT id, amount FROM orders", "b": "SELECT * FROM a", "c": "SELECT id + amount AS s FROM b"}
    assert set(answers(old, {**old, "a": "SELECT amount, id FROM orders"}).values()) == {"unchanged"}


def test_a_renamed_model_is_found_by_what_it_holds() -> None:
    new = {
        "orders_staged": STAGED["staged"],
        "totals": STAGED["totals"].replace("staged", "orders_staged"),
        "report": STAGED["report"],
    }
    verdict = verdict_of(STAGED, new)
    assert verdict.of("orders_staged").old == "staged"
    assert verdict.of("totals").change is verdict.of("report").change is Change.UNCHANGED
    assert verdict.of("staged").change is Change.REMOVED
    assert verdict.exit_status == 1


def test_the_answer_of_a_column_is_its_own() -> None:
    new = edited(totals="SELECT customer, SUM(amount + 1) AS total FROM staged GROUP BY customer")
    assert verdict_of(STAGED, new, columns=True).of("totals").by_column == (
        ("customer", Change.UNCHANGED),
        ("total", Change.CHANGED),
    )


def assumed(name: str, text: str, **what: object) -> Model:
    return Model(name, SqlText(text, f"{name}.sql"), name, **what)  # type: ignore[arg-type]


LOOSE = "CREATE TABLE raw (id INT, v INT); CREATE TABLE other (id INT, w INT)"


def test_a_distinct_over_a_key_that_is_assumed_is_no_change() -> None:
    """A test of the project, `unique` and `not_null`, rules the difference out."""
    first = "SELECT id, v FROM raw"
    old = {"a": assumed("a", first, keys=(("id",),), not_null=("id",)), "b": "SELECT id, v FROM a"}
    new = {**old, "b": "SELECT DISTINCT id, v FROM a"}
    assert answers(old, new, LOOSE) == {"a": "unchanged", "b": "unchanged"}
    assert answers({**old, "a": first}, {**new, "a": first}, LOOSE) == {"a": "unchanged", "b": "changed"}


def test_a_join_to_what_is_referred_to_may_be_dropped() -> None:
    parent = assumed("parent", "SELECT id, w FROM other", keys=(("id",),), not_null=("id",))
    child = assumed("child", "SELECT id, v FROM raw", not_null=("id",), references=(Reference("id", "parent", "id"),))
    old = {"parent": parent, "child": child, "b": "SELECT c.v FROM child c JOIN parent p ON c.id = p.id"}
    new = {**old, "b": "SELECT v FROM child"}
    assert answers(old, new, LOOSE)["b"] == "unchanged"
    assert answers(old, {**new, "child": "SELECT id, v FROM raw"}, LOOSE)["b"] == "changed"


def test_an_input_that_breaks_what_is_assumed_of_a_wire_is_no_difference() -> None:
    """The key is of a model that filters: only inputs whose filtered rows keep it are legal."""
    old = {"a": assumed("a", "SELECT id, v FROM raw WHERE v > 0", keys=(("id",),)), "n": "SELECT COUNT(*) AS n FROM a"}
    new = {**old, "n": "SELECT COUNT(DISTINCT id) + SUM(CASE WHEN id IS NULL THEN 1 ELSE 0 END) AS n FROM a"}
    verdict = verdict_of(old, new, LOOSE)
    found = verdict.of("n")
    assert found.change is Change.CHANGED  # SUM of no rows is NULL
    assert found.difference is not None
    assert not any(row[1] is not None and row[1] > 0 for row in found.difference.database["raw"])


def test_a_removed_test_is_assumed_of_neither_version() -> None:
    """What the new version no longer says of a model may not bear out that it is unchanged."""
    keyed = assumed("a", "SELECT id, v FROM raw", keys=(("id",),), not_null=("id",))
    old = {"a": keyed, "b": "SELECT id, v FROM a"}
    new = {"a": "SELECT id, v FROM raw", "b": "SELECT DISTINCT id, v FROM a"}
    assert answers(old, new, LOOSE) == {"a": "unchanged", "b": "changed"}


def test_a_list_is_compared_as_a_list() -> None:
    old = {"top": "SELECT id, amount FROM orders ORDER BY amount, id"}
    assert answers(old, {"top": "SELECT id, amount FROM orders ORDER BY amount DESC, id"}) == {"top": "changed"}
    assert answers(old, {"top": "SELECT id, amount + 0 AS amount FROM orders ORDER BY amount, id"}) == {
        "top": "unchanged"
    }
    # An order that ties leaves open is never a difference, and no proof of a list either.
    assert answers(old, {"top": "SELECT id, amount FROM orders"}) == {"top": "unknown"}


def test_rows_that_a_limit_may_choose_are_no_difference() -> None:
    old = {"some": "SELECT id FROM orders LIMIT 3", "n": "SELECT COUNT(*) AS n FROM some"}
    verdict = verdict_of(old, {**old, "some": "SELECT id FROM orders WHERE 1 = 1 LIMIT 3"})
    assert verdict.exit_status == 0
    assert any("leave a choice in ties" in each.value for each in verdict.pair.certificate().assumptions)
    assert answers(old, {**old, "some": "SELECT id FROM orders ORDER BY amount LIMIT 3"})["some"] == "unknown"


DRAWN = {"drawn": "SELECT random() AS u, id FROM orders", "kept": "SELECT id FROM drawn"}


def test_what_draws_at_random_is_unchanged_only_if_nothing_was_edited() -> None:
    assert answers(DRAWN, DRAWN) == {"drawn": "unchanged", "kept": "unchanged"}
    assert answers(DRAWN, {**DRAWN, "drawn": "SELECT id, random() AS u FROM orders"}) == {
        "drawn": "unknown",
        "kept": "unknown",
    }


def test_two_draws_are_not_taken_for_one() -> None:
    """Two models of one text that draw hold different rows: one may not stand for the other."""
    old = {"a": "SELECT random() AS u FROM orders", "b": "SELECT random() AS u FROM orders"}
    pair = "SELECT COUNT(*) AS n FROM a JOIN {} ON TRUE"
    assert answers({**old, "c": pair.format("b")}, {**old, "c": pair.format("a x")})["c"] != "unchanged"


def test_a_model_that_cannot_be_read_is_known_by_its_words() -> None:
    old = {"odd": "SELECT * FROM orders MATCH_RECOGNIZE (PATTERN (a b))", "above": "SELECT 1 AS one FROM odd"}
    same = {**old, "odd": "SELECT *   FROM orders -- a comment\n MATCH_RECOGNIZE (PATTERN (a b))"}
    assert answers(old, same) == {"odd": "unchanged", "above": "unchanged"}
    other = {**old, "odd": old["odd"].replace("a b", "b a")}
    assert answers(old, other) == {"odd": "unknown", "above": "unknown"}


@pytest.mark.parametrize(
    ("dialect", "comment", "same"),
    [
        ("mysql", "/*! , b */", False),
        ("mysql", "/*M! , b */", False),
        ("mysql", "/* b */", True),
        ("spark", "/*! b */", True),
    ],
)
def test_comments_that_mysql_runs_are_words(dialect: str, comment: str, same: bool) -> None:
    known = DIALECTS[dialect]
    assert (words(f"SELECT what(a) {comment}", known) == words("SELECT what(a)", known)) is same


def test_a_model_that_cannot_be_read_is_equal_on_inputs_that_are_proved_equal() -> None:
    old = {"a": "SELECT id FROM orders WHERE amount > 1", "odd": "SELECT * FROM a MATCH_RECOGNIZE (PATTERN (x))"}
    verdict = verdict_of(old, {**old, "a": "SELECT id FROM orders WHERE NOT amount <= 1"})
    assert verdict.exit_status == 0
    assert answers(old, {**old, "a": "SELECT id FROM orders WHERE amount >= 1"})["odd"] == "unknown"


def test_columns_of_a_model_that_cannot_be_read_are_not_read_as_exact_numbers() -> None:
    columns = Column("id", INTEGER), Column("score", DECIMAL)
    blind = Model("blind", SqlText("SELECT what()", "blind.sql"), "blind", columns=columns, notes=((1, FLOATING),))
    old = {"blind": blind, "sums": "SELECT score + 1 + 1 AS x FROM blind"}
    found = verdict_of(old, {**old, "sums": "SELECT score + 2 AS x FROM blind"})
    assert found.of("sums").change is Change.UNKNOWN
    assert "holds floating-point numbers" in found.of("sums").reason


def test_types_that_differ_are_a_change_of_columns() -> None:
    verdict = verdict_of(
        {"a": "SELECT id, amount FROM orders"}, {"a": "SELECT id, CAST(amount AS DECIMAL(9, 2)) AS amount FROM orders"}
    )
    assert verdict.of("a").change is Change.CHANGED
    assert verdict.of("a").reason == "it has amount as decimal, which was integer"


def test_models_in_a_circle_are_refused() -> None:
    with pytest.raises(SourceError, match="models read each other in a circle: "):
        version({"a": "SELECT * FROM b", "b": "SELECT * FROM a"})


def test_two_models_of_one_name_are_refused() -> None:
    with pytest.raises(SourceError, match="two models or tables have the name orders"):
        version({"orders": "SELECT 1 AS x"})


def test_sources_with_other_columns_are_refused() -> None:
    from tallystick.dataflow.pair import paired

    with pytest.raises(SourceError, match="the source raw has other columns in the new version"):
        paired(
            version({"a": "SELECT id FROM raw"}, LOOSE),
            version({"a": "SELECT id FROM raw"}, "CREATE TABLE raw (id INT)"),
        )


def test_an_answer_that_the_auditor_does_not_bear_out_is_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the search says, the last word is the auditor's."""
    from tallystick.dataflow import comparing

    report = replace(audit(b"{}"), reason="no")
    monkeypatch.setattr(comparing, "audit", lambda data, limits: report)
    verdict = compared(pair_of(STAGED, STAGED), limits=SweepLimits(seconds=1, searching=0.1))
    assert {wire.change for wire in verdict.wires} == {Change.UNKNOWN}
    assert verdict.certificate is None


def test_a_name_of_a_wire_may_not_be_that_of_the_fresh_table_of_another() -> None:
    """A source called `new a` would be confused with the table that stands for wire a of the new version."""
    schema = 'CREATE TABLE "old a" (id INT, v INT); CREATE TABLE raw (id INT, v INT)'
    old = {"a": "SELECT id, v FROM raw", "b": 'SELECT a.v FROM a JOIN "old a" ON a.id = "old a".id WHERE a.v > 1'}
    new = {**old, "b": 'SELECT a.v FROM a JOIN "old a" ON a.id = "old a".id WHERE NOT a.v <= 1'}
    assert answers(old, new, schema) == {"a": "unchanged", "b": "unchanged"}


def test_tables_are_told_apart_in_certificates() -> None:
    assert isinstance(pair_of(STAGED, STAGED).old[0].table, Table)


UNION = "(SELECT x FROM t LIMIT 2) UNION ALL (SELECT y FROM t LIMIT 2) LIMIT 2"
PUSHED = "(SELECT x FROM t) UNION ALL (SELECT y FROM t) LIMIT 2"
COMPUTED = "SELECT x + y AS z FROM (SELECT id, x, y FROM t LIMIT 5) u"
MAPPED = "SELECT x + y AS z FROM t LIMIT 5"


def test_a_choice_from_rows_in_another_order_is_no_choice_of_the_same_rows() -> None:
    schema = "CREATE TABLE t (id INT, x INT, y INT)"
    by_x, by_y = (f"SELECT id FROM (SELECT * FROM t ORDER BY {key}) u LIMIT 2" for key in "xy")
    assert answers({"first": by_x}, {"first": by_y}, schema) == {"first": "unknown"}
    assert answers({"first": by_x}, {"first": by_x.replace("*", "id, x")}, schema) == {"first": "unchanged"}
    assert answers({"first": UNION}, {"first": PUSHED}, schema) == {"first": "unknown"}
    assert answers({"b": COMPUTED}, {"b": MAPPED}, schema) == {"b": "unchanged"}
