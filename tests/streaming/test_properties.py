"""`for_all_streams`: reports, settings, shrinking, decorators, and every error with its text."""

from __future__ import annotations

import re
import time

import hypothesis
import pytest
from hypothesis import strategies as st
from tallystick.streaming import (
    Settings,
    always,
    at,
    batches,
    bind,
    contains,
    for_all_streams,
    for_each_record,
    has_size,
    is_empty,
    later,
    next_,
    now,
    prefixes,
)
from tallystick.streaming.engines.local import LocalEngine
from tallystick.streaming.errors import (
    CaseTimedOutError,
    EngineUnavailableError,
    FormulaError,
    PropertyFailedError,
    UnknownStreamError,
    UnsatisfiableFormulaError,
    WordTooShortError,
)
from tallystick.streaming.logic.formulas import Always, Consume, Equals
from tallystick.streaming.logic.terms import Constant, Variable
from tallystick.streaming.timelines import draw_timeline

numbers = st.integers(-5, 5)
some_numbers = batches.always(batches.of_n_to_m(0, 3, numbers), 4)
all_positive = always(at("output", for_each_record(lambda n: n > 0))).during(4)


def identity(stream):
    return stream.map(lambda n: n)


def only_positive(stream):
    return stream.filter(lambda n: n > 0)


def test_a_property_that_holds_reports_how_many_cases_passed():
    report = for_all_streams(some_numbers, examples=30, seed=1)(only_positive)(all_positive).check()
    assert report.holds
    assert (report.count("passed"), report.count("inconclusive"), len(report.runs)) == (30, 0, 30)
    assert report.safe_length == 4


@pytest.mark.parametrize("print_blob", [False, True])
def test_a_property_that_fails_shows_the_smallest_case_as_a_table(print_blob):
    """Hypothesis's own way to repeat a case, which it notes where CI is set, is not shown beside ours."""
    outside = hypothesis.settings.default
    hypothesis.settings.register_profile("as on CI", outside, print_blob=print_blob)
    hypothesis.settings.load_profile("as on CI")
    try:
        check_the_table()
    finally:
        hypothesis.settings.register_profile("outside", outside)
        hypothesis.settings.load_profile("outside")


def check_the_table():
    property_ = for_all_streams(some_numbers, seed=1)(identity)(all_positive)
    with pytest.raises(PropertyFailedError) as failed:
        property_.check()
    assert failed.value.report.failure.steps[0].letter.input == (0,)
    table = """\
batch   input   output   what must hold from here on
────────────────────────────────────────────────────
    1   0       0        ⊥

The formula is false from batch 1 on.
* batch 1: [output each: n > 0] is false: output = [0]
The case has 3 more batches, which were not needed.

Formula: □₄ [output each: n > 0]

The case as a test:

    def test_case():
        from tallystick.streaming import for_all_streams, prefixes

        case = [[0]]
        for_all_streams(prefixes.constant(case))(identity)(all_positive).check()

To repeat: seed=1"""
    assert str(failed.value).endswith(table)


def test_a_failure_can_be_an_assertion_error():
    with pytest.raises(AssertionError, match="The property is false"):
        for_all_streams(some_numbers, seed=1)(identity)(all_positive).check()


def test_cases_shrink_to_fewer_batches_then_smaller_batches_then_simpler_records():
    prefix = prefixes.of_batches(batches.of_n_to_m(0, 5, st.integers(0, 100)), min_size=1, max_size=8)
    never_two_large = always(at("input", lambda batch: sum(n >= 10 for n in batch) < 2)).during(8)
    report = for_all_streams(prefix, seed=3, inconclusive="allow")(identity)(never_two_large).run()
    assert report.failure.case.inputs["input"] == ((10, 10),)


def test_a_case_is_shrunk_for_no_longer_than_is_said(capsys):
    """Of what Hypothesis says then, that five minutes are over, nothing is shown."""

    def slow(stream):
        return stream.transform(lambda rdd: time.sleep(0.05) or rdd)

    check = for_all_streams(batches.always(batches.of_n_to_m(1, 5, st.integers()), 4), seed=1, shrink_seconds=0.4)
    start = time.monotonic()
    report = check(slow)(always(at("output", for_each_record(lambda n: n < 1000))).during(4)).run()
    assert report.failure.kind == "falsified"
    assert report.notes == ["The case was shrunk for 0.4 s, and may not be the smallest."]
    assert time.monotonic() - start < 15
    assert capsys.readouterr().out == ""


def test_the_same_seed_gives_the_same_case():
    property_ = for_all_streams(some_numbers)(identity)(all_positive)
    first, second = (property_.run(seed=7) for _ in range(2))
    assert first.found == second.found


def test_inconclusive_cases_are_counted():
    prefix = prefixes.of_batches(batches.of_n(1, st.just(1)), min_size=3, max_size=4)
    report = for_all_streams(prefix, seed=0)(only_positive)(all_positive).check()
    assert (report.count("passed"), report.count("inconclusive")) == (1, 1)
    assert str(report).startswith("1 passed, 1 inconclusive of 2 cases on local in ")


def test_a_property_without_any_verdict_is_an_error():
    short = batches.always(batches.of_n(1, numbers), 3)
    with pytest.raises(WordTooShortError) as error:
        for_all_streams(short, seed=0, examples=5)(only_positive)(all_positive).check()
    assert str(error.value) == (
        "every case of 5 came out as ?: a generated word has 3 letters, and the formula needs 4 to be safe; "
        "generate more batches or shorten the timeouts"
    )
    for_all_streams(short, examples=5, inconclusive="allow")(only_positive)(all_positive).check()


def test_a_word_shorter_than_the_safe_length_can_be_refused_before_it_is_run():
    ran = []
    subject = lambda stream: ran.append(stream) or stream  # noqa: E731
    short = prefixes.of_batches(batches.empty, min_size=2, max_size=5)
    with pytest.raises(WordTooShortError, match=r"has \d letters, and the formula needs 4 to be safe"):
        for_all_streams(short, inconclusive="error", examples=20)(subject)(all_positive).check()
    assert ran == []


def test_the_decorator_makes_a_test_function():
    @for_all_streams(some_numbers, examples=10, seed=1)(only_positive)
    def test_all_outputs_are_positive():
        """The outputs are positive."""
        return all_positive

    assert test_all_outputs_are_positive.__name__ == "test_all_outputs_are_positive"
    assert test_all_outputs_are_positive() is None


@for_all_streams(some_numbers, examples=10, seed=1)(only_positive)
def test_pytest_collects_and_passes_fixtures_to_a_decorated_function(tmp_path):
    assert tmp_path.exists()
    return all_positive


def test_several_named_inputs_and_outputs():
    pairs = batches.always(batches.of_n(1, st.tuples(st.just("k"), numbers)), 2)

    def subject(left, right):
        return {"both": left.join(right), "first": left}

    formula = always(at("both", has_size(1)) & at(("left", "first"), lambda a, b: sorted(a) == sorted(b))).during(2)
    report = for_all_streams({"left": pairs, "right": pairs}, examples=5)(subject)(formula).check()
    assert set(report.runs[0].steps[0].letter) == {"left", "right", "both", "first"}


def test_timestamps_and_timeouts_bound_by_a_letter():
    """Batches are a second apart; a timeout may be computed from the letter or the time."""
    prefix = prefixes.constant([[2], [], [9], []])
    waits = bind(lambda letter, time: later(at("output", contains(9))).on(letter.input[0] + time // 1000 - 1))
    times = bind(lambda _, time: now(lambda _, later_time: later_time == time + 1000))
    for_all_streams(prefix)(identity)(waits & times).check()


def test_a_formula_generates_the_streams():
    """Definition 2.6 as a generator: an odd batch leads to one with 0."""
    odd, zero = ((1,), (3,)), (0,)
    is_zero = Consume("x", "o", Equals(Variable("x"), Constant(zero)))
    word = prefixes.of_formula(Always(is_zero, 3), [*odd, zero])
    for_all_streams(word)(identity)(always(at("output", contains(0))).during(3)).check()


def test_a_generator_whose_formula_cannot_be_satisfied():
    is_two = Consume("x", "o", Equals(Variable("x"), Constant((2,))))
    word = prefixes.of_formula(is_two, [(0,), (1,)])
    with pytest.raises(UnsatisfiableFormulaError) as error:
        for_all_streams(word)(identity)(at("output", is_empty)).check()
    assert str(error.value) == (
        "no word can be generated from λx.x = (2,): every choice of batches among [(0,), (1,)] leads to a "
        "contradiction; widen the alphabet or weaken the formula"
    )
    never = prefixes.of_formula(is_two, batches.of_n(1, st.integers(5, 6)))
    with pytest.raises(UnsatisfiableFormulaError, match="leads to a contradiction"):
        for_all_streams(never)(identity)(at("output", is_empty)).check()


def test_a_subject_that_raises_is_a_failure_with_its_batch_and_input():
    property_ = for_all_streams(prefixes.constant([[3], [2]]))(lambda s: s.map(lambda n: 1 // (n - 2)))
    with pytest.raises(PropertyFailedError) as failed:
        property_(all_positive).check(seed=1)
    shown = """\
    1   3       1        □₃ [output each: n > 0]
    2   2       –        the subject raised

The subject raised in batch 2 on input = [2]: ZeroDivisionError: integer
division or modulo by zero.
"""
    assert shown in str(failed.value)


def test_a_formula_over_a_stream_that_is_not_there():
    with pytest.raises(UnknownStreamError) as error:
        for_all_streams(some_numbers)(identity)(at("ouput", is_empty)).check()
    assert str(error.value) == ("there is no stream 'ouput': the letter has 'input', 'output'; did you mean 'output'?")
    assert error.value.__notes__[0].startswith("raised while the formula was evaluated in batch 1")


def test_a_case_that_takes_too_long_is_stopped():
    import time

    slow = lambda stream: stream.map(lambda n: time.sleep(0.05) or n)  # noqa: E731
    full = batches.always(batches.of_n(1, numbers), 4)
    with pytest.raises(CaseTimedOutError, match=r"stopped in batch \d: it took longer than its deadline of 0.01 s"):
        for_all_streams(full, examples=1, deadline=0.01)(slow)(all_positive).check()


def test_bad_arguments_are_refused_with_what_is_expected():
    with pytest.raises(TypeError, match="needs a Hypothesis strategy for stream prefixes, not 3"):
        for_all_streams(3)  # type: ignore[arg-type]
    with pytest.raises(FormulaError, match="is called with the subject first"):
        for_all_streams(some_numbers)(all_positive)
    with pytest.raises(TypeError, match="a generator makes a sequence of batches, each a sequence of records"):
        for_all_streams(st.just("abc"))(identity)(all_positive).check()
    with pytest.raises(EngineUnavailableError, match="there is no engine 'flink': choose one of 'local'"):
        for_all_streams(some_numbers, engine="flink")(identity)(all_positive).check()
    with pytest.raises(ValueError, match="examples must be at least 1"):
        Settings(examples=0)
    with pytest.raises(ValueError, match='inconclusive is "count", "error" or "allow"'):
        Settings(inconclusive="no")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="a batch interval is a number of seconds"):
        LocalEngine(0)


@pytest.mark.parametrize(
    ("subject", "message"),
    [
        (lambda stream: None, "it returned None for output: return the output stream"),
        (lambda stream: {"n": stream, "sum": 5}, "it returned a value of type int for sum: return the output stream"),
        (lambda stream: {"input": stream}, "it names an output like an input: input"),
        (lambda stream: 1 // 0, "ZeroDivisionError"),
    ],
)
def test_a_subject_that_cannot_be_set_up_is_a_failure(subject, message):
    with pytest.raises(PropertyFailedError) as failed:
        for_all_streams(some_numbers, examples=2)(subject)(all_positive).check()
    assert message in " ".join(str(failed.value).split())


def test_equal_predicates_make_equal_formulas():
    assert at("output", is_empty) == at("output", is_empty)
    assert now(_asserts) == now(_asserts) != now(identity)


def _asserts(batch):
    assert batch is not None


def test_formulas_have_no_truth_value_and_phrases_need_a_timeout():
    with pytest.raises(FormulaError, match=r"combine formulas with &, \|, ~ and >>"):
        at("output", is_empty) and at("input", is_empty)
    with pytest.raises(FormulaError, match=r"always has no timeout yet: write always\(…\).on\(10\)"):
        at("output", is_empty) & always(at("input", is_empty))
    with pytest.raises(FormulaError, match="later needs a timeout of at least one batch, not 0"):
        later(at("output", is_empty)).on(0)
    for nothing in (at("output", _asserts), now(_asserts)):
        with pytest.raises(FormulaError, match="the predicate _asserts returned None: it must return whether it holds"):
            for_all_streams(some_numbers)(identity)(nothing).check()
    with pytest.raises(FormulaError, match="returned a formula: use bind for that"):
        for_all_streams(some_numbers)(identity)(at("output", lambda batch: all_positive)).check()


def test_a_failure_can_be_drawn_as_a_timeline(tmp_path):
    report = for_all_streams(some_numbers, seed=1)(identity)(all_positive).run()
    path = draw_timeline(report.failure, tmp_path / "case.png")
    assert path.read_bytes().startswith(b"\x89PNG")


def _drawn(run, tmp_path):
    """The texts of the picture, which an SVG file has as comments."""
    return re.findall(r"<!-- (.*?) -->", draw_timeline(run, tmp_path / "case.svg").read_text(encoding="utf-8"))


def test_a_timeline_shows_equal_records_once_and_the_batch_that_raised(tmp_path):
    property_ = for_all_streams(prefixes.constant([[3, 3, 4], [2]]), seed=1)(lambda s: s.map(lambda n: 1 // (n - 2)))
    run = property_(all_positive & next_(all_positive)).run(shrink_seconds=0).failure
    assert run.kind == "falsified"
    assert {"3×2", "4", "0", "1×2", "batch", "formula", "falsified"} <= set(_drawn(run, tmp_path))
    run = property_(~at("output", is_empty) & next_(at("output", is_empty))).run(shrink_seconds=0).failure
    assert run.kind == "raised"
    texts = _drawn(run, tmp_path)
    assert {"?", "raised", "2"} <= set(texts)
    assert texts.count("2") == 2, "the number of the batch, and its record"


def test_a_timeline_of_many_records_names_six_lines_at_most(tmp_path):
    property_ = for_all_streams(prefixes.constant([list(range(40, 60))]), seed=1)(identity)(at("output", is_empty))
    texts = _drawn(property_.run().failure, tmp_path)
    assert texts.count("15 more") == 2
    assert "45" not in texts
