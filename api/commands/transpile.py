"""`tallystick transpile`: sqlglot's translation of queries, proved or refuted."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from tallystick.commands.options import (
    AS_JSON,
    EXIT_BAD_INPUT,
    EXITS,
    OUTPUT_FILE,
    SCHEMA,
    QueryOrPath,
    dialect,
    schema_of,
    timeout,
)
from tallystick.commands.printing import misreadings, print_json, print_text
from tallystick.output import write
from tallystick.progress import waiting

if TYPE_CHECKING:
    from tallystick.frontends.sql.source import Source


@click.command()
@click.argument("source", type=QueryOrPath())
@dialect("The dialect of the queries and of the schema.", "spark", "--from", "own")
@dialect("The dialect of the translation; default: the same.", None, "--to", "to")
@SCHEMA
@click.option("--optimize", "optimized", is_flag=True, help="Rewrite the queries by sqlglot's optimiser, too.")
@timeout("a statement", 10.0)
@click.option(
    "--replay",
    type=click.Choice(["reference", "own"]),
    default="reference",
    show_default=True,
    help="`own`: run both texts on the engines of their dialects, where Spark or DuckDB is that.",
)
@click.option("--output", "-o", type=OUTPUT_FILE, help="Write the translation to this file, if all of it is proved.")
@AS_JSON
def transpile(
    source: Any,
    own: str,
    to: str | None,
    schema: Source | None,
    optimized: bool,
    timeout: float,
    replay: Any,
    output: Path | None,
    as_json: bool,
) -> None:
    """Translate the queries of a file, or of a text, by sqlglot into another dialect, and compare each with its
    translation.

    The exit status is that of `check`: 0 if all are equivalent, 1 if one is not, 2 if one is not known, and 3 if one
    has no translation or is not read.
    """
    from tallystick.queries.transpiling import transpile_sql, worst

    with misreadings("json" if as_json else "text"), waiting("translating and deciding"):
        found = transpile_sql(
            source,
            schema=schema_of(schema),
            dialect=(own, to or own),
            optimized=optimized,
            timeout=timeout,
            replay=replay,
        )
    answer = worst(found)
    if as_json:
        verdict = answer if answer in EXITS else "error"
        names = [each.source.name for each in found]
        print_json({"verdict": verdict, "programs": names, "translations": [each.to_json() for each in found]})
    else:
        print_text("\n\n".join(str(each).rstrip() for each in found))
    if output is not None and answer == "equivalent":
        write(output, "".join(f"{each.text};\n" for each in found))
    raise SystemExit(EXITS.get(answer, EXIT_BAD_INPUT))
