"""Operators on values of each two kinds, and what brings values of two kinds together."""

from __future__ import annotations

from itertools import product
from typing import Final

from conformance.families import KINDS, OPERANDS, Made

ARITHMETIC: Final = ["+", "-", "*", "/"]
COMPARISONS: Final = ["=", "<"]
OTHERS: Final = [
    "%",
    "DIV",
    "//",
    "||",
    "&",
    "|",
    "^",
    "<<",
    ">>",
    "<>",
    "!=",
    "<=",
    ">",
    ">=",
    "<=>",
    "==",
    "AND",
    "OR",
    "XOR",
    "&&",
    "LIKE",
    "ILIKE",
    "RLIKE",
    "REGEXP",
    "~",
    "~*",
    "!~",
    "^@",
    "GLOB",
]
OTHERS_OF_WORDS: Final = (
    "IS DISTINCT FROM",
    "IS NOT DISTINCT FROM",
    "NOT LIKE",
    "SIMILAR TO",
    "NOT ILIKE",
    "IS",
    "IS NOT",
)
UNARY: Final = ("-", "+", "~", "NOT ", "!")
TESTS: Final = (
    *(f"IS {negation}{word}" for negation in ("", "NOT ") for word in ("NULL", "TRUE", "FALSE", "UNKNOWN")),
    *("ISNULL", "NOTNULL"),
)
MEETING: Final = {
    "coalesce": "COALESCE({}, {})",
    "ifnull": "IFNULL({}, {})",
    "nvl": "NVL({}, {})",
    "nullif": "NULLIF({}, {})",
    "greatest": "GREATEST({}, {})",
    "least": "LEAST({}, {})",
    "if": "IF(id > 3, {}, {})",
    "iif": "IIF(id > 3, {}, {})",
    "case": "CASE WHEN id > 3 THEN {} ELSE {} END",
    "case of a value": "CASE {} WHEN {} THEN 1 ELSE 0 END",
    "in": "{} IN ({})",
    "in two": "{0} IN ({0}, {1})",
    "not in": "{} NOT IN ({}, NULL)",
    "between": "{0} BETWEEN {1} AND {1}",
    "not between": "{0} NOT BETWEEN {1} AND {0}",
    "concat": "CONCAT({}, {})",
    "nvl2": "NVL2(b, {}, {})",
}
CONSTANTS_MEET: Final = ("coalesce", "case", "in", "between", "greatest", "nullif")


def operators() -> Made:
    """Binary and unary operators."""
    for operator in (*ARITHMETIC, *COMPARISONS):
        for (left, a), (_, b) in product(OPERANDS.items(), repeat=2):
            if "constant" not in left:
                yield f"operator {operator}", f"= {a} {operator} {b}"
    for left, a in KINDS.items():
        for operator in (*ARITHMETIC, *COMPARISONS):
            yield f"operator {operator}", f"= 2 {operator} {a}"
        for operator in (*OTHERS, *OTHERS_OF_WORDS):
            for right, b in KINDS.items():
                if left == right or {left, right} & {"integer", "null"} or (left, right) == ("text", "date"):
                    yield f"operator {operator}", f"= {a} {operator} {b}"
        for operator in UNARY:
            yield f"operator {operator.strip()} of one value", f"= {operator}{a}"
        for test in TESTS:
            yield f"test {test}", f"= {a} {test}"
            if left in ("boolean", "integer"):
                yield f"test {test}", f"= ({a} > 1) {test}"


def meetings() -> Made:
    """Values of two kinds that have to become values of one."""
    for (name, form), (_, a), (right, b) in product(MEETING.items(), KINDS.items(), OPERANDS.items()):
        if "constant" not in right or name in CONSTANTS_MEET:
            yield name, f"= {form.format(a, b)}"
    for (left, a), (right, b) in product(KINDS.items(), OPERANDS.items()):
        yield "union all of kinds", f"SELECT {a} AS q FROM t UNION ALL SELECT {b} FROM t"
        if left == right or {left, right} & {"integer", "date"}:
            yield "union of kinds", f"SELECT {a} AS q FROM t UNION SELECT {b} FROM t"
            yield "in a query of kinds", f"= {a} IN (SELECT {b} FROM t)"
            yield "any of kinds", f"= {a} = ANY (SELECT {b} FROM t WHERE id < 3)"
    for quantifier, operator in product(("ANY", "ALL", "SOME"), ("=", "<>", "<", "<=", ">", ">=")):
        yield f"quantified {operator} {quantifier.lower()}", f"= a {operator} {quantifier} (SELECT c FROM u)"
        yield f"quantified {operator} {quantifier.lower()}", f"= a {operator} {quantifier} (SELECT z FROM e)"
        yield (
            f"quantified {operator} {quantifier.lower()}",
            f"= a {operator} {quantifier} (SELECT a FROM u WHERE a > 1)",
        )
