"""Conjunctions of literals as plain tuples: tightened, and negated."""

from __future__ import annotations

from collections.abc import Iterable

from tallystick.core.presburger.formulas import (
    And,
    Atom,
    Formula,
    Relation,
    at_point,
    conjunction,
    disjunction,
    equal,
    negate,
)
from tallystick.core.presburger.linear import Coefficients, Linear, constant

Conjunction = tuple[Atom, ...]


def tighten(literals: Iterable[Formula]) -> Conjunction:
    """An equivalent conjunction of a satisfiable conjunction: parallel bounds merged, constants put in place.

    Raises ValueError when a literal is plainly false, or not an atom.
    """
    atoms: dict[Atom, None] = {}
    for literal in literals:
        for part in literal.parts if isinstance(literal, And) else (literal,):
            if not isinstance(part, Atom):
                raise ValueError("expected satisfiable literals")
            atoms[part] = None
    while True:
        name, value = _fixed(atoms)
        if name is None:
            merged = _merge_bounds(atoms)
            if len(merged) == len(atoms):
                return tuple(merged)
            atoms = merged
            continue
        replaced: dict[Atom, None] = {}
        for atom in atoms:
            outcome = atom if len(atom.term.coefficients) == 1 and atom.relation is Relation.EQUAL else None
            outcome = outcome or at_point(atom, name, 1, constant(value))
            if isinstance(outcome, Atom):
                replaced[outcome] = None
            elif outcome != And(()):
                raise ValueError("expected satisfiable literals")
        atoms = replaced


def _fixed(atoms: Iterable[Atom]) -> tuple[str | None, int]:
    """An unknown that an equation sets to a number and that other literals mention."""
    fixed = {
        atom.term.coefficients[0][0]: -atom.term.constant
        for atom in atoms
        if atom.relation is Relation.EQUAL and len(atom.term.coefficients) == 1
    }
    for atom in atoms:
        if atom.relation is not Relation.EQUAL or len(atom.term.coefficients) > 1:
            for name in atom.term.names():
                if name in fixed:
                    return name, fixed[name]
    return None, 0


def _merge_bounds(atoms: Iterable[Atom]) -> dict[Atom, None]:
    """Only the tightest of parallel bounds; two that meet become an equation, which subsumes what it
    implies."""
    bounds: dict[Coefficients, int] = {}
    residues = {atom.term.names(): atom for atom in atoms if _is_residue(atom)}
    for atom in atoms:
        if atom.relation is Relation.AT_MOST:
            pairs, bound = atom.term
            bound = _rounded(atom.term, residues.get(atom.term.names()))
            bounds[pairs] = max(bound, bounds.get(pairs, bound))
        elif atom.relation is Relation.EQUAL:
            for term in (atom.term, atom.term.times(-1)):
                bounds[term.coefficients] = max(term.constant, bounds.get(term.coefficients, term.constant))
    merged: dict[Atom, None] = {}
    for atom in atoms:
        if atom.relation not in (Relation.AT_MOST, Relation.EQUAL):
            merged[atom] = None
            continue
        pairs = atom.term.coefficients
        term = Linear(pairs, bounds[pairs])
        opposite = bounds.get(term.times(-1).coefficients)
        meets = opposite == -term.constant
        found = equal(term) if meets else Atom(Relation.AT_MOST, term)
        if isinstance(found, Atom):
            merged[found] = None
    return merged


def _is_residue(atom: Atom) -> bool:
    """Whether the atom gives the residue of a single unknown: d | x + r."""
    return atom.relation is Relation.DIVIDES and [c for _, c in atom.term.coefficients] == [1]


def _rounded(bound: Linear, residue: Atom | None) -> int:
    """The constant c of a bound ±x + c ≤ 0, raised until ±x = -c has the residue, if one of x is given."""
    if residue is None:
        return bound.constant
    sign = sum(factor for _, factor in bound.coefficients)
    return bound.constant + (sign * residue.term.constant - bound.constant) % residue.divisor


def refuse(literals: Conjunction) -> Formula:
    """The negation of a conjunction."""
    return disjunction(negate(atom) for atom in literals)


def union(conjunctions: Iterable[Conjunction]) -> Formula:
    """The disjunction of conjunctions."""
    return disjunction(conjunction(literals) for literals in conjunctions)
