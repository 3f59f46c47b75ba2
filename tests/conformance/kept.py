"""Answers of an engine that are kept from one run of `make conformance` to the next: engines do not change, readers do.

Tests never use them.
"""

from __future__ import annotations

import hashlib
import pickle
from typing import Final

from conformance.database import ROWS, SCHEMA
from conformance.engines import Answer, Engine, FailedError, RejectedError
from conformance.page import ROOT

FOLDER: Final = ROOT / "build" / "conformance"


class Kept(Engine):
    """An engine that is started for texts only that it was not asked yet."""

    def __init__(self, engine: type[Engine], anew: bool = False) -> None:
        self.name, self.product, self.loose = engine.name, engine.product, engine.loose  # type: ignore[misc]
        self._start, self._engine, self._version = engine, None, ""
        database = hashlib.sha256(repr((SCHEMA, ROWS)).encode()).hexdigest()[:12]
        self._path = FOLDER / f"{engine.name}-{database}.pickle"
        self._answers: dict[str, Answer | Exception] = {}
        if self._path.exists() and not anew:
            self._version, self._answers = pickle.loads(self._path.read_bytes())

    @property
    def engine(self) -> Engine:
        """The engine itself. Answers of another version are forgotten."""
        if self._engine is None:
            self._engine = self._start()
            if self._engine.version != self._version:
                self._version, self._answers = self._engine.version, {}
        return self._engine

    @property
    def version(self) -> str:
        return self._version or self.engine.version

    def run(self, text: str) -> Answer:
        if text not in self._answers:
            engine = self.engine
            try:
                self._answers[text] = engine.run(text)
            except (RejectedError, FailedError) as problem:
                self._answers[text] = problem
        answer = self._answers[text]
        if isinstance(answer, Exception):
            raise answer
        return answer

    def close(self) -> None:
        if self._engine is not None:
            self._engine.close()
            FOLDER.mkdir(parents=True, exist_ok=True)
            self._path.write_bytes(pickle.dumps((self._version, self._answers)))
