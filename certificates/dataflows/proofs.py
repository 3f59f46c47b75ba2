"""Certificates of claims about two versions of a workflow: plain data. Nothing is proved until the kernel says so."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar
from typing import Literal as Choice

from tallystick.certificates.queries.certificates import QueryCertificate, Witness
from tallystick.certificates.queries.proofs import Rewriting
from tallystick.certificates.trees import Step
from tallystick.core.dataflows.workflow import Wire, Workflow
from tallystick.core.queries.assumptions import Assumption
from tallystick.core.queries.catalogue import Catalogue, Column, Table
from tallystick.core.queries.switches import Switches
from tallystick.core.queries.types import ColumnType
from tallystick.core.terms import Term

VersionName = Choice["old", "new"]
Place = tuple[VersionName, str]
"""A wire: the version, and its name there."""


@dataclass(frozen=True, slots=True)
class Cut:
    """Two wires that have the same rows, and why: see `kernel.Composition.cut`.

    Attributes:
        wire, root: the wires; the root stands for all wires that were found to be equal to it.
        columns: column i of `wire` is column columns[i] of `root`.
        ordered: whether both are the same list, up to rows that tie.
        stops: roots whose wires are read as tables, not as what fills them.
        proof: that what fills both is the same; None if it is the same operator on the same inputs.
    """

    wire: Place
    root: Place
    columns: tuple[int, ...]
    ordered: bool
    stops: tuple[Place, ...]
    proof: Step | Rewriting | None


@dataclass(frozen=True, slots=True)
class Claim:
    """What is claimed of a wire of the old version and one of the new.

    Attributes:
        columns: column i of the old one is compared with column columns[i] of the new one.
        ordered: whether they are compared as lists, up to rows that tie; else as bags.
        witness: None if they are the same; else a database on which they are not.
    """

    old: str
    new: str
    columns: tuple[int, ...]
    ordered: bool
    witness: Witness | None


@dataclass(frozen=True, slots=True)
class DataflowCertificate:
    """Claims about two versions of a workflow over the tables of one catalogue.

    Attributes:
        unenforced: as of certificates about queries. Constraints on wires are always assumed.
        dialect, switches: what the texts were read with. What they mean is spelled out in the operators.
        assumptions: some of the fixed list, in its order; those that the operators need are among them.
        producer: names and versions of the software that found the result.
        result: cuts, each of which uses those before it, and claims.
        VERSION, NODES, NAMED, TERM: as of other certificates. What both versions have in common is written once.
    """

    VERSION: ClassVar[int] = 6
    NODES: ClassVar[tuple[type, ...]] = (*QueryCertificate.NODES, Wire, Table, Column, ColumnType)
    NAMED: ClassVar[tuple[type, ...]] = (*QueryCertificate.NAMED, Wire, Table, Column, ColumnType)
    TERM: ClassVar[type] = Term

    catalogue: Catalogue
    old: Workflow
    new: Workflow
    unenforced: tuple[str, ...]
    dialect: str
    switches: Switches
    assumptions: tuple[Assumption, ...]
    semantics: Choice["dataflow"]
    producer: tuple[tuple[str, str], ...]
    result: tuple[Cut | Claim, ...]

    @property
    def cuts(self) -> tuple[Cut, ...]:
        """The cuts alone."""
        return tuple(step for step in self.result if isinstance(step, Cut))

    @property
    def claims(self) -> tuple[Claim, ...]:
        """The claims alone."""
        return tuple(step for step in self.result if isinstance(step, Claim))

    @property
    def verdict(self) -> str:
        """The claims in a word."""
        return "inequivalent" if any(claim.witness is not None for claim in self.claims) else "equivalent"
