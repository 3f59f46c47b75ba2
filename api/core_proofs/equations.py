"""Proofs that two aggregates are equal: because their bags are, or by SUM."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import islice

from tallystick.certificates.exports.core.compiling import chosen
from tallystick.certificates.exports.core.proofs import Cover, Leaf, Proof, SumGroup, Tree
from tallystick.certificates.exports.core.rules import (
    Group,
    Premise,
    Sources,
    flattened,
    total_of,
    totals_agree,
)
from tallystick.certificates.exports.core.terms import (
    ADD,
    MUL,
    NULL,
    ONE,
    ZERO,
    Node,
    apply,
    bag,
    both,
    implies,
    mono,
    node,
    replaced,
    same,
    shift,
)
from tallystick.core_proofs.bags import Bags, after
from tallystick.core_proofs.branches import DEEPEST, FOLDS, Branch, is_opaque, of_cells, parts_of
from tallystick.core_proofs.monomials import (
    MOST_ORDERS,
    orders,
    together,
)

MOST_STEPS = 4
"""How often sums of sums are made one, and slots closed."""
Equations = list[tuple[Node, Proof]]
"""What terms are equal to, one after the other, and why."""


@dataclass
class Search(Bags):
    """A search for one proof."""

    totals: dict[tuple[Sources, Node, Node], tuple[Node, Equations]] = field(default_factory=dict)

    def equation(self, branch: Branch, parts: dict[Node, None]) -> Tree | None:
        """Two aggregates of bags that are equal under the facts."""
        if branch.depth >= DEEPEST:
            return None
        found = [part for part in parts if part.name in ("Summary", "Total")]
        pairs = [
            (one, other)
            for place, one in enumerate(found)
            for other in found[place + 1 :]
            if (one.name, one.args[:-1]) == (other.name, other.args[:-1])
        ]
        totals = [each for each in found if each.name == "Total"]
        factors = [
            part
            for part in parts
            if part.name == "Apply" and part.args[0].name == "Lit" and part.args[0].args[0].name == "Number"
        ]
        for one in totals:
            others = [each for each in totals if each is not one]
            pairs += [
                (one, apply(MUL, factor, other)) for other in others for factor in factors if factor not in (ZERO, ONE)
            ]
            pairs += [
                (one, apply(ADD, left, right)) for place, left in enumerate(others) for right in others[place + 1 :]
            ]
        steps: list[tuple[tuple[int, ...], Node, Node, Proof, list[Node]]] = []
        folded = [each for each in found if is_folded(each)]
        shorter = set[Node]()
        for one, other in (*((one, None) for one in (*folded, *totals)), *pairs):
            if {one, other} & shorter:
                continue
            key = ("Equation", (), (), (one,) if other is None else (one, other))
            if {key, (*key[:-1], key[-1][::-1])} & branch.done:
                continue
            branch = branch.having(key)
            given, hypothesis = of_cells(branch)
            found_of = self.equal(branch.rows, hypothesis, one, other, branch.depth + 1)
            if found_of is not None:
                if other is None and one in folded:
                    shorter.add(one)
                    branch = branch.having(("Simplified", (), (), (one,)))
                other, proof = found_of
                inside = [part for part in parts if is_opaque(part) and one in parts_of([part]) and part is not one]
                changed = [(part, replaced(one, other, part)) for part in inside]
                steps.append((given, one, other, proof, inside))
                facts = [implies(same(one, other), same(*pair)) for pair in changed]
                branch = branch.plus(*reversed(facts), same(one, other))
        if not steps:
            return None
        rest = self.refute(branch)
        if rest is None:
            return None
        for given, one, other, proof, inside in reversed(steps):
            for part in reversed(inside):
                rest = Tree("Replaced", (one, other, part, rest))
            rest = Tree("Equation", (given, one, other, proof, rest))
        assert isinstance(rest, Tree)
        return rest

    def totals_equal(self, branch: Branch, given: Node, one: Node, other: Node) -> Proof | None:
        """A proof that two totals are equal, if no more proofs stand around it than may."""
        return None if branch.depth >= DEEPEST else self.values(branch.rows, given, one, other, branch.depth + 1)

    def equal(self, rows: Sources, given: Node, one: Node, other: Node | None, depth: int) -> tuple[Node, Proof] | None:
        """A term that an aggregate is equal to, this one if it is given, and a proof of it."""
        if other is None:
            return (self.rowless if one.name == "Total" else self.shorter)(rows, given, one, depth)
        proof = self.values(rows, given, one, other, depth)
        return None if proof is None else (other, proof)

    def shorter(self, rows: Sources, given: Node, of: Node, depth: int) -> tuple[Node, Proof] | None:
        """The same aggregate of a bag that ranges over no rows, if all its slots can be closed."""
        inner, steps = self.closings(rows, given, of.args[1], depth)
        if not steps or any(each.args[0] for each in inner.args[0]):
            return None
        return node("Summary", of.args[0], inner), Proof("Cong", (), (), (after(steps, Proof("Refl")),))

    def rowless(self, rows: Sources, given: Node, of: Node, depth: int) -> tuple[Node, Proof] | None:
        """A term without rows that a total is equal to, and a proof of it."""
        simple, steps = self.reduced(rows, given, of, depth)
        monos = simple.args[0].args[0]
        if any(each.args[0] for each in monos):
            return None
        other = apply(ADD, *(chosen(each.args[1], apply(ADD, each.args[2][0]), ZERO) for each in monos))
        rest = self.sums(rows, given, simple, other, depth)
        return None if rest is None else (other, chain(steps, rest))

    def values(self, rows: Sources, given: Node, one: Node, other: Node, depth: int) -> Proof | None:
        """A proof that two aggregates are equal: by SUM, or because their bags are."""
        if one.name == "Total":
            left, steps = self.reduced(rows, given, one, depth)
            right, more = self.reduced(rows, given, other, depth) if other.name == "Total" else (other, [])
            rest = Proof("Refl") if left is right else self.sums(rows, given, left, right, depth)
            if rest is not None:
                if more:
                    rest = Proof("Sym", (), (), (chain(more, Proof("Sym", (), (), (rest,))),))
                return chain(steps, rest)
        if one.name == other.name:
            inner = self.bags(rows, given, one.args[-1], other.args[-1], depth)
            if inner is not None:
                return Proof("Cong", (), (), (inner,))
        return None

    def reduced(self, rows: Sources, given: Node, of: Node, depth: int) -> tuple[Node, Equations]:
        """A total without sums of sums, with few slots, that is equal to another, and the equations that lead there."""
        key = rows, given, of
        if key not in self.totals:
            self.totals[key] = self._reduced(rows, given, of, depth)
        return self.totals[key]

    def _reduced(self, rows: Sources, given: Node, of: Node, depth: int) -> tuple[Node, Equations]:
        equations: Equations = []
        for _ in range(MOST_STEPS):
            before = of
            counted, steps = self.counted(of.args[0], rows, given, depth)
            if steps:
                of = node("Total", counted)
                equations.append((of, Proof("Cong", (), (), (after(steps, Proof("Refl")),))))
            flat = node("Total", bag(each for each in flattened(of) if each.args[2][:1] not in ((NULL,), (ZERO,))))
            if slots_of(flat) != slots_of(of):
                proof = self.sums(rows, given, of, flat, depth)
                if proof is None:
                    break
                equations.append((flat, proof))
                of = flat
            shorter, steps = self.closings(rows, given, of.args[0], depth)
            if steps:
                of = node("Total", shorter)
                equations.append((of, Proof("Cong", (), (), (after(steps, Proof("Refl")),))))
            if of is before:
                break
        return of, equations

    def counted(self, of: Node, rows: Sources, given: Node, depth: int) -> tuple[Node, list[Proof]]:
        """A bag in which weights that are counts and sums are totals, and the steps that lead there."""
        monos, steps = [*of.args[0]], list[Proof]()
        for place, each in enumerate(monos):
            sources, condition, heads = each.args
            weight = heads[0] if heads else ZERO
            inside = (*rows, *sources)
            if weight.name != "Summary" or not self.has_total(Branch(inside, ()), weight):
                continue
            new = total_of(weight.args[0].args[0].name, weight.args[1])
            facts = both(shift(len(sources), given), condition)
            tree = self.premise(Premise(inside, implies(facts, same(weight, new))), depth)
            if tree is not None:
                monos[place] = mono(sources, condition, (replaced(weight, new, head) for head in heads))
                steps.append(Proof("Inside_head", (place, weight, new), (), (Proof("Shown", (), (tree,)),)))
        return bag(monos), steps

    def sums(self, rows: Sources, given: Node, one: Node, other: Node, depth: int) -> Proof | None:
        """A proof by SUM that two totals are equal."""
        groups: list[Group] = []
        lefts: list[tuple[int, tuple[int, ...]]] = []
        rights: list[tuple[int, tuple[int, ...]]] = []
        trees: list[Tree | Leaf] = []
        free = dict(enumerate(flattened(other)))
        lonely = []
        for number, mine in enumerate(flattened(one)):
            member = ((mine.args[1], mine.args[2]),)
            for place, swaps, moved in (
                (place, swaps, moved)
                for place, each in free.items()
                for swaps, moved in islice(orders(each, mine.args[0]), MOST_ORDERS)
                if moved.args[0] == mine.args[0]
            ):
                group = Group(mine.args[0], member, (moved.args[1:],))
                tree = self.premise(totals_agree(rows, given, group), depth)
                if tree is not None:
                    groups.append(group)
                    trees.append(tree)
                    lefts.append((number, ()))
                    rights.append((place, swaps))
                    del free[place]
                    break
            else:
                lonely.append((number, mine))
        for group, mine, others in together(lonely, [*free.items()]):
            tree = self.premise(totals_agree(rows, given, group), depth)
            if tree is None:
                return None
            groups.append(group)
            trees.append(tree)
            lefts += mine
            rights += others
        written = tuple(SumGroup(each) for each in groups)
        return Proof("Sum_rule", (written, Cover(tuple(lefts)), Cover(tuple(rights))), tuple(trees))


def is_folded(of: Node) -> bool:
    """Whether a term is a sum, a least or a greatest value of a bag that ranges over distinct rows."""
    sources = [source.name for each in of.args[-1].args[0] for source in each.args[0]]
    return (
        of.name == "Summary" and of.args[0].name == "Of" and of.args[0].args[0].name in FOLDS and "Support" in sources
    )


def slots_of(of: Node) -> list[Sources]:
    """The slots of the monomials of a total."""
    return [each.args[0] for each in of.args[0].args[0]]


def chain(equations: Equations, rest: Proof) -> Proof:
    """A proof that what the equations start from is equal to what `rest` shows their end to be."""
    for each, proof in reversed(equations):
        rest = Proof("Trans_value", (each,), (), (proof, rest))
    return rest
