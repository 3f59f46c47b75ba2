"""Tokens: what engines see in a text before it has a structure, and the parser reads past, or reads otherwise.

MySQL executes comments that begin with `!`; Spark 4 reads a doubled quote as a quote; PostgreSQL has INTERVAL 'P1M'
for a month; FULL, SEMI and ANTI are names where they are no words of joins; a number that runs into a name is no number
with an alias, and texts side by side are one text in some dialects.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from itertools import pairwise
from typing import Final

from sqlglot.parser import Parser
from sqlglot.tokens import Token, TokenType
from tallystick.frontends.errors import SourceError
from tallystick.frontends.sql.literals import interval

EXECUTED: Final = re.compile(r"/\*M?!")
"""How comments begin that MySQL and MariaDB execute."""
COUNT_OF_UNITS: Final = re.compile(r"\s*[+-]?\d+(\.\d+)?(\s+[A-Za-z]+)?\s*")
"""An interval of one unit, with its name or without."""
TYPES: Final = Parser.TYPE_TOKENS - {TokenType.INTERVAL}
"""Types that stand before a text as its type, in one word; the parser reads intervals by themselves."""
BEHIND_A_VALUE: Final = frozenset({*Parser.COLUMN_OPERATORS, TokenType.L_BRACKET})
"""What stands behind a value, and the parser gives to the text of a constant with a type alone."""
ENDS_OF_TYPES: Final = frozenset({")", "]", "ZONE", "VARYING"})
"""How types of several words end."""
MOMENT_IN_A_ZONE: Final = re.compile(r"\d+-\d+-\d+[ T]\d+:\d+(:\d+(\.\d*)?)? ?(Z|[+-]\d+(:?\d+)?)")
"""A text that engines read by its zone, or without it, by the type that it becomes."""
ISO_INTERVAL: Final = re.compile(r"P(?:(\d+)([YMWD])|T(\d+)([HMS]))")
"""An interval of one unit as ISO 8601 writes it."""
ISO_UNITS: Final = {"Y": "year", "M": "month", "W": "week", "D": "day", "TH": "hour", "TM": "minute", "TS": "second"}
ZONES_BY_NAME: Final = frozenset({"snowflake", "bigquery"})
"""Dialects in which such a text is read as a function by the name of the type."""
CASTS_BY_ZONE: Final = frozenset({("duckdb", ("CAST", "(", "AS", "TIMESTAMP", ")"))})
"""What stands around such a text in a cast that has one meaning, whatever the session's zone is."""
TEXTS_FIRST: Final = frozenset({("SUBSTRING", "("), ("SUBSTR", "(")})
FIELDS: Final = frozenset({"YEAR", "MONTH", "DAY", "HOUR", "MINUTE", "SECOND"})
"""Units that stand after the text of an interval in PostgreSQL; other words are names of columns there."""
NAMES: Final = frozenset({TokenType.VAR, TokenType.IDENTIFIER})
BEFORE_A_TABLE: Final = frozenset({TokenType.FROM, TokenType.JOIN, TokenType.COMMA})
ErrorAt = Callable[[int, int, str, str], SourceError]


def _around(tokens: Sequence[Token], index: int) -> tuple[str, ...]:
    """The two words before a token and the three behind it."""
    near = (*tokens[max(index - 2, 0) : index], *tokens[index + 1 : index + 4])
    return tuple(each.text.upper() for each in near)


def _is_text(dialect: str, around: tuple[str, ...]) -> bool:
    """Whether a text stands where it is a text: as the first of several arguments of SUBSTRING, or as an item of a
    SELECT list, which has the type VARCHAR in DuckDB."""
    before, after = around[:-3], around[-3:-2]
    return (before in TEXTS_FIRST and after == (",",)) or (
        dialect == "duckdb" and before[-1:] in ((",",), ("SELECT",)) and after == ("AS",)
    )


def understood(
    tokens: Sequence[Token], text: str, dialect: str, join_words: AbstractSet[str], error: ErrorAt
) -> list[Token]:
    """The tokens as the dialect's engine reads them; raises SourceError where the parser reads something else.

    Args:
        join_words: which of FULL, SEMI and ANTI are words of joins.
    """
    tokens = [_named(tokens, index, join_words) for index in range(len(tokens))]
    if dialect == "postgres":
        tokens = [*_with_units(tokens)]
    if dialect == "mysql":
        _require_no_executed_comment(tokens, text, error)
    for one, other in pairwise(tokens):
        if one.token_type == TokenType.NUMBER and other.token_type == TokenType.VAR and one.end + 1 == other.start:
            raise error(one.start, other.end + 1, "a number runs into a name", "put a blank between them")
        counted = one.token_type == TokenType.INTERVAL and other.token_type == TokenType.STRING
        if counted and not COUNT_OF_UNITS.fullmatch(other.text):
            hint = "write one unit, as in INTERVAL '3' DAY"
            raise error(other.start, other.end + 1, "this interval is not understood", hint)
    for index, token in enumerate(tokens) if dialect not in ZONES_BY_NAME else ():
        in_zone = token.token_type == TokenType.STRING and MOMENT_IN_A_ZONE.fullmatch(token.text)
        around = _around(tokens, index)
        if in_zone and (dialect, around) not in CASTS_BY_ZONE and not _is_text(dialect, around):
            hint = "write the moment as it is in the session's zone"
            raise error(token.start, token.end + 1, "a zone in a constant is not understood", hint)
    for one, other, third in zip(tokens, tokens[1:], tokens[2:], strict=False):
        if dialect == "postgres" and one.token_type == TokenType.INTERVAL:
            _require_interval(other, third, error)
    return list(_texts_joined([*_constants_in_brackets(tokens, error)], text, dialect, error))


def _constants_in_brackets(tokens: Sequence[Token], error: ErrorAt) -> Iterator[Token]:
    """The tokens, with `DATE '…'::T` as `(DATE '…')::T`, as all engines read it."""
    closed: Token | None = None
    for index, token in enumerate(tokens):
        one, other = (tokens[at] if at < len(tokens) else token for at in (index + 1, index + 2))
        constant = one.token_type == TokenType.STRING and other.token_type in BEHIND_A_VALUE
        if constant and token.text.upper() in ENDS_OF_TYPES:
            hint = "write CAST(… AS …), or brackets around the constant"
            message = f"a constant with a type is not understood by {other.text}"
            raise error(token.start, other.end + 1, message, hint)
        if constant and token.token_type in TYPES:
            closed = one
            yield Token(TokenType.L_PAREN, "(", token.line, token.col, token.start, token.start)
        yield token
        if token is closed:
            yield Token(TokenType.R_PAREN, ")", token.line, token.col, token.end, token.end)


def _named(tokens: Sequence[Token], index: int, join_words: AbstractSet[str]) -> Token:
    """A token; FULL, SEMI or ANTI as a name in `FROM t FULL JOIN …`, where it is the alias of a table."""
    token = tokens[index]
    is_word = token.text.upper() in {"FULL", "SEMI", "ANTI"} - join_words
    if not is_word or [each.token_type for each in tokens[index + 1 : index + 2]] != [TokenType.JOIN]:
        return token
    first = index - 1
    while first > 1 and tokens[first - 1].token_type == TokenType.DOT:
        first -= 2
    is_table = first > 0 and tokens[first].token_type in NAMES and tokens[first - 1].token_type in BEFORE_A_TABLE
    return _replaced(token, TokenType.VAR, token.text) if is_table else token


def _with_units(tokens: Sequence[Token]) -> Iterator[Token]:
    """The tokens, with an interval of ISO 8601 as a number with a unit."""
    last = None
    for token in tokens:
        of_iso = ISO_INTERVAL.fullmatch(token.text) if last == TokenType.INTERVAL else None
        last = token.token_type
        if of_iso is None or last != TokenType.STRING:
            yield token
            continue
        count, unit = (of_iso[1], of_iso[2]) if of_iso[1] else (of_iso[3], f"T{of_iso[4]}")
        yield _replaced(token, TokenType.STRING, f"{count} {ISO_UNITS[unit]}")


def _replaced(token: Token, kind: TokenType, text: str) -> Token:
    return Token(kind, text, token.line, token.col, token.start, token.end, token.comments)


def _require_interval(count: Token, unit: Token, error: ErrorAt) -> None:
    """Raises SourceError at `INTERVAL 1 DAY`, and at `INTERVAL '1' WEEK`, to PostgreSQL a second with the name week."""
    outside = count.token_type == TokenType.STRING and interval(1, unit.text.lower()) is not None
    is_name = outside and unit.text.upper() not in FIELDS
    if count.token_type == TokenType.NUMBER or is_name:
        hint = f"write INTERVAL '{count.text} {unit.text.lower()}'"
        raise error(count.start, unit.end + 1, "this interval is not understood in PostgreSQL", hint)


def _require_no_executed_comment(tokens: Sequence[Token], text: str, error: ErrorAt) -> None:
    if any(re.match("M?!", comment) for token in tokens for comment in token.comments):
        found = EXECUTED.search(text)
        start = 0 if found is None else found.start()
        message = "the server executes this comment, which is not read"
        raise error(start, start + 3, message, "write its text without the comment, or leave it out")


def _texts_joined(tokens: Sequence[Token], text: str, dialect: str, error: ErrorAt) -> Iterator[Token]:
    """The tokens, with a doubled quote in Spark as a quote; the parser joins other texts that stand side by side."""
    last: Token | None = None
    for token in tokens:
        beside = last is not None and last.token_type == token.token_type == TokenType.STRING
        if last is not None and beside and dialect == "spark" and _is_doubled(last, token, text):
            joined = last.text + text[token.start] + token.text
            last = Token(TokenType.STRING, joined, token.line, token.col, last.start, token.end, token.comments)
            continue
        if last is not None:
            if beside and not _are_one_text(text[last.end + 1 : token.start], dialect):
                hint = "write CONCAT, or one text"
                raise error(last.start, token.end + 1, "two texts side by side are not understood here", hint)
            yield last
        last = token
    if last is not None:
        yield last


def _is_doubled(one: Token, other: Token, text: str) -> bool:
    return one.end + 1 == other.start and text[one.end] == text[other.start]


def _are_one_text(between: str, dialect: str) -> bool:
    """Whether texts with something between them are one."""
    match dialect:
        case "spark" | "mysql":
            return True
        case "postgres" | "calcite":
            return "\n" in between
        case _:
            return False
