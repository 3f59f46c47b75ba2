"""Functions that the interpreter knows by name: as DuckDB has them, and without a value where engines differ."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from fractions import Fraction

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tallystick.core.queries.expressions import Function, Literal
from tallystick.core.queries.interpreter.functions import FUNCTIONS, implementation
from tallystick.core.queries.interpreter.running import Undetermined
from tallystick.core.queries.types import TEXT, TIMESTAMP, SqlType
from tallystick.frontends.calendar import day_text, moment_text

DAYS = st.integers(-719_162, 2_932_896)
MOMENTS = st.integers(-719_162 * 86_400_000_000, 2_932_896 * 86_400_000_000)
BEYOND = "\u00df\u00e9\u0130\u0131\u017f\u212a"  # sharp s, e acute, I with and i without a dot, long s, Kelvin
FORMS = st.lists(st.sampled_from(["%Y", "%m", "%d", "%y", "-", "/", " "]), min_size=1, max_size=6).map("".join)


@pytest.fixture(scope="module")
def connection() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as opened:
        yield opened


def asked(connection: duckdb.DuckDBPyConnection, expression: str) -> object:
    row = connection.execute(f"SELECT {expression}").fetchone()
    assert row is not None
    return row[0]


@pytest.mark.parametrize("name", ["UPPER", "LOWER", "REVERSE"])
@given(text=st.text("aZ1 -", max_size=5), letter=st.sampled_from(BEYOND))
def test_letters_beyond_ascii_have_no_value(name: str, text: str, letter: str) -> None:
    assert isinstance(FUNCTIONS[name](text), str)
    with pytest.raises(Undetermined):
        FUNCTIONS[name](text + letter)


@given(st.text("aAbB%_", max_size=4), st.text("aAbB%_", max_size=4))
def test_ilike_is_like_of_small_letters(text: str, pattern: str) -> None:
    assert FUNCTIONS["ILIKE"](text, pattern) == FUNCTIONS["LIKE"](text.lower(), pattern.lower())
    with pytest.raises(Undetermined):
        FUNCTIONS["ILIKE"](text + "ß", pattern)


@pytest.mark.parametrize(("text", "key"), [("Bob", "bob"), ("", ""), ("A 1-b./", "a 1-b./")])
def test_texts_that_all_collations_compare_alike_have_a_key(text: str, key: str) -> None:
    assert FUNCTIONS["collation key"](text) == key


@pytest.mark.parametrize("text", ["a ", "a_b", "é", "a\tb", "[", "a\n"])
def test_other_texts_have_none(text: str) -> None:
    with pytest.raises(Undetermined):
        FUNCTIONS["collation key"](text)


@pytest.mark.parametrize(
    ("name", "text", "part", "left"),
    [
        ("LTRIM a text", "ababbac", "ab", "bac"),
        ("RTRIM a text", "xabab", "ab", "x"),
        ("TRIM a text", "abcab", "ab", "c"),
        ("TRIM a text", "abc", "", "abc"),
    ],
)
def test_trim_of_a_text_removes_it_as_a_whole(name: str, text: str, part: str, left: str) -> None:
    assert FUNCTIONS[name](text, part) == left


def of_timestamp(name: str, type_: SqlType = TIMESTAMP) -> Function:
    return Function(name, (Literal(0, TIMESTAMP),), type_, strict=True)


@given(moment=MOMENTS)
def test_moments_are_rounded_as_duckdb_rounds_them(connection: duckdb.DuckDBPyConnection, moment: int) -> None:
    rounded = implementation(of_timestamp("round to digits of a second 0"))
    if moment % 1_000_000 == 500_000:
        with pytest.raises(Undetermined):
            rounded(moment)
    else:
        seconds = asked(connection, f"epoch_us(CAST(CAST(make_timestamp({moment}) AS TIMESTAMP_S) AS TIMESTAMP))")
        assert rounded(moment) == seconds
    cut = implementation(of_timestamp("cut to digits of a second 0"))(moment)
    assert isinstance(cut, int)
    assert 0 <= moment - cut < 1_000_000


@given(seconds=st.integers(-62_135_596_800, 253_402_300_799))
def test_the_text_of_a_moment_is_that_of_duckdb(connection: duckdb.DuckDBPyConnection, seconds: int) -> None:
    written = implementation(of_timestamp("cast timestamp as text", TEXT))(seconds * 1_000_000)
    assert written == asked(connection, f"CAST(make_timestamp({seconds * 1_000_000}) AS VARCHAR)")
    with pytest.raises(Undetermined):
        implementation(of_timestamp("cast timestamp as text", TEXT))(seconds * 1_000_000 + 1)


@given(days=DAYS, form=FORMS)
def test_a_day_in_a_format_is_that_of_duckdb(connection: duckdb.DuckDBPyConnection, days: int, form: str) -> None:
    at = f"DATE '1970-01-01' + CAST({days} AS INTEGER)"
    assert FUNCTIONS["DATE_FORMAT by letters of strftime"](days, form) == asked(connection, f"strftime({at}, '{form}')")


@pytest.mark.parametrize(
    ("letters", "form", "text"),
    [
        ("java", "y-M-d", "999-3-7"),
        ("java", "yyyy/MM/dd yy", "0999/03/07 99"),
        ("MySQL", "%Y-%c-%e", "0999-3-7"),
        ("PostgreSQL", "YYYY-MM", "0999-03"),
    ],
)
def test_letters_of_formats_by_engine(letters: str, form: str, text: str) -> None:
    days = (date(999, 3, 7) - date(1970, 1, 1)).days
    assert FUNCTIONS[f"DATE_FORMAT by letters of {letters}"](days, form) == text


@pytest.mark.parametrize(
    ("letters", "form"),
    [("java", "MMM"), ("java", "yyy"), ("java", "'y'"), ("MySQL", "%M"), ("PostgreSQL", "YY"), ("PostgreSQL", "mm")],
)
def test_other_letters_have_no_value(letters: str, form: str) -> None:
    with pytest.raises(Undetermined):
        FUNCTIONS[f"DATE_FORMAT by letters of {letters}"](0, form)


@given(days=st.integers(-1_500_000, 5_000_000))
def test_days_are_written_as_duckdb_reads_them(connection: duckdb.DuckDBPyConnection, days: int) -> None:
    assert asked(connection, f"DATE '{day_text(days)}' - DATE '1970-01-01'") == days
    moment = days * 86_400_000_000 + 1
    assert asked(connection, f"epoch_us(TIMESTAMP '{moment_text(moment)}')") == moment
    if -719_162 <= days <= 2_932_896:
        assert day_text(days) == str(date(1970, 1, 1) + timedelta(days))


@given(st.text("ab", max_size=8), st.text("ab", max_size=3))
def test_what_is_trimmed_is_the_part_as_often_as_it_stands_there(text: str, part: str) -> None:
    left = right = text
    while part and left.startswith(part):
        left = left.removeprefix(part)
    while part and right.endswith(part):
        right = right.removesuffix(part)
    assert FUNCTIONS["LTRIM a text"](text, part) == left
    assert FUNCTIONS["RTRIM a text"](text, part) == right


@pytest.mark.parametrize(
    ("name", "of", "to"),
    [
        ("cut to digits of a second 7", TIMESTAMP, TIMESTAMP),
        ("round to digits of a second 1000000000", TIMESTAMP, TIMESTAMP),
        ("cast decimal as text of scale 1000000000", SqlType.DECIMAL, TEXT),
        ("round to scale 1000000000", SqlType.DECIMAL, SqlType.DECIMAL),
    ],
)
def test_a_number_in_a_name_of_a_certificate_is_bounded(name: str, of: SqlType, to: SqlType) -> None:
    call = Function(name, (Literal(None, of),), to, strict=True)
    with pytest.raises(Undetermined):
        implementation(call)(Fraction(1, 3) if of == SqlType.DECIMAL else 1)


def test_trimming_takes_time_in_proportion_to_the_text() -> None:
    assert FUNCTIONS["TRIM a text"]("a" * 5_000_000, "a") == ""
