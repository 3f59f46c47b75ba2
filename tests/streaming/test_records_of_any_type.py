"""Streams of texts, dates, options, classes and rows; and three properties about such records as a user writes them.

The three were written from README.md and TUTORIAL.md alone. Each holds of a right program, and finds a planted fault.
"""

from __future__ import annotations

import enum
from collections import namedtuple
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Literal, NamedTuple, Optional

import pytest
from hypothesis import find
from hypothesis import strategies as st
from pyspark.sql import Row
from tallystick.streaming import always, at, bind, for_all_streams, for_each_record, now, streams_of
from tallystick.streaming.describe import shown
from tallystick.streaming.engines.local import LocalEngine
from tallystick.streaming.errors import PropertyFailedError


@dataclass(frozen=True)
class Invoice:
    number: str
    due: date
    paid: date | None


class Subscription(NamedTuple):
    customer: str
    until: date


class Colour(enum.Enum):
    RED = 1
    GREEN = 2


@pytest.mark.parametrize(
    ("kind", "simplest"),
    [
        (str, ""),
        (bytes, b""),
        (float, 0.0),
        (date, date(2000, 1, 1)),
        (datetime, datetime(2000, 1, 1)),
        (timedelta, timedelta()),
        (Decimal, Decimal("0.00")),
        (Optional[int], None),  # noqa: UP045
        (int | str, 0),
        (Literal["x", "y"], "x"),
        (Colour, Colour.RED),
        (tuple[str, date], ("", date(2000, 1, 1))),
        (tuple[int, ...], ()),
        (list[str], []),
        (dict[str, int], {}),
        (Invoice, Invoice("", date(2000, 1, 1), None)),
        (Subscription, Subscription("", date(2000, 1, 1))),
        ("word string NOT NULL, n long", Row(word="", n=None)),
        ("word string NOT NULL", ""),
        (st.sampled_from("xyz"), "x"),
    ],
    ids=str,
)
def test_records_are_of_the_kind_and_the_simplest_is_simple(kind, simplest):
    found = find(streams_of(kind).prefixes(1), lambda prefix: len(prefix[0]) == 1)
    assert found == ((simplest,),)
    assert type(found[0][0]) is type(simplest)


def test_equal_texts_and_near_dates_are_drawn_often():
    for kind in (str, date):
        find(streams_of(kind).prefixes(1), lambda prefix: len(prefix[0]) > len(set(prefix[0])))


@pytest.mark.parametrize("kind", [object, complex, 5, {}, int | object, tuple, Row], ids=repr)
def test_a_type_whose_values_are_not_known_is_refused(kind):
    with pytest.raises(TypeError, match="streams_of takes a type"):
        streams_of(kind)


def test_a_field_without_a_type_and_a_schema_that_is_none_are_refused():
    with pytest.raises(TypeError, match=r"Pair.a has no type: use typing.NamedTuple, or a strategy"):
        streams_of(namedtuple("Pair", ["a", "b"]))
    with pytest.raises(ValueError, match=r"the schema 'word strin' has at column 11 something else than a type"):
        streams_of("word strin")


def test_records_are_shown_as_people_write_them():
    assert shown(Invoice("a", date(2024, 1, 1), None)) == "Invoice(number='a', due=2024-01-01, paid=None)"
    assert shown(("b", Subscription("c", date(2024, 1, 2)))) == "('b', Subscription(customer='c', until=2024-01-02))"


# The three properties


@pytest.fixture(params=["local", pytest.param("dstream", marks=[pytest.mark.spark, pytest.mark.slow])])
def engine(request):
    return LocalEngine() if request.param == "local" else request.getfixturevalue("dstream_engine")


def every(streams, engine, seed=0):
    """The quantifier as a user has it; on Spark with fewer cases, which take long."""
    return for_all_streams(streams, engine=engine, seed=seed, examples=100 if engine.is_quick else 40)


def smallest(engine, streams, subject, formula):
    """The smallest case on which a program fails."""
    with pytest.raises(PropertyFailedError) as failed:
        every(streams, engine)(subject)(formula).check()
    assert "The case as a test:" in str(failed.value)
    return failed.value.report.failure.case.inputs["input"]


def overdue(invoices):
    """Who has not paid in time."""
    return invoices.filter(lambda invoice: invoice.paid is None or invoice.paid > invoice.due)


def overdue_on_the_day(invoices):
    return invoices.filter(lambda invoice: invoice.paid is None or invoice.paid >= invoice.due)


in_time_is_never_overdue = always(
    at("output", for_each_record(lambda invoice: invoice.paid is None or invoice.due < invoice.paid))
).during(3)


def test_an_invoice_that_is_paid_on_the_day_is_not_overdue(engine):
    invoices = streams_of(Invoice)
    assert every(invoices, engine)(overdue)(in_time_is_never_overdue).check().holds
    case = smallest(engine, invoices, overdue_on_the_day, in_time_is_never_overdue)
    day = date(2000, 1, 1)
    assert case == ((Invoice("", day, day),), (), ())


def valid_until(subscriptions):
    """For each customer, the last day of any subscription so far."""
    return subscriptions.updateStateByKey(lambda new, before: max([*new, before] if before else new))


def valid_until_last_given(subscriptions):
    return subscriptions.updateStateByKey(lambda new, before: new[-1] if new else before)


def no_earlier(letter):
    """What is valid now is valid as long, or longer, in the next batch."""
    known = dict(letter.output)
    return now(lambda later: all(dict(later.output)[who] >= until for who, until in known.items()), "no earlier")


def test_a_subscription_is_never_cut_short(engine):
    subscriptions = streams_of(Subscription)
    never_cut = always(bind(no_earlier, needs=1)).during(3)
    assert every(subscriptions, engine)(valid_until)(never_cut).check().holds
    case = smallest(engine, subscriptions, valid_until_last_given, never_cut)
    first, second = date(2000, 1, 1), date(2000, 1, 2)
    assert case == ((Subscription("", second),), (Subscription("", first),), (), ())


def errors_by_day(lines):
    """How many error lines there are of each day, in the last two batches."""
    return lines.filter(lambda line: line[1].startswith("ERROR")).map(lambda line: line[0]).countByValueAndWindow(2, 1)


def errors_by_day_anywhere(lines):
    return lines.filter(lambda line: "ERROR" in line[1]).map(lambda line: line[0]).countByValueAndWindow(2, 1)


def days_with_errors(given, made):
    return {day for day, line in given if line.startswith("ERROR")} >= {day for day, _ in made}


def test_only_days_with_errors_are_counted(engine):
    text = st.text("ab ", max_size=3)
    lines = streams_of(st.tuples(st.dates(date(2024, 2, 27), date(2024, 3, 2)), text | text.map("ERROR{}".format)))
    only_errors = at(("input", "output"), days_with_errors)
    assert every(lines, engine)(errors_by_day)(only_errors).check().holds
    inside = streams_of(st.tuples(st.dates(date(2024, 2, 27), date(2024, 3, 2)), text | text.map("{}ERROR".format)))
    case = smallest(engine, inside, errors_by_day_anywhere, only_errors)
    ((day, line),) = case[0]
    assert (day, line) in ((date(2024, 2, 27), "aERROR"), (date(2024, 2, 27), " ERROR"))
