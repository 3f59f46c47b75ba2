"""Two plans, one verdict: a proof that they are equal, or small tables on which they differ."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from tallystick.core.clock import clock
from tallystick.decision.outcome import Unknown
from tallystick.decision.queries.counterexamples.search import MINIMISING, DistinguishingDatabase, Look
from tallystick.decision.queries.deciding import ProofLimits, Proved, decide
from tallystick.decision.queries.portfolio import Portfolio, Untried
from tallystick.decision.queries.trees.structure import OpenBranch
from tallystick.frontends.catalyst.reader import PlanPair
from tallystick.plans.certifying import certified
from tallystick.plans.verdict import Compared, PlanVerdict
from tallystick.queries.choices import apart_from_choices, open_choices
from tallystick.verdict import Answer


def decided(pair: PlanPair, names: tuple[str, str], timeout: float) -> PlanVerdict:
    """The verdict about two plans, within so many seconds of `core.clock`.

    Where one alone is sorted at its end, bags of rows are compared: if these are the same, nothing is known of lists.
    """
    ordered = bool(pair.left.order), bool(pair.right.order)
    if ordered[0] == ordered[1]:
        return _decided(pair, names, timeout)
    bags = replace(pair, left=replace(pair.left, order=()), right=replace(pair.right, order=()))
    verdict = _decided(bags, names, timeout)
    if verdict.verdict is not Answer.EQUIVALENT:
        return verdict
    one, other = names if ordered[0] else names[::-1]
    reason = f"{one} is sorted at its end, and {other} is not: both return the same rows, but a list is in one order"
    return replace(verdict, verdict=Answer.UNKNOWN, reasons={"order": reason}, used=(), certificates=())


def _decided(pair: PlanPair, names: tuple[str, str], timeout: float) -> PlanVerdict:
    start, deadline, compared = time.perf_counter(), clock() + timeout, Compared.of(pair)
    reasons: dict[str, str] = {}
    seconds = apart_from_choices(pair, timeout)
    portfolio = Portfolio(pair.left, pair.right, pair.catalogue, seconds, _Searched(pair))
    for answer in portfolio.answers():
        made, report = certified(pair, answer, names)
        if report:
            spent = time.perf_counter() - start
            if isinstance(answer, Proved):
                return PlanVerdict(Answer.EQUIVALENT, names, compared, spent, used=answer.used, certificates=(made,))
            return PlanVerdict(Answer.INEQUIVALENT, names, compared, spent, answer, certificates=(made,))
        reasons["audit"] = report.reason
    if portfolio.unproved is not None:
        reasons["proof"] = portfolio.unproved.reason
    reasons |= open_choices(pair, deadline - clock())
    reasons |= {"counterexamples": portfolio.unrefuted} if portfolio.unrefuted else {}
    return PlanVerdict(Answer.UNKNOWN, names, compared, time.perf_counter() - start, reasons=reasons)


class _Searched(Look):
    """Small tables on which two plans differ. What an open source has is not made up."""

    def __init__(self, pair: PlanPair) -> None:
        super().__init__(pair.left, pair.right, pair.catalogue)
        self.plans = pair

    def __call__(
        self, seconds: float, minimising: float = MINIMISING, branches: Sequence[OpenBranch] = ()
    ) -> DistinguishingDatabase | Unknown:
        if self.plans.open_sources:
            return Untried(self.plans.open_sources)(seconds)
        found = super().__call__(seconds, minimising, branches)
        if isinstance(found, DistinguishingDatabase) and (several := _several(self.plans, found)):
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
    deadline = clock() + timeout
    proofs: list[tuple[Proved, bytes]] = []
    for (_, before), (_, after) in pairwise(pairs):
        if before.right is not after.left:
            raise ValueError("the steps of a chain meet in one statement")
    for name, pair in pairs:
        left = deadline - clock()
        answer = decide(pair.left, pair.right, pair.catalogue, ProofLimits(seconds=max(left, 0.1)))
        if not isinstance(answer, Proved):
            return proofs, name
        made, report = certified(pair, answer, names)
        if not report:
            return proofs, name
        proofs.append((answer, made))
    return proofs, ""
