"""Texts, compared and ordered by code points (UTF8_BINARY)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tallystick.core.queries.expressions import And, Arithmetic, Case, Comparison, Expression, Function, IsNull, Literal
from tallystick.core.queries.types import BOOLEAN, INTEGER, TEXT
from tallystick.frontends.catalyst.nodes import Node, refused
from tallystick.frontends.catalyst.predicates import truth
from tallystick.frontends.catalyst.types import INT, STRING
from tallystick.frontends.catalyst.values import Value, folded, integer

if TYPE_CHECKING:
    from tallystick.frontends.catalyst.expressions import Expressions

OF_TEXT = {"Upper": "UPPER", "Lower": "LOWER", "StringReverse": "REVERSE"}
TESTS = {"StartsWith": "STARTSWITH", "EndsWith": "ENDSWITH", "Contains": "CONTAINS"}


HASHES = {
    ("Md5", None): "MD5",
    ("Sha1", None): "SHA1 in spark",
    **{("Sha2", bits): f"SHA2 of {bits or 256} bits" for bits in (0, 256, 384, 512)},
}
"""The names of hashes in the core, by those of Spark and the number of bits that SHA2 is given."""


def texts(self: Expressions, node: Node, nodes: tuple[Node, ...]) -> list[Expression]:
    """Expressions, all of which are texts."""
    values = self.all(nodes)
    for value in values:
        if value.type.name != "string":
            raise refused(node, f"{node.name} of a {value.type} is not understood")
    return [value.expression for value in values]


def text_function(name: str, *arguments: Expression) -> Expression:
    """A strict function that gives a text."""
    return folded(Function(name, arguments, TEXT, strict=True))


def test(name: str, *arguments: Expression) -> Expression:
    """A strict function that gives a truth value."""
    return folded(Function(name, arguments, BOOLEAN, strict=True))


def read_of_text(self: Expressions, node: Node) -> Value:
    """UPPER and LOWER."""
    return Value(text_function(OF_TEXT[node.name], *texts(self, node, (node.one("child"),))), STRING)


def read_test(self: Expressions, node: Node) -> Value:
    """Whether a text starts or ends with another, or contains it."""
    return truth(test(TESTS[node.name], *texts(self, node, (node.one("left"), node.one("right")))))


def read_length(self: Expressions, node: Node) -> Value:
    """The number of characters."""
    [text] = texts(self, node, (node.one("child"),))
    return Value(folded(Function("LENGTH", (text,), INTEGER, strict=True)), INT)


def read_concatenation(self: Expressions, node: Node) -> Value:
    """CONCAT: NULL if a part is."""
    first, *rest = texts(self, node, node.many("children"))
    for each in rest:
        first = text_function("||", first, each)
    return Value(first, STRING)


def read_joined(self: Expressions, node: Node) -> Value:
    """CONCAT_WS of texts: those that are not NULL, with the separator between them; NULL if that is."""
    if not (children := node.many("children")):
        raise refused(node)
    between, *parts = texts(self, node, children)
    joined: Expression = Literal("", TEXT)
    for each in parts:
        behind = text_function("||", between, each)
        known = folded(Case(((IsNull(behind), Literal("", TEXT)),), behind)) if behind.nullable else behind
        joined = known if isinstance(joined, Literal) and not joined.value else text_function("||", joined, known)
    length = folded(Function("LENGTH", (between,), INTEGER, strict=True))
    return Value(text_function("SUBSTRING", joined, folded(Arithmetic("+", length, integer(1)))), STRING)


def read_part_at(self: Expressions, node: Node) -> Value:
    """SUBSTRING_INDEX: what stands before so many separators, or behind so many from the end."""
    text, between = texts(self, node, (node.one("strExpr"), node.one("delimExpr")))
    return Value(
        text_function("SUBSTRING_INDEX in spark", text, between, self.read(node.one("countExpr")).expression), STRING
    )


def read_hash(self: Expressions, node: Node) -> Value:
    """MD5, SHA1 and SHA2 of the bytes of a text, in hexadecimal digits."""
    bits: Value | None = self.read(node.one("right")) if node.name == "Sha2" else None
    name = HASHES.get((node.name, bits.expression.value if bits and isinstance(bits.expression, Literal) else None))
    data = node.one("left" if node.name == "Sha2" else "child")
    if name is None or data.name != "Cast" or data.plain("dataType") != "binary":
        raise refused(node, f"{node.name} of other bytes than those of a text is not understood")
    data.fields.get("timeZoneId")
    data.fields.get("evalMode")
    return Value(text_function(name, *texts(self, node, (data.one("child"),))), STRING)


def read_substring(self: Expressions, node: Node) -> Value:
    """SUBSTRING: from a place, counted from 1, or from the end if negative."""
    [text] = texts(self, node, (node.one("str"),))
    place, length = (value.expression for value in self.all((node.one("pos"), node.one("len"))))
    starts = isinstance(place, Literal) and isinstance(place.value, int) and place.value >= 1
    counted = isinstance(length, Literal) and isinstance(length.value, int) and length.value >= 0
    name = "SUBSTRING" if starts and counted else "SUBSTRING in spark"
    return Value(text_function(name, text, place, length), STRING)


def read_trim(self: Expressions, node: Node) -> Value:
    """TRIM, LTRIM and RTRIM."""
    names = {"StringTrim": "TRIM", "StringTrimLeft": "LTRIM", "StringTrimRight": "RTRIM"}
    characters = node.maybe("trimStr")
    nodes = (node.one("srcStr"), *((characters,) if characters is not None else ()))
    return Value(text_function(names[node.name], *texts(self, node, nodes)), STRING)


def read_replace(self: Expressions, node: Node) -> Value:
    """REPLACE."""
    fields = ("srcExpr", "searchExpr", "replaceExpr")
    return Value(text_function("REPLACE", *texts(self, node, tuple(node.one(field) for field in fields))), STRING)


def read_like(self: Expressions, node: Node) -> Value:
    """LIKE; with a constant pattern, in terms of its fixed parts as far as they say it all."""
    text, pattern = texts(self, node, (node.one("left"), node.one("right")))
    escape = node.text("escapeChar")
    if isinstance(pattern, Literal) and isinstance(pattern.value, str) and not set(pattern.value) & {"_", escape}:
        return truth(_by_parts(text, pattern.value))
    return truth(test("LIKE ESCAPE", text, pattern, Literal(escape, TEXT)))


def _by_parts(text: Expression, pattern: str) -> Expression:
    """A LIKE whose pattern has no special characters but `%`."""

    def constant(part: str) -> Literal:
        return Literal(part, TEXT)

    if re.fullmatch("%+", pattern):
        return test("STARTSWITH", text, constant(""))
    match pattern.split("%"):
        case [whole]:
            return Comparison("=", text, constant(whole))
        case [start, ""]:
            return test("STARTSWITH", text, constant(start))
        case ["", end]:
            return test("ENDSWITH", text, constant(end))
        case ["", part, ""]:
            return test("CONTAINS", text, constant(part))
        case [start, end]:
            length = Function("LENGTH", (text,), INTEGER, strict=True)
            long = folded(Comparison(">=", length, integer(len(start) + len(end))))
            ends = (test("STARTSWITH", text, constant(start)), test("ENDSWITH", text, constant(end)))
            return And((long, *ends))
        case _:
            return test("LIKE ESCAPE", text, constant(pattern), constant("\\"))


HANDLERS = {
    **dict.fromkeys(OF_TEXT, read_of_text),
    **dict.fromkeys(TESTS, read_test),
    "Length": read_length,
    "Concat": read_concatenation,
    "ConcatWs": read_joined,
    "Substring": read_substring,
    "SubstringIndex": read_part_at,
    **dict.fromkeys(("Md5", "Sha1", "Sha2"), read_hash),
    **dict.fromkeys(("StringTrim", "StringTrimLeft", "StringTrimRight"), read_trim),
    "StringReplace": read_replace,
    "Like": read_like,
}
