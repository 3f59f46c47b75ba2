"""Calls of functions of numbers and times, and of heapq and statistics."""

from __future__ import annotations

import re
from fractions import Fraction

from tallystick.frontends.pyspark.uninterpreted.builtin_calls import Builtins
from tallystick.frontends.pyspark.uninterpreted.calls import Arguments
from tallystick.frontends.pyspark.uninterpreted.expressions import Typed
from tallystick.frontends.pyspark.uninterpreted.types import (
    BOOL,
    DECIMAL,
    EXACT,
    FLOAT,
    INT,
    NEVER,
    NONE,
    RATIONAL,
    TEXT,
    TIMEDELTA,
    NotPureError,
    inner,
    plain,
)

_DECIMAL = re.compile(r"-?[0-9]{1,20}(\.[0-9]{1,20})?")
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
        """`float(n)`, `float(text)`, `float()`."""
        if not arguments.positional and not arguments.keywords:
            return (("const", Fraction(0)), RATIONAL) if self.growth.exact else (("const", 0.0), FLOAT)
        ((found, of),) = self._simple("float", arguments, 1, 1, (INT, BOOL, FLOAT, TEXT, *EXACT))
        if self.growth.exact and plain(of) in (INT, BOOL, *EXACT):
            return ("call", "exact", found), RATIONAL
        return ("call", "float", found), FLOAT

    def call_builtins_round(self, arguments: Arguments) -> Typed:
        """`round(x)`, `round(x, digits)`."""
        self._count(arguments, 1, 2)
        found, of = self.read(arguments.positional[0])
        if plain(of) not in (INT, FLOAT, *EXACT, NEVER, NONE):
            raise NotPureError(arguments.node, f"`round` of values of the type {of} is not supported")
        if len(arguments.positional) == 1:
            return ("call", "round", found), INT
        digits, by = self.read(arguments.positional[1])
        if plain(by) not in (INT, NEVER):
            raise NotPureError(arguments.node, "`round` is supported with an int")
        return ("call", "round", found, digits), plain(of)

    def call_decimal_decimal(self, arguments: Arguments) -> Typed:
        """`Decimal()`, and `Decimal` of an int or of a text that is constant."""
        self._count(arguments, 0, 1)
        if not arguments.positional:
            return ("call", "exact", ("const", 0)), DECIMAL
        found, of = self.read(arguments.positional[0])
        if plain(of) != INT and not (found[0] == "const" and _DECIMAL.fullmatch(str(found[1])) and of == TEXT):
            raise NotPureError(arguments.node, "`Decimal` is supported of ints and constant texts")
        return ("call", "exact", found), DECIMAL

    def _place_in_order(self, name: str, arguments: Arguments) -> Typed:
        """Where a value stands in a list that is sorted."""
        self._count(arguments, 2, 2)
        (many, whole), (one, of) = map(self.read, arguments.positional)
        item = inner(plain(whole))[0] if plain(whole).kind in ("list", "sequence") else NONE
        if not (self.comparable(item) and self.comparable(of)) or NONE in (item, plain(of)):
            raise NotPureError(arguments.node, f"`{name}` is supported of a list of what Python orders")
        self.check_alike(item, plain(of), arguments.node)
        return ("call", name, many, one), INT

    def call_bisect_bisect_left(self, arguments: Arguments) -> Typed:
        """`bisect_left(xs, x)`."""
        return self._place_in_order("bisect_left", arguments)

    def call_bisect_bisect_right(self, arguments: Arguments) -> Typed:
        """`bisect_right(xs, x)`."""
        return self._place_in_order("bisect_right", arguments)

    def call_bisect_bisect(self, arguments: Arguments) -> Typed:
        """`bisect(xs, x)`: as `bisect_right`."""
        return self._place_in_order("bisect_right", arguments)

    def _whole_below(self, name: str, arguments: Arguments) -> Typed:
        """An int next to a number."""
        ((found, _),) = self._simple(name, arguments, 1, 1, (INT, *EXACT))
        return ("call", name, found), INT

    def call_math_floor(self, arguments: Arguments) -> Typed:
        """`math.floor(x)`."""
        return self._whole_below("math.floor", arguments)

    def call_math_ceil(self, arguments: Arguments) -> Typed:
        """`math.ceil(x)`."""
        return self._whole_below("math.ceil", arguments)

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
        if plain(of) not in (INT, NEVER, *EXACT):
            raise NotPureError(arguments.node, f"`{name}` of values of the type {of} is not supported: of ints it is")
        if plain(of) in EXACT:
            return ("call", name, found), plain(of)
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
