"""How the time of an audit grows with the certificate: proofs of more and more steps about one deep term.

    python benchmarks/audit_growth.py

Each proof is a balanced tree of TRANS whose leaves change two terms of a sum under a map, and back.
"""

from __future__ import annotations

import time

from tallystick.certificates.audit import audit
from tallystick.certificates.codec import encode
from tallystick.certificates.proofs import Certificate, Step
from tallystick.certificates.rules.no_agg import NoAgg
from tallystick.certificates.rules.transitive import Transitive
from tallystick.certificates.search.tableau import search
from tallystick.core.programs import Program
from tallystick.core.terms import TRUE, Operator, Term, add, build, constant, element, variable
from tallystick.core.types import INT, BagType
from tallystick.decision.outcome import Goal

BAG = variable("r", BagType(INT))
DEPTH = 20
SIZES = (8, 32, 128, 512)


def deep(*summands: Term) -> Term:
    """A map of a sum under many maps."""
    term = build(Operator.MAP, (add(*summands), BAG))
    for _ in range(DEPTH):
        term = build(Operator.MAP, (add(element(INT), constant(1)), term))
    return term


def certificate(leaves: int) -> bytes:
    """The certificate of a proof with so many leaves."""
    ends = deep(element(INT), constant(5)), deep(constant(5), element(INT))
    rule = NoAgg(((0, (0,)),))
    steps, terms = [], []
    for number in range(leaves):
        left, right = ends[number % 2], ends[(number + 1) % 2]
        required = rule.requirements(Goal(TRUE, left, right)).premises
        steps.append(Step(rule, tuple(search(premise.formula) for premise in required)))  # type: ignore[arg-type]
        terms.append(right)
    while len(steps) > 1:
        pairs = range(0, len(steps), 2)
        steps = [Step(Transitive(terms[at]), (), (steps[at], steps[at + 1])) for at in pairs]
        terms = terms[1::2]
    sides = Program("before", (BAG,), ends[0]), Program("after", (BAG,), ends[0])
    return encode(Certificate(*sides, "sparklite", ("", ""), (), (), (), steps[0]))


def main() -> None:
    """Prints a line for each size."""
    first = None
    print("   bytes  audit, ms  times larger  times longer")
    for size in SIZES:
        data = certificate(size)
        started = time.perf_counter()
        report = audit(data)
        seconds = time.perf_counter() - started
        if not report:
            raise SystemExit(report.reason)
        first = first or (len(data), seconds)
        print(f"{len(data):8}  {seconds * 1000:9.1f}  {len(data) / first[0]:12.1f}  {seconds / first[1]:12.1f}")


if __name__ == "__main__":
    main()
