"""Validates the verdicts of a suite on Spark, and keeps what was found, so that no pair is run twice.

Whatever ends a run, what was found stays, and the same call goes on with the other pairs.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from tallystick.experiments.cross_validation import Validation, cross_validate
from tallystick.experiments.progress import shown_progress
from tallystick.experiments.questions import Question
from tallystick.experiments.records import Record
from tallystick.replay import SparkReplayer
from tallystick.results_file import ResultsFile


@dataclass(frozen=True)
class KeptValidation:
    """What Spark said of a verdict, and what it is found by."""

    key: str
    of: Validation

    def to_json(self) -> dict[str, Any]:
        """The key beside what is told of the pair."""
        return {"key": self.key, **asdict(self.of)}

    @classmethod
    def from_json(cls, columns: dict[str, Any]) -> KeptValidation:
        """What `to_json` has written."""
        return cls(columns["key"], Validation(**{name: each for name, each in columns.items() if name != "key"}))


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
    known = ResultsFile(path, KeptValidation.to_json, KeptValidation.from_json)
    validations: dict[str, Validation] = {}
    done = 0
    with shown_progress("running on Spark", len(records), lambda: done):
        for question, record in zip(questions, records, strict=True):
            key = _key(record, inputs)
            if key not in known.results:
                found = cross_validate(question, record, replayer, inputs)
                if found is not None:
                    known.add(KeptValidation(key, found))
            if key in known.results:
                validations[record.pair] = known.results[key].of
            done += 1
    return validations


def _key(record: Record, inputs: int) -> str:
    """What a validation is found by: the question with the software that answers it, the answer, and the inputs."""
    content = json.dumps([record.key, record.verdict, record.certificate, inputs])
    return hashlib.sha256(content.encode()).hexdigest()
