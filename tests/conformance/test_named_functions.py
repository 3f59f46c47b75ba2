"""Each function that is known by its name, called with the same values in several types.

What an engine tells apart, the reader's names of the calls tell apart.

An argument is given in integers of all widths, decimals of several scales, floating-point numbers, padded texts, dates
and moments with and without a zone, arrays of several types, and constants. The functions are called twice in a query,
and again: they are deterministic. The type of the result is the one that the table of functions says.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

import pytest
from tallystick.core.queries.expressions import Function
from tallystick.core.queries.syntax import Project
from tallystick.frontends.errors import SourceError
from tallystick.frontends.sql.dialects import DIALECTS
from tallystick.frontends.sql.named import COMPARED, Known
from tallystick.frontends.sql.reader import read_schema, read_unverified
from tallystick.frontends.sql.source import SqlText

from conformance.engines import Engine, FailedError, RejectedError

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("conformance")]

INTEGERS: Final = {
    "duckdb": ("TINYINT", "SMALLINT", "INT", "BIGINT", "HUGEINT", "UTINYINT", "UINTEGER", "UBIGINT"),
    "postgres": ("SMALLINT", "INT", "BIGINT"),
    "spark": ("TINYINT", "SMALLINT", "INT", "BIGINT"),
}
NUMBERS: Final = ("DECIMAL(5, 1)", "DECIMAL(9, 3)", "DECIMAL(20, 1)")
FLOATS: Final = {
    "duckdb": ("REAL", "DOUBLE"),
    "postgres": ("REAL", "DOUBLE PRECISION"),
    "spark": ("FLOAT", "DOUBLE"),
}
TEXTS: Final = {
    "duckdb": ("VARCHAR", "VARCHAR(20)"),
    "postgres": ("TEXT", "VARCHAR(20)", "CHAR(12)", "CHAR(15)"),
    "spark": ("STRING",),
}
MOMENTS: Final = {
    "duckdb": ("TIMESTAMP", "TIMESTAMPTZ", "TIMESTAMP_S", "TIMESTAMP_MS"),
    "postgres": ("TIMESTAMP", "TIMESTAMPTZ", "TIMESTAMP(0)"),
    "spark": ("TIMESTAMP", "TIMESTAMP_NTZ"),
}
ARRAYS: Final = {
    "duckdb": {"[1, 2]": ("INT[]", "BIGINT[]", "DOUBLE[]", "DECIMAL(5, 1)[]", "VARCHAR[]", "JSON")},
    "postgres": {
        "{1,2}": ("INT[]", "BIGINT[]", "DOUBLE PRECISION[]", "TEXT[]"),
        "[1, 2]": ("JSON", "JSONB"),
        "2 hours": ("INTERVAL",),
    },
    "spark": {
        "[1, 2]": ("ARRAY<INT>", "ARRAY<BIGINT>", "ARRAY<DOUBLE>", "ARRAY<DECIMAL(5, 1)>", "ARRAY<STRING>"),
        "[[1], [2]]": ("ARRAY<ARRAY<INT>>", "ARRAY<ARRAY<BIGINT>>"),
        '{"1": 2}': ("MAP<STRING, INT>", "MAP<STRING, DOUBLE>"),
        '[{"a": 1, "b": 2}]': ("ARRAY<STRUCT<a: INT, b: INT>>", "ARRAY<STRUCT<a: BIGINT, b: DOUBLE>>"),
    },
}
EXAMPLES: Final[Mapping[str, Sequence[str]]] = {
    **dict.fromkeys(("STRPTIME", "TRY_STRPTIME"), ("2001-03-04", "%Y-%m-%d")),
    **dict.fromkeys(("JSON_EXTRACT", "JSON_EXTRACT_STRING", "JSON_VALUE"), ('{"a": "b"}', "$.a")),
    **dict.fromkeys(("MAKE_DATE", "MAKE_TIMESTAMP"), ("20", "2", "3", "4", "5", "6")),
    **dict.fromkeys(("TO_DATE", "TO_TIMESTAMP", "TRY_TO_TIMESTAMP"), ("2001-03-04", "yyyy-MM-dd")),
    **dict.fromkeys(("FROM_UTC_TIMESTAMP", "TO_UTC_TIMESTAMP"), ("2001-03-04 05:06:07", "Europe/Paris")),
    **dict.fromkeys(("ACOS", "ASIN"), ("1",)),
    "UNIX_TIMESTAMP": ("2001-03-04", "yyyy-MM-dd"),
    "REGEXP_REPLACE": ("abc", "b", "x", "g"),
    "HAMMING": ("abc", "abd"),
    "TO_NUMBER": ("12", "99"),
    "FORMAT": ("%s", "3"),
    "GET_JSON_OBJECT": ('{"a": "b"}', "$.a"),
    "FROM_JSON": ('{"a": 1}', "a INT"),
    "NEXT_DAY": ("2001-03-04", "monday"),
    "CONV": ("12", "10", "7"),
    "SHA2": ("abc", "127"),
    "FROM_UNIXTIME": ("100", "yyyy-MM-dd HH:mm"),
    "FORMAT_NUMBER": ("3", "2"),
    "SUBSTRING_INDEX": ("a.b.c", ".", "2"),
    "ARRAY_LENGTH": ("{1,2}", "1"),
    "URL_DECODE": ("a%20b",),
    "SLICE": ("[1, 2]", "1", "1"),
    "MAP_FROM_ARRAYS": ("[1, 2]", "[1, 2]"),
}
"""Values of arguments, where those of `DEFAULTS` do not do."""
EXAMPLES_OF: Final[Mapping[tuple[str, str], Sequence[str]]] = {
    ("postgres", "TO_DATE"): ("2001-03-04", "YYYY-MM-DD"),
    ("postgres", "TO_TIMESTAMP"): ("2001-03-04", "YYYY-MM-DD"),
    ("spark", "SHA2"): ("abc", "0"),
}
DEFAULTS: Final = {"s": "abc", "p": "abc", "i": "3", "n": "3", "f": "3", "b": "true", "d": "2001-03-04"}
DEFAULTS_OF_TIME: Final = {"m": "2001-03-04 05:06:07", "t": "2001-03-04", "v": "1"}
TYPES_OF: Final = {"VARCHAR": "text", "TEXT": "text", "STRING": "text", "INT": "integer", "BIGINT": "integer"}


@dataclass(frozen=True)
class Argument:
    """A value in a type; a constant, where there is none."""

    value: str
    type: str = ""
    kind: str = "s"

    def written(self, dialect: str) -> str:
        """What an engine is given."""
        if not self.type:
            return f"INTERVAL '{self.value}' DAY" if self.kind == "v" else self.value
        if dialect == "spark" and self.type.startswith(("ARRAY", "MAP")):
            return f"FROM_JSON('{self.value}', '{self.type}')"
        return f"CAST('{self.value}' AS {self.type})"


def arguments(dialect: str, letter: str, value: str | None) -> Iterator[Argument]:
    """A value of a kind in all its types."""
    said = value or {**DEFAULTS, **DEFAULTS_OF_TIME}.get(letter, "")
    whole = said.removeprefix("-").isdecimal()
    match letter:
        case "s" | "p" | "j":
            yield Argument(f"'{said}'")
            yield from (Argument(said, each) for each in TEXTS[dialect] if letter == "s")
        case "i" | "n":
            yield from (Argument(said, each) for each in INTEGERS[dialect])
            yield Argument(said)
            if letter == "n":
                yield from (Argument(said, each) for each in (*NUMBERS, *FLOATS[dialect]))
                yield from (Argument(f"{said}.{zeros}") for zeros in ("0", "00"))
        case "f":
            yield from (Argument(said, each) for each in FLOATS[dialect])
        case "b":
            yield Argument(said, "BOOLEAN")
        case "d":
            yield Argument(said, "DATE")
        case "m" | "t":
            yield from (Argument(said, each) for each in MOMENTS[dialect])
            yield from ((Argument(said, "DATE"),) if letter == "t" else ())
        case "v":
            yield Argument("1", kind="v")
        case "o":
            for text, types in ARRAYS[dialect].items():
                yield from (Argument(text, each) for each in types)
        case "a" if value is not None and not whole:
            yield from arguments(dialect, "s", value)
        case _:
            for other in ("i", "n", "s", "b", "d", "m", "o"):
                yield from arguments(dialect, other, value if whole and other in "ins" else None)


def calls(dialect: str, name: str, kinds: str) -> Iterator[list[tuple[Argument, ...]]]:
    """Calls of a function that differ in the type of one argument."""
    if not kinds:
        yield [()]
        return
    letters = kinds.replace("+", "")
    given = EXAMPLES_OF.get((dialect, name)) or EXAMPLES.get(name, ())
    values = [given[place] if place < len(given) else None for place in range(len(letters))]
    all_ = [[*arguments(dialect, *each)] for each in zip(letters, values, strict=True)]
    for place, varied in enumerate(all_):
        for rest in _others(all_, place):
            yield [(*rest[:place], each, *rest[place:]) for each in varied]


def _others(all_: Sequence[Sequence[Argument]], place: int) -> Iterator[tuple[Argument, ...]]:
    """Values of the other arguments: of the first types, and where these are arrays, of some more."""
    others = [each for at, each in enumerate(all_) if at != place]
    yield from dict.fromkeys(tuple(each[min(at, len(each) - 1)] for each in others) for at in (0, 1, 2, 3, 4))


Returned = tuple[str, str] | None


def returned(engine: Engine, name: str, call: Sequence[Argument], known: dict[str, Returned]) -> Returned:
    """The value of a call, and its type; None if the engine does not take it. What was asked before is `known`."""
    text = f"{name}({', '.join(each.written(engine.name) for each in call)})"
    if text not in known:
        known[text] = _asked(engine, text)
    return known[text]


def _asked(engine: Engine, text: str) -> Returned:
    try:
        answers = [engine.run(f"SELECT {text} AS q, {text} AS r") for _ in range(2)]
    except (RejectedError, FailedError):
        return None
    found = {repr(value) for answer in answers for row in answer.rows for value in row}
    assert len(found) == 1, f"{text} is not deterministic: {found}"
    return found.pop(), answers[0].types[0]


def read(dialect: str, name: str, call: Sequence[Argument]) -> Function | None:
    """The call as the reader has it; None if it is refused."""
    meaning = DIALECTS[dialect]
    typed = [(f"c{place}", each.type) for place, each in enumerate(call) if each.type]
    columns = ", ".join(f"{column} {type_}" for column, type_ in (*typed, ("k", "INT")))
    written = (f"c{place}" if each.type else each.written(dialect) for place, each in enumerate(call))
    text = f"SELECT {name}({', '.join(written)}) AS q FROM t"
    try:
        schema = read_schema(SqlText(f"CREATE TABLE t ({columns})", "s"), meaning).with_floats()
        query = read_unverified(SqlText(text, "q"), schema, meaning)[0].query
    except SourceError:
        return None
    assert isinstance(query, Project)
    [value] = query.expressions
    assert isinstance(value, Function)
    return value


FUNCTIONS: Final = [
    (dialect, name, kinds, known)
    for dialect, table in COMPARED.items()
    for (name, _), known in table.items()
    for kinds in known.kinds or ()
]


@pytest.mark.parametrize(
    "engine", ["duckdb", "postgres", pytest.param("spark", marks=pytest.mark.spark)], indirect=True
)
@pytest.mark.parametrize("zone", ["UTC", "America/New_York"])
def test_what_an_engine_tells_apart_has_two_names(engine: Engine, zone: str) -> None:
    engine.run(f"SET TIME ZONE '{zone}'")
    problems = [
        f"{name}/{kinds}: {problem}"
        for dialect, name, kinds, known in FUNCTIONS
        if dialect == engine.name
        for problem in dict.fromkeys(_problems(engine, name, kinds, known))
    ]
    engine.run("SET TIME ZONE 'UTC'")
    assert not problems, "\n".join(problems)


def _problems(engine: Engine, name: str, kinds: str, known: Known) -> Iterator[str]:
    asked, before = 0, dict[str, Returned]()
    for varied in calls(engine.name, name, kinds):
        answers = [(call, returned(engine, name, call, before)) for call in varied]
        found = [(call, answer, read(engine.name, name, call)) for call, answer in answers if answer is not None]
        taken = [(call, answer, function) for call, answer, function in found if function is not None]
        asked += len(taken)
        for call, (_, type_), function in taken:
            assert function is not None
            said = str(function.type)
            if said != "opaque" and type_ != said:
                yield f"{' '.join(each.type or each.value for each in call)} is of type {type_}, not {said}"
            if function.strict:
                yield "nobody has asked when it is NULL"
        for (one, (value, _), first), (other, (other_value, _), second) in combinations(taken, 2):
            assert first is not None
            assert second is not None
            if value != other_value and _is_named_alike(first, second) and _is_of_the_same(one, other):
                yield f"{_said(one)} has {value}, and {_said(other)} has {other_value}: both are called {first.name}"
    if not asked:
        yield "was called with nothing that the engine and the reader take"


def _is_named_alike(one: Function, other: Function) -> bool:
    """Whether nothing but the values of their arguments tells two calls apart."""
    return one.name == other.name and [each.type for each in one.arguments] == [each.type for each in other.arguments]


def _is_of_the_same(one: Sequence[Argument], other: Sequence[Argument]) -> bool:
    """Whether two calls have arguments of the same values."""
    return all(a.value.strip("'") == b.value.strip("'") for a, b in zip(one, other, strict=True))


def _said(call: Sequence[Argument]) -> str:
    return ", ".join(each.type or each.value for each in call)
