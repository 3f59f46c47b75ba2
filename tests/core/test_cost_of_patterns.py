"""Regular expressions are charged, before they run, for what they take: random patterns that are made to take long.

python -m pytest -m slow tests/core/test_cost_of_patterns.py
"""

from __future__ import annotations

import random
import re
import signal
import time
from collections.abc import Iterator
from itertools import islice

import pytest
from tallystick.core import functions
from tallystick.core.errors import EvaluationError
from tallystick.core.functions import FUNCTIONS, FunctionError
from tallystick.core.work import Work, limited

STEPS = 3_000_000
LONGEST = 8.0
"""Seconds after which a match is stopped: a pattern of exponential time takes years."""

ATOMS = ("a", "a", "b", ".", r"\w", "[ab]", "[^b]", "[^!]", r"\S", "aa", "ab", "a|b", "a|", "|a")
PLACES = (r"\b", "^", "$", r"\1", "|", "")
REPEATS = ("", "", "", "?", "*", "+", "*?", "+?", "??", "{2}", "{,9}", "{1,50}", "{30}", "{0,3}?")
AFTER_GROUPS = ("", "", "", "", "?", "??", "*", "{2}")
GROUPS = ("({})", "(?:{})", "(?:{})", "({}|{})", "(?:{}|{})", "(?:|{})", "({}|)", "(?:{}|{}|{})")
ENDS = ("", "b", "!!", "$", "x", r"\Z", ",")
LETTERS = ("a", "a", "b", "ab", "aab")


def hostile(seed: int) -> Iterator[tuple[str, str]]:
    """Pairs of a pattern, which may be none, and a text, without an end."""
    chosen = random.Random(seed)

    def part(depth: int) -> str:
        if chosen.random() < 0.1:
            return chosen.choice(PLACES)
        if depth == 0 or chosen.random() < 0.4:
            return chosen.choice(ATOMS) + chosen.choice(REPEATS)
        form = chosen.choice(GROUPS)
        return form.format(*(sequence(depth - 1) for _ in range(form.count("{}")))) + chosen.choice(AFTER_GROUPS)

    def sequence(depth: int) -> str:
        one = part(depth)
        copies = chosen.choice((1, 1, 2, 5, 20))
        return one * copies if len(one) * copies < 150 else one

    while True:
        pattern = "".join(sequence(chosen.randint(0, 2)) for _ in range(chosen.randint(1, 4)))
        text = chosen.choice(LETTERS) * chosen.choice((0, 1, 2, 10, 25, 60, 200)) + chosen.choice(("", "!", "b"))
        yield pattern + chosen.choice(ENDS), text[:200]


class _TooLong(BaseException):
    pass


def _stop(_signal: int, _frame: object) -> None:
    raise _TooLong


def matched(how: str, pattern: str, text: str) -> tuple[object, int, float]:
    """The whole match or the exception, the steps that it is charged, and the seconds that it takes."""
    function, work, before = FUNCTIONS["re.group"], Work(STEPS, STEPS), time.process_time()
    value: object
    signal.setitimer(signal.ITIMER_PROF, LONGEST)
    try:
        with limited(work):
            value = functions.apply("re.group", function.takes or (), function.gives, (how, pattern, text, 0))
    except (EvaluationError, _TooLong) as error:
        value = error
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    return value, STEPS - work.steps, time.process_time() - before


def compare(seed: int, count: int) -> int:
    """Matches so many random patterns with texts; returns how many have a value."""
    values = 0
    for pattern, text in islice(hostile(seed), count):
        for how in ("match", "search", "fullmatch"):
            value, steps, seconds = matched(how, pattern, text)
            assert seconds < 4 + steps / 250_000, (how, pattern, text)  # exponential time is far more, on any machine
            if isinstance(value, str):
                values += 1
                assert value == getattr(re, how)(pattern, text)[0]
    return values


@pytest.fixture(autouse=True)
def _stopping() -> Iterator[None]:
    before = signal.signal(signal.SIGPROF, _stop)
    yield
    signal.signal(signal.SIGPROF, before)


@pytest.mark.filterwarnings("ignore:Possible nested set")
def test_what_takes_long_is_stopped_before_it_runs() -> None:
    assert compare(0, 2_000) > 300


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:Possible nested set")
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_nothing_takes_long_of_a_hundred_thousand_patterns(seed: int) -> None:
    assert compare(seed, 100_000) > 15_000


def test_the_clock_of_this_test_stops_what_takes_exponential_time() -> None:
    signal.setitimer(signal.ITIMER_PROF, 0.1)
    with pytest.raises(_TooLong):
        re.match("(a+)+$", "a" * 40 + "!")


def test_repeated_groups_have_no_value() -> None:
    for pattern, text in islice(hostile(4), 500):
        value, _, _ = matched("search", f"(?:{pattern})*", text)
        assert isinstance(value, FunctionError)
