"""Validates the verdicts of a suite on Spark, and keeps what was found, so that no pair is run twice.

What Spark says about a pair is one line of JSON in a file, written when the pair is done: whatever ends a run, the
lines stay, and the same call goes on with the pairs that have none. A line cut short is none.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from tallystick.experiments.cross_validation import Validation, cross_validate
from tallystick.experiments.progress import shown_progress
from tallystick.experiments.questions import Question
from tallystick.experiments.records import Record
from tallystick.replay import SparkReplayer


def validate(
    questions: Sequence[Question], records: Sequence[Record], replayer: SparkReplayer, inputs: int, path: Path
) -> dict[str, Validation]:
    """What Spark says about each verdict that it can be asked about, by the pairs' names.

    Args:
        questions, records: the pairs and what was decided about them, in the same order.
        replayer: the Spark that they run on.
        inputs: how many inputs an equivalent pair is run on; 0 runs none.
        path: the file of what was found before; it is added to.

    Raises Disagreement when Spark contradicts a verdict, and what `SparkReplayer.run_on_spark` raises.
    """
    known = _stored(path)
    validations: dict[str, Validation] = {}
    done = 0
    with shown_progress("running on Spark", len(records), lambda: done):
        for question, record in zip(questions, records, strict=True):
            key = _key(record, inputs)
            validation = known.get(key) or cross_validate(question, record, replayer, inputs)
            if validation is not None:
                validations[record.pair] = validation
                if key not in known:
                    _store(path, key, validation)
            done += 1
    return validations


def _key(record: Record, inputs: int) -> str:
    """What a validation is found by: the question with the software that answers it, the answer, and the inputs."""
    content = json.dumps([record.key, record.verdict, record.certificate, inputs])
    return hashlib.sha256(content.encode()).hexdigest()


def _stored(path: Path) -> dict[str, Validation]:
    found: dict[str, Validation] = {}
    for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else ():
        try:
            columns = json.loads(line)
        except ValueError:
            continue  # an empty line, or the run was killed while it wrote this one
        key = columns.pop("key")
        found[key] = Validation(**columns)
    return found


def _store(path: Path, key: str, validation: Validation) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    line = json.dumps({"key": key, **asdict(validation)}, ensure_ascii=False)
    with path.open("a", encoding="utf-8") as stream:
        stream.write(f"\n{line}\n")  # a line of its own, also after one that was cut short
