"""Jobs that make DataFrames, each with a right and a wrong refactoring: how many are read, proved, refuted.

    python -m tallystick.experiments.jobs tests/jobs --results build/jobs.jsonl

In the packages of a folder, `name` stands beside `name_right`, which means the same, and `name_wrong`, which does not;
so do `Name.run`, `NameRight.run` and `NameWrong.run` of classes. `jobs.toml` names the schema, the values of
parameters and what paths are. All are run by Spark on random data, too: there right ones must agree with `name`, and
wrong ones must differ. The exit status is 1 if a pair is decided wrongly, or a job is not what its name says.
"""

from __future__ import annotations

import argparse
import ast
import datetime
import sys
import time
import tomllib
import traceback
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from decimal import Decimal, InvalidOperation
from operator import attrgetter
from pathlib import Path
from random import Random
from typing import Any

from tallystick.core.errors import TallystickError
from tallystick.core.queries.types import SqlRow
from tallystick.frontends.catalyst.data import views
from tallystick.frontends.catalyst.reading import SourceTable
from tallystick.misreading import MisreadingError
from tallystick.plans.functions import Calling, compared
from tallystick.plans.schemas import declared_tables
from tallystick.plans.validating import prepared
from tallystick.replay.catalyst.process import SparkPlans
from tallystick.results_file import ResultsFile
from tallystick.verdict import Answer

RIGHT, WRONG = "right", "wrong"
UNREAD, MISREAD, FAILED = "unread", "misread", "failed"
ANSWERS = (UNREAD, FAILED, MISREAD, str(Answer.UNKNOWN), str(Answer.EQUIVALENT), str(Answer.INEQUIVALENT))
DATABASES, ROWS, SECONDS = 6, 16, 60.0
EPOCH = datetime.date(1970, 1, 1)


@dataclass(frozen=True, slots=True)
class Job:
    """A function or method of a file, its refactorings, and what the three take."""

    path: Path
    name: str
    right: str
    wrong: str
    takes: frozenset[str]

    def reference(self, name: str) -> tuple[str, str]:
        """The file and the name of one of the three."""
        return str(self.path), name


@dataclass(frozen=True, slots=True)
class Decided:
    """One pair: which it is, what came out, why, what Spark confirmed of it, and how long it took."""

    name: str
    kind: str
    answer: str
    reason: str
    replayed: bool
    seconds: float

    @property
    def is_wrong(self) -> bool:
        """Whether the answer is not true."""
        false = {RIGHT: Answer.INEQUIVALENT, WRONG: Answer.EQUIVALENT}[self.kind]
        return self.answer in (str(false), MISREAD, FAILED)


@dataclass(frozen=True)
class Outcome:
    """Both pairs of a job, and what is not so of it on data: see `confirmed`."""

    name: str
    decided: tuple[Decided, ...]
    problem: str

    @classmethod
    def from_json(cls, columns: dict[str, Any]) -> Outcome:
        """An outcome that `asdict` has written."""
        return cls(columns["name"], tuple(Decided(**each) for each in columns["decided"]), columns["problem"])


@dataclass(frozen=True)
class Jobs:
    """The jobs of a folder, and how they are called."""

    folder: Path
    calling: Calling
    schema: Path
    values: Mapping[str, Sequence[Any]]

    @classmethod
    def of(cls, folder: Path) -> Jobs:
        """Those that its `jobs.toml` describes."""
        told = tomllib.loads((folder / "jobs.toml").read_text(encoding="utf-8"))
        calling = Calling(told.get("param", {}), told.get("source", {}))
        return cls(folder, calling, folder / told["schema"], told.get("values", {}))

    def __iter__(self) -> Iterator[Job]:
        for path in sorted(self.folder.rglob("*.py")):
            statements = ast.parse(path.read_text(encoding="utf-8")).body
            classes = [each for each in statements if isinstance(each, ast.ClassDef)]
            yield from _named(path, statements, "", ("_right", "_wrong"), "")
            yield from _named(path, classes, "", ("Right", "Wrong"), ".run")
            for each in classes:
                yield from _named(path, each.body, f"{each.name}.", ("_right", "_wrong"), "")

    def calling_of(self, job: Job) -> Calling:
        """How a job is called: it is given the parameters that it takes."""
        taken = {name: value for name, value in self.calling.param.items() if name in job.takes}
        return Calling(taken, self.calling.source)

    def databases(self, tables: Sequence[SourceTable]) -> list[list[str]]:
        """Statements that make views of no rows, and of random rows, which keep the keys of a schema."""
        found = [views({table.name: table for table in tables}, {table.name: () for table in tables})]
        for seed in range(DATABASES):
            rows = random_rows(Random(seed), tables, self.values)
            found.append(views({table.name: table for table in tables}, rows))
        return found


def _named(path: Path, statements: Sequence[ast.stmt], before: str, ends: tuple[str, str], after: str) -> Iterator[Job]:
    named = {each.name: each for each in statements if isinstance(each, ast.FunctionDef | ast.ClassDef)}
    for name in named:
        three = (name, *(name + end for end in ends))
        if all(each in named for each in three):
            taken = (each.arg for one in three for each in ast.walk(named[one]) if isinstance(each, ast.arg))
            names = (f"{before}{each}{after}" for each in three)
            yield Job(path, *names, takes=frozenset(taken))


def random_rows(
    random: Random, tables: Sequence[SourceTable], values: Mapping[str, Sequence[Any]]
) -> dict[str, tuple[SqlRow, ...]]:
    """Random rows of tables that keep keys and foreign keys; tables stand behind those that they refer to."""
    found: dict[str, tuple[SqlRow, ...]] = {}
    for table in tables:
        rows: list[SqlRow] = []
        for _ in range(random.randint(0, ROWS) if random.random() < 0.2 else ROWS):
            row = [_value(random, column, values.get(column.name)) for column in table.columns]
            for places, other, there in table.foreign_keys:
                referred = random.choice(found[other]) if found[other] else None
                row = row if referred is None else _filled(row, places, [referred[each] for each in there])
                if referred is None:
                    break
            else:
                taken = [[earlier[each] for each in key] for key in table.keys for earlier in rows]
                if not any([row[each] for each in key] in taken for key in table.keys):
                    rows.append(tuple(row))
        found[table.name] = tuple(rows)
    return found


def _filled(row: list[Any], places: Sequence[int], values: Sequence[Any]) -> list[Any]:
    new = dict(zip(places, values, strict=True))
    return [new.get(index, value) for index, value in enumerate(row)]


def _value(random: Random, column: Any, values: Sequence[Any] | None) -> Any:
    if column.nullable and random.random() < 0.2:
        return None
    if values is not None:
        return _plain(random.choice(values))
    if column.type.name == "boolean":
        return random.random() < 0.5
    if column.type.name == "decimal":
        return random.choice((-100, 0, 100, 250, 1000)) * 10 ** max(column.type.scale - 2, 0)
    return f"{column.name}{random.randint(0, 2)}" if column.type.name == "string" else random.randint(0, 5)


def _plain(value: Any) -> Any:
    """A value of the file as the core has it: dates are days, moments microseconds."""
    if isinstance(value, datetime.datetime):
        return (value - datetime.datetime(1970, 1, 1)) // datetime.timedelta(microseconds=1)
    return (value - EPOCH).days if isinstance(value, datetime.date) else value


def decide(spark: SparkPlans, tables: list[SourceTable], jobs: Jobs, job: Job, kind: str, timeout: float) -> Decided:
    """What `check` says about a job and one of its refactorings."""
    start = time.perf_counter()
    other = job.right if kind == RIGHT else job.wrong
    replayed = False
    try:
        references = [job.reference(job.name), job.reference(other)]
        verdict = compared(spark, references, tables, jobs.calling_of(job), timeout, None)
    except MisreadingError as error:
        answer, reason = MISREAD, str(error)
    except TallystickError as error:
        answer, reason = UNREAD, str(error)
    except Exception:  # a defect of ours, which the table counts
        answer, reason = FAILED, traceback.format_exc()
    else:
        answer, replayed = str(verdict.verdict), "spark" in verdict.replayed_on
        reason = "\n".join([*(f"{way}: {why}" for way, why in verdict.reasons.items()), *verdict.notes])
    return Decided(job.name, kind, answer, reason, replayed, time.perf_counter() - start)


def confirmed(spark: SparkPlans, tables: list[SourceTable], jobs: Jobs, job: Job) -> str:
    """What is not so of this: on random data the right one returns what the job does, and the wrong one does not."""
    wanted = [(*job.reference(each), None) for each in (job.name, job.right, job.wrong)]
    try:
        results = spark.tried(wanted, jobs.databases(tables), SECONDS, **jobs.calling_of(job).request(tables))
    except TallystickError as error:
        return str(error)
    failed = next((rows for side in results for rows in side if isinstance(rows, str)), None)
    if failed is not None:
        return failed.splitlines()[0]
    before, right, wrong = ([_bag(rows) for rows in side] for side in results)
    if before != right:
        return f"{job.right} returns other rows"
    return f"{job.wrong} returns the same on {len(before)} databases" if before == wrong else ""


def _bag(rows: Any) -> Counter[tuple[Any, ...]]:
    return Counter(tuple(_number(value) for value in row) for row in rows)


def _number(value: Any) -> Any:
    """A number that is a text as a number of twelve digits."""
    try:
        return round(Decimal(str(value)), 12).normalize() if value is not None else None
    except InvalidOperation:
        return value


def main(arguments: list[str] | None = None) -> int:
    """Decides the pairs of a folder, runs them, and prints the table; returns the exit status."""
    parser = argparse.ArgumentParser(description="Decide jobs on DataFrames against their refactorings.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", default="", help="names that contain this")
    parser.add_argument("--timeout", type=float, default=20.0)
    parser.add_argument("--no-run", action="store_true", help="do not run the jobs on random data")
    parser.add_argument("--results", type=Path, help="a file of JSON lines; what it has is not decided again")
    given = parser.parse_args(arguments)
    jobs = Jobs.of(given.folder)
    known = ResultsFile(given.results, asdict, Outcome.from_json, attrgetter("name"), "job")
    with SparkPlans() as spark:
        tables = prepared(spark, declared_tables(jobs.schema))
        for job in jobs:
            if given.only not in job.name or job.name in known.results:
                continue
            found = [decide(spark, tables, jobs, job, kind, given.timeout) for kind in (RIGHT, WRONG)]
            problem = "" if given.no_run else confirmed(spark, tables, jobs, job)
            known.add(Outcome(job.name, tuple(found), problem))
            _print(found, problem)
    outcomes = list(known.results.values())
    print(*_table(outcomes), sep="\n")
    return int(any(each.problem or any(one.is_wrong for one in each.decided) for each in outcomes))


def _print(found: list[Decided], problem: str) -> None:
    for each in found:
        mark = "WRONG " if each.is_wrong else ""
        spark = " on spark" if each.replayed else ""
        print(f"{each.name:32} {each.kind:6} {mark}{each.answer}{spark} {each.seconds:.1f} s", flush=True)
        if each.answer not in (str(Answer.EQUIVALENT), str(Answer.INEQUIVALENT)):
            print("\n".join(f"    {line}" for line in each.reason.splitlines()[-14:]), flush=True)
    if problem:
        print(f"    run by Spark: {problem}", flush=True)


def _table(found: list[Outcome]) -> Iterator[str]:
    """How many pairs of each kind came out how, and the shares of all jobs."""
    decided = [each for outcome in found for each in outcome.decided]
    counts = Counter((each.kind, each.answer) for each in decided)
    total = len(found) or 1
    yield ""
    yield f"{'':8}{'pairs':>7}" + "".join(f"{answer:>14}" for answer in ANSWERS)
    for kind in (RIGHT, WRONG):
        yield f"{kind:8}{len(found):>7}" + "".join(f"{counts[kind, answer]:>14}" for answer in ANSWERS)
    read = total - len({each.name for each in decided if each.answer == UNREAD})
    replayed = sum(each.replayed for each in decided if each.kind == WRONG)
    yield f"read {read} of {total}, counterexamples that Spark confirms {replayed}, "
    yield f"decided wrongly {sum(each.is_wrong for each in decided)}, "
    yield f"other than their names say {sum(bool(each.problem) for each in found)}"


if __name__ == "__main__":
    sys.exit(main())
