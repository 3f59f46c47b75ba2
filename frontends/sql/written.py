"""Calls that sqlglot's parser is to leave as they are written: of functions that it writes anew, see `formats.py`, and
of those that are known by their names, see `named.py`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from sqlglot import exp
from tallystick.frontends.sql.dialects import Dialect
from tallystick.frontends.sql.named import NAMED, known

Maker = Callable[..., exp.Expr]
SIGNED: Final = "signed"
"""The mark of what stands behind a `+`, which the tree does not have."""
WRITTEN: Final = "written"
"""The mark of brackets that stand in the text."""


def as_written(dialect: Dialect, makers: Mapping[str, Maker]) -> dict[str, Maker]:
    """What the parser is to make of calls of the functions that a dialect keeps; `makers` are the parser's own."""
    kept = {name: _call(name) for name in dialect.as_written}
    named = {name for name, _ in NAMED.get(dialect.name, {})} - kept.keys()
    return kept | {name: _call(name, dialect, makers.get(name)) for name in named}


def _call(name: str, of: Dialect | None = None, otherwise: Maker | None = None) -> Maker:
    def made(arguments: list[exp.Expr]) -> exp.Expr:
        if otherwise is None or of is None or known(of, name, len(arguments)) is not None:
            return exp.Anonymous(this=name, expressions=arguments)
        try:  # as the parser calls it
            return otherwise(arguments)
        except TypeError:
            return otherwise(arguments, dialect=of.parser)

    return made
