"""The methods of Python's own classes that pure code may call: what they take and give."""

from __future__ import annotations

from typing import Final

from tallystick.frontends.pyspark.uninterpreted.types import (
    BOOL,
    DATE,
    DATETIME,
    FLOAT,
    INT,
    TEXT,
    PureType,
    list_of,
    record_of,
    tuple_of,
)

TEXTS: Final = list_of(TEXT)

ISO_CALENDAR: Final = record_of("IsoCalendarDate", (("year", INT), ("week", INT), ("weekday", INT)), True)
"""What `isocalendar` gives."""

PATTERN_METHODS: Final = frozenset({"findall", "finditer", "fullmatch", "match", "search", "split", "sub"})
"""Methods of compiled regular expressions, which are functions of the module `re`."""
TEXT_METHODS: Final[dict[str, tuple[str, PureType]]] = {
    **dict.fromkeys(("capitalize", "casefold", "lower", "swapcase", "title", "upper"), ("", TEXT)),
    **dict.fromkeys(("lstrip", "rstrip", "strip"), ("?t", TEXT)),
    **dict.fromkeys(
        (
            "isalnum",
            "isalpha",
            "isascii",
            "isdecimal",
            "isdigit",
            "isidentifier",
            "islower",
            "isnumeric",
            "isprintable",
            "isspace",
            "istitle",
            "isupper",
        ),
        ("", BOOL),
    ),
    **dict.fromkeys(("removeprefix", "removesuffix"), ("t", TEXT)),
    **dict.fromkeys(("startswith", "endswith"), ("p?ii", BOOL)),
    **dict.fromkeys(("count", "find", "index", "rfind", "rindex"), ("t?ii", INT)),
    **dict.fromkeys(("split", "rsplit"), ("?ni", TEXTS)),
    **dict.fromkeys(("center", "ljust", "rjust"), ("i?t", TEXT)),
    **{name: ("t", tuple_of(TEXT, TEXT, TEXT)) for name in ("partition", "rpartition")},
    "splitlines": ("", TEXTS),
    "replace": ("tt?i", TEXT),
    "zfill": ("i", TEXT),
    "join": ("s", TEXT),
}
"""Of texts, by name: arguments (t text, i int, n text or None, p text or tuple of texts, s texts in order; after `?`
they may be missing) and value."""

TIME_METHODS: Final[dict[tuple[str, str], tuple[str, PureType]]] = {
    **{
        (kind, name): (takes, of)
        for kind in ("date", "datetime")
        for name, takes, of in (
            ("isoformat", "", TEXT),
            ("weekday", "", INT),
            ("isoweekday", "", INT),
            ("toordinal", "", INT),
            ("strftime", "f", TEXT),
        )
    },
    ("datetime", "date"): ("", DATE),
    ("date", "isocalendar"): ("", ISO_CALENDAR),
    ("datetime", "isocalendar"): ("", ISO_CALENDAR),
    ("timedelta", "total_seconds"): ("", FLOAT),
}
"""Of dates and times; `f` is a constant form."""

CONSTRUCTORS: Final[dict[str, tuple[str, PureType]]] = {
    "datetime.date": ("iii", DATE),
    "datetime.date.fromisoformat": ("t", DATE),
    "datetime.date.fromordinal": ("i", DATE),
    "datetime.datetime": ("iii?iiii", DATETIME),
    "datetime.datetime.strptime": ("tf", DATETIME),
}
"""Functions of modules with simple arguments."""

CHANGES: Final[dict[str, dict[str, str]]] = {
    "list": {"append": "0", "extend": "*", "insert": "i0", "remove": "0", "reverse": "", "clear": "", "sort": ""},
    "deque": {"append": "0", "appendleft": "0", "extend": "*", "extendleft": "*", "clear": "", "reverse": ""},
    "set": {
        "add": "0",
        "discard": "0",
        "remove": "0",
        "update": "*",
        "clear": "",
        "intersection_update": "*",
        "difference_update": "*",
    },
    "dict": {"update": "d", "clear": "", "setdefault": "01", "subtract": "c"},
    "unordered dict": {"clear": "", "setdefault": "01"},
}
"""Methods that change their object, with what they add: a value (0), values (*), an index, a key and a value (01)."""
