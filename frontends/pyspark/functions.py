"""Function objects, lambdas too, as functions from values to values: the text is read, nothing is run.

What a function finds around itself is what the text fixes, and besides that the numbers that parameters of functions
around it had when it was made, which its closure holds.
"""

from __future__ import annotations

import ast
import builtins
import inspect
import itertools
import operator
from collections.abc import Callable, Sequence
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any, NamedTuple

from tallystick.core.terms import Term
from tallystick.frontends.errors import SourceError
from tallystick.frontends.pyspark.program import REFERENCE_HINT
from tallystick.frontends.pyspark.python.functions.library import OPERATOR_MODULE
from tallystick.frontends.pyspark.python.functions.table import BUILTINS
from tallystick.frontends.pyspark.python.reader import Reader
from tallystick.frontends.pyspark.scoping.bound_names import all_parameters
from tallystick.frontends.pyspark.scoping.scopes import scope_of
from tallystick.frontends.pyspark.scoping.source import Function, Place, SourceFile, parse
from tallystick.frontends.pyspark.values.kinds import Builtin, Closure, Value
from tallystick.frontends.pyspark.values.options import literal_of

_Functions = list[Function | ast.expr]
_COMPREHENSIONS = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp


class Applied(NamedTuple):
    """What a function returns, where it stands, and under which conditions it raises nothing."""

    value: Value
    place: Place
    conditions: tuple[Term, ...]


def apply_function(
    function: Callable[..., Any], make_arguments: Callable[[Callable[[Term], None]], Sequence[Value]]
) -> Applied:
    """What a function returns for arguments that stand for values.

    The arguments are made by `make_arguments`, which gets a function to be told of what must hold lest Python raises.
    Raises SourceError when the text is not found or uses what is not supported.
    """
    reader = Reader()
    value, place = _value_of(function, reader)
    arguments = make_arguments(lambda condition: reader.raises_unless(condition, place))
    try:
        result = reader.udf(value, place, *arguments)
    except RecursionError:
        raise place.error("the code is nested too deeply", "name intermediate values") from None
    reader.names.refuse_assignments_from_outside()
    reader.names.refuse_changes()
    return Applied(result, place, tuple(condition for _, condition in reader.conditions))


def _value_of(function: Callable[..., Any], reader: Reader) -> tuple[Closure | Builtin, Place]:
    name = getattr(function, "__name__", "")
    if getattr(builtins, name, None) is function and name in BUILTINS:
        return BUILTINS[name], _nowhere(name)
    if getattr(operator, name, None) is function and name in OPERATOR_MODULE:
        return OPERATOR_MODULE[name], _nowhere(name)
    if not isinstance(function, FunctionType):
        raise SourceError(f"{name or function!r} is no Python function", "<object>", hint="define it by `def`")
    source, node, outside = _definition(function)
    around = [each for each in outside if not isinstance(each, ast.expr) or isinstance(each, ast.Lambda)]
    if len(around) < len(outside):
        raise source.place(node).error("a function made in a comprehension is not supported", "make it before")
    _refuse_names_of_modules(function.__code__, source, node, around)
    reader.names.remember(source)
    frame = reader.enclosing(source, around)  # type: ignore[arg-type]
    for variable, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        _give(variable, cell, source, around, reader)
    return reader.closure(node, frame), source.place(node)


def _refuse_names_of_modules(code: CodeType, source: SourceFile, node: ast.AST, around: list[Function]) -> None:
    """Refuse names that functions around bind and that are names of the module all the same, by `global`."""
    for function in around:
        for name in scope_of(source, function).bindings:
            if name in code.co_names and name not in code.co_freevars:
                message = f"`{name}` is a name of the module and of a function around this one"
                raise source.place(node).error(message, "give one of them another name")


def _give(name: str, cell: Any, source: SourceFile, around: list[Function], reader: Reader) -> None:
    """Tell the reader the value of a parameter of a function around, if it is a number or a tuple of numbers."""
    for function in reversed(around):
        parameters = {each.arg for each in all_parameters(function)}
        if name in parameters:
            try:
                value = cell.cell_contents
            except ValueError:
                return
            if _is_plain(value):
                reader.names.give(name, source, function, literal_of(value))
            return


def _is_plain(value: Any) -> bool:
    if type(value) is tuple:
        return bool(value) and all(map(_is_plain, value)) and [*map(type, value)] != [bool]
    return type(value) in (int, bool)


def _nowhere(name: str) -> Place:
    """A place for a function of Python's own."""
    source = parse(f"{name}\n", Path("<builtin>"), "<builtin>")
    return source.place(source.tree.body[0])


def _definition(function: FunctionType) -> tuple[SourceFile, ast.FunctionDef | ast.Lambda, _Functions]:
    """The definition or lambda that a function was compiled from, with the functions around it, outermost first."""
    name, code = function.__qualname__, function.__code__
    try:
        file = inspect.getsourcefile(function) or inspect.getfile(function)
        lines, _ = inspect.findsource(function)
    except (OSError, TypeError, IndexError, SyntaxError):
        message = f"the source text of {name} cannot be found"
        raise SourceError(message, "<object>", hint=REFERENCE_HINT) from None
    source = parse("".join(lines), Path(file), file)
    places = {each for each in code.co_positions() if None not in each}
    found: list[tuple[ast.FunctionDef | ast.Lambda, _Functions]] = []  # Outer before inner.
    waiting: list[tuple[ast.AST, _Functions]] = [(source.tree, [])]
    while waiting:
        node, around = waiting.pop()
        if isinstance(node, ast.FunctionDef | ast.Lambda) and _is_of(node, code, places):
            found.append((node, around))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | _COMPREHENSIONS):
            around = [*around, node]
        waiting.extend((child, around) for child in ast.iter_child_nodes(node))
    if code.co_name == "<lambda>":
        found = found[-1:] if _inside_one_another([node for node, _ in found]) else []
    if len(found) != 1 or not _is_part(source.code, code):
        message = f"the source text does not hold the function {name} as it is in memory"
        raise SourceError(message, file, hint="write it on lines of its own, and import it again after a change")
    return source, *found[0]


def _is_of(node: ast.FunctionDef | ast.Lambda, code: CodeType, places: set[Any]) -> bool:
    """Whether a code object may have been compiled from a definition: for a lambda, or from one inside of its body."""
    if isinstance(node, ast.FunctionDef):
        first = min([node.lineno, *(each.lineno for each in node.decorator_list)])
        return node.name == code.co_name and first == code.co_firstlineno
    if code.co_name != "<lambda>":
        return False
    # What does not stand in the body starts the function, and has the place of no expression.
    return bool(places) and all(_is_inside(each, node.body) for each in places if each[2:] != (0, 0))


def _is_inside(place: Any, body: ast.expr) -> bool:
    first, last, column, end = place
    starts = (body.lineno, body.col_offset) <= (first, column)
    return starts and (last, end) <= (body.end_lineno or 0, body.end_col_offset or 0)


def _inside_one_another(nodes: Sequence[ast.AST]) -> bool:
    return all(inner in ast.walk(outer) for outer, inner in itertools.pairwise(nodes))


def _is_part(whole: CodeType, code: CodeType) -> bool:
    """Whether a code object is, by its instructions and their places, part of what a file compiles to."""
    waiting = [whole]
    while waiting:
        each = waiting.pop()
        if each == code and [*each.co_positions()] == [*code.co_positions()]:
            return True
        waiting.extend(constant for constant in each.co_consts if isinstance(constant, CodeType))
    return False
