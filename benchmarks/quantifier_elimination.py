"""Our Presburger procedure beside Z3, cvc5 and Z3's `qe`: `python benchmarks/quantifier_elimination.py --help`.

Families of growing size, then all premises of the suites. Each row of the families gives seconds of processor time (or
`-` for a time-out or an unknown), the ratio of our time to Z3's and, where free unknowns remain, the sizes of the
results of our elimination and of Z3's. Times include the translation to the solver's own terms. At the end stand the
two facts that the procedure is measured by: the longest premise, and the median ratio to Z3's time.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import NamedTuple

import click
from rich.console import Console
from rich.table import Table
from tallystick.core.answers import Answer, NoAnswer
from tallystick.core.clock import clock
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
from tallystick.core.solvers.door import NAMES, solver
from tallystick.core.terms import Term
from tallystick.decision.prover import Prover
from tallystick.decision.service.settle import settle
from tallystick.experiments.elimination_plot import Panel, plot_families
from tallystick.experiments.suites import load
from tallystick.frontends.rdd import read_program


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
    deadline = clock() + seconds
    start = time.process_time()
    if not problem.is_open:
        answer: Answer = solver(name).truth(problem.formula, deadline)
        return Timing(None if isinstance(answer, NoAnswer) else time.process_time() - start)
    if name == "cooper":
        limits = Limits(deadline=deadline)
        try:
            found = eliminate(problem.formula, limits)
        except LimitError:
            return Timing(None)
        return Timing(time.process_time() - start, size(found))
    if name == "z3-qe":
        result = z3_qe.eliminate(problem.formula, deadline)
        if not isinstance(result, NoAnswer):
            return Timing(time.process_time() - start, z3_qe.result_size(result))
    return Timing(None)


def prove(name: str, premise: Term, seconds: float) -> Timing:
    """One solver on one premise of a suite."""
    start = time.process_time()
    answer = solver(name).validity(premise, clock() + seconds)
    return Timing(None if isinstance(answer, NoAnswer) else time.process_time() - start)


PREMISES = "premises answered (number)"


class Measured(NamedTuple):
    """The timings of all solvers on the problems of a family, each with the problem's parameter."""

    family: str
    order: str
    is_open: bool
    problems: list[tuple[int, dict[str, Timing]]]

    def asks(self, name: str) -> bool:
        """Whether the solver is for these problems: two of them leave free unknowns alone."""
        return not (self.is_open and name in ("z3", "cvc5"))

    def ratios(self) -> list[float]:
        """Our time over Z3's on the problems that both answer."""
        pairs = [(timings["cooper"].seconds, timings["z3"].seconds) for _, timings in self.problems]
        return [ours / theirs for ours, theirs in pairs if ours is not None and theirs]

    def seconds(self, name: str) -> list[float]:
        """The times of a solver on the problems that it answers."""
        return [found for _, timings in self.problems if (found := timings[name].seconds) is not None]

    def panel(self) -> Panel:
        """What the figure shows of it: of premises how many each solver answers in what time."""
        asked = {name: self.problems if self.asks(name) else [] for name in NAMES}
        times = {name: [(place, t[name].seconds) for place, t in found] for name, found in asked.items()}
        if self.order == PREMISES:
            times = {name: [*enumerate(sorted(self.seconds(name)), start=1)] for name in NAMES}
        return Panel(self.family, self.order, times)


def measure_families(seconds: float) -> list[Measured]:
    """All families, in order."""
    found: dict[str, Measured] = {}
    for problem in problems():
        measured = found.setdefault(
            problem.family, Measured(problem.family, _order(problem.family), problem.is_open, [])
        )
        measured.problems.append((problem.parameter, {name: run(name, problem, seconds) for name in NAMES}))
    return list(found.values())


def measure_premises(seconds: float) -> list[Measured]:
    """All premises of each suite."""
    return [
        Measured(
            suite, PREMISES, False, [(i, {n: prove(n, term, seconds) for n in NAMES}) for i, term in enumerate(terms)]
        )
        for suite, terms in premises().items()
    ]


def _order(family: str) -> str:
    return "a" if "a" in family.split() or "a·x" in family else "n"


def print_problems(console: Console, families: list[Measured]) -> None:
    """A row for each problem."""
    table = Table("family", "n", *NAMES, "cooper/z3", title="Processor seconds (size of the result)", width=100)
    for measured in families:
        for index, (parameter, timings) in enumerate(measured.problems):
            ours, theirs = timings["cooper"].seconds, timings["z3"].seconds
            ratio = "" if ours is None or not theirs else f"{ours / theirs:.2f}"
            family = "" if index else measured.family
            table.add_row(family, str(parameter), *(_cell(timings[name]) for name in NAMES), ratio)
    console.print(table)


def print_families(console: Console, families: list[Measured]) -> None:
    """A row for each family: how many problems each solver leaves unanswered, and where our time is less than Z3's."""
    title = "Problems without an answer; our time over Z3's"
    table = Table("family", "problems", *NAMES, "median cooper/z3", "quicker", title=title, width=100)
    table.columns[0].no_wrap = True
    for measured in families:
        ratios = measured.ratios()
        count = len(measured.problems)
        missing = [str(count - len(measured.seconds(name))) if measured.asks(name) else "" for name in NAMES]
        middle = f"{median(ratios):.2f}" if ratios else ""
        quicker = f"{sum(ratio < 1 for ratio in ratios)} of {len(ratios)}" if ratios else ""
        table.add_row(measured.family, str(count), *missing, middle, quicker)
    console.print(table)


def print_premises(console: Console, suites: list[Measured]) -> None:
    """A row for each suite and solver: the median, the longest and the sum of the times of all premises."""
    table = Table("suite", "premises", "solver", "median ms", "longest ms", "all s", "no answer", title="Premises")
    for measured in suites:
        count = len(measured.problems)
        for name in NAMES:
            times = measured.seconds(name)
            numbers = (f"{1000 * median(times):.1f}", f"{1000 * max(times):.1f}", f"{sum(times):.2f}")
            table.add_row(measured.family, str(count), name, *numbers, str(count - len(times)))
    console.print(table)


def print_facts(console: Console, families: list[Measured], suites: list[Measured]) -> None:
    """The longest premise, and the median ratio to Z3."""
    times = [seconds for measured in suites for seconds in measured.seconds("cooper")]
    count = sum(len(measured.problems) for measured in suites)
    console.print(
        f"longest premise: {1000 * max(times):.1f} ms, of {len(times)} answered among {count} (aim: under 50)"
    )
    for of, groups in (("premises", suites), ("problems of the families", families)):
        ratios = [ratio for measured in groups for ratio in measured.ratios()]
        console.print(
            f"median of our time over Z3's: {median(ratios):.2f} on {len(ratios)} {of} that both answer (aim: under 20)"
        )


def _cell(timing: Timing) -> str:
    shown = "-" if timing.seconds is None else f"{timing.seconds:.4f}"
    return shown if timing.size is None else f"{shown} ({timing.size})"


@click.command()
@click.option("--seconds", type=click.FloatRange(min=0.01), default=5, show_default=True, help="For each problem.")
@click.option("--plot", type=click.Path(dir_okay=False, path_type=Path), help="Write a figure: .pdf, .png or .svg.")
def main(seconds: float, plot: Path | None) -> None:
    """Time our procedure and the solvers on families of growing size, and on the premises of the suites."""
    console = Console(width=100)
    families = measure_families(seconds)
    print_problems(console, families)
    print_families(console, families)
    suites = measure_premises(seconds)
    print_premises(console, suites)
    print_facts(console, families, suites)
    if plot is not None:
        plot_families([measured.panel() for measured in (*families, *suites)], seconds, plot)
        console.print(f"figure: {plot}")


if __name__ == "__main__":
    main()
