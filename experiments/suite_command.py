"""`tallystick suite`: decides a suite here or on Spark, validates verdicts on PySpark, and prints tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from tallystick.experiments.cross_validation import INPUTS, Disagreement, Validation
from tallystick.experiments.generator import generated_questions
from tallystick.experiments.harness import decide_on_spark
from tallystick.experiments.questions import Options, Question, Task, questions_of_suite
from tallystick.experiments.running import Run, decide_here
from tallystick.experiments.suite_files import FORMATS, questions_of_file
from tallystick.experiments.tables import (
    BY_CLASS,
    BY_SIZE,
    print_query,
    print_reasons,
    print_records,
    print_throughput,
    summary,
    validated,
)
from tallystick.experiments.validations import validate
from tallystick.output import require_writable
from tallystick.replay import SparkReplayer
from tallystick.replay.session import spark_session

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

GENERATED = "generated"


@dataclass(frozen=True, slots=True)
class Request:
    """What the command line asks for.

    Attributes:
        name: of a suite, or of a file with one.
        options: how pairs are decided.
        master: the Spark master that decides and validates; None to decide here, without Spark.
        results: the folder of the records; None for results/NAME with a Spark, and for none without.
        validate: on how many inputs equivalent pairs run on Spark; 0 for none.
        pairs, seed: of a generated suite.
    """

    name: str
    options: Options
    master: str | None = None
    results: Path | None = None
    validate: int = INPUTS
    pairs: int = 100
    seed: int = 1

    @property
    def folder(self) -> Path:
        """Where the records of a Spark go."""
        return self.results or Path("results", Path(self.name).stem)


def run_suite(request: Request) -> bool:
    """Prints a suite's verdicts; returns whether none is wrong.

    Raises UnknownSuiteError and SuiteFileError for a name that is no suite, ReplayUnavailable without Spark,
    OutputError when records cannot be written, HarnessError when Spark fails, and Disagreement, with its report among
    the results, when Spark contradicts a verdict.
    """
    console = Console()
    if request.master is None:
        tasks = _tasks(request, questions_of(request.name, request.pairs, request.seed, None))
        run = decide_here(tasks, request.results and request.results / "records.jsonl")
        _print(console, request, run, {})
        return not any(record.is_wrong for record in run.records)
    require_writable(request.folder)
    with spark_session(request.master) as spark:
        questions = questions_of(request.name, request.pairs, request.seed, spark)
        try:
            run = decide_on_spark(spark, _tasks(request, questions), str(request.folder / "records"))
            log = request.folder / "validations.jsonl"
            with SparkReplayer(request.master) as replayer:
                validations = validate(questions, run.records, replayer, request.validate, log)
        except KeyboardInterrupt:
            Console(stderr=True).print(
                f"Interrupted. Finished pairs are in {request.folder}; the same command goes on from there."
            )
            raise
        except Disagreement as found:
            raise found.saved(request.folder) from None
        _print(console, request, run, validations, spark)
    return not any(record.is_wrong for record in run.records)


def _tasks(request: Request, questions: Sequence[Question]) -> list[Task]:
    return [Task(question, request.options) for question in questions]


def _print(
    console: Console,
    request: Request,
    run: Run,
    validations: Mapping[str, Validation],
    spark: SparkSession | None = None,
) -> None:
    print_records(console, f"Suite {request.name}", run.records, validations)
    if spark is not None:
        print_query(console, spark, "By class", BY_CLASS)
        if request.name == GENERATED:
            for title, query in BY_SIZE.items():
                print_query(console, spark, title, query)
    print_reasons(console, run.records)
    print_throughput(console, {request.master or "no Spark": run})
    console.print(summary(run), highlight=False)
    if spark is not None:
        console.print(validated(validations.values()), highlight=False)
        console.print(f"Records: {request.folder} (Parquet); remove the folder to decide the pairs anew.")


def questions_of(name: str, pairs: int, seed: int, spark: SparkSession | None) -> list[Question]:
    """The questions of a suite, by its name or in a file; `pairs` and `seed` are those of the suite `generated`."""
    if name == GENERATED:
        return generated_questions(pairs, seed)
    if Path(name).suffix in FORMATS:
        return questions_of_file(Path(name), spark)
    return questions_of_suite(name)
