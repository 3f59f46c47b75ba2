"""Refutation trees: evidence, checked without a solver, that a formula is valid (trusted).

THEORY.md section 4. A formula (see `facts`) is valid when assuming that it fails is contradictory. A
refutation is a tree that shows it, with one rule a node; every rule is sound over the integers, and the facts
of a branch are those of the nodes above it:

    Case     one branch for each branch of a disjunctive fact, in which that branch's literals are assumed
    Split    a linear form t of integer unknowns is ≤ bound or ≥ bound + 1
    Cut      a nonnegative combination of atoms, divided by the gcd of its coefficients and rounded, is an atom
    Farkas   a nonnegative combination of atoms that says c ≤ 0 with c ≥ 1

Cuts and splits make the rules complete for linear integer arithmetic (Chvátal, 1973). Facts and unknowns are
named by their numbers on the branch. `check` is the only door, and accepts by returning.
"""

from __future__ import annotations

from dataclasses import dataclass

from tallystick.certificates.facts import Atom, Disjunction, Facts, Form, require_formula, tightened, total
from tallystick.core.errors import RefutationError
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
    """The form Σ coefficient · unknown, given as pairs (number of the unknown, coefficient): t ≤ bound | t > bound."""

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

    Fails when (RefutationError): `formula` is no formula; a node names a fact or unknown that the branch does
    not have, or a fact of the wrong kind; a case has not one branch a disjunct; a multiplier is not a positive
    integer; a leaf is not contradictory; or the nesting is too deep for the interpreter.
    """
    facts = Facts()
    try:
        require_formula(formula)
        facts.assume([(formula, False)])
        _close(facts, refutation)
    except RecursionError:
        raise RefutationError("the formula or its refutation is nested too deeply") from None


def _close(facts: Facts, node: Refutation) -> None:
    match node:
        case Case():
            _close_cases(facts, node)
        case Split():
            _close_split(facts, node)
        case Cut():
            mark = facts.mark()
            facts.add(tightened(combination(facts, node.multipliers)))
            _close(facts, node.rest)
            facts.restore(mark)
        case Farkas():
            coefficients, constant = combination(facts, node.multipliers)
            if coefficients or constant < 1:
                raise RefutationError(f"the combination {_show(node)} is not contradictory")
        case _:
            raise RefutationError(f"a refutation has no {type(node).__name__}")


def _close_cases(facts: Facts, node: Case) -> None:
    """A ∨ B, A ⊢ ⊥ and B ⊢ ⊥ give ⊥."""
    fact = _numbered(facts, node.fact)
    if not isinstance(fact, Disjunction):
        raise RefutationError(f"fact {node.fact} is no disjunction")
    if len(node.branches) != len(fact.branches):
        raise RefutationError(f"fact {node.fact} has {len(fact.branches)} branches, not {len(node.branches)}")
    for literals, branch in zip(fact.branches, node.branches, strict=True):
        mark = facts.mark()
        facts.assume(literals)
        _close(facts, branch)
        facts.restore(mark)


def _close_split(facts: Facts, node: Split) -> None:
    """For an integer t: t ≤ bound ⊢ ⊥ and t ≥ bound + 1 ⊢ ⊥ give ⊥."""
    unknowns = tuple(facts.unknowns)
    for unknown, coefficient in node.coefficients:
        if not 0 <= _integer(unknown) < len(unknowns):
            raise RefutationError(f"there is no unknown {unknown} to split on, only {len(unknowns)}")
        _integer(coefficient)
    bound = _integer(node.bound)
    for sign, constant, branch in ((1, -bound, node.below), (-1, bound + 1, node.above)):
        terms = [(sign * coefficient, {unknowns[unknown]: 1}, 0) for unknown, coefficient in node.coefficients]
        mark = facts.mark()
        facts.add(tightened(total([*terms, (constant, {}, 1)])))
        _close(facts, branch)
        facts.restore(mark)


def combination(facts: Facts, multipliers: Multipliers) -> Form:
    """The sum of multiplier · atom, a form that is ≤ 0 because the multipliers are positive.

    Fails when (RefutationError): a number is not that of an atom, or a multiplier is not a positive integer.
    """
    parts: list[tuple[int, Atom]] = []
    for number, multiplier in multipliers:
        atom = _numbered(facts, number)
        if not isinstance(atom, Atom):
            raise RefutationError(f"fact {number} is no atom")
        if _integer(multiplier) < 1:
            raise RefutationError(f"multiplier {multiplier} of fact {number} is not positive")
        parts.append((multiplier, atom))
    return total((multiplier, atom.coefficients, atom.constant) for multiplier, atom in parts)


def _numbered(facts: Facts, number: int) -> Atom | Disjunction:
    if not 0 <= _integer(number) < len(facts.facts):
        raise RefutationError(f"there is no fact {number}, only {len(facts.facts)}")
    return facts.facts[number]


def _integer(value: object) -> int:
    if type(value) is not int:
        raise RefutationError(f"expected an integer, got {value!r}")
    return value


def _show(node: Farkas) -> str:
    return " + ".join(f"{multiplier}·fact {number}" for number, multiplier in node.multipliers) or "of no facts"
