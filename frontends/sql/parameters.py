"""Bind parameters: constants that the text does not have, the same in both queries of a pair.

`?` and `%s` are parameters by their place, the n-th of one query being the n-th of the other, and `$1` says the place;
`:x`, `%(x)s`, `$x` and `@x` are parameters by name, as a dialect has them, and so is `{{ x }}`, which a template has
left. Nothing is known of a parameter but its type, which is that of what it meets; it may be NULL, unless it is quoted,
`'{{ x }}'`, or a number of rows, which is not negative. The values are the only row of a table of their own, beside
which each query is read: what is claimed of all databases is claimed of all values, and a counterexample has them.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields, is_dataclass, replace
from typing import Any, Final, TypeVar

from sqlglot import exp
from sqlglot.tokens import Token, TokenType
from tallystick.core.queries.catalogue import Column, Table
from tallystick.core.queries.expressions import Comparison, Expression, Function, Literal, Reference, WithQuery
from tallystick.core.queries.syntax import Join, Project, Scan, Statement, Values, references
from tallystick.core.queries.types import BOOLEAN, DATE, DECIMAL, INTEGER, TEXT, TIMESTAMP, SqlType
from tallystick.frontends.errors import SourceError
from tallystick.frontends.sql.nulls import UntypedNull, Value

TABLE: Final = "the parameters"
"""The table of the values: no text of a dialect has a name like it without quotes."""
NAME: Final = "parameter"
"""What nodes of the tree that are parameters have their names by."""
_JINJA: Final = r"\{\{\s*(?P<left>[A-Za-z_][\w.]*)\s*\}\}"
_EVERYWHERE: Final = (
    r"(?P<next>\?|%s\b)",
    r":(?P<colon>[A-Za-z_]\w*)",
    r"%\((?P<percent>\w+)\)s\b",
    rf"(?P<quote>'?){_JINJA}(?P=quote)",
)
_OWN: Final = {
    "postgres": (r"\$(?P<place>\d+)",),
    "duckdb": (r"\$(?P<place>\d+)", r"\$(?P<dollar>[A-Za-z_]\w*)"),
    "snowflake": (r"\$(?P<dollar>[A-Za-z_]\w*)",),
    "bigquery": (r"@(?P<at>[A-Za-z_]\w*)",),
    "mysql": (r"@(?P<at>[A-Za-z_]\w*)",),
}
IN_ANY_CASE: Final = frozenset({"bigquery", "mysql", "snowflake"})
"""Dialects whose engines take no notice of the case of the names of parameters."""
STARTS: Final = frozenset(
    {
        *(TokenType.PLACEHOLDER, TokenType.MOD, TokenType.COLON, TokenType.PARAMETER),
        *(TokenType.L_BRACE, TokenType.STRING, TokenType.QDCOLON),
    }
)
BEHIND_A_VALUE: Final = frozenset(
    {
        *(TokenType.VAR, TokenType.IDENTIFIER, TokenType.STRING, TokenType.NUMBER, TokenType.DOT, TokenType.COLON),
        *(TokenType.R_PAREN, TokenType.R_BRACKET, TokenType.R_BRACE, TokenType.L_BRACKET, TokenType.L_BRACE),
    }
)
"""Behind these, what looks like a parameter is an operator, a field, a part of an array or a document."""
ErrorAt = Callable[[int, int, str, str], SourceError]
Spans = dict[int, tuple[int, str]]
"""The parameters of a text by their first characters: the character behind them, and their names."""


def spans(tokens: Sequence[Token], text: str, dialect: str, error: ErrorAt) -> Spans:
    """The parameters of a text.

    Raises SourceError where a template has left a part of a constant, and where a text writes one name in two ways,
    such as `:n` and `@n`: these may be a value of the program and a variable of the server.
    """
    pattern = re.compile("|".join((*_EVERYWHERE, *_OWN.get(dialect, ()))))
    found: Spans = {}
    ways: dict[str, str | None] = {}
    numbered, end = 0, 0
    for index, token in enumerate(tokens):
        if token.start < end or token.token_type not in STARTS:
            continue
        match = pattern.match(text, token.start)
        before = tokens[index - 1] if index else None
        touched = token.start > 0 and (text[token.start - 1].isalnum() or text[token.start - 1] in '_"`')
        if match is None or touched or (before is not None and before.token_type in BEHIND_A_VALUE):
            if token.token_type is TokenType.STRING and (left := re.search(_JINJA, token.text)):
                hint = f"render the template, or join the text with '{left[0]}' by ||"
                raise error(token.start, token.end + 1, f"{left[0]} is a part of this text", hint)
            continue
        end = match.end()
        if token.token_type is TokenType.STRING and end != token.end + 1:
            continue
        numbered += match["next"] is not None
        name = _name(match, numbered, dialect)
        way = "?" if name.startswith("?") else name
        if ways.setdefault(way, match.lastgroup) != match.lastgroup:
            raise error(token.start, end, f"the text writes the parameter {match[0]} in another way, too", "write one")
        found[token.start] = end, name
    return found


def _name(match: re.Match[str], numbered: int, dialect: str) -> str:
    """What a parameter is called: equal names in both queries are equal constants."""
    given = {kind: text for kind, text in match.groupdict().items() if text is not None}
    if "next" in given:
        return f"?{numbered}"
    if "place" in given:
        return f"?{int(given['place'])}"
    if "left" in given:
        return f"{given['quote']}{{{{ {given['left']} }}}}{given['quote']}"
    name = next(text for kind, text in given.items() if kind in ("colon", "percent", "dollar", "at"))
    return f":{name.lower() if dialect in IN_ANY_CASE else name}"


def as_names(tokens: Sequence[Token], parameters: Spans) -> list[Token]:
    """The tokens, with each parameter as one name, which `placed` finds in the tree."""
    starts, made, end = sorted(parameters), [], 0
    for token in tokens:
        if token.start in parameters:
            end, name = parameters[token.start]
            made.append(Token(TokenType.IDENTIFIER, name, token.line, token.col, token.start, end - 1, token.comments))
            if token.token_type is TokenType.QDCOLON:  # `?::`, which is an operator of Databricks behind a value
                made.append(Token(TokenType.DCOLON, "::", token.line, token.col, end, token.end))
        elif token.start >= end or not bisect_left(starts, token.start):
            made.append(token)
    return made


def placed(parsed: Sequence[exp.Expr | None], parameters: Spans, error: ErrorAt) -> None:
    """Puts a node for each parameter into the trees. Raises SourceError where one stands for no value."""
    waiting = dict(parameters)
    names = [each for tree in parsed if tree is not None for each in tree.find_all(exp.Identifier)]
    for identifier in names if parameters else ():
        column = identifier.parent
        start = identifier.meta.get("start")
        if start in waiting and isinstance(column, exp.Column) and [*column.iter_expressions()] == [identifier]:
            end, name = waiting.pop(start)
            node = exp.Placeholder(jdbc=True)  # written as `?` in all dialects
            node.meta.update({"start": start, "end": end - 1, NAME: name})
            column.replace(node)
    for start, (end, _) in waiting.items():
        raise error(start, end, "a parameter is understood where a value stands only", "")


@dataclass
class Parameters:
    """The parameters of two queries while these are read.

    Attributes:
        types: the types that are known.
        met: for each other one that was read, the types that it met.
        counts: those that are a number of rows.
        first: for each one that was read, the error that points at it.
    """

    types: dict[str, SqlType] = field(default_factory=dict[str, SqlType])
    met: dict[str, set[SqlType]] = field(default_factory=dict[str, set[SqlType]])
    counts: set[str] = field(default_factory=set[str])
    first: dict[str, Callable[[str, str], SourceError]] = field(
        default_factory=dict[str, Callable[[str, str], SourceError]]
    )

    def read(self, name: str, error: Callable[[str, str], SourceError]) -> Value:
        """A parameter where it stands: NULL that takes a type, as long as its type is not known."""
        self.first.setdefault(name, error)
        if name in self.types:
            return Function(name, (), self.types[name], strict=self.is_never_null(name))
        return UntypedNull(self.met.setdefault(name, set()))

    def read_count(self, name: str, error: Callable[[str, str], SourceError]) -> Expression:
        """A parameter where it is a number of rows: an integer, which is not negative."""
        self.first.setdefault(name, error)
        self.counts.add(name)
        if self.types.get(name, INTEGER) != INTEGER:
            raise error(f"the parameter {_shown(name)} is a number of rows, and meets values of other types", "")
        if name not in self.types:
            self.met.setdefault(name, set()).add(INTEGER)
        return Function(name, (), INTEGER, strict=True)

    def is_never_null(self, name: str) -> bool:
        """Whether a parameter is never NULL."""
        return name.startswith("'") or name in self.counts

    def learnt(self) -> dict[str, SqlType]:
        """The types of parameters that were not known, and are. Raises SourceError where one meets several types."""
        found: dict[str, SqlType] = {}
        for name, met in self.met.items():
            wider = next((each for each in (DECIMAL, TIMESTAMP) if met == {_NARROWER[each], each}), None)
            if len(met) > 1 and wider is None:
                kinds = " and ".join(sorted(map(str, met)))
                hint = f"say its type where it stands: CAST({_shown(name)} AS …)"
                raise self.first[name](f"the parameter {_shown(name)} meets values of the types {kinds}", hint)
            if met:
                found[name] = wider or next(iter(met))
        return found or {name: TEXT for name in self.met if name.startswith("'")}

    def require_types(self) -> None:
        """Raises SourceError at a parameter whose type nothing says."""
        for name in self.met:
            hint = f"write CAST({_shown(name)} AS …)"
            raise self.first[name](f"nothing says which type the parameter {_shown(name)} has", hint)

    def table(self) -> Table | None:
        """The table of the values of those whose types are known, which has one row at most; None without any."""
        known = sorted(self.first.keys() & self.types.keys())
        if not known:
            return None
        columns, checks = [], []
        for place, name in enumerate(known):
            type_ = self.types[name]
            column = Column(name, type_, not self.is_never_null(name))
            columns.append(column)
            if name in self.counts:
                checks.append(Comparison(">=", Reference(0, place, type_, column.nullable), Literal(0, INTEGER)))
        return Table(TABLE, tuple(columns), keys=((),), checks=tuple(checks))


_NARROWER: Final = {DECIMAL: INTEGER, TIMESTAMP: DATE}


def _shown(name: str) -> str:
    return "?" if name.startswith("?") else name


T = TypeVar("T")


def with_types(read: Callable[[Parameters], T]) -> T:
    """What is read once the types of all parameters are known: it is read again as long as more become known.

    Raises what `read` raises then, and SourceError where the type of a parameter is not known.
    """
    types: dict[str, SqlType] = {}
    counts: set[str] = set()
    while True:
        parameters = Parameters(dict(types), counts=set(counts))
        result, problem = None, None
        try:
            result = read(parameters)
        except SourceError as error:
            problem = error
        learnt = parameters.learnt()
        if learnt or parameters.counts != counts:
            types |= learnt
            counts |= parameters.counts
            continue
        if problem is not None:
            raise problem
        parameters.require_types()
        return result  # type: ignore[return-value]


def beside(statement: Statement, table: Table | None) -> Statement:
    """A statement beside the only row of the parameters, which stand in it as functions of nothing."""
    if table is None:
        return statement
    values = table.scan()
    placing = _Placing({each.name: place for place, each in enumerate(table.columns)})
    rows = Join("inner", values, placing.of(statement.query, 1), Literal(True, BOOLEAN), lateral=True)
    return replace(statement, query=Project(rows, references(rows)[len(values.columns) :]))


@dataclass
class _Placing:
    """Puts references to the row of the parameters, which is so many scopes out, where the parameters stand."""

    places: dict[str, int]
    done: dict[tuple[int, int], tuple[Any, Any]] = field(default_factory=dict[tuple[int, int], tuple[Any, Any]])

    def of(self, value: Any, level: int) -> Any:
        """A value of which parts may be parameters, changed; the same object where nothing changes."""
        if isinstance(value, tuple):
            made = tuple(self.of(each, level) for each in value)
            return value if all(new is old for new, old in zip(made, value, strict=True)) else made
        if not is_dataclass(value) or isinstance(value, type | Literal | Reference | Scan | Values):
            return value
        if (id(value), level) not in self.done:
            self.done[id(value), level] = value, self._changed(value, level)
        return self.done[id(value), level][1]

    def _changed(self, value: Any, level: int) -> Any:
        if isinstance(value, Function) and not value.arguments and value.name in self.places:
            return Reference(level, self.places[value.name], value.type, value.nullable)
        inner = (
            "query" if isinstance(value, WithQuery) else "right" if isinstance(value, Join) and value.lateral else ""
        )
        made = {each.name: self.of(getattr(value, each.name), level + (each.name == inner)) for each in fields(value)}
        return value if all(new is getattr(value, name) for name, new in made.items()) else replace(value, **made)
