"""What each engine supports, as the table of SUPPORT.md says: each of its lines is run, on each engine.

A line is a program with its cases and outputs. Where the table says yes, the engine gives these outputs; where it says
no, it refuses by an error of its own, or the program fails as Spark makes it fail.
"""

from __future__ import annotations

import operator
import re
from pathlib import Path

import pytest
from hypothesis import strategies as st
from pyspark.sql import functions as F  # noqa: N812
from tallystick.streaming import at, batches, for_all_streams, has_size, map_with_state, structured
from tallystick.streaming.engines.base import Case
from tallystick.streaming.engines.local import LocalEngine
from tallystick.streaming.errors import StreamingError
from tallystick.streaming.restarts import CRASH, RESTARTS, STOP, exactly_once, with_restarts

from . import test_structured
from .test_structured import ROCKSDB, _count_words, _counter, _session, at_second, per_window

PAGE = Path(__file__).parents[2] / "streaming" / "SUPPORT.md"
add, sub = operator.add, operator.sub
WORDS = "word string, n long"
TIMED = "word string, at timestamp"
A = [("a", 1)]


def outputs(engine, subject, inputs, output="output"):
    """The sorted output of each instant; raises what the program raises."""
    seen = []

    def watch(_, __, letter):
        seen.append(sorted(letter[output], key=repr))
        return True

    case = inputs if isinstance(inputs, dict) else {"input": inputs}
    failures = engine.run(subject, [Case({name: tuple(map(tuple, prefix)) for name, prefix in case.items()})], watch)
    if failures:
        raise failures[0]
    return seen


def _outer(how):
    """Words of the left stream with those of the right within ten seconds."""

    def joined(left, right):
        one = left.withWatermark("at", "5 seconds").alias("l")
        other = right.withWatermark("at", "5 seconds").alias("r")
        near = "l.word = r.word AND r.at BETWEEN l.at - INTERVAL 10 SECONDS AND l.at + INTERVAL 10 SECONDS"
        return one.join(other, F.expr(near), how).selectExpr("l.word", "r.word")

    return structured({"left": TIMED, "right": TIMED})(joined)


ONCE, LATE = ("a", at_second(1)), ("z", at_second(60))
OUTER = {"left": [[ONCE], [LATE], [], []], "right": [[("b", at_second(2))], [LATE], [], []]}


def _add_to_each(frame, batch_id):
    return frame.selectExpr("word", "n + 100")


def _state(kind, mode="update", settings=None):
    def counted(frame):
        groups = frame.groupBy("word")
        if kind == "pandas":
            return groups.applyInPandasWithState(_count_words, WORDS, "count long", "update", "ProcessingTimeTimeout")
        return groups.transformWithStateInPandas(_counter(), WORDS, "update", "ProcessingTime")

    return structured(WORDS, mode, settings=settings)(counted)


def _sessions(frame):
    late = frame.withWatermark("at", "10 seconds")
    return late.groupBy("word").transformWithState(_session(), WORDS, "append", "EventTime")


def _deduplicated(frame):
    return frame.withWatermark("at", "5 seconds").dropDuplicatesWithinWatermark(["word"]).select("word")


def _two(frame):
    return {"output": frame.groupBy("word").sum("n"), "large": frame.filter("n > 5")}


totals = structured(WORDS, "update")(lambda frame: frame.groupBy("word").sum("n"))
sum_of = structured(WORDS, "complete")(lambda frame: frame.groupBy("word").sum("n"))
now_ = structured("n long")(lambda frame: frame.select("n", F.current_timestamp().cast("long")))
shout = structured("word string")(lambda frame: frame.select(F.udf(lambda w: w + "!", useArrow=False)("word")))
in_rocksdb = structured(WORDS, "update", settings=ROCKSDB)(totals.function)
twice = structured(WORDS, sink="at least once")(lambda frame: frame)
ALL = ("local", "dstream", "structured")
SESSIONS = [
    [(at_second(1), "a", 1)],
    [(at_second(2), "a", 2), (at_second(9), "b", 8)],
    [(at_second(18), "b", 4)],
    [(at_second(60), "c", 0)],
]
RESTARTED = {"input": SESSIONS, RESTARTS: [(), (STOP,), (CRASH,), ()]}
#: By the name of the line: the engines that run it, the program, its input, and the output of each instant.
LINES = {
    "map, filter, flatMap, union, glom of each batch": (
        ("local", "dstream"),
        lambda s: s.map(lambda n: n + 1).filter(lambda n: n > 1).union(s),
        [[1], [0]],
        [[1, 2], [0]],
    ),
    "reductions, joins and cogroups by key": (
        ("local", "dstream"),
        lambda s: s.reduceByKey(add).join(s.countByValue().map(lambda p: (p[0][0], p[1]))),
        [[("a", 1), ("a", 1)], []],
        [[("a", (2, 2))], []],
    ),
    "windows with slides and inverse functions": (
        ("local", "dstream"),
        lambda s: s.reduceByKeyAndWindow(add, sub, 5, 1).window(2, 2),
        [A, [], A],
        [[], [("a", 1), ("a", 1)], []],
    ),
    "updateStateByKey": (
        ("local", "dstream"),
        lambda s: s.updateStateByKey(lambda new, before: sum(new) + (before or 0)),
        [A, [], A],
        [[("a", 1)], [("a", 1)], [("a", 2)]],
    ),
    "map_with_state with a timeout": (
        ("local", "dstream"),
        lambda s: map_with_state(s, lambda k, v, t: ((t or 0) + v, v), timeout=1, on_timeout=lambda k, t: -t),
        [A, [], [], A],
        [[1], [], [-1], [1]],
    ),
    "transform and transformWith, of RDDs": (
        ("local", "dstream"),
        lambda s: s.transform(lambda rdd: rdd.sortBy(lambda n: -n).zipWithIndex()),
        [[1, 2]],
        [[(1, 1), (2, 0)]],
    ),
    "operations of Spark that write or pipe": (
        ("dstream",),
        lambda s: s.transform(lambda rdd: rdd.pipe("cat")),
        [["a"]],
        [["a"]],
    ),
    "select, filter, functions of columns": (
        ("structured",),
        structured(WORDS)(lambda frame: frame.filter("n > 0").selectExpr("upper(word)")),
        [[("a", 1), ("b", 0)]],
        [["A"]],
    ),
    "functions of columns in Python": (("structured",), shout, [["a"]], [["a!"]]),
    "aggregates in update mode": (("structured",), totals, [A, A], [[("a", 1)], [("a", 2)]]),
    "aggregates in complete mode": (("structured",), sum_of, [A, [], A], [[("a", 1)], [("a", 1)], [("a", 2)]]),
    "aggregates in append mode, with a watermark": (
        ("structured",),
        per_window,
        [[(at_second(1), 1)], [(at_second(35), 8)], [(at_second(3), 2)], [(at_second(62), 0)]],
        [[], [(0, 1)], [], [(30, 8)]],
    ),
    "current_timestamp, on the clock of the case": (("structured",), now_, [[1], [2]], [[(1, 1)], [(2, 2)]]),
    "dropDuplicatesWithinWatermark": (
        ("structured",),
        structured(TIMED)(_deduplicated),
        [[ONCE], [("a", at_second(2))], [LATE], [("a", at_second(61))]],
        [["a"], [], ["z"], ["a"]],
    ),
    "inner joins of streams": (
        ("structured",),
        _outer("inner"),
        {"left": [[ONCE], []], "right": [[], [("a", at_second(2))]]},
        [[], [("a", "a")]],
    ),
    "left outer joins with watermarks": (
        ("structured",),
        _outer("leftOuter"),
        OUTER,
        [[], [("a", None), ("z", "z")], [], []],
    ),
    "full outer joins with watermarks": (
        ("structured",),
        _outer("fullOuter"),
        OUTER,
        [[], [("a", None), ("z", "z"), (None, "b")], [], []],
    ),
    "applyInPandasWithState, with timers of processing time": (
        ("structured",),
        _state("pandas"),
        [A, [], [], [], A],
        [[("a", 1)], [], [], [("a", -1)], [("a", 1)]],
    ),
    "transformWithState, with timers of event time": (
        ("structured",),
        structured("at timestamp, word string, n long", settings=ROCKSDB)(_sessions),
        SESSIONS,
        [[], [], [("a", 3)], [("b", 12)]],
    ),
    "transformWithStateInPandas, with timers of processing time": (
        ("structured",),
        _state("transform", settings=ROCKSDB),
        [A, [], [], [], A],
        [[("a", 1)], [], [], [("a", -1)], [("a", 1)]],
    ),
    "state in RocksDB": (
        ("structured",),
        in_rocksdb,
        {"input": [A, A], RESTARTS: [(CRASH,), ()]},
        [[("a", 1)], [("a", 2)]],
    ),
    "several outputs, each with a sink and a mode": (
        ("structured",),
        structured(WORDS, {"output": "complete", "large": "append"})(_two),
        [A, [("a", 9)]],
        [[("a", 1)], [("a", 10)]],
    ),
    "foreachBatch": (("structured",), structured(WORDS, foreach_batch=_add_to_each)(lambda f: f), [A], [[("a", 101)]]),
    "restarts from the checkpoint, with timers": (
        ("structured",),
        structured("at timestamp, word string, n long", settings=ROCKSDB)(_sessions),
        RESTARTED,
        [[], [], [("a", 3)], [("b", 12)]],
    ),
    "sinks that write again what comes again": (
        ("structured",),
        twice,
        {"input": [A, []], RESTARTS: [(CRASH,), ()]},
        [[("a", 1), ("a", 1)], []],
    ),
}


@pytest.fixture(autouse=True)
def _functions_travel_by_value():
    """The workers cannot import this folder's modules."""
    from pyspark.cloudpickle import cloudpickle

    cloudpickle.register_pickle_by_value(test_structured)
    yield
    cloudpickle.unregister_pickle_by_value(test_structured)


def table():
    """The lines of the page, with what it says of each engine."""
    rows = re.findall(r"^\| (.+?) \| (yes|no) \| (yes|no) \| (yes|no) \|", PAGE.read_text(encoding="utf-8"), re.M)
    return {name: dict(zip(ALL, said, strict=True)) for name, *said in rows}


def test_the_page_has_the_lines_that_are_run():
    said = {
        name: {engine: "yes" if engine in engines else "no" for engine in ALL} for name, (engines, *_) in LINES.items()
    }
    assert table() == said


def _run(engine, name):
    engines, subject, inputs, expected = LINES[name]
    if engine.name in engines:
        assert outputs(engine, subject, inputs) == expected
    else:
        with pytest.raises(StreamingError):
            outputs(engine, subject, inputs)


@pytest.mark.parametrize("name", LINES)
def test_a_line_of_the_page_on_the_local_engine(name):
    _run(LocalEngine(), name)


@pytest.mark.spark
@pytest.mark.slow
@pytest.mark.parametrize("name", LINES)
def test_a_line_of_the_page_on_spark(dstream_engine, structured_engine, name):
    for engine in (dstream_engine, structured_engine):
        _run(engine, name)


@pytest.mark.spark
@pytest.mark.slow
def test_generated_restarts_find_a_sink_that_is_not_idempotent(structured_engine):
    """Nobody says where to restart: that a batch comes again with its records is found, and shrunk to one record."""
    numbers = batches.always(batches.of_n_to_m(0, 2, st.integers(0, 9)), 2)
    check = for_all_streams(with_restarts(numbers), engine=structured_engine, seed=1, examples=40)
    report = check(structured("n long", sink="at least once")(lambda frame: frame))(exactly_once(2)).run()
    assert report.failure is not None
    assert report.failure.case.inputs == {"input": ((0,), ()), RESTARTS: ((CRASH,), ())}
    assert check(structured("n long")(lambda frame: frame))(exactly_once(2)).check(examples=5).holds


def test_a_program_of_structured_streaming_says_which_engine_it_needs():
    with pytest.raises(StreamingError, match='needs engine="structured"'):
        for_all_streams(batches.always(batches.of_n(1, st.just(("a", 1))), 1))(totals)(at("output", has_size(1))).run()
