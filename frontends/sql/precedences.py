"""Operators without brackets: the parser groups some otherwise than the engine of the dialect, which is refused.

The table has the levels of each dialect, from the loosest to the tightest; operators of one level go from left to
right. Sources: the grammars and manuals of Spark 4 (`SqlBaseParser.g4`), PostgreSQL 15, DuckDB, MySQL 8, BigQuery,
Snowflake and Calcite; `tests/conformance/table/precedences.txt` asks the engines.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Final

from sqlglot import exp
from tallystick.frontends.sql.scopes import Reading

TESTS: Final = "In Between Like ILike RegexpLike RegexpILike SimilarTo Glob"
COMPARISONS: Final = "EQ NEQ LT LTE GT GTE NullSafeEQ NullSafeNEQ"
OTHERS: Final = "DPipe BitwiseAnd BitwiseOr BitwiseXor BitwiseLeftShift BitwiseRightShift BitwiseNot"
POSTGRES: Final = ("Or", "And", "Not", "Is", COMPARISONS, TESTS, OTHERS, "Add Sub", "Mul Div IntDiv Mod", "Neg")
SPARK: Final = (
    *("Or", "And", "Not", f"Is {TESTS}", COMPARISONS, "BitwiseOr", "BitwiseXor", "BitwiseAnd"),
    *("BitwiseLeftShift BitwiseRightShift", "Add Sub DPipe", "Mul Div IntDiv Mod", "Neg BitwiseNot"),
)
MANUAL: Final = (
    *("Or", "And", "Not", f"Is {COMPARISONS} {TESTS}", "BitwiseOr", "BitwiseXor", "BitwiseAnd"),
    *("BitwiseLeftShift BitwiseRightShift", "Add Sub", "Mul Div IntDiv Mod DPipe", "Neg BitwiseNot"),
)
MYSQL: Final = (
    *("Or", "Xor", "And", "Not", "Between", f"Is {COMPARISONS} {TESTS.replace('Between ', '')}", "BitwiseOr"),
    *("BitwiseAnd", "BitwiseLeftShift BitwiseRightShift", "Add Sub", "Mul Div IntDiv Mod", "BitwiseXor"),
    "Neg BitwiseNot",
)
CALCITE: Final = ("Or", "And", "Not", "Is", f"{COMPARISONS} {TESTS}", "Add Sub", "Mul Div Mod DPipe", "Neg")
LEVELS: Final = {
    "postgres": POSTGRES,
    "duckdb": POSTGRES,
    "spark": SPARK,
    "databricks": SPARK,
    "mysql": MYSQL,
    "bigquery": MANUAL,
    "snowflake": MANUAL,
    "calcite": CALCITE,
}
NOT_IN_A_ROW: Final = frozenset({"postgres", "duckdb", "bigquery"})
"""Dialects in which no comparison stands beside another."""
PREFIX: Final = (exp.Not, exp.Neg, exp.BitwiseNot)
LAST: Final[dict[type[exp.Expr], str]] = {exp.Between: "high"}
"""The argument at the end of an operator, if it is not called `expression`."""
CLOSED: Final = (exp.In,)
"""What ends with a bracket."""


@cache
def levels(dialect: str) -> dict[type[exp.Expr], int]:
    """How tightly each operator of a dialect binds."""
    return {getattr(exp, name): level for level, names in enumerate(LEVELS[dialect]) for name in names.split()}


def require_grouping(reading: Reading, tree: exp.Expr) -> None:
    """Raises SourceError where operators of a text are grouped otherwise by the engine of its dialect."""
    known = levels(reading.dialect.name)
    for node in tree.find_all(*known):
        level = known[type(node)]
        apart = type(node).__name__ in COMPARISONS.split() and reading.dialect.name in NOT_IN_A_ROW
        before = any(known[type(each)] < level + apart for each in _right_edge(node, known))
        null_safe = isinstance(node, exp.NullSafeEQ) and reading.dialect.name == "mysql"
        if before or any(known[type(each)] <= level for each in _left_edge(node, known, null_safe)):
            message = "the engine of this dialect groups these operators otherwise, or takes no such text"
            raise reading.error(node, message, "write brackets")


def _right_edge(node: exp.Expr, known: dict[type[exp.Expr], int]) -> Iterator[exp.Expr]:
    """The operators that stand directly before an operator: at the right edge of what is to its left."""
    at = None if isinstance(node, PREFIX) else node.args.get("this")
    while type(at) in known:
        assert at is not None
        yield at
        at = None if isinstance(at, CLOSED) else at.args.get(_last(at))


def _last(node: exp.Expr) -> str:
    return "this" if isinstance(node, PREFIX) else LAST.get(type(node), "expression")


def _left_edge(node: exp.Expr, known: dict[type[exp.Expr], int], inserted: bool) -> Iterator[exp.Expr]:
    """The operators directly behind it: at the left edge of what is to its right; a prefix binds what follows it.

    Args:
        inserted: whether the parser itself puts brackets there.
    """
    if isinstance(node, CLOSED):
        return
    at = node.args.get(_last(node))
    at = at.this if inserted and isinstance(at, exp.Paren) else at
    while type(at) in known and not isinstance(at, PREFIX):
        assert at is not None
        yield at
        at = at.args.get("this")
