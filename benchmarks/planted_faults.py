"""Planted faults in stream programs: of how many seeds each is found, and whether its case ends at the known minimum.

Run it from the root of the repository: `.venv/bin/python benchmarks/planted_faults.py`, with `--engine` for some of the
engines, `--fault` for faults whose names contain a text (both as often as wanted), `--seeds` for their number, and
`--report` to read the report of the first seed that finds each fault. Wanted is that a fault is found in the default
number of examples for nine of ten seeds, and always ends at its minimum. The faults are those of
`tests/streaming/faults.py`; what was printed stands in `benchmarks/planted_faults.txt`.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from collections.abc import Sequence
from pathlib import Path

from tallystick.streaming.engines import ENGINES, make_engine

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
from streaming.faults import FAULTS, Attempt, attempt

HEAD = f"{'engine':11}{'fault':36}{'found':>8}{'minimum':>9}{'cases':>7}{'seconds':>9}"


def row(engine: str, name: str, attempts: Sequence[Attempt]) -> str:
    """One fault: seeds that found it, those that ended at the minimum, and the medians of cases and of seconds."""
    found = [each for each in attempts if each.report.failure is not None]
    cases = statistics.median(len(each.report.runs) for each in attempts)
    seconds = statistics.median(each.report.seconds for each in attempts)
    minimal = sum(each.is_minimal for each in found)
    return f"{engine:11}{name:36}{len(found):>5}/{len(attempts)}{minimal:>6}/{len(found)}{cases:>7.0f}{seconds:>9.1f}"


def is_as_wanted(attempts: Sequence[Attempt]) -> bool:
    """Whether nine of ten found the fault, and each of these ended at its minimum."""
    found = [each for each in attempts if each.report.failure is not None]
    return len(found) >= 0.9 * len(attempts) and all(each.is_minimal for each in found)


def main() -> None:
    """Print a row for each fault on each engine, and leave with status 1 if one is not as wanted."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--engine", action="append", choices=ENGINES)
    parser.add_argument("--fault", action="append")
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--report", action="store_true")
    chosen = parser.parse_args()
    print(HEAD)
    as_wanted = []
    for name in chosen.engine or ENGINES:
        with make_engine(name) as engine:
            for fault in FAULTS[name]:
                if not any(text in fault.name for text in chosen.fault or [""]):
                    continue
                attempts = [attempt(fault, engine, seed) for seed in range(chosen.seeds)]
                as_wanted.append(is_as_wanted(attempts))
                print(row(name, fault.name, attempts), flush=True)
                if chosen.report:
                    print(*[each.text for each in attempts if each.text][:1], "", sep="\n")
    print(f"{sum(as_wanted)} of {len(as_wanted)} are found by nine of ten seeds, and end at their minimum")
    sys.exit(not all(as_wanted))


if __name__ == "__main__":
    main()
