"""`tallystick reproduce veer`: the tables and figures of Veer's evaluation, as published, made anew, and ours."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations, product
from pathlib import Path
from statistics import mean

from rich.console import Console
from tallystick.dataflow.veer.search import Options
from tallystick.experiments.progress import counted_off
from tallystick.experiments.tables import new_table, print_table
from tallystick.experiments.veer import published
from tallystick.experiments.veer.measuring import METHODS, Measured, by_sweep, by_veer, valid_decompositions
from tallystick.experiments.veer.verifiers import Equitas
from tallystick.experiments.veer.workloads import (
    ABOUT,
    WORKFLOWS,
    Operators,
    at_distance,
    equivalent_edits,
    inequivalent_edits,
    long_workflow,
    pair_of,
    size_of,
    three_edits,
    with_changes,
    with_operators,
)

VEER, VEER_PLUS, SWEEP = "Veer as printed, EQUITAS", "Veer+ as printed, EQUITAS", "the sweep"
LONG = (50, 100, 200, 400, 700, 1000)
"""Operators of the workflows on which the cost of the sweep is shown."""

Results = Mapping[str, Mapping[str, Measured]]
"""For each method, what it answers about each pair."""
Series = dict[int, dict[str, Measured]]
"""For each number of hops, changes or operators, what each method answers."""


def reproduce_veer(seconds: float, plots: Path | None = None) -> bool:
    """Prints all tables and figures; whether nothing is answered wrongly, and the sweep asks verifiers less often than
    Veer+ explores decompositions.

    Args:
        seconds: of the processor, for a method on a pair; the paper had an hour.
        plots: a folder for pictures of the figures.
    """
    console = Console()
    _print_sizes(console)
    equal = _measured("equivalent pairs", equivalent_edits(), seconds)
    unequal = _measured("inequivalent pairs", inequivalent_edits(), seconds)
    _print_table_5(console, equal, unequal)
    _print_pairs(console, "Figure 24: equivalent pairs with two edits", equal, published.FIGURE_24)
    _print_pairs(console, "Figure 25: inequivalent pairs with two edits", unequal, published.FIGURE_25)
    _print_table_6(console, seconds)
    series = _print_figures(console, seconds)
    costs = _print_long(console)
    console.print("The paper contradicts itself:", style="bold")
    for each in published.CONTRADICTIONS:
        console.print(f"  {each}", highlight=False)
    if plots is not None:
        from tallystick.experiments.veer.plots import draw

        draw(plots, equal, unequal, series, costs)
    return _is_as_claimed(equal, unequal, series)


def _measured(what: str, edits: Mapping[str, Operators], seconds: float) -> dict[str, dict[str, Measured]]:
    found: dict[str, dict[str, Measured]] = {method: {} for method in METHODS}
    for method, (name, new) in counted_off(what, list(product(METHODS, edits.items()))):
        found[method][name] = METHODS[method](pair_of(name, new), seconds)
    return found


def _is_as_claimed(equal: Results, unequal: Results, series: Mapping[str, Series]) -> bool:
    """Whether nothing is wrong, and the sweep is as it is claimed to be."""
    sound = [method for method in METHODS if "printed" not in method]
    right = all(equal[method][name].answer != "inequivalent" for method in sound for name in WORKFLOWS)
    right = right and all(unequal[method][name].answer != "equivalent" for method in sound for name in WORKFLOWS)
    decided = all(equal[SWEEP][name].answer == "equivalent" for name in WORKFLOWS)
    decided = decided and all(unequal[SWEEP][name].answer == "inequivalent" for name in WORKFLOWS)
    fewer = all(each[SWEEP].calls < each[VEER_PLUS].explored for one in series.values() for each in one.values())
    return right and decided and fewer


def _table(console: Console, title: str, headings: Sequence[str], rows: Iterable[Sequence[str]], left: int = 1) -> None:
    table = new_table(title)
    for place, heading in enumerate(headings):
        table.add_column(heading, justify="left" if place < left else "right")
    for row in rows:
        table.add_row(*row)
    print_table(console, table)


def _print_sizes(console: Console) -> None:
    rows = []
    for name, operators in WORKFLOWS.items():
        size, (number, links, _) = size_of(operators), published.TABLE_4[name]
        rows.append((name, ABOUT[name], str(number), str(size.operators), str(links), str(size.links)))
    headings = ("", "made after", "operators, paper", "here", "links, paper", "here")
    _table(console, "Table 4: the workflows", headings, rows, left=2)


def _print_table_5(console: Console, equal: Results, unequal: Results) -> None:
    rows = [(f"{name}, as published", *numbers) for name, numbers in published.TABLE_5.items()]
    rows += [
        (method, *_share(equal[method], "equivalent"), *_share(unequal[method], "inequivalent")) for method in METHODS
    ]
    headings = ("verifier", "% of equivalent proved", "s", "% of inequivalent refuted", "s")
    _table(console, "Table 5: 8 equivalent and 8 inequivalent pairs with two edits", headings, rows)
    slowest = max(each.seconds for side in (equal, unequal) for each in side[SWEEP].values())
    called = [name for name, each in unequal[SWEEP].items() if each.called]
    console.print(
        f"The sweep takes at most {slowest:.2f} s for a pair. Its proofs are certificates, and its refutations"
    )
    console.print(
        f"inputs; those of {', '.join(called)} were seen by calling the functions that stand in the workflow."
    )


def _share(results: Mapping[str, Measured], answer: str) -> tuple[str, str]:
    found = [each.seconds for each in results.values() if each.answer == answer]
    return f"{100 * len(found) / len(results):.1f}", f"{mean(found):.2f}" if found else ""


def _print_pairs(console: Console, title: str, results: Results, said: str) -> None:
    rows = []
    for name in WORKFLOWS:
        cells = [name]
        for method in METHODS:
            each = results[method][name]
            size = each.calls if method == SWEEP else each.explored
            cells.append(f"{_mark(each)} {size} {each.seconds:.2f} s")
        rows.append(cells)
    _table(console, f"{title}: explored (of the sweep: calls), and time", ("", *METHODS), rows)
    console.print(f"As published: {said}.", highlight=False)


def _mark(each: Measured) -> str:
    return {"equivalent": "=", "inequivalent": "≠", "unknown": "?", "late": "×"}[each.answer]


def _print_table_6(console: Console, seconds: float) -> None:
    pair = pair_of("W3", three_edits())
    rows = []
    choices = ["".join(chosen) for size in range(4) for chosen in combinations("SPR", size)]
    for name in counted_off("options of Veer", choices):
        options = Options(
            segmentation="unsupported" if "S" in name else "",
            pruning="P" in name,
            ranking="R" in name,
            as_printed=True,
        )
        each = by_veer(options, lambda: [Equitas()])(pair, seconds)
        explored, _, _, total = published.TABLE_6[name]
        here = (str(each.explored), f"{each.seconds - each.verifying:.2f}", f"{each.verifying:.2f}")
        rows.append((name or "none", _mark(each), f"{explored:,}", here[0], f"{total:g}", *here[1:]))
    swept = METHODS[SWEEP](pair, seconds)
    rows.append((SWEEP, _mark(swept), "", f"{swept.calls} calls", "", f"{swept.seconds:.2f}", ""))
    headings = ("options", "", "explored, paper", "here", "s, paper", "exploring here, s", "verifying here, s")
    _table(console, "Table 6: W3 with three edits; segmentation, pruning, ranking", headings, rows)


def _print_figures(console: Console, seconds: float) -> dict[str, Series]:
    """Figures 26 to 28."""
    hops = {number: pair_of("W2", at_distance(number)) for number in published.FIGURE_26}
    changes = {number: pair_of("W1", with_changes(number)) for number in published.FIGURE_27}
    operators = {}
    for number in published.FIGURE_28:
        old, new = with_operators(number)
        operators[number] = pair_of("W2", new, old)
    valid = {number: valid_decompositions(pair, seconds) for number, pair in changes.items()}
    figures = (
        ("Figure 26: hops between two edits of W2", "hops", hops, published.FIGURE_26, {}),
        ("Figure 27: changes of W1", "changes", changes, published.FIGURE_27, valid),
        ("Figure 28: operators of W2, two edits", "operators", operators, published.FIGURE_28, {}),
    )
    found: dict[str, Series] = {}
    for title, what, pairs, said, all_valid in figures:
        found[what] = {
            number: {name: METHODS[name](pair, seconds) for name in (VEER, VEER_PLUS, SWEEP)}
            for number, pair in counted_off(what, list(pairs.items()))
        }
        rows = []
        for number, each in found[what].items():
            paper = said[number]
            veer, plus, sweep = each[VEER], each[VEER_PLUS], each[SWEEP]
            cells = [str(number), paper[0], all_valid.get(number, ""), f"{_mark(veer)} {veer.explored}", paper[1]]
            cells += [f"{veer.seconds:.2f}", paper[2], f"{_mark(plus)} {plus.explored}", f"{plus.seconds:.2f}"]
            rows.append([*cells, f"{_mark(sweep)} {sweep.calls}", f"{sweep.seconds:.2f}"])
        headings = (
            what,
            "Veer, paper",
            "valid here",
            "Veer here",
            "s, paper",
            "s here",
            "Veer+, paper",
            "here",
            "s here",
        )
        _table(console, title, (*headings, "calls of the sweep", "s"), rows)
    return found


def _print_long(console: Console) -> dict[int, Measured]:
    found = {}
    rows = []
    for number in counted_off("long workflows", LONG):
        old, new = long_workflow(number)
        pair = pair_of("W2", new, old)
        each = by_sweep(pair, 5.0)
        found[size_of(new).operators] = each
        rows.append((str(size_of(new).operators), _mark(each), str(each.calls), f"{each.seconds:.2f}"))
    headings = ("operators", "", "calls", "s, with reading the certificate and its audit")
    _table(console, "The sweep on longer workflows, two edits", headings, rows)
    return found
