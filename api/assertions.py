"""Equivalence as an assertion, for test suites that guard a refactoring."""

from __future__ import annotations

from typing import Any

from tallystick.checking import Reference, check
from tallystick.report import summary
from tallystick.verdict import Answer, Verdict


def assert_equivalent(before: Reference, after: Reference, **options: Any) -> Verdict:
    """The verdict of `check(before, after, **options)` when the programs are proved equivalent.

    Raises AssertionError otherwise: with a counterexample when they differ, with the reasons when it is not known.
    """
    __tracebackhide__ = True  # pytest then shows the line of the test
    verdict = check(before, after, **options)
    if verdict.verdict is not Answer.EQUIVALENT:
        raise AssertionError(summary(name_of(before), name_of(after), verdict))
    return verdict


def name_of(reference: Reference) -> str:
    """How messages call a program."""
    return reference if isinstance(reference, str) else reference.__qualname__
