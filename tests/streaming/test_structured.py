"""Structured Streaming as it is used: schemas, watermarks, timers, output modes, several outputs, restarts."""

from __future__ import annotations

import datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyspark.sql import functions as F  # noqa: N812
from sampling import examples
from tallystick.streaming import always, at, batches, for_all_streams, is_empty, structured
from tallystick.streaming.engines.base import Case
from tallystick.streaming.errors import RecordDoesNotFitError
from tallystick.streaming.evaluation import run_cases
from tallystick.streaming.restarts import CRASH, RESTARTS, STOP, exactly_once, with_restarts
from tallystick.streaming.schemas import as_schema, letters_of, misfit, parse_ddl, records_of
from tallystick.streaming.tables import failure_text

spark = pytest.mark.spark
START = datetime.datetime(2024, 1, 1)


def at_second(second):
    return START + datetime.timedelta(seconds=second)


def outputs(engine, subject, *batches_, restarts=None, output="output"):
    """The output of each instant, sorted."""
    seen = []

    def watch(index, number, letter):
        seen.append(sorted(letter[output]))
        return True

    case = {"input": tuple(map(tuple, batches_))}
    if restarts is not None:
        case[RESTARTS] = tuple(restarts)
    failures = engine.run(subject, [Case(case)], watch)
    assert failures == {}, str(failures[0])
    return seen


@structured("at timestamp, n long")
def per_window(frame):
    """The sum of each window of ten seconds, once its time is over."""
    windows = frame.withWatermark("at", "10 seconds").groupBy(F.window("at", "10 seconds")).agg(F.sum("n").alias("n"))
    return windows.select(F.unix_timestamp("window.start") - F.unix_timestamp(F.lit(START)), "n")


@spark
def test_the_watermark_moves_without_data_and_late_events_are_dropped(structured_engine):
    """After the event at second 35 the watermark is 25: in the same instant the window [0, 10) comes out, and an event
    at second 3 is dropped in the next one."""
    assert outputs(
        structured_engine,
        per_window,
        [(at_second(1), 1)],
        [(at_second(35), 8)],
        [(at_second(3), 2)],
        [(at_second(62), 0)],
    ) == [[], [(0, 1)], [], [(30, 8)]]


@spark
@pytest.mark.slow
def test_without_batches_without_data_the_window_comes_out_one_instant_later(structured_engine):
    late = structured("at timestamp, n long", settings={"spark.sql.streaming.noDataMicroBatches.enabled": "false"})
    batches_ = ([(at_second(1), 1)], [(at_second(35), 8)], [(at_second(36), 2)])
    assert outputs(structured_engine, late(per_window.function), *batches_) == [[], [], [(0, 1)]]
    assert outputs(structured_engine, per_window, *batches_) == [[], [(0, 1)], []]


@spark
def test_the_time_of_the_program_is_the_time_of_the_letter(structured_engine):
    subject = structured("n long")(lambda frame: frame.select("n", F.current_timestamp().cast("long")))
    assert outputs(structured_engine, subject, [1], [], [2, 3]) == [[(1, 1)], [], [(2, 3), (3, 3)]]


@spark
@pytest.mark.parametrize(
    ("mode", "expected"),
    [
        ("update", [[("a", 1)], [("a", 3)], [("b", 5)]]),
        ("complete", [[("a", 1)], [("a", 3)], [("a", 3), ("b", 5)]]),
    ],
)
def test_output_modes(structured_engine, mode, expected):
    subject = structured("word string, n long", mode)(lambda frame: frame.groupBy("word").sum("n"))
    assert outputs(structured_engine, subject, [("a", 1)], [("a", 2)], [("b", 5)]) == expected


@spark
def test_a_mode_that_spark_refuses_for_the_program_is_a_failure_that_says_so(structured_engine):
    subject = structured("word string, n long")(lambda frame: frame.groupBy("word").sum("n"))
    (run,) = run_cases(structured_engine, subject, at("output", is_empty), [Case({"input": ((("a", 1),),)})])
    assert run.kind == "raised"
    assert "Spark refuses the query in append mode" in str(run.error)
    assert "watermark" in str(run.error)


@spark
@pytest.mark.slow
def test_several_output_streams_each_in_its_mode(structured_engine):
    @structured("word string, n long", {"totals": "complete", "large": "append"})
    def two(frame):
        return {"totals": frame.groupBy("word").sum("n"), "large": frame.filter("n > 5")}

    batches_ = ([("a", 1)], [("a", 9), ("b", 2)])
    assert outputs(structured_engine, two, *batches_, output="totals") == [[("a", 1)], [("a", 10), ("b", 2)]]
    assert outputs(structured_engine, two, *batches_, output="large") == [[], [("a", 9)]]


@spark
@pytest.mark.slow
def test_several_inputs_are_joined(structured_engine):
    @structured({"left": "k string, x long", "right": "k string, y long"})
    def joined(left, right):
        return left.join(right, "k")

    seen = []
    case = Case({"left": ((("a", 1),), ()), "right": ((), (("a", 2), ("b", 3)))})
    assert structured_engine.run(joined, [case], lambda i, n, letter: seen.append(letter.output) or True) == {}
    assert seen == [(), (("a", 1, 2),)]


@spark
@pytest.mark.parametrize(
    ("schema", "record", "message"),
    [
        ("n int", 2**31, "batch 2, record 1 of 'input' does not fit the schema: field n: 2147483648 is no int"),
        ("n int", 1.5, "batch 2, record 1 of 'input' does not fit the schema: field n: 1.5 is no int"),
        ("n int", True, "field n: True is no int"),
        ("w string", b"x", "field w: b'x' is no string"),
        ("p struct<x: int, y: int>, n int", ((1,), 1), "field p: (1,) is no struct<x:int,y:int>"),
        ("p struct<x: int, y: int>, n int", ((1, "a"), 1), "field p.y: 'a' is no int"),
        ("a array<int>", [1, None, "x"], "field a[2]: 'x' is no int"),
        ("m map<string, int>", {"k": 2.0}, "field m['k']: 2.0 is no int"),
        ("n int NOT NULL", None, "field n: it must not be null"),
        ("n int, m int", (1, 2, 3), "it has 3 values, and the schema has 2 columns"),
    ],
)
def test_a_record_that_does_not_fit_is_an_error_with_batch_record_and_field(structured_engine, schema, record, message):
    subject = structured(schema)(lambda frame: frame)
    with pytest.raises(RecordDoesNotFitError) as error:
        run_cases(structured_engine, subject, at("output", is_empty), [Case({"input": ((), (record,))})])
    assert message in str(error.value)


@spark
def test_values_that_fit_come_out_as_they_went_in(structured_engine):
    """A tuple for a struct and bytes for binary fit; once they became null."""
    subject = structured("p struct<x: int, w: string>, b binary, n int")(lambda frame: frame)
    record = ((1, "a"), b"\x00x", 2**31 - 1)
    ((seen,),) = outputs(structured_engine, subject, [record])
    assert (tuple(seen[0]), bytes(seen[1]), seen[2]) == record


ALL_TYPES = (
    "a tinyint, b smallint, c int, d bigint, e float, f double, g decimal(9,3), h string, i binary, j boolean, k date, "
    "l timestamp, m array<int>, n map<string, bigint>, o struct<x: int, `y z`: string>, p timestamp_ntz NOT NULL"
)


@settings(max_examples=examples(50), deadline=None)
@given(records_of(ALL_TYPES))
def test_records_made_of_a_schema_fit_it(record):
    assert misfit(record, parse_ddl(ALL_TYPES)) is None


@spark
@pytest.mark.slow
def test_records_made_of_a_schema_come_out_of_spark_as_they_went_in(structured_engine):
    """No value is null unless it was null, of any type."""
    stream = st.tuples(letters_of(ALL_TYPES, max_size=2), letters_of(ALL_TYPES, max_size=2))
    subject = structured(ALL_TYPES)(lambda frame: frame)

    def same(given_records, made):
        plain = sorted(repr(_plain(record)) for record in given_records)
        return plain == sorted(repr(_plain(record)) for record in made)

    formula = always(at(("input", "output"), same)).during(2)
    for_all_streams(stream, engine=structured_engine, examples=15, seed=1)(subject)(formula).check()


def _plain(value):
    if isinstance(value, tuple):
        return tuple(map(_plain, value))
    if isinstance(value, list):
        return list(map(_plain, value))
    if isinstance(value, dict):
        return sorted((repr(_plain(key)), _plain(each)) for key, each in value.items())
    return bytes(value) if isinstance(value, bytearray) else value


@spark
def test_schemas_are_read_as_spark_reads_them(structured_engine):
    from pyspark.sql.types import StructType

    assert parse_ddl(ALL_TYPES).simpleString() == StructType.fromDDL(ALL_TYPES).simpleString()


def test_a_schema_that_cannot_be_read_is_an_error_with_its_place():
    with pytest.raises(ValueError, match="has at column 11 something else than a type, not 'integral'"):
        parse_ddl("n integral")
    with pytest.raises(ValueError, match="a schema is DDL"):
        as_schema(3)
    with pytest.raises(ValueError, match="the schema has no column 'm'"):
        records_of("n int", m=st.just(1))


@spark
@pytest.mark.slow
def test_a_query_goes_on_from_its_checkpoint(structured_engine):
    subject = structured("word string, n long", "update")(lambda frame: frame.groupBy("word").sum("n"))
    batches_ = ([("a", 1)], [("a", 2)], [("a", 4)])
    for restarts in ([(), (), ()], [(STOP,), (), ()], [(CRASH,), (STOP,), (CRASH,)]):
        assert outputs(structured_engine, subject, *batches_, restarts=restarts) == [[("a", 1)], [("a", 3)], [("a", 7)]]


WORDS = letters_of("word string, n long", max_size=2, word=st.sampled_from("ab"), n=st.integers(0, 3))


@spark
@pytest.mark.slow
def test_a_program_with_its_state_in_spark_gives_each_output_exactly_once(structured_engine):
    subject = structured("word string, n long", "update")(lambda frame: frame.groupBy("word").sum("n"))
    stream = with_restarts(st.tuples(WORDS, WORDS, WORDS))
    report = for_all_streams(stream, engine=structured_engine, examples=4, seed=3)(subject)(exactly_once(3)).check()
    assert any(any(run.case.inputs[RESTARTS]) for run in report.runs), "some case has a restart"


@spark
@pytest.mark.slow
def test_a_sink_that_appends_what_comes_again_is_not_exactly_once(structured_engine):
    subject = structured("word string, n long", sink="at least once")(lambda frame: frame)
    stream = with_restarts(st.tuples(WORDS, WORDS))
    check = for_all_streams(stream, engine=structured_engine, examples=20, seed=0)
    report = check(subject)(exactly_once(2)).run()
    assert report.failure.kind == "falsified"
    letter = report.failure.steps[-1].letter
    assert letter[RESTARTS] == (CRASH,)
    assert letter.output == (("a", 0), ("a", 0))


@spark
def test_a_program_that_keeps_its_state_in_the_driver_loses_it(structured_engine):
    """The program's function is called anew by a restart, as when a program is started again."""

    @structured("n long")
    def numbered(frame):
        started = F.lit(len(starts))
        starts.append(1)
        return frame.select("n", started)

    starts = []
    seen = outputs(structured_engine, numbered, [1], [2], [3], restarts=[(), (STOP,), ()])
    first, _, last = (number for ((_, number),) in seen)
    assert first < last


def _count_words(key, frames, state):
    import pandas

    if state.hasTimedOut:
        (count,) = state.get
        state.remove()
        yield pandas.DataFrame({"word": [key[0]], "n": [-count]})
        return
    count = (state.get[0] if state.exists else 0) + sum(len(frame) for frame in frames)
    state.update((count,))
    state.setTimeoutDuration(2000)
    yield pandas.DataFrame({"word": [key[0]], "n": [count]})


@spark
@pytest.mark.slow
def test_apply_in_pandas_with_state_and_a_timer_of_processing_time(structured_engine):
    """A word that does not come for more than two seconds is reported with its negative count; the clock is ours."""

    @structured("word string, n long", "update")
    def sessions(frame):
        return frame.groupBy("word").applyInPandasWithState(
            _count_words, "word string, n long", "count long", "update", "ProcessingTimeTimeout"
        )

    word = [("a", 1)]
    assert outputs(structured_engine, sessions, word, word, [], [], [], word) == [
        [("a", 1)],
        [("a", 2)],
        [],
        [],
        [("a", -2)],
        [("a", 1)],
    ]


def _counter():
    import pandas
    from pyspark.sql.streaming import StatefulProcessor

    class Counter(StatefulProcessor):
        """Counts the records of a key, and forgets the key three seconds after the last one."""

        def init(self, handle):
            self.handle = handle
            self.count = handle.getValueState("count", "n long")

        def handleInputRows(self, key, rows, timers):  # noqa: N802
            seen = sum(len(frame) for frame in rows)
            count = (self.count.get()[0] if self.count.exists() else 0) + seen
            self.count.update((count,))
            for timer in self.handle.listTimers():
                self.handle.deleteTimer(timer)
            self.handle.registerTimer(timers.getCurrentProcessingTimeInMs() + 3000)
            yield pandas.DataFrame({"word": [key[0]], "n": [count]})

        def handleExpiredTimer(self, key, timerValues, expiredTimerInfo):  # noqa: N802, N803
            self.count.clear()
            yield pandas.DataFrame({"word": [key[0]], "n": [-1]})

        def close(self):
            pass

    return Counter()


ROCKSDB = {
    "spark.sql.streaming.stateStore.providerClass": (
        "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider"
    )
}


@spark
@pytest.mark.slow
def test_transform_with_state_with_rocksdb_and_timers(structured_engine):
    @structured("word string, n long", "update", settings=ROCKSDB)
    def counted(frame):
        return frame.groupBy("word").transformWithStateInPandas(
            _counter(), "word string, n long", "update", "ProcessingTime"
        )

    word = [("a", 1)]
    assert outputs(structured_engine, counted, word, word, [], [], [], word) == [
        [("a", 1)],
        [("a", 2)],
        [],
        [],
        [("a", -1)],
        [("a", 1)],
    ]


def _session():
    from pyspark.sql import Row
    from pyspark.sql.streaming import StatefulProcessor

    class Session(StatefulProcessor):
        """Adds up what a key pays, and reports the sum once the watermark is five seconds past its last event."""

        def init(self, handle):
            self.handle = handle
            self.total = handle.getValueState("total", "n long")

        def handleInputRows(self, key, rows, timers):  # noqa: N802
            seen = list(rows)
            before = self.total.get()[0] if self.total.exists() else 0
            self.total.update((before + sum(row.n for row in seen),))
            for timer in list(self.handle.listTimers()):
                self.handle.deleteTimer(timer)
            last = max(int(row.at.timestamp() * 1000) for row in seen)
            self.handle.registerTimer(last + 5000)
            return iter(())

        def handleExpiredTimer(self, key, timerValues, expiredTimerInfo):  # noqa: N802, N803
            yield Row(word=key[0], n=self.total.get()[0])
            self.total.clear()

        def close(self):
            pass

    return Session()


@spark
@pytest.mark.slow
@pytest.mark.parametrize("restarts", [[(), (), (), ()], [(), (STOP,), (CRASH,), ()]], ids=["whole", "restarted"])
def test_transform_with_state_with_timers_of_event_time_and_restarts(structured_engine, restarts):
    """The session of a ends when the watermark, ten seconds behind the events, is past second 7, even with a crash."""

    @structured("at timestamp, word string, n long", settings=ROCKSDB)
    def sessions(frame):
        late = frame.withWatermark("at", "10 seconds")
        return late.groupBy("word").transformWithState(_session(), "word string, n long", "append", "EventTime")

    batches_ = (
        [(at_second(1), "a", 1)],
        [(at_second(2), "a", 2), (at_second(9), "b", 8)],
        [(at_second(18), "b", 4)],
        [(at_second(60), "c", 0)],
    )
    assert outputs(structured_engine, sessions, *batches_, restarts=restarts) == [[], [], [("a", 3)], [("b", 12)]]


@spark
@pytest.mark.slow
def test_the_state_may_be_in_rocksdb(structured_engine):
    subject = structured("word string, n long", "update", settings=ROCKSDB)(
        lambda frame: frame.groupBy("word").sum("n")
    )
    assert outputs(structured_engine, subject, [("a", 1)], [("a", 2)], restarts=[(CRASH,), ()]) == [
        [("a", 1)],
        [("a", 3)],
    ]
    assert structured_engine._spark.session.conf.get("spark.sql.streaming.stateStore.providerClass").endswith(
        "HDFSBackedStateStoreProvider"
    )


@spark
def test_a_program_without_state_serves_many_cases_with_one_query(structured_engine):
    calls = []

    @structured("n long")
    def doubled(frame):
        calls.append(1)
        return frame.selectExpr("2 * n")

    for number in range(5):
        assert outputs(structured_engine, doubled, [number], [], [1, number]) == [
            [2 * number],
            [],
            sorted([2, 2 * number]),
        ]
    assert len(calls) == 2, "once to name the outputs, once for the one query"


def _leave(frame, batch_id):
    raise SystemExit(3)


@spark
@pytest.mark.slow
def test_a_program_that_calls_sys_exit_is_a_failing_case(structured_engine):
    case = [Case({"input": ((1,),)})]
    for subject in (
        structured("n long")(lambda frame: _leave(frame, 0)),
        structured("n long", foreach_batch=_leave)(lambda frame: frame),
        structured("n long")(lambda frame: frame.select(F.udf(lambda n: _leave(n, 0), useArrow=False)("n"))),
    ):
        (run,) = run_cases(structured_engine, subject, at("output", is_empty), case)
        assert run.kind == "raised"
        assert "SystemExit: 3" in str(run.error) or "sys.exit" in str(run.error)


@spark
@pytest.mark.slow
def test_a_predicate_that_raises_is_a_failing_case_with_table_shrinking_and_seed(structured_engine):
    def positive(batch):
        for n in batch:
            assert n > 0, f"{n} is not positive"
        return True

    numbers = batches.always(letters_of("n long NOT NULL", max_size=3, n=st.integers(-9, 9)), 2)
    check = for_all_streams(numbers, engine=structured_engine, seed=0, examples=40)
    report = check(structured("n long NOT NULL")(lambda frame: frame))(always(at("output", positive)).during(2)).run()
    assert report.failure.kind == "predicate raised"
    assert report.failure.case.inputs["input"] == ((0,), ())
    text = failure_text(report)
    assert "    1   0       0        a predicate raised\n" in text
    assert "A predicate of the formula raised in batch 1: AssertionError: 0 is not positive." in text
    assert text.endswith("To repeat: seed=0")


@spark
def test_an_implication_asks_its_conclusion_only_if_its_premise_holds(structured_engine):
    first_is_one = at("output", lambda batch: batch[0] == 1)
    cases = [Case({"input": ((),)}), Case({"input": ((1,),)})]
    runs = run_cases(
        structured_engine, structured("n long")(lambda frame: frame), ~at("output", is_empty) >> first_is_one, cases
    )
    assert [run.kind for run in runs] == ["passed", "passed"]
