"""`tallystick dataflow`: compares two versions of a workflow."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from math import inf
from pathlib import Path
from threading import current_thread, main_thread
from typing import TYPE_CHECKING, Any, Literal

import click
from tallystick.commands.options import (
    AS_JSON,
    ASSUME,
    ASSUMPTIONS,
    COLLATION,
    FORMAT,
    INPUT_FILE,
    OUTPUT_FILE,
    OUTPUT_FOLDER,
    TOTAL,
    QueryOrPath,
    timeout,
)
from tallystick.commands.options import dialect as dialect_option
from tallystick.commands.printing import Shape, print_as, shape_of
from tallystick.output import append, write
from tallystick.progress import shows_signs

if TYPE_CHECKING:
    from tallystick.dataflow.verdict import DataflowVerdict
    from tallystick.frontends.sql.source import Source


@click.command()
@click.argument("old", type=click.Path(path_type=Path))
@click.argument("new", type=click.Path(path_type=Path))
@click.option("--schema", type=QueryOrPath(), help="The sources, as CREATE TABLE statements or JSON; a path or a text.")
@dialect_option("What the texts mean; that of the dbt adapter, or spark, if it is not given.")
@ASSUME
@ASSUMPTIONS
@COLLATION
@click.option("--functions", type=INPUT_FILE, help="Python that defines functions of workflows, to be called.")
@click.option("--select", multiple=True, metavar="NAME", help="Only these models; * stands for any letters.")
@click.option("--columns", is_flag=True, help="An answer for each column, too.")
@timeout("the proof of a model", 10.0)
@TOTAL
@click.option("--certificate", type=OUTPUT_FILE, help="Write the certificate of all answers here.")
@click.option("--html", type=OUTPUT_FILE, help="Write a picture here: a page that needs nothing else.")
@FORMAT
@click.option("--summary", type=OUTPUT_FILE, help="Append the answer here, as Markdown.")
@click.option("--history", type=OUTPUT_FOLDER, help="Keep certificates here, and use those that are there.")
@click.option(
    "--replay",
    type=click.Choice(["reference", "duckdb", "spark"]),
    default="reference",
    show_default=True,
    help="Where differences are run again.",
)
@click.option("--coverage", is_flag=True, help="Say what was not read, and why, by how many models that concerns.")
@click.option("--verbose", is_flag=True, help="List all models, and show an input for each that differs.")
@AS_JSON
def dataflow(old: Path, new: Path, **options: Any) -> None:
    """Compare two versions of a workflow, model by model.

    OLD and NEW are folders of .sql files, which need --schema: each file is a model, and others read it by its name. Or
    they are projects of dbt, their target folders or manifests, of dbt 1.6 or newer, after dbt compile; the types of
    sources are those of catalog.json, or of data_type in the project, or of --schema. Or they are workflows in JSON, of
    operators and functions of your own; or exported by Texera, with a table of --schema for each file that is scanned.
    Or they are pipelines of PySpark, .py files or folders of these, over the tables of --schema: functions that take
    and return DataFrames, which are called on empty tables, in a process of their own.

    A model is unchanged if it holds the same rows whatever the sources hold, and changed if there is an input on which
    it does not. The exit status is 0 if all are unchanged, 1 if one is changed, added or removed, and else 2; after an
    interrupt, which leaves what is found by then, 130.
    """
    raise SystemExit(compare(old, new, (str(old), str(new)), **options))


def compare(
    old: Path,
    new: Path,
    names: tuple[str, str],
    *,
    schema: Source | None,
    dialect: str | None,
    assume: tuple[str, ...],
    assumptions: bool,
    collation: str | None,
    functions: Path | None,
    select: tuple[str, ...],
    columns: bool,
    timeout: float,
    total: float | None,
    certificate: Path | None,
    html: Path | None,
    form: str,
    summary: Path | None,
    history: Path | None,
    replay: Literal["reference", "duckdb", "spark"],
    coverage: bool,
    verbose: bool,
    as_json: bool,
) -> int:
    """Compares two versions that are called by their names, prints the answer, and returns the exit status.

    Raises KeyboardInterrupt where one has ended the work, after what was found is printed.
    """
    shape = shape_of(form, as_json)
    if coverage and shape not in ("text", "json"):
        raise click.UsageError(f"--coverage does not apply to --format {shape}; --json has it, too")
    from tallystick.dataflow.comparing import compared
    from tallystick.dataflow.history import History
    from tallystick.dataflow.reading import read_versions
    from tallystick.dataflow.selecting import selected
    from tallystick.dataflow.sweep.calling import FunctionsProcess
    from tallystick.dataflow.sweep.sweeping import SweepLimits
    from tallystick.frontends.pipelines.functions import is_pipeline

    if is_pipeline(old) and is_pipeline(new):
        click.echo(
            f"calling the functions of {names[0]} and {names[1]} on empty tables, in a process of its own", err=True
        )
    pair = read_versions(old, new, schema=schema, dialect=dialect, assume=assume, collation=collation)
    called = None if functions is None else FunctionsProcess(functions)
    if called is not None:
        pair = replace(pair, functions=called.functions())
    pair, wanted, idle = selected(pair, select)
    for pattern in idle:
        click.echo(f"warning: no model fits --select {pattern!r}", err=True)
    earlier = None if history is None else History(history)
    for name in earlier.refused if earlier is not None else ():
        click.echo(f"note: {name} of the history is passed over: no audit accepts it", err=True)
    limits = SweepLimits(seconds=timeout, total=inf if total is None else total)
    with _ended_by_signals():
        verdict = compared(pair, columns=columns, limits=limits, history=earlier, progress=_progress).only(wanted)
    if replay != "reference" and not verdict.interrupted:
        from tallystick.dataflow.replaying import replayed

        verdict = replayed(verdict, replay)
    for name, failure in called.failures.items() if called is not None else ():
        click.echo(f"note: the function {name} fails on some inputs, which are passed over: {failure}", err=True)
    _print(verdict, names, new, shape, verbose, assumptions)
    if coverage and shape == "text":
        from tallystick.dataflow.showing.text import coverage as lines

        click.echo("\n".join(("", *lines(verdict.pair))))
    _write(verdict, certificate, summary, html)
    if verdict.interrupted:
        raise KeyboardInterrupt
    return verdict.exit_status


def _write(verdict: DataflowVerdict, certificate: Path | None, summary: Path | None, html: Path | None) -> None:
    if certificate is not None and verdict.certificate is not None:
        write(certificate, verdict.certificate)
    if summary is not None:
        from tallystick.dataflow.showing.markdown import markdown

        append(summary, markdown(verdict))
    if html is not None:
        from tallystick.dataflow.showing.picture import picture

        write(html, picture(verdict))


@contextmanager
def _ended_by_signals() -> Iterator[None]:
    """SIGTERM interrupts what runs in its block, as Ctrl-C does."""
    if current_thread() is not main_thread():
        yield
        return
    earlier = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, earlier)


def _print(
    verdict: DataflowVerdict, names: tuple[str, str], new: Path, shape: Shape, verbose: bool, assumptions: bool
) -> None:
    from tallystick.dataflow.showing.data import to_json
    from tallystick.dataflow.showing.entries import entries
    from tallystick.dataflow.showing.markdown import markdown
    from tallystick.dataflow.showing.text import text

    if shows_signs():
        click.echo("\r\x1b[K", nl=False, err=True)
    if shape == "github":
        click.echo(markdown(verdict), nl=False)
        return
    print_as(
        shape,
        lambda: text(verdict, verbose, assumptions),
        lambda: {"programs": list(names), **to_json(verdict)},
        lambda: entries(verdict, new),
    )


def _progress(number: int, of: int, name: str) -> None:
    """Says on a terminal which wire is looked at."""
    if shows_signs():
        click.echo(f"\r\x1b[K{number + 1} of {of}: {name}", nl=False, err=True)
