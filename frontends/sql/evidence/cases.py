"""What a text uses of its dialect: words and shapes of its tokens, and the constructs of its tree, by their operands.

A case is a line of text. `|| DIV EXTRACT( 9.9e9` are words; `Round(decimals=integer, this=decimal)` is a construct
with the types that its parts were read with; `convert text to date` is one that the reader reports of itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from sqlglot import exp
from sqlglot.tokens import Token, TokenType

PUNCTUATION: Final = frozenset(["(", ")", ",", ".", ";"])
LISTS: Final = (exp.Group, exp.Rollup, exp.Cube, exp.GroupingSets, exp.Distinct, exp.Tuple)
PIECEWISE: Final = (exp.Select, exp.Window, exp.Order, *LISTS)
"""Nodes whose parts, and the elements of these, are cases of their own: they are read one after the other."""
QUERIES: Final = (exp.Query, exp.Table, exp.Values)
NAMES: Final = (exp.Identifier, exp.TableAlias, exp.Star)
OPERANDS: Final = ("this", "expression")
AROUND: Final = (exp.Filter, exp.IgnoreNulls, exp.RespectNulls, exp.WithinGroup)
"""What stands around a call with OVER."""
UNSPOKEN: Final = (
    *NAMES,
    exp.Column,
    exp.Placeholder,
    exp.Literal,
    exp.Var,
    exp.DataType,
    exp.Paren,
    exp.Alias,
    exp.Dot,
    exp.DataTypeParam,
)
"""Nodes that are no cases: what they hold is part of the case around them, or a word."""
NAMED_BY: Final = (TokenType.VAR, TokenType.IDENTIFIER)
"""What a key of a document, a field, or the name of a window may be written as."""
POINTS: Final = (TokenType.COLON, TokenType.DOT)
_COMMENT: Final = re.compile(r"--|#|//|/\*[^\w\s]?")
_PREFIX: Final = re.compile(r"\w*")
_DIGITS: Final = re.compile(r"\d+")
_CONSTRUCT: Final = re.compile(r"(?P<name>[A-Z][\w ]*)\((?P<parts>.*)\)")
_CONVERSION: Final = re.compile(r"\w+: (?P<what>constant of type .*)")
_COMMA: Final = re.compile(r", (?=[a-z_]+(?:=|, |$))")
"""What parts the arguments of a construct: a type, such as DECIMAL(n, n), has commas of its own."""
_NAME: Final = re.compile(r"[A-Z][\w ]*(?=[(.:])")

WHOLE: Final = ("Cast(", "TryCast(")
"""Constructs whose parts say nothing by themselves: the table has a row for each pair of types."""

Place = tuple[int, int]
"""Where a case stands in the text: its first and last character, exclusive."""


def words(text: str, tokens: list[Token], node: exp.Expr, keys: bool = False) -> Iterator[tuple[str, Place]]:
    """The words, operators, shapes of constants and kinds of comments of a text; not its names.

    With `keys`, what follows a point or a colon is a field or the key of a document, and no word.
    """
    names = {each.meta["start"] for each in node.find_all(exp.Identifier) if "start" in each.meta}
    parameters = [range(each.meta["start"], each.meta["end"] + 1) for each in node.find_all(exp.Placeholder)]
    end = 0
    before = None
    for token, phrase in zip(tokens, _phrases(tokens), strict=True):
        yield from _comment(text, end, token.start)
        end = token.end + 1
        is_name = (
            token.start in names
            or any(token.start in each for each in parameters)
            or (token.token_type in NAMED_BY and (before is TokenType.OVER or (keys and before in POINTS)))
        )
        before = token.token_type
        if not is_name:
            yield from ((case, (token.start, end)) for case in _of_token(token, text[token.start : end]))
            if phrase:
                yield phrase, (token.start, end)
    yield from _comment(text, end, len(text))


def _comment(text: str, start: int, end: int) -> Iterator[tuple[str, Place]]:
    """The kind of the first comment between two tokens."""
    yield from ((f"comment {each}", (start, end)) for each in _COMMENT.findall(text[start:end])[:1])


def _phrases(tokens: list[Token]) -> Iterator[str]:
    """IS DISTINCT FROM and its negation, at the word IS: other operators are read alike."""
    for index, token in enumerate(tokens):
        after = [each.text.upper() for each in tokens[index + 1 : index + 3]]
        found = token.token_type is TokenType.IS and "DISTINCT" in after
        yield f"IS {'NOT ' if after[:1] == ['NOT'] else ''}DISTINCT FROM" if found else ""


def _of_token(token: Token, written: str) -> Iterator[str]:
    match token.token_type:
        case TokenType.STRING:
            if "\\" in written or "''" in written[1:-1]:
                yield "text with a quote or a backslash"
            elif not written.startswith("'"):
                yield f"text that starts with {written[0]}"
        case TokenType.RAW_STRING:
            yield f"text that starts with {_PREFIX.match(written)[0].lower()}"  # type: ignore[index]
        case TokenType.NUMBER:
            yield f"number {_DIGITS.sub('9', written)}"
        case _ if written not in PUNCTUATION:
            yield written.upper() if written.isprintable() and len(written) < 40 else token.token_type.name


def constructs(node: exp.Expr, types: Mapping[int, str]) -> Iterator[tuple[str, exp.Expr]]:
    """The constructs of a tree. `types` are those that expressions were read with, by the identity of their nodes."""
    for each in node.walk():
        if isinstance(each, PIECEWISE):
            yield from ((f"{_name(each)}{case}", piece) for case, piece in _pieces(each, types))
        elif not isinstance(each, UNSPOKEN):
            yield _construct(each, types), each


def _pieces(node: exp.Expr, types: Mapping[int, str]) -> Iterator[tuple[str, exp.Expr]]:
    for part, value in node.args.items():
        if value not in (None, False, [], ""):
            listed = value if isinstance(value, list) and isinstance(node, LISTS) else []
            first = value[0] if isinstance(value, list) else value
            for said, piece in {_described(each, types): each for each in listed}.items() or [("", first)]:
                yield f".{part}={said}" if said else f".{part}", piece if isinstance(piece, exp.Expr) else node


def _construct(node: exp.Expr, types: Mapping[int, str]) -> str:
    parts = {part: _described(value, types) for part, value in node.args.items() if value not in (None, False, [], "")}
    if isinstance(node, exp.SetOperation):
        parts |= {
            each: type(node.args[each]).__name__ for each in OPERANDS if isinstance(node.args[each], exp.SetOperation)
        }
    if isinstance(node, exp.Anonymous):
        parts.pop("this")
    if isinstance(node, exp.Table):  # names
        parts = {part: said for part, said in parts.items() if part not in ("catalog", "db")}
    listed = ", ".join(f"{part}={said}" if said else part for part, said in sorted(parts.items()))
    return f"{_name(node)}({listed})"


def _name(node: exp.Expr) -> str:
    match node:
        case exp.Anonymous():
            return node.name.upper()
        case exp.Window():
            call = node.this
            while isinstance(call, AROUND):
                call = call.this
            return f"Window of {_name(call)}"
        case _:
            return type(node).__name__


def _described(value: Any, types: Mapping[int, str]) -> str:
    """What a part of a construct is: a type, a word, or the kind of its node; "" for names and queries."""
    if isinstance(value, list):
        return "|".join(sorted({_described(each, types) for each in value} - {""}))
    if not isinstance(value, exp.Expr):
        return str(value).upper()
    while isinstance(value, exp.Paren | exp.Alias) and id(value) not in types:
        value = value.this
    if id(value) in types:
        return types[id(value)]
    if isinstance(value, exp.If):
        return _described(value.args["true"], types)
    if isinstance(value, exp.Connector):  # of a chain, the ends alone are read
        return "boolean"
    if isinstance(value, exp.Var | exp.DataType):
        return _DIGITS.sub("n", value.sql().upper())
    if isinstance(value, exp.Placeholder):
        return "a number"  # of rows: all others were read with a type
    if isinstance(value, exp.Literal):
        return "a text" if value.is_string else "a number"
    return "" if isinstance(value, (*NAMES, *QUERIES)) else type(value).__name__


def parts(case: str) -> frozenset[str]:
    """The parts of a case that may each be met in a text of its own; a word has none but itself.

    `Round(decimals=integer, this=decimal)` has `Round.decimals=integer` and `Round.this=decimal`, an element of a list
    is a part whatever its type is, and a conversion is one wherever it stands. A cast has none but itself.
    """
    if case.startswith(WHOLE):
        return frozenset([case])
    if construct := _CONSTRUCT.fullmatch(case):
        listed = _COMMA.split(construct["parts"])
        return frozenset(
            f"{construct['name']}.{part}{equals}{kind}"
            for part, equals, kinds in (each.partition("=") for each in listed)
            for kind in kinds.split("|")
        )
    if conversion := _CONVERSION.fullmatch(case):
        return frozenset([conversion["what"]])
    piece, _, _ = case.partition("=") if _NAME.match(case) else (case, "", "")
    return frozenset([piece])


def plain(case: str) -> str:
    """The word, or the name of the construct, that a case is about."""
    name = _NAME.match(case)
    return case if name is None else name[0]
