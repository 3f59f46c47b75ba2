"""CASE and its kin: IF, COALESCE, NULLIF, NVL2, GREATEST and LEAST are written out as CASE."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp
from tallystick.core.queries.expressions import (
    And,
    Case,
    ComparisonOperator,
    Expression,
    IsNull,
    Literal,
    Not,
    Or,
)
from tallystick.core.queries.types import OPAQUE, TEXT
from tallystick.frontends.sql.coercion import require_spelling, typed, unified
from tallystick.frontends.sql.expressions import Expressions
from tallystick.frontends.sql.nulls import NULL, UntypedNull, Value
from tallystick.frontends.sql.padding import require_one_branch_padding
from tallystick.frontends.sql.parts import Parts, Place
from tallystick.frontends.sql.predicates import compared

Branch = tuple[Expression, Value]


def chosen(expressions: Expressions, branches: Sequence[Branch], default: Value, node: Place) -> Value:
    """CASE with values of one type."""
    values = unified(expressions.reading, [*(value for _, value in branches), default], node, "branches")
    require_one_branch_padding(expressions, values or [], node)
    return NULL if values is None else case([condition for condition, _ in branches], values)


def case(conditions: Sequence[Expression], values: Sequence[Expression]) -> Case:
    """CASE with a value for each condition, and a last one."""
    *values, last = values
    return Case(tuple(zip(conditions, values, strict=True)), last)


def read_case(expressions: Expressions, node: Parts) -> Value:
    """CASE with conditions, or with a value that is compared."""
    branches: list[Branch] = []
    for branch in node.args["ifs"]:
        with expressions.reading.parts(branch) as parts:
            branches.append((_guard(expressions, node.this, parts.this), expressions.read(parts.args["true"])))
    default = node.args.get("default")
    return chosen(expressions, branches, NULL if default is None else expressions.read(default), node)


def _guard(expressions: Expressions, subject: exp.Expr | None, when: exp.Expr) -> Expression:
    if subject is None:
        return expressions.condition(when)
    return compared(expressions, "=", expressions.read(subject), expressions.read(when), when)


def read_decode(expressions: Expressions, node: Parts) -> Value:
    """DECODE(value, search, result, …, default): the result of the first search that is the value; NULL is NULL."""
    reading = expressions.reading
    if reading.dialect.name not in ("spark", "databricks", "snowflake"):
        raise reading.refused(node)
    subject, *rest = node.expressions
    if reading.dialect.name != "snowflake" and len(rest) % 2 == 0:
        message = "without a default, DECODE makes texts of its results in Spark"
        raise reading.error(node, message, "write a default, or CASE")
    default = expressions.read(rest.pop()) if len(rest) % 2 else NULL
    branches: list[Branch] = []
    for search, result in zip(rest[::2], rest[1::2], strict=True):
        same = compared(expressions, "<=>", expressions.read(subject), expressions.read(search), search)
        branches.append((same, expressions.read(result)))
    if not branches:
        raise reading.lacking(node)
    return chosen(expressions, branches, default, node)


def read_if(expressions: Expressions, node: Parts) -> Value:
    """IF(condition, value, otherwise)."""
    default = node.args.get("false")
    otherwise = NULL if default is None else expressions.read(default)
    branches = [(expressions.condition(node.this), expressions.read(node.args["true"]))]
    return chosen(expressions, branches, otherwise, node)


def read_coalesce(expressions: Expressions, node: Parts) -> Value:
    """COALESCE, NVL and IFNULL: the first value that is not NULL."""
    node.unwritten("is_nvl", "is_null")
    return coalesced(expressions, _values(expressions, node), node)


def coalesced(expressions: Expressions, values: Sequence[Value], node: Place) -> Value:
    """The first of some values that is not NULL."""
    known = _alternatives(expressions, values, node)
    return case([Not(IsNull(each)) for each in known[:-1]], known) if known else NULL


def _values(expressions: Expressions, node: Parts) -> list[Value]:
    return [expressions.read(each) for each in (node.this, *node.expressions)]


def _alternatives(
    expressions: Expressions, values: Sequence[Value], node: Place, compared: bool = False
) -> list[Expression]:
    """The arguments of COALESCE and the like, of one type; without those that are NULL by themselves.

    Where they are compared, a text beside a value of another type is refused: engines do different things.
    """
    known = [each for each in values if not isinstance(each, UntypedNull)]
    if compared and any(each.type == OPAQUE for each in known) and not expressions.reading.dialect.by_manual:
        raise expressions.reading.error(node, "the greatest of arrays or documents is not understood")
    if compared and expressions.reading.dialect.text_as_number and len({each.type == TEXT for each in known}) > 1:
        raise expressions.reading.error(node, "a text meets another value here", "convert one of them with CAST")
    alike = unified(expressions.reading, known, node, "branches") or []
    require_one_branch_padding(expressions, alike, node)
    for each in values if alike else ():
        if isinstance(each, UntypedNull):
            each.of(alike[0].type)
    return alike


def read_nullif(expressions: Expressions, node: Parts) -> Value:
    """NULLIF(value, other): NULL where they are equal."""
    value, other = typed(expressions.read(node.this)), expressions.read(node.expression)
    equal = compared(expressions, "=", value, other, node)
    if expressions.reading.dialect.nullif_converts:
        value = (unified(expressions.reading, [value, other], node) or [value])[0]
    return chosen(expressions, [(equal, NULL)], value, node)


def read_nvl2(expressions: Expressions, node: Parts) -> Value:
    """NVL2(value, if not NULL, if NULL)."""
    if node.args.get("false") is None:
        raise expressions.reading.lacking(node)
    present = Not(IsNull(expressions.typed(node.this)))
    branches = [(present, expressions.read(node.args["true"]))]
    return chosen(expressions, branches, expressions.read(node.args["false"]), node)


def read_extreme(expressions: Expressions, node: Parts) -> Value:
    """GREATEST and LEAST; whether they skip NULL is a switch of the dialect."""
    operator: ComparisonOperator = ">=" if isinstance(node.of, exp.Greatest) else "<="
    node.unwritten("ignore_nulls")
    values = _alternatives(expressions, _values(expressions, node), node, compared=True)
    require_spelling(expressions.reading, values, node, "the extreme of texts")
    skips_null = expressions.reading.dialect.greatest_skips_null
    if not values or (not skips_null and len(values) <= len(node.expressions)):
        return Literal(None, values[0].type) if values else NULL
    best = values[0]
    for each in values[1:]:
        better = compared(expressions, operator, best, each, node)
        if skips_null:
            best = case([And((Not(IsNull(best)), Or((IsNull(each), better))))], [best, each])
        else:
            best = case([Or((IsNull(best), better))], [best, each])
    if skips_null:
        return best
    null = Literal(None, best.type)
    return case([Or(tuple(IsNull(each) for each in values))], [null, best])


HANDLERS = {
    exp.Case: read_case,
    exp.If: read_if,
    exp.DecodeCase: read_decode,
    exp.Coalesce: read_coalesce,
    exp.Nullif: read_nullif,
    exp.Nvl2: read_nvl2,
    exp.Greatest: read_extreme,
    exp.Least: read_extreme,
}
