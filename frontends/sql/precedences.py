"""Operators without brackets, which the parser groups otherwise than some engines do.

Chains of arithmetic, bits, `||` and comparisons are grouped anew, as the engine of the dialect groups them. What is
still grouped otherwise, such as a test beside them, is refused. The table has the levels of each dialect, from the
loosest to the tightest; operators of one level go from left to right. Sources: the grammars and manuals of Spark 4
(`SqlBaseParser.g4`), PostgreSQL 15, DuckDB, MySQL 8, SQLite, BigQuery, Snowflake and Calcite;
`tests/conformance/table/precedences.txt` asks the engines.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Final

from sqlglot import exp, parse_one
from sqlglot.parser import Parser
from tallystick.frontends.sql.scopes import QueryReading
from tallystick.frontends.sql.written import WRITTEN

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
SQLITE: Final = (
    *("Or", "And", "Not", f"Is EQ NEQ NullSafeEQ NullSafeNEQ {TESTS}", "LT LTE GT GTE"),
    *("BitwiseAnd BitwiseOr BitwiseLeftShift BitwiseRightShift", "Add Sub", "Mul Div IntDiv Mod", "DPipe"),
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
    "sqlite": SQLITE,
}
"""By the name of the evidence for a dialect."""
NOT_IN_A_ROW: Final = frozenset({"postgres", "duckdb", "bigquery"})
"""Dialects in which no comparison stands beside another."""
NULL_SAFE: Final = frozenset({"mysql", "spark", "databricks"})
"""Dialects with `<=>`, a comparison like others; behind it the parser puts brackets around another one."""
NO_PREFIX_BEHIND: Final = frozenset({"duckdb"})
"""Dialects in which an operator that binds more tightly than `~` does so otherwise with `~` behind it."""
INTERVAL_TAKES_ALL: Final = frozenset({"mysql"})
"""Dialects in which `INTERVAL 1 DAY + d = e` adds the interval to `d = e`."""
JUNCTIONS: Final = (exp.And, exp.Or, exp.Xor)
TIGHTEST: Final = 99
"""The level of an operator that no table has, such as `**`."""
PREFIX: Final = (exp.Not, exp.Neg, exp.BitwiseNot)
LAST: Final[dict[type[exp.Expr], str]] = {exp.Between: "high"}
"""The argument at the end of an operator, if it is not called `expression`."""
CLOSED: Final = (exp.In,)
"""What ends with a bracket."""
CHAINED: Final = f"{COMPARISONS} {OTHERS} Add Sub Mul Div IntDiv Mod Neg"
"""Operators that are grouped anew; their operands are whatever stands between them."""


@cache
def levels(dialect: str) -> dict[type[exp.Expr], int]:
    """How tightly each operator of a dialect binds."""
    return {getattr(exp, name): level for level, names in enumerate(LEVELS[dialect]) for name in names.split()}


@cache
def parsed_levels(parser: type[Parser]) -> dict[type[exp.Expr], int]:
    """How tightly operators bind for a parser of texts."""
    found: dict[type[exp.Expr], int] = {exp.DPipe: 2, exp.BitwiseLeftShift: 2, exp.BitwiseRightShift: 2}
    tables = (parser.EQUALITY, parser.COMPARISON, parser.BITWISE, parser.TERM, parser.FACTOR, parser.EXPONENT)
    for level, table in enumerate(tables):  # `^` of MySQL is in two, and it is the tighter one that counts
        found |= dict.fromkeys(table.values(), level)
    return {**found, exp.Neg: len(tables), exp.BitwiseNot: len(tables)}


def require_grouping(reading: QueryReading, tree: exp.Expr) -> None:
    """Groups the operators of a text as the engine of its dialect does; raises SourceError where that cannot be."""
    name = reading.dialect.evidence
    known = levels(name)
    parsed = parsed_levels(reading.dialect.parser.parser_class)
    for node in tree.find_all(*_chained(known)):
        if _is_operator(node) and not (
            calls_have_places() and any(_is_grouped(node, each) for each in (parsed, known))
        ):
            # `DIV(a + b, 2)` of PostgreSQL is `a + b DIV 2` in the tree, without brackets
            raise reading.error(node, "an operator is not told from a call here", "write brackets around its operands")
    _regroup(tree, known)
    message = "the engine of this dialect groups these operators otherwise, or takes no such text"
    for node in filter(_is_operator, tree.find_all(*known)):
        level = known[type(node)]
        apart = type(node).__name__ in COMPARISONS.split() and name in NOT_IN_A_ROW
        before = any(known[type(each)] < level + apart for each in _right_edge(node, known))
        if before or any(known[type(each)] <= level for each in _left_edge(node, known, name in NULL_SAFE)):
            raise reading.error(node, message, "write brackets")
    for node in tree.find_all(exp.Interval) if name in INTERVAL_TAKES_ALL else ():
        if isinstance(node.parent, exp.Add) and node.arg_key == "this" and _is_left_of_another(node.parent, known):
            raise reading.error(node.parent, message, "write brackets around the interval and what it is added to")
    for node in tree.find_all(exp.BitwiseNot) if name in NO_PREFIX_BEHIND else ():
        parent = node.parent
        before = known.get(type(parent), TIGHTEST) if isinstance(parent, exp.Binary) and _is_operator(parent) else 0
        if node.arg_key == "expression" and before > known[exp.BitwiseNot]:
            raise reading.error(parent, message, "write brackets")


def _is_operator(node: exp.Expr | None) -> bool:
    """Whether a node, whose type is that of an operator, was written as one.

    A call like MOD(a, b), which the parser reads as an operator, has the place of its name; INTERVAL 1 DAY 2 HOUR is
    a sum to the parser.
    """
    return node is not None and "start" not in node.meta and not _is_interval(node)


@cache
def calls_have_places() -> bool:
    """Whether the parser notes the place of the name of a call, and of no operator: not every version of it does."""
    call, operator = parse_one("MOD(a, b)"), parse_one("a % b")
    return type(call) is type(operator) and "start" in call.meta and "start" not in operator.meta


def _is_grouped(node: exp.Expr, levels_of: dict[type[exp.Expr], int]) -> bool:
    """Whether an operator would be grouped so without brackets, by some levels."""
    own = levels_of.get(type(node), 0)
    sides = [(node.this, own), (None if isinstance(node, PREFIX) else node.expression, own + 1)]
    return all(levels_of.get(type(each), TIGHTEST) >= least for each, least in sides if _is_operator(each))


def _is_left_of_another(node: exp.Expr, known: dict[type[exp.Expr], int]) -> bool:
    """Whether, without brackets, an operator stands behind one, but AND, OR and XOR."""
    while (parent := node.parent) is not None and type(parent) in known and _is_operator(parent):
        if isinstance(parent, JUNCTIONS):
            return False
        if node.arg_key == "this" and not isinstance(parent, PREFIX):
            return True
        node = parent
    return False


def _is_interval(node: exp.Expr) -> bool:
    sides = (node.this, node.expression) if isinstance(node, exp.Add) else ()
    return bool(sides) and all(isinstance(each, exp.Interval) or _is_interval(each) for each in sides)


def _chained(known: dict[type[exp.Expr], int]) -> tuple[type[exp.Expr], ...]:
    return tuple(each for each in known if each.__name__ in CHAINED.split())


def _regroup(tree: exp.Expr, known: dict[type[exp.Expr], int]) -> None:
    """Groups each chain of operators anew, by their levels."""
    chained = _chained(known)

    def is_link(node: exp.Expr | None) -> bool:
        return isinstance(node, chained) and _is_operator(node)

    for root in [each for each in tree.find_all(*chained) if is_link(each) and not is_link(each.parent)]:
        place = exp.Placeholder()
        root.replace(place)
        place.replace(_grouped(_in_order(root, is_link), known))


def _in_order(root: exp.Expr, is_link: Callable[[exp.Expr], bool]) -> Iterator[tuple[exp.Expr, bool]]:
    """The operands and operators of a chain as they stand in the text, with whether each is an operator."""
    waiting = [(root, False)]
    while waiting:
        node, is_operator = waiting.pop()
        if is_operator or not is_link(node):
            yield node, is_operator
        elif isinstance(node, PREFIX):
            waiting += [(node.this, False), (node, True)]
        else:
            waiting += [(node.expression, False), (node, True), (node.this, False)]


def _grouped(listed: Iterator[tuple[exp.Expr, bool]], known: dict[type[exp.Expr], int]) -> exp.Expr:
    """The tree of a chain: an operator ends what stands before it and binds as tightly; a prefix begins anew."""
    operands: list[exp.Expr] = []
    waiting: list[exp.Expr] = []
    for node, is_operator in [*listed]:
        if not is_operator:
            operands.append(node)
            continue
        while not isinstance(node, PREFIX) and waiting and known[type(waiting[-1])] >= known[type(node)]:
            _close(waiting.pop(), operands)
        waiting.append(node)
    while waiting:
        _close(waiting.pop(), operands)
    [whole] = operands
    return whole


def _close(operator: exp.Expr, operands: list[exp.Expr]) -> None:
    """Gives an operator the last operands, whose place it takes."""
    if not isinstance(operator, PREFIX):
        operator.set("expression", operands.pop())
    operator.set("this", operands.pop())
    operands.append(operator)


def _right_edge(node: exp.Expr, known: dict[type[exp.Expr], int]) -> Iterator[exp.Expr]:
    """The operators that stand directly before an operator: at the right edge of what is to its left."""
    at = None if isinstance(node, PREFIX) else node.args.get("this")
    while type(at) in known and _is_operator(at):
        assert at is not None
        yield at
        at = None if isinstance(at, CLOSED) else at.args.get(_last(at))


def _last(node: exp.Expr) -> str:
    return "this" if isinstance(node, PREFIX) else LAST.get(type(node), "expression")


def _left_edge(node: exp.Expr, known: dict[type[exp.Expr], int], null_safe: bool) -> Iterator[exp.Expr]:
    """The operators directly behind it: at the left edge of what is to its right; a prefix binds what follows it.

    Args:
        null_safe: whether there is `<=>`: then brackets behind it count only if they are written.
    """
    if isinstance(node, CLOSED):
        return
    at = node.args.get(_last(node))
    null_safe = null_safe and isinstance(node, exp.NullSafeEQ | exp.NullSafeNEQ)
    if null_safe and isinstance(at, exp.Paren) and WRITTEN not in at.meta:
        at = at.this
    while type(at) in known and not isinstance(at, PREFIX) and _is_operator(at):
        assert at is not None
        yield at
        at = at.args.get("this")
