"""Databases that tell the inequivalent pairs of SQL suites apart, each also run on DuckDB, or on Spark.

    python benchmarks/refutations.py FOLDER [FILE…] [--engine spark]

A database is *confirmed* where the engine returns for both queries what the reference interpreter does: rows that
differ. Texts run as they are written, plans as they are printed. Pairs that are refused and that no database is found
for are listed with the reasons.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import click
from sqlglot.errors import SqlglotError
from tallystick.core.errors import FragmentError
from tallystick.decision.queries.counterexamples.search import DistinguishingDatabase
from tallystick.decision.queries.deciding import Proved
from tallystick.decision.queries.portfolio import Portfolio
from tallystick.experiments.sql_suites.outcomes import looking
from tallystick.experiments.sql_suites.records import Record, SuitePair, is_suite, read_record, records
from tallystick.frontends.errors import SourceError
from tallystick.frontends.sql.printing.databases import script
from tallystick.frontends.sql.printing.queries import statement_text
from tallystick.frontends.sql.printing.translation import translated
from tallystick.replay.sql_engines import EngineError, agrees, on_duckdb, on_spark

Run = Callable[[Sequence[str], Sequence[str]], list[list[tuple[Any, ...]]]]


@click.command()
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.argument("files", nargs=-1)
@click.option("--seconds", default=10.0, help="for one pair")
@click.option("--engine", type=click.Choice(["duckdb", "spark"]), default="duckdb")
def main(folder: Path, files: tuple[str, ...], seconds: float, engine: str) -> None:
    """Print how many of the inequivalent pairs of the suites in FOLDER are refuted, and confirmed."""
    if engine == "duckdb":
        _suites(folder, files, seconds, engine, on_duckdb)
    else:
        from tallystick.replay.session import spark_session

        with spark_session("local[1]") as spark:
            _suites(folder, files, seconds, engine, lambda setup, queries: on_spark(spark, setup, queries))


def _suites(folder: Path, files: tuple[str, ...], seconds: float, engine: str, run: Run) -> None:
    everything: Counter[str] = Counter()
    for path in sorted(folder.iterdir()):
        if (files and path.name not in files) or not is_suite(path):
            continue
        counts: Counter[str] = Counter()
        for record in records(path):
            if record.expected == "inequivalent":
                became, why = _became(record, seconds, engine, run)
                counts[became] += 1
                if became != "confirmed":
                    click.echo(f"  {record.name}: {became}: {why}")
        if counts:
            click.echo(f"{path.name}: {_told(counts)}")
        everything += counts
    click.echo(f"all: {_told(everything)}")


def _told(counts: Counter[str]) -> str:
    return f"{counts.total()} inequivalent; " + ", ".join(f"{what}: {count}" for what, count in sorted(counts.items()))


def _became(record: Record, seconds: float, engine: str, run: Run) -> tuple[str, str]:
    """What became of a pair, and why it is no more."""
    try:
        pair = read_record(record)
    except SourceError as refusal:
        return "refused", refusal.message
    portfolio = Portfolio(pair.left, pair.right, pair.catalogue, seconds, looking(pair))
    found = next(portfolio.answers(), None)
    if found is None:
        return "unknown", portfolio.unrefuted
    if isinstance(found, Proved):
        return "PROVED", "which contradicts the label"
    problem = _problem(record, pair, found, engine, run)
    return ("confirmed", "") if problem is None else ("refuted by the reference interpreter alone", problem)


def _problem(record: Record, pair: SuitePair, found: DistinguishingDatabase, engine: str, run: Run) -> str | None:
    """Why the engine does not confirm a database; None where it does."""
    sides = ((pair.left, found.left), (pair.right, found.right))
    problem = None
    for written in (True, False):
        try:
            if written:
                texts = [translated(text, pair.dialect, engine) for text in record.texts]
            else:
                texts = [statement_text(side, pair.catalogue, engine) for side, _ in sides]  # type: ignore[arg-type]
            returned = run(script(pair.catalogue, found.database, engine), texts)  # type: ignore[arg-type]
        except (EngineError, FragmentError, SourceError, SqlglotError, ValueError) as error:
            problem = str(error).strip().splitlines()[0]
            continue
        if all(agrees(out, rows, side.columns) for (side, out), rows in zip(sides, returned, strict=True)):
            return None
        return "the engine returns other rows"
    return problem


if __name__ == "__main__":
    main()
