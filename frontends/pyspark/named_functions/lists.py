"""Lists, sets and tuples of any length as texts, and going through their items: EXPAND over the codes of these."""

from __future__ import annotations

import json
from typing import Any, Final

from tallystick.core.functions import FUNCTIONS, LISTS, Function, FunctionError
from tallystick.core.terms import TRUE, Term, apply_function, project, variable
from tallystick.core.types import INT, TEXT
from tallystick.frontends.pyspark.named_functions.coding import uncoded, written
from tallystick.frontends.pyspark.named_functions.pure_types import pure_type
from tallystick.frontends.pyspark.values.coded_types import CodedType
from tallystick.frontends.pyspark.values.kinds import Pieces, Spread
from tallystick.frontends.pyspark.values.nominal_types import content
from tallystick.frontends.pyspark.values.record_types import plain_type

_ITEMS: Final = "python items"
_SET: Final = f"set of {_ITEMS}"
"""Functions from the code of a list, or of a set, to the list of the codes of its items."""


def _items(code: str) -> list[str]:
    return [written(each) for each in _read(code)]


def _read(code: str) -> list[Any]:
    try:
        found = json.loads(code)
    except ValueError:
        found = None
    if not isinstance(found, list):
        raise FunctionError("this is the code of no list")
    return found


for _name in (_ITEMS, _SET):
    LISTS[_name] = (f"item of {_name}", (TEXT,), _items)
    FUNCTIONS[_name] = Function((TEXT,), INT, lambda code: len(_items(code)), raises=True)
    FUNCTIONS[f"item of {_name}"] = Function((TEXT, INT), TEXT, lambda code, at: _items(code)[at], raises=True)


def spread(value: Term, item_name: str, pairs: bool = False) -> Spread | None:
    """The list that a term stands for, with one item for each of its items; None for terms of other types.

    Of a dict, the keys, or the pairs of a key and its value.
    """
    of = value.type
    if not isinstance(of, CodedType):
        return None
    item = variable(item_name, TEXT)
    pieces = Pieces((content(value),), _SET if of.kind in ("set", "dict") else _ITEMS)
    found = apply_function(_value_of(of), of.item, item)
    return Spread(pieces, item, ((TRUE, project(found, 0) if of.kind == "dict" and not pairs else found),))


def _value_of(of: CodedType) -> str:
    """The name of the function from the code of an item to the item."""
    held, core = pure_type(of.item, {}), plain_type(of.item)
    name = f"python value of {held} as {core}"
    if name not in FUNCTIONS:
        FUNCTIONS[name] = Function((TEXT,), core, lambda code: uncoded(held, code, core), raises=True)  # type: ignore[arg-type]
    return name
