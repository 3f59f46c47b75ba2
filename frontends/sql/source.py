"""SQL texts, parsed and never run, and the places in them that errors point at."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from sqlglot import exp
from sqlglot.errors import ParseError, TokenError
from sqlglot.parser import Parser
from sqlglot.tokens import TokenType
from tallystick.frontends.errors import SourceError, excerpt_of, kind_of, shortened
from tallystick.frontends.sql.dialects import Dialect
from tallystick.frontends.sql.parameters import as_names, placed, spans
from tallystick.frontends.sql.tokens import understood
from tallystick.frontends.sql.written import SIGNED, WRITTEN, as_written

LARGEST_TEXT: Final = 1_000_000
"""Characters of a text that is read."""
LONGEST_NUMBER: Final = 1_000
"""Characters of a number in it: Python reads no more than 4,300 digits."""
_MAY_BE_LONGER: Final = re.compile(rf"[0-9.]{{{LONGEST_NUMBER + 1}}}")


@dataclass(frozen=True)
class SqlText:
    """A text of SQL and what messages call it: the path of its file, or words like "the left query"."""

    text: str
    name: str

    def error(self, node: exp.Expr | None, message: str, hint: str = "") -> SourceError:
        """The error that points at a node of the text; at its beginning where the parser keeps no position."""
        start, end = extent(node) if node is not None else (0, 0)
        return self.error_at(start, end, message, hint)

    def error_at(self, start: int, end: int, message: str, hint: str = "") -> SourceError:
        """The error that points at the characters from `start` to `end`."""
        before = self.text[:start]
        line, first = before.count("\n") + 1, before.rfind("\n") + 1
        shown = self.text[first:].split("\n", 1)[0]
        excerpt = excerpt_of(shown, start - first, max(min(end - first, len(shown.rstrip())), start - first + 1))
        return SourceError(message, self.name, line, start - first + 1, hint, excerpt)


def extent(node: exp.Expr) -> tuple[int, int]:
    """The first and the last character, exclusive, of a node, as far as the parser keeps positions."""
    while True:
        places = [(each.meta["start"], each.meta["end"] + 1) for each in node.walk() if "start" in each.meta]
        if places:
            return min(start for start, _ in places), max(end for _, end in places)
        if node.parent is None:
            return 0, 0
        node = node.parent


Source = str | Path | SqlText | Mapping[str, Any]
"""A text or the path of one; a mapping stands for its JSON."""


def is_text(source: str) -> bool:
    """Whether something is a text by itself: it has a blank, and no file or folder is called so."""
    return any(each.isspace() for each in source.strip()) and not os.path.exists(source)


def read_text(source: Source, what: str = "the query") -> SqlText:
    """The text of a file if one is called so, or else a text that has a blank, which is `what`; an SqlText as it is.

    Raises SourceError where there is no such file, or none that can be read, and TypeError for other things.
    """
    if isinstance(source, Mapping):
        try:
            return SqlText(json.dumps(source), what)
        except (TypeError, ValueError, RecursionError) as problem:
            raise SourceError(f"the mapping is no JSON: {problem}", what) from None
    if isinstance(source, SqlText):
        return source
    if not isinstance(source, str | Path):
        raise TypeError(f"{what} is a text or a path, not {kind_of(source)}")
    if isinstance(source, str) and not source.strip():
        raise SourceError("the text is empty", what)
    return SqlText(source, what) if isinstance(source, str) and is_text(source) else load(Path(source))


def load(path: Path) -> SqlText:
    """The text of a file; raises SourceError when it is missing, unreadable or no text."""
    name = str(path)
    try:
        return SqlText(path.read_text(encoding="utf-8-sig"), name)
    except FileNotFoundError:
        raise SourceError("there is no such file", shortened(name)) from None
    except OSError as problem:
        raise SourceError(f"the file cannot be read: {problem.strerror or problem}", shortened(name)) from None
    except UnicodeDecodeError:
        raise SourceError("the file is not text in UTF-8", name) from None
    except ValueError as problem:  # a path with a character that no path has
        raise SourceError(f"the file cannot be read: {problem}", shortened(name)) from None


def statements(source: SqlText, dialect: Dialect) -> list[exp.Expr]:
    """The parsed statements of a text. Raises SourceError where it is no SQL of the dialect."""
    if len(source.text) > LARGEST_TEXT:
        raise SourceError(f"the text has more than {LARGEST_TEXT} characters", source.name)
    try:
        parsed = _parsed(source, dialect)
    except SourceError:
        raise
    except ParseError as problem:
        raise _syntax_error(source, problem) from None
    except TokenError as problem:
        first_line = str(problem).splitlines()[0]
        raise SourceError(f"syntax error: {first_line}", source.name) from None
    except RecursionError:
        raise SourceError("the text is nested too deeply", source.name) from None
    except (AttributeError, IndexError, KeyError, TypeError, ValueError):
        # The parser trips over calls of functions that it knows with arguments that they do not have.
        raise SourceError(
            "syntax error: a function is called with arguments that it does not take", source.name
        ) from None
    found = [statement for statement in parsed if statement is not None and not isinstance(statement, exp.Semicolon)]
    for number in _long_numbers(found) if _MAY_BE_LONGER.search(source.text) else ():
        raise source.error(number, f"a number of more than {LONGEST_NUMBER:,} characters is not read")
    return found


def _parsed(source: SqlText, dialect: Dialect) -> list[exp.Expr | None]:
    parser = type(dialect.parser.parser())

    def brackets(reader: Parser) -> exp.Expr | None:
        """As the parser reads them, marked: it makes others where nobody wrote any."""
        read = parser._parse_paren(reader)
        if isinstance(read, exp.Paren):
            read.meta[WRITTEN] = True
        return read

    def sign(reader: Parser) -> exp.Expr | None:
        """As the parser reads it, which drops a `+`, but with a mark on what stands behind one."""
        signed = reader._curr is not None and reader._curr.token_type == TokenType.PLUS
        read = parser._parse_unary(reader)
        if signed and read is not None:
            read.meta[SIGNED] = True
        return read

    functions = {**parser.FUNCTIONS, **as_written(dialect, parser.FUNCTIONS)}
    own = {"FUNCTIONS": functions, "_parse_paren": brackets, "_parse_unary": sign}
    reader = type(parser.__name__, (parser,), own)(dialect=dialect.parser)
    tokens = dialect.parser.tokenize(source.text)
    parameters = spans(tokens, source.text, dialect.name, source.error_at)
    tokens = as_names(tokens, parameters)
    tokens = understood(tokens, source.text, dialect.name, dialect.join_words, source.error_at)
    parsed = reader.parse(tokens, source.text)
    placed(parsed, parameters, source.error_at)
    return parsed


def replaced(source: SqlText, dialect: Dialect, by: Mapping[str, str]) -> str:
    """A text that is read, with other texts for its parameters."""
    found = spans(dialect.parser.tokenize(source.text), source.text, dialect.name, source.error_at) if by else {}
    return with_parts(source.text, {(start, behind): by[name] for start, (behind, name) in found.items()})


def with_parts(text: str, parts: Mapping[tuple[int, int], str]) -> str:
    """A text with others in the places of some parts: the first character of each, and that behind it."""
    made, end = [], 0
    for (start, behind), part in sorted(parts.items()):
        made += [text[end:start], part]
        end = behind
    return "".join((*made, text[end:]))


def _long_numbers(parsed: list[exp.Expr]) -> Iterator[exp.Expr]:
    for statement in parsed:
        for literal in statement.find_all(exp.Literal):
            if not literal.is_string and len(literal.name) > LONGEST_NUMBER:
                yield literal


def _syntax_error(source: SqlText, problem: ParseError) -> SourceError:
    details = problem.errors[0] if problem.errors else {}
    description = details.get("description") or str(problem).splitlines()[0]
    line, column = details.get("line") or 1, details.get("col") or 1
    highlight = details.get("highlight") or ""
    start = _offset(source.text, line, column) - len(highlight)
    message = f"syntax error: {_in_words(description)}"
    return source.error_at(max(start, 0), max(start, 0) + len(highlight), message)


def _offset(text: str, line: int, column: int) -> int:
    """The number of characters before the end of the token that the parser reports."""
    lines = text.split("\n")
    return sum(len(each) + 1 for each in lines[: line - 1]) + column


def _in_words(description: str) -> str:
    """The parser's message without the names of its classes."""
    if description.startswith("Required keyword: "):
        return "something is missing here"
    description = description.split(" but got <")[0]
    return description[:1].lower() + description[1:].rstrip(".")
