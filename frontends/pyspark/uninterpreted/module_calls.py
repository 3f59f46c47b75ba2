"""Calls of functions of numbers and times, and of heapq and statistics."""

from __future__ import annotations

from tallystick.frontends.pyspark.uninterpreted.builtin_calls import Builtins
from tallystick.frontends.pyspark.uninterpreted.calls import Arguments
from tallystick.frontends.pyspark.uninterpreted.expressions import Typed
from tallystick.frontends.pyspark.uninterpreted.types import (
    BOOL,
    FLOAT,
    INT,
    NEVER,
    NONE,
    TEXT,
    TIMEDELTA,
    NotPureError,
    plain,
)

_PARTS = ("days", "seconds", "microseconds", "milliseconds", "minutes", "hours", "weeks")


class Modules(Builtins):
    """Reads calls of functions of Python's modules; one method for each, named after it."""

    def call_datetime_timedelta(self, arguments: Arguments) -> Typed:
        """`timedelta(hours=1)`, with ints."""
        self._count(arguments, 0, len(_PARTS), _PARTS)
        given = dict(zip(_PARTS, arguments.positional, strict=False))
        if given.keys() & arguments.keywords.keys():
            raise NotPureError(arguments.node, "a part of this time is given twice")
        given |= arguments.keywords
        parts = []
        for name in _PARTS:
            found, of = self.read(given[name]) if name in given else (("const", 0), INT)
            if plain(of) not in (INT, BOOL, NEVER):
                raise NotPureError(
                    arguments.node, f"`timedelta` of a value of the type {of} is not supported: of int it is"
                )
            parts.append(found)
        return ("call", "datetime.timedelta", *parts), TIMEDELTA

    def call_builtins_float(self, arguments: Arguments) -> Typed:
        """`float(n)`, `float(text)`."""
        ((found, _),) = self._simple("float", arguments, 1, 1, (INT, BOOL, FLOAT, TEXT))
        return ("call", "float", found), FLOAT

    def call_builtins_round(self, arguments: Arguments) -> Typed:
        """`round(x)`, `round(x, digits)`."""
        self._count(arguments, 1, 2)
        found, of = self.read(arguments.positional[0])
        if plain(of) not in (INT, FLOAT, NEVER, NONE):
            raise NotPureError(arguments.node, f"`round` of values of the type {of} is not supported")
        if len(arguments.positional) == 1:
            return ("call", "round", found), INT
        digits, by = self.read(arguments.positional[1])
        if plain(by) not in (INT, NEVER):
            raise NotPureError(arguments.node, "`round` is supported with an int")
        return ("call", "round", found, digits), plain(of)

    def _best(self, name: str, arguments: Arguments) -> Typed:
        """As `sorted(xs, key=…)[:n]`, or that of the reverse order."""
        self._count(arguments, 2, 2, ("key",))
        many = self.whole(arguments.positional[0], arguments.node)
        found, of, ordered = self._iterated(arguments, 1)
        key, seen = self.sort_key(of, ordered, arguments)
        return ("call", name, many, found, key), self.fresh(arguments.node, "list", seen)

    def call_heapq_nlargest(self, arguments: Arguments) -> Typed:
        """`heapq.nlargest(n, xs, key=…)`."""
        return self._best("heapq.nlargest", arguments)

    def call_heapq_nsmallest(self, arguments: Arguments) -> Typed:
        """`heapq.nsmallest(n, xs, key=…)`."""
        return self._best("heapq.nsmallest", arguments)

    def _of_numbers(self, name: str, arguments: Arguments) -> Typed:
        """A function of ints that is the same in any order."""
        self._count(arguments, 1, 1)
        found, of, _ = self._iterated(arguments)
        if plain(of) not in (INT, NEVER):
            raise NotPureError(arguments.node, f"`{name}` of values of the type {of} is not supported: of ints it is")
        return ("call", name, found), INT if name in ("statistics.median_low", "statistics.median_high") else FLOAT

    def call_statistics_mean(self, arguments: Arguments) -> Typed:
        """`statistics.mean(xs)`."""
        return self._of_numbers("statistics.mean", arguments)

    def call_statistics_median(self, arguments: Arguments) -> Typed:
        """`statistics.median(xs)`."""
        return self._of_numbers("statistics.median", arguments)

    def call_statistics_median_low(self, arguments: Arguments) -> Typed:
        """`statistics.median_low(xs)`."""
        return self._of_numbers("statistics.median_low", arguments)

    def call_statistics_median_high(self, arguments: Arguments) -> Typed:
        """`statistics.median_high(xs)`."""
        return self._of_numbers("statistics.median_high", arguments)
