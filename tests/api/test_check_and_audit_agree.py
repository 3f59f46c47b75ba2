"""What `check` says of a pair of a suite, `audit --against` says of its certificate, in both meanings of folds."""

from __future__ import annotations

from random import Random

import pytest
from tallystick import Answer, check
from tallystick.certificates.audit import audit
from tallystick.certificates.codec import decode
from tallystick.comparing import comparison
from tallystick.core.clock import clock
from tallystick.core.programs import SEMANTICS
from tallystick.decision.prover import Prover
from tallystick.decision.service.settle import settle
from tallystick.experiments.generator import generated_pair
from tallystick.experiments.suites import load
from tallystick.frontends.rdd import read_program


def disagreements(suite: str, semantics: str) -> tuple[list[str], int]:
    """The pairs on which check and audit disagree, and how many were decided."""
    found, decided = [], 0
    for pair in load(suite):
        try:
            verdict = check(pair.left, pair.right, semantics=semantics, timeout=10)  # type: ignore[arg-type]
        except (TypeError, ValueError):
            continue  # refused: there is no certificate to disagree about
        if verdict.certificate is None:
            found += [pair.name] if verdict.verdict is not Answer.UNKNOWN else []
            continue
        decided += 1
        programs = comparison(read_program(pair.left), read_program(pair.right), False, semantics).programs
        report = audit(verdict.certificate, programs, semantics)
        other = next(each for each in SEMANTICS if each != semantics)
        same = report.accepted and report.verdict == str(verdict.verdict)
        if (
            not same
            or decode(verdict.certificate).semantics != semantics
            or audit(verdict.certificate, programs, other)
        ):
            found.append(pair.name)
    return found, decided


@pytest.mark.parametrize("semantics", SEMANTICS)
def test_on_the_pairs_of_the_paper(semantics: str) -> None:
    found, decided = disagreements("sparklite-cav", semantics)
    assert found == []
    assert decided >= 10


@pytest.mark.slow
@pytest.mark.parametrize("semantics", SEMANTICS)
@pytest.mark.parametrize("suite", ["sparklite-tr", "errata", "beyond"])
def test_on_every_pair_of_every_suite(suite: str, semantics: str) -> None:
    assert disagreements(suite, semantics)[0] == []


@pytest.mark.slow
def test_on_2000_generated_pairs() -> None:
    """Core programs, which have no other source than themselves: what is decided is accepted for these programs."""
    decided = 0
    for number in range(2000):
        pair = generated_pair(Random(f"agree/{number}"))
        settlement = settle(pair.left, pair.right, ("", ""), Prover(deadline=clock() + 10))
        if settlement.certificate is not None:
            decided += 1
            report = audit(settlement.certificate.encode(), (pair.left, pair.right))
            assert report.verdict == pair.expected, number
            assert report.accepted or report.oracles, (number, report.reason)
            assert not audit(settlement.certificate.encode(), (pair.right, pair.left)) or pair.left == pair.right
    assert decided > 1900
