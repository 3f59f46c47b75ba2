"""A pair of programs with its known verdict."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from tallystick.core.types import Value

Expected = Literal["equivalent", "inequivalent"]
Witness = Mapping[str, Mapping[Any, int] | Value | None]
"""An input: for each parameter a Python value, or a bag as element -> multiplicity; what is missing is None."""

EQUIVALENT: Expected = "equivalent"
INEQUIVALENT: Expected = "inequivalent"


@dataclass(frozen=True, slots=True)
class Pair:
    """Two PySpark programs of which it is known whether they are equivalent.

    Attributes:
        name: unique in its suite.
        left, right: the programs, as "path.py:function".
        expected: the verdict, in SparkLite's meaning of folds.
        expected_class: the class of the pair, as in CAV 2017, Table 1.
        witness: an input on which the programs differ, for an inequivalent pair only.
        note: what makes the pair interesting.
        undecided: why no method decides the pair today; empty for pairs that must be decided.
    """

    name: str
    left: str
    right: str
    expected: Expected
    expected_class: str
    witness: Witness | None
    note: str
    undecided: str = ""


def equal(
    name: str,
    left: Callable[..., object],
    right: Callable[..., object],
    of: str,
    note: str = "",
    *,
    undecided: str = "",
) -> Pair:
    """The equivalent pair of these functions, of class `of`; its note is the docstring of `right` unless given."""
    return Pair(name, _place(left), _place(right), EQUIVALENT, of, None, note or _note(right), undecided)


def different(
    name: str, left: Callable[..., object], right: Callable[..., object], of: str, witness: Witness, note: str = ""
) -> Pair:
    """The inequivalent pair of these functions, like `equal`, with an input on which they differ."""
    return Pair(name, _place(left), _place(right), INEQUIVALENT, of, witness, note or _note(right))


def _place(function: Callable[..., object]) -> str:
    path = Path(inspect.getfile(function)).resolve()
    return f"{path}:{function.__name__}"


def _note(function: Callable[..., object]) -> str:
    return " ".join((inspect.getdoc(function) or "").split())
