"""Where Veer as printed (arXiv 2309.13762v3) answers wrongly: for each erratum a witness, what the printed text says
of it, and the answer here. Numbers are those of the list in the paper's section about dataflows."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import product

from tallystick.dataflow.pair import Pair
from tallystick.dataflow.veer.mapping import Mapping, Unit, mapping_by_names
from tallystick.dataflow.veer.relations import Relation
from tallystick.dataflow.veer.search import VEER, VEER_PLUS, Counts, Options, Search
from tallystick.dataflow.veer.symbolic import hints
from tallystick.dataflow.veer.veering import Run, veer
from tallystick.dataflow.veer.verifiers import Identity, Kernel, PlugIn
from tallystick.dataflow.veer.windows import Output, Window, Windows

from dataflow.flows import answers, pair_of, verdict_of

LEFT = {"a": "SELECT id, name FROM customers", "b": "SELECT customer, amount FROM orders"}
KERNEL = [Identity(), Kernel()]


def printed_equal(left: Iterable[object], right: Iterable[object]) -> bool:
    """Definition 2.2 under sets, to the letter: every tuple in s exists in M(s)."""
    return all(row in list(right) for row in left)


def printed_edits(mapping: Mapping) -> list[Unit]:
    """Definition 2.1 with footnote 3: operators, and links as pairs of operators, without ports."""
    old, new = mapping.properties

    def links(side: dict[str, object], of: Callable[[str], object]) -> set[tuple[object, object]]:
        return {(of(port), of(name)) for name, each in side.items() for port in each.ports}  # type: ignore[attr-defined]

    operators = [unit for unit in mapping.units if None in unit or mapping.is_modified(unit)]
    before, after = links(old, lambda name: mapping.to_new.get(name)), links(new, lambda name: name)  # type: ignore[arg-type]
    return operators if before == after else [*operators, ("a link", "a link")]


def printed_outputs(windows: Windows, window: Window) -> tuple[Output, ...]:
    """Definitions 3.1 and 3.4: sinks of a window are its operators that nobody reads inside; those that are mapped are
    compared."""
    read = {one for one, other in windows.mapping.links if one in window and other in window}
    return tuple((old, new) for old, new in window - read if old is not None and new is not None)


def printed_questions(windows: Windows, window: Window) -> bool:
    """Whether all that the printed text asks of a window is proved."""
    asked = (windows.question(window, output) for output in printed_outputs(windows, window))
    return all(KERNEL[1].equal(each.left, each.right, each.catalogue) for each in asked)


def windows_of(old: dict[str, str], new: dict[str, str]) -> Windows:
    return Windows(mapping_by_names(pair_of(old, new)))


def unit(*names: str) -> Window:
    return frozenset((name, name) for name in names)


def test_an_empty_sink_is_not_equal_to_everything() -> None:
    """1. Definition 2.2 asks that each row of one sink is in the other, in one direction."""
    assert printed_equal([], [(1,)])
    assert answers({"s": "SELECT id FROM orders WHERE 1 = 0"}, {"s": "SELECT id FROM orders"}) == {"s": "changed"}


def test_the_ports_of_a_join_matter() -> None:
    """2. Footnote 3 drops ports: exchanging the inputs of a left join is no edit, and algorithm 2 answers True."""
    sides = {"a": "SELECT id AS k FROM customers", "b": "SELECT customer AS k FROM orders"}
    old = {**sides, "s": "SELECT l.k FROM a l LEFT JOIN b r ON l.k = r.k"}
    new = {**sides, "s": "SELECT l.k FROM b l LEFT JOIN a r ON l.k = r.k"}
    assert answers(old, new)["s"] == "changed"
    pair = pair_of(old, new)
    assert printed_edits(mapping_by_names(pair)) == []
    assert mapping_by_names(pair).edits
    assert veer(pair, KERNEL, VEER).answer == "unknown"


def test_a_wire_that_feeds_inside_and_outside_of_a_window_is_compared() -> None:
    """3. Sinks of a window are operators without successors inside: a change that a later operator inside undoes
    reaches a second sink unseen."""
    old = {"m": "SELECT id, amount FROM orders", "s": "SELECT id FROM m WHERE amount > 3", "t": "SELECT id FROM m"}
    new = {**old, "m": "SELECT id, amount FROM orders WHERE amount > 0"}
    assert answers(old, new) == {"m": "changed", "s": "unchanged", "t": "changed"}
    old = {"m": "SELECT id, amount FROM orders WHERE id > 0", **{name: old[name] for name in ("s", "t")}}
    new = {**old, "m": "SELECT id, amount FROM orders WHERE id > 0 AND amount > 0"}
    windows = windows_of(old, new)
    window = unit("m", "s")
    assert printed_outputs(windows, window) == (("s", "s"),)
    assert printed_questions(windows, window), "lemma 4.1 calls the versions equivalent"
    assert set(windows.outputs(window)) == {("m", "m"), ("s", "s")}
    assert veer(pair_of(old, new), KERNEL, replace(VEER, backtracking=True)).answer == "unknown"


def test_an_inserted_operator_is_not_vacuously_equal() -> None:
    """4. The window of an insertion has no sink in the old version, so that nothing is compared."""
    old = {"m": "SELECT id, amount FROM orders", "s": "SELECT id FROM m"}
    new = {**old, "f": "SELECT id, amount FROM m WHERE amount > 3", "s": "SELECT id FROM f"}
    assert answers(old, new) == {"m": "unchanged", "f": "added", "s": "changed"}
    windows = windows_of(old, new)
    window: Window = frozenset(((None, "f"),))
    assert printed_outputs(windows, window) == ()
    assert windows.outputs(window) == (("m", "f"),), "the bare wire"
    assert veer(pair_of(old, new), KERNEL, VEER).answer == "unknown"


def test_equality_as_sets_is_not_handed_on_to_what_counts() -> None:
    """5. Lemma 4.1 takes equal sets for identical tables: a dropped DISTINCT is equal as a set, COUNT tells."""
    old = {
        "m": "SELECT DISTINCT customer FROM orders",
        "n": "SELECT COUNT(*) AS n FROM m",
        "d": "SELECT DISTINCT * FROM m",
    }
    new = {**old, "m": "SELECT customer FROM orders"}
    assert answers(old, new) == {"m": "changed", "n": "changed", "d": "unchanged"}
    flow = {"p": "SELECT customer FROM orders", "m": "SELECT DISTINCT * FROM p", "n": "SELECT COUNT(*) AS n FROM m"}
    pair = pair_of(flow, {"p": flow["p"], "n": "SELECT COUNT(*) AS n FROM p"})
    without_groups = PlugIn(
        "sets, no groups",
        Relation.SET,
        lambda left, right, catalogue: True,
        lambda left, right: "groups" if "Aggregate" in f"{left}{right}" else "",
    )
    assert veer(pair, [without_groups], Options(as_printed=True)).answer == "equivalent", "as printed"
    assert veer(pair, [without_groups], VEER).answer == "unknown"


def test_equality_as_bags_is_not_handed_on_to_what_reads_an_order() -> None:
    """5. Rows in another order are the same bag, and other rows for LIMIT."""
    old = {"m": "SELECT id, amount FROM orders ORDER BY id", "s": "SELECT id FROM (SELECT * FROM m) x LIMIT 1"}
    new = {**old, "m": "SELECT id, amount FROM orders ORDER BY id DESC"}
    assert answers(old, new)["m"] == "changed"
    assert answers(old, new)["s"] != "changed"


def test_both_inputs_of_a_join_are_quantified() -> None:
    """6. Definition 3.4 gives values to operators without predecessors alone: a join's input from outside has none.
    Here it is one variable for both versions, by the unit that it comes from."""
    old = {**LEFT, "s": "SELECT name FROM a JOIN b ON id = customer WHERE amount > 1"}
    new = {**LEFT, "s": "SELECT name FROM a JOIN (SELECT * FROM b WHERE amount > 1) c ON id = customer"}
    assert answers(old, new)["s"] == "unchanged"
    turned = {**old, "s": "SELECT name FROM a JOIN b ON customer = id AND amount > 1"}
    windows = windows_of({**old, "s": "SELECT name FROM a JOIN b ON id = customer AND amount > 1"}, turned)
    (question,) = windows.questions(unit("s"))
    assert {table.name for table in question.catalogue.tables} == {"a = a", "b = b"}
    assert question.needs == {("a", "a"), ("b", "b")}
    assert KERNEL[1].equal(question.left, question.right, question.catalogue)


def test_sort_lists_that_differ_may_sort_alike() -> None:
    """11. Section 7.4 answers False where sort lists differ; here the first key is unique."""
    old, new = (
        {"s": "SELECT id, amount FROM orders ORDER BY id"},
        {"s": "SELECT id, amount FROM orders ORDER BY id, amount"},
    )
    assert answers(old, new)["s"] != "changed"
    pair = pair_of(old, new)
    assert hints(pair, (("s", "s"),)), "the printed test says that they differ"
    assert veer(pair, KERNEL, replace(VEER_PLUS, seconds=2)).answer != "inequivalent"


def test_a_filter_that_no_row_passes_makes_other_columns_equal() -> None:
    """11. Section 7.4 answers False where sinks are projections of different columns."""
    old = {"s": "SELECT id AS x FROM orders WHERE 1 = 0"}
    new = {"s": "SELECT customer AS x FROM orders WHERE 1 = 0"}
    assert answers(old, new) == {"s": "unchanged"}
    pair = pair_of(old, new)
    assert hints(pair, (("s", "s"),)), "the printed test says that they differ"
    assert veer(pair, KERNEL, replace(VEER_PLUS, seconds=2)).answer != "inequivalent"


def test_a_difference_inside_that_reaches_no_sink_is_none_of_the_sink() -> None:
    """12. That a window differs does not make the versions differ."""
    old = {"m": "SELECT id, amount FROM orders", "s": "SELECT COUNT(*) AS n FROM m"}
    verdict = verdict_of(old, {**old, "m": "SELECT id, amount + 1 AS amount FROM orders"})
    assert {wire.name: str(wire.change) for wire in verdict.wires} == {"m": "changed", "s": "unchanged"}


def test_an_input_that_breaks_a_key_is_no_counterexample() -> None:
    """12. Counterexamples have to satisfy the constraints."""
    assert answers({"s": "SELECT id FROM orders"}, {"s": "SELECT DISTINCT id FROM orders"}) == {"s": "unchanged"}


def three_filters() -> Pair:
    """m is changed, and what changed is filtered away behind it."""
    old = {
        "m": "SELECT * FROM orders WHERE amount > 1",
        "k": "SELECT * FROM m WHERE amount > 5",
        "s": "SELECT id FROM k",
    }
    return pair_of(old, {**old, "m": "SELECT * FROM orders WHERE amount > 2"})


def test_a_larger_window_may_be_equivalent_where_a_smaller_one_is_not() -> None:
    """7. "If a window is not equivalent, none of its sub-windows is" (section 4.3) needs a complete verifier: one that
    answers for small queries only says nothing of the large window, and True of the small one. And lemma 4.4 is proved
    for the whole pair alone: equality is handed on because the variables of the small window are terms of the large."""
    pair = three_filters()
    run = Run(mapping_by_names(pair), KERNEL, VEER, Counts())
    assert not run.is_verified(unit("m"))
    assert run.is_verified(unit("m", "k"))
    assert run.is_verified(unit("m", "k", "s"))
    small = PlugIn("small", Relation.BAG, lambda left, right, catalogue: "Project" not in str(left.query)[:8])
    incomplete = Run(mapping_by_names(pair), [small], VEER, Counts())
    large, inner = unit("m", "k", "s"), unit("m", "k")
    assert incomplete.is_verified(inner) or not incomplete.is_verified(large)


def printed_explored(search: Search, segment: Window, edits: tuple[Window, ...]) -> set[frozenset[Window]]:
    """Algorithm 2, lines 8 to 12 as printed: a union is explored once, in whatever decomposition it occurs."""
    windows: set[Window] = set()
    pending, found = [frozenset(edits)], {frozenset(edits)}
    while pending:
        decomposition = pending.pop(0)
        for window in decomposition:
            for larger in search.merges(decomposition, window, segment):
                (union,) = larger - decomposition
                if union not in windows:
                    windows.add(union)
                    found.add(larger)
                    pending.append(larger)
    return found


def test_decompositions_are_remembered_and_not_windows() -> None:
    """8. Line 9's memo on windows never reaches the decomposition in which two windows have both grown."""
    old = {
        "x": "SELECT * FROM orders WHERE id > 1",
        "y": "SELECT * FROM x WHERE id > 2",
        "z": "SELECT * FROM y WHERE id > 3",
        "u": "SELECT * FROM z WHERE id > 4",
    }
    new = {**old, "x": "SELECT * FROM orders WHERE NOT id <= 1", "u": "SELECT * FROM z WHERE NOT id <= 4"}
    run = Run(mapping_by_names(pair_of(old, new)), KERNEL, VEER, Counts())
    whole = frozenset(run.mapping.units)
    both = frozenset((unit("x", "y"), unit("z", "u")))
    all_of_them = {each for each, _ in run.search.explored(whole, run.mapping.edits)}
    assert both in all_of_them
    assert both not in printed_explored(run.search, whole, run.mapping.edits)


def test_a_verifier_that_is_not_monotone_hides_the_whole_pair() -> None:
    """9. Theorem 6.1 says that Veer is complete where a pair meets the restrictions; algorithm 2 as printed stops
    before it reaches the pair, if windows on the way do not meet them (R5: equally many aggregates). Theorem 5.8's
    proof assumes that versions differ, and ends in that they do not: what holds is argued in `veering.py`."""
    old = {
        "f": "SELECT * FROM orders WHERE customer > 1",
        "g": "SELECT customer, COUNT(*) AS n FROM f GROUP BY customer",
        "s": "SELECT customer, n FROM g",
    }
    new = {
        "h": "SELECT customer, COUNT(*) AS n FROM orders GROUP BY customer",
        "i": "SELECT * FROM h WHERE customer > 1",
        "s": "SELECT customer, n FROM i",
    }
    equally_many = PlugIn(
        "R5",
        Relation.BAG,
        Kernel().equal,
        lambda left, right: "R5" if str(left).count("Aggregate(") != str(right).count("Aggregate(") else "",
        monotone=False,
    )
    pair = pair_of(old, new)
    assert veer(pair, [equally_many], VEER).answer == "unknown"
    assert veer(pair, [equally_many], replace(VEER, unchecked=True)).answer == "equivalent"


def test_operators_of_other_types_are_not_mapped_to_each_other() -> None:
    """10. Figure 3 maps Project to Aggregate, which no edit of definition 2.1 does."""
    old = {"x": "SELECT customer FROM orders", "y": "SELECT COUNT(*) AS n FROM x"}
    new = {"y": "SELECT customer FROM orders", "x": "SELECT COUNT(*) AS n FROM y"}
    mapping = mapping_by_names(pair_of(old, new))
    assert mapping.images == ()
    types = ({name: each.type for name, each in side.items()} for side in mapping.properties)
    assert list(types) == [{"x": "project", "y": "aggregate"}, {"y": "project", "x": "aggregate"}]


def test_a_function_of_a_list_or_a_bag_is_none_of_the_set() -> None:
    """13. "Deterministic" has to say of what: a model that is trained on all rows sees duplicates, so that windows that
    are equal as sets do not let it pass. Such a function demands bags of what it reads."""
    from tallystick.core.dataflows.workflow import Opaque, Wire
    from tallystick.core.queries.catalogue import Column, Table
    from tallystick.core.queries.types import INTEGER, ColumnType
    from tallystick.dataflow.veer.relations import demands

    old = {"p": "SELECT customer FROM orders", "m": "SELECT DISTINCT * FROM p"}
    pair = pair_of(old, {"p": old["p"]})
    row = (ColumnType(INTEGER, True),)

    def trained(source: str) -> Wire:
        return Wire(Table("t", (Column("score", INTEGER),)), Opaque("train", (source,), row))

    pair = replace(pair, old=(*pair.old, trained("m")), new=(*pair.new, trained("p")))
    assert demands(pair.old)["m"] is Relation.BAG
    sets = PlugIn("sets", Relation.SET, lambda left, right, catalogue: True)
    assert veer(pair, [sets], replace(VEER, as_printed=True)).answer == "equivalent", "as printed"
    assert veer(pair, [sets], VEER).answer == "unknown"


def test_windows_may_share_operators_if_each_step_is_proved_over_what_is_equal() -> None:
    """14. Disjoint windows are enough, and not needed: both proofs here go through the filter m. Section 5.1 excludes
    windows that overlap; CUT takes wires that were proved equal before as tables, wherever the next proof begins."""
    old = {
        "m": "SELECT * FROM orders WHERE amount > 1",
        "s": "SELECT * FROM m WHERE amount > 0",
        "t": "SELECT * FROM m WHERE amount > -1",
    }
    new = {**old, "s": "SELECT * FROM m WHERE 1 = 1", "t": "SELECT * FROM m WHERE 1 = 1"}
    assert answers(old, new) == {"m": "unchanged", "s": "unchanged", "t": "unchanged"}
    run = Run(mapping_by_names(pair_of(old, new)), KERNEL, VEER, Counts())
    overlapping = unit("m", "s"), unit("m", "t")
    assert not run.is_verified(unit("s"))
    assert all(map(run.is_verified, overlapping))
    assert {len(one & other) for one, other in product(overlapping[:1], overlapping[1:])} == {1}
