"""Claims about two queries: plain data. What proves an equivalence is in `proofs`; nothing is proved until the kernel
says so."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar
from typing import Literal as Choice

from tallystick.core.queries.assumptions import Assumption
from tallystick.core.queries.catalogue import Catalogue
from tallystick.core.queries.nodes import ExpressionNode, QueryNode, Statement
from tallystick.core.queries.ranges import Range
from tallystick.core.queries.switches import Switches, TwoSwitches
from tallystick.core.queries.types import SqlRow


@dataclass(frozen=True, slots=True)
class Witness:
    """A database on which the results differ: the rows of each table of the catalogue, in its order."""

    tables: tuple[tuple[SqlRow, ...], ...]


@dataclass(frozen=True, slots=True)
class QueryCertificate:
    """A claim about what two statements return on databases of a catalogue: an Equivalence, or an Inequivalence.

    Attributes:
        VERSION: of the format (FORMAT.md). NODES: the classes whose objects have a table. NAMED: those of them that are
            no constructs of queries, which `construct` gives.
        unenforced: the tables whose keys, foreign keys and checks no database enforces, sorted: they are assumed. Each
            has some.
        dialect, switches: what the texts were read with, both or the left one. What they mean is spelled out in the
            statements.
        assumptions: some of the fixed list, in its order; those that the statements need are among them.
        sources: the texts: for the reader, and no part of the claim.
        producer: names and versions of the software that found the result.
    """

    VERSION: ClassVar[int] = 6
    NODES: ClassVar[tuple[type, ...]] = (ExpressionNode, QueryNode, Range)
    NAMED: ClassVar[tuple[type, ...]] = (Range,)
    catalogue: Catalogue
    left: Statement
    right: Statement
    unenforced: tuple[str, ...]
    dialect: str
    switches: Switches | TwoSwitches
    assumptions: tuple[Assumption, ...]
    semantics: Choice["sql"]
    sources: tuple[str, str]
    producer: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Inequivalence(QueryCertificate):
    """The claim that two statements differ on a database of the catalogue, with this database."""

    TERM: ClassVar[None] = None
    result: Witness

    @property
    def verdict(self) -> str:
        """The claim in a word."""
        return "inequivalent"


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
    switches: Switches | TwoSwitches
    assumptions: tuple[Assumption, ...] = ()
