"""What messages call a case: the text of its construct as the dialect writes it, and what to write instead."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from sqlglot import exp
from sqlglot.errors import ErrorLevel
from tallystick.frontends.sql.dialects import Dialect
from tallystick.frontends.sql.parts import described

LONGEST: Final = 60
"""The characters of a construct that messages show."""
KINDS_OF_WORDS: Final = {
    "number ": "a number such as ",
    "comment ": "a comment that starts with ",
    "text ": "a text ",
}
INSTEAD: Final = {
    "NVL": "COALESCE",
    "IFNULL": "COALESCE",
    "ZEROIFNULL": "COALESCE(…, 0)",
    "ISNULL": "IS NULL",
    "ISNOTNULL": "IS NOT NULL",
    "NVL2": "CASE WHEN … IS NOT NULL THEN … ELSE … END",
    "IF": "CASE WHEN … THEN … ELSE … END",
    "IFF": "CASE WHEN … THEN … ELSE … END",
    "IIF": "CASE WHEN … THEN … ELSE … END",
    "COUNT_IF": "COUNT(CASE WHEN … THEN 1 END)",
    "COUNTIF": "COUNT(CASE WHEN … THEN 1 END)",
    "TRY_CAST": "CAST, where no value fails",
    "UCASE": "UPPER",
    "LCASE": "LOWER",
    "LEN": "LENGTH",
    "STARTSWITH": "LIKE '…%'",
    "STARTS_WITH": "LIKE '…%'",
    "CONTAINS": "LIKE '%…%'",
    "NATURAL": "JOIN … USING",
    "DAYOFMONTH": "EXTRACT(DAY FROM …)",
    "STRING": "VARCHAR",
    "DATETIME": "TIMESTAMP",
    "TIMESTAMP_NTZ": "TIMESTAMP",
    "TINYINT": "SMALLINT",
    "HUGEINT": "BIGINT or DECIMAL",
}
"""What other dialects have for a word of some."""
QUANTIFIED: Final[Mapping[type[exp.Expr], str]] = {
    exp.All: "as a condition, write NOT EXISTS (SELECT … WHERE (x > y) IS NOT TRUE)",
    exp.Any: "as a condition, write EXISTS (SELECT … WHERE x > y)",
}
CONVERSION: Final = re.compile(r"\w+: (?P<what>(?:constant|value) of type .*)")
OTHERWISE: Final = "write the query without it; frontends/sql/CONFORMANCE.md says what was compared"


def worded(case: str, node: exp.Expr | None, types: Mapping[int, str], dialect: Dialect) -> str:
    """A case in words. `node` is its construct, None of a word; `types` are those that expressions were read with."""
    if node is None:
        kind = next((kind for kind in KINDS_OF_WORDS if case.startswith(kind)), "")
        return f"{KINDS_OF_WORDS[kind]}{case[len(kind) :]}" if kind else f"`{case}`"
    text = f"`{_printed(node, dialect)}`"
    if conversion := CONVERSION.fullmatch(case):
        return f"{text} (a {conversion['what']})"
    listed = ["NULL" if each == "null" else each for each in dict.fromkeys(_operands(node, types))]
    return f"{text} (of {' and '.join(listed)})" if listed else text


def advice(case: str, node: exp.Expr | None, types: Mapping[int, str]) -> str:
    """What to write instead of a case, as far as it is known."""
    if case in INSTEAD:
        return f"write {INSTEAD[case]}"
    for kind, rewrite in QUANTIFIED.items():
        if node is not None and any(isinstance(each, kind) for each in (node, *node.iter_expressions())):
            return rewrite
    if node is not None and "null" in _operands(node, types):
        return "write CAST(NULL AS …)"
    return OTHERWISE


def _operands(node: exp.Expr, types: Mapping[int, str]) -> list[str]:
    """The types of the operands of a construct, if all have one."""
    operands = [each for each in node.iter_expressions() if isinstance(each, exp.Condition)]
    known = [types[id(each)] for each in operands if id(each) in types]
    return known if len(known) == len(operands) else []


def _printed(node: exp.Expr, dialect: Dialect) -> str:
    """The text of a node on one line, without the queries in it."""
    whole = node.copy()
    for query in [*whole.find_all(exp.Select, exp.SetOperation)]:
        query.replace(exp.Var(this="…"))
    try:
        text = whole.sql(dialect.parser, unsupported_level=ErrorLevel.IGNORE, comments=False)
    except (AttributeError, IndexError, KeyError, TypeError, ValueError):  # the parser prints no call without arguments
        text = described(node)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
