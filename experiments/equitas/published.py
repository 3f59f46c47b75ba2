"""What is published about EQUITAS and its kin, and what a reader of the paper must not take over.

PAPER is Zhou et al., PVLDB 12(11), 2019; numbers of others are from the abstracts of their papers, or as PAPER gives
them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Result:
    """How many of the pairs of a collection a tool proves.

    Attributes:
        supported: pairs that it can read, where published.
        seconds: the average for a proved pair, where published.
    """

    tool: str
    collection: str
    pairs: int
    proved: int
    supported: int | None = None
    seconds: float | None = None


PUBLISHED: Final = (
    Result("UDP", "Calcite", 232, 34, 39, 4.16),
    Result("EQUITAS", "Calcite", 232, 67, 91, 0.15),
    Result("SPES", "Calcite", 232, 95),
    Result("QED", "Calcite", 444, 299),
    Result("QED", "CockroachDB", 1287, 979),
)
"""PAPER Table 2 for UDP and EQUITAS (as sets; the others as bags)."""

BY_KIND: Final = {
    "EQUITAS": {"SPJ": (28, 0.10), "aggregate": (32, 0.19), "outer join": (9, 0.19)},
    "UDP": {"SPJ": (21, 2.7), "aggregate": (11, 6.9)},
}
"""PAPER Table 2: pairs proved and average seconds by kind. A pair may be of two kinds: 28 + 32 + 9 is more than 67."""


@dataclass(frozen=True, slots=True)
class Erratum:
    """A place where the paper, read literally, goes wrong, with two queries that show it.

    Attributes:
        unsound: whether the rules as printed prove two different queries equal; else they fail to prove equal ones.
    """

    where: str
    what: str
    left: str
    right: str
    unsound: bool


SCHEMA: Final = "CREATE TABLE l (a INT, b INT); CREATE TABLE r (a INT, b INT);"
ERRATA: Final = (
    Erratum(
        "section 4.2, outer joins",
        "the rule for tuples without a match asks for containments of the inputs, and not for equal join keys",
        "SELECT l.a FROM l LEFT JOIN r ON l.a = r.a WHERE r.a IS NULL",
        "SELECT l.a FROM l LEFT JOIN r ON l.b = r.b WHERE r.b IS NULL",
        True,
    ),
    Erratum(
        "algorithm 4, aggregation",
        "without GROUP BY there is a row even where no tuple is read: its COND is not that of the input",
        "SELECT COUNT(*) AS n FROM l WHERE a > 1 AND a < 1",
        "SELECT a AS n FROM l WHERE a > 1 AND a < 1",
        True,
    ),
    Erratum(
        "section 3.4.3, CASE",
        "a disjunction of implications is true as soon as one condition is false: a conjunction is meant",
        "SELECT CASE WHEN a < 10 THEN b + 1 ELSE b END AS c FROM l",
        "SELECT CASE WHEN 10 > a THEN 1 + b ELSE b END AS c FROM l",
        False,
    ),
    Erratum(
        "section 2.1, example 3",
        "nothing says that a tuple with a match is not one without: the rules do not prove the paper's own example",
        "SELECT l.a, r.b FROM l JOIN r ON l.a = r.a",
        "SELECT a, b FROM (SELECT l.a, r.b, r.a AS k FROM l LEFT JOIN r ON l.a = r.a) AS t WHERE k IS NOT NULL",
        False,
    ),
)
SLIPS: Final = (
    "section 3.2.1 states the first property as COND₁ ⇒ COND₂ and then checks COND₂ ⇒ COND₁: the second is meant",
    "the proof of theorem 1 takes a tuple of Q1 that Q2 lacks, which is what Q2 containing Q1 excludes",
)
"""Slips in the text that change no verdict."""
