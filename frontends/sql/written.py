"""Calls that sqlglot's parser is to leave as they are written: of functions that it writes anew, see `formats.py`."""

from __future__ import annotations

from collections.abc import Callable

from sqlglot import exp
from tallystick.frontends.sql.dialects import Dialect


def as_written(dialect: Dialect) -> dict[str, Callable[[list[exp.Expr]], exp.Expr]]:
    """What the parser is to make of calls of the functions that a dialect keeps."""
    return {name: _call(name) for name in dialect.as_written}


def _call(name: str) -> Callable[[list[exp.Expr]], exp.Expr]:
    return lambda arguments: exp.Anonymous(this=name, expressions=arguments)
