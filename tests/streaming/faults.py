"""Programs with a planted fault, the property that finds it, and the smallest case on which it shows.

The known minimum is what Hypothesis calls smallest: what is drawn first is made simple first, and the last batch is
drawn first.
"""

from __future__ import annotations

import operator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from hypothesis import strategies as st
from tallystick.streaming import (
    always,
    at,
    batches,
    bind,
    contains,
    for_all_streams,
    for_each_record,
    is_empty,
    next_,
    now,
    structured,
)
from tallystick.streaming.engines.base import Engine
from tallystick.streaming.report import Report
from tallystick.streaming.restarts import CRASH, RESTARTS, exactly_once, with_restarts
from tallystick.streaming.tables import failure_text

add = operator.add


@dataclass(frozen=True)
class Fault:
    """A subject with a fault; `minimum` is the smallest failing case, by input stream."""

    name: str
    generator: Any
    subject: Any
    formula: Any
    minimum: dict[str, Any]


@dataclass(frozen=True)
class Attempt:
    """What came of looking for a fault with one seed; `text` is what a user reads, if it was found."""

    report: Report
    is_minimal: bool
    text: str


def attempt(fault: Fault, engine: Engine, seed: int) -> Attempt:
    """Look for a fault as a user does, by the default number of examples."""
    check = for_all_streams(fault.generator, engine=engine, seed=seed)
    report = check(fault.subject)(fault.formula).run()
    if report.failure is None:
        return Attempt(report, False, "")
    return Attempt(report, dict(report.failure.case.inputs) == fault.minimum, failure_text(report))


def _of(records, length=3):
    return batches.always(batches.of_n_to_m(0, 3, records), length)


def _only(*batches_):
    return {"input": tuple(map(tuple, batches_))}


NUMBERS = st.integers(-9, 20)
PAIRS = st.tuples(st.sampled_from("ab"), st.integers(0, 3))
EVENTS = st.tuples(st.sampled_from(["ann", "bob"]), st.booleans())
positive = always(at("output", for_each_record(lambda n: n > 0), name="positive")).during(3)
bob_stays_banned = always(
    at("input", contains(("bob", False))) >> always(at("output", contains("bob"))).during(2)
).during(2)
bob_stays_banned_at_first = at("input", contains(("bob", False))) >> always(at("output", contains("bob"))).during(2)
quiet = at("input", is_empty)


def _grow_only(depth):
    """Each total that is reported is reported again, at least as large, in the next batch."""

    def then(letter):
        before = dict(letter.output)
        return at("output", lambda after: all(dict(after).get(w, -1) >= n for w, n in before.items()), "grown")

    return always(bind(then, needs=1, name="totals grow")).during(depth)


def _same_sum(given, made):
    return sum(n for _, n in given) == sum(n for _, n in made)


def _forgiving(events):
    cheated = events.map(lambda event: (event[0], not event[1]))
    latest = cheated.updateStateByKey(lambda new, before: any(new) if new else bool(before))
    return latest.filter(lambda pair: pair[1]).map(lambda pair: pair[0])


def _largest(stream):
    return stream.transform(lambda rdd: rdd.context.parallelize(rdd.takeOrdered(1), 1))


def _folded(stream):
    return stream.transform(lambda rdd: rdd.context.parallelize([rdd.fold(1, add)], 1))


ON_DSTREAMS = [
    Fault("zero passes", _of(NUMBERS), lambda s: s.filter(lambda n: n >= 0), positive, _only([0], [], [])),
    Fault("absolute values", _of(NUMBERS), lambda s: s.map(abs), positive, _only([0], [], [])),
    Fault("a number that raises", _of(NUMBERS), lambda s: s.map(lambda n: 9 // n + 99), positive, _only([0], [], [])),
    Fault(
        "a ban for one batch",
        _of(EVENTS),
        lambda s: s.filter(lambda event: not event[1]).map(lambda event: event[0]),
        bob_stays_banned,
        _only([("bob", False)], [], []),
    ),
    Fault(
        "a ban that is lifted",
        _of(EVENTS),
        _forgiving,
        bob_stays_banned_at_first,
        _only([("bob", False)], [("bob", True)], []),
    ),
    Fault(
        "a window too wide",
        _of(NUMBERS, 4),
        lambda s: s.window(3),
        always((quiet & next_(quiet)) >> next_(at("output", is_empty))).during(3),
        _only([0], [], [], []),
    ),
    Fault(
        "a window too narrow",
        _of(NUMBERS, 3),
        lambda s: s.window(1),
        always(bind(lambda letter: at("output", lambda out: set(letter.input) <= set(out), "still there"))).during(2),
        _only([0], [], []),
    ),
    Fault("totals of the batch", _of(PAIRS), lambda s: s.reduceByKey(add), _grow_only(2), _only([("a", 0)], [], [])),
    Fault(
        "a merge that forgets",
        _of(PAIRS),
        lambda s: s.combineByKey(lambda v: v, add, lambda left, right: 0),
        always(at(("input", "output"), _same_sum)).during(3),
        _only([("a", 0), ("a", 1)], [], []),
    ),
    Fault(
        "a zero that counts",
        _of(st.integers(0, 9)),
        _folded,
        always(at(("input", "output"), lambda given, made: sum(given) == made[0], "the sum")).during(3),
        _only([], [], []),
    ),
    Fault(
        "the smallest for the largest",
        _of(st.integers(0, 9)),
        _largest,
        always(at(("input", "output"), lambda given, made: not given or made[0] == max(given), "the largest")).during(
            3
        ),
        _only([0, 1], [], []),
    ),
    Fault(
        "a limit that is off by one",
        _of(st.integers(0, 20)),
        lambda s: s.filter(lambda n: n > 10),
        always(at("input", contains(10)) >> at("output", contains(10))).during(3),
        _only([10], [], []),
    ),
    Fault(
        "an inner join",
        {"left": _of(PAIRS, 2), "right": _of(PAIRS, 2)},
        lambda left, right: left.join(right),
        always(at(("left", "output"), lambda a, out: {k for k, _ in a} <= {k for k, _ in out}, "no key lost")).during(
            2
        ),
        {"left": ((("a", 0),), ()), "right": ((), ())},
    ),
    Fault(
        "a duplicate",
        _of(st.integers(0, 9)),
        lambda s: s.union(s.filter(lambda n: n > 4)),
        always(at(("input", "output"), lambda given, made: len(given) == len(made), "as many")).during(3),
        _only([5], [], []),
    ),
]

NOON = datetime(2024, 1, 1, 12)
TIMES = st.integers(0, 6).map(lambda n: NOON + timedelta(seconds=30 * n))
SALES = batches.of_n_to_m(0, 2, st.tuples(TIMES, st.integers(1, 2)))
NEXT_DAY = ((NOON + timedelta(days=1), 0),)


def _frame(schema, make, mode="append", **more):
    return structured(schema, mode, **more)(make)


def _per_minute(frame):
    from pyspark.sql import functions

    minutes = frame.withWatermark("at", "30 seconds").groupBy(functions.window("at", "1 minute"))
    return minutes.agg(functions.sum("paid"))


def _all_is_reported(first):
    def after_two(second):
        def holds(third):
            letters = (first, second, third)
            paid = sum(n for letter in letters for _, n in letter.input)
            return paid == sum(n for letter in letters for _, n in letter.output)

        return now(holds, name="all is reported")

    return bind(after_two, needs=1)


def _no_zero(frame):
    from pyspark.sql import functions

    return frame.select(functions.when(frame.n != 0, frame.n * frame.n).otherwise(functions.raise_error("zero!")))


WORD = "word string, n long"
as_many = always(at(("input", "output"), lambda given, made: len(given) == len(made), "as many")).during(2)
ON_FRAMES = [
    Fault(
        "zero passes a frame",
        _of(NUMBERS),
        _frame("n long", lambda f: f.filter("n >= 0")),
        positive,
        _only([0], [], []),
    ),
    Fault(
        "absolute values in a frame",
        _of(NUMBERS),
        _frame("n long", lambda f: f.selectExpr("abs(n)")),
        positive,
        _only([0], [], []),
    ),
    Fault("a frame that raises", _of(NUMBERS), _frame("n long", _no_zero), positive, _only([0], [], [])),
    Fault(
        "a null that is filtered",
        _of(st.integers(0, 9) | st.none(), 2),
        _frame("n long", lambda f: f.filter("n >= 0")),
        as_many,
        _only([None], []),
    ),
    Fault(
        "update for complete",
        _of(PAIRS, 2),
        _frame(WORD, lambda f: f.groupBy("word").sum("n"), "update"),
        _grow_only(1),
        _only([("a", 0)], []),
    ),
    Fault(
        "duplicates by a part of the record",
        _of(PAIRS, 1),
        _frame(WORD, lambda f: f.dropDuplicates(["word"])),
        at(("input", "output"), lambda given, made: set(given) == set(made), "no record lost"),
        _only([("a", 0), ("a", 1)]),
    ),
    Fault(
        "a watermark too short",
        st.tuples(SALES, SALES, st.just(NEXT_DAY)),
        _frame("at timestamp, paid long", _per_minute),
        bind(_all_is_reported, needs=2, name="nothing is lost"),
        _only([(NOON + timedelta(seconds=90), 1)], [(NOON, 1)], NEXT_DAY),
    ),
    Fault(
        "a sink that appends",
        with_restarts(_of(st.integers(0, 9), 2)),
        _frame("n long", lambda f: f.filter("n >= 0"), sink="at least once"),
        exactly_once(2),
        {**_only([0], []), RESTARTS: ((CRASH,), ())},
    ),
]
#: The faults that an engine can run.
FAULTS = {"local": ON_DSTREAMS, "dstream": ON_DSTREAMS, "structured": ON_FRAMES}
