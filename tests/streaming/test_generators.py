"""Generators: what each one makes, that it satisfies its formula, and how it shrinks."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import find, given, settings
from hypothesis import strategies as st
from sampling import examples
from tallystick.streaming import at, batches, contains, prefixes
from tallystick.streaming.letters import Letter
from tallystick.streaming.logic.formulas import Always, Eventually, Release, Until
from tallystick.streaming.logic.judgement import judge
from tallystick.streaming.logic.truth import Truth
from tallystick.streaming.restarts import CRASH, RESTARTS, with_restarts

A, B = batches.of_n(1, st.just("a")), batches.of_n(1, st.just("b"))
HAS_A, HAS_B = at("input", contains("a")), at("input", contains("b"))
TWO_A = batches.always(A, 2)
few = settings(max_examples=examples(25), deadline=None)


def word(prefix):
    return tuple((Letter({"input": batch}), k) for k, batch in enumerate(prefix, 1))


@pytest.mark.parametrize(
    ("generator", "formula"),
    [
        (batches.always(A, 4), Always(HAS_A, 4)),
        (batches.eventually(A, 4), Eventually(HAS_A, 4)),
        (batches.until(A, B, 4), Until(HAS_A, HAS_B, 4)),
        (batches.release(A, B, 4), Release(HAS_A, HAS_B, 4)),
        (prefixes.always(batches.eventually(A, 3), 3), Always(Eventually(HAS_A, 3), 3)),
        (
            prefixes.until(batches.always(A, 2), batches.always(B, 2), 3),
            Until(Always(HAS_A, 2), Always(HAS_B, 2), 3),
        ),
        (
            prefixes.superpose(batches.always(A, 3), batches.eventually(B, 3)),
            Always(HAS_A, 3) & Eventually(HAS_B, 3),
        ),
    ],
    ids=str,
)
@few
@given(st.data())
def test_a_temporal_generator_makes_words_of_its_formula(generator, formula, data):
    assert judge(word(data.draw(generator)), formula) is Truth.TRUE


def smallest(generator, wanted=lambda prefix: True):
    return find(generator, wanted, settings=settings(database=None, max_examples=2000))


def test_temporal_generators_shrink_to_the_earliest_event():
    assert smallest(batches.eventually(A, 9)) == (("a",),)
    assert smallest(batches.until(A, B, 9)) == (("b",),)
    assert smallest(batches.release(A, B, 9)) == (("b", "a"),)
    assert smallest(batches.eventually(A, 9), lambda prefix: len(prefix) > 3) == ((), (), (), ("a",))


def test_batches_shrink_to_the_fewest_and_simplest_records():
    prefix = prefixes.of_batches(batches.of_n_to_m(0, 9, st.integers(0, 99)), max_size=9)
    assert smallest(prefix, lambda batches: sum(map(sum, batches)) > 120) in (((22, 99),), ((99, 22),))


def test_until_and_release_reach_their_whole_range():
    lengths = {
        len(prefix) for k in range(1, 5) for prefix in [smallest(batches.until(A, B, 4), lambda p, k=k: len(p) == k)]
    }
    assert lengths == {1, 2, 3, 4}
    assert smallest(batches.release(A, B, 3), lambda p: all(batch == ("b",) for batch in p)) == (("b",),) * 3


def test_combinators_in_time_and_batch_by_batch():
    one, two = prefixes.constant([[1], [2]]), prefixes.constant([[3]])
    assert smallest(prefixes.concatenate(one, two)) == ((1,), (2,), (3,))
    assert smallest(prefixes.superpose(one, two)) == ((1, 3), (2,))
    assert smallest(prefixes.repeat(two, 3)) == ((3,),) * 3
    assert smallest(prefixes.next(two, 2)) == ((), (), (3,))
    assert smallest(prefixes.always(one, 2)) == ((1,), (2, 1), (2,))
    assert smallest(prefixes.map_records(one, str)) == (("1",), ("2",))
    assert smallest(prefixes.map_batches(one, lambda batch: batch * 2)) == ((1, 1), (2, 2))
    assert smallest(batches.single(batches.union(A, B))) == (("a", "b"),)
    assert smallest(batches.next(A)) == ((), ("a",))


def test_sizes_are_exact_or_in_range():
    assert len(smallest(batches.of_n(7, st.booleans()))) == 7
    sizes = {len(smallest(batches.of_n_to_m(2, 4, st.booleans()), lambda b, n=n: len(b) == n)) for n in (2, 3, 4)}
    assert sizes == {2, 3, 4}


def test_a_timeout_of_zero_is_refused():
    with pytest.raises(ValueError, match="a temporal generator needs a timeout of at least one batch, not 0"):
        batches.always(A, 0)


@pytest.mark.slow
def test_a_restart_shrinks_together_with_the_records_of_its_instant():
    """Were each drawn for its instant, a crash and its record could move to an earlier one only both at once."""
    cases = with_restarts(batches.always(batches.of_n_to_m(0, 3, st.integers(0, 9)), 3))

    def fails(case):
        return any(batch and CRASH in events for batch, events in zip(case["input"], case[RESTARTS], strict=True))

    enough = settings(max_examples=1000, database=None)
    for seed in range(60):
        smallest = find(cases, fails, settings=enough, random=Random(seed))
        assert smallest == {"input": ((0,), (), ()), RESTARTS: ((CRASH,), (), ())}
