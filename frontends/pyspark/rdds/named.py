"""Methods of groups whose functions are not read in full: these are given names, and the method is read again."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from tallystick.frontends.errors import SourceError
from tallystick.frontends.pyspark.rdds.calls import Call
from tallystick.frontends.pyspark.values.kinds import Closure

_T = TypeVar("_T")


def without_failures(call: Call, read: Callable[[], _T]) -> _T:
    """What a method of groups makes, without what was asked of groups by functions that could not be read.

    Where what a function returns is not read, its whole is given a name.
    """
    reader, first = call.reader, None
    _, function = call.arguments.get("f", (None, None))
    while True:
        known, noted = set(reader.named), reader.noted()
        try:
            found = read()
        except SourceError as problem:
            if first is not None or not isinstance(function, Closure):
                reader.named.discard(getattr(function, "node", None))
                raise first or problem from None
            first = problem
            reader.named.add(function.node)
        else:
            if reader.named == known:
                return found
        reader.forget(noted)
