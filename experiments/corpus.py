"""Realistic functions on RDDs, each with a right and a wrong refactoring: how many are read, proved, refuted.

    python -m tallystick.experiments.corpus tests/corpus --spark

In the files of a folder, `name` stands beside `name_right`, which means the same, and `name_wrong`, which does not.
Both are compared with `name`. With --spark each counterexample runs on PySpark as well; --certificates FOLDER keeps the
certificates. --reader store asks one reader alone; --read-only decides nothing, and counts why functions are refused.
The exit status is 1 if a pair is decided wrongly.
"""

from __future__ import annotations

import argparse
import ast
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tallystick.core.errors import TallystickError
from tallystick.frontends.errors import SourceError
from tallystick.frontends.pyspark import SourceProgram
from tallystick.frontends.pyspark.program import read_text
from tallystick.frontends.rdd import read_program
from tallystick.frontends.rdd.program import read_on_store
from tallystick.replay import SparkReplayer

RIGHT, WRONG = "right", "wrong"
READERS: Final[dict[str, Callable[[str], SourceProgram]]] = {
    "both": read_program,
    "store": read_on_store,
    "text": read_text,
}
UNREAD, UNKNOWN, PROVED, REFUTED = "unread", "unknown", "proved", "refuted"


@dataclass(frozen=True, slots=True)
class Decided:
    """One pair: which it is, what came out, and why where nothing did."""

    name: str
    kind: str
    answer: str
    reason: str = ""
    confirmed: bool = False
    seconds: float = 0.0
    certificate: bytes | None = None

    @property
    def is_wrong(self) -> bool:
        """Whether the answer is not true."""
        return (self.kind, self.answer) in ((RIGHT, REFUTED), (WRONG, PROVED))


def functions(folder: Path) -> Iterator[tuple[Path, str]]:
    """The functions of a folder's files that have refactorings."""
    for path in sorted(folder.glob("*.py")):
        names = {each.name for each in ast.parse(path.read_text()).body if isinstance(each, ast.FunctionDef)}
        yield from ((path, name) for name in sorted(names) if {f"{name}_{RIGHT}", f"{name}_{WRONG}"} <= names)


def decide(
    path: Path, name: str, kind: str, timeout: float, replayer: SparkReplayer | None, reader: str = "both"
) -> Decided:
    """What `check` says about a function and one of its refactorings, as a reader reads them."""
    from tallystick.checking import check, check_programs

    before, after = f"{path}:{name}", f"{path}:{name}_{kind}"
    shown = f"{path.stem}:{name}"
    try:
        left, right = (READERS[reader](each) for each in (before, after))
        if reader == "both":
            replay = "reference" if replayer is None else "spark"
            verdict = check(before, after, timeout=timeout, replay=replay, replayer=replayer)
        else:
            verdict = check_programs(left, right, timeout=timeout)
    except TallystickError as error:
        return Decided(shown, kind, UNREAD, str(error))
    answer = {"equivalent": PROVED, "inequivalent": REFUTED}.get(verdict.verdict.value, UNKNOWN)
    reason = "\n".join(f"{who}: {why}" for who, why in verdict.reasons.items())
    if verdict.no_one_value:
        reason = "it has no one value: " + "; ".join(str(report) for report in verdict.no_one_value)[:300]
    on_spark = verdict.counterexample is not None and "spark" in verdict.counterexample.replayed_on
    return Decided(shown, kind, answer, reason, on_spark, verdict.seconds, verdict.certificate)


def refusals(folder: Path, reader: str, only: str = "") -> tuple[int, Counter[str]]:
    """How many functions of a folder there are, and how many a reader refuses, by cause."""
    total, causes = 0, Counter[str]()
    for path, name in functions(folder):
        for each in (name, f"{name}_{RIGHT}", f"{name}_{WRONG}") if only in f"{path.stem}:{name}" else ():
            total += 1
            try:
                READERS[reader](f"{path}:{each}")
            except SourceError as error:
                causes[error.message] += 1
    return total, causes


def main(arguments: list[str] | None = None) -> int:
    """Decide the pairs of a folder and print the table; returns the exit status."""
    parser = argparse.ArgumentParser(description="Decide realistic functions against their refactorings.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", default="", help="names that contain this")
    parser.add_argument("--spark", action="store_true", help="run counterexamples on PySpark")
    parser.add_argument("--timeout", type=float, default=20.0)
    parser.add_argument("--reasons", action="store_true", help="say why, for pairs that are not decided")
    parser.add_argument("--certificates", type=Path, help="a folder for the certificates")
    parser.add_argument("--reader", choices=READERS, default="both", help="which reader reads")
    parser.add_argument("--read-only", action="store_true", help="decide nothing; count why functions are refused")
    given = parser.parse_args(arguments)
    if given.spark and (given.read_only or given.reader != "both"):
        parser.error("counterexamples run on PySpark where both readers read")
    if given.read_only:
        total, causes = refusals(given.folder, given.reader, given.only)
        print(f"{given.reader}: {total - causes.total()} of {total} functions are read")
        print(*(f"{count:>6}  {cause}" for cause, count in causes.most_common()), sep="\n")
        return 0
    found: list[Decided] = []
    with ExitStack() as stack:
        replayer = stack.enter_context(SparkReplayer()) if given.spark else None
        for path, name in functions(given.folder):
            if given.only in f"{path.stem}:{name}":
                for kind in (RIGHT, WRONG):
                    found.append(decide(path, name, kind, given.timeout, replayer, given.reader))
                    _print_line(found[-1], given.reasons)
                    if given.certificates is not None:
                        _keep(found[-1], given.certificates)
    print(*_table(found), sep="\n")
    return int(any(each.is_wrong for each in found))


def _keep(decided: Decided, folder: Path) -> None:
    if decided.certificate is not None:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{decided.name.replace(':', '-')}-{decided.kind}.json").write_bytes(decided.certificate)


def _print_line(decided: Decided, reasons: bool) -> None:
    mark = "WRONG " if decided.is_wrong else ""
    spark = " on spark" if decided.confirmed else ""
    print(f"{decided.name:44} {decided.kind:6} {mark}{decided.answer}{spark} {decided.seconds:.1f} s", flush=True)
    if reasons and decided.answer in (UNREAD, UNKNOWN):
        print("\n".join(f"    {line}" for line in decided.reason.splitlines()[:12]), flush=True)


def _table(found: list[Decided]) -> Iterator[str]:
    """How many pairs of each kind came out how, and the shares of all functions."""
    counts = Counter((each.kind, each.answer) for each in found)
    total = len(found) // 2 or 1
    yield ""
    yield f"{'':12}{'pairs':>7}{'unread':>8}{'unknown':>9}{'proved':>8}{'refuted':>9}"
    for kind in (RIGHT, WRONG):
        of_kind = [counts[kind, answer] for answer in (UNREAD, UNKNOWN, PROVED, REFUTED)]
        yield f"{kind:12}{sum(of_kind):>7}{of_kind[0]:>8}{of_kind[1]:>9}{of_kind[2]:>8}{of_kind[3]:>9}"
    read = total - len({each.name for each in found if each.answer == UNREAD})
    confirmed = sum(each.confirmed for each in found if each.kind == WRONG)
    yield f"read {read} of {total} ({read / total:.0%}), right ones proved {counts[RIGHT, PROVED] / total:.0%}, "
    yield f"wrong ones refuted {counts[WRONG, REFUTED] / total:.0%}, confirmed on Spark {confirmed / total:.0%}, "
    yield f"decided wrongly {sum(each.is_wrong for each in found)}"


if __name__ == "__main__":
    sys.exit(main())
