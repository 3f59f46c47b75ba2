"""Proofs about texts and values that may be None, comprehensions, inverse functions, and several keys."""

from __future__ import annotations

import operator
from datetime import date
from typing import Optional

import pytest
from tallystick.core.answers import Invalid, Valid
from tallystick.core.terms import apply_function, constant, disjunction, equal, implies, less_equal, negation, variable
from tallystick.core.types import INT, TEXT
from tallystick.streaming import (
    always,
    at,
    contains,
    equal_as_bag,
    exists_record,
    for_each_record,
    is_empty,
    next_,
    streams_of,
)
from tallystick.streaming.proving.texts import answer

from .test_proofs import holds, unknown, violation

add, sub = operator.add, operator.sub
WORDS = streams_of(str)
EVENTS = streams_of(tuple[str, bool])
SOLD = streams_of(tuple[str, Optional[int]])  # noqa: UP045
PAIRS = streams_of(tuple[int, int])
x, y = variable("x", TEXT), variable("y", TEXT)


@pytest.mark.parametrize(
    ("formula", "is_valid"),
    [
        (less_equal(constant(""), x), True),
        (disjunction(less_equal(x, y), less_equal(y, x)), True),
        (implies(equal(x, constant("a")), less_equal(x, constant("b"))), True),
        (implies(less_equal(constant("a"), x), less_equal(constant("b"), x)), False),
        (negation(equal(x, constant("a"))), False),
        (equal(x, y), False),
        (implies(equal(x, y), equal(*(apply_function("len", INT, each) for each in (x, y)))), True),
        (less_equal(constant(0), apply_function("len", INT, x)), True),
        (equal(apply_function("len", INT, x), constant(3)), False),
    ],
    ids=str,
)
def test_texts_are_ordered_and_functions_give_the_same_for_the_same(formula, is_valid):
    assert isinstance(answer(formula), Valid if is_valid else Invalid)


def test_a_program_over_texts_holds_or_is_violated():
    named = always(at("output", for_each_record(lambda word: word != ""))).during(3)
    holds(lambda s: s.filter(lambda word: word != ""), WORDS, named)
    assert violation(lambda s: s.filter(lambda word: word != "a"), WORDS, named) == (("",),)
    tags = always(at("output", for_each_record(lambda word: word.startswith("#")))).during(3)
    holds(lambda s: s.filter(lambda word: word.startswith("#")), WORDS, tags)
    after_b = always(at("output", for_each_record(lambda word: word >= "b"))).during(2)
    assert violation(lambda s: s.filter(lambda word: word > "a"), WORDS, after_b) == (("aa",),)


def test_a_user_with_a_name_stays_banned():
    def banned(events):
        cheated = events.map(lambda event: (event[0], not event[1]))
        state = cheated.updateStateByKey(lambda new, before: any(new) or bool(before))
        return state.filter(lambda pair: pair[1]).map(lambda pair: pair[0])

    bob = at("input", contains(("bob", False))) >> always(at("output", contains("bob"))).during(3)
    holds(banned, EVENTS, always(bob).during(2))
    forgetful = lambda s: s.filter(lambda event: not event[1]).map(lambda event: event[0])  # noqa: E731
    assert violation(forgetful, EVENTS, always(bob).during(2)) == ((("bob", False),), ())


def test_what_may_be_none_is_read_as_such():
    some = always(at("output", for_each_record(lambda pair: pair[1] is not None))).during(2)
    holds(lambda s: s.filter(lambda pair: pair[1] is not None), SOLD, some)
    assert violation(lambda s: s, SOLD, some) == ((("", None),),)
    kept = always(at("input", contains(("a", None))) >> at("output", contains(None))).during(2)
    holds(lambda s: s.map(lambda pair: pair[1]), SOLD, kept)
    no_loss = always(at("output", for_each_record(lambda pair: pair[1] >= 0))).during(2)
    gains = streams_of(tuple[str, int | None], lambda pair: pair[1] is None or pair[1] >= 0)
    holds(lambda s: s.mapValues(lambda paid: paid or 0).reduceByKey(add), gains, no_loss)
    assert violation(lambda s: s.mapValues(lambda paid: paid or 0).reduceByKey(add), SOLD, no_loss) == ((("", -1),),)


def test_a_function_of_texts_that_is_not_known_may_leave_it_open():
    ends = at("output", for_each_record(lambda word: word.endswith("#")))
    reason = unknown(lambda s: s.filter(lambda word: word.startswith("#")), WORDS, ends)
    assert "violates nothing on local" in reason
    assert "records of <class 'datetime.date'>" in unknown(lambda s: s, streams_of(date), ends)


def test_comprehensions_over_new_values():
    five = at("input", contains((1, 5)))
    seen = always(five >> always(at("output", contains((1, True)))).during(2)).during(2)
    ever = lambda s: s.updateStateByKey(lambda new, before: any(v > 3 for v in new) or bool(before))  # noqa: E731
    now = lambda s: s.updateStateByKey(lambda new, before: any(v > 3 for v in new))  # noqa: E731
    holds(ever, PAIRS, seen)
    assert violation(now, PAIRS, seen) == (((1, 5),), ())
    never = always(at("output", for_each_record(lambda pair: pair[1] >= 0))).during(3)
    holds(lambda s: s.updateStateByKey(lambda new, b: sum(2 * v for v in new if v > 0) + (b or 0)), PAIRS, never)
    wrong = lambda s: s.updateStateByKey(lambda new, b: sum(2 * v for v in new if v > -2) + (b or 0))  # noqa: E731
    assert violation(wrong, PAIRS, never) == (((0, -1),),)
    every = always(at("input", contains((1, 2))) >> at("output", contains((1, False)))).during(2)
    holds(lambda s: s.updateStateByKey(lambda new, before: all(v > 3 for v in new)), PAIRS, every)


def test_windows_with_inverse_functions_keep_keys_of_which_nothing_is_left():
    def counted(keep=None):
        return lambda s: s.mapValues(lambda v: 1).reduceByKeyAndWindow(add, sub, 5, 1, filterFunc=keep)

    one_and_no_more = contains_only((1, 1)) & next_(always(at("input", is_empty)).during(5))
    holds(counted(), PAIRS, one_and_no_more >> next_(at("output", equal_as_bag([(1, 0)])), 5))
    gone = one_and_no_more >> next_(at("output", is_empty), 5)
    assert violation(counted(), PAIRS, gone) == (((1, 1),), (), (), (), (), ())
    holds(counted(lambda pair: pair[1] > 0), PAIRS, gone)


def contains_only(record):
    return at("input", equal_as_bag([record]))


def test_two_states_by_two_keys_are_looked_at_each_by_itself():
    events = streams_of(tuple[str, str, bool])

    def by_user_and_by_page(stream):
        return {
            "users": stream.map(lambda e: (e[0], e[2])).updateStateByKey(lambda new, b: any(new) or bool(b)),
            "pages": stream.map(lambda e: (e[1], e[2])).updateStateByKey(lambda new, b: any(new) or bool(b)),
        }

    seen = at("users", contains(("ann", True))) & at("pages", contains(("home", True)))
    stays = always(at("input", contains(("ann", "home", True))) >> always(seen).during(2)).during(2)
    holds(by_user_and_by_page, events, stays)
    wrong = at("input", contains(("ann", "home", True))) >> at("pages", contains(("ann", True)))
    assert violation(by_user_and_by_page, events, wrong) == ((("ann", "home", True),),)
    both = ~exists_there("users") | ~exists_there("pages")
    assert "by two keys" in unknown(by_user_and_by_page, events, both)


def exists_there(stream):
    return at(stream, exists_record(lambda pair: pair[1]))


def test_a_state_by_a_pair_of_keys():
    events = streams_of(tuple[int, int, bool])
    state = lambda s: s.map(lambda e: ((e[0], e[1]), e[2])).updateStateByKey(lambda new, b: any(new) or bool(b))  # noqa: E731
    stays = at("input", contains((1, 2, True))) >> always(at("output", contains(((1, 2), True)))).during(3)
    holds(state, events, stays)
