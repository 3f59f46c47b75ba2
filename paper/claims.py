"""The claims of the paper, and their sample certificates.

python paper/claims.py        decides the pairs of all claims again, and writes paper/certificates/
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path

from tallystick.certificates.audit import audit
from tallystick.certificates.dataflows.proofs import DataflowCertificate
from tallystick.core.clock import clock
from tallystick.core.programs import Program
from tallystick.dataflow.comparing import compared
from tallystick.dataflow.pair import Pair as Versions
from tallystick.decision.prover import Prover
from tallystick.decision.service.portfolio import METHODS
from tallystick.decision.service.settle import settle
from tallystick.experiments.suites import Pair, load
from tallystick.experiments.veer.workloads import equivalent_edits, pair_of
from tallystick.frontends.rdd import read_program

PAPER = Path(__file__).parent
SECONDS = 60.0
WORKFLOWS = "veer"
"""What stands for the suite where a pair is a workflow of the evaluation of Veer, and its equivalent edits."""


@dataclass(frozen=True)
class Claim:
    """A claim: see the head of claims.toml for what its fields mean."""

    id: str
    statement: str
    module: str
    test: str
    pair: tuple[str, str]
    verdict: str
    rule: str
    method: str = ""

    @property
    def certificate(self) -> Path:
        """Where the sample certificate is."""
        name = re.sub(r"\W+", "-", self.pair[1].replace("''", "-second").replace("'", "-prime"))
        return PAPER / "certificates" / f"{self.pair[0]}-{name}.json"

    @property
    def programs(self) -> tuple[Program, Program] | DataflowCertificate:
        """The programs of its pair, read from their sources; of a workflow, both versions."""
        if self.pair[0] == WORKFLOWS:
            return versions(self.pair[1]).certificate()
        pair = find(*self.pair)
        return read_program(pair.left).program, read_program(pair.right).program


def claims() -> list[Claim]:
    """All claims, in the order of the file."""
    entries = tomllib.loads((PAPER / "claims.toml").read_text(encoding="utf-8"))["claim"]
    return [Claim(**{**entry, "pair": tuple(entry["pair"])}) for entry in entries]


def find(suite: str, name: str) -> Pair:
    """The pair of a suite; raises ValueError when it has none of this name."""
    found = [pair for pair in load(suite) if pair.name == name]
    if not found:
        raise ValueError(f"the suite {suite} has no pair {name!r}")
    return found[0]


def versions(workflow: str) -> Versions:
    """A workflow of the evaluation of Veer, and a version with two edits that change nothing."""
    return pair_of(workflow, equivalent_edits()[workflow])


def certify(claim: Claim) -> bytes:
    """A certificate of the claim's pair; raises ValueError when there is none or it is rejected."""
    if claim.pair[0] == WORKFLOWS:
        found = compared(versions(claim.pair[1])).certificate
        if found is None:
            raise ValueError(f"{claim.id}: there is no certificate")
        return found
    pair = find(*claim.pair)
    left, right = read_program(pair.left), read_program(pair.right)
    prover = Prover("auto", clock() + SECONDS)
    methods = {name: METHODS[name] for name in METHODS if claim.method in ("", name) or name == "no_agg"}
    settlement = settle(left.program, right.program, (left.source, right.source), prover, methods)
    if settlement.certificate is None:
        raise ValueError(f"{claim.id}: the pair was not decided: {settlement.reasons}")
    certificate = settlement.certificate.encode()
    report = audit(certificate, against=(left.program, right.program))
    if not report.accepted:
        raise ValueError(f"{claim.id}: {report.reason}")
    return certificate


if __name__ == "__main__":
    for each in claims():
        each.certificate.write_bytes(certify(each))
        print(f"{each.certificate.relative_to(PAPER)}: {each.statement}")
