"""Which rows and values of one query correspond to which of another: guesses for exchanges (untrusted).

Inputs of boundaries are summations. Their monomials are paired, those with the same sources, and the slots of a pair
such that as many conditions as possible become the same formula. Then operands are compared as terms.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from weakref import WeakKeyDictionary

from tallystick.core.binders import instantiate
from tallystick.core.operators import Operator
from tallystick.core.queries.compilation.cells import Cell, row_of
from tallystick.core.queries.expressions import And, Comparison, Expression, IsNull, Literal, Not, Or
from tallystick.core.queries.types import RowType
from tallystick.core.terms import Term, build, scale
from tallystick.core.types import INT
from tallystick.decision.queries.proofs.classes import Classes
from tallystick.decision.queries.trees.opened import FRESH, Opened, opened
from tallystick.decision.queries.trees.slots import conjuncts

MOST_ASSIGNMENTS = 200
"""So many assignments of the slots of two monomials are compared."""


@dataclass(frozen=True)
class Pair:
    """Two monomials over the same rows, with the terms that their conditions equate."""

    left: Opened
    right: Opened
    classes: Classes

    def same(self, left: int, right: int) -> bool:
        """Whether a column of the left head seems to hold what one of the right holds."""
        one, other = self.left.head.arguments[left], self.right.head.arguments[right]
        return one is other or self.classes.same(one, other) or linear(one) is linear(other)


_linear: WeakKeyDictionary[Term, Term] = WeakKeyDictionary()


def linear(term: Term) -> Term:
    """A term with one factor in the place of several: 100 · (1/100 · x) is x."""
    known = _linear.get(term)
    if known is None:
        arguments = tuple(map(linear, term.arguments))
        known = term if arguments == term.arguments else build(term.operator, arguments, term.parameter)
        if known.operator is Operator.SCALE:
            (inner,), factor = known.arguments, Fraction(known.parameter)  # type: ignore[arg-type]
            if inner.operator is Operator.SCALE:
                (inner,), factor = inner.arguments, factor * Fraction(inner.parameter)  # type: ignore[arg-type]
            known = inner if factor == 1 else scale(int(factor) if inner.type == INT else factor, inner)
        _linear[term] = known
    return known


def paired(left: Term, right: Term) -> list[Pair] | None:
    """Pairs of the monomials of two summations with the same sources; None where there are none for some."""
    if len(left.arguments) != len(right.arguments):
        return None
    pairs: list[Pair] = []
    free = [opened(monomial, FRESH) for monomial in left.arguments]
    for monomial in right.arguments:
        found = [(score, place, other) for place, one in enumerate(free) for score, other in _assigned(one, monomial)]
        if not found:
            return None
        _, place, other = max(found, key=lambda each: each[0])
        one = free.pop(place)
        pairs.append(Pair(one, other, Classes((*one.conditions, *other.conditions))))
    return pairs


def _assigned(left: Opened, monomial: Term) -> list[tuple[int, Opened]]:
    """A monomial over the rows of another: the assignment with the most common conditions, if there is one."""
    right = opened(monomial, FRESH)
    if sorted(map(id, left.sources)) != sorted(map(id, right.sources)):
        return []
    own, best = frozenset(left.conditions), list[tuple[int, Opened]]()
    for places in islice(_bijections(left.sources, right.sources), MOST_ASSIGNMENTS):
        rows = tuple(left.rows[place] for place in places)
        instance = instantiate(monomial, rows)
        parts = tuple(conjuncts(instance.condition))
        score = 2 * len(own & frozenset(parts)) - len(own ^ frozenset(parts))
        if not best or score > best[0][0]:
            best = [(score, Opened(rows, instance.sources, parts, instance.head))]
    return best


def _bijections(left: Sequence[Term | None], right: Sequence[Term]) -> Iterator[list[int]]:
    """For each right source, the place of an equal left one."""
    if not right:
        yield []
        return
    for place, source in enumerate(left):
        if source is right[0]:
            others = [*left[:place], None, *left[place + 1 :]]
            yield from ([place, *rest] for rest in _bijections(others, right[1:]))


def column_of(pairs: Sequence[Pair], right: int, candidates: Sequence[int]) -> int | None:
    """The left column that holds, in each pair, what a right one holds."""
    for exact in (True, False):
        for left in candidates:
            if exact:
                found = all(p.left.head.arguments[left] is p.right.head.arguments[right] for p in pairs)
            else:
                found = all(pair.same(left, right) for pair in pairs)
            if found:
                return left
    return None


def further_conditions(pairs: Sequence[Pair], columns: RowType, keys: dict[int, Expression]) -> list[Expression] | None:
    """The conditions of right monomials that the left ones do not have, over columns of the left head that are `keys`.

    Conditions that are no conditions on keys are left out. None where pairs differ in them.
    """
    found: list[list[Expression]] = []
    for pair in pairs:
        cells = row_of(pair.left.head, columns)
        atoms: dict[Term, Expression] = {}
        for place, reference in keys.items():
            _add_atoms(atoms, cells[place], reference)
        for condition in pair.right.conditions:
            for term in _unknowns(condition):
                if term in atoms or term.operator is Operator.CONSTANT:
                    continue
                for other in pair.classes.others(term):
                    if other in atoms:
                        atoms[term] = atoms[other]
                        break
        own = frozenset(pair.left.conditions)
        extra = (each for each in pair.right.conditions if each not in own)
        found.append([made for each in extra if (made := _expression(each, atoms)) is not None])
    if any(set(each) != set(found[0]) for each in found):
        return None
    return list(dict.fromkeys(found[0])) if found else []


def _add_atoms(atoms: dict[Term, Expression], cell: Cell, reference: Expression) -> None:
    atoms.setdefault(cell.value, reference)
    if cell.null.operator is Operator.IS_NONE:
        atoms.setdefault(cell.null, IsNull(reference))


def _unknowns(condition: Term) -> Iterator[Term]:
    """The terms that a condition compares."""
    waiting = [condition]
    while waiting:
        term = waiting.pop()
        if term.operator in (Operator.NOT, Operator.AND, Operator.OR):
            waiting += term.arguments
        elif term.operator in (Operator.EQUAL, Operator.LESS, Operator.LESS_EQUAL):
            yield from term.arguments
        else:
            yield term


def _expression(term: Term, atoms: dict[Term, Expression]) -> Expression | None:
    """The condition over columns that a formula is."""
    if term in atoms:
        return atoms[term]
    match term.operator:
        case Operator.NOT:
            inner = _expression(term.arguments[0], atoms)
            return None if inner is None else Not(inner)
        case Operator.AND | Operator.OR:
            parts = [_expression(part, atoms) for part in term.arguments]
            known = tuple(part for part in parts if part is not None)
            if len(known) < len(parts):
                return None
            return And(known) if term.operator is Operator.AND else Or(known)
        case Operator.EQUAL | Operator.LESS | Operator.LESS_EQUAL:
            left, right = (atoms.get(side) for side in term.arguments)
            if left is None and right is not None and term.arguments[0].operator is Operator.CONSTANT:
                left = Literal(term.arguments[0].parameter, right.type)  # type: ignore[arg-type]
            if right is None and left is not None and term.arguments[1].operator is Operator.CONSTANT:
                right = Literal(term.arguments[1].parameter, left.type)  # type: ignore[arg-type]
            if left is None or right is None or left.type != right.type:
                return None
            signs = {Operator.EQUAL: "=", Operator.LESS: "<", Operator.LESS_EQUAL: "<="}
            return Comparison(signs[term.operator], left, right)  # type: ignore[arg-type]
        case _:
            return None
