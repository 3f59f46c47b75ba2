"""The reading of queries tried on a real engine: databases as statements of the engine, queries as they were written.

A counterexample is run again; where there is none, so are random databases, see `trials`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final, Literal

from sqlglot.errors import ParseError
from tallystick.core.errors import FragmentError
from tallystick.core.queries.catalogue import Catalogue, Database
from tallystick.core.queries.interpreter.outcomes import Outcome
from tallystick.core.queries.syntax import Statement
from tallystick.decision.queries.portfolio import Untried
from tallystick.frontends.sql.printing.databases import rows_text, schema_text, script, values_text, views
from tallystick.frontends.sql.printing.literals import name_text
from tallystick.frontends.sql.printing.translation import OWN, translated
from tallystick.frontends.sql.reader import SqlPair
from tallystick.frontends.sql.source import replaced
from tallystick.misreading import MisreadingError, problem_of
from tallystick.options import Engine
from tallystick.queries.tables import as_json, beside, result_table, table
from tallystick.queries.trials import Contradiction, Result, Rows, Trial, Trials, first_line, trials_of
from tallystick.queries.verdict import SqlVerdict
from tallystick.replay.spark_sql import databases_on_own_spark
from tallystick.replay.sql_engines import EngineError, Ran, as_value, databases_on_duckdb
from tallystick.replay.sql_engines import Result as Returned
from tallystick.verdict import Answer

Engines = tuple[str | None, str | None]
Written = tuple[list[str], list[str]]
"""A database as statements of an engine, and the texts that run there."""
SECONDS: Final = 100.0
"""After so long no further database is tried; Spark's start does not count."""


def tried(verdict: SqlVerdict, engine: Engine) -> SqlVerdict:
    """The verdict after its reading was tried on an engine, as it says then.

    Raises MisreadingError if the engine returns something else than was read.
    """
    pair, found = verdict.pair, verdict.counterexample
    if pair.open_sources:
        return replace(verdict, notes=(*verdict.notes, f"nothing was tried: {Untried(pair.open_sources).reason}"))
    if found is None:
        trials = trials_of(pair.left, pair.right, pair.catalogue, pair.assumptions)
    else:
        trial = Trial(found.database, (found.left, found.right))
        trials = Trials((pair.left, pair.right), frozenset(pair.assumptions), (trial,))
    engines = _engines(pair, engine)
    if engines == (None, None):
        names = " or ".join(dict.fromkeys(each.name for each in pair.dialects))
        return replace(verdict, notes=(*verdict.notes, f"nothing was tried: no engine of {names} is here"))
    called = " and ".join(dict.fromkeys(each for each in engines if each))
    try:
        trials, name, results = _run(pair, trials, engines)
    except (EngineError, FragmentError, ParseError, ValueError) as error:
        return replace(verdict, notes=(*verdict.notes, f"{called} does not run the queries: {first_line(str(error))}"))
    came = trials.judged(name, results, verdict.verdict is Answer.EQUIVALENT)
    if isinstance(came, Contradiction):
        raise _misreading(pair, verdict.names, came, engines)
    if found is None:
        return replace(verdict, tried=came)
    if came.same:
        return replace(verdict, replayed_on=("reference", *dict.fromkeys(each for each in engines if each)))
    if came.rounded:
        reason = f"{came.engine} returns other rows, and they hang on how numbers are rounded"
        return replace(
            verdict, verdict=Answer.UNKNOWN, counterexample=None, certificate=None, reasons={"replay": reason}
        )
    problem = came.failure or "it returns values of other types"
    return replace(verdict, notes=(*verdict.notes, f"{called} does not run the queries: {problem}"))


def _engines(pair: SqlPair, engine: Engine) -> Engines:
    """What runs each query: an engine that is named, or that of the query's dialect; None where that is not here."""
    if engine == "own":
        left, right = (OWN.get(each.name) for each in pair.dialects)
        return left, right
    return engine, engine  # type: ignore[return-value]


def _run(pair: SqlPair, trials: Trials, engines: Engines) -> tuple[Trials, str, list[tuple[Result, Result]]]:
    """What engines return on databases, with their names; and the databases that can be written in their words.

    A query whose engine is not here returns what the interpreter says. Raises ValueError if no database can be written.
    """
    catalogues = pair.catalogue, pair.right_schema or pair.catalogue
    wanted = {engine: catalogue for engine, catalogue in zip(engines, catalogues, strict=True) if engine}
    texts = {engine: Texts(pair, [ours == engine for ours in engines], engine) for engine in wanted}
    written: list[tuple[Trial, dict[str, Written]]] = []
    problem: Exception | None = None
    for trial in trials.each:
        if pair.parameters is not None and not trial.database.get(pair.parameters.name):
            continue  # without values for the parameters, nothing can be run
        try:
            made = {
                engine: (_filled(pair, own, trial.database, engine), texts[engine].on(trial.database))
                for engine, own in wanted.items()
            }
            written.append((trial, made))
        except (FragmentError, ValueError, OverflowError) as error:
            problem = error
    if problem is not None and not written:
        raise ValueError(str(problem)) from problem
    trials = replace(trials, each=tuple(trial for trial, _ in written))
    ran = {engine: _ran(own, [made[engine] for _, made in written], engine) for engine, own in wanted.items()}
    columns: list[list[Result]] = []
    for side, (statement, engine) in enumerate(zip((pair.left, pair.right), engines, strict=True)):
        if engine is None:
            columns.append([_as_read(trial.outcomes[side]) for trial in trials.each])
        else:
            place = side if len(set(engines)) == 1 else 0
            columns.append([_result(statement, each[place]) for each in ran[engine].results])
    return trials, " and ".join(each.engine for each in ran.values()), list(zip(*columns, strict=False))


class Texts:
    """Queries of a pair in the words of an engine, with the values that a database has for their parameters."""

    def __init__(self, pair: SqlPair, sides: Sequence[bool], engine: str) -> None:
        self.table = pair.parameters
        self.engine: Literal["duckdb", "spark"] = "duckdb" if engine == "duckdb" else "spark"
        columns = () if self.table is None else self.table.columns
        self.stems = {column.name: f"a_value_of_{place}_" for place, column in enumerate(columns)}
        self.texts = [
            translated(replaced(source, dialect, self.stems), dialect, engine)
            for source, dialect, runs in zip(pair.sources, pair.dialects, sides, strict=True)
            if runs
        ]

    def on(self, database: Database) -> list[str]:
        """The queries on a database. Raises FragmentError for a value that has no text."""
        if self.table is None:
            return self.texts
        [row] = database[self.table.name]
        written = {self.stems[name]: text for name, text in values_text(self.table, row, self.engine).items()}
        pattern = re.compile("|".join(written))
        return [pattern.sub(lambda found: written[found[0]], text) for text in self.texts]


def _ran(own: Catalogue, written: Sequence[Written], engine: str) -> Ran:
    """What an engine returns for texts on databases."""
    databases, texts = [each for each, _ in written], [each for _, each in written]
    if engine == "duckdb":
        return databases_on_duckdb([schema_text(table, "duckdb") for table in own.tables], databases, texts, SECONDS)
    return databases_on_own_spark(views(own, {}, "spark"), databases, texts, SECONDS)


def _as_read(outcome: Outcome | None) -> Result:
    return None if outcome is None else list(outcome.rows)


def _filled(pair: SqlPair, catalogue: Catalogue, database: Database, engine: str) -> list[str]:
    """The statements that fill the tables of a database, which may hold rows of an earlier one.

    The tables are those of the pair's catalogue, as another of these catalogues calls them.
    """
    pairs = zip(pair.catalogue.tables, catalogue.tables, strict=False)
    kept = [(known, own) for known, own in pairs if known.name in database]
    database, own = {own.name: database[known.name] for known, own in kept}, Catalogue(tuple(own for _, own in kept))
    if engine != "duckdb":
        return views(own, database, "spark")
    filled = (rows_text(table, database, "duckdb") for table in own.tables)
    emptied = (f"DELETE FROM {name_text(table.name, 'duckdb')}" for table in own.tables)
    return [*emptied, *(text for text in filled if text is not None)]


def _only(catalogue: Catalogue, database: Database) -> Catalogue:
    return Catalogue(tuple(table for table in catalogue.tables if table.name in database))


def _result(statement: Statement, returned: Returned) -> Result:
    """What an engine returned as values of the core."""
    if isinstance(returned, EngineError):
        return str(returned)
    columns = statement.columns
    try:
        return [
            tuple(as_value(value, column.type) for value, column in zip(row, columns, strict=True))
            if len(row) == len(columns)
            else tuple(map(str, row))
            for row in returned
        ]
    except EngineError:
        return None


def _misreading(pair: SqlPair, names: tuple[str, str], found: Contradiction, engines: Engines) -> MisreadingError:
    database, own = found.trial.database, _only(pair.catalogue, found.trial.database)
    tables: list[str] = []
    for each in own.tables:
        columns, types = [column.name for column in each.columns], [column.type for column in each.columns]
        tables += ["", *table(f"{each.name}:", columns, types, database[each.name])] if database[each.name] else []
    empty = [name for name, rows in database.items() if not rows]
    tables += ["", f"{', '.join(empty)}: no rows"] if empty else []
    if found.side is None:
        sides = zip(names, (pair.left, pair.right), found.returned, strict=True)
        left, right = (_table(f"{found.engine} returns for {name}", each, rows) for name, each, rows in sides)
    else:
        statement, outcome = (pair.left, pair.right)[found.side], found.trial.outcomes[found.side]
        left = _table(f"{found.engine} returns", statement, found.returned[found.side])
        right = _table("it was read as returning", statement, list((outcome or Outcome(())).rows))
    is_translated = any(OWN.get(each.name) != engine for each, engine in zip(pair.dialects, engines, strict=True))
    problem = problem_of(names, found.side, found.engine, is_translated)
    made = script(own, database, "duckdb" if "duckdb" in engines else "spark")
    return MisreadingError(names, problem, [*tables, "", *beside(left, right), ""], made, _content(pair, names, found))


def _table(title: str, statement: Statement, rows: Rows) -> list[str]:
    return result_table(title, statement.names, [column.type for column in statement.columns], rows)


def _content(pair: SqlPair, names: tuple[str, str], found: Contradiction) -> dict[str, Any]:
    """What was found, as JSON has it."""
    sides = [
        (name, each.names, [column.type for column in each.columns])
        for name, each in zip(names, (pair.left, pair.right), strict=True)
    ]
    inputs = [
        as_json(each.name, [column.name for column in each.columns], [column.type for column in each.columns], rows)
        for each, rows in ((pair.catalogue.by_name[name], rows) for name, rows in found.trial.database.items())
    ]
    outputs = [as_json(*side, rows) for side, rows in zip(sides, found.returned, strict=True)]
    read = zip(sides, found.trial.outcomes, strict=True)
    return {
        "engine": found.engine,
        "witness": {"inputs": inputs, "outputs": outputs},
        "read_as": [None if outcome is None else as_json(*side, outcome.rows) for side, outcome in read],
    }
