"""Statements that nothing parts but choices: the reason why they are not known to be equivalent."""

from __future__ import annotations

from typing import Final, Protocol

from tallystick.core.queries.catalogue import Catalogue
from tallystick.core.queries.syntax import Statement
from tallystick.decision.queries.deciding import ProofLimits, Proved, decide
from tallystick.frontends.choices.telling import unfixed

SECONDS: Final = 5.0
"""At most so much time, of `core.clock`, for a proof of what would be equal if both made the same choices."""
PART: Final = 0.25
"""The part of the time for that, where there are choices."""


class WithChoices(Protocol):
    """A pair of statements that a front-end has read."""

    @property
    def catalogue(self) -> Catalogue: ...
    @property
    def alike(self) -> tuple[Statement, Statement] | None: ...
    @property
    def choices(self) -> tuple[tuple[str, ...], tuple[str, ...]]: ...


def apart_from_choices(pair: WithChoices, seconds: float) -> float:
    """The part of the time for everything else."""
    return seconds if pair.alike is None else (1 - PART) * seconds


def open_choices(pair: WithChoices, seconds: float) -> dict[str, str]:
    """The reason `choices`, if two statements are equal where both make the same choices; else none."""
    if pair.alike is None:
        return {}
    answer = decide(*pair.alike, pair.catalogue, ProofLimits(seconds=max(0.0, min(SECONDS, seconds))))
    return {"choices": unfixed(*pair.choices)} if isinstance(answer, Proved) else {}
