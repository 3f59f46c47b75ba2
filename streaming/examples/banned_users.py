"""Example 1: the ids of users who have been malicious now or before, from a stream of (user, honest)
pairs."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st
from tallystick.streaming import always, at, batches, contains, for_each_record, is_empty, prefixes
from tallystick.streaming.examples.example import Example

BATCH_SIZE = 20
BAD_ID = 15
HEAD, TAIL, NESTED = 10, 10, 5


def banned_users(activity: Any) -> Any:
    """The right program: it remembers who has been malicious."""
    malicious = activity.map(lambda record: (record[0], not record[1]))
    remembered = malicious.updateStateByKey(lambda new, before: any(new) or bool(before))
    return remembered.filter(lambda pair: pair[1]).map(lambda pair: pair[0])


def stateless(activity: Any) -> Any:
    """The paper's faulty program: it bans for one batch only."""
    return activity.filter(lambda record: not record[1]).map(lambda record: record[0])


def forgiving(activity: Any) -> Any:
    """A fault: a user who is honest again is no longer banned."""
    malicious = activity.map(lambda record: (record[0], not record[1]))
    latest = malicious.updateStateByKey(lambda new, before: any(new) if new else bool(before))
    return latest.filter(lambda pair: pair[1]).map(lambda pair: pair[0])


def window_too_short(activity: Any) -> Any:
    """A fault: the ban ends one batch before the property stops looking."""
    recent = activity.window(NESTED - 1)
    return recent.filter(lambda record: not record[1]).map(lambda record: record[0])


def example_1() -> Example:
    """Honest batches until a bad one, then any; the bad id is banned when it appears and stays banned."""
    good_batch = batches.of_n(BATCH_SIZE, st.tuples(st.integers(1, 50), st.just(True)))
    bad_batch = batches.union(good_batch, batches.of_n(1, st.just((BAD_ID, False))))
    generator = prefixes.concatenate(
        batches.until(good_batch, bad_batch, HEAD), batches.always(st.one_of(good_batch, bad_batch), TAIL)
    )
    all_good = at("input", for_each_record(lambda record: record[1]))
    bad_input = at("input", contains((BAD_ID, False)))
    nobody_banned = at("output", is_empty)
    bad_id_banned = at("output", contains(BAD_ID))
    formula = ((all_good & nobody_banned).until(bad_id_banned).on(HEAD)) & always(
        bad_input >> always(bad_id_banned).during(NESTED)
    ).during(TAIL)
    faults = {"stateless": stateless, "forgiving": forgiving, "window too short": window_too_short}
    return Example("bannedUsers", "Example 1", generator, banned_users, formula, faults, cases=20)
