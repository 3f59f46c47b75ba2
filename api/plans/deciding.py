"""Two plans, one verdict: a first look for small tables on which they differ, a proof, a longer look."""

from __future__ import annotations

import time
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from tallystick.decision.outcome import Unknown
from tallystick.decision.queries.counterexamples.search import DistinguishingDatabase, find
from tallystick.decision.queries.deciding import ProofLimits, Proved, as_one, decide
from tallystick.frontends.catalyst.reader import PlanPair
from tallystick.plans.certifying import certified
from tallystick.plans.verdict import Compared, PlanVerdict
from tallystick.queries.choices import open_choices
from tallystick.verdict import Answer

FIRST_LOOK: Final = 0.2
"""Seconds of a search for a counterexample before one for a proof."""


def decided(pair: PlanPair, names: tuple[str, str], timeout: float, look_first: bool = True) -> PlanVerdict:
    """The verdict about two plans, within about so many seconds."""
    start, compared = time.perf_counter(), Compared.of(pair)
    one = as_one(pair.left, pair.right, pair.catalogue)
    found = searched(pair, min(FIRST_LOOK, timeout)) if look_first and one is None else Unknown("")
    reasons: dict[str, str] = {}
    if isinstance(found, Unknown):
        limits = ProofLimits(seconds=timeout * 0.7)
        answer = decide(pair.left, pair.right, pair.catalogue, limits) if one is None else one
        if isinstance(answer, Proved):
            made, report = certified(pair, answer, names)
            seconds = time.perf_counter() - start
            if report:
                return PlanVerdict(Answer.EQUIVALENT, names, compared, seconds, used=answer.used, certificates=(made,))
            reasons["audit"] = report.reason
        else:
            reasons["proof"] = answer.reason
            reasons |= open_choices(pair, timeout)
        found = searched(pair, max(start + timeout - time.perf_counter(), FIRST_LOOK), 1)
    seconds = time.perf_counter() - start
    if isinstance(found, Unknown):
        reasons["counterexamples"] = found.reason
        return PlanVerdict(Answer.UNKNOWN, names, compared, seconds, reasons=reasons)
    made, report = certified(pair, found, names)
    if not report:
        return PlanVerdict(Answer.UNKNOWN, names, compared, seconds, reasons={**reasons, "audit": report.reason})
    return PlanVerdict(Answer.INEQUIVALENT, names, compared, seconds, found, certificates=(made,))


def searched(pair: PlanPair, seconds: float, seed: int = 0) -> DistinguishingDatabase | Unknown:
    """Small tables on which two plans differ. What an open source has is not made up."""
    if pair.open_sources:
        return Unknown(f"which rows {' and '.join(pair.open_sources)} may have is not known, so none are tried")
    found = find(pair.left, pair.right, pair.catalogue, seconds, seed)
    if isinstance(found, DistinguishingDatabase) and (several := _several(pair, found)):
        return Unknown(f"tables on which they differ need several values of type {several}, which are not made up")
    return found


def _several(pair: PlanPair, found: DistinguishingDatabase) -> str:
    """A type known by equality alone of which a database has more than one value, as there need not be; "" if none."""
    values: dict[str, set[object]] = {}
    for name, rows in found.database.items():
        for index, column in enumerate(pair.tables[name].columns):
            if column.type.kind:
                values.setdefault(str(column.type), set()).update(row[index] for row in rows if row[index] is not None)
    return next((type_ for type_, each in values.items() if len(each) > 1), "")


def chained(
    pairs: Sequence[tuple[str, PlanPair]], names: tuple[str, str], timeout: float
) -> tuple[list[tuple[Proved, bytes]], str]:
    """Proofs and certificates that each plan of a chain equals the next, and "" or the first step without one.

    The right statement of a pair is the left one of the next, so that all proofs together prove the ends equal.
    """
    deadline = time.perf_counter() + timeout
    proofs: list[tuple[Proved, bytes]] = []
    for (_, before), (_, after) in pairwise(pairs):
        if before.right is not after.left:
            raise ValueError("the steps of a chain meet in one statement")
    for name, pair in pairs:
        left = deadline - time.perf_counter()
        answer = decide(pair.left, pair.right, pair.catalogue, ProofLimits(seconds=max(left, 0.1)))
        if not isinstance(answer, Proved):
            return proofs, name
        made, report = certified(pair, answer, names)
        if not report:
            return proofs, name
        proofs.append((answer, made))
    return proofs, ""
