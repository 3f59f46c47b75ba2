"""Monomials: orders of slots, groups, and what conditions say of terms."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import islice, permutations

from tallystick.certificates.exports.core.rules import (
    Group,
    swapped,
)
from tallystick.certificates.exports.core.terms import (
    AND,
    NULL,
    Node,
    Renaming,
    bag,
    both,
    cell,
    conjunction,
    either,
    exists,
    mono,
    replaced,
    scalar,
    shift,
    slots_in,
)

MOST_ORDERS = 24
"""How many orders of the slots of a monomial are tried."""
Places = list[tuple[int, tuple[int, ...]]]


def conjuncts(of: Node) -> list[Node]:
    """The parts of a conjunction, of truth values or as the core has it."""
    if of.name == "Apply" and (
        of.args[0] is AND or (of.args[0].name == "Scalar" and of.args[0].args[0].name == "SBoth")
    ):
        return [each for part in of.args[1] for each in conjuncts(part)]
    return [of]


def orders(of: Node, sources: Sequence[Node]) -> Iterator[tuple[tuple[int, ...], Node]]:
    """A monomial with its slots in other orders, by swaps, where the tables are these."""
    number = len(sources)
    names = [(source.name, source.args[0] if source.name == "Table" else None) for source in sources]
    own = [(source.name, source.args[0] if source.name == "Table" else None) for source in of.args[0]]
    if sorted(map(repr, names)) != sorted(map(repr, own)):
        return
    for order in islice(permutations(range(number)), 720):
        if [own[place] for place in order] != names:
            continue
        current, moved, swaps = [*range(number)], of, list[int]()
        for target, place in enumerate(order):
            for at in reversed(range(target, current.index(place))):
                after = swapped(moved, at)
                if after is None:
                    break
                moved = after
                current[at], current[at + 1] = current[at + 1], current[at]
                swaps.append(at)
        if current == [*order]:
            yield tuple(swaps), moved


def together(
    left: Sequence[tuple[int, Node]], right: Sequence[tuple[int, Node]]
) -> Iterator[tuple[Group, Places, Places]]:
    """Groups of the monomials that range over the same slots, with the numbers and the swaps of their members."""
    waiting = [*((True, *each) for each in left), *((False, *each) for each in right)]
    while waiting:
        over = waiting[0][2].args[0]
        members: dict[bool, list[tuple[Node, tuple[Node, ...]]]] = {True: [], False: []}
        places: dict[bool, Places] = {True: [], False: []}
        rest = []
        for mine, number, each in waiting:
            found = next(((swaps, moved) for swaps, moved in orders(each, over) if moved.args[0] == over), None)
            if found is None:
                rest.append((mine, number, each))
            else:
                members[mine].append(found[1].args[1:])
                places[mine].append((number, found[0]))
        waiting = rest
        yield Group(over, tuple(members[True]), tuple(members[False])), places[True], places[False]


def without_slot(equal: dict[Node, Node], terms: Sequence[Node]) -> tuple[Node, ...] | None:
    """Terms in which equal ones stand for the cells of slot 0, one slot further out; None where it is left in one."""
    found = []
    for term in terms:
        for one, other in equal.items():
            term = replaced(one, other, term)
        if 0 in slots_in(term):
            return None
        found.append(Renaming(lambda slot: slot - 1)(term))
    return tuple(found)


def existing(of: Node) -> Node:
    """A bag with the same different rows: slots that no head needs only have to exist, and what ranges alike is one."""
    alike: dict[tuple[tuple[Node, ...], tuple[Node, ...]], Node] = {}
    for each in of.args[0]:
        sources, condition, heads = _needed(_inlined(each)).args
        known = alike.get((sources, heads))
        alike[sources, heads] = condition if known is None else either(known, condition)
    return bag(mono(sources, condition, heads) for (sources, heads), condition in alike.items())


def last_slots(of: Node) -> Iterator[Node]:
    """A monomial with each of its slots as the last one, the last ones first, where that depends on no other."""
    number = len(of.args[0])
    for place in reversed(range(number)):
        moved: Node | None = of
        for at in range(place, number - 1):
            moved = None if moved is None else swapped(moved, at)
        if moved is not None:
            yield moved


def _inlined(of: Node) -> Node:
    """A monomial that ranges over what makes the rows of its supports."""
    for moved in last_slots(of):
        *kept, last = moved.args[0]
        if last.name != "Support" or len(last.args[0].args[0]) != 1:
            continue
        sources, condition, made = last.args[0].args[0][0].args
        row = len(sources)
        equal = {cell(row, column): head for column, head in enumerate(made)}
        terms = []
        for term in (shift(row, term) for term in (moved.args[1], *moved.args[2])):
            for one, other in equal.items():
                term = replaced(one, other, term)
            terms.append(term)
        if not any(row in slots_in(term) for term in terms):
            outer, *heads = (Renaming(lambda slot, row=row: slot if slot < row else slot - 1)(term) for term in terms)
            return _inlined(mono((*kept, *sources), both(condition, outer), heads))
    return of


def _needed(of: Node) -> Node:
    """A monomial without slots that no head needs."""
    for moved in last_slots(of):
        *kept, last = moved.args[0]
        condition, heads = moved.args[1:]
        without = without_slot({}, heads) if kept else None
        if without is not None:
            parts = conjuncts(condition)
            inside = exists(bag([mono((last,), conjunction(each for each in parts if 0 in slots_in(each)), ())]))
            outside = without_slot({}, [each for each in parts if 0 not in slots_in(each)])
            return _needed(mono(kept, conjunction((*(outside or ()), inside)), without))
    return of


def literal_number(of: Node) -> Fraction | None:
    """The number that a term is, if it is a literal."""
    given = of.args[0].args[0] if of.name == "Apply" and of.args[0].name == "Lit" else None
    return given.args[0] if given is not None and given.name == "Number" else None


def determined(of: Node) -> list[Node | None]:
    """The literals that the heads of a monomial are where its condition holds."""
    _, condition, heads = of.args
    literals: dict[Node, Node] = {}
    for part in conjuncts(condition):
        if part.name == "Apply" and part.args[0] is scalar("SIsNull"):
            literals.setdefault(part.args[1][0], NULL)
    for one, other in equal_pairs(condition):
        if other.name == "Apply" and other.args[0].name == "Lit":
            literals.setdefault(one, other)
    return [head if head.name == "Apply" and head.args[0].name == "Lit" else literals.get(head) for head in heads]


def given_outside(of: Node) -> list[Node | None]:
    """The terms over no slot of a monomial that its heads are where its condition holds, outside of its slots."""
    sources, condition, heads = of.args
    number = len(sources)
    outer: dict[Node, Node] = {}
    for one, other in equal_pairs(condition):
        if slots_in(other) and min(slots_in(other)) >= number:
            outer.setdefault(one, Renaming(lambda slot: slot - number)(other))
    return [outer.get(head) for head in heads]


def equal_pairs(condition: Node) -> Iterator[tuple[Node, Node]]:
    """The pairs of terms that a condition says to be equal, both ways."""
    for part in conjuncts(condition):
        operator = part.args[0] if part.name == "Apply" else None
        compared = operator is not None and (
            operator.name == "IsSame"
            or (
                operator.name == "Scalar"
                and operator.args[0].name == "SCompare"
                and operator.args[0].args[0].name != "Less"
            )
        )
        if compared:
            yield from (part.args[1], part.args[1][::-1])


def correspondence(mine: Node, other: Node) -> list[tuple[str, int, Node | tuple[str, int]]] | None:
    """What says that the heads of two monomials over the same slots determine each other; None where they do not."""
    found: list[tuple[str, int, Node | tuple[str, int]]] = []
    sides = (("new", other, "old", mine), ("old", mine, "new", other))
    for side, one, opposite, two in sides:
        for column, (head, literal) in enumerate(zip(one.args[2], determined(one), strict=True)):
            if head in two.args[2]:
                found.append((side, column, (opposite, two.args[2].index(head))))
            elif literal is not None:
                found.append((side, column, literal))
            else:
                return None
    return found
