"""Parts of dates that are compared with constants: the same truth value for every day, and for NULL."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tallystick.core.queries.expressions import And, Cast, Comparison, Expression, Function, Literal, Not, Or, Reference
from tallystick.core.queries.interpreter.evaluation import rows_of
from tallystick.core.queries.syntax import Project, Values
from tallystick.core.queries.types import DATE, INTEGER, MICROSECONDS_A_DAY, TIMESTAMP, ColumnType
from tallystick.frontends.calendar import EPOCH, conjoined, on_days

DAY = Reference(0, 0, DATE, True)
OPERATORS = ["=", "<>", "<", "<=", ">", ">="]
DAYS = [*range(date(2019, 12, 1).toordinal() - EPOCH.toordinal(), date(2021, 2, 1).toordinal() - EPOCH.toordinal())]
PART = {name: Function(name, (DAY,), INTEGER, strict=True) for name in ("YEAR", "QUARTER", "MONTH")}


def truths(condition: Expression) -> list[object]:
    """What a condition is of every day of some years, and of NULL."""
    dates = Values(tuple((day,) for day in (*DAYS, None)), (ColumnType(DATE, True),))
    return sorted(rows_of(Project(dates, (DAY, condition)), {}), key=repr)


@given(st.sampled_from(OPERATORS), st.integers(2018, 2022), st.booleans())
def test_a_year_is_a_range_of_days(operator, year, mirrored):
    operands = (PART["YEAR"], Literal(year, INTEGER))
    comparison = Comparison(operator, *(operands[::-1] if mirrored else operands))
    assert on_days(comparison) != comparison
    assert truths(on_days(comparison)) == truths(comparison)


@given(st.sampled_from(OPERATORS), st.sampled_from(["YEAR", "QUARTER", "MONTH"]), st.sampled_from(DAYS))
def test_a_truncated_date_is_compared_as_a_day_is(operator, unit, day):
    """With the first days of periods, and with days within them, which no truncated date is equal to."""
    comparison = Comparison(operator, Function(f"DATE_TRUNC {unit}", (DAY,), DATE, strict=True), Literal(day, DATE))
    assert on_days(comparison) != comparison
    assert truths(on_days(comparison)) == truths(comparison)


@given(st.sampled_from(["MONTH", "QUARTER"]), st.integers(-1, 14), st.integers(2019, 2021), st.booleans())
def test_a_month_of_a_given_year_is_a_range_of_days(part, number, year, first):
    conditions = [
        Comparison("=", PART["YEAR"], Literal(year, INTEGER)),
        Comparison("=", PART[part], Literal(number, INTEGER)),
    ]
    read = [on_days(each) for each in conditions]
    found = conjoined(read if first else read[::-1])
    assert truths(found) == truths(And(tuple(conditions)))
    is_part = 1 <= number <= (12 if part == "MONTH" else 4)
    assert any(isinstance(each, Comparison) for each in found.operands) is not is_part


def test_a_month_alone_is_no_range():
    year, month = (
        on_days(Comparison("=", PART["YEAR"], Literal(2020, INTEGER))),
        Comparison("=", PART["MONTH"], Literal(2, INTEGER)),
    )
    other = Reference(0, 1, DATE, True)
    of_other = Comparison("=", Function("MONTH", (other,), INTEGER, strict=True), Literal(2, INTEGER))
    for conditions in ([month], [Not(year), month], [Or((year, year)), month], [year, of_other]):
        assert conjoined(conditions).operands[-1] == conditions[-1]
    since = on_days(Comparison(">=", PART["YEAR"], Literal(2020, INTEGER)))
    assert conjoined([since, month]).operands == (since, month)


@pytest.mark.parametrize("year", [0, 9999, 10_000, -5])
def test_years_that_have_no_end_among_dates_stay_as_they_are(year):
    comparison = Comparison("=", PART["YEAR"], Literal(year, INTEGER))
    assert on_days(comparison) == comparison


MOMENT = Reference(0, 0, TIMESTAMP, True)
DATE_OF = Function("cast timestamp as date", (MOMENT,), DATE, strict=True)


def truths_of_moments(condition: Expression) -> list[object]:
    """What a condition is of the start, an inner moment and the last one of every day, and of NULL."""
    moments = [day * MICROSECONDS_A_DAY + time for day in DAYS[::9] for time in (0, 1, MICROSECONDS_A_DAY - 1)]
    rows = Values(
        tuple((moment,) for moment in (*moments, -1, -MICROSECONDS_A_DAY, None)), (ColumnType(TIMESTAMP, True),)
    )
    return sorted(rows_of(Project(rows, (MOMENT, condition)), {}), key=repr)


@given(st.sampled_from(OPERATORS), st.sampled_from(DAYS[::9]), st.sampled_from([None, 0, 1]))
def test_the_day_of_a_timestamp_is_a_range_of_timestamps(operator, day, time):
    """Compared with a day, or with a moment, which is the start of a day or lies within."""
    if time is None:
        comparison = Comparison(operator, DATE_OF, Literal(day, DATE))
    else:
        comparison = Comparison(operator, Cast(DATE_OF, TIMESTAMP), Literal(day * MICROSECONDS_A_DAY + time, TIMESTAMP))
    assert on_days(comparison) != comparison
    assert truths_of_moments(on_days(comparison)) == truths_of_moments(comparison)


@given(st.sampled_from(OPERATORS), st.integers(2018, 2022), st.sampled_from([MOMENT, DATE_OF]))
def test_the_year_of_a_timestamp_is_a_range_of_timestamps(operator, year, of):
    comparison = Comparison(operator, Function("YEAR", (of,), INTEGER, strict=True), Literal(year, INTEGER))
    found = on_days(comparison)
    assert found != comparison
    assert truths_of_moments(found) == truths_of_moments(comparison)


@given(
    st.sampled_from(["MONTH", "QUARTER"]),
    st.integers(-1, 14),
    st.integers(2019, 2021),
    st.sampled_from([MOMENT, DATE_OF]),
)
def test_a_month_of_a_given_year_is_a_range_of_timestamps(part, number, year, of):
    functions = [Function(name, (of,), INTEGER, strict=True) for name in ("YEAR", part)]
    conditions = [Comparison("=", one, Literal(n, INTEGER)) for one, n in zip(functions, (year, number), strict=True)]
    found = conjoined([on_days(each) for each in conditions])
    assert truths_of_moments(found) == truths_of_moments(And(tuple(conditions)))


def test_the_month_of_a_timestamp_is_a_range_where_others_say_its_year_in_full():
    in_year = And((Comparison(">=", MOMENT, moment_of(2020)), Comparison("<", MOMENT, moment_of(2021))))
    month = Comparison("=", Function("MONTH", (MOMENT,), INTEGER, strict=True), Literal(2, INTEGER))
    assert conjoined([in_year, month]).operands[-1] != month
    for moved in (1, -1):
        late = And((in_year.operands[0], Comparison("<", MOMENT, moment_of(2021, moved))))
        assert conjoined([late, month]).operands[-1] == month


def moment_of(year: int, later: int = 0) -> Literal:
    return Literal((date(year, 1, 1) - EPOCH).days * MICROSECONDS_A_DAY + later, TIMESTAMP)
