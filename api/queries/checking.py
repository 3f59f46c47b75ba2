"""From two texts to a verdict: read, decide, replay."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from tallystick.core.queries.assumptions import Assumption
from tallystick.decision.outcome import Unknown
from tallystick.decision.queries.counterexamples.search import Counterexample, find
from tallystick.decision.queries.deciding import Limits, Proved, decide
from tallystick.frontends.errors import SourceError
from tallystick.frontends.sql.dialects import dialect_named
from tallystick.frontends.sql.reader import SqlPair, read_pair, read_schema, read_text
from tallystick.frontends.sql.source import SqlText
from tallystick.queries.columns import column_pairs
from tallystick.queries.replaying import Engine, replayed
from tallystick.queries.verdict import SqlVerdict
from tallystick.verdict import Answer

FIRST_LOOK: Final = 0.2
"""Seconds of a search for a counterexample before one for a proof."""
ALLOWED: Final = {Assumption.EXACT_FLOATS.label}
"""Assumptions that are made on request only."""


def check_sql(
    left: str | Path,
    right: str | Path,
    *,
    schema: str | Path,
    dialect: str = "spark",
    assume: Sequence[str] = (),
    timeout: float = 10.0,
    replay: Engine = "reference",
    columns: bool = False,
) -> SqlVerdict:
    """Whether two queries return the same on every database of a schema.

    Args:
        left, right: texts of queries, or paths of files with one query each.
        schema: CREATE TABLE statements or JSON, as a text or as a path.
        dialect: what the texts mean: spark, databricks, postgres, mysql, duckdb, bigquery, snowflake or calcite.
        assume: "exact-floats" reads floating-point numbers as exact ones.
        timeout: seconds for deciding.
        replay: what a counterexample is run on besides the reference interpreter: "duckdb" or "spark".
        columns: whether each output column is decided by itself, too.

    Raises:
        SourceError: a text or the schema is not understood, or the results cannot be compared.
    """
    unknown = [each for each in assume if each not in ALLOWED]
    if unknown:
        raise SourceError(f"there is no assumption {unknown[0]!r} to be asked for", "--assume", hint=", ".join(ALLOWED))
    meaning = dialect_named(dialect)
    tables = read_schema(schema, meaning)
    texts = [_named(read_text(source), side) for source, side in ((left, "left"), (right, "right"))]
    pair = read_pair(texts[0], texts[1], tables, meaning, exact_floats=Assumption.EXACT_FLOATS.label in assume)
    verdict = decided(pair, timeout, replay)
    if not columns:
        return verdict
    answers = tuple((name, decided(each, timeout).verdict) for name, each in column_pairs(pair))
    return replace(verdict, columns=answers)


def _named(text: SqlText, side: str) -> SqlText:
    return replace(text, name=f"the {side} query") if text.name == "the query" else text


def decided(pair: SqlPair, timeout: float = 10.0, replay: Engine = "reference") -> SqlVerdict:
    """The verdict about two statements."""
    start = time.perf_counter()
    found = find(pair.left, pair.right, pair.catalogue, min(FIRST_LOOK, timeout))
    reasons: dict[str, str] = {}
    if isinstance(found, Unknown):
        answer = decide(pair.left, pair.right, pair.catalogue, Limits(seconds=timeout / 2))
        if isinstance(answer, Proved):
            return SqlVerdict(Answer.EQUIVALENT, pair, time.perf_counter() - start, rules=answer.used, proof=answer)
        reasons["proof"] = answer.reason
        found = find(pair.left, pair.right, pair.catalogue, max(start + timeout - time.perf_counter(), FIRST_LOOK), 1)
    seconds = time.perf_counter() - start
    if isinstance(found, Unknown):
        return SqlVerdict(Answer.UNKNOWN, pair, seconds, reasons={**reasons, "counterexamples": found.reason})
    return _refuted(pair, found, seconds, replay)


def _refuted(pair: SqlPair, found: Counterexample, seconds: float, replay: Engine) -> SqlVerdict:
    verdict = SqlVerdict(Answer.INEQUIVALENT, pair, seconds, found)
    if replay == "reference":
        return verdict
    problem = replayed(pair, found, replay)
    if problem:
        return replace(verdict, notes=(problem,))
    return replace(verdict, replayed_on=("reference", replay))


def assert_equivalent_sql(
    left: str | Path, right: str | Path, *, schema: str | Path, dialect: str = "spark", timeout: float = 10.0
) -> SqlVerdict:
    """Raises AssertionError, with the database on which they differ, unless two queries are known to be equivalent."""
    verdict = check_sql(left, right, schema=schema, dialect=dialect, timeout=timeout)
    if verdict.verdict is not Answer.EQUIVALENT:
        raise AssertionError(str(verdict))
    return verdict
