"""`tallystick explain`: walks through a pair."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
from tallystick.commands.options import (
    AS_SETS,
    ASSUME,
    COLLATION,
    DIALECT,
    OUTPUT_FILE,
    SCHEMA,
    SEMANTICS,
    SOLVER,
    TO,
    TYPES,
    QueryOrPath,
    in_dialects,
    is_sql,
    only,
    schema_of,
    timeout,
)
from tallystick.output import write
from tallystick.progress import waiting

EVERYWHERE = ("format_name", "output", "timeout")


@click.command()
@click.argument("before", type=QueryOrPath())
@click.argument("after", type=QueryOrPath())
@click.option(
    "--format",
    "format_name",
    type=click.Choice(["text", "markdown", "latex", "html"]),
    default="text",
    show_default=True,
    help="How to write the explanation.",
)
@click.option("--output", "-o", type=OUTPUT_FILE, help="Write it to this file.")
@SOLVER
@TYPES
@timeout("deciding")
@SEMANTICS
@AS_SETS
@SCHEMA
@DIALECT
@TO
@ASSUME
@COLLATION
def explain(
    before: Any,
    after: Any,
    format_name: str,
    output: Path | None,
    schema: Any,
    dialect: str,
    to: str | None,
    assume: tuple[str, ...],
    collation: str | None,
    **options: Any,
) -> None:
    """Walk through a pair: the counterexample, or programs, program terms, class, formulas, proof and evidence.

    For two queries, which need --schema: queries, tables, normal forms step by step, proof and constraints used.
    The exit status is 0 whatever the verdict is: an explanation of a difference is an explanation.
    """
    if is_sql(before) or is_sql(after):
        from tallystick.explaining.queries import walkthrough
        from tallystick.queries.checking import check_sql

        only("queries", *EVERYWHERE, "schema", "dialect", "to", "assume", "collation")
        tables = schema_of(schema)
        with waiting("deciding"):
            given = {
                "dialect": in_dialects(dialect, to),
                "assume": assume,
                "collation": collation,
                "timeout": options["timeout"],
            }
            verdict = check_sql(before, after, schema=tables, **given)
        document = walkthrough(verdict)
    else:
        only("functions on RDDs", *EVERYWHERE, "types", "solver", "semantics", "as_sets")
        from tallystick.decision.service.process import shared_prover
        from tallystick.explaining import explain as explain_pair

        shared_prover.fork()
        with waiting("deciding"):
            document = explain_pair(before, after, **options)
    from tallystick.explaining import FORMATS

    written = FORMATS[format_name](document)
    if output is None:
        click.echo(written, nl=False)
    else:
        write(output, written)
