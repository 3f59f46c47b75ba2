"""`tallystick reproduce sparklite`: the papers' own tables beside ours, with what differs and why.

The papers' side is `papers.py`; each number of ours comes from deciding the suites now.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import median

from rich.console import Console
from rich.padding import Padding
from rich.text import Text
from tallystick.experiments import papers
from tallystick.experiments.papers import PaperClass
from tallystick.experiments.questions import Options, Task, questions_of_suite
from tallystick.experiments.records import Record
from tallystick.experiments.running import decide_here
from tallystick.experiments.tables import new_table, print_table

SUITES = ("sparklite-tr", "sparklite-cav", "errata")
RESULTS = {"equivalent": papers.VERIFIED, "inequivalent": papers.FOUND, "unknown": "?"}
"""A verdict as the papers write it."""


def reproduce_sparklite(options: Options) -> bool:
    """Decides the papers' suites and prints all tables; returns whether every verdict is the known one."""
    console = Console()
    tasks = [Task(question, options) for suite in SUITES for question in questions_of_suite(suite)]
    run = decide_here(tasks)
    records = {suite: [record for record in run.records if record.suite == suite] for suite in SUITES}
    report, paper, errata = (records[suite] for suite in SUITES)
    _print_classes(console, "TR Table 1: classes of programs", papers.TR_CLASSES, report)
    _print_cases(console, "TR Fig. 9: the 19 benchmarks", papers.TR_FIGURE_9, papers.TR_CLASSES, report)
    _print_bound(console, "TR section 4", papers.TR_SECONDS, report)
    _print_classes(console, "CAV Table 1: methods", papers.CAV_CLASSES, paper)
    _print_cases(console, "CAV section 5 and Fig. 7: the 23 test cases", papers.CAV_CASES, papers.CAV_CLASSES, paper)
    _print_bound(console, "CAV section 5", papers.CAV_SECONDS, paper)
    _print_errata(console, {record.pair: record for record in errata})
    console.print(Text("What differs, and why", style="bold"))
    for subject, difference in papers.DIFFERENCES.items():
        console.print(Padding(Text(f"{subject}: {difference}"), (0, 0, 0, 2)))
    return all(record.is_right for record in run.records)


def _print_classes(console: Console, title: str, classes: Sequence[PaperClass], records: Sequence[Record]) -> None:
    """A row for each class: what the paper says of it, and how many of its pairs are decided here."""
    table = new_table(title)
    for heading in ("class", "contains", "paper's method", "pairs", "decided", "median ms"):
        table.add_column(heading, justify="right" if heading in ("pairs", "decided", "median ms") else "left")
    for each in classes:
        these = [record for record in records if record.program_class == each.ours]
        decided = [record for record in these if record.verdict != "unknown"]
        times = f"{1000 * median(record.seconds for record in these):.0f}" if these else ""
        table.add_row(each.name, each.description, each.coverage, str(len(these)), str(len(decided)), times)
    print_table(console, table)


def _print_cases(
    console: Console,
    title: str,
    cases: Sequence[tuple[str, str, str]],
    classes: Sequence[PaperClass],
    records: Sequence[Record],
) -> None:
    """A row for each case: the paper's class and result beside ours, and a mark where they differ."""
    found = {record.pair: record for record in records}
    ours = {each.name: each.ours for each in classes}
    table = new_table(title)
    for heading in ("case", "class", "paper", "here", "method", "ms", "bytes", ""):
        table.add_column(heading, justify="right" if heading in ("ms", "bytes") else "left", no_wrap=True)
    for name, class_name, result in cases:
        record = found[name]
        differs = RESULTS[record.verdict] != result or record.program_class != ours[class_name]
        table.add_row(
            name,
            class_name if record.program_class == ours[class_name] else f"{class_name} / {record.program_class}",
            result,
            RESULTS[record.verdict],
            record.method.partition(" > ")[0],
            f"{1000 * record.seconds:.0f}",
            str(record.certificate_bytes or ""),
            "←" if differs else "",
        )
    print_table(console, table)


def _print_bound(console: Console, source: str, bound: float, records: Sequence[Record]) -> None:
    slowest = max(records, key=lambda record: record.seconds)
    same = sum(record.is_right for record in records)
    console.print(
        f"Each case took the paper less than {bound:g} s ({source}); here the slowest, {slowest.pair}, takes "
        f"{slowest.seconds:.2f} s with its audited certificate. {same} of {len(records)} verdicts are right.\n",
        highlight=False,
    )


def _print_errata(console: Console, records: Mapping[str, Record]) -> None:
    """A row for each erratum, with the pairs that would show it."""
    table = new_table("Errata: what is not taken over, and the pairs that would show it")
    for heading in ("where", "what", "pairs", "right here"):
        table.add_column(heading, justify="right" if heading in ("pairs", "right here") else "left")
    for where, what, pairs in papers.ERRATA:
        right = sum(records[pair].is_right for pair in pairs)
        table.add_row(where, what, str(len(pairs)), str(right))
    print_table(console, table)
