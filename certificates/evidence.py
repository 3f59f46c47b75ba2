"""Evidence and proof trees: plain data about how a claim follows (trusted). What each node means: `refutation`.

Facts, unknowns and rows are named by their numbers on the branch of the tree (`facts`), monomials and slots by their
positions. Nothing here states a premise, or a fact.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, is_dataclass
from typing import ClassVar, Final

from tallystick.certificates.annotations import names_of
from tallystick.certificates.rules import Rule
from tallystick.core.terms import Term

NODES: Final = "tallystick.certificates.nodes"
"""Where the nodes are that have a file: what checks them is loaded for trees that have them."""
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


@dataclass(frozen=True, slots=True)
class Open:
    """Fact number `fact` says that a bag has an element: for each of its monomials a branch with new rows, in order."""

    CHECKED_BY: ClassVar[str] = f"{NODES}.opening"
    fact: int
    branches: tuple[Refutation, ...]


@dataclass(frozen=True, slots=True)
class Use:
    """What EXISTS or an EXTREMUM, unknown number `unknown`, has to do with one monomial of its bag.

    `terms` stand for the monomial's slots: rows in scope, and any terms for slots that range over every value.
    """

    CHECKED_BY: ClassVar[str] = f"{NODES}.use"
    unknown: int
    monomial: int
    terms: tuple[Term, ...]
    rest: Refutation


@dataclass(frozen=True, slots=True)
class Extremum:
    """The EXTREMUM that is unknown number `unknown` is the head of an element of its bag, or the bag is empty."""

    CHECKED_BY: ClassVar[str] = f"{NODES}.extremum"
    unknown: int
    rest: Refutation


@dataclass(frozen=True, slots=True)
class Key:
    """Two rows of a table that agree on key number `key` are equal."""

    CHECKED_BY: ClassVar[str] = f"{NODES}.key"
    first: int
    second: int
    key: int
    rest: Refutation


@dataclass(frozen=True, slots=True)
class Foreign:
    """A row of a table refers to a row by foreign key number `key`."""

    CHECKED_BY: ClassVar[str] = f"{NODES}.foreign"
    row: int
    key: int
    rest: Refutation


@dataclass(frozen=True, slots=True)
class Check:
    """A row of a table satisfies check number `check`; behind the checks come the ranges of columns with bounds."""

    CHECKED_BY: ClassVar[str] = f"{NODES}.check"
    row: int
    check: int
    rest: Refutation


@dataclass(frozen=True, slots=True)
class Member:
    """A row of a block is an element of the bags that the block is made from."""

    CHECKED_BY: ClassVar[str] = f"{NODES}.member"
    row: int
    rest: Refutation


@dataclass(frozen=True, slots=True)
class Apply:
    """Two unknowns are values of one unknown function, which are equal where the arguments are."""

    CHECKED_BY: ClassVar[str] = f"{NODES}.apply"
    first: int
    second: int
    rest: Refutation


@dataclass(frozen=True, slots=True)
class Sign:
    """The SUM that is unknown number `unknown` is 0 without elements of a weight other than 0.

    With `nonnegative`, one refutation a monomial of "its condition, and its weight is negative": otherwise positive.
    """

    CHECKED_BY: ClassVar[str] = f"{NODES}.sign"
    unknown: int
    nonnegative: tuple[Refutation, ...] | None
    rest: Refutation


@dataclass(frozen=True, slots=True)
class Lemma:
    """unknown ≐ term, proved by a sub-judgement.

    Its rows, which the term may mention, are the first `rows` of the branch, its hypothesis the literals behind the
    facts with the given numbers.
    """

    CHECKED_BY: ClassVar[str] = f"{NODES}.lemma"
    unknown: int
    term: Term
    rows: int
    hypotheses: tuple[int, ...]
    proof: Step
    rest: Refutation


Added = Use | Extremum | Key | Foreign | Check | Member | Apply | Sign
"""The nodes that add one formula, which is true of every database and all rows in scope."""
Refutation = Case | Split | Cut | Farkas | Open | Added | Lemma


@dataclass(frozen=True, slots=True)
class Oracle:
    """The word of a solver that a formula is valid: reported by audits, and no reason to accept unless allowed."""

    solver: str


ORACLES: Final = ("z3", "cvc5", "cooper", "spacer")
"""The solvers whose word a certificate may give as evidence."""


Evidence = Refutation | Oracle
"""Why a premise is valid (THEORY section 4)."""


@dataclass(frozen=True, slots=True)
class Step:
    """A node of a proof tree: a rule with its hints, and what proves its requirements, in their order."""

    rule: Rule
    evidence: tuple[Evidence, ...] = ()
    subproofs: tuple[Step, ...] = ()


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
