"""The programs of the AMP Camp tutorial on streams of tweets (Appendix D), and faulty variants of each.

Batches are one second long, so a window of n batches is one of n seconds.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from operator import add
from typing import Any

Subject = Callable[[Any], Any]


def get_hashtags(tweets: Any) -> Any:
    """The hashtags of the tweets: their words that start with #."""
    return tweets.flatMap(lambda text: text.split()).filter(lambda word: word.startswith("#"))


def all_words(tweets: Any) -> Any:
    """A fault: nothing is filtered."""
    return tweets.flatMap(lambda text: text.split())


def without_hash_sign(tweets: Any) -> Any:
    """A fault: the sign is cut off."""
    return get_hashtags(tweets).map(lambda hashtag: hashtag[1:])


def not_in_first_place(tweets: Any) -> Any:
    """A fault: a hashtag is not seen if the tweet starts with it."""
    return get_hashtags(tweets.map(lambda text: text.partition(" ")[2]))


def count_hashtags(window_size: int) -> Subject:
    """How often each hashtag occurs in the last `window_size` batches.

    The window is one batch wider than what is counted, so that a hashtag that has just left is reported
    once more, with 0. Batches are small, so a window is put into one partition.
    """

    def dated(time: datetime, hashtags: Any) -> Any:
        instant = time.timestamp()
        return hashtags.map(lambda hashtag: (hashtag, instant))

    def counted(time: datetime, window: Any) -> Any:
        start = time.timestamp() - window_size
        return window.coalesce(1).map(lambda pair: (pair[0], int(pair[1] > start))).reduceByKey(add)

    return lambda tweets: get_hashtags(tweets).transform(dated).window(window_size + 1).transform(counted)


def window_too_wide(window_size: int) -> Subject:
    """A fault: off by one."""
    return count_hashtags(window_size + 1)


def window_too_narrow(window_size: int) -> Subject:
    """A fault: off by one."""
    return count_hashtags(window_size - 1)


def lost_state(window_size: int) -> Subject:
    """A fault: each batch is counted by itself."""
    return lambda tweets: get_hashtags(tweets).countByValue()


def never_forgetting(window_size: int) -> Subject:
    """A fault: counts only grow."""
    return _counting(lambda new, before: (len(new) + sum(before or ()),))


def only_when_seen(window_size: int) -> Subject:
    """A fault: the counts of a hashtag change only in batches that have it."""

    def remember(new: list[int], before: tuple[int, ...] | None) -> tuple[int, ...] | None:
        return (*(before or ()), len(new))[-window_size:] if new else before

    return _counting(remember)


def one_batch_late(window_size: int) -> Subject:
    """A fault: the batch that has just come is left out."""
    exact = count_hashtags(window_size)

    def late(tweets: Any) -> Any:
        before = tweets.map(lambda text: (text, 1)).window(2).union(tweets.map(lambda text: (text, -1)))
        left = before.reduceByKey(add).flatMap(lambda pair: [pair[0]] * pair[1])
        return exact(left)

    return late


def once_does_not_count(window_size: int) -> Subject:
    """A fault: hashtags that occur once are left out."""
    return lambda tweets: count_hashtags(window_size)(tweets).filter(lambda pair: pair[1] != 1)


def first_does_not_count(window_size: int) -> Subject:
    """A fault: only the repetitions of a hashtag are counted."""
    return lambda tweets: count_hashtags(window_size)(tweets).mapValues(lambda count: max(count - 1, 0))


def get_top_hashtag(window_size: int) -> Subject:
    """The hashtag that occurs most often in the last `window_size` batches; of several, the last by name."""
    return _best_of(window_size, lambda a, b: max(a, b, key=lambda pair: (pair[1], pair[0])))


def least_popular(window_size: int) -> Subject:
    """A fault: the order is the wrong way round."""
    return _best_of(window_size, lambda a, b: min(a, b, key=lambda pair: (pair[1], pair[0])))


def first_by_name(window_size: int) -> Subject:
    """A fault: pairs are compared, and they start with the name."""
    return _best_of(window_size, min)


def top_of_all_time(window_size: int) -> Subject:
    """A fault: the window never ends."""

    def top(tweets: Any) -> Any:
        counts = (
            get_hashtags(tweets)
            .map(lambda hashtag: (hashtag, 1))
            .updateStateByKey(lambda new, before: len(new) + (before or 0))
        )
        best = counts.reduce(lambda a, b: max(a, b, key=lambda pair: (pair[1], pair[0])))
        return best.map(lambda pair: pair[0])

    return top


def every_hashtag(window_size: int) -> Subject:
    """A fault: no maximum is taken."""
    return lambda tweets: get_hashtags(tweets).window(window_size).countByValue().map(lambda pair: pair[0])


def nothing_on_a_tie(window_size: int) -> Subject:
    """A fault: no hashtag is the top one if two are."""

    def top(tweets: Any) -> Any:
        counts = get_hashtags(tweets).window(window_size).countByValue()
        grouped = counts.map(lambda pair: (pair[1], [pair[0]])).reduceByKey(add)
        return grouped.reduce(max).flatMap(lambda pair: pair[1] if len(pair[1]) == 1 else [])

    return top


def _counting(remember: Callable[..., Any]) -> Subject:
    def count(tweets: Any) -> Any:
        counts = get_hashtags(tweets).map(lambda hashtag: (hashtag, 1)).updateStateByKey(remember)
        return counts.mapValues(sum)

    return count


def _best_of(window_size: int, better: Callable[[Any, Any], Any]) -> Subject:
    def top(tweets: Any) -> Any:
        counts = get_hashtags(tweets).window(window_size).countByValue()
        return counts.reduce(better).map(lambda pair: pair[0])

    return top
