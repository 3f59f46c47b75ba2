"""The Coq development measured: its lines, how long it builds, and how long certificates take in Coq and in OCaml.

Run it from the root of the repository, after `make coq`: `.venv/bin/python benchmarks/coq.py [FOLDER…]`. The
certificates are those in the folders; without any, the four suites are decided first, and 500 generated pairs. What the
development does not cover is counted and named. Times of the build and of Coq are seconds of all processors' time, and
those of the extracted auditor milliseconds a certificate.
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
from tallystick.certificates.exports.auditors import (
    CLOSED,
    DEVELOPMENT,
    STATEMENTS,
    TRANSLATED,
    compiled,
    opinions_of_ocaml,
)
from tallystick.certificates.exports.coq import batch, module_lines, theorem
from tallystick.certificates.proofs import Certificate
from tallystick.core.errors import FragmentError
from tallystick.experiments.generator import generated_questions
from tallystick.experiments.questions import Options, Question, Task, questions_of_suite
from tallystick.experiments.running import decide_here
from tallystick.theorems import encoded_for_ocaml, with_covered_rules

SUITES = ("sparklite-cav", "sparklite-tr", "errata", "beyond")
GENERATED, SEED = 500, 17
AT_ONCE = 400
"""How many certificates go into one file."""
ALONE = 10
"""How many are measured in a file of their own."""


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
    if done.returncode or set(done.stdout.split("\n")) != {CLOSED, ""}:
        raise SystemExit(done.stderr[-2000:])


def decided(questions: list[Question], folder: Path) -> None:
    """Writes a certificate for each question that is decided."""
    folder.mkdir()
    for number, record in enumerate(decide_here([Task(question, Options()) for question in questions]).records):
        if record.certificate is not None:
            (folder / f"{number:04}.json").write_text(record.certificate, encoding="ascii")


def measure(name: str, paths: list[Path]) -> None:
    """What Coq and the extracted auditor say of certificates, and how long they take."""
    covered: dict[Path, Certificate] = {}
    reasons: Counter[str] = Counter()
    for path in paths:
        try:
            certificate = with_covered_rules(decode(path.read_bytes()))
            module_lines(certificate)
        except FragmentError as error:
            reasons[str(error)] += 1
        else:
            covered[path] = certificate
    print(f"\n{name}: {len(paths)} certificates")
    for reason, count in reasons.items():
        print(f"  {count} not covered: {reason}")
    certificates = [*covered.values()]
    parts = [certificates[start : start + AT_ONCE] for start in range(0, len(certificates), AT_ONCE)]
    times = [seconds(lambda part=part: accepted(batch(part))) for part in parts]
    print(f"  {len(covered)} are closed theorems, in batches of {AT_ONCE} in {sum(times):.1f} s")
    alone = [seconds(lambda one=one: accepted(theorem(one))) for one in certificates[:ALONE]]
    print(f"  one alone: {median(alone):.1f} s (median of {len(alone)}), {max(alone):.1f} s at most")
    translations = {path.read_bytes(): each for path, each in covered.items()}

    def translated_once(data: bytes) -> bytes:
        if data not in translations:
            raise FragmentError("no theorem")
        return encoded_for_ocaml(translations[data])

    opinions = opinions_of_ocaml(paths, translated_once)
    for opinion in opinions:
        if not opinion.accepted:
            print(f"  extracted: {opinion}")
    found = [opinion for opinion in opinions if opinion.accepted]
    each = sorted(opinion.milliseconds for opinion in found)
    translated = sum(opinion.reason == TRANSLATED for opinion in found)
    print(f"  extracted: {len(found)} accepted, {translated} of them {TRANSLATED}")
    print(f"  in {median(each):.2f} ms each (median), {each[-1]:.0f} ms at most")


def main(folders: list[Path]) -> None:
    """Measures, and prints."""
    sources = [path for path in sorted(DEVELOPMENT.rglob("*.v")) if path.parent.name != "extraction"]
    lines = {str(path.relative_to(DEVELOPMENT)): len(path.read_text(encoding="utf-8").splitlines()) for path in sources}
    print(f"{sum(lines.values())} lines in {len(lines)} files")
    print(f"what a sceptic reads: {', '.join(f'{lines[file]} lines of {file}' for file, _ in STATEMENTS)}")
    print(f"the library builds in {seconds(build):.0f} s")
    with TemporaryDirectory() as temporary:
        for name in () if folders else SUITES:
            decided(questions_of_suite(name), Path(temporary) / name)
        measure("folders" if folders else "four suites", sorted(found(folders or [Path(temporary)])))
        if not folders:
            decided(generated_questions(GENERATED, SEED), Path(temporary) / "generated")
            measure("generated", sorted(found([Path(temporary) / "generated"])))


def found(folders: list[Path]) -> list[Path]:
    """The certificates in folders."""
    return [path for folder in folders for path in folder.rglob("*.json")]


if __name__ == "__main__":
    main([Path(each) for each in sys.argv[1:]])
