"""How long `tallystick check` takes as a process of its own, for each of the 23 pairs of CAV 2017 and pairs of queries.

    python benchmarks/cold_check.py [REPETITIONS] [--beside PYTHON]

Nothing is warm. Prints the fastest of some runs of each pair, wall and processor time of the command with the prover
that it starts. With `--beside`, the runs of another installation, such as one of an earlier state, stand beside them;
they take turns, so that both meet the same load.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import click
from tallystick.experiments.suites import load

REPETITIONS = 5
LIMIT = 0.4
"""Seconds that a pair should take at most, on an idle machine."""


EXAMPLES = Path(__file__).parents[1] / "examples" / "sql"
QUERIES = ("shipped", "shipped_wrong"), ("shipped", "shipped_faster"), ("revenue", "revenue_without_customers")
"""Pairs of queries among the examples."""


def cold(python: str, arguments: tuple[str, ...]) -> tuple[float, float]:
    """Wall and processor seconds of one run."""
    before, started = _processor_seconds(), time.perf_counter()
    command = [python, "-m", "tallystick", "check", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    seconds = time.perf_counter() - started
    if done.returncode not in (0, 1):
        raise SystemExit(f"{' '.join(arguments)}: {done.stdout}{done.stderr}")
    return seconds, _processor_seconds() - before


def _processor_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def pairs() -> Iterator[tuple[str, tuple[str, ...]]]:
    """The pairs, and what the command is told about them."""
    for left, right in QUERIES:
        paths = tuple(str(EXAMPLES / f"{name}.sql") for name in (left, right, "schema"))
        yield f"{left}/{right}", (*paths[:2], "--schema", paths[2])
    for pair in load("sparklite-cav"):
        yield pair.name, (pair.left, pair.right, "--semantics", "sparklite")


@click.command()
@click.argument("repetitions", default=REPETITIONS)
@click.option("--beside", metavar="PYTHON", help="the interpreter of another installation")
def main(repetitions: int, beside: str | None) -> None:
    """Print a line for each pair, and the slowest."""
    pythons = [sys.executable, *([beside] if beside else [])]
    slowest = 0.0
    title = "   wall  processor  " * len(pythons)
    print(f"cold check, the fastest of {repetitions} runs (load {os.getloadavg()[0]:.1f})\n{title}pair")
    for name, arguments in pairs():
        runs = [[cold(python, arguments) for python in pythons] for _ in range(repetitions)]
        times = [tuple(map(min, zip(*each, strict=True))) for each in zip(*runs, strict=True)]
        slowest = max(slowest, times[0][0])
        print("".join(f"{wall:6.3f} s  {processor:6.3f} s  " for wall, processor in times) + name, flush=True)
    print(f"the slowest takes {slowest:.3f} s, of {LIMIT} s")


if __name__ == "__main__":
    main()
