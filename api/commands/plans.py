"""`tallystick plans`: checks what Spark's optimiser has made of queries."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click
from tallystick.commands.options import (
    EXIT_DEFECT,
    EXIT_EQUIVALENT,
    EXIT_INEQUIVALENT,
    EXIT_UNKNOWN,
    FORMAT,
    MEMORY,
    OUTPUT_FILE,
    STANDARD_INPUT,
    QueryOrPath,
    read_standard_input,
    timeout,
)
from tallystick.commands.printing import path_of, print_report, print_text

if TYPE_CHECKING:
    from tallystick.frontends.sql.source import Source
    from tallystick.plans.validating import Validation
    from tallystick.reports import Entry, Form


@click.command()
@click.argument("queries", nargs=-1)
@click.option(
    "--schema",
    type=QueryOrPath(),
    required=True,
    help="The tables, as CREATE TABLE statements or JSON; a path or a text.",
)
@timeout("a query", 50.0)
@MEMORY
@click.option("--each-rule", is_flag=True, help="If not proved at once, prove the optimiser's steps.")
@click.option("--spark-conf", multiple=True, metavar="KEY=VALUE", help="A setting of Spark; may be repeated.")
@click.option("--spark", metavar="MASTER", help='Decide on the workers of this Spark, such as "local[2]".')
@click.option("--python", metavar="PATH", help="A Python with the PySpark to check, 3.3 or newer, instead of this one.")
@click.option("--random", type=click.IntRange(min=1), metavar="N", help="Instead of files: so many random queries.")
@click.option("--seed", type=int, default=1, show_default=True, help="What random queries are drawn from.")
@click.option("--results", type=OUTPUT_FILE, help="Write a JSON object a query; go on where it ended.")
@click.option("--no-replay", is_flag=True, help="Do not try the reading of plans by running queries on small tables.")
@click.option("--verbose", is_flag=True, help="Show each verdict in full.")
@FORMAT
def plans(
    queries: tuple[str, ...],
    schema: Source,
    timeout: float,
    memory: int,
    each_rule: bool,
    spark_conf: tuple[str, ...],
    spark: str | None,
    python: str | None,
    random: int | None,
    seed: int,
    results: Path | None,
    no_replay: bool,
    verbose: bool,
    form: Literal["text"] | Form,
) -> None:
    """Check that the optimised plan of each query means what the analysed plan means.

    QUERIES are files of one query each, and folders of such; - or none is one query on standard input. Spark runs in
    a process of its own, on empty tables of the schema; it also runs each query on a few small tables, to try what was
    read. With --results, an interrupted run goes on where it was when the command is given again. Times are of the
    processor. With --random, queries are drawn over the schema, and shown where they are not proved.
    """
    settings = dict(_setting(each) for each in spark_conf)
    from tallystick.experiments.plans_report import totals
    from tallystick.plans.random_queries import random_queries
    from tallystick.plans.running import Job, Limits, run
    from tallystick.plans.schemas import declared_tables
    from tallystick.plans.trying import UNASKED
    from tallystick.plans.validating import prepared, queries_in, query_text
    from tallystick.replay.catalyst.process import SparkPlans

    declared = declared_tables(schema)
    if random is not None and queries:
        raise click.UsageError("--random draws queries: name no files")
    texts = [] if random is None else list(random_queries(declared, random, seed))
    for each in queries or ("-",) * (random is None):
        texts += [(STANDARD_INPUT, query_text(read_standard_input()))] if each == "-" else queries_in([each])
    records, entries = [], []
    with SparkPlans(settings, python=python or sys.executable) as process:
        limits = Limits(timeout, memory, each_rule, 0 if no_replay else UNASKED)
        job = Job(process, settings, prepared(process, declared), limits, spark)
        for record, found in run(job, texts, results):
            records.append(record)
            if form != "text":
                entries.append(_entry(record, found))
            elif found is not None:
                print_text(_shown(record, found, verbose))
                if random is not None and record["verdict"] != "equivalent":
                    print_text(f"    {dict(texts)[record['query']]}")
    if form != "text":
        print_report(form, entries)
    else:
        print_text("\n".join([f"Spark {process.version} started in {process.start_seconds:.1f} s", *totals(records)]))
    if any(record["misread"] for record in records):
        raise SystemExit(EXIT_DEFECT)
    verdicts = {record["verdict"] for record in records}
    status = EXIT_UNKNOWN if "unknown" in verdicts else EXIT_EQUIVALENT
    raise SystemExit(EXIT_INEQUIVALENT if "inequivalent" in verdicts else status)


def _entry(record: dict[str, Any], found: Validation | None) -> Entry:
    """An answer as a line of a report; of a record of an earlier run, what it holds."""
    from tallystick.reports import Entry

    answer = "misread" if record["misread"] else record["verdict"]
    text = f"{answer}: {record['query']}" if found is None else str(found.misread or found.verdict)
    return Entry(record["query"], answer, text, path_of(record["query"]), seconds=record["seconds"])


def _shown(record: dict[str, Any], found: Validation, verbose: bool) -> str:
    """A line of numbers, and the verdict where it is not a proof."""
    taken = (
        f"{found.optimizer_seconds:6.2f} s in Spark {found.processor_seconds:7.2f} s {found.memory_mebibytes:6.0f} MiB "
        f"here {record['certificate_bytes']:9} B {len(found.rules):3} rules"
    )
    line = f"{record['verdict']:12} {taken}  {found.query}"
    if record["verdict"] == "equivalent" and not verbose:
        return line
    answer = found.verdict.text(assumptions=verbose) if found.misread is None else str(found.misread)
    shown = "\n".join(f"    {each}" for each in answer.splitlines())
    if verbose:
        shown += f"\n      effective rules: {', '.join(found.rules)}"
    return f"{line}\n{shown}"


def _setting(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not equals or not key:
        raise click.UsageError(f"--spark-conf {text!r} is no KEY=VALUE")
    return key, value
