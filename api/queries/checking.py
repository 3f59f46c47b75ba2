"""From two texts to a verdict: read, decide, replay."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, get_args

from tallystick.decision.outcome import Unknown
from tallystick.decision.queries.counterexamples.search import DistinguishingDatabase, find
from tallystick.decision.queries.deciding import ProofLimits, Proved, as_one, decide
from tallystick.decision.queries.differing import missing_rule
from tallystick.decision.queries.trees.structure import OpenBranch
from tallystick.frontends.sql.reader import SqlPair
from tallystick.frontends.sql.source import Source
from tallystick.options import OptionError, require_valid
from tallystick.queries.certifying import certified
from tallystick.queries.choices import open_choices
from tallystick.queries.columns import column_pairs
from tallystick.queries.differences import differences
from tallystick.queries.missing import missing_constraints
from tallystick.queries.reading import sql_reader
from tallystick.queries.replaying import Engine, tried
from tallystick.queries.verdict import SqlVerdict
from tallystick.verdict import Answer

FIRST_LOOK: Final = 0.2
"""Seconds of a search for a counterexample before one for a proof."""
FOR_PROOFS: Final = 2 / 3
"""The part of the time, in processor time, that is for proofs; what is left is for counterexamples."""
MISSING: Final = 10.0
"""Seconds of processor time of a search for constraints that would make different queries equal."""


def check_sql(
    left: str | Path,
    right: str | Path,
    *,
    schema: Source,
    dialect: str = "spark",
    assume: Sequence[str] = (),
    collation: str | None = None,
    timeout: float = 10.0,
    replay: Engine = "reference",
    columns: bool = False,
) -> SqlVerdict:
    """Whether two queries return the same on every database of a schema.

    Args:
        left, right: texts of queries, or paths of files with one query each.
        schema: CREATE TABLE statements or JSON, as a text or as a path, or JSON as a dictionary. What a file is called
            is its path; any other text that has a blank is the text itself.
        dialect: what the texts mean: spark, databricks, postgres, mysql, duckdb, bigquery, snowflake or calcite.
        assume: "exact-floats" reads floating-point numbers as exact ones.
        collation: "binary" compares texts by their characters where the dialect ignores the case of letters.
        timeout: seconds for deciding.
        replay: an engine, "duckdb" or "spark", on which the reading is tried: on a counterexample, or on random
            databases where there is none.
        columns: whether each output column is decided by itself, too.

    Raises:
        SourceError: a text or the schema is not understood, or the results cannot be compared.
        OptionError: an option has a value that it does not take.
        MisreadingError: the engine does not return what was read, so that there is no verdict.
    """
    require_valid(timeout=timeout)
    if replay not in get_args(Engine):
        raise OptionError(f"replay must be one of {', '.join(map(repr, get_args(Engine)))}, and is {replay!r}")
    read = sql_reader(left, right, schema=schema, dialect=dialect, assume=assume, collation=collation)
    pair = read()
    verdict = decided(pair, timeout)
    if replay != "reference":
        verdict = tried(verdict, replay)
    verdict = replace(verdict, notes=(*verdict.notes, *differences(verdict)))
    if verdict.verdict is not Answer.EQUIVALENT:
        known = verdict.counterexample.database if verdict.counterexample is not None else None
        verdict = replace(verdict, missing=missing_constraints(pair, read, known, min(MISSING, timeout / 2)))
    if not columns:
        return verdict
    answers = tuple((name, decided(each, timeout).verdict) for name, each in column_pairs(pair))
    return replace(verdict, columns=answers)


def decided(pair: SqlPair, timeout: float = 10.0) -> SqlVerdict:
    """The verdict about two statements."""
    start, spent = time.perf_counter(), time.process_time()
    one = as_one(pair.left, pair.right, pair.catalogue)
    look = min(FIRST_LOOK, timeout)
    found = find(pair.left, pair.right, pair.catalogue, look) if one is None else Unknown("")
    reasons: dict[str, str] = {}
    branches: tuple[OpenBranch, ...] = ()
    if isinstance(found, Unknown):
        limits = ProofLimits(seconds=timeout * FOR_PROOFS)
        answer = decide(pair.left, pair.right, pair.catalogue, limits) if one is None else one
        if isinstance(answer, Proved):
            made, report = certified(pair, answer)
            seconds = time.perf_counter() - start
            if report:
                return SqlVerdict(Answer.EQUIVALENT, pair, seconds, rules=answer.used, proof=answer, certificate=made)
            reasons["audit"] = report.reason
        else:
            branches = answer.branches
            reasons["proof"] = missing_rule(pair.left, pair.right, answer.reason)
            reasons |= open_choices(pair, timeout / 2)
        seconds = max(spent + timeout - time.process_time(), FIRST_LOOK)
        found = find(pair.left, pair.right, pair.catalogue, seconds, 1, branches)
    seconds = time.perf_counter() - start
    if isinstance(found, Unknown):
        return SqlVerdict(Answer.UNKNOWN, pair, seconds, reasons={**reasons, "counterexamples": found.reason})
    return _refuted(pair, found, seconds)


def _refuted(pair: SqlPair, found: DistinguishingDatabase, seconds: float) -> SqlVerdict:
    made, report = certified(pair, found)
    if not report:
        return SqlVerdict(Answer.UNKNOWN, pair, seconds, reasons={"audit": report.reason})
    return SqlVerdict(Answer.INEQUIVALENT, pair, seconds, found, certificate=made)


def assert_equivalent_sql(left: str | Path, right: str | Path, *, schema: Source, **options: Any) -> SqlVerdict:
    """The verdict of `check_sql` when two queries are known to be equivalent; `options` are those of `check_sql`.

    Raises AssertionError otherwise: with the database on which they differ, or with the reasons when it is not known.
    """
    __tracebackhide__ = True  # pytest then shows the line of the test
    verdict = check_sql(left, right, schema=schema, **options)
    if verdict.verdict is not Answer.EQUIVALENT:
        raise AssertionError(str(verdict))
    return verdict
