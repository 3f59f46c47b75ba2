"""Failing cases are as small as what Hypothesis makes of them alone, and smaller where it stops too early.

The same twenty faults, on the local engine, and as a plain test of Hypothesis that runs the program on each case.
"""

from __future__ import annotations

import operator
from datetime import date

import hypothesis
import pytest
from hypothesis import strategies as st
from tallystick.streaming import always, at, batches, for_all_streams, for_each_record, prefixes, streams_of
from tallystick.streaming.decorations import all_health_checks
from tallystick.streaming.engines.base import Case
from tallystick.streaming.engines.local import LocalEngine
from tallystick.streaming.evaluation import as_case, run_cases
from tallystick.streaming.shrinking import leading_empty_batches
from tallystick.streaming.simplest import simplest

from .faults import ON_DSTREAMS, Fault

add = operator.add
MONEY = st.integers(0, 10**6)
SOLD = batches.of_n_to_m(0, 3, MONEY)


def _total(stream):
    return stream.map(lambda n: ("k", n)).updateStateByKey(lambda new, before: sum(new) + (before or 0))


def _batches(*inputs):
    return {"input": tuple(map(tuple, inputs))}


small = always(at("output", for_each_record(lambda pair: pair[1] <= 1000))).during(4)
near = always(at("output", for_each_record(lambda pair: abs(pair[1][0] - pair[1][1]) <= 1000))).during(3)
keyed = batches.always(batches.of_n_to_m(0, 2, st.tuples(st.integers(0, 3), MONEY)), 3)
days = st.dates(date(2024, 2, 27), date(2024, 3, 2))
text = st.text("ab ", max_size=3)
lines = batches.of_n_to_m(0, 3, st.tuples(days, text | text.map("{}ERROR".format)))
#: Faults whose records come late where Hypothesis shrinks alone, or among others that do not matter.
LATE = [
    Fault("a total of tuples", st.tuples(SOLD, SOLD, SOLD, SOLD), _total, small, _batches([1001], [], [], [])),
    Fault(
        "a total of lists",
        st.lists(st.lists(MONEY, max_size=3), min_size=4, max_size=6),
        _total,
        small,
        _batches([1001], [], [], []),
    ),
    Fault("a total", batches.always(SOLD, 4), _total, small, _batches([1001], [], [], [])),
    Fault(
        "a total after a calm",
        prefixes.concatenate(batches.always(batches.of_n_to_m(0, 1, st.integers(0, 9)), 2), batches.always(SOLD, 2)),
        _total,
        small,
        _batches([], [], [1001], []),
    ),
    Fault(
        "two streams",
        {"left": keyed, "right": keyed},
        lambda left, right: left.join(right),
        near,
        {"left": (((0, 0),), (), ()), "right": (((0, 1001),), (), ())},
    ),
    Fault(
        "texts among others",
        st.tuples(lines, lines),
        lambda s: s.filter(lambda line: "ERROR" in line[1]),
        always(at("output", for_each_record(lambda line: line[1].startswith("ERROR")))).during(2),
        _batches([(date(2024, 2, 27), "aERROR")], []),
    ),
]
FAULTS = [*ON_DSTREAMS, *LATE]


def _size(case, steps):
    records = sum(len(batch) for prefix in case.inputs.values() for batch in prefix)
    written = sum(len(repr(record)) for prefix in case.inputs.values() for batch in prefix for record in batch)
    return records, leading_empty_batches(case), steps, written


def ours(fault, seed):
    """The case of a fault, and its size, by this library."""
    report = for_all_streams(fault.generator, seed=seed)(fault.subject)(fault.formula).run()
    assert report.failure is not None
    return report.failure.case, _size(report.failure.case, len(report.failure.steps))


def by_hypothesis(fault, seed):
    """The same by Hypothesis alone."""
    strategy = st.fixed_dictionaries(fault.generator) if isinstance(fault.generator, dict) else fault.generator
    found: list[tuple[Case, int]] = []

    @hypothesis.seed(seed)
    @hypothesis.settings(database=None, deadline=None, suppress_health_check=all_health_checks())
    @hypothesis.given(strategy)
    def test(value):
        case = as_case(value)
        (run,) = run_cases(LocalEngine(), fault.subject, fault.formula, [case])
        if run.failed:
            found.append((case, len(run.steps)))
            raise AssertionError

    with pytest.raises(AssertionError):
        test()
    case, steps = found[-1]
    return case, _size(case, steps)


def row(fault, seed):
    """A row of the table: the sizes, and both cases where ours is another one."""
    (mine, size), (plain, theirs) = ours(fault, seed), by_hypothesis(fault, seed)
    other = "" if mine == plain else f"  {dict(mine.inputs)} instead of {dict(plain.inputs)}"
    return size, theirs, f"{fault.name:36}{size!s:>18}{theirs!s:>18}{other}"


def test_there_are_twenty_faults():
    assert len({fault.name for fault in FAULTS}) == len(FAULTS) >= 20


@pytest.mark.parametrize("fault", LATE, ids=lambda fault: fault.name)
def test_a_case_begins_with_what_matters(fault):
    case, _ = ours(fault, 0)
    assert dict(case.inputs) == fault.minimum


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_no_case_is_larger_than_that_of_hypothesis_alone(seed):
    rows = [row(fault, seed) for fault in FAULTS]
    print(f"{'fault':36}{'ours':>18}{'Hypothesis alone':>18}", *(line for *_, line in rows), sep="\n")
    assert [line for size, theirs, line in rows if size > theirs] == []
    assert sum(size < theirs for size, theirs, _ in rows) >= 3


def test_the_numbers_of_a_proof_are_made_small_too():
    """A proof's prefix has any numbers; both must go down together."""
    streams = {"input": streams_of(tuple[int, int])}
    apart = at("output", for_each_record(lambda pair: abs(pair[0] - pair[1]) <= 1000))
    for far in ((61_859, 60_858), (-61_859, -63_000), (1_000_000, 0), (5, 99_999)):
        case = Case({"input": ((), (far,), ())})
        run = simplest(LocalEngine(), lambda s: s, always(apart).during(3), case, streams, 10)
        assert run is not None
        assert run.case.inputs["input"][0] in (((0, 1001),), ((1001, 0),))
    case = Case({"input": ((), (61_859,), (61_859,))})
    numbers = {"input": streams_of(int)}
    twice = always(at("output", for_each_record(lambda pair: pair[0] <= 1000 or pair[1] < 2))).during(3)
    run = simplest(LocalEngine(), lambda s: s.countByValueAndWindow(2, 1), twice, case, numbers, 10)
    assert run is not None
    assert run.case.inputs["input"] == ((1001,), (1001,), ())


def test_the_notes_are_those_of_the_case_that_is_shown():
    def noted(batch):
        hypothesis.note(f"the total is {batch[0][1] if batch else 0}")
        return all(total <= 1000 for _, total in batch)

    streams = st.tuples(SOLD, SOLD, SOLD)
    report = for_all_streams(streams, seed=0)(_total)(always(at("output", noted)).during(3)).run()
    assert report.failure is not None
    assert dict(report.failure.case.inputs) == _batches([1001], [], [])
    assert report.notes == ["the total is 1001"]
