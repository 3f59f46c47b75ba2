"""What the papers report about their methods and test cases, each fact with its source.

TR is the technical report of 2016, CAV the paper of 2017.
"""

from __future__ import annotations

from dataclasses import dataclass

VERIFIED, FOUND, NOT_SHOWN = "=", "≠", "= not shown"
"""Verified, a counterexample found, and an equivalence that the paper's tool could not show."""
TR_SECONDS, CAV_SECONDS = 0.2, 0.5
"""Bounds on the time for each test case (TR section 4, CAV section 5)."""


@dataclass(frozen=True, slots=True)
class PaperClass:
    """A class of programs with what a paper's method for it achieves.

    Attributes:
        name: in the paper.
        ours: what Tallystick calls the class.
        description: what is in it.
        coverage: of the paper's method: "complete" or "sound".
    """

    name: str
    ours: str
    description: str
    coverage: str


TR_CLASSES = (
    PaperClass("NoAgg", "NoAgg", "no aggregations", "complete"),
    PaperClass("Agg¹", "AggOneP", "one aggregation, a value", "sound"),
    PaperClass("AggPair¹sync", "AggOneP_sync", "synchronous collapsible aggregations", "complete"),
    PaperClass("Agg¹R", "AggOneB", "one aggregation, an RDD", "sound"),
    PaperClass("Aggⁿ", "AggMultP", "several aggregations, not nested", "sound"),
)
"""TR Table 1. Equivalence is decidable where the method is complete, and undecidable elsewhere."""

CAV_CLASSES = (
    PaperClass("NoAgg", "NoAgg", "no aggregations", "complete"),
    PaperClass("AggOneᵖ", "AggOneP", "one fold, a value", "sound"),
    PaperClass("AggOneᵇ", "AggOneB", "one fold, a bag", "sound"),
    PaperClass("AggMultᵖ", "AggMultP", "several folds, a value", "sound"),
    PaperClass("AggOneKᵇ", "AggOneKB", "one foldByKey, eq. 2 and 3", "sound"),
    PaperClass("AggOneᵖsync", "AggOneP_sync", "AggOneᵖ and eq. 1", "complete"),
)
"""CAV Table 1, as section 2 explains it."""

TR_FIGURE_9 = (
    ("row 1", "NoAgg", VERIFIED),
    ("row 2", "NoAgg", FOUND),
    ("row 3", "NoAgg", VERIFIED),
    ("row 4", "NoAgg", FOUND),
    ("row 5", "NoAgg", VERIFIED),
    ("row 6", "NoAgg", FOUND),
    ("row 7", "Agg¹", VERIFIED),
    ("row 8", "AggPair¹sync", FOUND),
    ("row 9", "AggPair¹sync", VERIFIED),
    ("row 10", "AggPair¹sync", VERIFIED),
    ("row 11", "AggPair¹sync", FOUND),
    ("row 12", "AggPair¹sync", VERIFIED),
    ("row 13", "AggPair¹sync", FOUND),
    ("row 14", "AggPair¹sync", VERIFIED),
    ("row 15", "AggPair¹sync", FOUND),
    ("row 16", "NoAgg", VERIFIED),
    ("row 17", "NoAgg", VERIFIED),
    ("row 18", "NoAgg", FOUND),
    ("row 19", "NoAgg", VERIFIED),
)
"""TR Fig. 9: each row's class, and the result of the report's tool."""

CAV_CASES = (
    ("P1/P2", "NoAgg", VERIFIED),
    ("P1/P2'", "NoAgg", FOUND),
    ("P25/P26", "NoAgg", VERIFIED),
    ("P27/P28", "NoAgg", FOUND),
    ("P29/P30", "NoAgg", VERIFIED),
    ("P29'/P30", "NoAgg", FOUND),
    ("P31/P32", "AggOneᵖsync", FOUND),
    ("P3/P4", "AggOneᵖsync", VERIFIED),
    ("P5/P6", "AggOneᵖsync", VERIFIED),
    ("P33/P34", "AggOneᵖsync", FOUND),
    ("P15/P16", "AggOneᵖsync", VERIFIED),
    ("P15'/P16'", "AggOneᵖsync", FOUND),
    ("P15''/P16''", "AggOneᵖ", NOT_SHOWN),
    ("P17/P18", "AggOneᵖsync", VERIFIED),
    ("P17'/P18", "AggOneᵖsync", FOUND),
    ("P13/P14", "AggOneᵖ", VERIFIED),
    ("P9/P10", "NoAgg", VERIFIED),
    ("P23/P24", "NoAgg", VERIFIED),
    ("P9'/P10", "NoAgg", FOUND),
    ("P11/P12", "NoAgg", VERIFIED),
    ("P19/P20", "AggOneKᵇ", VERIFIED),
    ("P21/P22", "AggOneKᵇ", VERIFIED),
    ("P7/P8", "AggOneKᵇ", VERIFIED),
)
"""CAV section 5: all 23 cases, those that Fig. 7 highlights among them. One equivalence was not shown."""

DIFFERENCES = {
    "TR row 1, CAV P1/P2": "the report filters from 100 on (its Fig. 1), the CAV artifact below 100; both are here.",
    "TR row 3, CAV P25/P26": "the report multiplies two bags, the CAV artifact one bag with itself. The papers forbid "
    "self-products; here each side of one has a variable of its own.",
    "TR rows 8–10": "the report's text starts minima from +∞ over (product, price), its Fig. 9 and the tests from 1000 "
    "over numbers.",
    "AggPair¹sync, AggOneᵖsync": "some of their pairs are proved by `agg_one` or `affine_invariants`, inductions that "
    "cost less than Theorem 3's method and are tried before it.",
    "CAV P15''/P16''": "equivalent, but neither inductive nor collapsible, so the paper's methods do not show it; here "
    "the invariant that both counts are equal is found and checked.",
    "Counterexamples": "many are found by running small inputs before any method is tried: method `refute`.",
    "Times": "the papers give bounds for their machines and their tools, which leave no certificates; ours include "
    "searching, writing and auditing one.",
}
"""What differs between the papers' tables and ours, and why."""

ERRATA = (
    (
        "Theorem 3 (CAV eq. 9–10)",
        "unsound as printed: the step from the empty bag to one element is never checked",
        ("first step of a fold", "first step of a fold, halved"),
    ),
    (
        "⊥ under maps (TR Fig. 6)",
        "a filtered-out element must stay away under a constant or boolean map",
        (
            "constant map after a filter",
            "constant map before a filter",
            "boolean map after a filter",
            "boolean map before a filter",
        ),
    ),
    (
        "AggOneK (CAV eq. 2–3)",
        "unsound without the condition that both programs put the same elements together",
        ("keys merged", "keys renamed"),
    ),
    (
        "Representative variables (TR Fig. 7)",
        "the input bags must be compared too, and a self-product needs two variables",
        ("constants of two bags", "nothing of two bags", "self-product collapsed", "self-product reversed"),
    ),
    (
        "SparkLite's fold",
        "is one left fold; Spark folds each partition from the zero, and then the partial results",
        ("fold that counts", "fold that counts twice", "fold from five", "fold from five or zero"),
    ),
    (
        "Reading functions (prototype)",
        "a reader that skips what it does not know is unsound",
        (
            "third conjunct",
            "three conjuncts",
            "end of a comparison chain",
            "comparison chain",
            "middle of an elif chain",
            "elif chain",
            "local assignment skipped",
            "local assignments",
            "arguments swapped",
            "arguments by name",
            "helpers of one name",
            "helpers in two files",
            "else of a conditional",
            "conditional expression",
        ),
    ),
)
"""What a reader of the papers must not take over, with the pairs of the suite `errata` that would show it."""
