"""Tables of records, for people: of single pairs, and of what Spark SQL says about many."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
"""Longer names of pairs may be broken over several lines."""
MOST_REASONS = 5
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

BY_SIZE = """
    select 10 * floor(terms / 10) as `terms from`,
           count(*) as pairs,
           round(avg(operators), 1) as operators,
           round(avg(folds), 1) as folds,
           round(100 * count_if(verdict <> 'unknown') / count(*), 1) as `decided %`,
           round(1000 * percentile(seconds, 0.5), 1) as `median ms`,
           round(1000 * max(seconds), 0) as `longest ms`
    from records group by 1 order by 1
"""


def print_records(
    console: Console, title: str, records: Sequence[Record], validations: Mapping[str, Validation]
) -> None:
    """Prints a row for each pair of a small suite; of a large one, the pairs whose verdict is wrong."""
    shown = [record for record in records if len(records) <= MOST_ROWS or record.is_wrong][:MOST_ROWS]
    if not shown:
        return
    headings = ["pair", "class", "verdict", "method", "ms", "bytes", *["on Spark"] * bool(validations)]
    table = new_table(title)
    for heading in headings:
        table.add_column(heading, justify="right" if heading in ("ms", "bytes") else "left", no_wrap=heading != "pair")
    table.columns[0].min_width = min(LONGEST_PAIR, max(len(record.pair) for record in shown))
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
    console.print(table)


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
    """What is right and wrong, how fast it was, and what the distribution cost, in a few lines."""
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
    if run.decided:
        cores = f"{run.cores} core{'s' * (run.cores != 1)}"
        lines.append(
            f"{run.decided} pairs in {run.seconds:.2f} s on {cores}: {run.decided / run.seconds:.1f} pairs/s; "
            f"{100 * run.overhead:.0f} % of the time went into anything but deciding and auditing."
        )
    return "\n".join(lines)


def print_query(console: Console, spark: SparkSession, title: str, query: str) -> None:
    """Prints what Spark SQL answers as a table."""
    frame = spark.sql(query)
    table = new_table(title)
    for name, kind in frame.dtypes:
        table.add_column(name, justify="left" if kind == "string" else "right", no_wrap=True)
    for row in frame.collect():
        table.add_row(*(shown(value) for value in row))
    console.print(table)


def new_table(title: str) -> Table:
    """An empty table in the style of all tables here."""
    return Table(title=title, box=box.SIMPLE_HEAD, title_justify="left", title_style="bold", padding=(0, 1, 0, 0))


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
