"""Proofs that two bags have the same rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

from tallystick.certificates.exports.core.proofs import Cover, Heads, Leaf, Proof, Tree
from tallystick.certificates.exports.core.rules import (
    Group,
    One,
    Sources,
    bag_premises,
    contained,
    swapped,
)
from tallystick.certificates.exports.core.terms import (
    Node,
    bag,
    both,
    cell,
    conjunction,
    exists,
    mono,
    same,
    shift,
    slots_in,
)
from tallystick.core_proofs.branches import cells_are
from tallystick.core_proofs.monomials import (
    MOST_ORDERS,
    conjuncts,
    correspondence,
    determined,
    orders,
    together,
    without_slot,
)
from tallystick.core_proofs.refuting import Refuting


@dataclass
class Bags(Refuting):
    """A search for proofs by BAG, after steps by ONE and INSIDE."""

    def bags(self, rows: Sources, given: Node, left: Node, right: Node, depth: int = 0) -> Proof | None:
        """A proof that two bags have the same rows."""
        if left is right:
            return Proof("Refl")
        found = self.matched(rows, given, left, right, depth)
        if found is not None:
            return found
        wanted = [source for each in right.args[0] for source in each.args[0]]
        shorter, close = self.closings(rows, given, left, depth, wanted)
        other, close_other = self.closings(rows, given, right, depth)
        if not close and not close_other:
            return None
        inner = Proof("Refl") if shorter is other else self.matched(rows, given, shorter, other, depth)
        if inner is None:
            return None
        if close_other:
            inner = Proof("Sym", (), (), (inner,))
            for one, place, swaps, trees in reversed(close_other):
                inner = self._one(one, place, swaps, trees, inner)
            inner = Proof("Sym", (), (), (inner,))
        for one, place, swaps, trees in reversed(close):
            inner = self._one(one, place, swaps, trees, inner)
        return inner

    @staticmethod
    def _one(one: One, place: int, swaps: tuple[int, ...], trees: tuple[Tree | Leaf, ...], inner: Proof) -> Proof:
        arguments = (
            place,
            swaps,
            one.kept,
            one.unique,
            one.condition,
            Heads(one.heads),
            one.smaller,
            Heads(one.smaller_heads),
            one.opening,
        )
        return Proof("One_rule", arguments, trees, (inner,))

    def closings(
        self, rows: Sources, given: Node, of: Node, depth: int, wanted: Sequence[Node] = ()
    ) -> tuple[Node, list[tuple[One, int, tuple[int, ...], tuple[Tree | Leaf, ...]]]]:
        """A bag without the slots that have one row at most, and the steps that lead there."""
        steps = []
        monos = [*of.args[0]]
        place = 0
        while place < len(monos):
            closed = self.closing(rows, given, monos[place], depth)
            opened = None if closed else self.expanding(rows, given, monos[place], depth)
            if closed is None and opened is None and not {*monos[place].args[0]} & {*wanted}:
                opened = self.transferring(rows, given, monos[place], wanted, depth)
            if opened is not None:
                closed = self.closing(rows, given, opened[0].large, depth, (opened[2],))
            if closed is None:
                place += 1
                continue
            if opened is not None:
                steps.append((opened[0], place, (), opened[1]))
            one, swaps, trees = closed
            steps.append((one, place, swaps, trees))
            monos[place] = one.small
        return bag(monos), steps

    def closing(
        self, rows: Sources, given: Node, of: Node, depth: int, places: Sequence[int] | None = None
    ) -> tuple[One, tuple[int, ...], tuple[Tree | Leaf, ...]] | None:
        """One slot of a monomial, of those at these places, that has one row at most and that its heads do not need."""
        number = len(of.args[0])
        for place in reversed(range(number)) if places is None else places:
            moved: Node | None = of
            swaps = tuple(range(place, number - 1))
            for swap in swaps:
                moved = None if moved is None else swapped(moved, swap)
            if moved is None:
                continue
            *kept, last = moved.args[0]
            if last.name == "Block" or (last.name == "Table" and not self.keys.get(last.args[0])):
                continue
            condition, heads = moved.args[1], moved.args[2]
            equal = self.equal_cells(condition, last, [*rows, *kept])
            smaller_heads = without_slot(equal, heads)
            if smaller_heads is None:
                continue
            plain = without_slot(equal, [condition])
            for smaller in (*(plain or ()), exists(bag([mono((last,), condition, ())]))):
                one = One(0, tuple(kept), (last,), condition, heads, smaller, smaller_heads, False)
                trees = self.premises(one.premises(rows, given, self.keys), depth)
                if trees is not None:
                    return one, swaps, trees
        return None

    def equal_cells(self, condition: Node, last: Node, kept: Sequence[Node]) -> dict[Node, Node]:
        """Terms that a condition says to be the cells of slot 0, the last one."""
        equal: dict[Node, Node] = {}
        for part in conjuncts(condition):
            pair = part.name == "Apply" and len(part.args[1]) == 2 and part.args[0].name in ("IsSame", "Scalar")
            if pair and (
                part.args[0].name == "IsSame"
                or (part.args[0].args[0].name == "SCompare" and part.args[0].args[0].args[0].name != "Less")
            ):
                for one, other in (part.args[1], part.args[1][::-1]):
                    if one.name == "Cell" and one.args[0] == 0 and 0 not in slots_in(other):
                        equal.setdefault(one, other)
        if last.name == "Support" and len(last.args[0].args[0]) == 1:
            for column, head in enumerate(determined(last.args[0].args[0][0])):
                if head is not None:
                    equal.setdefault(cell(0, column), head)
        if last.name == "Table":
            for key in self.keys.get(last.args[0], ()):
                for slot, source in enumerate(reversed(kept), 1):
                    if source is last and all(equal.get(cell(0, c)) is cell(slot, c) for c in key):
                        for column in range(self.compiler.columns[last.args[0]]):
                            equal.setdefault(cell(0, column), cell(slot, column))
        return equal

    def expanding(
        self, rows: Sources, given: Node, of: Node, depth: int
    ) -> tuple[One, tuple[Tree | Leaf, ...], int] | None:
        """Slots beside one over a support of one monomial, which have one row at most for each of its rows."""
        sources, condition, heads = of.args
        for place, source in enumerate(sources):
            inner = source.args[0].args[0] if source.name == "Support" else ()
            if len(inner) != 1 or not inner[0].args[0]:
                continue
            unique, more, made = shift(len(sources) - place, inner[0]).args
            by = len(unique)
            row = len(sources) - 1 - place + by
            large = both(shift(by, condition), both(more, conjunction(cells_are(row, made))))
            one = One(0, sources, unique, large, tuple(shift(by, head) for head in heads), condition, heads, True)
            trees = self.premises(one.premises(rows, given, self.keys), depth)
            if trees is not None:
                return one, trees, place
        return None

    def transferring(
        self, rows: Sources, given: Node, of: Node, others: Sequence[Node], depth: int
    ) -> tuple[One, tuple[Tree | Leaf, ...], int] | None:
        """A slot beside one over a support, over another whose columns are columns of the first, or literals."""
        sources, condition, heads = of.args
        for place, source in enumerate(sources):
            if source.name != "Support" or len(source.args[0].args[0]) != 1:
                continue
            mine = source.args[0].args[0][0]
            for other in dict.fromkeys(others):
                if other.name != "Support" or other is source or len(other.args[0].args[0]) != 1 or slots_in(other):
                    continue
                for _, moved in islice(orders(other.args[0].args[0][0], mine.args[0]), MOST_ORDERS):
                    pairs = correspondence(mine, moved)
                    if pairs is None or moved.args[0] != mine.args[0]:
                        continue
                    row = len(sources) - place
                    cells = {"old": row, "new": 0}
                    facts = [
                        same(
                            cell(cells[side], column),
                            right if isinstance(right, Node) else cell(cells[right[0]], right[1]),
                        )
                        for side, column, right in pairs
                    ]
                    large = both(shift(1, condition), conjunction(facts))
                    one = One(
                        0, sources, (other,), large, tuple(shift(1, head) for head in heads), condition, heads, True
                    )
                    trees = self.premises(one.premises(rows, given, self.keys), depth)
                    if trees is not None:
                        return one, trees, place
        return None

    def matched(self, rows: Sources, given: Node, left: Node, right: Node, depth: int) -> Proof | None:
        """A proof by BAG, after supports of the left side have given way to those of the right side."""
        exchanges: list[tuple[int, int, Node, tuple[Tree | Leaf, ...]]] = []
        groups: list[Group] = []
        trees: list[Tree | Leaf] = []
        lefts: list[tuple[int, tuple[int, ...]]] = []
        rights: list[tuple[int, tuple[int, ...]]] = []
        free = dict(enumerate(right.args[0]))
        lonely = []
        for number, one in enumerate(left.args[0]):
            for place, other in free.items():
                found = self.pair(rows, given, one, other, depth)
                if found is not None:
                    group, swaps, changed, proofs = found
                    exchanges += [(number, *each) for each in changed]
                    groups.append(group)
                    trees += proofs
                    lefts.append((number, ()))
                    rights.append((place, swaps))
                    del free[place]
                    break
            else:
                lonely.append((number, one))
        for several in together(lonely, [*free.items()]):
            group, mine, others = several
            proofs_of = self.premises(bag_premises(rows, given, group), depth)
            if proofs_of is None:
                return None
            groups.append(group)
            trees += proofs_of
            lefts += mine
            rights += others
        proof = Proof("Bag_rule", (groups, Cover(tuple(lefts)), Cover(tuple(rights))), tuple(trees))
        for number, slot, new, proofs_of in reversed(exchanges):
            proof = Proof("Inside_support", (number, slot, new), proofs_of, (proof,))
        return proof

    def pair(
        self, rows: Sources, given: Node, one: Node, other: Node, depth: int
    ) -> tuple[Group, tuple[int, ...], list[tuple[int, Node, tuple[Tree | Leaf, ...]]], tuple[Tree | Leaf, ...]] | None:
        """That two monomials make the same rows, with the slots of the second in an order."""
        for swaps, moved in islice(orders(other, one.args[0]), MOST_ORDERS):
            current, changed = one, list[tuple[int, Node, tuple[Tree | Leaf, ...]]]()
            for slot, source in enumerate(moved.args[0]):
                mine = current.args[0][slot]
                if mine is source:
                    continue
                if mine.name != "Support" or source.name != "Support":
                    break
                before, old, new = current.args[0][:slot], mine.args[0], source.args[0]
                pair = (contained(rows, given, before, *each) for each in ((old, new), (new, old)))
                proofs = self.premises(pair, depth)
                if proofs is None:
                    break
                changed.append((slot, new, proofs))
                current = mono((*before, source, *current.args[0][slot + 1 :]), *current.args[1:])
            else:
                group = Group(current.args[0], (current.args[1:],), (moved.args[1:],))
                found = self.premises(bag_premises(rows, given, group), depth)
                if found is not None:
                    return group, swaps, changed, found
        return None
