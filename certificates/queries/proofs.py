"""Proofs that two statements return the same, and the claims that they do: plain data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar
from typing import Literal as Choice

from tallystick.certificates.queries.certificates import QueryCertificate
from tallystick.certificates.trees import Step
from tallystick.core.terms import Term

if TYPE_CHECKING:
    from tallystick.core.queries.syntax import Query


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
    """A condition on groups or partitions, in `filtered`, stands for one on the rows below (`pulling.pushed`)."""

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
class Equivalence(QueryCertificate):
    """The claim that two statements return the same on every database of the catalogue, with a proof.

    Attributes:
        TERM: the class of terms, whose objects have a table besides the nodes.
    """

    TERM: ClassVar[type] = Term
    result: Step | Rewriting

    @property
    def verdict(self) -> str:
        """The claim in a word."""
        return "equivalent"
