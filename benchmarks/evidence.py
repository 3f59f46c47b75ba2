"""Evidence measured: search, check and size of refutation trees, and the time against Z3's.

Run it from the root of the repository: `.venv/bin/python benchmarks/evidence.py`. Times are the best of five,
in milliseconds of processor time; the last column is the ratio of the search to Z3's time for the same
formula in a fresh solver, its encoding not counted. Z3's answer carries no evidence.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from pathlib import Path
from time import process_time

import z3
from tallystick.certificates.refutation import check
from tallystick.certificates.search.answers import Countermodel, GaveUp
from tallystick.certificates.search.tableau import search
from tallystick.core.terms import Term

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
from certificates.classics import INVALID, VALID
from certificates.z3_oracle import encode


def best(action: Callable[[], object]) -> float:
    """Milliseconds of the fastest of five runs."""
    times: list[float] = []
    for _ in range(5):
        start = process_time()
        action()
        times.append(1000 * (process_time() - start))
    return min(times)


def with_z3(formula: Term) -> Callable[[], object]:
    encoded = encode(formula, {})

    def run() -> object:
        solver = z3.Solver()
        solver.add(z3.Not(encoded))
        return solver.check()

    return run


def plain(node: object) -> object:
    """A tree as nested lists, much as a certificate stores it."""
    if is_dataclass(node):
        return [type(node).__name__.lower(), *(plain(getattr(node, field.name)) for field in fields(node))]
    return [plain(part) for part in node] if isinstance(node, tuple) else node


def main() -> None:
    print(f"{'formula':44}{'search':>8}{'check':>7}{'bytes':>7}{'/ Z3':>6}")
    sums = [0.0, 0.0, 0, 0.0]
    for name, formula in (VALID | INVALID).items():
        answer = search(formula)
        if isinstance(answer, GaveUp):
            print(f"{name[:42]:44}gave up: {answer.reason}")
            continue
        tree = None if isinstance(answer, Countermodel) else answer
        row = (
            best(lambda formula=formula: search(formula)),
            0.0 if tree is None else best(lambda formula=formula, tree=tree: check(formula, tree)),
            0 if tree is None else len(json.dumps(plain(tree), separators=(",", ":"))),
            best(with_z3(formula)),
        )
        sums = [total + value for total, value in zip(sums, row, strict=True)]
        print(f"{name[:42]:44}{row[0]:8.2f}{row[1]:7.2f}{row[2]:7}{row[0] / row[3]:6.2f}")
    count = f"{len(VALID | INVALID)} formulas"
    print(f"{count:44}{sums[0]:8.2f}{sums[1]:7.2f}{sums[2]:7}{sums[0] / sums[3]:6.2f}")


if __name__ == "__main__":
    main()
