"""What a search may answer besides a refutation, and what bounds it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tallystick.core.terms import Term
from tallystick.core.types import Value


@dataclass(frozen=True, slots=True)
class SearchLimits:
    """The caps of one search; a search that meets one gives up, and names it.

    Attributes:
        nodes: how many branches are opened in all.
        depth: how many nodes are nested.
        splits: how many integer splits are nested.
        cuts: how many rounds of cuts are nested.
        seconds: the processor time that the search may take, on which other processes have no influence.
    """

    nodes: int = 20_000
    depth: int = 200
    splits: int = 24
    cuts: int = 40
    seconds: float = 10.0


@dataclass(frozen=True, slots=True)
class Countermodel:
    """A value for each variable of the formula, under which it has been evaluated to false."""

    values: Mapping[Term, Value]


@dataclass(frozen=True, slots=True)
class GaveUp:
    """Neither a refutation nor a countermodel was found; `reason` names the cap that was met."""

    reason: str
