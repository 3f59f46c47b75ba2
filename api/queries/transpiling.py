"""Translations by sqlglot, statement by statement, each of them compared with what was written."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

import sqlglot
from sqlglot.errors import ErrorLevel, SqlglotError, UnsupportedError
from sqlglot.optimizer import optimize
from sqlglot.tokens import TokenType
from tallystick.decision.service.isolation import isolated
from tallystick.frontends.errors import SourceError
from tallystick.frontends.sql.dialects import Dialect, dialect_named
from tallystick.frontends.sql.migration.types import written
from tallystick.frontends.sql.reader import read_schema
from tallystick.frontends.sql.schema import Schema
from tallystick.frontends.sql.source import Source, SqlText, read_text
from tallystick.options import Engine
from tallystick.queries.checking import check_sql
from tallystick.queries.verdict import SqlVerdict
from tallystick.showing import Shown
from tallystick.verdict import Answer

TRIPS: Final = (SqlglotError, AttributeError, IndexError, KeyError, TypeError, ValueError, RecursionError)
"""What sqlglot raises for a text that it cannot translate."""
MEBIBYTES: Final = 4096
"""What a translation may take of memory."""
REFUSED: Final = "refused"
"""What becomes of a statement that has no translation, or of which one side is not read."""


@dataclass(frozen=True, repr=False)
class Translation(Shown):
    """A statement, and what sqlglot makes of it.

    Attributes:
        source: the statement.
        text: the translation; None if there is none.
        verdict: whether both return the same; None if one of them is not read.
        problem: why there is no verdict.
        unsupported: what sqlglot says that it cannot translate, and translates all the same.
    """

    source: SqlText
    text: str | None = None
    verdict: SqlVerdict | None = None
    problem: str = ""
    unsupported: tuple[str, ...] = ()

    @property
    def answer(self) -> str:
        """equivalent, inequivalent, unknown or refused."""
        return REFUSED if self.verdict is None else str(self.verdict.verdict)

    def __str__(self) -> str:
        lines = [f"{REFUSED}: {self.source.name}: {self.problem}" if self.verdict is None else str(self.verdict)]
        lines += [f"  sqlglot: {each}" for each in self.unsupported]
        lines += [] if self.text is None else ["", *(f"    {line}" for line in self.text.splitlines()), ""]
        return "\n".join(lines)

    def to_json(self) -> dict[str, Any]:
        """One JSON object: the answer of `check`, if there is one, and both texts."""
        texts = {"text": self.source.text, "translation": self.text, "unsupported": list(self.unsupported)}
        known = {} if self.verdict is None else self.verdict.to_json()
        return {**known, "verdict": self.answer, "problem": self.problem, **texts}


def transpile_sql(
    source: str | Path | SqlText,
    *,
    schema: Source,
    dialect: tuple[str, str],
    optimized: bool = False,
    timeout: float = 10.0,
    replay: Engine = "reference",
) -> list[Translation]:
    """The statements of a text in another dialect, by sqlglot, and whether each returns the same there.

    Args:
        source: one or more queries, as a text or the path of a file.
        schema: as `check_sql` takes it, in the dialect of the source.
        dialect: that of the source, and that of the translation.
        optimized: whether sqlglot's optimiser rewrites the queries, too.
        timeout, replay: for each statement, as `check_sql` takes them. The translation has as much time.

    Raises SourceError where the source cannot be split into statements, or the schema is not understood, and
    MisreadingError and OptionError like `check_sql`.
    """
    given = read_text(source, "the text")
    own, to = dialect_named(dialect[0], option="--from"), dialect_named(dialect[1], option="--to")
    tables = read_schema(schema, own) if optimized else None
    found: list[Translation] = []
    for statement in split(given, own):
        made = isolated(partial(_translated, statement.text, own, to, tables), timeout, MEBIBYTES)
        text, unsupported, problem = made.result or ("", (), (made.problem or ("", ""))[1])
        if problem:
            found.append(Translation(statement, problem=f"sqlglot does not translate it: {problem}"))
            continue
        try:
            right = SqlText(text, f"{statement.name} in {to.name}")
            names = (own.name, to.name)
            verdict = check_sql(statement, right, schema=schema, dialect=names, timeout=timeout, replay=replay)
            found.append(Translation(statement, text, verdict, unsupported=unsupported))
        except SourceError as problem:
            found.append(Translation(statement, text, problem=str(problem), unsupported=unsupported))
    return found


def _translated(text: str, own: Dialect, to: Dialect, optimizing: Schema | None) -> tuple[str, tuple[str, ...], str]:
    """`translation`, with the problem if there is none."""
    try:
        return *translation(text, own, to, optimizing), ""
    except TRIPS as problem:
        return "", (), str(problem).partition("\n")[0] or type(problem).__name__


def translation(text: str, own: Dialect, to: Dialect, optimizing: Schema | None = None) -> tuple[str, tuple[str, ...]]:
    """A query in another dialect, and what sqlglot says that it cannot translate; optimised if tables are given.

    Raises one of TRIPS if it makes nothing of the text.
    """
    parsed = sqlglot.parse_one(text, read=_of_sqlglot(own))
    if optimizing is not None:
        parsed = optimize(parsed, schema=_tables(optimizing, own), dialect=_of_sqlglot(own))
    try:
        return parsed.sql(dialect=_of_sqlglot(to), unsupported_level=ErrorLevel.RAISE), ()
    except UnsupportedError as problem:
        made = parsed.sql(dialect=_of_sqlglot(to), unsupported_level=ErrorLevel.IGNORE)
        return made, tuple(str(problem).splitlines())


def split(source: SqlText, dialect: Dialect) -> Iterator[SqlText]:
    """The statements of a text, as they are written. Raises SourceError where it has none, or is no text of tokens."""
    try:
        tokens = dialect.parser.tokenize(source.text)
    except SqlglotError as problem:
        raise SourceError(f"syntax error: {str(problem).splitlines()[0]}", source.name) from None
    ends = [token.start for token in tokens if token.token_type == TokenType.SEMICOLON]
    starts = [0, *(end + 1 for end in ends)]
    texts = [
        source.text[start:end].strip()
        for start, end in zip(starts, [*ends, len(source.text)], strict=True)
        if any(start <= token.start < end for token in tokens)
    ]
    if not texts:
        raise SourceError("there is no query", source.name)
    for number, text in enumerate(texts, 1):
        yield SqlText(text, source.name if len(texts) == 1 else f"{source.name} statement {number}")


def worst(translations: list[Translation]) -> str:
    """The answer about all: a difference first, then what is refused, then what is not known."""
    found = {each.answer for each in translations}
    ranked = (str(Answer.INEQUIVALENT), REFUSED, str(Answer.UNKNOWN))
    return next((each for each in ranked if each in found), str(Answer.EQUIVALENT))


def _of_sqlglot(dialect: Dialect) -> str | None:
    """What sqlglot calls a dialect; it has none for Calcite's."""
    return None if dialect.name == "calcite" else dialect.name


def _tables(schema: Schema, dialect: Dialect) -> dict[str, Any]:
    """A schema as sqlglot's optimiser takes it."""
    found: dict[str, Any] = {}
    for table in schema.catalogue.tables:
        *parents, name = table.name.split(".")
        inner = found
        for each in parents:
            inner = inner.setdefault(each, {})
        declared = (schema.types.get((table.name, index)) for index in range(len(table.columns)))
        inner[name] = {
            column.name: (written(kind, dialect) if kind is not None else None) or "UNKNOWN"
            for column, kind in zip(table.columns, declared, strict=True)
        }
    return found
