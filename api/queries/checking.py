"""From two texts to a verdict: read, decide, replay."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any, Final, get_args

from tallystick.core.clock import clock
from tallystick.decision.queries.counterexamples.search import DistinguishingDatabase, Look
from tallystick.decision.queries.deciding import ProofLimits, Proved, as_one, attempts
from tallystick.decision.queries.differing import columns_in_question, missing_rule
from tallystick.decision.queries.portfolio import Portfolio, Untried
from tallystick.frontends.sql.reader import SqlPair
from tallystick.frontends.sql.source import Source, SqlText
from tallystick.options import Engine, OptionError, require_valid
from tallystick.queries.certifying import certified
from tallystick.queries.choices import apart_from_choices, open_choices
from tallystick.queries.columns import column_pairs
from tallystick.queries.differences import differences
from tallystick.queries.reading import read_queries
from tallystick.queries.verdict import SqlVerdict
from tallystick.queries.witnesses import with_instants, with_uuids
from tallystick.verdict import Answer

FOR_ROWS: Final = 2.0
"""Seconds at most for a proof that two queries, of which one has an ORDER BY, return the same rows."""


def check_sql(
    left: str | Path | SqlText,
    right: str | Path | SqlText,
    *,
    schema: Source,
    dialect: str | tuple[str, str] = "spark",
    assume: Sequence[str] = (),
    collation: str | None = None,
    bag: bool = False,
    timeout: float = 10.0,
    replay: Engine = "reference",
    columns: bool = False,
    suggest: bool = False,
) -> SqlVerdict:
    """Whether two queries return the same on every database of a schema.

    Args:
        left, right: texts of queries, or paths of files with one query each; or an SqlText, which has a name, too.
        schema: CREATE TABLE statements or JSON, as a text or as a path, or JSON as a dictionary. What a file is called
            is its path; any other text that has a blank is the text itself.
        dialect: what the texts mean: spark, databricks, postgres, mysql, duckdb, bigquery, snowflake or calcite; or a
            pair of these, of the left text and the schema, and of the right text.
        assume: "exact-floats" reads floating-point numbers as exact ones.
        collation: "binary" compares texts by their characters where the dialect ignores the case of letters.
        bag: whether rows are compared in any order, whatever ORDER BY says.
        timeout: seconds of the processor for deciding, and ten times as many on the wall.
        replay: an engine, "duckdb" or "spark", on which the reading is tried: on a counterexample, or on random
            databases where there is none; "own" is that of each text's dialect, where one of the two is.
        columns: whether each output column is decided by itself, too.
        suggest: whether constraints are searched for that the schema lacks, and under which queries that are not
            known to be equivalent would be: in a few seconds more.

    Raises:
        SourceError: a text or the schema is not understood, or the results cannot be compared.
        OptionError: an option has a value that it does not take.
        MisreadingError: the engine does not return what was read, so that there is no verdict.
    """
    require_valid(timeout=timeout)
    if replay not in get_args(Engine):
        raise OptionError(f"replay must be one of {', '.join(map(repr, get_args(Engine)))}, and is {replay!r}")
    if replay in ("duckdb", "spark") and not isinstance(dialect, str):
        raise OptionError(f"replay must be 'own' where there are two dialects, and is {replay!r}")
    pair = read_queries(left, right, schema=schema, dialect=dialect, assume=assume, collation=collation, bag=bag)
    verdict = decided(pair, timeout)
    if replay != "reference":
        from tallystick.queries.replaying import tried  # only where an engine is asked for

        verdict = tried(verdict, replay)
    verdict = replace(verdict, notes=(*verdict.notes, *differences(verdict)))
    if columns:
        answers = tuple((name, decided(each, timeout).verdict) for name, each in column_pairs(pair))
        verdict = replace(verdict, columns=answers)
    if not suggest:
        return verdict
    from tallystick.queries.missing import missing_constraints  # only where hints are asked for

    return replace(verdict, missing=missing_constraints(verdict, schema))


def decided(pair: SqlPair, timeout: float = 10.0) -> SqlVerdict:
    """The verdict about two statements, within so many seconds of `core.clock`."""
    start, deadline = time.perf_counter(), clock() + timeout
    reasons: dict[str, str] = {}
    if bool(pair.left.order) != bool(pair.right.order) and _same_rows(pair, timeout):
        made = SqlVerdict(Answer.UNKNOWN, pair, time.perf_counter() - start)
        name = made.names[0 if pair.left.order else 1]
        return replace(made, reasons={"order": f"the same rows; only {name} fixes their order"})
    question = pair.left, pair.right, pair.catalogue
    look = Untried(pair.open_sources) if pair.open_sources else Look(*question)
    portfolio = Portfolio(*question, apart_from_choices(pair, deadline - clock()), look)
    for found in portfolio.answers():
        answer = with_uuids(pair, found) if pair.uuids and isinstance(found, DistinguishingDatabase) else found
        if answer is None:
            reasons["uuids"] = "they differ on texts that are no UUIDs, where the schema has some"
            continue
        answer = with_instants(pair, answer) if isinstance(answer, DistinguishingDatabase) else answer
        if answer is None:
            reasons["instants"] = "they differ on moments that a TIMESTAMP has no room for in each time zone"
            continue
        made, report = certified(pair, answer)
        if report:
            return _certified(pair, answer, time.perf_counter() - start, made)
        reasons["audit"] = report.reason
    if portfolio.unproved is not None:
        reasons["proof"] = missing_rule(pair.left, pair.right, portfolio.unproved.reason)
        if columns := columns_in_question(*question):
            reasons["columns"] = f"without {' and '.join(columns)}, both are the same"
    reasons |= open_choices(pair, deadline - clock())
    reasons |= {"counterexamples": portfolio.unrefuted} if portfolio.unrefuted else {}
    return SqlVerdict(Answer.UNKNOWN, pair, time.perf_counter() - start, reasons=reasons)


def _same_rows(pair: SqlPair, timeout: float) -> bool:
    """Whether both queries are proved to return the same rows, in whatever order, in a part of the time."""
    rows = pair.as_bags()
    limits = ProofLimits(min(FOR_ROWS, timeout / 2))
    question = rows.left, rows.right, rows.catalogue
    found = chain((as_one(*question),), attempts(*question, limits))
    return any(isinstance(answer, Proved) and bool(certified(rows, answer)[1]) for answer in found)


def _certified(pair: SqlPair, answer: Proved | DistinguishingDatabase, seconds: float, made: bytes) -> SqlVerdict:
    if isinstance(answer, Proved):
        return SqlVerdict(Answer.EQUIVALENT, pair, seconds, rules=answer.used, proof=answer, certificate=made)
    return SqlVerdict(Answer.INEQUIVALENT, pair, seconds, answer, certificate=made)


def assert_equivalent_sql(
    left: str | Path | SqlText, right: str | Path | SqlText, *, schema: Source, **options: Any
) -> SqlVerdict:
    """The verdict of `check_sql` when two queries are known to be equivalent; `options` are those of `check_sql`.

    Raises AssertionError otherwise: with the database on which they differ, or with the reasons when it is not known,
    and with constraints that the schema lacks, unless `suggest` is false.
    """
    __tracebackhide__ = True  # pytest then shows the line of the test
    options.setdefault("suggest", True)
    verdict = check_sql(left, right, schema=schema, **options)
    if verdict.verdict is not Answer.EQUIVALENT:
        raise AssertionError(str(verdict))
    return verdict
