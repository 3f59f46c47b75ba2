"""Properties proved for all streams, or violated by a shortest prefix, or neither with a reason."""

from __future__ import annotations

import operator

import pytest
from tallystick.streaming import (
    always,
    at,
    bind,
    contains,
    equal_as_bag,
    exists_record,
    for_all_streams,
    for_each_record,
    has_size,
    is_empty,
    later,
    next_,
    prefixes,
    streams_of,
    structured,
)
from tallystick.streaming.engines.local import LocalEngine
from tallystick.streaming.errors import FormulaError, NotProvedError, PropertyFailedError
from tallystick.streaming.examples import banned_users as example_1
from tallystick.streaming.examples import positive_numbers as example_3

add, sub = operator.add, operator.sub


def attempt(subject, streams, formula, **settings):
    chosen = {"prove": True, "prove_seconds": 120, "examples": 3, "inconclusive": "allow", **settings}
    return for_all_streams(streams, **chosen)(subject)(formula).run()


def holds(subject, streams, formula, **settings):
    report = attempt(subject, streams, formula, **settings)
    assert report.proof.verdict == "holds", str(report.proof)
    assert report.runs == []
    assert report.holds
    return report.proof


def violation(subject, streams, formula, **settings):
    """The shortest prefix that violates the formula, which was run again."""
    report = attempt(subject, streams, formula, **settings)
    assert report.proof.verdict == "violated", str(report.proof)
    assert "a shortest prefix" in report.proof.reason
    assert report.failure.failed
    assert len(report.failure.steps) == report.proof.case.length
    inputs = report.failure.case.inputs
    return inputs["input"] if set(inputs) == {"input"} else inputs


def unknown(subject, streams, formula, **settings):
    report = attempt(subject, streams, formula, **settings)
    assert report.proof.verdict == "unknown", str(report.proof)
    return report.proof.reason


# The paper's programs, with its timeouts

EVENTS = streams_of(tuple[int, bool])


def banned_from_then_on(head=10, tail=10, nested=5):
    """Example 1; what its generator says of the streams stands before the arrow."""
    good = at("input", for_each_record(lambda event: event[1]))
    bad = at("input", contains((15, False)))
    only_bad = at("input", for_each_record(lambda event: event[1] or event[0] == 15))
    nobody, banned = at("output", is_empty), at("output", contains(15))
    right = ((good & nobody).until(banned).on(head)) & always(bad >> always(banned).during(nested)).during(tail)
    return good.until(bad & only_bad).on(head) >> right


def test_example_1_holds_of_the_right_program_for_every_stream():
    proof = holds(example_1.banned_users, EVENTS, banned_from_then_on())
    assert proof.letters == 14
    assert proof.streams == ("input: tuple[int, bool]",)


@pytest.mark.parametrize(
    ("fault", "shortest"),
    [
        (example_1.stateless, (((15, False),), ())),
        (example_1.forgiving, (((15, False),), ((15, True),))),
        (example_1.window_too_short, (((15, False),), (), (), (), ())),
    ],
)
def test_example_1_is_violated_by_each_faulty_program(fault, shortest):
    assert violation(fault, EVENTS, banned_from_then_on()) == shortest


def test_example_3_is_about_numbers_above_zero():
    positive = always(at("output", for_each_record(lambda number: number > 0))).during(10)
    assert holds(example_3.positive_numbers, streams_of(int), positive).letters == 10
    assert violation(example_3.not_negative, streams_of(int), positive) == ((0,),)
    assert violation(example_3.absolute, streams_of(int), positive) == ((0,),)


def counted(width):
    """Examples 12, 13 and 18 count hashtags in a window; here these are numbers."""
    return lambda tags: tags.map(lambda tag: (tag, 1)).reduceByKeyAndWindow(add, sub, width, 1)


def never_forgetting(tags):
    return tags.map(lambda tag: (tag, 1)).updateStateByKey(lambda new, before: sum(new) + (before or 0))


def lost_state(tags):
    return tags.countByValue()


TAGS = streams_of(int)
TAG = at("input", contains(7))
each_is_counted = always(TAG >> at("output", exists_record(lambda pair: pair[0] == 7 and pair[1] > 0))).during(3)
none_is_zero = always(at("output", for_each_record(lambda pair: pair[1] > 0))).during(3)
three_times = at("output", exists_record(lambda pair: pair[0] == 7 and pair[1] >= 3))
counted_as_often_as_repeated = always(TAG).during(3) >> next_(three_times, 2)
forgotten = always(~TAG).during(3) >> next_(at("output", for_each_record(lambda pair: pair[0] != 7)), 2)
gone_after_a_window = TAG >> (always(~TAG).during(4) | next_(always(~TAG).during(3) >> next_(~three_times, 2)))


@pytest.mark.parametrize("subject", [counted(3), counted(4), never_forgetting, lost_state])
def test_example_13_each_hashtag_is_counted_and_none_has_zero(subject):
    holds(subject, TAGS, each_is_counted & none_is_zero)


def test_example_18_a_hashtag_that_comes_three_times_is_counted_three_times():
    for subject in (counted(3), never_forgetting):
        holds(subject, TAGS, counted_as_often_as_repeated)
    for fault in (counted(2), lost_state):
        assert violation(fault, TAGS, counted_as_often_as_repeated) == ((7,), (7,), (7,))


def test_example_16_a_hashtag_that_is_gone_for_a_window_is_forgotten():
    then_gone = next_(always(~TAG).during(3) >> next_(at("output", for_each_record(lambda pair: pair[0] != 7)), 2))
    holds(counted(3), TAGS, TAG >> then_gone)
    assert violation(counted(4), TAGS, TAG >> then_gone) == ((7,), (), (), ())
    assert violation(never_forgetting, TAGS, TAG >> then_gone) == ((7,), (), (), ())


# Programs of our own, right and faulty

PAYMENTS = streams_of(tuple[int, int])


def balances(payments):
    return payments.updateStateByKey(lambda new, before: sum(new) + (before or 0))


def balances_with_fee(payments):
    return payments.updateStateByKey(lambda new, before: sum(new) + (before or 0) - 1)


def test_balances_stay_at_least_zero_if_all_payments_are():
    paid_in = streams_of(tuple[int, int], lambda payment: payment[1] >= 0)
    not_negative = always(at("output", for_each_record(lambda pair: pair[1] >= 0))).during(3)
    proof = holds(balances, paid_in, not_negative)
    assert "payment[1] >= 0" in proof.streams[0]
    assert violation(balances_with_fee, paid_in, not_negative) == (((0, 0),),)
    all_paid_in = always(at("input", for_each_record(lambda payment: payment[1] >= 0))).during(3)
    holds(balances, PAYMENTS, all_paid_in >> not_negative)
    assert violation(balances, PAYMENTS, not_negative) == (((0, -1),),)


def largest_so_far(bids):
    return bids.updateStateByKey(lambda new, before: max(max(new), before or 0) if new else before)


def latest(bids):
    return bids.updateStateByKey(lambda new, before: max(new) if new else before)


def test_the_largest_bid_is_never_lost():
    bid = at("input", contains((1, 5)))
    kept = at("output", exists_record(lambda pair: pair[0] == 1 and pair[1] >= 5))
    formula = bid >> always(kept).during(3)
    holds(largest_so_far, PAYMENTS, formula)
    assert violation(latest, PAYMENTS, formula) == (((1, 5),), ((1, 0),))


def at_most_two(limit):
    """A quota: users with more than so many requests in a window are blocked."""
    return lambda requests: (
        requests.map(lambda user: (user, 1))
        .window(2)
        .reduceByKey(lambda a, b: a + b)
        .filter(lambda pair: pair[1] > limit)
        .map(lambda pair: pair[0])
    )


def test_a_quota_blocks_after_more_than_so_many_requests():
    twice = at("input", contains(4)) & next_(at("input", contains(4)))
    holds(at_most_two(1), TAGS, twice >> next_(at("output", contains(4))))
    assert violation(at_most_two(2), TAGS, twice >> next_(at("output", contains(4)))) == ((4,), (4,))
    lonely = at("input", equal_as_bag([4])) >> ~at("output", contains(4))
    holds(at_most_two(1), TAGS, lonely)
    assert violation(at_most_two(0), TAGS, lonely) == ((4,),)


def alarms(left, right):
    """Two inputs: a door is open from when it opens, on the left, until it closes, on the right."""
    opened = left.map(lambda door: (door, True))
    closed = right.map(lambda door: (door, False))
    states = opened.union(closed).updateStateByKey(lambda new, before: all(new) if new else before)
    return states.filter(lambda pair: pair[1]).map(lambda pair: pair[0])


def alarms_that_closing_does_not_end(left, right):
    opened = left.map(lambda door: (door, True))
    closed = right.map(lambda door: (door, False))
    states = opened.union(closed).updateStateByKey(lambda new, before: any(new) or bool(before))
    return states.filter(lambda pair: pair[1]).map(lambda pair: pair[0])


def test_a_door_that_was_closed_last_gives_no_alarm():
    both = {"left": TAGS, "right": TAGS}
    closed = at("right", contains(2)) >> ~at("output", contains(2))
    opens = at("left", equal_as_bag([2])) & at("right", is_empty)
    stays_open = opens >> (at("output", contains(2)) & next_(at("right", is_empty) >> at("output", contains(2))))
    holds(alarms, both, always(closed).during(3) & stays_open)
    wrong = violation(alarms_that_closing_does_not_end, both, always(closed).during(3))
    assert wrong == {"left": ((2,),), "right": ((2,),)}


def test_a_stateless_program_has_at_most_as_many_records():
    single = at("input", has_size(1)) >> at("output", has_size(1))
    holds(lambda s: s.map(lambda n: 3 * n - 1), TAGS, single)
    assert len(violation(lambda s: s.filter(lambda n: n % 2 == 0), TAGS, single)) == 1
    assert violation(lambda s: s.flatMap(lambda n: [n, n] if n > 0 else [n]), TAGS, single) == ((1,),)


# What the proof must not do

two_keys = has_size(2)


def test_there_are_no_more_keys_than_the_type_has():
    """With three different truth values to be found, everything would hold."""
    flags = streams_of(tuple[bool, int])
    assert violation(lambda s: s.reduceByKey(max), flags, ~at("output", two_keys))[0] in (
        ((False, 0), (True, 0)),
        ((True, 0), (False, 0)),
    )
    holds(lambda s: s.reduceByKey(max), flags, ~at("output", has_size(3)))
    assert len(violation(lambda s: s.reduceByKey(max), TAGS_AND_NUMBERS, ~at("output", has_size(3)))[0]) == 3


TAGS_AND_NUMBERS = streams_of(tuple[int, int])


def test_a_formula_that_nothing_violates_is_proved_and_one_that_is_false_at_once_violated():
    assert holds(lambda s: s, TAGS, at("input", is_empty) | ~at("input", is_empty)).keys == 0
    assert violation(lambda s: s, TAGS, at("input", is_empty) & ~at("input", is_empty)) == ((),)


def test_streams_without_any_record_are_streams():
    never = streams_of(int, lambda n: n != n)
    assert violation(lambda s: s, never, later(at("input", contains(1))).on(2)) == ((), ())


KNOWN = (
    "a constant; of numbers, proofs know integers: sums, multiples by constants, quotients and remainders by "
    "constants, and comparisons"
)


@pytest.mark.parametrize(
    ("subject", "reason"),
    [
        (lambda s: s.map(lambda n: n * n), f"the function n * n multiplies two values, neither of them {KNOWN}"),
        (lambda s: s.map(lambda n: 7 % n if n > 0 else 0), f"divides by a value that is no {KNOWN[2:]}"),
        (lambda s: s.map(lambda n: n / 2), "the function n / 2 makes fractions, as `/` and floats do; of numbers"),
        (lambda s: s.filter(lambda n: n > 0.5), "the function n > 0.5 makes fractions"),
        (lambda s: s.map(lambda n: len(str(n))), "the function len(str(n)) calls `str`; of numbers, proofs know"),
        (lambda s: s.map(lambda n: (n, n / 3)), "makes fractions"),
        (lambda s: s.filter(lambda n: n * n > 3), "the function n * n > 3 multiplies two values"),
        (lambda s: s.flatMap(lambda n: [n] if n * n else []), "multiplies two values"),
        (lambda s: s.map(lambda n: (n, 1)).updateStateByKey(lambda new, old: sum(new) * (old or 1)), "multiplies two"),
        (lambda s: s.map(lambda n: 1 if n * n >= 0 else 2), "multiplies two values"),
        (lambda s: s.map(lambda n: n**2), "the function n ** 2 multiplies two values"),
        (lambda s: s.map(lambda n: n**-1), "`**` is supported with exponents"),
        (lambda s: s.join(s), "the program uses the operation 'join' of a DStream"),
        (lambda s: s.window(4, 2), "a window that slides by more than a batch"),
        (lambda s: s.map(lambda n: (n, n)).reduceByKey(sub), "neither adds its arguments nor chooses one of them"),
        (lambda s: s.map(lambda n: (n, 1)).reduceByKeyAndWindow(max, min, 5, 1), "with an inverse does not add"),
        (
            lambda s: s.map(lambda n: (n, 1)).reduceByKeyAndWindow(add, min, 5, 1),
            "the inverse function min does not take away what add adds",
        ),
        (lambda s: s.map(lambda n: (n, 1)).updateStateByKey(lambda new, old: new[-1]), "can be indexed"),
        (lambda s: s.map(lambda n: (n, 1)).updateStateByKey(lambda new, old: max(new)), "may raise"),
        (lambda s: s.map(lambda n: (n, 1)).updateStateByKey(lambda new, old: max(new, default=0)), "may raise"),
        (
            lambda s: s.map(lambda n: (n, 1)).updateStateByKey(lambda new, old: len(set(new))),
            "`len` of what is made of",
        ),
        (
            lambda s: s.map(lambda n: (n, 1)).updateStateByKey(lambda new, old: sum(n * n for n in new)),
            "multiplies two",
        ),
        (lambda s: s.map(lambda n: (n, 1)).updateStateByKey(lambda new, old: new), "a group of values"),
        (lambda s: s.map(lambda n: (n, 1)).updateStateByKey(lambda new, old: (old, 1)), "ever larger types"),
        (
            lambda s: s.map(lambda n: (n, 1)).updateStateByKey(lambda new, old: 1, initialRDD=[(1, 2)]),
            "an initial state",
        ),
        (lambda s: s.map(lambda n: (n, 1)).union(s.map(lambda n: (n % 2, 1))).reduceByKey(add), "by two keys"),
        (lambda s: s.countByValue().map(lambda p: (p[1], p[0])).reduceByKey(max), "reduces what it has reduced"),
        (lambda s: s.filter(lambda n: n > 0).map(lambda n: n * n), "in the step `map` at test_proofs.py:"),
        (lambda s: s.reduceByKey(add), "applied to records that are no pairs"),
        (lambda s: [s.filter(lambda n: n > k) for k in (1, 2)].pop(), "made in a comprehension"),  # noqa: B023
        (lambda s: {"other": s}, "the stream 'output', which is not there"),
        (lambda s: 3, "it returned a value of type int for output: return the output stream"),
        (structured("n long")(lambda frame: frame), "proofs are about programs with DStreams"),
        (lambda s: s.nothing, "the program uses the operation 'nothing'"),
    ],
)
def test_what_is_not_understood_is_unknown_with_a_reason(subject, reason):
    from tallystick.streaming.proving.proving import prove

    proof = prove(subject, {"input": TAGS}, always(at("output", for_each_record(lambda n: True))).during(2))
    assert proof.verdict == "unknown"
    assert reason in " ".join(proof.reason.split())


def test_formulas_that_are_not_understood_are_unknown():
    opaque = at("output", lambda batch: len(batch) < 9, name="short")
    assert "[short], a predicate that is not one of this library" in unknown(lambda s: s, TAGS, opaque | ~opaque)
    both = at(("input", "output"), lambda given, made: True, name="both")
    assert "[both]" in unknown(lambda s: s, TAGS, both).replace("input, output ", "")
    bound = bind(lambda letter: at("output", is_empty) | True, needs=1, name="bound")
    assert "bound" in unknown(lambda s: s, TAGS, bound)
    assert "the record 'a' in the formula" in unknown(lambda s: s, TAGS, ~at("output", contains("a")))
    assert "the record True in the formula" in unknown(lambda s: s, TAGS, ~at("output", contains(True)))


def test_time_that_is_up_is_unknown():
    reason = unknown(example_1.banned_users, EVENTS, banned_from_then_on(), prove_seconds=0.2)
    assert "time was up; 0 of 1 ways in which the formula may be false are excluded, and this one is not: " in reason


limit = 3


def above(least):
    return lambda s: s.filter(lambda n: n >= least)


def shadowed():
    global limit
    limit = 3
    return lambda s: s.filter(lambda n: n >= limit)


def test_a_function_has_the_numbers_that_it_was_made_with():
    formula = always(at("output", for_each_record(lambda n: n >= 2))).during(2)
    holds(above(2), TAGS, formula)
    assert violation(above(1), TAGS, formula) == ((1,),)
    assert "of a function around this one" in unknown(shadowed(), TAGS, formula)


def test_lambdas_of_one_line_are_told_apart():
    smaller, larger = (lambda n: n < 2), (lambda n: n > 2)
    formula = at("output", for_each_record(lambda n: n > 2))
    holds(lambda s: s.filter(larger), TAGS, formula)
    assert violation(lambda s: s.filter(smaller), TAGS, formula) == ((0,),)


# Reports


def test_a_proof_is_said_with_what_it_is_about():
    report = for_all_streams(TAGS, prove=True)(above(0))(at("output", for_each_record(lambda n: n > -1))).check()
    first, *assumptions = str(report).splitlines()
    assert first.startswith("holds for every stream (input: int), proved in ")
    assert first.endswith("by refutation trees that the checker of certificates accepts")
    assert assumptions == [
        "  assuming the subject sets up the same streams each time it is called, on every engine",
        "  assuming the names that its functions use from around them keep their values",
    ]


def test_a_violation_is_an_ordinary_failure():
    with pytest.raises(PropertyFailedError) as failed:
        for_all_streams(TAGS, prove=True)(above(0))(at("output", for_each_record(lambda n: n > 0))).check()
    text = str(failed.value)
    assert "violated by a stream (input: int)" in text
    assert "* batch 1: [output each: n > 0] is false: output = [0]" in text
    assert "    case = [[0]]" in text


def test_who_asks_for_a_proof_and_gets_none_is_told():
    formula = at("output", for_each_record(lambda n: n >= 0))
    with pytest.raises(NotProvedError, match="not proved: the function n \\* n multiplies two values"):
        for_all_streams(TAGS, prove=True, examples=5)(lambda s: s.map(lambda n: n * n))(formula).check()
    with pytest.raises(PropertyFailedError):
        for_all_streams(TAGS, prove=True, seed=0)(lambda s: s.map(lambda n: n * n - 1))(formula).check()


def test_a_proof_needs_to_know_the_records():
    one = for_all_streams(prefixes.constant([[1]]), prove=True)
    with pytest.raises(FormulaError, match="generate with streams_of"):
        one(lambda s: s)(at("output", is_empty)).run()
    with pytest.raises(TypeError, match="not <class 'object'>"):
        streams_of(object)
    with pytest.raises(TypeError, match="for every input, or for none"):
        for_all_streams({"left": TAGS, "right": prefixes.constant([])})


def test_streams_of_a_type_are_drawn_without_a_proof_too(all_examples):
    report = for_all_streams(EVENTS, seed=1)(lambda s: s.filter(lambda e: e[1]))(
        always(at("output", for_each_record(lambda e: e[1]))).during(3)
    ).check()
    assert report.count("passed") == 100
    assert {run.case.length for run in report.runs} == {3}


def test_a_prefix_that_violates_nothing_on_the_engine_is_no_violation():
    class Forgetful(LocalEngine):
        def run(self, subject, cases, watch, deadline=None):
            return super().run(lambda s: s.filter(lambda n: False), cases, watch, deadline)

    reason = unknown(above(0), TAGS, at("output", for_each_record(lambda n: n > 0)), engine=Forgetful())
    assert reason.startswith("the prefix that was found violates nothing on local: {'input': ((")


@pytest.mark.spark
def test_a_violation_is_run_again_on_spark(dstream_engine):
    formula = always(at("output", for_each_record(lambda n: n > 0))).during(2)
    report = attempt(above(0), TAGS, formula, engine=dstream_engine)
    assert report.proof.verdict == "violated"
    assert report.failure.case.inputs["input"] == ((0,),)
    assert report.engine == "dstream"


def test_a_proof_about_streams_without_records_says_that_they_have_none():
    """Whatever is said of each record holds."""
    never = streams_of(int, lambda n: n > 3 and n < 2)
    small = always(at("output", for_each_record(lambda n: n < 0))).during(2)
    report = for_all_streams(never, prove=True)(lambda stream: stream.map(lambda n: n))(small).check()
    assert report.proof.verdict == "holds"
    assert "; no record of input is possible, so that all its batches are empty" in str(report)
