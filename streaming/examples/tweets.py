"""Hypothesis strategies for tweets, texts of up to 140 characters (the paper's `TwitterGen`).

A tweet costs few choices, so that hundreds fit into one Hypothesis example, and shrinks to its bare hashtag.

>>> [word(number) for number in (0, 25, 26, 701, 702)]
['a', 'z', 'aa', 'zz', 'aaa']
"""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import strategies as st

_TEXTS = ("", "hello", "good morning all", "I am 100% sure!", "so many words, and none of them matters")
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


def word(number: int) -> str:
    """Return the word with this number, counted by length and then alphabetically."""
    letters = ""
    number += 1
    while number > 0:
        number, last = divmod(number - 1, len(_LETTERS))
        letters = _LETTERS[last] + letters
    return letters


def hashtags(max_length: int) -> st.SearchStrategy[str]:
    """A hashtag whose word has up to `max_length` letters."""
    count = sum(len(_LETTERS) ** length for length in range(1, max_length + 1))
    return st.integers(0, count - 1).map(lambda number: f"#{word(number)}")


def tweets() -> st.SearchStrategy[str]:
    """A tweet without hashtags."""
    return st.sampled_from(_TEXTS)


def with_hashtag(tweet: st.SearchStrategy[str], hashtag: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """A tweet with a hashtag added."""
    return st.tuples(tweet, hashtag).map(lambda parts: " ".join(filter(None, parts)))


def tweets_with(possible: Sequence[str]) -> st.SearchStrategy[str]:
    """A tweet with one of the hashtags."""
    return with_hashtag(tweets(), st.sampled_from(possible))


def tweets_with_hashtags_of_max_length(length: int) -> st.SearchStrategy[str]:
    """A tweet with any hashtag of up to `length` letters."""
    return with_hashtag(tweets(), hashtags(length))
