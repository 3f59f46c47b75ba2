"""Properties on the Spark engines: same verdicts as locally, side by side, and Structured Streaming
programs."""

from __future__ import annotations

import pytest
from hypothesis import strategies as st
from tallystick.streaming import (
    always,
    at,
    batches,
    bind,
    contains,
    equal_as_set,
    for_all_streams,
    for_each_record,
    next_,
    structured,
)
from tallystick.streaming.engines.base import Case
from tallystick.streaming.engines.local import LocalEngine
from tallystick.streaming.errors import EngineUnavailableError
from tallystick.streaming.evaluation import run_cases
from tallystick.streaming.examples import all_examples
from tallystick.streaming.search import generate_cases

pytestmark = pytest.mark.spark

EXAMPLES = {example.name: example for example in all_examples()}
QUICK = ("getHashtagsOk", "alwaysOnlyOneTopHashtag")


def _compare(engine, name, subject, count):
    example = EXAMPLES[name]
    cases = generate_cases(example.generator, count, seed=5)
    on_spark = run_cases(engine, subject, example.formula, cases)
    local = run_cases(LocalEngine(), subject, example.formula, cases)
    assert [(run.kind, len(run.steps)) for run in on_spark] == [(run.kind, len(run.steps)) for run in local]
    return {run.kind for run in on_spark}


@pytest.mark.parametrize("name", QUICK)
def test_right_programs_have_the_same_verdicts_on_spark(dstream_engine, name):
    assert _compare(dstream_engine, name, EXAMPLES[name].subject, 3) == {"passed"}


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in EXAMPLES if name not in QUICK])
def test_all_right_programs_have_the_same_verdicts_on_spark(dstream_engine, name):
    assert _compare(dstream_engine, name, EXAMPLES[name].subject, 4) <= {"passed", "inconclusive"}


@pytest.mark.slow
@pytest.mark.parametrize("name", EXAMPLES)
def test_faulty_programs_have_the_same_verdicts_on_spark(dstream_engine, name):
    for fault in EXAMPLES[name].faults.values():
        _compare(dstream_engine, name, fault, 3)


def test_a_failure_on_spark_is_shrunk_and_confirmed_there(dstream_engine):
    example = EXAMPLES["positiveNumbers"]
    property_ = example.property_of(example.faults["not negative"], engine=dstream_engine, seed=0)
    report = property_.run()
    assert report.engine == "dstream"
    assert report.failure.kind == "falsified"
    assert report.failure.steps[-1].letter.output == (0,)


def test_cases_of_different_length_run_side_by_side(dstream_engine):
    """A case that is decided or over stops; the others go on."""
    cases = [Case({"input": prefix}) for prefix in (((1,), (2,), (3,)), (), ((1,),), ((0,), (1,), (1,)))]
    formula = always(at("output", for_each_record(lambda n: n > 0))).during(3)
    runs = run_cases(dstream_engine, lambda stream: stream.map(lambda n: n), formula, cases)
    assert [(run.kind, len(run.steps)) for run in runs] == [
        ("passed", 3),
        ("inconclusive", 0),
        ("inconclusive", 1),
        ("falsified", 1),
    ]


def _divided_by_sum(rdd):
    quotient = 1 // rdd.sum()
    return rdd.map(lambda _: quotient)


def test_one_case_that_raises_does_not_stop_the_others(dstream_engine):
    import pyspark.sql  # noqa: F401 - from then on PySpark raises errors of its own instead of Py4J's

    cases = [Case({"input": ((number,), (1,))}) for number in (1, 0, 2)]
    formula = always(at("output", for_each_record(lambda n: n >= 0))).during(2)
    for subject in (
        lambda stream: stream.map(lambda n: 1 // n),
        lambda stream: stream.transform(_divided_by_sum),
    ):
        runs = run_cases(dstream_engine, subject, formula, cases)
        assert [run.kind for run in runs] == ["passed", "raised", "passed"]
        assert str(runs[1].error) == (
            "the subject raised in batch 1 on input = [0]: ZeroDivisionError: integer division or modulo by zero"
        )


def _without_zero(rdd):
    if 0 in rdd.collect():
        raise ValueError("there is a 0")
    return rdd


def test_a_case_that_is_run_again_by_itself_has_each_letter_evaluated_once(dstream_engine):
    """What raises while a batch is set up ends the whole context, here in batch 3 of the second case."""
    cases = [Case({"input": ((1,), (2,), (last,))}) for last in (3, 0)]
    formula = next_(at("output", contains(2))) & next_(at("output", contains(3)), 2)
    for engine in (LocalEngine(), dstream_engine):
        runs = run_cases(engine, lambda stream: stream.transform(_without_zero), formula, cases)
        assert [(run.kind, [step.number for step in run.steps]) for run in runs] == [
            ("passed", [1, 2, 3]),
            ("raised", [1, 2]),
        ]
        assert str(runs[1].error) == "the subject raised in batch 3 on input = [0]: ValueError: there is a 0"


WORDS = batches.always(batches.of_n_to_m(0, 3, st.tuples(st.sampled_from("ab"), st.integers(1, 3))), 3)


@structured("word string, n long", output_mode="complete")
def totals(frame):
    """A Structured Streaming program with state: the total of each word since the beginning."""
    return frame.groupBy("word").sum("n")


@structured("word string, n long", output_mode="update")
def totals_of_the_batch(frame):
    """A fault: only the words of the batch are reported."""
    return frame.groupBy("word").sum("n")


def _grow_only(depth: int):
    """Each total that is reported is reported again, at least as large, in the next batch."""

    def then(letter):
        before = dict(letter.output)
        return at("output", lambda now: all(dict(now).get(w, 0) >= n for w, n in before.items()), "grown")

    return always(bind(then, needs=1, name="totals grow")).during(depth)


def test_a_structured_streaming_program_keeps_its_state(structured_engine):
    property_ = for_all_streams(WORDS, engine=structured_engine, examples=3, seed=2)
    assert property_(totals)(_grow_only(2)).check().count("passed") == 3


@pytest.mark.slow
def test_a_fault_in_a_structured_streaming_program_is_found(structured_engine):
    property_ = for_all_streams(WORDS, engine=structured_engine, examples=4, seed=2, shrink_seconds=4)
    report = property_(totals_of_the_batch)(_grow_only(2)).run()
    assert report.failure is not None
    assert report.failure.kind == "falsified"


def test_a_program_in_foreach_batch_is_tested_with_its_function(structured_engine):
    def doubled(frame, batch_id):
        return frame.selectExpr("2 * x")

    subject = structured("x long", foreach_batch=doubled)(lambda frame: frame.filter("x > 0"))
    formula = at("output", equal_as_set({2, 4})) & ~at("input", equal_as_set({1, 2}))
    runs = run_cases(structured_engine, subject, formula, [Case({"input": ((1, 0, 2),)})])
    assert runs[0].kind == "passed"


def test_structured_failures_name_the_batch(structured_engine):
    from pyspark.sql import functions

    subject = structured("x long")(
        lambda frame: frame.select(functions.when(frame.x > 0, frame.x).otherwise(functions.raise_error("zero!")))
    )
    formula = always(at("output", for_each_record(lambda n: n > 0))).during(2)
    runs = run_cases(structured_engine, subject, formula, [Case({"input": ((1,), (0,))})])
    assert runs[0].kind == "raised"
    assert runs[0].error.batch == 2
    assert "zero!" in str(runs[0].error)


def test_engines_and_subjects_must_match(dstream_engine, structured_engine):
    formula = at("output", equal_as_set(()))
    case = [Case({"input": ((1,),)})]
    with pytest.raises(EngineUnavailableError, match="needs engine=\"structured\", not 'dstream'"):
        run_cases(dstream_engine, totals, formula, case)
    with pytest.raises(EngineUnavailableError, match='needs engine="structured", not "local"'):
        run_cases(LocalEngine(), totals, formula, case)
    with pytest.raises(EngineUnavailableError, match="mark the subject with @structured"):
        run_cases(structured_engine, lambda stream: stream, formula, case)
    with pytest.raises(ValueError, match="an output mode is one of append, update, complete, not 'all'"):
        structured("x long", "all")(totals.function)
    with pytest.raises(ValueError, match="a sink is 'exactly once' or 'at least once', not 'never'"):
        structured("x long", sink="never")(totals.function)  # type: ignore[arg-type]
