"""Two texts of SQL as the statements that are compared, and what a certificate may be asked about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from tallystick.certificates.queries.certificates import QueryPair
from tallystick.core.queries.assumptions import Assumption
from tallystick.frontends.errors import SourceError, kind_of
from tallystick.frontends.sql.dialects import dialect_named
from tallystick.frontends.sql.reader import SqlPair, read_pair, read_schema
from tallystick.frontends.sql.source import Source, SqlText, read_text
from tallystick.options import OptionError

ALLOWED: Final = {Assumption.EXACT_FLOATS.label}
"""Assumptions that are made on request only."""


def read_queries(
    left: str | Path | SqlText,
    right: str | Path | SqlText,
    *,
    schema: Source,
    dialect: str | tuple[str, str] = "spark",
    assume: Sequence[str] = (),
    collation: str | None = None,
    bag: bool = False,
) -> SqlPair:
    """Two queries as `check_sql` compares them. Raises what `check_sql` raises."""
    named = (dialect, dialect) if isinstance(dialect, str) else dialect
    if not (isinstance(named, tuple | list) and len(named) == 2 and all(isinstance(each, str) for each in named)):
        raise OptionError(f"dialect must be a name, or a pair of names, and is {kind_of(dialect)}")
    assume = (assume,) if isinstance(assume, str) else assume
    if not isinstance(assume, Sequence):
        raise OptionError(f"assume must be a sequence of names, and is {kind_of(assume)}")
    unknown = [each for each in assume if each not in ALLOWED]
    if unknown:
        raise SourceError(f"there is no assumption {unknown[0]!r} to be asked for", "--assume", hint=", ".join(ALLOWED))
    meaning, to = (
        dialect_named(each, collation, option) for each, option in zip(named, ("--dialect", "--to"), strict=True)
    )
    tables = read_schema(schema, meaning)
    texts = [_named(read_text(source), side) for source, side in ((left, "left"), (right, "right"))]
    exact = Assumption.EXACT_FLOATS.label in assume
    floats = tables if exact else tables.with_floats()
    pair = read_pair(texts[0], texts[1], floats, meaning, to=to, exact_floats=exact)
    return pair.as_bags() if bag else pair


def question(pair: SqlPair) -> QueryPair:
    """What a certificate may be asked about: `audit(…, against=question(pair))`."""
    meaning = (pair.dialect.name, pair.switches, pair.assumptions)
    return QueryPair(pair.catalogue, pair.left, pair.right, pair.unenforced, *meaning)


def _named(text: SqlText, side: str) -> SqlText:
    return replace(text, name=f"the {side} query") if text.name == "the query" else text
