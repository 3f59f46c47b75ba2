"""`tallystick reproduce equitas FILE`: EQUITAS's table beside ours, and what the paper gets wrong."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import mean
from time import perf_counter

from rich.console import Console
from rich.padding import Padding
from rich.text import Text
from tallystick.core.queries.syntax import Aggregate, Join, Statement
from tallystick.core.queries.traversal import nodes
from tallystick.experiments.equitas.containment import equivalent_as_sets
from tallystick.experiments.equitas.published import BY_KIND, ERRATA, PUBLISHED, SCHEMA, SLIPS, Erratum
from tallystick.experiments.equitas.representation import UnsupportedError
from tallystick.experiments.progress import shown_progress
from tallystick.experiments.sql_suites.outcomes import Decided, decided
from tallystick.experiments.sql_suites.records import Record, read_record
from tallystick.experiments.tables import new_table, print_table
from tallystick.frontends.errors import SourceError
from tallystick.frontends.sql.dialects import DIALECTS
from tallystick.frontends.sql.reader import read_pair, read_schema
from tallystick.frontends.sql.source import SqlText

KINDS = ("SPJ", "aggregate", "outer join")


@dataclass(frozen=True, slots=True)
class Row:
    """One pair: what EQUITAS, made anew, says (None: not supported), its kinds, and what is decided here."""

    shown: bool | None
    seconds: float
    kinds: tuple[str, ...]
    ours: Decided

    @property
    def is_unsound(self) -> bool:
        """Whether EQUITAS proves what a label, or a database, says is different. As sets, both may be right."""
        return bool(self.shown) and (self.ours.outcome == "refuted" or self.ours.expected == "inequivalent")


def reproduce_equitas(records: Sequence[Record], seconds: float) -> None:
    """Runs EQUITAS, made anew with its errata mended, and our search on each pair, and prints all tables."""
    console = Console()
    rows: list[Row] = []
    with shown_progress("deciding", len(records), lambda: len(rows)):
        rows.extend(tried(record, seconds) for record in records)
    _print_published(console)
    _print_here(console, rows)
    _print_kinds(console, rows)
    _print_errata(console)


def tried(record: Record, seconds: float) -> Row:
    """What becomes of a record."""
    ours = decided(record, seconds)
    try:
        pair = read_record(record)
    except SourceError:
        return Row(None, 0.0, (), ours)
    kinds = kinds_of(pair.left, pair.right)
    start = perf_counter()
    try:
        shown: bool | None = equivalent_as_sets(pair.left, pair.right, seconds)
    except UnsupportedError:
        shown = None
    return Row(shown, perf_counter() - start, kinds, ours)


def kinds_of(*statements: Statement) -> tuple[str, ...]:
    """What a pair has of what the paper's table distinguishes."""
    found = list(nodes(*(statement.query for statement in statements)))
    kinds = []
    if any(isinstance(each, Aggregate) for each in found):
        kinds.append("aggregate")
    if any(isinstance(each, Join) and each.kind in ("left", "right", "full") for each in found):
        kinds.append("outer join")
    return tuple(kinds) or ("SPJ",)


def _print_published(console: Console) -> None:
    table = new_table("As published")
    for heading in ("tool", "pairs of", "pairs", "supported", "proved", "average s"):
        table.add_column(heading, justify="left" if heading in ("tool", "pairs of") else "right")
    for each in PUBLISHED:
        optional = ["" if value is None else str(value) for value in (each.supported, each.seconds)]
        table.add_row(each.tool, each.collection, str(each.pairs), optional[0], str(each.proved), optional[1])
    print_table(console, table)


def _print_here(console: Console, rows: Sequence[Row]) -> None:
    table = new_table("Here, on the pairs that were given")
    for heading in ("tool", "pairs", "supported", "proved", "refuted", "average s", "compares", "certificates"):
        table.add_column(heading, justify="left" if heading in ("tool", "compares", "certificates") else "right")
    supported = [row for row in rows if row.shown is not None]
    shown = [row for row in supported if row.shown]
    ours = [row.ours for row in rows if row.ours.outcome != "refused"]
    proved = [each for each in ours if each.outcome == "proved"]
    refuted = sum(each.outcome == "refuted" for each in ours)
    times = [f"{mean(part):.2f}" if part else "" for part in ([r.seconds for r in shown], [o.deciding for o in proved])]
    total = str(len(rows))
    table.add_row("EQUITAS, made anew", total, str(len(supported)), str(len(shown)), "", times[0], "sets", "no")
    table.add_row("Tallystick", total, str(len(ours)), str(len(proved)), str(refuted), times[1], "bags", "yes")
    print_table(console, table)
    for row in rows:
        if row.is_unsound:
            console.print(f"proved as sets, and different as bags: {row.ours.suite} {row.ours.pair}", highlight=False)


def _print_kinds(console: Console, rows: Sequence[Row]) -> None:
    table = new_table("Proved by kind: as published, and here")
    for heading in ("kind", "UDP", "EQUITAS", "pairs here", "EQUITAS, made anew", "Tallystick"):
        table.add_column(heading, justify="left" if heading == "kind" else "right")
    for kind in KINDS:
        these = [row for row in rows if kind in row.kinds]
        published = [str(BY_KIND[tool][kind][0]) if kind in BY_KIND[tool] else "" for tool in ("UDP", "EQUITAS")]
        ours = sum(row.ours.outcome == "proved" for row in these)
        table.add_row(kind, *published, str(len(these)), str(sum(bool(row.shown) for row in these)), str(ours))
    print_table(console, table)


def _print_errata(console: Console) -> None:
    console.print(Text("What must not be taken over from the paper", style="bold"))
    for each in ERRATA:
        as_printed, mended = verdicts(each)
        effect = "different queries are proved" if each.unsound else "equal queries are not proved"
        found = f"as printed {_word(as_printed)}, mended {_word(mended)}"
        console.print(Padding(Text(f"{each.where}: {each.what}; {effect} ({found})"), (0, 0, 0, 2)))
    for slip in SLIPS:
        console.print(Padding(Text(slip), (0, 0, 0, 2)))


def _word(proved: bool) -> str:
    return "proved" if proved else "not proved"


def verdicts(erratum: Erratum) -> tuple[bool, bool]:
    """Whether the pair of an erratum is proved by the rules as printed, and mended."""
    dialect = DIALECTS["calcite"]
    texts = [SqlText(text, "a query of an erratum") for text in (erratum.left, erratum.right)]
    pair = read_pair(texts[0], texts[1], read_schema(SCHEMA, dialect), dialect)
    as_printed = equivalent_as_sets(pair.left, pair.right, printed=True)
    return as_printed, equivalent_as_sets(pair.left, pair.right)
