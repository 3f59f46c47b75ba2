"""One prover for all explanations, and every pair of the suites explained once."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from tallystick.decision.service.process import ProverProcess
from tallystick.experiments.suites import Pair, load
from tallystick.explaining import Document, explain

Explain = Callable[[str, str], Document]
SUITES = ("sparklite-cav", "errata")


@pytest.fixture(scope="session")
def explained() -> Iterator[Explain]:
    with ProverProcess() as prover:
        yield lambda left, right: explain(left, right, prover=prover, semantics="sparklite")


@pytest.fixture(scope="session")
def documents(explained: Explain) -> list[tuple[Pair, Document]]:
    return [(pair, explained(pair.left, pair.right)) for suite in SUITES for pair in load(suite)]
