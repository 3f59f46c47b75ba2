"""All pairs of the papers' suites are decided right, with certificates that rest on no oracle."""

from __future__ import annotations

import subprocess
import sys

import pytest
from sampling import sampled
from tallystick.certificates.audit import audit
from tallystick.decision.prover import Prover
from tallystick.decision.service.settle import settle
from tallystick.experiments.suites import Pair, load
from tallystick.frontends.rdd import read_program

PAIRS = {f"{suite}: {pair.name}": pair for suite in ("sparklite-cav", "sparklite-tr", "errata") for pair in load(suite)}


def check_pair(pair: Pair, solver: str) -> None:
    left, right = read_program(pair.left), read_program(pair.right)
    programs = left.program, right.program
    settlement = settle(*programs, (left.source, right.source), Prover(solver))
    assert settlement.certificate is not None, settlement.reasons
    report = audit(settlement.certificate.encode(), against=programs)
    assert (report.accepted, report.verdict, report.oracles) == (True, pair.expected, ()), report.reason
    assert settlement.program_class == pair.expected_class


@pytest.mark.parametrize("name", PAIRS)
def test_verdict_and_class_are_the_known_ones_and_no_solver_has_to_be_trusted(name: str) -> None:
    check_pair(PAIRS[name], "auto")


@pytest.mark.parametrize("solver", ["z3", "cvc5"])
@pytest.mark.parametrize("name", sampled([name for name in PAIRS if name.startswith("sparklite-cav")], 3))
def test_other_solvers_lead_to_the_same_verdicts(name: str, solver: str) -> None:
    """On each third pair, and on all if slow."""
    check_pair(PAIRS[name], solver)


WITHOUT_SOLVERS = """
import sys
class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in ("z3", "cvc5", "pysmt", "sympy", "numpy", "pyspark"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Blocked())
from experiments.test_verdicts import PAIRS, check_pair
pairs = [*PAIRS.values()][::int(sys.argv[2])]
for pair in pairs:
    check_pair(pair, sys.argv[1])
print(len(pairs))
"""


@pytest.mark.parametrize("every", [4, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize("solver", ["auto", "cooper"])
def test_pairs_are_decided_where_no_solver_can_be_imported(
    solver: str, every: int, pytestconfig: pytest.Config
) -> None:
    """Each fourth pair, and all if slow."""
    command = [sys.executable, "-c", WITHOUT_SOLVERS, solver, str(every)]
    tests = pytestconfig.rootpath / "tests"
    done = subprocess.run(command, cwd=tests, capture_output=True, text=True, check=False)
    assert done.stdout == f"{len([*PAIRS][::every])}\n", done.stderr
