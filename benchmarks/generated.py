"""The share of generated pairs that are decided, against the share on record; no verdict may be wrong.

Run it from the root of the repository: `.venv/bin/python benchmarks/generated.py [PAIRS] [--record]`. A pair is a
random program with what meaning-preserving rewrites make of it, or with a mutation that an input tells apart. A verdict
is wrong when it is not the one that is known by construction, when both programs of an "equivalent" pair return
different lists on a small input, or when those of an "inequivalent" pair return the same on the certificate's input.
Programs are run on lists here (`experiments/brute_force.py`), not by the reference interpreter, on which certificates
rest. The exit status is 1 when a verdict is wrong. `--record` writes the share down in `benchmarks/generated.json`.
"""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from pathlib import Path
from statistics import median

from tallystick.certificates.codec import decode
from tallystick.experiments.brute_force import contradiction
from tallystick.experiments.generator import generated_questions
from tallystick.experiments.questions import Options, Task
from tallystick.experiments.records import Record
from tallystick.experiments.running import decide_here

PAIRS, SEED = 2000, 7
RECORD = Path(__file__).with_suffix(".json")


def main(pairs: int, keep: bool) -> int:
    """Decides pairs and prints what was found; the exit status."""
    questions = generated_questions(pairs, SEED)
    records = decide_here([Task(question, Options()) for question in questions]).records
    wrong = {}
    for question, record in zip(questions, records, strict=True):
        asked = decode((question.claim or "").encode())
        reason = contradiction(record, asked.left, asked.right)
        if reason:
            wrong[record.pair] = reason
    _print_classes(records, wrong)
    _print_reasons(records)
    for pair, reason in wrong.items():
        print(f"WRONG {pair}: {reason}")
    share = 100 * sum(record.verdict != "unknown" for record in records) / pairs
    print(f"\n{pairs} pairs of seed {SEED}: {share:.2f} % decided, {len(wrong)} wrong; {_compared(pairs, share)}")
    if keep and not wrong:
        RECORD.write_text(json.dumps({"seed": SEED, "pairs": pairs, "decided": round(share, 2)}) + "\n")
    return 1 if wrong else 0


def _print_classes(records: list[Record], wrong: dict[str, str]) -> None:
    classes: dict[str, list[Record]] = defaultdict(list)
    for record in records:
        classes[record.program_class or "–"].append(record)
    print(
        f"{'class':14} {'pairs':>6} {'=':>6} {'≠':>6} {'?':>4} {'wrong':>6} {'decided':>9} {'median':>8} {'longest':>8}"
    )
    for name, found in [*sorted(classes.items()), ("all", records)]:
        count = {verdict: sum(record.verdict == verdict for record in found) for verdict in ("equivalent", "unknown")}
        seconds = [record.seconds for record in found]
        print(
            f"{name:14} {len(found):6} {count['equivalent']:6} "
            f"{len(found) - count['equivalent'] - count['unknown']:6} {count['unknown']:4} "
            f"{sum(record.pair in wrong for record in found):6} {100 - 100 * count['unknown'] / len(found):7.2f} % "
            f"{1000 * median(seconds):5.0f} ms {max(seconds):6.1f} s"
        )


def _print_reasons(records: list[Record]) -> None:
    for record in records:
        if record.verdict == "unknown":
            print(f"unknown {record.pair}:")
            for method, reason in record.reasons.items():
                print(f"  {method}: {reason[:200]}")


def _compared(pairs: int, share: float) -> str:
    if not RECORD.exists():
        return "no share is on record"
    known = json.loads(RECORD.read_text())
    if (known["seed"], known["pairs"]) != (SEED, pairs):
        return f"on record are {known['decided']:.2f} % of {known['pairs']} pairs of seed {known['seed']}"
    return f"on record are {known['decided']:.2f} %, {share - known['decided']:+.2f} points"


if __name__ == "__main__":
    words = sys.argv[1:]
    numbers = [int(word) for word in words if word != "--record"]
    sys.exit(main(numbers[0] if numbers else PAIRS, "--record" in words))
