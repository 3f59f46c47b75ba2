"""What Hypothesis's decorators and options say about a test: `@settings`, `@seed`, `@example`, `--hypothesis-seed`.

Hypothesis keeps what its decorators say in attributes of the function; their names are used here only.
"""

from __future__ import annotations

import functools
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeVar

import hypothesis
from hypothesis import HealthCheck, Phase, Verbosity, core, reporting
from hypothesis import strategies as st
from hypothesis.internal.conjecture import engine
from tallystick.streaming.report import Settings

_T = TypeVar("_T")
_SETTINGS = "_hypothesis_internal_use_settings"
_SEED = "_hypothesis_internal_use_seed"
_EXAMPLES = "hypothesis_explicit_examples"
_REPRODUCE = "_hypothesis_internal_use_reproduce_failure"
_DATABASE_KEY = "_hypothesis_internal_database_key"
_PRINTS_ARGUMENTS = "_hypothesis_internal_print_given_args"
_DIGEST = "_hypothesis_internal_add_digest"


@dataclass(frozen=True)
class Decorations:
    """What the decorators of one test say; nothing, for a property that is checked by itself."""

    database_key: bytes
    function: Any = None

    def settings(self, ours: Settings) -> hypothesis.settings:
        """Return Hypothesis's settings: those of the property, or the test's own, or the profile's."""
        base = ours.hypothesis or getattr(self.function, _SETTINGS, None) or hypothesis.settings()
        unwanted = {Phase.explain} if ours.shrink_seconds > 0 else {Phase.explain, Phase.shrink}
        return hypothesis.settings(
            base,
            max_examples=base.max_examples if ours.examples is None else ours.examples,
            phases=tuple(phase for phase in base.phases if phase not in unwanted),
            deadline=None,
            report_multiple_bugs=False,
            derandomize=False,
            database=None if ours.seed is not None or base.derandomize else base.database,
            suppress_health_check=all_health_checks(),
        )

    def seed(self, ours: Settings) -> int:
        """Return the seed: the property's, or what `@seed` or `--hypothesis-seed` says, or one from the name of a
        test whose profile is derandomised, or a new one."""
        base = ours.hypothesis or getattr(self.function, _SETTINGS, None) or hypothesis.settings()
        for chosen in (ours.seed, getattr(self.function, _SEED, None), core.global_force_seed):
            if chosen is not None:
                return int(chosen)
        if base.derandomize:
            return int.from_bytes(self.database_key[:4], "big")
        return random.SystemRandom().randrange(2**32)

    def apply(self, test: Any, keep_examples: bool) -> None:
        """Give a Hypothesis test the examples that the function's decorators name, and its place in the database."""
        setattr(test, _EXAMPLES, getattr(self.function, _EXAMPLES, ()))
        setattr(test, _PRINTS_ARGUMENTS, False)
        setattr(test, _REPRODUCE, getattr(self.function, _REPRODUCE, None))
        digest = getattr(getattr(self.function, "hypothesis", None), "inner_test", None)
        key = self.database_key + getattr(digest, _DIGEST, b"")
        setattr(test, _DATABASE_KEY, key if keep_examples and core.global_force_seed is None else None)


def all_health_checks() -> list[HealthCheck]:
    """Return the health checks of Hypothesis, none of which fits: cases are large, and take long."""
    return list(iter(HealthCheck))  # pyright: ignore[reportReturnType]


def silent_settings(examples: int) -> hypothesis.settings:
    """Return settings for generating examples only. Cases are large, so there are no health checks."""
    return hypothesis.settings(
        max_examples=examples,
        phases=(Phase.generate,),
        database=None,
        deadline=None,
        suppress_health_check=all_health_checks(),
        verbosity=Verbosity.quiet,
    )


@contextmanager
def shrinking_for(seconds: float, when_stopped: Callable[[], None]) -> Iterator[None]:
    """Let Hypothesis shrink a failing case for so long at most, and say so by a call instead of by its warning.

    Its own limit is a constant, and its warning is about five minutes.
    """
    before, outer = engine.MAX_SHRINKING_SECONDS, reporting.current_reporter()

    def report(text: Any) -> None:
        if str(text).startswith("WARNING: Hypothesis has spent"):
            when_stopped()
        else:
            outer(text)

    engine.MAX_SHRINKING_SECONDS = seconds  # type: ignore[assignment]
    try:
        with reporting.with_reporter(report):
            yield
    finally:
        engine.MAX_SHRINKING_SECONDS = before


def without_notes(run: Callable[[], _T]) -> _T:
    """Call a function where `note` and `event`, which predicates may use, are allowed and have no effect."""
    made: list[_T] = []

    @silent_settings(1)
    @hypothesis.given(st.none())
    def once(_: None) -> None:
        made.append(run())

    once()
    return made[0]


def decorated_test(function: Callable[..., Any], check: Callable[[Any, Any], None]) -> Callable[..., None]:
    """Return a test that Hypothesis's decorators and its pytest plugin know for one of theirs.

    When it is called, it calls the function and gives its result, and itself, to `check`.
    """

    @functools.wraps(function)
    def test(*arguments: Any, **named: Any) -> None:
        check(function(*arguments, **named), test)

    marked: Any = test
    marked.is_hypothesis_test = True
    marked.hypothesis = core.HypothesisHandle(function, test, {})
    # The function is called once, so what fixtures made is used once too.
    setattr(
        marked,
        _SETTINGS,
        hypothesis.settings(
            suppress_health_check=(*hypothesis.settings().suppress_health_check, HealthCheck.function_scoped_fixture)
        ),
    )
    return test
