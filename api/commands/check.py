"""`tallystick check`: compares two programs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from tallystick.commands.options import (
    AS_JSON,
    AS_SETS,
    ASSUME,
    ASSUMPTIONS,
    BAG,
    COLLATION,
    DIALECT,
    EXITS,
    FORMAT,
    OUTPUT_FILE,
    PARAM,
    SCHEMA,
    SEMANTICS,
    SOLVER,
    SOURCE,
    TO,
    TYPES,
    QueryOrPath,
    in_dialects,
    is_given,
    is_sql,
    only,
    pairs,
    schema_of,
    timeout,
)
from tallystick.commands.printing import Shape, misreadings, on_a_terminal, path_of, print_as, print_text, shape_of
from tallystick.output import write
from tallystick.progress import waiting

if TYPE_CHECKING:
    from tallystick.frontends.sql.source import Source
    from tallystick.plans.verdict import PlanVerdict
    from tallystick.queries.verdict import SqlVerdict
    from tallystick.reports import Entry
    from tallystick.verdict import Verdict

EVERYWHERE = ("timeout", "replay", "no_replay", "certificate", "assumptions", "form", "as_json")
"""The options that apply to queries, to functions on RDDs and to functions that make DataFrames."""

OF_QUERIES = ("explain", "schema", "dialect", "to", "assume", "collation", "bag", "columns", "suggest", "script")
"""The options that apply to queries besides."""


@click.command()
@click.argument("before", type=QueryOrPath())
@click.argument("after", type=QueryOrPath())
@SOLVER
@TYPES
@timeout("deciding")
@click.option(
    "--replay",
    type=click.Choice(["reference", "spark", "duckdb", "own"]),
    help="Where the reading is tried: a counterexample is run again, and queries and functions that make DataFrames on "
    "random tables, too. Spark runs your functions; nothing else does. DuckDB runs queries only. `own` is the engine "
    "of each query's dialect, where Spark or DuckDB is that.",
)
@click.option("--no-replay", is_flag=True, help="For DataFrames: do not try the reading on Spark, as is done unasked.")
@SEMANTICS
@AS_SETS
@click.option("--certificate", type=OUTPUT_FILE, help="Write the certificate here.")
@click.option("--explain", is_flag=True, help="Walk through the answer, as `explain` does.")
@SCHEMA
@DIALECT
@TO
@ASSUME
@ASSUMPTIONS
@COLLATION
@BAG
@click.option("--columns", is_flag=True, help="For SQL: an answer for each output column, too.")
@click.option(
    "--suggest",
    is_flag=True,
    help="For SQL: say which constraints would make queries equivalent, in two seconds more. On a terminal, always.",
)
@PARAM
@SOURCE
@click.option("--script", type=OUTPUT_FILE, help="For tables: write the counterexample here, as CREATE and INSERT.")
@FORMAT
@AS_JSON
def check(
    before: Any,
    after: Any,
    solver: str,
    types: str | None,
    timeout: float,
    replay: str | None,
    no_replay: bool,
    semantics: str,
    as_sets: bool,
    certificate: Path | None,
    explain: bool,
    schema: Source | None,
    dialect: str,
    to: str | None,
    assume: tuple[str, ...],
    assumptions: bool,
    collation: str | None,
    bag: bool,
    columns: bool,
    suggest: bool,
    param: tuple[str, ...],
    source: tuple[str, ...],
    script: Path | None,
    form: str,
    as_json: bool,
) -> None:
    """Compare two PySpark functions, each given as PATH.py:FUNCTION, or two SQL queries, as files or texts; - is the
    query on standard input.

    Functions on RDDs and queries are parsed, not run. Queries need --schema. With --schema on the command line,
    functions make DataFrames of the tables that their parameters name: they are called on empty tables, in a process of
    its own.
    """
    shape = shape_of(form, as_json)
    if no_replay and replay not in (None, "reference"):
        raise click.UsageError(f"--no-replay contradicts --replay {replay}")
    if is_sql(before) or is_sql(after):
        only("queries", *EVERYWHERE, *OF_QUERIES)
        given: Any = {"dialect": in_dialects(dialect, to), "assume": assume, "collation": collation, "bag": bag}
        given |= {
            "timeout": timeout,
            "replay": replay or "reference",
            "columns": columns,
            "suggest": suggest,
            "schema": schema_of(schema),
        }
        raise SystemExit(_of_queries(before, after, given, assumptions, explain, shape, certificate, script))
    if schema is not None and is_given("schema"):
        only("functions that make DataFrames", *EVERYWHERE, "schema", "script", "param", "source")
        given = {"schema": schema, "timeout": timeout, "replay": "reference" if no_replay else replay}
        given |= {"param": pairs("--param", param), "source": pairs("--source", source)}
        raise SystemExit(_of_dataframes(before, after, given, assumptions, shape, certificate, script))
    only("functions on RDDs", *EVERYWHERE, "explain", "types", "solver", "semantics", "as_sets")
    if replay == "duckdb":
        raise click.UsageError("DuckDB runs queries, not functions")
    from tallystick.checking import check as check_pair
    from tallystick.decision.service.process import shared_prover

    shared_prover.fork()
    options: Any = {"solver": solver, "replay": replay or "reference", "semantics": semantics, "as_sets": as_sets}
    with waiting("deciding"):
        verdict = check_pair(before, after, types=types, timeout=timeout, **options)
    print_as(shape, lambda: str(verdict), verdict.to_json, lambda: [_entry(verdict, after, str(verdict))])
    if shape == "text" and explain:
        from tallystick.explaining import FORMATS, explained

        click.echo(f"\n{FORMATS['text'](explained(before, after, verdict, types))}", nl=False)
    if certificate is not None and verdict.certificate is not None:
        write(certificate, verdict.certificate)
    raise SystemExit(EXITS[str(verdict.verdict)])


def _entry(verdict: Verdict | SqlVerdict | PlanVerdict, after: Any, text: str) -> Entry:
    """An answer as a line of a report, at the file of the second program."""
    from tallystick.reports import Entry

    names = " and ".join(verdict.to_json()["programs"])
    return Entry(names, str(verdict.verdict), text, path_of(after), seconds=verdict.seconds)


def _of_queries(
    before: Any,
    after: Any,
    given: dict[str, Any],
    assumptions: bool,
    explain: bool,
    shape: Shape,
    certificate: Path | None,
    script: Path | None,
) -> int:
    """Compares two queries; constraints that would make them equal are searched for when the answer is printed."""
    from tallystick.queries.checking import check_sql

    with misreadings(shape, script), waiting("deciding"):
        answer = check_sql(before, after, **{**given, "suggest": given["suggest"] and shape != "text"})
    shown = answer.text(assumptions)
    print_as(shape, lambda: shown, answer.to_json, lambda: [_entry(answer, after, shown)])
    if shape == "text":
        if given["suggest"] or on_a_terminal():
            _suggest(answer, given["schema"])
        if explain:
            from tallystick.explaining.queries import walkthrough
            from tallystick.explaining.text_format import to_text

            click.echo(f"\n{to_text(walkthrough(answer))}", nl=False)
    if script is not None and answer.counterexample is not None:
        write(script, answer.script("spark" if given["replay"] == "spark" else "duckdb").encode())
    if certificate is not None and answer.certificate is not None:
        write(certificate, answer.certificate)
    return EXITS[str(answer.verdict)]


def _suggest(answer: SqlVerdict, schema: Source) -> None:
    """Prints what the schema of two queries lacks."""
    from tallystick.queries.missing import missing_constraints
    from tallystick.queries.verdict import missing_lines

    with waiting("looking for constraints that would make them equivalent"):
        lines = missing_lines(missing_constraints(answer, schema))
    if lines:
        print_text("\n".join(lines))


def _of_dataframes(
    before: Any,
    after: Any,
    given: dict[str, Any],
    assumptions: bool,
    shape: Shape,
    certificate: Path | None,
    script: Path | None,
) -> int:
    """Compares two functions that make DataFrames, and says first that they run."""
    if given["replay"] == "duckdb":
        raise click.UsageError("DuckDB runs queries, not functions")
    from tallystick.plans.functions import check_functions

    click.echo(f"calling {before} and {after} on empty tables of the schema, in a process of its own", err=True)
    with misreadings(shape, script), waiting("deciding"):
        verdict = check_functions(before, after, **given)
    shown = verdict.text(assumptions)
    print_as(shape, lambda: shown, verdict.to_json, lambda: [_entry(verdict, after, shown)])
    if script is not None and verdict.counterexample is not None:
        write(script, verdict.script())
    if certificate is not None and verdict.certificate is not None:
        write(certificate, verdict.certificate)
    return EXITS[str(verdict.verdict)]
