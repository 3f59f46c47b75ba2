"""What sqlglot translates right: texts of the conformance table, of our suite and of files, translated and compared.

    PYTHONPATH=tests python benchmarks/transpiling.py [--every 20] [--from mysql] [--to spark] [--seconds 0.5]
        [--files FOLDER --schema FILE] [--optimize] [--engines] [--page docs/transpiling.md]

Each text that its dialect's reader takes is translated to Spark and DuckDB and compared with its translation. With
--engines, both run on the engines of their dialects: an equivalence on 20 random databases, a difference on the
database that shows it. A difference that both engines show is *confirmed*; rows that are not those of the reading are
*contradicted*, which is a defect of ours, and are printed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from datetime import date, datetime
from itertools import islice, product
from pathlib import Path
from typing import Any, Final

import click
from conformance.engines import Engine, FailedError, MissingError, RejectedError
from conformance.readings import declared
from conformance.running import ENGINES
from conformance.table import rows
from tallystick.core.queries.catalogue import Catalogue, Database, Table
from tallystick.core.queries.syntax import Scan
from tallystick.core.queries.traversal import nodes
from tallystick.core.queries.types import BOOLEAN, DATE, DECIMAL, INTEGER, TEXT, TIMESTAMP, SqlType, SqlValue
from tallystick.experiments.sql_suites.own_pairs import FOLDER, own_pairs
from tallystick.frontends.calendar import day_text, moment_text
from tallystick.frontends.errors import SourceError
from tallystick.frontends.sql.dialects import Dialect, dialect_named
from tallystick.frontends.sql.migration.types import written
from tallystick.frontends.sql.printing.literals import decimal_text
from tallystick.frontends.sql.reader import SqlPair, read_pair, read_schema
from tallystick.frontends.sql.schema import Schema
from tallystick.frontends.sql.source import SqlText
from tallystick.frontends.sql.type_names import TypeName
from tallystick.queries.checking import decided
from tallystick.queries.transpiling import TRIPS, translation
from tallystick.queries.trials import Contradiction, Result, Trial, Trials, trials_of
from tallystick.queries.verdict import SqlVerdict
from tallystick.replay.sql_engines import EngineError, as_value
from tallystick.verdict import Answer

DATABASES: Final = 20
"""Random databases for each equivalence."""
SOURCES: Final = ("postgres", "mysql", "duckdb", "spark")
TARGETS: Final = ("spark", "duckdb")
QUOTES: Final = {"mysql": "`", "spark": "`"}
SHOWN: Final = 110
"""Characters of a text in a list."""


@dataclass(frozen=True)
class Text:
    """A text with its schema: an SqlText's name says where it stands."""

    text: SqlText
    schema: Schema


@dataclass
class Counts:
    """What became of the texts of one direction."""

    found: Counter[str] = field(default_factory=Counter[str])
    wrong: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    contradicted: list[str] = field(default_factory=list[str])


def texts(dialect: Dialect, every: int, folder: Path | None, tables: Path | None) -> Iterator[Text]:
    """The texts in a dialect: files of a folder, or each so-many-th of the table, and all of our suite in Spark's."""
    if folder is not None and tables is not None:
        schema = read_schema(tables, dialect).with_floats()
        for path in sorted(folder.glob("*.sql")):
            yield Text(SqlText(path.read_text(encoding="utf-8").strip().rstrip(";"), path.name), schema)
        return
    schema = read_schema(declared(dialect.name), dialect).with_floats()
    for row in islice((row for row in rows() if dialect.name in row.dialects), 0, None, every):
        yield Text(SqlText(row.query, row.place), schema)
    if dialect.name == "spark":
        schema = read_schema(FOLDER / "schema.sql", dialect).with_floats()
        for pair in islice(own_pairs(), 0, None, max(1, every // 5)):
            for side, text in (("left", pair.left), ("right", pair.right)):
                yield Text(SqlText(text, f"{pair.name}, {side}"), schema)


@dataclass
class Running:
    """The engines, with the tables of the last pair."""

    engines: dict[str, Engine]
    made: dict[str, object] = field(default_factory=dict[str, object])

    def returned(self, side: int, pair: SqlPair, schema: Schema, database: Database) -> Result:
        """What the engine of a text's dialect returns for it on a database."""
        dialect, statement = pair.dialects[side], (pair.left, pair.right)[side]
        engine, catalogue = self.engines[dialect.name], (pair.right_schema if side else None) or pair.catalogue
        try:
            scanned = {each.table for each in nodes(pair.left.query, pair.right.query) if isinstance(each, Scan)}
            self.fill(engine, dialect, pair.catalogue, catalogue, schema, {name: database[name] for name in scanned})
            answer = engine.run(pair.sources[side].text)
            columns = statement.columns
            return [
                tuple(_value(value, column.type) for value, column in zip(row, columns, strict=True))
                for row in answer.rows
            ]
        except (RejectedError, FailedError, NotImplementedError) as problem:
            return f"{engine.product}: {problem}"
        except (EngineError, ValueError):
            return None

    def fill(
        self, engine: Engine, dialect: Dialect, known: Catalogue, own: Catalogue, schema: Schema, database: Database
    ) -> None:
        """Makes tables with their rows, by the names and types of the dialect of an engine."""
        for source, table in zip(known.tables, own.tables, strict=True):
            if source.name not in database:
                continue
            kinds = [_kind(schema.types.get((source.name, index)), dialect) for index in range(len(table.columns))]
            given = database[source.name]
            if engine.name == "spark":
                engine.run(_view(table, kinds, given))
                continue
            name = _quoted(table.name, engine.name)
            shape = table.name, tuple(kinds)
            if self.made.get(f"{engine.name} {table.name}") != shape:
                engine.run(f"DROP TABLE IF EXISTS {name}")
                columns = (
                    f"{_quoted(column.name, engine.name)} {kind}"
                    for column, kind in zip(table.columns, kinds, strict=True)
                )
                engine.run(f"CREATE TABLE {name} ({', '.join(columns)})")
                self.made[f"{engine.name} {table.name}"] = shape
            engine.run(f"DELETE FROM {name}")
            if given:
                listed = (f"({', '.join(_constants(table, row, engine.name))})" for row in given)
                engine.run(f"INSERT INTO {name} VALUES {', '.join(listed)}")


def _kind(declared: TypeName | None, dialect: Dialect) -> str:
    found = None if declared is None else written(declared, dialect)
    if found is None:
        raise NotImplementedError("a column has a type without a counterpart")
    return found


def _quoted(name: str, engine: str) -> str:
    quote = QUOTES.get(engine, '"')
    return f"{quote}{name}{quote}"


def _constants(table: Table, row: Sequence[SqlValue], engine: str) -> Iterator[str]:
    for value, column in zip(row, table.columns, strict=True):
        yield _constant(value, column.type, engine)


def _constant(value: SqlValue, type_: SqlType, engine: str) -> str:
    if value is None:
        return "NULL"
    match type_:
        case t if t in (BOOLEAN, INTEGER):
            return str(value).upper()
        case t if t == DECIMAL:
            return decimal_text(value)  # type: ignore[arg-type]
        case t if t == DATE:
            return f"DATE '{day_text(int(value))}'"
        case t if t == TIMESTAMP:
            return f"TIMESTAMP '{moment_text(int(value))}'"
        case t if t == TEXT:
            text = str(value).replace("\\", "\\\\") if engine in QUOTES else str(value)
            return "'" + (text.replace("'", "\\'") if engine == "spark" else text.replace("'", "''")) + "'"
        case _:
            return str(value)


def _view(table: Table, kinds: Sequence[str], given: Sequence[Sequence[SqlValue]]) -> str:
    """A view of Spark with the rows of a table."""
    listed = [[*_constants(table, row, "spark")] for row in given] or [["NULL"] * len(kinds)]
    names = [_quoted(column.name, "spark") for column in table.columns]
    casts = (f"CAST({name} AS {kind}) AS {name}" for name, kind in zip(names, kinds, strict=True))
    rows_ = ", ".join(f"({', '.join(row)})" for row in listed)
    where = "" if given else " WHERE FALSE"
    select = f"SELECT {', '.join(casts)} FROM VALUES {rows_} AS v({', '.join(names)}){where}"
    return f"CREATE OR REPLACE TEMPORARY VIEW {_quoted(table.name, 'spark')} AS {select}"


def _value(value: Any, type_: SqlType) -> SqlValue:
    """A value of an engine as one of the core; truth values are numbers in MySQL."""
    if type_ == BOOLEAN and isinstance(value, int) and not isinstance(value, bool):
        return bool(value)
    if type_ == TIMESTAMP and isinstance(value, date) and not isinstance(value, datetime):
        return as_value(datetime(value.year, value.month, value.day), type_)  # a day is where it begins
    return as_value(value, type_)


def tried(running: Running, verdict: SqlVerdict, schema: Schema) -> str:
    """What came of running a verdict: same, confirmed, rounded, not run; or contradicted, with the database."""
    pair, found = verdict.pair, verdict.counterexample
    if found is None:
        trials = trials_of(pair.left, pair.right, pair.catalogue, pair.assumptions, DATABASES)
    else:
        trial = Trial(found.database, (found.left, found.right))
        trials = Trials((pair.left, pair.right), frozenset(pair.assumptions), (trial,))
    results = [
        (running.returned(0, pair, schema, each.database), running.returned(1, pair, schema, each.database))
        for each in trials.each
    ]
    came = trials.judged("both", results, verdict.verdict is Answer.EQUIVALENT)
    if isinstance(came, Contradiction):
        return f"contradicted on {came.trial.database}: {came.returned}"
    if came.same:
        return "same" if found is None else "confirmed"
    return "rounded" if came.rounded else f"not run: {came.failure}"


def measured(
    source: Dialect, to: Dialect, given: Iterator[Text], seconds: float, optimized: bool, running: Running | None
) -> Counts:
    """What becomes of texts of a dialect in another."""
    counts = Counts()
    for each in given:
        try:
            read_pair(each.text, each.text, each.schema, source)
        except SourceError:
            continue
        counts.found["texts"] += 1
        try:
            made, _ = translation(each.text.text, source, to, each.schema if optimized else None)
        except TRIPS:
            counts.found["not translated"] += 1
            continue
        try:
            pair = read_pair(each.text, SqlText(made, "its translation"), each.schema, source, to=to)
        except SourceError:
            counts.found["not read"] += 1
            continue
        verdict = decided(pair, seconds)
        answer = str(verdict.verdict)
        counts.found[answer] += 1
        came = "" if running is None or verdict.verdict is Answer.UNKNOWN else tried(running, verdict, each.schema)
        counts.found[f"{answer} {came.split(' on ')[0].split(':')[0]}"] += bool(came)
        if came.startswith("contradicted"):
            counts.contradicted.append(f"{each.text.text}\n  {made}\n  {answer}, {came}")
        elif verdict.verdict is Answer.INEQUIVALENT:
            counts.wrong.append((each.text.text, made))
    return counts


HEAD: Final = (
    *("from", "to", "texts", "not translated", "not read", "equivalent", "inequivalent", "unknown"),
    *("equivalent same", "inequivalent confirmed"),
)


def lines(title: str, all_counts: dict[tuple[str, str], Counts]) -> Iterator[str]:
    """The results as Markdown."""
    yield from (f"## {title}", "", f"| {' | '.join(HEAD)} |", f"|{'---|' * len(HEAD)}")
    for (source, to), counts in all_counts.items():
        yield f"| {source} | {to} | {' | '.join(str(counts.found[each]) for each in HEAD[2:])} |"
    for (source, to), counts in all_counts.items():
        shown = sorted({each for each in counts.wrong if max(map(len, each)) <= SHOWN}, key=lambda each: len(each[0]))
        if shown:
            yield from ("", f"### {source} to {to}: {len(counts.wrong)} differ, the shortest of them", "")
            yield from ("| text | translation |", "|---|---|")
            for text, made in shown[:25]:
                yield "| `" + text.replace("|", "\\|") + "` | `" + made.replace("|", "\\|") + "` |"
        for each in counts.contradicted:
            yield f"\nCONTRADICTED {each}"


@click.command()
@click.option("--every", default=20, show_default=True, help="Each so-many-th text of the table.")
@click.option("--from", "sources", multiple=True, type=click.Choice(SOURCES), help="These dialects; default: all.")
@click.option("--to", "targets", multiple=True, type=click.Choice(TARGETS), help="To these; default: both.")
@click.option("--seconds", default=0.5, show_default=True, help="For each pair.")
@click.option("--files", type=click.Path(path_type=Path), help="A folder of .sql files instead.")
@click.option("--schema", type=click.Path(path_type=Path), help="Their schema.")
@click.option("--optimize", is_flag=True, help="sqlglot's optimiser, within each dialect.")
@click.option("--engines", is_flag=True, help="Run both texts on their engines.")
@click.option("--title", default="Texts of the conformance table", show_default=True, help="Of the table.")
@click.option("--page", type=click.Path(path_type=Path), help="Append the results to this file.")
def main(
    every: int,
    sources: tuple[str, ...],
    targets: tuple[str, ...],
    seconds: float,
    files: Path | None,
    schema: Path | None,
    optimize: bool,
    engines: bool,
    title: str,
    page: Path | None,
) -> None:
    """Prints what sqlglot translates right."""
    named = [(source, to) for source, to in product(sources or SOURCES, targets or TARGETS) if source != to]
    named = [(source, source) for source in sources or SOURCES] if optimize else named
    with ExitStack() as stack:
        running = None
        if engines:
            try:
                wanted = {name for pair in named for name in pair}
                running = Running({name: stack.enter_context(closing(ENGINES[name]())) for name in sorted(wanted)})
            except MissingError as problem:
                raise click.UsageError(str(problem)) from problem
        found: dict[tuple[str, str], Counts] = {}
        for source, to in named:
            own, other = (dialect_named(each, "binary") for each in (source, to))
            found[source, to] = measured(own, other, texts(own, every, files, schema), seconds, optimize, running)
            click.echo(f"{source} to {to}: {dict(found[source, to].found)}", err=True)
    text = "\n".join(lines(title, found)) + "\n"
    click.echo(text)
    if page is not None:
        with page.open("a", encoding="utf-8") as stream:
            stream.write(f"\n{text}")


if __name__ == "__main__":
    main()
