"""Tables of records, for people: of single pairs, and of what Spark SQL says about many."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from statistics import median
from typing import TYPE_CHECKING, Any

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text
from tallystick.experiments.cross_validation import Validation
from tallystick.experiments.records import Record
from tallystick.experiments.running import Run

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

MOST_ROWS = 60
"""A suite with more pairs is not listed pair by pair: only those whose verdict is wrong."""

LONGEST_PAIR = 12
"""Longer texts, such as names of pairs, may be broken over several lines."""
MOST_REASONS = 5
WIDEST = 10_000
"""Columns, more than any table has."""
MOST_CHARACTERS = 300

BY_CLASS = """
    select coalesce(nullif(program_class, ''), '–') as class,
           count(*) as pairs,
           count_if(verdict = 'equivalent') as `=`,
           count_if(verdict = 'inequivalent') as `≠`,
           count_if(verdict = 'unknown') as `?`,
           count_if(verdict <> expected and verdict <> 'unknown') as wrong,
           round(1000 * percentile(seconds, 0.5), 1) as `median ms`,
           round(1000 * percentile(seconds, 0.95), 1) as `95 % ms`,
           cast(percentile(if(certificate_bytes > 0, certificate_bytes, null), 0.5) as bigint) as `median bytes`
    from records group by 1 order by 1
"""

_OF_SIZE = """
    select {size} as `{name}`,
           count(*) as pairs,
           round(100 * count_if(verdict <> 'unknown') / count(*), 1) as `decided %`,
           round(1000 * percentile(seconds, 0.5), 1) as `median ms`,
           round(1000 * percentile(seconds, 0.95), 1) as `95 % ms`,
           round(1000 * max(seconds), 0) as `longest ms`,
           cast(percentile(if(certificate_bytes > 0, certificate_bytes, null), 0.5) as bigint) as `median bytes`
    from records group by 1 order by 1
"""
BY_SIZE = {
    "Cost by operators over bags": _OF_SIZE.format(size="3 * floor(operators / 3)", name="operators from"),
    "Cost by distinct terms in functions": _OF_SIZE.format(size="10 * floor(udf_terms / 10)", name="terms from"),
    "Cost by folds": _OF_SIZE.format(size="folds", name="folds"),
}
"""What pairs of each size cost; sizes are those of both programs of a pair together."""


def print_records(
    console: Console, title: str, records: Sequence[Record], validations: Mapping[str, Validation]
) -> None:
    """Prints a row for each pair of a small suite; of a large one, the pairs whose verdict is wrong."""
    shown = [record for record in records if len(records) <= MOST_ROWS or record.is_wrong][:MOST_ROWS]
    if not shown:
        return
    headings = ["pair", "class", "verdict", "method", "ms", "bytes", *["Spark"] * bool(validations)]
    table = new_table(title)
    for heading in headings:
        table.add_column(
            heading,
            justify="right" if heading in ("ms", "bytes") else "left",
            no_wrap=heading not in ("pair", "method"),
            overflow="fold",
        )
    for record in shown:
        cells = [
            Text(record.pair),
            record.program_class,
            f"{record.verdict}{_mark(record)}",
            record.method.partition(" > ")[0],
            f"{1000 * record.seconds:.0f}",
            str(record.certificate_bytes or ""),
            str(validations.get(record.pair, "")),
        ]
        table.add_row(*cells[: len(headings)])
    print_table(console, table)


def print_reasons(console: Console, records: Sequence[Record]) -> None:
    """Prints why pairs could not be decided, the commonest reasons first."""
    pairs: dict[str, list[str]] = {}
    for record in records:
        if record.verdict == "unknown":
            pairs.setdefault(_reasons(record), []).append(record.pair)
    for reasons, names in sorted(pairs.items(), key=lambda entry: -len(entry[1]))[:MOST_REASONS]:
        which = f"{names[0]} and {len(names) - 1} more are" if len(names) > 1 else f"{names[0]} is"
        console.print(Text(f"{which} unknown:\n{reasons}"))
    if len(pairs) > MOST_REASONS:
        rest = sum(map(len, pairs.values())) - sum(sorted(map(len, pairs.values()))[-MOST_REASONS:])
        console.print(f"{rest} more are unknown for other reasons, which their records have.")


def _reasons(record: Record) -> str:
    """The reasons for an unknown verdict, each with the methods that gave it."""
    methods: dict[str, list[str]] = {}
    for method, reason in record.reasons.items():
        methods.setdefault(reason, []).append(method)
    return "\n".join(f"  {reason[:MOST_CHARACTERS]} ({', '.join(names)})" for reason, names in methods.items())


def summary(run: Run) -> str:
    """What is right and wrong, and how long a pair takes, in a few lines."""
    records = run.records
    known = [record for record in records if record.expected is not None]
    right, wrong = sum(record.is_right for record in known), sum(record.is_wrong for record in known)
    decided = sum(record.verdict != "unknown" for record in records)
    lines = [
        f"{right} of {len(known)} verdicts are the known ones, {wrong} are wrong; "
        f"{decided} of {len(records)} pairs are decided ({_percent(decided, len(records))})."
    ]
    if records:
        milliseconds = [1000 * record.seconds for record in records]
        lines.append(f"A pair takes {median(milliseconds):.0f} ms (median), the slowest {max(milliseconds):.0f} ms.")
    if run.decided < len(records):
        lines.append(f"{len(records) - run.decided} pairs had records already and were not decided again.")
    return "\n".join(lines)


def validated(validations: Collection[Validation]) -> str:
    """What was run on Spark, in a sentence."""
    differing = sum(validation.differed for validation in validations)
    inputs = sum(validation.inputs for validation in validations if not validation.differed)
    return (
        f"Spark agrees with all verdicts that it was asked about: {differing} counterexamples, and "
        f"{len(validations) - differing} equivalent pairs on {inputs} inputs."
        if validations
        else "No pair has a PySpark source and a verdict that Spark could be asked about."
    )


def print_throughput(console: Console, runs: Mapping[str, Run]) -> None:
    """Prints how fast each run was, by where it ran, and the share of its time that the distribution cost."""
    runs = {where: run for where, run in runs.items() if run.decided}
    if not runs:
        return
    table = new_table("Throughput")
    for heading in ("where", "cores", "pairs", "seconds", "pairs/s", "overhead %", "speed"):
        table.add_column(heading, justify="left" if heading == "where" else "right", no_wrap=True)
    first = next(iter(runs.values()))
    for where, run in runs.items():
        speed = run.speed / first.speed
        numbers = (f"{run.seconds:.1f}", f"{run.speed:.1f}", f"{100 * run.overhead:.1f}", f"{speed:.2f}")
        table.add_row(where, str(run.cores), str(run.decided), *numbers)
    print_table(console, table)
    console.print("Overhead is the cores' time that did not go into deciding and auditing.", highlight=False)


def print_query(console: Console, spark: SparkSession, title: str, query: str) -> None:
    """Prints what Spark SQL answers as a table."""
    frame = spark.sql(query)
    table = new_table(title)
    for name, kind in frame.dtypes:
        table.add_column(name, justify="left" if kind == "string" else "right", no_wrap=True)
    for row in frame.collect():
        table.add_row(*(shown(value) for value in row))
    print_table(console, table)


def print_table(console: Console, table: Table) -> None:
    """Prints a table and an empty line. Where it is wider than the console, its texts are wrapped; nothing is cut."""
    wide = console.options.update_width(WIDEST)
    for column in table.columns:
        widest = max(console.measure(cell, options=wide).maximum for cell in (column.header, *column.cells))
        column.min_width = widest if column.no_wrap else min(widest, LONGEST_PAIR)
    needed = console.measure(table, options=wide).minimum
    console.width = max(console.width, needed)
    console.print(table)
    console.print()


def new_table(title: str) -> Table:
    """An empty table in the style of all tables here."""
    return Table(
        title=title,
        box=box.SIMPLE_HEAD,
        title_justify="left",
        title_style="bold",
        padding=(0, 1, 0, 0),
        show_edge=False,
    )


def shown(value: Any) -> Text:
    """A value in a table: nothing for None."""
    return Text("" if value is None else str(value))


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %" if whole else "none"


def _is_as_known(record: Record) -> bool:
    return record.is_right or (record.expected is None and record.verdict != "unknown")


def _mark(record: Record) -> str:
    if record.is_wrong:
        return " WRONG"
    return "" if _is_as_known(record) or record.expected is None else f" ({record.expected})"
