"""Two-counter machines: the time to refute against the steps to halting, and program size against machine size.

Run as `python benchmarks/machines.py`. Each machine that halts is decided by the whole portfolio, and its
counterexample is replayed by the kernel. The aim is 1,000 steps within 10 s. The last column relates the time to that
of the run before with its number of steps: 1.0 means that time grows as the steps do.
"""

from __future__ import annotations

import time

from tallystick.certificates import refuting
from tallystick.core.terms import subterms
from tallystick.decision.outcome import Differs, Proved
from tallystick.decision.prover import Prover
from tallystick.decision.service.portfolio import decide
from tallystick.reductions import Machine, example, example_names, parse_machine, programs, pyspark_source, simulate

ROUNDS = (10, 33, 100, 333, 1_000, 3_333, 10_000, 30_000)
SIZES = (5, 10, 20, 40, 80)


def counting(rounds: int) -> Machine:
    """A machine that halts after 3 · rounds + 1 steps."""
    return parse_machine(f"c1 = {rounds}\nloop: dec c1 else done\ninc c2\njump loop\ndone: halt", f"counting {rounds}")


def straight(size: int) -> Machine:
    """A machine without loops."""
    lines = ["inc c1" if index % 2 else "dec c2 else end" for index in range(size)]
    return parse_machine("\n".join([*lines, "end: halt"]))


def refutation_times() -> None:
    """Prints how long machines with more and more steps take to refute."""
    print(f"{'steps':>8} {'decide':>9} {'replay':>9} {'per step':>10} {'growth':>7}")
    before = None
    for rounds in ROUNDS:
        left, right = programs(counting(rounds))
        steps = simulate(counting(rounds), 10 * rounds).steps
        started = time.perf_counter()
        outcome = decide(left, right, Prover()).outcome
        decided = time.perf_counter()
        if not isinstance(outcome, Differs):
            print(f"{steps:8} {decided - started:8.3f}s  not refuted: {outcome}")
            continue
        refuting.inequivalent(left, right, outcome.environment)
        replayed = time.perf_counter()
        per_step = (replayed - started) / steps
        growth = f"{per_step / before:7.2f}" if before else ""
        print(f"{steps:8} {decided - started:8.3f}s {replayed - decided:8.3f}s {per_step * 1e6:8.1f}µs {growth}")
        before = per_step


def sizes() -> None:
    """Prints how large the programs of larger and larger machines are."""
    print(f"\n{'instructions':>12} {'terms':>7} {'per instruction':>16} {'lines of PySpark':>17}")
    for size in SIZES:
        machine = straight(size)
        terms = sum(1 for _ in subterms(programs(machine)[0].expression))
        print(f"{size:12} {terms:7} {terms / size:16.1f} {pyspark_source(machine).count(chr(10)):17}")


def zoo() -> None:
    """Prints what the portfolio says about the examples."""
    print(f"\n{'example':20} {'instructions':>12} {'answer':>28} {'seconds':>8}")
    for name in example_names():
        started = time.perf_counter()
        outcome = decide(*programs(example(name)), Prover()).outcome
        seconds = time.perf_counter() - started
        match outcome:
            case Differs(environment):
                (bag,) = environment.values()
                answer = f"halts after {sum(bag.values())}"  # type: ignore[union-attr]
            case Proved(_, methods):
                answer = f"never: {methods[0]}"
            case _:
                answer = "unknown"
        print(f"{name:20} {len(example(name).instructions):12} {answer:>28} {seconds:8.2f}")


if __name__ == "__main__":
    refutation_times()
    sizes()
    zoo()
