"""What the prover answers about two programs; it imports no search, so that asking for one loads none."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

ONE_MEAN = "sums and counts differ, but no input was found on which the quotients do"


@dataclass(frozen=True, slots=True)
class Settlement:
    """What the prover has to say about two programs.

    Attributes:
        certificate: the certificate as text, for the auditor; None when there is neither proof nor counterexample.
        method: the methods that found it, outermost first.
        program_class: the papers' class of the pair.
        complete: whether a method was applied that decides every pair of that class.
        reasons: for each method that applied and did not answer, why.
        order_matters: how two orders of one bag give different results, when a fold is not well defined.
        seconds: how long each phase took.
        solver_calls: how often an SMT solver was asked.
    """

    certificate: str | None = None
    method: tuple[str, ...] = ()
    program_class: str = ""
    complete: bool = False
    reasons: dict[str, str] = field(default_factory=dict)
    order_matters: str | None = None
    seconds: dict[str, float] = field(default_factory=dict)
    solver_calls: int = 0

    def to_json(self) -> dict[str, Any]:
        """The settlement as a JSON object."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Settlement:
        """The settlement that `to_json` wrote."""
        return cls(**{**data, "method": tuple(data["method"])})
