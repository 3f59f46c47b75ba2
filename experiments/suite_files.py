"""Suites in files: pairs of PySpark functions, with or without known verdicts.

    JSON Lines     {"name": "P1/P2", "left": "jobs.py:before", "right": "jobs.py:after", "expected": "equivalent"}
    Parquet        the same columns
    Python module  a tuple PAIRS, as the modules of `suites` have it; the module is imported, so it runs

`expected` may be missing. Paths are relative to the file, and their files exist.
"""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tallystick.core.errors import TallystickError
from tallystick.experiments.questions import Question, question_of_sources
from tallystick.experiments.suites.pair import Pair

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

FORMATS = (".jsonl", ".parquet", ".py")
ANSWERS = ("equivalent", "inequivalent", None)


class SuiteFileError(TallystickError, ValueError):
    """A file is no suite; the message says where and why."""


def questions_of_file(path: Path, spark: SparkSession | None = None) -> list[Question]:
    """The questions of a suite in a file.

    Raises SuiteFileError when it holds no suite, and when it is Parquet and there is no Spark.
    """
    if not path.exists():
        raise SuiteFileError(f"{path}: there is no such file")
    match path.suffix:
        case ".jsonl":
            rows = list(_json_lines(path))
        case ".parquet":
            if spark is None:
                raise SuiteFileError(f'{path}: Parquet is read by Spark; add --spark "local[2]"')
            rows = [
                (f"row {number}", row.asDict()) for number, row in enumerate(spark.read.parquet(str(path)).collect(), 1)
            ]
        case ".py":
            rows = [(pair.name, _columns(pair)) for pair in _pairs(path)]
        case _:
            raise SuiteFileError(f"{path}: a suite is one of {', '.join(FORMATS)}")
    questions = [_question(path, place, row) for place, row in rows]
    names = [question.pair for question in questions]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise SuiteFileError(f"{path}: two pairs have the name {twice!r}")
    return questions


def _json_lines(path: Path) -> Iterator[tuple[str, Any]]:
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if line.strip():
            try:
                yield f"line {number}", json.loads(line)
            except (ValueError, RecursionError) as error:
                raise SuiteFileError(f"{path}: line {number} is no JSON: {error}") from None


def _question(path: Path, place: str, row: Any) -> Question:
    columns = {key: row.get(key) for key in ("name", "left", "right", "expected")} if isinstance(row, dict) else {}
    name, left, right = (columns.get(key) for key in ("name", "left", "right"))
    if not (isinstance(name, str) and isinstance(left, str) and isinstance(right, str)):
        raise SuiteFileError(f'{path}: {place} needs "name", "left" and "right", each a text')
    if columns["expected"] not in ANSWERS:
        raise SuiteFileError(f'{path}: {place}: "expected" is "equivalent", "inequivalent" or missing')
    references = [str(path.parent / reference) for reference in (left, right)]
    for reference in references:
        source = Path(reference.rpartition(":")[0])
        if not source.is_file():
            raise SuiteFileError(f"{path}: {place}: there is no file {source}")
    return question_of_sources(str(path), name, columns["expected"], *references)


def _pairs(path: Path) -> tuple[Pair, ...]:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        raise SuiteFileError(f"{path}: cannot be imported")
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise SuiteFileError(f"{path}: cannot be imported: {type(error).__name__}: {error}") from error
    pairs = getattr(module, "PAIRS", None)
    if not isinstance(pairs, tuple) or not all(isinstance(pair, Pair) for pair in pairs):
        raise SuiteFileError(f"{path}: a suite has a tuple PAIRS of Pair")
    return pairs


def _columns(pair: Pair) -> dict[str, str]:
    return {"name": pair.name, "left": pair.left, "right": pair.right, "expected": pair.expected}
