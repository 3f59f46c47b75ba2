"""Expressions of the source: one small function for each kind that is read; all others are refused."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Final

from tallystick.frontends.pyspark.python.expressions import (
    calls,
    comprehensions,
    displays,
    names,
    operators,
    subscripts,
)
from tallystick.frontends.pyspark.python.reading import Reading
from tallystick.frontends.pyspark.scoping.constructs import construct
from tallystick.frontends.pyspark.scoping.source import Place
from tallystick.frontends.pyspark.values.kinds import (
    Frame,
    Value,
)

SUPPORTED: Final = (
    "int, bool and str constants, None, names, `+ - * // %`, comparisons, `in`, `and or not`, `x if c else y`, tuples, "
    "`t[0]`, `:=`, lambdas, calls, comprehensions over what has a fixed number of items, and sets and dictionaries "
    "of constants"
)


def evaluate(reader: Reading, node: ast.expr, frame: Frame, place: Place) -> Value:
    """The value of an expression of any kind."""
    read = _READ.get(type(node))
    if read is None:
        raise place.error(f"{construct(node)} is not supported", f"supported are {SUPPORTED}")
    return read(reader, node, frame, place)


def _lambda(reader: Reading, node: ast.Lambda, frame: Frame, place: Place) -> Value:
    return reader.closure(node, frame)


_READ: Final[dict[type[ast.expr], Callable[..., Value]]] = {
    ast.Attribute: names.read_attribute,
    ast.BinOp: operators.read_binary,
    ast.BoolOp: operators.read_connective,
    ast.Call: calls.read_call,
    ast.Compare: operators.read_comparison,
    ast.Constant: names.read_constant,
    ast.Dict: comprehensions.table,
    ast.DictComp: comprehensions.dictionary,
    ast.GeneratorExp: comprehensions.comprehension,
    ast.IfExp: operators.read_conditional,
    ast.JoinedStr: displays.read_f_string,
    ast.Lambda: _lambda,
    ast.List: displays.read_list,
    ast.ListComp: comprehensions.comprehension,
    ast.Name: names.read_name,
    ast.NamedExpr: operators.read_walrus,
    ast.Set: displays.read_set,
    ast.SetComp: comprehensions.comprehension,
    ast.Subscript: subscripts.read_subscript,
    ast.Tuple: displays.read_tuple,
    ast.UnaryOp: operators.read_unary,
}
