"""Benchmark suites: pairs of PySpark programs with known verdicts.

    beyond          what the papers do not decide, and refactorings as engineers make them
    sparklite-cav   the 23 pairs of the CAV 2017 paper
    sparklite-tr    the 19 pairs of the technical report's Fig. 9
    errata          what the papers get wrong, each with both verdicts (THEORY section 7)

Loading a suite needs no PySpark; only running its programs does.
"""

from __future__ import annotations

from tallystick.core.errors import TallystickError
from tallystick.experiments.suites import (
    beyond_arithmetic,
    beyond_bags,
    beyond_by_key,
    beyond_by_key_inside,
    beyond_calls,
    beyond_extrema,
    beyond_folds,
    beyond_missing,
    beyond_nested,
    beyond_partial,
    beyond_refactorings,
    beyond_sets,
    errata_meaning,
    errata_reading,
    sparklite_cav,
    sparklite_tr,
)
from tallystick.experiments.suites.pair import EQUIVALENT, INEQUIVALENT, Expected, Pair, Witness

__all__ = ["EQUIVALENT", "INEQUIVALENT", "Expected", "Pair", "UnknownSuiteError", "Witness", "load", "names"]

_SUITES: dict[str, tuple[Pair, ...]] = {
    "beyond": (
        beyond_bags.PAIRS
        + beyond_refactorings.PAIRS
        + beyond_arithmetic.PAIRS
        + beyond_folds.PAIRS
        + beyond_extrema.PAIRS
        + beyond_partial.PAIRS
        + beyond_nested.PAIRS
        + beyond_by_key.PAIRS
        + beyond_by_key_inside.PAIRS
        + beyond_sets.PAIRS
        + beyond_calls.PAIRS
        + beyond_missing.PAIRS
    ),
    "errata": errata_meaning.PAIRS + errata_reading.PAIRS,
    "sparklite-cav": sparklite_cav.PAIRS,
    "sparklite-tr": sparklite_tr.PAIRS,
}


class UnknownSuiteError(TallystickError, ValueError):
    """There is no suite of this name."""


def names() -> list[str]:
    """The names of the suites, in alphabetical order."""
    return sorted(_SUITES)


def load(name: str) -> list[Pair]:
    """The pairs of a suite, in the order of its source; raises UnknownSuiteError when there is none of this name."""
    if name not in _SUITES:
        raise UnknownSuiteError(f"there is no suite {name!r}; the suites are {', '.join(names())}")
    return list(_SUITES[name])
