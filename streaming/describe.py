"""A readable name for a function, its own or the source of a lambda, and a readable text for a record."""

from __future__ import annotations

import ast
import datetime
import inspect
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from functools import lru_cache
from types import CodeType
from typing import Any


def describe(function: Callable[..., Any]) -> str:
    """Return a function's name, a lambda's body, or the text of a callable object.

    >>> describe(len), describe(describe)
    ('len', 'describe')
    """
    name = getattr(function, "__name__", None)
    if name is None:
        return str(function)
    return _lambda_body(function.__code__) or "a lambda" if name == "<lambda>" else name


def arity(function: Callable[..., Any]) -> int:
    """Return how many positional parameters without a default the function has."""
    parameters = inspect.signature(function).parameters.values()
    positional = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return sum(each.kind in positional and each.default is inspect.Parameter.empty for each in parameters)


def shown(record: Any) -> str:
    """Return a record as text: dates as people write them, and the values of a key, which Spark shows by an address,
    as a list.

    >>> shown(("a", 1, datetime.datetime(2024, 1, 1, 12)))
    "('a', 1, 2024-01-01 12:00:00)"
    """
    if type(record) is tuple and record:
        return f"({', '.join(map(shown, record))}{',' * (len(record) == 1)})"
    if isinstance(record, datetime.date):
        return str(record)
    if _names(record):
        parts = ", ".join(f"{name}={shown(getattr(record, name))}" for name in _names(record))
        return f"{type(record).__name__}({parts})"
    return f"values {list(record)!r}" if type(record).__name__ == "ResultIterable" else repr(record)


def _names(record: Any) -> tuple[str, ...]:
    """Return the names of the fields of a dataclass's or a NamedTuple's instance that has no text of its own."""
    if is_dataclass(record) and hasattr(type(record).__repr__, "__wrapped__"):
        return tuple(each.name for each in fields(record))
    return getattr(record, "_fields", ()) if isinstance(record, tuple) else ()


@lru_cache(maxsize=1024)
def _lambda_body(code: CodeType) -> str | None:
    """Find the lambda in its source file by the positions of its instructions."""
    positions = [place for place in code.co_positions() if place[0] is not None and place[3]]
    try:
        lines, _ = inspect.findsource(code)
        tree = ast.parse("".join(lines))
    except (OSError, TypeError, SyntaxError):
        return None
    places = {(line, column) for line, _, column, _ in positions}
    first_line = code.co_firstlineno
    candidates = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Lambda) and node.lineno == first_line and _covers(node.body, places)
    ]
    if not candidates:
        return None
    innermost = max(candidates, key=lambda node: node.col_offset)
    return " ".join(ast.unparse(innermost.body).split())


def _covers(body: ast.expr, places: set[tuple[int | None, int | None]]) -> bool:
    nodes = (node for node in ast.walk(body) if isinstance(node, ast.expr))
    return any((node.lineno, node.col_offset) in places for node in nodes)
