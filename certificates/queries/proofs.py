"""Certificates of claims about queries: plain data. Nothing is proved until the kernel says so."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar
from typing import Literal as Choice

from tallystick.certificates.evidence import Step
from tallystick.core.queries.assumptions import Assumption
from tallystick.core.queries.catalogue import Catalogue
from tallystick.core.queries.ranges import Range
from tallystick.core.queries.switches import Switches
from tallystick.core.queries.syntax import NODES, Query, Statement
from tallystick.core.queries.types import SqlRow


@dataclass(frozen=True, slots=True)
class Witness:
    """A database on which the results differ: the rows of each table of the catalogue, in its order."""

    tables: tuple[tuple[SqlRow, ...], ...]


@dataclass(frozen=True, slots=True)
class Exchange:
    """Subquery `old` gives way to `new` on a side, by a proof that both are one bag: with the definitions of the named
    subqueries that are `unfolded` in their places."""

    side: Choice["left", "right"]
    old: Query
    new: Query
    unfolded: tuple[int, ...]
    proof: Step


@dataclass(frozen=True, slots=True)
class Pull:
    """A condition on groups or partitions, in `filtered`, stands for one on the rows below (`rewriting.pushed`)."""

    side: Choice["left", "right"]
    filtered: Query


@dataclass(frozen=True, slots=True)
class Name:
    """A subquery becomes a table on both sides: by its number in the order of names."""

    query: Query


@dataclass(frozen=True, slots=True)
class Rewriting:
    """Steps that change both statements, and a proof that what they end in is one bag."""

    steps: tuple[Exchange | Pull | Name, ...]
    proof: Step


@dataclass(frozen=True, slots=True)
class QueryCertificate:
    """The claim that two statements return the same on every database of a catalogue, with a proof, or a witness that
    they do not.

    Attributes:
        VERSION: of the format (FORMAT.md). NODES: the classes that have a table besides the terms.
        unenforced: the tables whose keys, foreign keys and checks no database enforces, sorted: they are assumed. Each
            has some.
        dialect, switches: what the texts were read with. What they mean is spelled out in the statements.
        assumptions: some of the fixed list, in its order; those that the statements need are among them.
        sources: the texts: for the reader, and no part of the claim.
        producer: names and versions of the software that found the result.
    """

    VERSION: ClassVar[int] = 5
    NODES: ClassVar[frozenset[type]] = frozenset({*NODES.values(), Range})
    catalogue: Catalogue
    left: Statement
    right: Statement
    unenforced: tuple[str, ...]
    dialect: str
    switches: Switches
    assumptions: tuple[Assumption, ...]
    semantics: Choice["sql"]
    sources: tuple[str, str]
    producer: tuple[tuple[str, str], ...]
    result: Step | Rewriting | Witness

    @property
    def verdict(self) -> str:
        """The claim in a word."""
        return "inequivalent" if isinstance(self.result, Witness) else "equivalent"


@dataclass(frozen=True, slots=True)
class QueryPair:
    """Two statements, as somebody reads them, over the tables that are there: what a certificate may be asked about.

    Attributes:
        unenforced: the tables whose keys, foreign keys and checks are not enforced.
        assumptions: under which the texts mean these statements; the claim has to state them.
    """

    catalogue: Catalogue
    left: Statement
    right: Statement
    unenforced: frozenset[str]
    dialect: str
    switches: Switches
    assumptions: tuple[Assumption, ...] = ()
