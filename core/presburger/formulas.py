"""Presburger formulas: atoms `t ≤ 0`, `t = 0`, `t ≠ 0`, `d | t`, `d ∤ t` over linear terms, connectives, ∀
and ∃.

The constructors with lower-case names are the door: they put atoms into a canonical form (gcd tightening,
signs, residues) and decide the ones without unknowns. TRUE and FALSE are the empty conjunction and
disjunction.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from math import gcd
from typing import NamedTuple, assert_never

from tallystick.core.presburger.limits import Limits
from tallystick.core.presburger.linear import Linear, combine


class Relation(Enum):
    """What an atom says about its linear term t."""

    AT_MOST = "≤"  # t ≤ 0
    EQUAL = "="  # t = 0
    DIFFERS = "≠"  # t ≠ 0
    DIVIDES = "|"  # divisor | t
    INDIVISIBLE = "∤"  # not divisor | t

    __hash__ = object.__hash__


class Atom(NamedTuple):
    """An atom in canonical form, made by the constructors below; `divisor` is 0 unless divisibility is
    meant."""

    relation: Relation
    term: Linear
    divisor: int = 0


@dataclass(frozen=True, slots=True)
class And:
    """The conjunction of its parts; of none: true."""

    parts: tuple[Formula, ...]


@dataclass(frozen=True, slots=True)
class Or:
    """The disjunction of its parts; of none: false."""

    parts: tuple[Formula, ...]


@dataclass(frozen=True, slots=True)
class Not:
    """The negation of its part."""

    part: Formula


@dataclass(frozen=True, slots=True)
class Implies:
    """premise ⇒ conclusion."""

    premise: Formula
    conclusion: Formula


@dataclass(frozen=True, slots=True)
class Iff:
    """left ⇔ right."""

    left: Formula
    right: Formula


@dataclass(frozen=True, slots=True)
class Exists:
    """∃ names. body."""

    names: tuple[str, ...]
    body: Formula


@dataclass(frozen=True, slots=True)
class Forall:
    """∀ names. body."""

    names: tuple[str, ...]
    body: Formula


Formula = Atom | And | Or | Not | Implies | Iff | Exists | Forall
TRUE = And(())
FALSE = Or(())


def truth(holds: bool) -> Formula:
    """TRUE or FALSE."""
    return TRUE if holds else FALSE


def at_most(term: Linear) -> Formula:
    """term ≤ 0, divided by the gcd of its coefficients, the bound rounded."""
    content = term.content()
    if content == 0:
        return truth(term.constant <= 0)
    if content > 1:
        pairs = tuple((name, factor // content) for name, factor in term.coefficients)
        term = Linear(pairs, -(-term.constant // content))
    return Atom(Relation.AT_MOST, term)


def equal(term: Linear) -> Formula:
    """term = 0, divided by the gcd of its coefficients, the first coefficient positive."""
    primitive = _primitive(term)
    return primitive if isinstance(primitive, Or | And) else Atom(Relation.EQUAL, primitive)


def differs(term: Linear) -> Formula:
    """term ≠ 0."""
    return negate(equal(term))


def _primitive(term: Linear) -> Linear | And | Or:
    content = term.content()
    if content == 0:
        return TRUE if term.constant == 0 else FALSE
    if term.constant % content:
        return FALSE
    if term.coefficients[0][1] < 0:
        content = -content
    pairs = tuple((name, factor // content) for name, factor in term.coefficients)
    return Linear(pairs, term.constant // content)


def divides(divisor: int, term: Linear) -> Formula:
    """divisor | term, for any integer divisor (0 | t means t = 0).

    Canonical: coefficients reduced modulo the divisor and freed of common factors with it, then multiplied by
    the unit that makes the first coefficient a divisor of `divisor`.
    """
    divisor = abs(divisor)
    if divisor == 0:
        return equal(term)
    pairs = tuple((name, factor % divisor) for name, factor in term.coefficients if factor % divisor)
    common = gcd(divisor, *(factor for _, factor in pairs))
    if term.constant % common:
        return FALSE
    divisor //= common
    if divisor == 1:
        return TRUE
    unit = unit_for(pairs[0][1] // common, divisor)
    canonical = tuple((name, factor // common * unit % divisor) for name, factor in pairs)
    return Atom(Relation.DIVIDES, Linear(canonical, term.constant // common * unit % divisor), divisor)


def unit_for(factor: int, modulus: int) -> int:
    """A unit u modulo `modulus` with u·factor ≡ gcd(factor, modulus)."""
    common = gcd(factor, modulus)
    period = modulus // common
    unit = pow(factor // common, -1, period)
    while gcd(unit, modulus) > 1:
        unit += period
    return unit


def negate(formula: Formula) -> Formula:
    """¬ formula; of an atom again an atom."""
    match formula:
        case Atom(Relation.AT_MOST, term):
            return Atom(Relation.AT_MOST, term.times(-1).shift(1))
        case Atom(relation, term, divisor):
            return Atom(_OPPOSITE[relation], term, divisor)
        case And(()):
            return FALSE
        case Or(()):
            return TRUE
        case Not(part):
            return part
        case _:
            return Not(formula)


_OPPOSITE = {
    Relation.EQUAL: Relation.DIFFERS,
    Relation.DIFFERS: Relation.EQUAL,
    Relation.DIVIDES: Relation.INDIVISIBLE,
    Relation.INDIVISIBLE: Relation.DIVIDES,
}


def conjunction(parts: Iterable[Formula]) -> Formula:
    """The conjunction, flattened, without repetitions; FALSE when an atom meets its negation."""
    found = _flatten(parts, And)
    if FALSE in found or any(isinstance(part, Atom) and negate(part) in found for part in found):
        return FALSE
    return next(iter(found)) if len(found) == 1 else And(tuple(found))


def disjunction(parts: Iterable[Formula]) -> Formula:
    """The disjunction, flattened, without repetitions; TRUE when an atom meets its negation."""
    found = _flatten(parts, Or)
    if TRUE in found or any(isinstance(part, Atom) and negate(part) in found for part in found):
        return TRUE
    return next(iter(found)) if len(found) == 1 else Or(tuple(found))


def _flatten(parts: Iterable[Formula], connective: type[And] | type[Or]) -> dict[Formula, None]:
    found: dict[Formula, None] = {}
    for part in parts:
        if isinstance(part, connective):
            found.update(dict.fromkeys(part.parts))
        else:
            found[part] = None
    return found


def nnf(formula: Formula, positive: bool = True) -> Formula:
    """Negation normal form of the formula (of its negation when not `positive`): atoms, ∧, ∨, ∀, ∃ only."""
    match formula:
        case Atom():
            return formula if positive else negate(formula)
        case And(parts) | Or(parts):
            join = conjunction if isinstance(formula, And) == positive else disjunction
            return join(nnf(part, positive) for part in parts)
        case Not(part):
            return nnf(part, not positive)
        case Implies(premise, conclusion):
            join = disjunction if positive else conjunction
            return join((nnf(premise, not positive), nnf(conclusion, positive)))
        case Iff(left, right):
            return disjunction(conjunction((nnf(left, side), nnf(right, side == positive))) for side in (True, False))
        case Exists(names, body) | Forall(names, body):
            quantifier = Exists if isinstance(formula, Exists) == positive else Forall
            inner = nnf(body, positive)
            return quantifier(names, inner) if free_names(inner) & set(names) else inner
    assert_never(formula)


def normal_form(formula: Formula, limits: Limits) -> Formula:
    """`nnf`; raises LimitError when it would have more atoms than the cap `atoms` allows, as nested ⇔ makes it."""
    limits.check("atoms", _normal_atoms(formula)[0])
    return nnf(formula)


def _normal_atoms(formula: Formula) -> tuple[int, int]:
    """How many atoms occur in the negation normal forms of a formula and of its negation."""
    if isinstance(formula, Atom):
        return 1, 1
    counts = [_normal_atoms(part) for part in children(formula)]
    positive, negative = sum(count for count, _ in counts), sum(count for _, count in counts)
    match formula:
        case Iff():
            return positive + negative, positive + negative
        case Not():
            return negative, positive
        case Implies():
            (premise, refuted), (conclusion, denied) = counts
            return refuted + conclusion, premise + denied
        case _:
            return positive, negative


def children(formula: Formula) -> tuple[Formula, ...]:
    """The immediate subformulas."""
    match formula:
        case Atom():
            return ()
        case And(parts) | Or(parts):
            return parts
        case Not(part):
            return (part,)
        case Implies(premise, conclusion):
            return (premise, conclusion)
        case Iff(left, right):
            return (left, right)
        case Exists(_, body) | Forall(_, body):
            return (body,)
    assert_never(formula)


def atoms(formula: Formula) -> Iterator[Atom]:
    """Every occurrence of an atom."""
    if isinstance(formula, Atom):
        yield formula
    for part in children(formula):
        yield from atoms(part)


def free_names(formula: Formula) -> frozenset[str]:
    """The unknowns that occur free."""
    if isinstance(formula, Atom):
        return frozenset(formula.term.names())
    inner = frozenset().union(*(free_names(part) for part in children(formula)))
    return inner - set(formula.names) if isinstance(formula, Exists | Forall) else inner


def is_quantifier_free(formula: Formula) -> bool:
    """Whether no ∀ or ∃ occurs."""
    return not isinstance(formula, Exists | Forall) and all(map(is_quantifier_free, children(formula)))


def size(formula: Formula) -> int:
    """How many atoms, connectives and quantifiers occur."""
    return 1 + sum(map(size, children(formula)))


def map_atoms(formula: Formula, change: Callable[[Atom], Formula]) -> Formula:
    """A quantifier-free formula in negation normal form with each atom replaced, simplified on the way."""
    match formula:
        case Atom():
            return change(formula)
        case And(parts):
            return conjunction(map_atoms(part, change) for part in parts)
        case Or(parts):
            return disjunction(map_atoms(part, change) for part in parts)
        case Not() | Implies() | Iff() | Exists() | Forall():
            raise ValueError("expected a quantifier-free formula in negation normal form")
    assert_never(formula)


def remake(atom: Atom, term: Linear, divisor: int = 0) -> Formula:
    """The atom with another term (and divisor, for divisibility), in canonical form."""
    match atom.relation:
        case Relation.AT_MOST:
            return at_most(term)
        case Relation.EQUAL:
            return equal(term)
        case Relation.DIFFERS:
            return differs(term)
        case Relation.DIVIDES:
            return divides(divisor or atom.divisor, term)
        case Relation.INDIVISIBLE:
            return negate(divides(divisor or atom.divisor, term))
    assert_never(atom.relation)


def at_point(atom: Atom, name: str, factor: int, point: Linear) -> Formula:
    """The atom where the unknown `name` is point / factor, for factor > 0 that divides the point's value."""
    coefficient = atom.term.coefficient(name)
    if coefficient == 0:
        return atom
    scaled = combine(factor, atom.term.without(name), coefficient, point)
    return remake(atom, scaled, factor * atom.divisor)


def holds(formula: Formula, values: Mapping[str, int]) -> bool:
    """Whether a quantifier-free formula is true where unknowns have `values` (0 where none is given)."""
    match formula:
        case Atom(relation, term, divisor):
            value = term.value(values)
            match relation:
                case Relation.AT_MOST:
                    return value <= 0
                case Relation.EQUAL:
                    return value == 0
                case Relation.DIFFERS:
                    return value != 0
                case Relation.DIVIDES:
                    return value % divisor == 0
                case Relation.INDIVISIBLE:
                    return value % divisor != 0
            assert_never(relation)
        case And(parts):
            return all(holds(part, values) for part in parts)
        case Or(parts):
            return any(holds(part, values) for part in parts)
        case Not(part):
            return not holds(part, values)
        case Implies(premise, conclusion):
            return not holds(premise, values) or holds(conclusion, values)
        case Iff(left, right):
            return holds(left, values) == holds(right, values)
        case Exists() | Forall():
            raise ValueError("only quantifier-free formulas have a value at a point")
    assert_never(formula)
