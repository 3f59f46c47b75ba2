"""Proofs that two bags have the same rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice

from tallystick.certificates.exports.core.proofs import Cover, Heads, Leaf, Proof, Tree
from tallystick.certificates.exports.core.rules import (
    Group,
    One,
    Sources,
    bag_premises,
    contained,
    numbered,
    swapped,
)
from tallystick.certificates.exports.core.terms import (
    YES,
    Node,
    bag,
    both,
    cell,
    conjunction,
    exists,
    mono,
    node,
    same,
    shift,
    slots_in,
    support,
)
from tallystick.core_proofs.branches import about_bags, cells_are
from tallystick.core_proofs.monomials import (
    MOST_ORDERS,
    conjuncts,
    correspondence,
    determined,
    existing,
    given_outside,
    orders,
    together,
    without_slot,
)
from tallystick.core_proofs.refuting import Refuting


@dataclass
class Bags(Refuting):
    """A search for proofs by BAG, after steps by ONE and INSIDE; `single`: whether the claim has scalar subqueries."""

    single: bool = False

    def bags(self, rows: Sources, given: Node, left: Node, right: Node, depth: int = 0) -> Proof | None:
        """A proof that two bags have the same rows."""
        if left is right:
            return Proof("Refl")
        found = self.matched(rows, given, left, right, depth)
        if found is not None:
            return found
        wanted = [source for each in right.args[0] for source in each.args[0]]
        shorter, steps = self.closings(rows, given, left, depth, wanted)
        other, other_steps = self.closings(rows, given, right, depth)
        if not steps and not other_steps:
            return None
        inner = Proof("Refl") if shorter is other else self.matched(rows, given, shorter, other, depth)
        if inner is None:
            return None
        if other_steps:
            inner = Proof("Sym", (), (), (after(other_steps, Proof("Sym", (), (), (inner,))),))
        return after(steps, inner)

    def closings(
        self, rows: Sources, given: Node, of: Node, depth: int, wanted: Sequence[Node] = ()
    ) -> tuple[Node, list[Proof]]:
        """A bag without the slots that have one row at most, and the steps that lead there, each without its rest."""
        steps: list[Proof] = []
        monos = [*of.args[0]]
        place = 0
        while place < len(monos):
            found = self.step(rows, given, monos[place], place, depth, wanted)
            if found is None:
                place += 1
            else:
                monos[place], done = found
                steps += done
        return bag(monos), steps

    def step(
        self, rows: Sources, given: Node, of: Node, place: int, depth: int, wanted: Sequence[Node]
    ) -> tuple[Node, list[Proof]] | None:
        """A simpler monomial for the one in a place of a bag, and the steps that lead there."""
        closed = self.closing(rows, given, of, depth)
        if closed is not None:
            return closed[0].small, [step_by(place, *closed)]
        simpler = self.simpler(rows, given, of, place, depth, wanted)
        if simpler is not None:
            return simpler
        opened = self.expanding(rows, given, of, depth)
        if opened is None and not {*of.args[0]} & {*wanted}:
            opened = self.transferring(rows, given, of, wanted, depth)
        if opened is None:
            return None
        closed = self.closing(rows, given, opened[0].large, depth, (opened[2],))
        if closed is None:
            return None
        return closed[0].small, [step_by(place, opened[0], (), opened[1]), step_by(place, *closed)]

    def simpler(
        self, rows: Sources, given: Node, of: Node, place: int, depth: int, wanted: Sequence[Node]
    ) -> tuple[Node, list[Proof]] | None:
        """A monomial with a support in simpler words: of fewer monomials, or over fewer slots."""
        sources = of.args[0]
        for slot, source in enumerate(sources):
            if source.name != "Support" or source in wanted:
                continue
            old, new = source.args[0], existing(source.args[0])
            if new is old:
                continue
            pair = (contained(rows, given, sources[:slot], *each) for each in ((old, new), (new, old)))
            trees = self.premises(pair, depth)
            if trees is not None:
                changed = mono((*sources[:slot], support(new), *sources[slot + 1 :]), *of.args[1:])
                return changed, [Proof("Inside_support", (place, slot, new), trees)]
        return None

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
            if last.name == "Block":
                layout = numbered(last)
                if layout is None or layout.unique is None:
                    continue
            elif last.name == "Table" and not self.keys.get(last.args[0]):
                continue
            condition, heads = moved.args[1], moved.args[2]
            equal = self.equal_cells(condition, last, [*rows, *kept])
            smaller_heads = self.outside(equal, last, condition, heads)
            if smaller_heads is None:
                continue
            plain = without_slot(equal, [condition])
            of_rows = [conjunction(each for each in conjuncts(part) if not about_bags(each)) for part in plain or ()]
            for smaller in dict.fromkeys((*of_rows, *(plain or ()), exists(bag([mono((last,), condition, ())])))):
                one = One(0, tuple(kept), (last,), condition, heads, smaller, smaller_heads, False)
                trees = self.premises(one.premises(rows, given, self.keys), depth)
                if trees is not None:
                    return one, swaps, trees
        return None

    def outside(
        self, equal: dict[Node, Node], last: Node, condition: Node, heads: Sequence[Node]
    ) -> tuple[Node, ...] | None:
        """Heads without the last slot: by equal terms, or as values of subqueries, where the claim has any."""
        found = []
        for head in heads:
            plain = without_slot(equal, [head])
            if plain is not None:
                found += plain
            elif self.single:
                found.append(node("Summary", node("Single"), bag([mono((last,), condition, (head,))])))
            else:
                return None
        return tuple(found)

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
            made = last.args[0].args[0][0]
            for column, (literal, outer) in enumerate(zip(determined(made), given_outside(made), strict=True)):
                head = literal if outer is None else shift(1, outer)
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
        exchanges: list[Proof] = []
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
                    exchanges += [replace(each, arguments=(number, *each.arguments)) for each in changed]
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
        return after(exchanges, proof)

    def exchange(
        self, rows: Sources, given: Node, before: Sources, mine: Node, other: Node, depth: int
    ) -> Proof | None:
        """A step that puts one source in the place of another: supports with the same rows, and blocks of one bag."""
        slot, old, new = len(before), mine.args[-1], other.args[-1]
        if mine.name == other.name == "Support":
            pair = (contained(rows, given, before, *each) for each in ((old, new), (new, old)))
            trees = self.premises(pair, depth)
            return None if trees is None else Proof("Inside_support", (slot, new), trees)
        if mine.name == other.name == "Block" and mine.args[0] is other.args[0]:
            equal = self.bags((*rows, *before), both(shift(slot, given), YES), old, new, depth)
            return None if equal is None else Proof("Inside_source", (slot, new), (), (equal,))
        return None

    def pair(
        self, rows: Sources, given: Node, one: Node, other: Node, depth: int
    ) -> tuple[Group, tuple[int, ...], list[Proof], tuple[Tree | Leaf, ...]] | None:
        """That two monomials make the same rows, with the slots of the second in an order.

        Its steps, which make sources of the first those of the second, do not say yet which monomial it is.
        """
        for swaps, moved in islice(orders(other, one.args[0]), MOST_ORDERS):
            current, changed = one, list[Proof]()
            for slot, source in enumerate(moved.args[0]):
                mine = current.args[0][slot]
                if mine is source:
                    continue
                before = current.args[0][:slot]
                step = self.exchange(rows, given, before, mine, source, depth)
                if step is None:
                    break
                changed.append(step)
                current = mono((*before, source, *current.args[0][slot + 1 :]), *current.args[1:])
            else:
                group = Group(current.args[0], (current.args[1:],), (moved.args[1:],))
                found = self.premises(bag_premises(rows, given, group), depth)
                if found is not None:
                    return group, swaps, changed, found
        return None


def step_by(place: int, one: One, swaps: tuple[int, ...], trees: tuple[Tree | Leaf, ...]) -> Proof:
    """A step by ONE on a monomial, without its rest."""
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
    return Proof("One_rule", arguments, trees)


def after(steps: Sequence[Proof], rest: Proof) -> Proof:
    """A proof that goes on with `rest` after steps."""
    for step in reversed(steps):
        rest = replace(step, parts=(*step.parts, rest))
    return rest
