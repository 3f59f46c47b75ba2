"""Where Veer as printed (arXiv 2309.13762v3) would answer wrongly: the witness of each, and the answer here."""

from __future__ import annotations

from dataflow.flows import answers, verdict_of

LEFT = {"a": "SELECT id, name FROM customers", "b": "SELECT customer, amount FROM orders"}


def test_an_empty_sink_is_not_equal_to_everything() -> None:
    """Definition 2.2 asks that each row of one sink is in the other, in one direction."""
    assert answers({"s": "SELECT id FROM orders WHERE 1 = 0"}, {"s": "SELECT id FROM orders"}) == {"s": "changed"}


def test_the_ports_of_a_join_matter() -> None:
    """Footnote 3 drops ports: exchanging the inputs of a left join leaves no edit, and algorithm 2 answers True."""
    old = {**LEFT, "s": "SELECT name, amount FROM a LEFT JOIN b ON id = customer"}
    new = {**LEFT, "s": "SELECT name, amount FROM b LEFT JOIN a ON id = customer"}
    assert answers(old, new)["s"] == "changed"


def test_a_wire_that_feeds_inside_and_outside_of_a_window_is_compared() -> None:
    """Sinks of a window are operators without successors inside: a change that a later operator inside undoes reaches a
    second sink unseen."""
    old = {"m": "SELECT id, amount FROM orders", "s": "SELECT id FROM m WHERE amount > 3", "t": "SELECT id FROM m"}
    new = {**old, "m": "SELECT id, amount FROM orders WHERE amount > 0"}
    assert answers(old, new) == {"m": "changed", "s": "unchanged", "t": "changed"}


def test_an_inserted_operator_is_not_vacuously_equal() -> None:
    """The window of an insertion has no sink in the old version, so that nothing is compared."""
    old = {"m": "SELECT id, amount FROM orders", "s": "SELECT id FROM m"}
    new = {**old, "f": "SELECT id, amount FROM m WHERE amount > 3", "s": "SELECT id FROM f"}
    assert answers(old, new) == {"m": "unchanged", "f": "added", "s": "changed"}


def test_equality_as_sets_is_not_handed_on_to_what_counts() -> None:
    """Lemma 4.1 takes equal sets for identical tables: a dropped DISTINCT is equal as a set, COUNT tells."""
    old = {
        "m": "SELECT DISTINCT customer FROM orders",
        "n": "SELECT COUNT(*) AS n FROM m",
        "d": "SELECT DISTINCT * FROM m",
    }
    new = {**old, "m": "SELECT customer FROM orders"}
    assert answers(old, new) == {"m": "changed", "n": "changed", "d": "unchanged"}


def test_equality_as_bags_is_not_handed_on_to_what_reads_an_order() -> None:
    """Rows in another order are the same bag, and other rows for LIMIT."""
    old = {"m": "SELECT id, amount FROM orders ORDER BY id", "s": "SELECT id FROM (SELECT * FROM m) x LIMIT 1"}
    new = {**old, "m": "SELECT id, amount FROM orders ORDER BY id DESC"}
    assert answers(old, new)["m"] == "changed"
    assert answers(old, new)["s"] != "changed"


def test_both_inputs_of_a_join_are_quantified() -> None:
    """Definition 3.4 gives values to operators without predecessors alone: a join's input from outside has none."""
    old = {**LEFT, "s": "SELECT name FROM a JOIN b ON id = customer WHERE amount > 1"}
    new = {**LEFT, "s": "SELECT name FROM a JOIN (SELECT * FROM b WHERE amount > 1) c ON id = customer"}
    assert answers(old, new)["s"] == "unchanged"


def test_sort_lists_that_differ_may_sort_alike() -> None:
    """Section 7.4 answers False where sort lists differ; here the first key is unique."""
    old = {"s": "SELECT id, amount FROM orders ORDER BY id"}
    assert answers(old, {"s": "SELECT id, amount FROM orders ORDER BY id, amount"})["s"] != "changed"


def test_a_filter_that_no_row_passes_makes_other_columns_equal() -> None:
    """Section 7.4 answers False where sinks are projections of different columns."""
    old = {"s": "SELECT id AS x FROM orders WHERE 1 = 0"}
    assert answers(old, {"s": "SELECT customer AS x FROM orders WHERE 1 = 0"}) == {"s": "unchanged"}


def test_a_difference_inside_that_reaches_no_sink_is_none_of_the_sink() -> None:
    """That a window differs does not make the versions differ."""
    old = {"m": "SELECT id, amount FROM orders", "s": "SELECT COUNT(*) AS n FROM m"}
    verdict = verdict_of(old, {**old, "m": "SELECT id, amount + 1 AS amount FROM orders"})
    assert {wire.name: str(wire.change) for wire in verdict.wires} == {"m": "changed", "s": "unchanged"}


def test_an_input_that_breaks_a_key_is_no_counterexample() -> None:
    assert answers({"s": "SELECT id FROM orders"}, {"s": "SELECT DISTINCT id FROM orders"}) == {"s": "unchanged"}
