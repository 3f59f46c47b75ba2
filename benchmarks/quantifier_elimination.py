"""Our Presburger procedure beside Z3, cvc5 and Z3's `qe`: `python benchmarks/quantifier_elimination.py [--seconds S]`.

Families of growing size, then all premises of the suites. Each row of the families gives seconds (or `-` for a
time-out or an unknown), then the ratio of our time to Z3's and, where free unknowns remain, the sizes of the results of
our elimination and of Z3's. Times include the translation to the solver's own terms.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from itertools import pairwise
from statistics import median
from typing import NamedTuple

import click
from rich.console import Console
from rich.table import Table
from tallystick.core.answers import Answer, Unknown
from tallystick.core.presburger.formulas import (
    Exists,
    Forall,
    Formula,
    at_most,
    conjunction,
    disjunction,
    divides,
    size,
)
from tallystick.core.presburger.lift import eliminate
from tallystick.core.presburger.limits import LimitError, Limits
from tallystick.core.presburger.linear import combine, constant, unknown
from tallystick.core.presburger.syntax import parse
from tallystick.core.solvers import z3_qe
from tallystick.core.solvers.interface import NAMES, solver
from tallystick.core.terms import Term
from tallystick.decision.prover import Prover
from tallystick.decision.settle import settle
from tallystick.experiments.suites import load
from tallystick.frontends.pyspark import read_program


class Problem(NamedTuple):
    """A sentence to decide, or a formula with free unknowns to eliminate quantifiers from."""

    family: str
    parameter: int
    formula: Formula
    is_open: bool = False


def stamps(largest: int) -> Iterator[Problem]:
    """Every number from the Frobenius number on is a sum of two stamps."""
    for a in range(3, largest, 4):
        b = a + 1
        bound = a * b - a - b
        text = f"forall n. n > {bound} => exists x, y. x >= 0 and y >= 0 and n = {a}*x + {b}*y"
        yield Problem("stamps a, a + 1", a, parse(text))


def random_sentence(seed: int, atoms: int, coefficient: int, unknowns: int, alternate: bool) -> Formula:
    """A random combination of atoms under a prefix of quantifiers, alternating or all existential."""
    source = random.Random(seed)
    names = [f"x{index}" for index in range(unknowns)]
    parts: list[Formula] = []
    for _ in range(atoms):
        term = constant(source.randint(-3 * coefficient, 3 * coefficient))
        for name in source.sample(names, min(3, unknowns)):
            term = combine(1, term, source.randint(-coefficient, coefficient), unknown(name))
        parts.append(divides(source.randint(2, coefficient), term) if source.random() < 0.2 else at_most(term))
    pairs = [disjunction(parts[index : index + 2]) for index in range(0, atoms, 2)]
    formula = conjunction(pairs)
    for index, name in enumerate(names):
        formula = (Forall if alternate and index % 2 else Exists)((name,), formula)
    return formula


def growing(family: str, values: range, make: Callable[[int, int], Formula], seeds: int = 3) -> Iterator[Problem]:
    """`seeds` random problems for each value of the parameter that grows."""
    for value in values:
        for seed in range(seeds):
            yield Problem(family, value, make(1000 * value + seed, value))


def congruences(largest: int) -> Iterator[Problem]:
    """Large moduli that residues settle without walking through a period."""
    for digits in range(2, largest):
        d, e = 10**digits + 1, 10**digits + 3
        text = f"forall a, b. exists x. {d} | x - a and {e} | x - {2 if d % 2 else 1}*b"
        yield Problem("congruences of n digits", digits, parse(text))


def between(largest: int) -> Iterator[Problem]:
    """∃x between fractions of free unknowns."""
    for a in range(2, largest):
        yield Problem("a·x between free bounds", a, parse(f"exists x. u <= {a}*x and {a + 1}*x <= v"), is_open=True)


def blocks(largest: int) -> Iterator[Problem]:
    """A block of unknowns, each next to the one before it."""
    for length in range(2, largest):
        names = [f"x{index}" for index in range(length)]
        chain = " and ".join(f"2*{left} <= {right} <= 2*{left} + 1" for left, right in pairwise(names))
        text = f"exists {', '.join(names)}. {names[0]} = u and {names[-1]} = v and {chain}"
        yield Problem("doubling n times", length, parse(text), is_open=True)


def problems() -> Iterator[Problem]:
    """All families."""
    yield from stamps(16)
    yield from growing("n atoms", range(4, 17, 4), lambda seed, n: random_sentence(seed, n, 6, 3, False))
    yield from growing("coefficients up to n", range(5, 41, 10), lambda seed, n: random_sentence(seed, 6, n, 3, False))
    yield from growing("n unknowns", range(2, 9, 2), lambda seed, n: random_sentence(seed, 8, 5, n, False))
    yield from growing("n alternations", range(1, 4), lambda seed, n: random_sentence(seed, 5, 5, n + 1, True))
    yield from congruences(8)
    yield from between(9)
    yield from blocks(7)


def premises() -> dict[str, list[Term]]:
    """What has to be proved or refuted for the pairs of each suite, once for each formula."""
    found: dict[str, list[Term]] = {}
    for suite in ("sparklite-cav", "sparklite-tr"):
        formulas: dict[Term, None] = {}
        for pair in load(suite):
            left, right = read_program(pair.left), read_program(pair.right)
            prover = Prover()
            settle(left.program, right.program, (left.source, right.source), prover)
            formulas.update(dict.fromkeys(prover.answers))
        found[suite] = list(formulas)
    return found


class Timing(NamedTuple):
    """Seconds, None for a time-out or an unknown; and the size of the result where there is one."""

    seconds: float | None
    size: int | None = None


def run(name: str, problem: Problem, seconds: float) -> Timing:
    """One solver on one problem; open formulas are for the two that eliminate quantifiers."""
    deadline = time.monotonic() + seconds
    start = time.perf_counter()
    if not problem.is_open:
        answer: Answer = solver(name).truth(problem.formula, deadline)
        return Timing(None if isinstance(answer, Unknown) else time.perf_counter() - start)
    if name == "cooper":
        limits = Limits(deadline=deadline)
        try:
            found = eliminate(problem.formula, limits)
        except LimitError:
            return Timing(None)
        return Timing(time.perf_counter() - start, size(found))
    if name == "z3-qe":
        result = z3_qe.eliminate(problem.formula, deadline)
        if not isinstance(result, Unknown):
            return Timing(time.perf_counter() - start, z3_qe.result_size(result))
    return Timing(None)


def print_premises(console: Console, seconds: float) -> None:
    """For each suite and solver: the median, the longest and the sum of the times of all premises."""
    table = Table("suite", "premises", "solver", "median ms", "longest ms", "all s", "unknown", title="Premises")
    for suite, formulas in premises().items():
        for name in NAMES:
            deciding = solver(name)
            times: list[float] = []
            unknown_ = 0
            for formula in formulas:
                start = time.perf_counter()
                answer = deciding.validity(formula, time.monotonic() + seconds)
                times.append(time.perf_counter() - start)
                unknown_ += isinstance(answer, Unknown)
            numbers = (f"{1000 * median(times):.1f}", f"{1000 * max(times):.1f}", f"{sum(times):.2f}")
            table.add_row(suite, str(len(formulas)), name, *numbers, str(unknown_))
    console.print(table)


def _cell(timing: Timing) -> str:
    shown = "-" if timing.seconds is None else f"{timing.seconds:.4f}"
    return shown if timing.size is None else f"{shown} ({timing.size})"


@click.command()
@click.option("--seconds", type=click.FloatRange(min=0.01), default=5, show_default=True, help="For each problem.")
def main(seconds: float) -> None:
    """Time our procedure and the solvers on families of growing size, and on the premises of the suites."""
    table = Table("family", "n", *NAMES, "cooper/z3", title="Seconds (size of the result)", width=100)
    ratios: list[float] = []
    last = ""
    for problem in problems():
        timings = {name: run(name, problem, seconds) for name in NAMES}
        ours, theirs = timings["cooper"].seconds, timings["z3"].seconds
        ratio = ours / theirs if ours is not None and theirs is not None else None
        if ratio is not None:
            ratios.append(ratio)
        family = problem.family if problem.family != last else ""
        last = problem.family
        cells = [_cell(timings[name]) for name in NAMES]
        table.add_row(family, str(problem.parameter), *cells, "" if ratio is None else f"{ratio:.2f}")
    console = Console(width=100)
    console.print(table)
    console.print(f"median of our time over Z3's: {median(ratios):.2f} on {len(ratios)} problems that both answer")
    print_premises(console, seconds)


if __name__ == "__main__":
    main()
