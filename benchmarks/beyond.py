"""How long the pairs of the suite `beyond` take, from the question to the audited verdict: median and slowest.

Run it from the root of the repository: `.venv/bin/python benchmarks/beyond.py`. The goals are a median of 100 ms and 10
seconds for the slowest pair. Pairs that the suite lists as undecided are counted apart. The exit status is 1 when a
verdict is wrong, or when a pair that has to be decided is not.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from statistics import median

from tallystick.experiments.questions import Options, Task, questions_of_suite
from tallystick.experiments.records import Record
from tallystick.experiments.running import decide_here
from tallystick.experiments.suites import load

MEDIAN_SECONDS, SLOWEST_SECONDS = 0.1, 10.0
SLOWEST = 8


def main() -> int:
    """Prints the slowest pairs, and the ratios to the goals; the exit status."""
    undecided = {pair.name for pair in load("beyond") if pair.undecided}
    records = decide_here([Task(question, Options()) for question in questions_of_suite("beyond")]).records
    listed = [record for record in records if record.pair in undecided]
    decided = sorted((record for record in records if record.pair not in undecided), key=lambda each: -each.seconds)
    for record in decided[:SLOWEST]:
        print(f"{record.seconds:6.2f} s  {record.verdict:12}  {record.pair}")
    _print("decided", decided)
    _print("listed as undecided", listed)
    failed = [record for record in decided if not record.is_right] + [record for record in listed if record.is_wrong]
    for record in failed:
        print(f"FAILED {record.pair}: {record.verdict}, but it is {record.expected}")
    return 1 if failed else 0


def _print(what: str, records: Sequence[Record]) -> None:
    times = [record.seconds for record in records]
    print(
        f"{len(records)} {what}: "
        f"median {1000 * median(times):.0f} ms, {median(times) / MEDIAN_SECONDS:.2f} of the goal; "
        f"slowest {max(times):.1f} s, {max(times) / SLOWEST_SECONDS:.2f} of the goal"
    )


if __name__ == "__main__":
    sys.exit(main())
