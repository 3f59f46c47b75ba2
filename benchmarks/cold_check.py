"""How long `tallystick check` takes as a process of its own, for each of the 23 pairs of CAV 2017: nothing is warm.

    python benchmarks/cold_check.py [REPETITIONS]

Prints the fastest of some runs of each pair, wall and processor time of the command with the prover that it starts.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import time

from tallystick.experiments.suites import load

REPETITIONS = 5
LIMIT = 0.4
"""Seconds that a pair should take at most, on an idle machine."""


def cold(left: str, right: str) -> tuple[float, float]:
    """Wall and processor seconds of one run."""
    before, started = _processor_seconds(), time.perf_counter()
    command = [sys.executable, "-m", "tallystick", "check", left, right, "--semantics", "sparklite"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    seconds = time.perf_counter() - started
    if done.returncode not in (0, 1):
        raise SystemExit(f"{left} {right}: {done.stdout}{done.stderr}")
    return seconds, _processor_seconds() - before


def _processor_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main() -> None:
    """Prints a line for each pair, and the slowest."""
    repetitions = int(sys.argv[1]) if len(sys.argv) > 1 else REPETITIONS
    slowest = 0.0
    print(f"cold check, the fastest of {repetitions} runs (load {os.getloadavg()[0]:.1f})\n   wall  processor  pair")
    for pair in load("sparklite-cav"):
        runs = [cold(pair.left, pair.right) for _ in range(repetitions)]
        wall, processor = (min(times) for times in zip(*runs, strict=True))
        slowest = max(slowest, wall)
        print(f"{wall:6.3f} s  {processor:6.3f} s  {pair.name}", flush=True)
    print(f"the slowest takes {slowest:.3f} s, of {LIMIT} s")


if __name__ == "__main__":
    main()
