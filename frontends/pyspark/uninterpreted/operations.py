"""Python's own functions and operators, by the names that pure code has for them."""

from __future__ import annotations

import bisect
import heapq
import itertools
import math
import operator
import re
import statistics
from collections import Counter, defaultdict, deque
from collections.abc import Callable
from datetime import date, datetime, timedelta
from fractions import Fraction
from functools import partial, reduce
from typing import Any, Final

from tallystick.core.functions import FUNCTIONS

BINARY: Final[dict[str, Callable[[Any, Any], Any]]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "//": operator.floordiv,
    "%": operator.mod,
    "**": operator.pow,
    "&": operator.and_,
    "|": operator.or_,
    "^": operator.xor,
    "<<": operator.lshift,
    ">>": operator.rshift,
}
IN_PLACE: Final[dict[str, Callable[[Any, Any], Any]]] = {
    "+": operator.iadd,
    "-": operator.isub,
    "*": operator.imul,
    "/": operator.itruediv,
    "//": operator.ifloordiv,
    "%": operator.imod,
    "&": operator.iand,
    "|": operator.ior,
    "^": operator.ixor,
    "<<": operator.ilshift,
    ">>": operator.irshift,
}
COMPARE: Final[dict[str, Callable[[Any, Any], bool]]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "is": operator.is_,
    "is not": operator.is_not,
    "in": lambda one, other: one in other,
    "not in": lambda one, other: one not in other,
}
_MATCHES: Final = ("match", "search", "fullmatch")


def _searched(how: str, pattern: str, text: str) -> Any:
    """What a function of `re` gives; raises FunctionError where it may take long."""
    FUNCTIONS["re.sub"].value(pattern, "", text)
    return getattr(re, how)(pattern, text)


CALLS: Final[dict[str, Callable[..., Any]]] = {
    "len": len,
    "abs": abs,
    "divmod": divmod,
    "chr": chr,
    "ord": ord,
    "int": int,
    "re.sub": FUNCTIONS["re.sub"].value,
    **{f"re.{how}": partial(_searched, how) for how in ("findall", "finditer", "split", *_MATCHES)},
    "exact": Fraction,
    "quotient": Fraction,
    "math.floor": math.floor,
    "math.ceil": math.ceil,
    "float": float,
    "round": round,
    "heapq.nlargest": heapq.nlargest,
    "heapq.nsmallest": heapq.nsmallest,
    "statistics.mean": statistics.mean,
    "statistics.median": statistics.median,
    "statistics.median_low": statistics.median_low,
    "statistics.median_high": statistics.median_high,
    "datetime.timedelta": timedelta,
    "str": str,
    "math.gcd": math.gcd,
    "math.isqrt": math.isqrt,
    "list": list,
    "set": set,
    "frozenset": frozenset,
    "tuple": tuple,
    "dict": dict,
    "dict.fromkeys": dict.fromkeys,
    "Counter": Counter,
    "defaultdict": defaultdict,
    "deque": deque,
    "sum": sum,
    "any": any,
    "all": all,
    "enumerate": enumerate,
    "zip": zip,
    "reversed": reversed,
    "map": map,
    "filter": filter,
    "takewhile": itertools.takewhile,
    "dropwhile": itertools.dropwhile,
    "pairwise": itertools.pairwise,
    "chain": itertools.chain,
    "chain.from_iterable": itertools.chain.from_iterable,
    "islice": itertools.islice,
    "groupby": itertools.groupby,
    "combinations": itertools.combinations,
    "permutations": itertools.permutations,
    "product": itertools.product,
    "reduce": reduce,
    "next": lambda items, *default: next(iter(items), *default),
    "bisect_left": bisect.bisect_left,
    "bisect_right": bisect.bisect_right,
    "datetime.date": date,
    "datetime.date.fromisoformat": date.fromisoformat,
    "datetime.date.fromordinal": date.fromordinal,
    "datetime.datetime": datetime,
    "datetime.datetime.strptime": datetime.strptime,
}
EXCEPTIONS: Final[dict[str, type[Exception]]] = {
    each.__name__: each
    for each in (
        ValueError,
        KeyError,
        IndexError,
        LookupError,
        ZeroDivisionError,
        ArithmeticError,
        TypeError,
        AttributeError,
        Exception,
        AssertionError,
        RuntimeError,
    )
}
ITERATES: Final = frozenset(
    [
        "list",
        "set",
        "frozenset",
        "tuple",
        "dict",
        "dict.fromkeys",
        "Counter",
        "deque",
        "sum",
        "any",
        "all",
        "enumerate",
        "zip",
        "reversed",
        "map",
        "filter",
        "takewhile",
        "dropwhile",
        "pairwise",
        "chain",
        "chain.from_iterable",
        "islice",
        "groupby",
        "combinations",
        "permutations",
        "product",
        "reduce",
        "heapq.nlargest",
        "heapq.nsmallest",
        "statistics.mean",
        "statistics.median",
        "statistics.median_low",
        "statistics.median_high",
        "sorted",
        "min",
        "max",
        "accumulate",
    ]
)
