"""Plans of Spark's optimiser: how many are proved right, how long that takes, and how much memory.

    python benchmarks/plans.py FOLDER [SUITE…] --results FOLDER

FOLDER has, for each suite of queries, a folder of `.sql` files, and its schema as SUITE-schema.json. All suites are
run, or those that are named. Prints a row a query, and totals beside the time that Spark takes to start; an interrupted
run goes on from its results. `python -m tallystick.experiments.plans_report` draws them.
"""

from __future__ import annotations

from pathlib import Path

import click
from tallystick.experiments.plans_report import table, totals
from tallystick.plans.running import Job, Limits, Record, run
from tallystick.plans.schemas import declared_tables
from tallystick.plans.validating import prepared, queries_in
from tallystick.replay.catalyst.process import SparkPlans

SCHEMA = "-schema.json"


@click.command()
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.argument("suites", nargs=-1)
@click.option("--results", type=click.Path(file_okay=False, path_type=Path), required=True)
@click.option("--seconds", default=50.0, help="of the processor, for one query")
@click.option("--memory", default=4096, help="mebibytes for one query")
def main(folder: Path, suites: tuple[str, ...], results: Path, seconds: float, memory: int) -> None:
    """Print what becomes of the plans of the suites in FOLDER."""
    results.mkdir(parents=True, exist_ok=True)
    everything: list[Record] = []
    starts: list[float] = []
    for name in suites or sorted(path.name.removesuffix(SCHEMA) for path in folder.glob(f"*{SCHEMA}")):
        with SparkPlans() as spark:
            starts.append(spark.start_seconds)
            tables = prepared(spark, declared_tables(folder / f"{name}{SCHEMA}"))
            job = Job(spark, {}, tables, Limits(seconds, memory))
            found = [record for record, _ in run(job, queries_in([str(folder / name)]), results / f"{name}.jsonl")]
        click.echo(f"{name}, Spark {spark.version}\n{table(found)}\n")
        everything += found
    click.echo("\n".join(["everything", *totals(everything)]))
    click.echo(f"Spark starts in {min(starts):.1f} s")


if __name__ == "__main__":
    main()
