"""Equivalence verifiers, which Veer asks about windows (section 2.3), with their restrictions (section 4.2).

A verifier says True or nothing: what the paper calls False, an inequivalent window, says nothing of the versions unless
the window is all of them, and even then only on legal inputs. Differences come from inputs (`refuting.py`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from tallystick.core.queries.catalogue import Catalogue
from tallystick.core.queries.syntax import Statement
from tallystick.dataflow.sweep.proving import Proofs
from tallystick.dataflow.veer.relations import Relation, has_no_duplicates
from tallystick.dataflow.veer.windows import Question


class Verifier(Protocol):
    """An equivalence verifier."""

    @property
    def name(self) -> str:
        """What messages call it."""
        ...

    @property
    def relation(self) -> Relation:
        """What it means by equal."""
        ...

    @property
    def monotone(self) -> bool:
        """Whether windows around those that break its restrictions break them, too (definition 5.9)."""
        ...

    def restriction(self, left: Statement, right: Statement) -> str:
        """The restriction that a pair of statements breaks; "" if it breaks none."""
        ...

    def equal(self, left: Statement, right: Statement, catalogue: Catalogue) -> bool:
        """Whether it shows that two statements are equal on every database of a catalogue."""
        ...


def suffices(verifier: Verifier, question: Question) -> bool:
    """Whether a verifier's equality is as fine as a question demands."""
    if verifier.relation <= question.demand:
        return True
    sides = question.left.query, question.right.query
    return question.demand is Relation.BAG and all(map(has_no_duplicates, sides))


@dataclass(frozen=True)
class Identity:
    """Says that a statement is equal to itself."""

    name = "identity"
    relation = Relation.LIST
    monotone = True

    def restriction(self, left: Statement, right: Statement) -> str:
        """It has none."""
        return ""

    def equal(self, left: Statement, right: Statement, catalogue: Catalogue) -> bool:
        """Whether both are one."""
        return (left.query, left.order) == (right.query, right.order)


class Kernel:
    """Tallystick's prover of queries: what it finds, the kernel has accepted."""

    name = "tallystick"
    relation = Relation.LIST
    monotone = True

    def __init__(self, seconds: float = 2.0) -> None:
        self.seconds = seconds
        self.proofs = Proofs()

    def restriction(self, left: Statement, right: Statement) -> str:
        """It has none: what it has no rule for, it does not prove."""
        return ""

    def equal(self, left: Statement, right: Statement, catalogue: Catalogue) -> bool:
        """Whether it finds a proof."""
        return not isinstance(self.proofs.prove(left, right, catalogue, self.seconds), str)


@dataclass(frozen=True)
class PlugIn:
    """A verifier of somebody else's: it is believed, and no certificate rests on it.

    Attributes:
        ask: whether it shows that two statements are equal.
        restrict: the restriction that a pair breaks, or "".
    """

    name: str
    relation: Relation
    ask: Callable[[Statement, Statement, Catalogue], bool]
    restrict: Callable[[Statement, Statement], str] = lambda left, right: ""
    monotone: bool = True

    def restriction(self, left: Statement, right: Statement) -> str:
        """What `restrict` says."""
        return self.restrict(left, right)

    def equal(self, left: Statement, right: Statement, catalogue: Catalogue) -> bool:
        """What `ask` says."""
        return self.ask(left, right, catalogue)
