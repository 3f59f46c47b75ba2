"""Refutation trees: evidence, checked without a solver, that a formula is valid (trusted).

THEORY.md section 4. A formula (see `facts`) is valid when assuming that it fails is contradictory. A
refutation is a tree that shows it, with one rule a node; every rule is sound over the integers, and the facts
of a branch are those of the nodes above it:

    Case     one branch for each branch of a disjunctive fact, in which that branch's literals are assumed
    Split    a linear form t of integer unknowns is ≤ bound or ≥ bound + 1
    Cut      a positive combination of atoms, divided by the gcd of its coefficients and rounded, is an atom
    Farkas   a positive combination of atoms that says c ≤ 0 with c ≥ 1

Cuts and splits make the rules complete for linear integer arithmetic (Chvátal, 1973). Facts and unknowns are
named by their numbers on the branch. `check` is the only door, and accepts by returning.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeVar

from tallystick.certificates.facts import ONE, Disjunction, Fact, Facts, Form, tightened, total
from tallystick.core.errors import RefutationError
from tallystick.core.operators import FIRST_ORDER
from tallystick.core.terms import Operator, Term, subterms
from tallystick.core.types import RATIONAL, TEXT, BoolType, OptionType

Multipliers = tuple[tuple[int, int], ...]
"""Pairs (number of an atom, positive multiplier)."""
MAX_BITS: Final = 8192
ALLOWED: Final = frozenset({Operator.VARIABLE, *FIRST_ORDER}) - {
    Operator.MULTIPLY,
    Operator.TO_RATIONAL,
    Operator.NONE,
    Operator.SOME,
    Operator.IS_NONE,
    Operator.VALUE,
    Operator.APPLY,
}
"""What a formula may have: linear integer arithmetic, booleans and tuples."""
Known = TypeVar("Known", Form, Disjunction)


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


Refutation = Case | Split | Cut | Farkas


def check(formula: Term, refutation: Refutation) -> None:
    """Accept, by returning, a refutation of ¬formula; so the formula is true of all values of its variables.

    Fails when (RefutationError): `formula` is no formula; a node names a fact or unknown that its branch does
    not have, or a fact of the wrong kind; a case does not have one branch for each of the disjunction's; a
    multiplier is not a positive integer; a leaf is not contradictory; or the nesting is too deep for Python.
    """
    facts = Facts()
    try:
        require_formula(formula)
        facts.assume((formula, False))
        _close(facts, refutation)
    except RecursionError:
        raise RefutationError("the formula or its refutation is nested too deeply") from None


def require_formula(term: Term) -> None:
    """Raise RefutationError unless `term` is a formula, all of it: what no branch reaches counts too."""
    if not isinstance(term.type, BoolType):
        raise RefutationError(f"a formula is a boolean, not of type {term.type}")
    for part in subterms(term):
        if part.operator not in ALLOWED:
            raise RefutationError(f"a formula has no {part.operator.value}")
        if part.type in (TEXT, RATIONAL) or isinstance(part.type, OptionType):
            raise RefutationError(f"a formula has no values of type {part.type}")


def _close(facts: Facts, node: Refutation) -> None:
    if isinstance(node, Farkas):
        contradiction = combination(facts, node.multipliers)
        if contradiction.coefficients or contradiction.constant < 1:
            raise RefutationError(f"the leaf {node.multipliers} is not contradictory")
        return
    for assumed, child in branches(facts, node):
        with facts.branch():
            for fact in assumed:
                facts.add(fact)
            _close(facts, child)


def branches(facts: Facts, node: Case | Split | Cut) -> list[tuple[list[Fact], Refutation]]:
    """Lists of facts of which one is true whenever the facts of the branch are, each with its refutation."""
    match node:
        case Case():
            fact = _numbered(facts, node.fact, Disjunction)
            if len(node.branches) != len(fact.branches):
                found, expected = len(node.branches), len(fact.branches)
                raise RefutationError(f"fact {node.fact} has {expected} branches, not {found}")
            lowered = ([part for literal in branch for part in facts.lower(*literal)] for branch in fact.branches)
            return list(zip(lowered, node.branches, strict=True))
        case Split():
            unknowns = tuple(facts.unknowns)
            terms = [(-_integer(node.bound), ONE)]
            for number, coefficient in node.coefficients:
                if not 0 <= _integer(number) < len(unknowns):
                    raise RefutationError(f"there is no unknown {number} to split on, only {len(unknowns)}")
                terms.append((_integer(coefficient), Form({unknowns[number]: 1}, 0)))
            below = total(*terms)
            above = total((-1, below), (1, ONE))  # the negation of t - bound ≤ 0 is bound + 1 - t ≤ 0
            return [([tightened(below)], node.below), ([tightened(above)], node.above)]
        case Cut():
            return [([tightened(combination(facts, node.multipliers))], node.rest)]
    raise RefutationError(f"a refutation has no {type(node).__name__}")


def combination(facts: Facts, multipliers: Multipliers) -> Form:
    """The sum of multiplier · atom, which is ≤ 0 because the multipliers are positive."""
    for _, multiplier in multipliers:
        if _integer(multiplier) < 1:
            raise RefutationError(f"multiplier {multiplier} is not positive")
    combined = total(*((multiplier, _numbered(facts, number, Form)) for number, multiplier in multipliers))
    for number in (combined.constant, *combined.coefficients.values()):  # or cuts of cuts grow numbers without end
        _integer(number)
    return combined


def _numbered(facts: Facts, number: int, kind: type[Known]) -> Known:
    if not 0 <= _integer(number) < len(facts.facts):
        raise RefutationError(f"there is no fact {number}, only {len(facts.facts)}")
    fact = facts.facts[number]
    if not isinstance(fact, kind):
        raise RefutationError(f"fact {number} is a {type(fact).__name__}, not a {kind.__name__}")
    return fact


def _integer(value: object) -> int:
    if type(value) is not int or value.bit_length() > MAX_BITS:
        raise RefutationError(f"expected an integer of at most {MAX_BITS} bits, got {type(value).__name__}")
    return value
