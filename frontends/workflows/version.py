"""One version of a workflow, as it was read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from tallystick.core.dataflows.workflow import Workflow
from tallystick.core.queries.assumptions import Assumption
from tallystick.core.queries.catalogue import Catalogue
from tallystick.core.queries.switches import Switches


@dataclass(frozen=True)
class Written:
    """A query as it was written.

    Attributes:
        text: in the version's dialect.
        named: by the places of the names of sources and wires in it, first and behind the last character: which they
            are, and what the text calls their rows where it says so by that name alone, else "".
    """

    text: str
    named: Mapping[tuple[int, int], tuple[str, str]]


@dataclass(frozen=True)
class Version:
    """One version of a workflow.

    Attributes:
        catalogue: the sources, with the constraints that are assumed.
        wires: a wire for each model or operator, each after those that it reads.
        dialect, switches: what the texts were read with.
        unenforced: the sources whose keys, foreign keys and checks the database does not enforce.
        assumptions: what the reading takes for granted besides what the operators show.
        notes: for wires whose operator is opaque, or is not all there is to say, why.
        texts: what each wire was read from, as it is compared to say whether it was edited; "" if there is none.
        queries: the texts of the wires that were read from queries.
        ordered: whether a wire that has an order is a list; else an order at the top of its query means nothing.
        digits: for sources and wires with decimals that are numbers of their units, the digits behind the point of
            each column; 0 where a value stands for itself.
    """

    catalogue: Catalogue
    wires: Workflow
    dialect: str
    switches: Switches
    unenforced: frozenset[str] = frozenset()
    assumptions: frozenset[Assumption] = frozenset()
    notes: Mapping[str, str] = field(default_factory=dict)
    texts: Mapping[str, str] = field(default_factory=dict)
    ordered: bool = False
    queries: Mapping[str, Written] = field(default_factory=dict)
    digits: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
