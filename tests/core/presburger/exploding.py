"""Formulas that explode, each with the cap that ends it: `python exploding.py` prints the reason of each and the peak
of memory after it, in kilobytes, as JSON. The first line is the peak before."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from tallystick.core.clock import clock
from tallystick.core.presburger.cooper import cooper
from tallystick.core.presburger.decide import decide
from tallystick.core.presburger.formulas import nnf
from tallystick.core.presburger.lift import eliminate
from tallystick.core.presburger.limits import LimitError, Limits
from tallystick.core.presburger.search import satisfy
from tallystick.core.presburger.syntax import parse


def pigeons(holes: int) -> str:
    """More pigeons than holes."""
    inside = [f"1 <= p{i} <= {holes}" for i in range(holes + 1)]
    return " and ".join([*inside, *(f"p{i} != p{j}" for i in range(holes + 1) for j in range(i))])


def residues(terms: int) -> str:
    """Bounds and residues of one unknown that all depend on different free unknowns."""
    parts = [f"(x > {k + 2}*a{k} or 97 | x + {k}*a{k})" for k in range(terms)]
    return f"exists x. {' and '.join(parts)} and x < b"


EXPLOSIONS: dict[str, Callable[[], object]] = {
    "atoms": lambda: eliminate(parse(" <=> ".join(f"x{k} = 1" for k in range(40)))),
    "branches": lambda: satisfy(parse(pigeons(12)), Limits(branches=300)),
    "nested_cases": lambda: satisfy(
        parse(" and ".join(f"(x{k} < 0 or x{k} > 0)" for k in range(60))), Limits(nested_cases=50)
    ),
    "disjuncts": lambda: eliminate(parse(residues(9)), Limits(disjuncts=30)),
    "test_points": lambda: cooper("x", nnf(parse("x > a and x < b and 10007 | x + c and 10009 | x + a"))).result(),
    "coefficient_bits": lambda: satisfy(
        parse(" and ".join(f"{3 ** (40 + k)}*x{k} = {2 ** (60 + k)}*x{k + 1} + 1" for k in range(40)))
    ),
    "constraints": lambda: satisfy(
        parse(" and ".join(f"x{k} + x{j} + {k * j % 7}*y <= {k + j}" for k in range(60) for j in range(k))),
        Limits(constraints=1_000),
    ),
    "deadline": lambda: decide(
        parse(f"forall b. exists a0, a1, a2. forall a3, a4. {residues(5)}"), Limits(deadline=clock() + 3)
    ),
}


def peak() -> int:
    """The greatest number of kilobytes that this process has held so far, as Linux counts it.

    `resource.getrusage` would count what the parent held before this program was loaded.
    """
    (line,) = (line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM:"))
    return int(line.split()[1])


if __name__ == "__main__":
    print(json.dumps(["before", "", peak()]), flush=True)
    for name, explode in EXPLOSIONS.items():
        try:
            explode()
            reason = "ended"
        except LimitError as reached:
            reason = str(reached)
        print(json.dumps([name, reason, peak()]), flush=True)
