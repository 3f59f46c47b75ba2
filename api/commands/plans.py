"""`tallystick plans`: checks what Spark's optimiser has made of queries."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click
from tallystick.commands.options import (
    EXIT_EQUIVALENT,
    EXIT_INEQUIVALENT,
    EXIT_UNKNOWN,
    OUTPUT_FILE,
    timeout,
)
from tallystick.commands.printing import print_text


@click.command()
@click.argument("queries", nargs=-1)
@click.option("--schema", required=True, help="The tables, as CREATE TABLE statements or JSON; a path or a text.")
@timeout("a query", 20.0)
@click.option("--each-rule", is_flag=True, help="If not proved at once, prove the optimiser's steps.")
@click.option("--spark-conf", multiple=True, metavar="KEY=VALUE", help="A setting of Spark; may be repeated.")
@click.option("--spark", metavar="MASTER", default="local[1]", show_default=True, help="The URL of the Spark master.")
@click.option("--python", metavar="PATH", help="A Python with the PySpark to check, 3.3 or newer, instead of this one.")
@click.option("--results", type=OUTPUT_FILE, help="Write a JSON object a query; go on where it ended.")
@click.option("--verbose", is_flag=True, help="Show each verdict in full.")
def plans(
    queries: tuple[str, ...],
    schema: str,
    timeout: float,
    each_rule: bool,
    spark_conf: tuple[str, ...],
    spark: str,
    python: str | None,
    results: Path | None,
    verbose: bool,
) -> None:
    """Check that the optimised plan of each query means what the analysed plan means.

    QUERIES are files of one query each, and folders of such; without any, one query is read from standard input. Spark
    runs in a process of its own, on empty tables of the schema.
    """
    settings = dict(_setting(each) for each in spark_conf)
    from tallystick.plans.schemas import declared_tables
    from tallystick.plans.validating import prepared, queries_in, query_text, validated
    from tallystick.replay.catalyst.process import SparkPlans
    from tallystick.verdict import Answer

    texts = queries_in(queries) if queries else [("the query", query_text(sys.stdin.read()))]
    declared = declared_tables(schema)
    known = _known(results)
    answers = [Answer(known[name]) for name, _ in texts if name in known]
    with SparkPlans(settings, spark, python or sys.executable) as process:
        tables = prepared(process, declared)
        for name, query in texts:
            if name in known:
                continue
            found = validated(process, name, query, tables, timeout, each_rule)
            answers.append(found.verdict.verdict)
            print_text(_shown(found, verbose))
            if results is not None:
                with results.open("a", encoding="utf-8") as stream:
                    stream.write(json.dumps(found.to_json()) + "\n")
    counts = {answer: answers.count(answer) for answer in Answer}
    print_text(
        f"Spark {process.version}: {len(answers)} queries, {counts[Answer.EQUIVALENT]} optimised plans proved equal, "
        f"{counts[Answer.INEQUIVALENT]} wrong, {counts[Answer.UNKNOWN]} not known"
    )
    status = EXIT_UNKNOWN if counts[Answer.UNKNOWN] else EXIT_EQUIVALENT
    raise SystemExit(EXIT_INEQUIVALENT if counts[Answer.INEQUIVALENT] else status)


def _shown(found: object, verbose: bool) -> str:
    from tallystick.plans.validating import Validation
    from tallystick.verdict import Answer

    assert isinstance(found, Validation)
    verdict = found.verdict
    times = f"{found.optimizer_seconds:6.2f} s in Spark {verdict.seconds:6.2f} s here  {len(found.rules):3} rules"
    line = f"{verdict.verdict!s:12} {times}  {found.query}"
    if verdict.verdict is Answer.EQUIVALENT and not verbose:
        return line
    shown = "\n".join(f"    {each}" for each in str(verdict).splitlines())
    if verbose:
        shown += f"\n      effective rules: {', '.join(found.rules)}"
    return f"{line}\n{shown}"


def _setting(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not equals or not key:
        raise click.UsageError(f"--spark-conf {text!r} is no KEY=VALUE")
    return key, value


def _known(results: Path | None) -> dict[str, str]:
    """The verdicts that a file of results has already."""
    if results is None or not results.exists():
        return {}
    records = (json.loads(line) for line in results.read_text(encoding="utf-8").splitlines() if line)
    return {record["query"]: record["verdict"] for record in records}
