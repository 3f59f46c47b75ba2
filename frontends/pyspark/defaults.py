"""Defaults of a program's parameters: what a call has that gives no value."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tallystick.core.terms import Term
from tallystick.core.types import BOOL, INT, TEXT, Type
from tallystick.frontends.errors import SourceError
from tallystick.frontends.pyspark.python.parameters import default_nodes
from tallystick.frontends.pyspark.python.reader import Reader
from tallystick.frontends.pyspark.rdds.lookups import LookUpError
from tallystick.frontends.pyspark.scoping.source import SourceFile
from tallystick.frontends.pyspark.values.kinds import Value


@dataclass(frozen=True)
class Default:
    """The default of a parameter: its value, or a text that stands for one value; and as it is written."""

    parameter: str
    value: Term | str
    shown: str


def defaults(
    function: ast.FunctionDef, source: SourceFile, around: Sequence[ast.FunctionDef | ast.AsyncFunctionDef]
) -> Iterator[Default]:
    """The defaults of a function in a file, inside of some functions.

    A text whose value is not read stands for one value at one place only: names may have got another one between two.
    """
    for parameter, node in default_nodes(function).items():
        shown, where = ast.unparse(node), source.path
        value: Value | None = None
        reader = Reader()
        reader.names.remember(source)
        try:
            value = reader.evaluate(node, reader.enclosing(source, [*around]))
            reader.names.refuse_assignments_from_outside()
            reader.names.refuse_changes()
        except (SourceError, LookUpError):
            value, where = None, f"{where}:{node.lineno}:{node.col_offset}"
        names = any(isinstance(each, ast.Name | ast.Call) for each in ast.walk(node))
        text = f"{shown} in {where}" if names else shown
        yield Default(parameter, value if isinstance(value, Term) else text, shown)


def type_of_default(function: ast.FunctionDef, parameter: ast.arg) -> Type | None:
    """The type of a parameter's default value, where that is an int, a bool or a text."""
    match default_nodes(function).get(parameter.arg):
        case ast.Constant(value=bool()):
            return BOOL
        case ast.Constant(value=int()):
            return INT
        case ast.Constant(value=str()):
            return TEXT
    return None
