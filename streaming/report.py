"""How a property is checked, and what a check found."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from tallystick.streaming.engines.base import Case, Engine
from tallystick.streaming.evaluation import CaseRun
from tallystick.streaming.logic.formulas import Formula


@dataclass(frozen=True)
class Settings:
    """How a property is checked.

    * `examples`: how many cases are generated.
    * `engine`: "local", "dstream" or "structured", or an engine of your own, which is then left open.
    * `seed`: makes the cases reproducible; without it one is drawn, and shown when the property fails.
    * `deadline`: seconds for each case.
    * `side_by_side`: how many cases share one Spark context; the engine's own number if None.
    * `inconclusive`: "count" reports ? and fails only if all cases are ?; "error" refuses any ?, and any word
      shorter than the safe length before it is run; "allow" accepts even that all cases are ?.
    * `shrink_seconds`: how long a failing case is shrunk at most.
    """

    examples: int = 100
    engine: str | Engine = "local"
    seed: int | None = None
    deadline: float | None = None
    side_by_side: int | None = None
    inconclusive: Literal["count", "error", "allow"] = "count"
    shrink_seconds: float = 30.0

    def __post_init__(self) -> None:
        if self.examples < 1:
            raise ValueError(f"examples must be at least 1, not {self.examples}")
        if self.inconclusive not in ("count", "error", "allow"):
            raise ValueError(f'inconclusive is "count", "error" or "allow", not {self.inconclusive!r}')


@dataclass
class Report:
    """What a check found: how many cases passed and were inconclusive, and the shrunk failing case, if
    any."""

    formula: Formula
    engine: str
    seed: int
    safe_length: int | None
    runs: list[CaseRun] = field(default_factory=list)
    failure: CaseRun | None = None
    found: Case | None = None
    seconds: float = 0.0

    def count(self, kind: str) -> int:
        """Return how many cases ended as "passed", "inconclusive", "falsified" or "raised"."""
        return sum(run.kind == kind for run in self.runs)

    @property
    def holds(self) -> bool:
        """Whether no case refuted the property."""
        return self.failure is None

    def __str__(self) -> str:
        kinds = ("passed", "inconclusive", "falsified", "raised")
        counts = ", ".join(f"{self.count(kind)} {kind}" for kind in kinds if self.count(kind))
        return f"{counts} of {len(self.runs)} cases on {self.engine} in {self.seconds:.2f} s (seed={self.seed})"
