"""Evidence and proof trees: plain data about how a claim follows (trusted). What each node means: `refutation`.

Facts, unknowns and rows are named by their numbers on the branch of the tree (`facts`), monomials and slots by their
positions. Nothing here states a premise, or a fact. Nodes about rows and binders have files of their own in `nodes/`,
loaded for trees that have them: see `row_node`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, is_dataclass
from typing import TYPE_CHECKING, Any, Final

from tallystick.certificates.annotations import names_of
from tallystick.certificates.rules import Rule

if TYPE_CHECKING:
    from tallystick.certificates.evidence import Evidence, Refutation
    from tallystick.certificates.facts import Facts
    from tallystick.core.terms import Term

Multipliers = tuple[tuple[int, int], ...]
"""Pairs (number of an atom, positive multiplier)."""


@dataclass(frozen=True, slots=True)
class Case:
    """Disjunctive fact number `fact`: one refutation for each of its branches, in order."""

    fact: int
    branches: tuple[Refutation, ...]


@dataclass(frozen=True, slots=True)
class Split:
    """t ≤ bound or t ≥ bound + 1, for the form t of the pairs (number of an unknown, coefficient)."""

    coefficients: tuple[tuple[int, int], ...]
    bound: int
    below: Refutation
    above: Refutation


@dataclass(frozen=True, slots=True)
class Cut:
    """The tightened combination of atoms becomes a fact, and `rest` refutes it together with the others."""

    multipliers: Multipliers
    rest: Refutation


@dataclass(frozen=True, slots=True)
class Farkas:
    """The combination of atoms is contradictory."""

    multipliers: Multipliers


class RowNode:
    """A node about rows and binders. Most add one formula, which is true of every database that satisfies the
    catalogue, of all rows in scope and of every meaning of the unknown functions."""

    __slots__ = ()
    rest: Refutation

    def formula(self, facts: Facts) -> Term:
        """The formula that the node adds to a branch; raises RefutationError when the branch does not have what it
        names."""
        raise NotImplementedError

    def added(self, facts: Facts) -> Term:
        """The same formula, whose size is spent."""
        formula = self.formula(facts)
        facts.budget.spend_on(formula)
        return formula

    def close(self, tree: Any) -> None:
        """Accept, by returning, a refutation of the facts of the branch of a `refutation.Tree`."""
        tree.then(self.added(tree.facts), self.rest)


def row_node(name: str) -> type[RowNode] | None:
    """The class of the nodes with a name; None where there is none."""
    match name:
        case "Open":
            from tallystick.certificates.nodes import opening as found
        case "Use":
            from tallystick.certificates.nodes import use as found
        case "Extremum":
            from tallystick.certificates.nodes import extremum as found
        case "Key":
            from tallystick.certificates.nodes import key as found
        case "Foreign":
            from tallystick.certificates.nodes import foreign as found
        case "Check":
            from tallystick.certificates.nodes import check as found
        case "Member":
            from tallystick.certificates.nodes import member as found
        case "Apply":
            from tallystick.certificates.nodes import apply as found
        case "Sign":
            from tallystick.certificates.nodes import sign as found
        case "Lemma":
            from tallystick.certificates.nodes import lemma as found
        case _:
            return None
    return getattr(found, name)


@dataclass(frozen=True, slots=True)
class Oracle:
    """The word of a solver that a formula is valid: reported by audits, and no reason to accept unless allowed."""

    solver: str


ORACLES: Final = ("z3", "cvc5", "cooper", "spacer")
"""The solvers whose word a certificate may give as evidence."""


@dataclass(frozen=True, slots=True)
class Step:
    """A node of a proof tree: a rule with its hints, and what proves its requirements, in their order."""

    rule: Rule
    evidence: tuple[Evidence, ...] = ()
    subproofs: tuple[Step, ...] = ()


NAMES: Final = {
    "Refutation": Case | Split | Cut | Farkas | RowNode,
    "Evidence": Case | Split | Cut | Farkas | RowNode | Oracle,
}
"""What annotations call refutation trees and evidence."""


def used(node: object, others: tuple[type, ...]) -> Iterator[type]:
    """The classes of the rules and of the evidence in proofs, and of what stands beside them, but of no other nodes."""
    waiting = [node]
    while waiting:
        node = waiting.pop()
        if type(node) is tuple:
            waiting += reversed(node)
        elif is_dataclass(node) and not isinstance(node, others):
            if type(node) is not Step:
                yield type(node)
            waiting += (getattr(node, name) for name in reversed(names_of(type(node))))
