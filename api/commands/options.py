"""Options that several commands share, and the statuses that they end with."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem
    from tallystick.frontends.sql.source import Source, SqlText

EXIT_EQUIVALENT, EXIT_INEQUIVALENT, EXIT_UNKNOWN, EXIT_BAD_INPUT, EXIT_DEFECT = range(5)
EXITS = {"equivalent": EXIT_EQUIVALENT, "inequivalent": EXIT_INEQUIVALENT, "unknown": EXIT_UNKNOWN}

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


class _Seconds(click.ParamType):
    """A limit of time: finite, and above 0."""

    name = "seconds"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        try:
            seconds = float(value)
        except ValueError:
            seconds = 0.0
        if not (isfinite(seconds) and seconds > 0):
            self.fail(f"{value!r} is no number of seconds above 0", param, ctx)
        return seconds


class QueryOrPath(click.ParamType):
    """A program, a text or the path of one; `-` is standard input, as an SqlText."""

    name = "text"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str | SqlText:
        if value != "-":
            return value
        from tallystick.frontends.sql.source import SqlText

        return SqlText(read_standard_input(), STANDARD_INPUT)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        from click.shell_completion import CompletionItem

        return [CompletionItem(incomplete, type="file")]


STANDARD_INPUT = "standard input"


def read_standard_input() -> str:
    """All of standard input, as text; raises UsageError where something has read it before, or it is not UTF-8."""
    meta = click.get_current_context().find_root().meta
    if meta.setdefault(STANDARD_INPUT, False):
        raise click.UsageError("only one thing can be read from standard input")
    meta[STANDARD_INPUT] = True
    try:
        return sys.stdin.read()
    except UnicodeDecodeError:
        raise click.UsageError("standard input is not text in UTF-8") from None


def _dialects(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:
    """The dialects that begin with what is typed."""
    from tallystick.frontends.sql.dialects import DIALECTS

    return [each for each in DIALECTS if each.startswith(incomplete)]


SOLVERS = click.Choice(["auto", "z3", "cvc5", "cooper"])
SOLVER = click.option("--solver", type=SOLVERS, default="auto", show_default=True, help="What decides premises first.")
TYPES = click.option("--types", help='Types of parameters without annotations: "r: RDD[int], k: int".')
AS_SETS = click.option(
    "--set", "as_sets", is_flag=True, help="Compare the sets of returned elements, not how often each occurs."
)
SEMANTICS = click.option(
    "--semantics",
    type=click.Choice(["spark", "sparklite"]),
    default="spark",
    show_default=True,
    help="How folds are read: as Spark folds partitions, or as one left fold, as in the papers.",
)
SCHEMA = click.option(
    "--schema", type=QueryOrPath(), help="For SQL: the tables, as CREATE TABLE statements or JSON; a path or a text."
)


def dialect(said: str, default: str | None = None, *names: str) -> Decorator:
    """The option --dialect, or one of other names, with the names of dialects for the completion of shells."""
    return click.option(
        *(names or ("--dialect",)),
        default=default,
        show_default=default is not None,
        metavar="DIALECT" if names else None,
        help=said,
        shell_complete=_dialects,
    )


DIALECT = dialect("For SQL: what the texts mean.", "spark")
TO = dialect("For SQL: the dialect of the second text, if it is another.", None, "--to")
ASSUME = click.option(
    "--assume", multiple=True, help='For SQL: "exact-floats" reads floating-point numbers as exact ones.'
)
PARAM = click.option(
    "--param", multiple=True, metavar="NAME=VALUE", help="For DataFrames: the value of a parameter that is no table."
)
SOURCE = click.option(
    "--source",
    multiple=True,
    metavar="PATH=TABLE",
    help='For DataFrames: which table is read by a path, name or parameter; patterns such as "/lake/*=*", too.',
)
ASSUMPTIONS = click.option("--assumptions", is_flag=True, help="For queries: say in full what the answer assumes.")
COLLATION = click.option(
    "--collation",
    type=click.Choice(["binary"]),
    help="For SQL: compare texts by their characters, where the dialect ignores the case of letters.",
)
BAG = click.option(
    "--bag", is_flag=True, help="For SQL: compare the rows in any order, whatever ORDER BY says of the results."
)
FORMAT = click.option(
    "--format",
    "form",
    type=click.Choice(["text", "github", "junit", "sarif"]),
    default="text",
    show_default=True,
    help="How to write the answer: github is Markdown, junit XML of test reports, sarif JSON of code scanning.",
)
AS_JSON = click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
MEMORY = click.option(
    "--memory", type=click.IntRange(min=64), default=4096, show_default=True, help="Mebibytes for a pair."
)
PAIRS = click.option(
    "--pairs", type=click.IntRange(min=1), default=100, show_default=True, help='Size of suite "generated".'
)
SEED = click.option("--seed", type=int, default=1, show_default=True, help='What suite "generated" is generated from.')
INPUT_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
OUTPUT_FILE = click.Path(dir_okay=False, path_type=Path)
OUTPUT_FOLDER = click.Path(file_okay=False, path_type=Path)


def in_dialects(dialect: str, to: str | None) -> str | tuple[str, str]:
    """What --dialect and --to say of two texts."""
    return dialect if to is None else (dialect, to)


def timeout(of: str, default: float = 30.0) -> Decorator:
    """The option --timeout, of what it limits."""
    return click.option("--timeout", type=_Seconds(), default=default, show_default=True, help=f"Seconds for {of}.")


TOTAL = click.option("--total", type=_Seconds(), help="Seconds for all models; what is not proved by then is unknown.")
FUNCTION = re.compile(r"\.(py|ipynb):[^\s:]*$")
"""How a function of a file ends."""


def pairs(option: str, given: tuple[str, ...]) -> dict[str, str]:
    """The values of an option that is given as NAME=VALUE, by the names; raises UsageError for others."""
    found: dict[str, str] = {}
    for text in given:
        name, equals, value = text.rpartition("=") if option == "--source" else text.partition("=")
        if not equals or not name:
            raise click.UsageError(f"{option} {text!r} is no NAME=VALUE")
        if name in found:
            raise click.UsageError(f"{option} {name} is given twice")
        found[name] = value
    return found


def is_sql(argument: Any) -> bool:
    """Whether an argument, of the type QueryOrPath, is a query or a file of one, not a function.

    What is called like a file of SQL, or has a blank and does not name a function of a file, is a query; so is what
    comes from standard input.
    """
    if not isinstance(argument, str):
        return True
    return not FUNCTION.search(argument) and (argument.endswith(".sql") or any(map(str.isspace, argument.strip())))


def only(door: str, *names: str) -> None:
    """Raises UsageError for an option on the command line that does not apply to what was given: to `door`."""
    context = click.get_current_context()
    for parameter in context.command.params:
        if isinstance(parameter, click.Option) and is_given(parameter.name or "") and parameter.name not in names:
            raise click.UsageError(f"{max(parameter.opts, key=len)} does not apply to {door}")


def is_given(name: str) -> bool:
    """Whether a parameter stands on the command line."""
    return click.get_current_context().get_parameter_source(name) is ParameterSource.COMMANDLINE


def schema_of(schema: Source | None) -> Source:
    """The schema of queries; raises UsageError where none is given."""
    if schema is None:
        raise click.UsageError("queries need --schema: a file of CREATE TABLE statements, or JSON")
    return schema
