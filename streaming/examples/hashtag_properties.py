"""Examples 10 to 18: the paper's properties of the hashtag programs, with its sizes and timeouts."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

from hypothesis import strategies as st
from tallystick.streaming import (
    always,
    at,
    batches,
    bind,
    contains,
    equal_as_set,
    for_each_record,
    has_size,
    later,
    next_,
    prefixes,
)
from tallystick.streaming.examples import hashtags as programs
from tallystick.streaming.examples.example import Example
from tallystick.streaming.examples.tweets import (
    hashtags,
    tweets,
    tweets_with,
    tweets_with_hashtags_of_max_length,
    with_hashtag,
)
from tallystick.streaming.letters import Batch
from tallystick.streaming.logic.formulas import Formula

MAX_LENGTH = 8


def example_10() -> Example:
    """getHashtagsOk: tweets with known hashtags give some of these hashtags, and nothing else."""
    possible = ("#spark", "#scala", "#scalacheck")
    generator = batches.always(batches.of_n_to_m(5, 10, tweets_with(possible)), 5)
    formula = always(
        at("output", lambda found: len(found) > 0, name="output is not empty")
        & at("output", for_each_record(lambda hashtag: hashtag in possible))
    ).during(5)
    faults = {"all words": programs.all_words, "without #": programs.without_hash_sign}
    return Example("getHashtagsOk", "Example 10", generator, programs.get_hashtags, formula, faults, 10, 46)


def example_11() -> Example:
    """getHashtagsReferenceImplementationOk: the output is what a regular expression finds."""
    formula = always(
        at(
            ("input", "output"),
            lambda texts, found: set(found) == set(expected_hashtags(texts)),
            "as by regex",
        )
    ).during(5)
    faults = {"not in first place": programs.not_in_first_place, "all words": programs.all_words}
    return Example("getHashtagsReference", "Example 11", _any_tweets(5), programs.get_hashtags, formula, faults)


def example_12() -> Example:
    """countHashtagsOk: #spark comes to its count and stays, then goes down to zero; #scala comes to its
    count."""
    window = 3
    spark_batches, scala_batches = window * 4, window * 2
    spark_size, scala_size = 2, 1
    generator = prefixes.concatenate(
        batches.always(batches.of_n(spark_size, tweets_with(["#spark"])), spark_batches),
        batches.always(batches.of_n(scala_size, tweets_with(["#scala"])), scala_batches),
    )

    def sparks(batches_in_window: int) -> Formula:
        return at("output", contains(("#spark", spark_size * batches_in_window)))

    scalas = at("output", contains(("#scala", scala_size * window)))
    all_spark = later(always(sparks(window)).during(spark_batches - 2)).on(window + 1)
    some_scala = later(scalas).on(spark_batches + window + 1)
    going_down = sparks(window - 1) & next_(sparks(window - 2)) & next_(sparks(window - 3), 2)
    down_to_zero = later(sparks(window).until(going_down).on(spark_batches - 2)).on(window + 1)
    formula = all_spark & some_scala & down_to_zero
    faults = {
        "window too wide": programs.window_too_wide(window),
        "window too narrow": programs.window_too_narrow(window),
        "lost state": programs.lost_state(window),
        "never forgetting": programs.never_forgetting(window),
    }
    subject = programs.count_hashtags(window)
    return Example("countHashtagsOk", "Example 12", generator, subject, formula, faults, 15, 142)


def example_13() -> Example:
    """hashtagsAreAlwaysCounted: each hashtag of a batch has a count in that batch, and none is zero."""
    window = 3
    length = window * 6

    def counted(texts: Batch, counts: Batch) -> bool:
        expected = set(expected_hashtags(texts))
        found = {hashtag: count for hashtag, count in counts if hashtag in expected}
        return set(found) == expected and all(count > 0 for count in found.values())

    formula = always(at(("input", "output"), counted, name="all hashtags counted")).during(length)
    faults = {
        "one batch late": programs.one_batch_late(window),
        "once does not count": programs.once_does_not_count(window),
    }
    subject = programs.count_hashtags(window)
    return Example("hashtagsAreAlwaysCounted", "Example 13", _any_tweets(length), subject, formula, faults)


def example_14() -> Example:
    """sparkTopUntilScalaTop: #spark is on top until #scala is."""
    noise = batches.of_n(2, tweets_with(["#scalacheck"]))
    spark_popular = batches.union(batches.of_n(5, tweets_with(["#spark"])), noise)
    scala_popular = batches.union(batches.of_n(7, tweets_with(["#scala"])), noise)
    generator = batches.until(spark_popular, scala_popular, 6)
    spark_top = at("output", for_each_record(lambda hashtag: hashtag == "#spark"))
    scala_top = at("output", for_each_record(lambda hashtag: hashtag == "#scala"))
    faults = {
        "least popular": programs.least_popular(1),
        "top of all time": programs.top_of_all_time(1),
        "every hashtag": programs.every_hashtag(1),
    }
    formula = spark_top.until(scala_top).on(6)
    subject = programs.get_top_hashtag(1)
    return Example("sparkTopUntilScalaTop", "Example 14", generator, subject, formula, faults, 15, 56)


def example_15() -> Example:
    """alwaysOnlyOneTopHashtag: there is exactly one top hashtag in each batch."""
    formula = always(at("output", has_size(1))).during(5)
    faults = {"every hashtag": programs.every_hashtag(2), "nothing on a tie": programs.nothing_on_a_tie(2)}
    subject = programs.get_top_hashtag(2)
    return Example("alwaysOnlyOneTopHashtag", "Example 15", _any_tweets(5), subject, formula, faults, 10, 45)


def example_16(fresh: bool = True) -> Example:
    """alwaysEventuallyZeroCount: the hashtags of each batch get to a count of zero, or to none.

    With `fresh`, no hashtag comes back in a later batch. Without it, as the paper has it, the property is
    false for a hashtag that comes in every batch: see ERRATA.md, item 16.
    """
    window = 4
    length = window * 4
    few_hashtags = st.lists(hashtags(MAX_LENGTH), min_size=6, max_size=6)
    batch = few_hashtags.flatmap(lambda few: batches.of_n_to_m(5, 10, with_hashtag(tweets(), st.sampled_from(few))))
    tagged = batches.always(batch, length)
    if fresh:
        tagged = tagged.map(lambda prefix: tuple(map(_numbered, prefix, range(1, length + 1))))
    generator = prefixes.concatenate(tagged, batches.always(batches.empty, window * 2))

    def comes_to_zero(letter: Any) -> Formula:
        seen = set(expected_hashtags(letter.input))
        gone = for_each_record(lambda pair: pair[1] == 0 or pair[0] not in seen)
        return later(at("output", gone, name=f"none of {_few(seen)}")).on(window * 3)

    formula = always(bind(comes_to_zero, needs=window * 3, name="later zero")).during(length)
    faults = {
        "never forgetting": programs.never_forgetting(window),
        "only when seen": programs.only_when_seen(window),
    }
    subject = programs.count_hashtags(window)
    return Example("alwaysEventuallyZeroCount", "Example 16", generator, subject, formula, faults, 15, 187)


def example_17(noise: tuple[int, int] = (5, 9)) -> Example:
    """alwaysPeakImpliesEventuallyTop: a hashtag that suddenly has 20 tweets in a batch is on top later.

    With the paper's noise, (5, 10), two batches of noise can tie with a peak: see ERRATA.md, item 15.
    """
    window, peak_size = 2, 20
    sides = window * 2
    length = sides + 1 + sides
    noise_batches = batches.always(batches.of_n_to_m(*noise, tweets_with_hashtags_of_max_length(MAX_LENGTH)), length)
    peak = hashtags(MAX_LENGTH).flatmap(lambda hashtag: batches.of_n(peak_size, tweets_with([hashtag])))
    spike = batches.next(peak, sides)
    generator = prefixes.repeat(prefixes.superpose(noise_batches, spike), 6)

    def peak_leads_to_top(letter: Any) -> Formula | bool:
        counts = Counter(expected_hashtags(letter.input))
        peaks = {hashtag for hashtag, count in counts.items() if count >= peak_size}
        return later(at("output", equal_as_set(peaks))).on(length) if peaks else True

    formula = always(bind(peak_leads_to_top, needs=length, name="peak leads to top")).during(length * 3)
    faults = {
        "least popular": programs.least_popular(window),
        "first by name": programs.first_by_name(window),
    }
    subject = programs.get_top_hashtag(window)
    return Example("alwaysPeakImpliesEventuallyTop", "Example 17", generator, subject, formula, faults, 15, 303)


def example_18(repetitions: int) -> Example:
    """forallNumRepetitionsLaterCountNumRepetitions: a batch that comes n times is counted n times.

    The paper quantifies over n in 1 … 5 at random; here n is a parameter. For n = 1 the formula asks only that the
    count is not 0 when there is one, so that only other faults than for n > 1 can be found.
    """
    window = 5
    stream = _any_tweets(window * 6)
    generator = stream.flatmap(lambda prefix: prefixes.always(prefixes.constant(prefix), repetitions))

    def counted(letter: Any) -> Formula:
        first = set(expected_hashtags(letter.input))
        enough = for_each_record(lambda pair: pair[1] >= repetitions or pair[0] not in first)
        named = at("output", enough, name=f"{_few(first)} at least {repetitions} times")
        return next_(named, max(repetitions - 2, 0))

    formula = bind(counted, needs=max(repetitions - 1, 1), name="counted as often as repeated")
    faults = (
        {"lost state": programs.lost_state(window), "one batch late": programs.one_batch_late(window)}
        if repetitions > 1
        else {
            "window of one batch": programs.count_hashtags(1),
            "first does not count": programs.first_does_not_count(window),
        }
    )
    subject = programs.count_hashtags(window)
    return Example(f"countNumRepetitions[{repetitions}]", "Example 18", generator, subject, formula, faults)


def expected_hashtags(texts: Batch) -> list[str]:
    """The reference implementation: hashtags by a regular expression."""
    return [hashtag for text in texts for hashtag in re.findall(r"#\S+", text)]


def _any_tweets(length: int) -> prefixes.Prefixes:
    return batches.always(batches.of_n_to_m(5, 10, tweets_with_hashtags_of_max_length(MAX_LENGTH)), length)


def _numbered(batch: Batch, number: int) -> Batch:
    """Return the tweets with the batch number added to each hashtag, which stands last."""
    return tuple(f"{text}{number}" for text in batch)


def _few(names: set[str]) -> str:
    shown = sorted(names)
    return ", ".join(shown[:3]) + (" …" if len(shown) > 3 else "")
