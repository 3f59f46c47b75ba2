"""How fast what a user calls is, commit by commit: each run adds a line to history.jsonl.

    python benchmarks/history.py [WORKLOAD…] [--rounds 3] [--dry]

Times are of the processor, child processes included, from the texts to the verdict with its certificate: the shortest
of some rounds. Each is divided by that of a fixed computation in the same rounds, so that lines hold on any machine.
What has become slower by a tenth since the last line, or decides less, is measured once more, and printed if that shows
it again. `python docs/generate.py` makes a page of the lines.
"""

from __future__ import annotations

import gc
import json
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Final

import click
from tallystick import Answer, check_sql
from tallystick.experiments.queries.families import FAMILIES, SCHEMA
from tallystick.experiments.sql_suites.sources import own_records
from tallystick.experiments.suites import load

HISTORY: Final = Path(__file__).with_name("history.jsonl")
SQL: Final = Path(__file__).parents[1] / "examples" / "sql"
SLOWER: Final = 1.1
"""So much slower than before is told."""
SIZE: Final = 8
"""Of the pairs of families."""
EVERY: Final = 7
"""One of so many pairs of our own suite is decided."""

Workload = Callable[[], int]
"""Does its work, and returns how many pairs it has decided, or commands that ended as they should."""
Measured = Mapping[str, tuple[float, int]]
"""The ratio of a workload to the reference, and how much it has decided."""


def reference() -> int:
    """What everything is compared with: objects, dictionaries and whole numbers. It never changes."""
    seen: dict[tuple[int, int], list[int]] = {}
    number = 1
    for step in range(60_000):
        number = (number * 48_271 + step) % 2_147_483_647
        seen.setdefault((number % 97, number % 89), []).append(number)
    return sum(len(each) > 0 for each in sorted(seen.values()))


def command(arguments: Sequence[str], status: int = 0) -> int:
    """A command as a process of its own; whether it ends with a status."""
    done = subprocess.run([sys.executable, "-m", "tallystick", *arguments], capture_output=True, check=False)
    return int(done.returncode == status)


def own_pairs(expected: str) -> int:
    """Some pairs of our own suite that are equivalent, or inequivalent."""
    records = [each for each in own_records() if each.expected == expected][::EVERY]
    return sum(
        check_sql(data["q1"], data["q2"], schema=data["schema"], dialect=data["dialect"], timeout=2).verdict == expected
        for data in (record.data for record in records)
    )


def family(name: str) -> int:
    """One pair of a family."""
    return check_sql(*FAMILIES[name](SIZE), schema=SCHEMA, timeout=10).verdict is not Answer.UNKNOWN


def workloads(certificates: Path) -> dict[str, Workload]:
    """All of them by name; some audit certificates that are in a folder, which is filled here."""
    before, after, wrong, schema = (
        str(SQL / f"{name}.sql") for name in ("shipped", "shipped_faster", "shipped_wrong", "schema")
    )
    rdds = {pair.name: (pair.left, pair.right) for pair in load("sparklite-cav")}
    told = str(certificates / "query.json"), str(certificates / "program.json")
    command(["check", before, after, "--schema", schema, "--certificate", told[0]])
    command(["check", *rdds["P1/P2"], "--semantics", "sparklite", "--certificate", told[1]])
    cold: dict[str, Workload] = {
        "version": partial(command, ["--version"]),
        "help": partial(command, ["--help"]),
        "check of equal queries": partial(command, ["check", before, after, "--schema", schema]),
        "check of other queries": partial(command, ["check", before, wrong, "--schema", schema], 1),
        "check of equal RDDs": partial(command, ["check", *rdds["P1/P2"], "--semantics", "sparklite"]),
        "check of other RDDs": partial(command, ["check", *rdds["P1/P2'"], "--semantics", "sparklite"], 1),
        "audit of queries": partial(command, ["audit", told[0]]),
        "audit of RDDs": partial(command, ["audit", told[1]]),
    }
    warm: dict[str, Workload] = {f"{kind} queries": partial(own_pairs, kind) for kind in ("equivalent", "inequivalent")}
    return {**cold, **warm, **{f"{name} of {SIZE}": partial(family, name) for name in FAMILIES}}


def seconds(workload: Workload) -> tuple[float, int]:
    """Seconds of the processor, and what the workload returns; old garbage is left alone."""
    gc.collect()
    gc.freeze()
    before = used()
    done = workload()
    return used() - before, done


def used() -> float:
    """Seconds of the processor so far, child processes that have ended included."""
    both = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(each.ru_utime + each.ru_stime for each in both)


def measured(chosen: Mapping[str, Workload], rounds: int) -> Measured:
    """What some workloads take, and decide at least, in so many rounds with the reference."""
    found: dict[str, tuple[float, int]] = {}
    for name, workload in chosen.items():
        runs = [(seconds(reference)[0], *seconds(workload))]
        while len(runs) < rounds and runs[-1][-1]:  # what decides nothing takes its whole limit
            runs.append((seconds(reference)[0], *seconds(workload)))
        basis, taken, done = zip(*runs, strict=True)
        found[name] = round(min(taken) / min(basis), 2), min(done)
    return found


def worse(now: Measured, before: Measured) -> list[str]:
    """What is slower than before by a tenth, or decides less."""
    return [
        name
        for name, (ratio, done) in now.items()
        if name in before and (ratio > SLOWER * before[name][0] or done < before[name][1])
    ]


def lines() -> list[dict[str, object]]:
    """What was measured so far."""
    return [json.loads(line) for line in HISTORY.read_text("utf-8").splitlines()] if HISTORY.exists() else []


def last(entries: Iterable[Mapping[str, object]]) -> Measured:
    """The last ratio of each workload."""
    found: dict[str, tuple[float, int]] = {}
    for entry in entries:
        found |= entry["measured"]  # type: ignore[operator]
    return found


def commit() -> str:
    """The commit, with a plus where files differ from it, and its day."""
    said = ["git", "-C", str(HISTORY.parent)]
    changed = subprocess.run([*said, "diff", "--quiet", "HEAD"], check=False).returncode
    shown = subprocess.run([*said, "log", "-1", "--format=%h%x00%as"], capture_output=True, text=True, check=True)
    name, day = shown.stdout.strip().split("\0")
    return f"{name}{'+' * bool(changed)} {day}"


@click.command()
@click.argument("names", nargs=-1, metavar="[WORKLOAD…]")
@click.option("--rounds", default=3, help="the shortest of so many counts")
@click.option("--dry", is_flag=True, help="add no line")
def main(names: tuple[str, ...], rounds: int, dry: bool) -> None:
    """Print a line for each workload, and what has become slower."""
    before = last(lines())
    with tempfile.TemporaryDirectory() as folder:
        all_of_them = workloads(Path(folder))
        chosen = {name: all_of_them[name] for name in names or all_of_them}
        now = dict(measured(chosen, rounds))
        if suspects := worse(now, before):
            again = measured({name: chosen[name] for name in suspects}, rounds)
            now |= {name: min(now[name], again[name]) for name in suspects}
    for name, (ratio, done) in now.items():
        was = f"{before[name][0]:9.2f}" if name in before else " " * 9
        click.echo(f"{ratio:9.2f} {was}  {done:3} done  {name}")
    for name in worse(now, before):
        click.echo(f"SLOWER: {name}: {now[name][0]} with {now[name][1]} done, {before[name][0]} with {before[name][1]}")
    if not dry:
        name, day = commit().split()
        with HISTORY.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"commit": name, "day": day, "measured": now}) + "\n")


if __name__ == "__main__":
    main()
