"""Dictionaries whose keys are constant texts, as values: records of the kind "dict".

The keys make the type, in alphabetical order, since dictionaries with equal entries are equal in whatever order these
were made. So the order of the entries is not known of such a value, and nothing that depends on it is read.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path

from tallystick.core.terms import Term, constant, project
from tallystick.core.types import BasicType
from tallystick.frontends.pyspark.scoping.source import parse
from tallystick.frontends.pyspark.values.kinds import RecordClass, Table, Value
from tallystick.frontends.pyspark.values.record_types import RecordType, record_of


@lru_cache(maxsize=256)
def _class_of(names: tuple[str, ...]) -> RecordClass:
    fields = tuple((name, ast.Constant(None)) for name in names)
    return RecordClass(f"dict[{', '.join(names)}]", "dict", fields, {}, {}, parse("", Path("dict"), "dict"), False)


def dictionary_type(types: Mapping[str, BasicType]) -> RecordType:
    """The type of dictionaries with just these keys."""
    names = tuple(sorted(types))
    return RecordType(tuple(types[name] for name in names), names, "dict", _class_of(names))


def dictionary_of(entries: Mapping[str, Term]) -> Term:
    """The value of a dictionary."""
    of = dictionary_type({name: value.type for name, value in entries.items()})  # type: ignore[misc]
    return record_of(of, *(entries[name] for name in of.names))


@lru_cache(maxsize=256)
def _list_class(size: int) -> RecordClass:
    fields = tuple((str(index), ast.Constant(None)) for index in range(size))
    return RecordClass(f"list of {size}", "list", fields, {}, {}, parse("", Path("list"), "list"), False)


def list_of(items: Sequence[Term]) -> Term:
    """The value of a list of a fixed number of items, which equals no tuple."""
    names = tuple(map(str, range(len(items))))
    of = RecordType(tuple(item.type for item in items), names, "list", _list_class(len(items)))  # type: ignore[misc]
    return record_of(of, *items)


def is_list(value: Value) -> bool:
    """Whether a value is a term that stands for a list of a fixed number of items."""
    return isinstance(value, Term) and isinstance(value.type, RecordType) and value.type.kind == "list"


def is_dictionary(value: Value) -> bool:
    """Whether a value is a term that stands for a dictionary."""
    return isinstance(value, Term) and isinstance(value.type, RecordType) and value.type.kind == "dict"


def table_of_entries(value: Term) -> Table:
    """The entries of a dictionary, in alphabetical order of their keys."""
    assert isinstance(value.type, RecordType)
    return Table(tuple((constant(name), project(value, index)) for index, name in enumerate(value.type.names)))
