"""How a property is checked, and what a check found."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

import hypothesis
from tallystick.streaming.engines.base import Case, Engine
from tallystick.streaming.evaluation import KINDS, CaseRun
from tallystick.streaming.logic.formulas import Formula
from tallystick.streaming.proof import Proof


@dataclass(frozen=True)
class Settings:
    """How a property is checked.

    * `examples`: how many cases are generated; if None, as many as Hypothesis's settings or profile say.
    * `engine`: "local", "dstream" or "structured", or an engine of your own, which is then left open.
    * `seed`: makes the cases reproducible, and leaves Hypothesis's database of examples alone; without it one is
      drawn, or taken from `@seed` or `--hypothesis-seed`, and shown when the property fails.
    * `deadline`: seconds for each case.
    * `side_by_side`: how many cases share one Spark context; the engine's own number if None.
    * `inconclusive`: "count" reports ? and fails only if all cases are ?; "error" refuses any ?, and any word
      shorter than the safe length before it is run; "allow" accepts even that all cases are ?.
    * `shrink_seconds`: how long a failing case is shrunk at most: unless set, as long as Hypothesis shrinks in any of
      its tests; 0 leaves the case as it was found.
    * `prove`: prove the property for all streams instead of trying some; the generator is `streams_of(…)`, or several
      by name. Where that does not succeed, cases are tried too, and `check` raises `NotProvedError` if none fails.
    * `prove_seconds`: how long a proof is sought.
    * `hypothesis`: Hypothesis's own settings, as `@settings(...)` gives them to a test function. Its deadline and its
      health checks do not apply: cases are large, and `deadline` is for each.
    """

    examples: int | None = None
    engine: str | Engine = "local"
    seed: int | None = None
    deadline: float | None = None
    side_by_side: int | None = None
    inconclusive: Literal["count", "error", "allow"] = "count"
    shrink_seconds: float = 300.0
    prove: bool = False
    prove_seconds: float = 60.0
    hypothesis: hypothesis.settings | None = None

    def __post_init__(self) -> None:
        if self.examples is not None and self.examples < 1:
            raise ValueError(f"examples must be at least 1, not {self.examples}")
        if self.inconclusive not in ("count", "error", "allow"):
            raise ValueError(f'inconclusive is "count", "error" or "allow", not {self.inconclusive!r}')


@dataclass
class Report:
    """What a check found: how many cases passed and were inconclusive, and the shrunk failing case, if any.

    For a case that is pasted, `subject` and `name` are names of the subject and of the formula, as far as they are
    known, in the module `module`; `test` is the test function that the property was checked as.
    """

    formula: Formula
    engine: str
    seed: int
    safe_length: int | None
    runs: list[CaseRun] = field(default_factory=list)
    failure: CaseRun | None = None
    found: Case | None = None
    subject: str = "subject"
    name: str = "formula"
    module: str = ""
    test: str | None = None
    notes: list[str] = field(default_factory=list)
    seconds: float = 0.0
    proof: Proof | None = None

    def count(self, kind: str) -> int:
        """Return how many cases ended in the given way, one of `KINDS`."""
        return sum(run.kind == kind for run in self.runs)

    @property
    def holds(self) -> bool:
        """Whether no case refuted the property; `proof` says whether none can."""
        return self.failure is None

    def __str__(self) -> str:
        proved = "" if self.proof is None else str(self.proof)
        return "\n".join(filter(None, (proved, self._counts() if self.runs else "")))

    def _counts(self) -> str:
        counts = ", ".join(f"{self.count(kind)} {kind}" for kind in KINDS if self.count(kind))
        return f"{counts} of {len(self.runs)} cases on {self.engine} in {self.seconds:.2f} s (seed={self.seed})"
