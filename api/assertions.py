"""Equivalence as an assertion, for test suites that guard a refactoring."""

from __future__ import annotations

from typing import Any

from tallystick.core.errors import TallystickError
from tallystick.doors import check
from tallystick.frontends.pyspark import Reference
from tallystick.verdict import Answer, Verdict


def assert_equivalent(before: Reference, after: Reference, **options: Any) -> Verdict:
    """The verdict of `check(before, after, **options)` when the programs are proved equivalent.

    Raises AssertionError otherwise: with a counterexample when they differ, with the reasons when it is not known. The
    errors of `check` are raised as from here: where a program is refused, their text says which line of it, and not
    which of ours.
    """
    __tracebackhide__ = True  # pytest then shows the line of the test
    try:
        verdict = check(before, after, **options)
    except TallystickError as error:
        raise error.with_traceback(None) from None
    if verdict.verdict is not Answer.EQUIVALENT:
        raise AssertionError(str(verdict))
    return verdict
