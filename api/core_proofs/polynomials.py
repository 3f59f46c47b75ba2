"""Sums and products with the same polynomial: what `coq/core/Polynomials.v` shows to be equal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from fractions import Fraction

from tallystick.certificates.exports.core.terms import Node
from tallystick.core_proofs.branches import is_opaque, parts_of

Polynomial = dict[frozenset[tuple[Node, int]], Fraction]
"""The coefficients of products of atoms, each with how often it occurs there."""
MOST_MONOMIALS = 100
"""A longer polynomial is not multiplied out."""


def expansions(parts: Iterable[Node]) -> dict[Node, list[Node]]:
    """Terms with products that are equal to earlier ones, since they have the same atoms and the same polynomial."""
    calculated = [part for part in parts if operator_of(part) in ("SPlus", "STimes")]
    if not any(is_opaque(part) for part in calculated):
        return {}
    first: dict[object, Node] = {}
    found: dict[Node, list[Node]] = {}
    for part in calculated:
        polynomial = multiplied(part)
        if polynomial is None or not any(is_opaque(each) for each in parts_of([part])):
            continue
        earlier = first.setdefault((factors(part), frozenset(polynomial.items())), part)
        if earlier is not part:
            found[part] = [earlier]
    return found


def operator_of(of: Node) -> str:
    """The name of a scalar operator of two terms; empty for other terms."""
    if of.name == "Apply" and of.args[0].name == "Scalar" and len(of.args[1]) == 2:
        return of.args[0].args[0].name
    return ""


def number_of(of: Node) -> Fraction | None:
    """The number that a literal is."""
    literal = of.args[0].args[0] if of.name == "Apply" and of.args[0].name == "Lit" and not of.args[1] else None
    return Fraction(literal.args[0]) if literal is not None and literal.name == "Number" else None


def factors(of: Node) -> frozenset[Node]:
    """The atoms of a sum or a product: it is NULL where one of them is no number."""
    if operator_of(of) in ("SPlus", "STimes"):
        return factors(of.args[1][0]) | factors(of.args[1][1])
    return frozenset() if number_of(of) is not None else frozenset({of})


def multiplied(of: Node) -> Polynomial | None:
    """The polynomial of a term in its atoms, without coefficients 0; None where it is too long."""
    number = number_of(of)
    if number is not None:
        return {frozenset(): number} if number else {}
    if operator_of(of) not in ("SPlus", "STimes"):
        return {frozenset({(of, 1)}): Fraction(1)}
    left, right = (multiplied(each) for each in of.args[1])
    if left is None or right is None or len(left) * len(right) > MOST_MONOMIALS:
        return None
    result: Polynomial = dict(left) if operator_of(of) == "SPlus" else {}
    if operator_of(of) == "SPlus":
        for monomial, coefficient in right.items():
            result[monomial] = result.get(monomial, Fraction(0)) + coefficient
    else:
        for one, coefficient in left.items():
            for other, factor in right.items():
                product = frozenset((Counter(dict(one)) + Counter(dict(other))).items())
                result[product] = result.get(product, Fraction(0)) + coefficient * factor
    return {monomial: coefficient for monomial, coefficient in result.items() if coefficient}
