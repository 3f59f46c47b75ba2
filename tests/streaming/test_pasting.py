"""The case of a report is Python: pasted into the module of its program it runs, and fails in the same way."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal

import pytest
from hypothesis import strategies as st
from tallystick.streaming import always, at, for_all_streams, for_each_record, prefixes
from tallystick.streaming.engines.local import LocalEngine
from tallystick.streaming.errors import PropertyFailedError
from tallystick.streaming.tables import failure_text

from . import faults
from .faults import ON_DSTREAMS, ON_FRAMES


@dataclass(frozen=True)
class Sale:
    """A record whose text is Python only where its own name and those of its parts are known."""

    at: datetime
    paid: Decimal


class Opaque:
    """A record without a text of its own."""


def identity(stream):
    return stream.map(lambda record: record)


nothing_passes = always(at("output", for_each_record(lambda record: False))).during(2)


def pasted(text):
    """The code that a report ends with."""
    _, _, rest = text.partition("The case as a test:\n")
    code, _, _ = rest.partition("To repeat:")
    return textwrap.dedent(code)


def report_of(prefix, formula=nothing_passes):
    return for_all_streams(prefixes.constant(prefix), seed=0)(identity)(formula).run()


@pytest.mark.parametrize(
    "record",
    [
        0,
        "text\n'quoted'",
        b"bytes",
        None,
        float("nan"),
        float("-inf"),
        {"a": [1, {2}]},
        date(2024, 2, 29),
        (datetime(2024, 1, 1, 12), Decimal("0.10")),
        Sale(datetime(2024, 1, 1, 12), Decimal("0.10")),
        "long " * 40,
    ],
    ids=lambda record: type(record).__name__,
)
def test_a_case_that_is_pasted_fails_again(record):
    """In the module of the program, whose own names it uses and need not import."""
    report = report_of(((), (record,), ()))
    text = failure_text(report)
    code = pasted(text)
    assert "(identity)(nothing_passes).check()" in code
    assert "test_pasting" not in code
    names = dict(globals())
    exec(code, names)
    with pytest.raises(PropertyFailedError) as failed:
        names["test_case"]()
    assert failed.value.report.failure.way_of_failing == report.failure.way_of_failing
    assert len(failed.value.report.failure.steps) == len(report.failure.steps)


def test_a_case_of_several_streams_is_pasted_by_name():
    left = at("left", for_each_record(lambda record: False))
    cases = st.just({"left": ((), (1,)), "right": ((2,), ())})
    report = for_all_streams(cases, seed=0)(lambda left, right: left.union(right))(always(left).during(2)).run()
    code = pasted(failure_text(report))
    assert "case = {'left': [[], [1]], 'right': [[2], []]}\n" in code
    names = {"subject": lambda left, right: left.union(right), "formula": always(left).during(2)}
    exec(code, names)
    with pytest.raises(PropertyFailedError):
        names["test_case"]()


def test_a_case_whose_records_have_no_text_of_their_own_is_not_pasted():
    text = failure_text(report_of(((Opaque(),),)))
    assert "The case cannot be pasted as a test: the text of its records is no Python.\n\nTo repeat: seed=0" in text
    assert "def test_case" not in text


@pytest.mark.parametrize("fault", ON_DSTREAMS, ids=lambda fault: fault.name)
def test_the_cases_of_planted_faults_fail_again(fault):
    _fails_again(fault, LocalEngine())


@pytest.mark.spark
@pytest.mark.slow
@pytest.mark.parametrize("fault", ON_FRAMES, ids=lambda fault: fault.name)
def test_the_cases_of_planted_faults_in_structured_streaming_fail_again(fault, structured_engine):
    _fails_again(fault, structured_engine)


def _fails_again(fault, engine):
    check = for_all_streams(prefixes.constant(fault.minimum), engine=engine, seed=0)
    report = check(fault.subject)(fault.formula).run()
    names = {**vars(faults), report.subject: fault.subject, report.name: fault.formula}
    exec(pasted(failure_text(report)), names)
    with pytest.raises(PropertyFailedError) as failed:
        names["test_case"]()
    assert failed.value.report.failure.way_of_failing == report.failure.way_of_failing
