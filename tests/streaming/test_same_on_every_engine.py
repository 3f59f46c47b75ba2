"""What once differed between the engines, each as one test that runs on the local engine and on Spark."""

from __future__ import annotations

import operator
from datetime import datetime

import pytest
from hypothesis import strategies as st
from tallystick.streaming import always, at, batches, contains, for_all_streams, has_size, is_empty, prefixes
from tallystick.streaming.describe import shown
from tallystick.streaming.engines.base import Case
from tallystick.streaming.engines.local import LocalEngine
from tallystick.streaming.errors import PropertyFailedError
from tallystick.streaming.evaluation import run_cases
from tallystick.streaming.letters import Letter

add, sub = operator.add, operator.sub


@pytest.fixture(params=["local", pytest.param("dstream", marks=pytest.mark.spark)])
def engine(request):
    return LocalEngine() if request.param == "local" else request.getfixturevalue("dstream_engine")


def outputs(engine, subject, *batches_):
    """The output of each instant, as sorted texts."""
    seen = []

    def watch(index, number, letter):
        seen.append(sorted(map(shown, letter.output)))
        return True

    assert engine.run(subject, [Case({"input": tuple(map(tuple, batches_))})], watch) == {}
    return seen


@pytest.mark.parametrize(
    ("make", "expected"),
    [
        (lambda s: s.window(1, 2), [[], ["2"], [], ["4"], [], ["6"]]),
        (lambda s: s.window(2, 4), [[], [], [], ["3", "4"], [], []]),
        (lambda s: s.window(3, 2), [[], ["1", "2"], [], ["2", "3", "4"], [], ["4", "5", "6"]]),
        (
            lambda s: s.map(lambda n: (0, n)).reduceByKeyAndWindow(add, None, 1, 3),
            [[], [], ["(0, 3)"], [], [], ["(0, 6)"]],
        ),
        (
            lambda s: s.map(lambda n: (0, n)).reduceByKeyAndWindow(add, sub, 1, 3),
            [[], [], ["(0, 3)"], [], [], ["(0, 6)"]],
        ),
        (lambda s: s.window(1, 2).window(2, 2), [[], ["2"], [], ["4"], [], ["6"]]),
        (lambda s: s.countByWindow(1, 3), [[], [], ["1"], [], [], ["1"]]),
    ],
)
def test_a_window_that_slides_past_batches_has_those_of_its_own_instant(engine, make, expected):
    assert outputs(engine, make, [1], [2], [3], [4], [5], [6]) == expected


def test_a_window_gets_no_batch_of_an_instant_at_which_it_was_not_asked(engine):
    """Batches of different sizes, some empty: each is seen at its own time or not at all."""
    subject = lambda s: s.window(1, 2).transform(lambda time, rdd: rdd.map(lambda n: (time.timestamp(), n)))  # noqa: E731
    assert outputs(engine, subject, [1, 2], [], [3], [4]) == [[], [], [], ["(4.0, 4)"]]


def _grow(new, before):
    """Changes the dictionary that it is given, and returns it."""
    state = before if before is not None else {}
    for value in new:
        state[value] = state.get(value, 0) + 1
    return state


def test_a_state_that_is_changed_in_place_leaves_earlier_letters_alone(engine):
    subject = lambda s: s.map(lambda n: ("k", n)).updateStateByKey(_grow)  # noqa: E731
    assert outputs(engine, subject, [1], [1], [2]) == [
        ["('k', {1: 1})"],
        ["('k', {1: 2})"],
        ["('k', {1: 2, 2: 1})"],
    ]


def _append_in_place(values):
    values.append(0)
    return values


def test_a_record_that_is_changed_in_place_is_changed_for_nobody_else(engine):
    def subject(stream):
        lists = stream.map(lambda n: [n])
        return lists.map(_append_in_place).union(lists)

    assert outputs(engine, subject, [1], [2]) == [["[1, 0]", "[1]"], ["[2, 0]", "[2]"]]


def test_inputs_that_a_program_changes_in_place_are_not_those_of_the_letter(engine):
    runs = run_cases(
        engine,
        lambda stream: stream.map(_append_in_place),
        at("input", contains([1])) & at("output", contains([1, 0])),
        [Case({"input": (([1],),)})],
    )
    assert runs[0].kind == "passed"


def _kinds(groups):
    return type(groups).__name__, len(groups), sorted(groups)


def test_the_values_of_a_key_can_be_counted_and_iterated_and_are_no_list(engine):
    for make in (
        lambda s: s.groupByKey().mapValues(_kinds),
        lambda s: s.groupByKeyAndWindow(1, 1).mapValues(_kinds),
        lambda s: s.transform(lambda rdd: rdd.groupBy(lambda pair: pair[0]).mapValues(len)).map(lambda p: (p[0], ())),
    ):
        ((seen,),) = outputs(engine, make, [("a", 1), ("a", 2)])
        assert seen in ("('a', ('ResultIterable', 2, [1, 2]))", "('a', ())")
    ((both,),) = outputs(
        engine, lambda s: s.cogroup(s).mapValues(lambda pair: tuple(map(_kinds, pair))), [("a", 1), ("a", 2)]
    )
    assert both == "('a', (('ResultIterable', 2, [1, 2]), ('ResultIterable', 2, [1, 2])))"
    ((equal,),) = outputs(engine, lambda s: s.groupByKey().mapValues(lambda values: values == [1]), [("a", 1)])
    assert equal == "('a', False)"


def test_combiners_of_several_partitions_are_merged(engine):
    """A merge function that is wrong gives a wrong result: batches have two partitions."""
    right = lambda s: s.combineByKey(lambda v: v, add, add)  # noqa: E731
    wrong = lambda s: s.combineByKey(lambda v: v, add, lambda a, b: a)  # noqa: E731
    batch = [("a", 1), ("a", 2), ("a", 4), ("a", 8)]
    assert outputs(engine, right, batch) == [["('a', 15)"]]
    assert outputs(engine, wrong, batch) != [["('a', 15)"]]
    zero = lambda s: s.transform(lambda rdd: rdd.context.parallelize([rdd.fold(1, add)], 1))  # noqa: E731
    assert outputs(engine, zero, [1, 2]) == [["6"]]


def _positive(batch):
    for n in batch:
        assert n > 0, f"{n} is not positive"
    return True


def test_a_predicate_that_raises_is_a_failing_case_with_table_shrinking_and_seed(engine):
    numbers = batches.always(batches.of_n_to_m(0, 3, st.integers(-9, 9)), 3)
    property_ = for_all_streams(numbers, engine=engine, seed=0, examples=40)(lambda stream: stream.map(lambda n: n))
    with pytest.raises(PropertyFailedError) as failed:
        property_(always(at("output", _positive)).during(3)).check()
    report = failed.value.report
    assert report.failure.kind == "predicate raised"
    assert report.failure.case.inputs["input"] == ((0,), (), ())
    text = str(failed.value)
    assert "    1   0       0        a predicate raised\n" in text
    assert "A predicate of the formula raised in batch 1: AssertionError: 0 is not positive." in text
    assert "case = [[0]]" in text
    assert text.endswith("To repeat: seed=0")


def test_an_implication_asks_its_conclusion_only_if_its_premise_holds(engine):
    first_is_one = at("output", lambda batch: batch[0] == 1)
    for formula in (
        ~at("output", is_empty) >> first_is_one,
        at("output", is_empty) | first_is_one,
        ~(~at("output", is_empty) & ~first_is_one),
    ):
        runs = run_cases(
            engine, lambda s: s.map(lambda n: n), formula, [Case({"input": ((),)}), Case({"input": ((1,),)})]
        )
        assert [run.kind for run in runs] == ["passed", "passed"]


def _leave(n):
    raise SystemExit(3)


@pytest.mark.parametrize(
    "subject",
    [
        lambda stream: stream.transform(lambda rdd: _leave(0)),
        lambda stream: _leave(0),
    ],
    ids=["in transform", "while it is set up"],
)
def test_a_program_that_calls_sys_exit_is_a_failing_case(engine, subject):
    (run,) = run_cases(engine, subject, at("output", has_size(1)), [Case({"input": ((1,),)})])
    assert run.kind == "raised"
    assert "SystemExit: 3" in str(run.error)


def test_a_function_that_calls_sys_exit_in_a_worker_is_a_failing_case(engine):
    """Spark's worker process ends; all that Spark says is that it did."""
    (run,) = run_cases(engine, lambda s: s.map(_leave), at("output", has_size(1)), [Case({"input": ((1,),)})])
    assert run.kind == "raised"
    assert "SystemExit: 3" in str(run.error) or "sys.exit" in str(run.error)


def _total(key, value, state):
    total = (state or 0) + value
    return total, (key, total)


def test_map_with_state_begins_with_given_states_and_forgets_idle_keys(engine):
    """A key may be idle for two batches; in the third its end is put out, and it begins anew."""
    from tallystick.streaming import map_with_state

    def subject(stream):
        return map_with_state(
            stream, _total, initial=[("a", 10), ("b", 20)], timeout=2, on_timeout=lambda k, s: (k, -s)
        )

    batch = [("a", 1)]
    assert outputs(engine, subject, batch, [], [], [], batch) == [
        ["('a', 11)"],
        [],
        ["('b', -20)"],
        ["('a', -11)"],
        ["('a', 1)"],
    ]
    silent = lambda s: map_with_state(s, _total, timeout=1)  # noqa: E731
    assert outputs(engine, silent, batch, [], [], batch) == [["('a', 1)"], [], [], ["('a', 1)"]]
    from_rdd = lambda s: map_with_state(s, _total, initial=s.context().sparkContext.parallelize([("a", 5)]))  # noqa: E731
    assert outputs(engine, from_rdd, batch) == [["('a', 6)"]]


def test_a_transform_that_returns_none_has_no_batch(engine):
    subject = lambda s: s.transform(lambda rdd: None if 2 in rdd.collect() else rdd)  # noqa: E731
    assert outputs(engine, subject, [1], [2], [3]) == [["1"], [], ["3"]]


LINE = "-" * 43


def test_pprint_and_foreach_rdd_act_on_each_batch_at_its_time(engine, capsys):
    acted = []

    def subject(stream):
        stream.pprint(2)
        stream.foreachRDD(lambda time, rdd: acted.append((time.timestamp(), rdd.count())))
        return stream.count()

    assert outputs(engine, subject, [1, 2, 3], [], [4]) == [["3"], ["0"], ["1"]]
    assert acted == [(1.0, 3), (2.0, 0), (3.0, 1)]
    times = [str(datetime.fromtimestamp(second)) for second in (1, 2, 3)]
    records = ["1\n2\n...\n", "", "4\n"]
    printed = [f"{LINE}\nTime: {at_time}\n{LINE}\n{made}\n" for at_time, made in zip(times, records, strict=True)]
    assert capsys.readouterr().out == "".join(printed)


def test_letters_hash_as_they_compare():
    first, second = Letter({"a": (1,), "b": ()}), Letter({"b": (), "a": (1,)})
    assert first == second
    assert hash(first) == hash(second)
    assert first != Letter({"a": (1,), "b": (2,)})
    assert len({first, second}) == 1


class Opaque:
    """A record without a text of its own."""

    def __init__(self, size):
        self.size = size


def test_records_without_a_text_of_their_own_shrink_too(engine):
    records = st.integers(0, 100).map(Opaque)
    stream = batches.always(batches.of_n_to_m(0, 4, records), 3)
    small = always(at("output", lambda batch: all(each.size < 10 for each in batch), name="small")).during(3)
    report = for_all_streams(stream, engine=engine, seed=0, examples=40)(lambda s: s.map(lambda each: each))(
        small
    ).run()
    (step,) = report.failure.steps
    assert [each.size for each in step.letter.output] == [10]


def test_the_hypothesis_prefix_of_a_constant_is_kept(engine):
    report = for_all_streams(prefixes.constant([[1], [2]]), engine=engine)(lambda s: s.count())(
        always(at("output", contains(1))).during(2)
    ).check()
    assert report.count("passed") == 1
