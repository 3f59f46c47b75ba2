"""How much of a sweep `make test` runs: a fixed sample of its cases; `make test-slow` runs all of them."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from _pytest.mark import ParameterSet
from hypothesis import settings

WHOLE = 100
"""The examples of a test in Hypothesis's own profile."""


def examples(count: int) -> int:
    """How many random examples Hypothesis tries: `count`, or the part of it that the profile of the run tries."""
    return max(1, count * settings.default.max_examples // WHOLE)  # type: ignore[attr-defined]


def sampled(cases: Iterable[object], every: int) -> list[ParameterSet]:
    """Cases for a test: each `every`th, from the first on, is always run; the others are slow."""
    return [pytest.param(case, marks=[pytest.mark.slow] if place % every else []) for place, case in enumerate(cases)]
