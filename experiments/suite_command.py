"""`tallystick suite`: decides a suite here or on Spark, validates verdicts on PySpark, and prints tables."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from tallystick.experiments.cross_validation import Disagreement, Validation, cross_validate
from tallystick.experiments.generator import generated_questions
from tallystick.experiments.harness import decide_on_spark
from tallystick.experiments.progress import shown_progress
from tallystick.experiments.questions import Options, Question, Task, questions_of_suite
from tallystick.experiments.records import Record
from tallystick.experiments.running import decide_here
from tallystick.experiments.session import spark_session
from tallystick.experiments.suite_files import FORMATS, questions_of_file
from tallystick.experiments.tables import BY_CLASS, BY_SIZE, print_query, print_reasons, print_records, summary
from tallystick.replay import SparkReplayer

GENERATED = "generated"


@dataclass(frozen=True, slots=True)
class Request:
    """What the command line asks for.

    Attributes:
        name: of a suite, or of a file with one.
        options: how pairs are decided.
        master: the Spark master that decides and validates; None to decide here, without Spark.
        results: the folder of the records; None for results/NAME.
        validate: on how many inputs equivalent pairs run on Spark.
        pairs, seed: of a generated suite.
    """

    name: str
    options: Options
    master: str | None = None
    results: Path | None = None
    validate: int = 0
    pairs: int = 100
    seed: int = 1

    @property
    def folder(self) -> Path:
        """Where records go."""
        return self.results or Path("results", Path(self.name).stem)


def run_suite(request: Request) -> bool:
    """Prints a suite's verdicts; returns whether none is wrong.

    Raises UnknownSuiteError and SuiteFileError for a name that is no suite, ReplayUnavailable without Spark, and
    Disagreement, with its report among the results, when Spark contradicts a verdict.
    """
    console = Console()
    with ExitStack() as stack:
        spark = stack.enter_context(spark_session(request.master)) if request.master else None
        questions = _questions(request, spark)
        tasks = [Task(question, request.options) for question in questions]
        validations: dict[str, Validation] = {}
        if spark is None:
            run = decide_here(tasks)
        else:
            try:
                run = decide_on_spark(spark, tasks, str(request.folder / "records"))
            except KeyboardInterrupt:
                Console(stderr=True).print(
                    f"Interrupted. Finished pairs are in {request.folder}; the same command goes on from there."
                )
                raise
            validations = _validate(request, questions, run.records)
        print_records(console, f"Suite {request.name}", run.records, validations)
        if spark is not None:
            print_query(console, spark, "By class", BY_CLASS)
            if request.name == GENERATED:
                print_query(console, spark, "By size: distinct terms of both programs", BY_SIZE)
        print_reasons(console, run.records)
        console.print(summary(run), highlight=False)
        if spark is not None:
            console.print(f"Records: {request.folder} (Parquet); remove the folder to decide the pairs anew.")
    return not any(record.is_wrong for record in run.records)


def _questions(request: Request, spark: object) -> list[Question]:
    if request.name == GENERATED:
        return generated_questions(request.pairs, request.seed)
    if Path(request.name).suffix in FORMATS:
        return questions_of_file(Path(request.name), spark)  # type: ignore[arg-type]
    return questions_of_suite(request.name)


def _validate(request: Request, questions: Sequence[Question], records: Sequence[Record]) -> dict[str, Validation]:
    """What Spark says about each verdict that it can be asked about."""
    validations: dict[str, Validation] = {}
    done = 0
    with (
        SparkReplayer(request.master or "") as replayer,
        shown_progress("running on Spark", len(records), lambda: done),
    ):
        for question, record in zip(questions, records, strict=True):
            try:
                validation = cross_validate(question, record, replayer, request.validate)
            except Disagreement as found:
                path = found.save(request.folder)
                raise Disagreement(f"{found}\n  everything needed to see it again: {path}", found.report) from None
            if validation is not None:
                validations[record.pair] = validation
            done += 1
    return validations
