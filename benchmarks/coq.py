"""The Coq development measured: its lines, how long it builds, and how long certificates take in Coq and in OCaml.

Run it from the root of the repository, after `make coq`: `.venv/bin/python benchmarks/coq.py [FOLDER…]`. The
certificates are those in the folders, by default the paper's samples; what the development does not cover is counted
and named. Times of the build and of Coq are seconds of all processors' time, those of the extracted auditor
milliseconds a certificate.
"""

from __future__ import annotations

import resource
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from tallystick.certificates.codec import decode
from tallystick.certificates.exports.auditors import CLOSED, DEVELOPMENT, EXTRACTED, ROOT, compiled
from tallystick.certificates.exports.coq import batch, theorem
from tallystick.certificates.proofs import Certificate
from tallystick.core.errors import FragmentError


def seconds(action: Callable[[], object]) -> float:
    """Processor time of the processes that an action starts."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    action()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def build() -> None:
    """Builds the library from nothing, elsewhere."""
    with TemporaryDirectory() as folder:
        copy = shutil.copytree(DEVELOPMENT, Path(folder) / "coq", ignore=shutil.ignore_patterns("*.vo*", ".depend"))
        subprocess.run(["make", "-C", copy, "library"], check=True, capture_output=True)


def accepted(text: str) -> None:
    """Fails unless Coq accepts a file, and its theorems are closed."""
    done = compiled(text, seconds=600)
    if done.returncode or CLOSED not in done.stdout:
        raise SystemExit(done.stderr[-2000:])


def main(folders: list[Path]) -> None:
    """Measures, and prints."""
    sources = sorted(DEVELOPMENT.glob("*.v"))
    lines = {path.stem: len(path.read_text(encoding="utf-8").splitlines()) for path in sources}
    print(f"{sum(lines.values())} lines in {len(lines)} files; what a sceptic reads: {lines['Semantics']}")
    print(f"the library builds in {seconds(build):.0f} s")
    paths = [path for folder in folders for path in sorted(folder.rglob("*.json"))]
    covered: list[Certificate] = []
    reasons: Counter[str] = Counter()
    for path in paths:
        certificate = decode(path.read_bytes())
        try:
            theorem(certificate)
        except FragmentError as error:
            reasons[str(error)] += 1
        else:
            covered.append(certificate)
    for reason, count in reasons.items():
        print(f"{count} not covered: {reason}")
    print(
        f"{len(covered)} of {len(paths)} certificates in one batch: {seconds(lambda: accepted(batch(covered))):.1f} s"
    )
    print(f"one alone: {seconds(lambda: accepted(theorem(covered[0]))):.1f} s")
    done = subprocess.run([EXTRACTED, *paths], capture_output=True, text=True, check=False)
    rows = [line.split("\t") for line in done.stdout.splitlines()]
    times = [float(row[1]) for row in rows if row[0] == "accepted"]
    print(f"extracted: {len(times)} of {len(paths)} accepted; a certificate takes {median(times):.2f} ms (median)")


if __name__ == "__main__":
    main([Path(each) for each in sys.argv[1:]] or [ROOT / "paper" / "certificates"])
