"""Proofs that two aggregates are equal: because their bags are, or by SUM."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice

from tallystick.certificates.exports.core.proofs import Cover, Leaf, Proof, SumGroup, Tree
from tallystick.certificates.exports.core.rules import (
    Group,
    Sources,
    flattened,
    totals_agree,
)
from tallystick.certificates.exports.core.terms import ADD, MUL, ONE, ZERO, Node, apply, implies, node, replaced, same
from tallystick.core_proofs.bags import Bags
from tallystick.core_proofs.branches import Branch, parts_of, plain
from tallystick.core_proofs.monomials import (
    MOST_ORDERS,
    orders,
)

OPAQUE = ("SQuotient", "SCall", "STimes")
"""Operators of which refutation trees know nothing but their arguments."""
MOST_CELLS = 4
"""How many cells totals are compared with."""
DEEPEST = 3
"""How many proofs of equations may stand inside each other."""


@dataclass
class Search(Bags):
    """A search for one proof."""

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
        slots = self.kinding.rows(branch.rows)
        numbers = (part for part in parts if part.name == "Cell" and self.kinding.term(slots, part).numeric)
        cells = [*islice(numbers, MOST_CELLS)] if totals else []
        for one in totals:
            others = [each for each in totals if each is not one]
            pairs += [(one, ZERO), (one, ONE), *((one, apply(ADD, each)) for each in cells)]
            pairs += [
                (one, apply(MUL, factor, other)) for other in others for factor in factors if factor not in (ZERO, ONE)
            ]
            pairs += [
                (one, apply(ADD, left, right)) for place, left in enumerate(others) for right in others[place + 1 :]
            ]
        steps: list[tuple[tuple[int, ...], Node, Node, Proof, list[Node]]] = []
        for one, other in pairs:
            if ("Equation", (), (), (one, other)) in branch.done:
                continue
            given, hypothesis = plain(branch)
            proof = self.values(branch.rows, hypothesis, one, other, branch.depth + 1)
            branch = branch.having(("Equation", (), (), (one, other)))
            if proof is not None:
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

    def values(self, rows: Sources, given: Node, one: Node, other: Node, depth: int) -> Proof | None:
        """A proof that two aggregates are equal, because their bags are."""
        if one.name == other.name:
            inner = self.bags(rows, given, one.args[-1], other.args[-1], depth)
            if inner is not None:
                return Proof("Cong", (), (), (inner,))
        if one.name == "Total":
            found = self.sums(rows, given, one, other, depth)
            if found is not None:
                return found
            shorter, steps = self.closings(rows, given, one.args[0], depth)
            if steps:
                rest = self.values(rows, given, node("Total", shorter), other, depth)
                if rest is not None:
                    closed = Proof("Refl")
                    for step in reversed(steps):
                        closed = self._one(*step, closed)
                    return Proof("Trans_value", (node("Total", shorter),), (), (Proof("Cong", (), (), (closed,)), rest))
        return None

    def sums(self, rows: Sources, given: Node, one: Node, other: Node, depth: int) -> Proof | None:
        """A proof by SUM that two totals are equal."""
        groups: list[Group] = []
        lefts: list[tuple[int, tuple[int, ...]]] = []
        rights: list[tuple[int, tuple[int, ...]]] = []
        trees: list[Tree | Leaf] = []
        free = dict(enumerate(flattened(other)))
        for number, mine in enumerate(flattened(one)):
            member = ((mine.args[1], mine.args[2]),)
            candidates: list[tuple[Group, int | None, tuple[int, ...]]] = []
            for place, each in free.items():
                for swaps, moved in islice(orders(each, mine.args[0]), MOST_ORDERS):
                    if moved.args[0] == mine.args[0]:
                        candidates.append((Group(mine.args[0], member, (moved.args[1:],)), place, swaps))
            candidates.append((Group(mine.args[0], member, ()), None, ()))
            for group, place, swaps in candidates:
                tree = self.premise(totals_agree(rows, given, group), depth)
                if tree is not None:
                    groups.append(group)
                    trees.append(tree)
                    lefts.append((number, ()))
                    if place is not None:
                        rights.append((place, swaps))
                        del free[place]
                    break
            else:
                return None
        for place, each in free.items():
            group = Group(each.args[0], (), (each.args[1:],))
            tree = self.premise(totals_agree(rows, given, group), depth)
            if tree is None:
                return None
            groups.append(group)
            trees.append(tree)
            rights.append((place, ()))
        written = tuple(SumGroup(each) for each in groups)
        return Proof("Sum_rule", (written, Cover(tuple(lefts)), Cover(tuple(rights))), tuple(trees))


def is_opaque(of: Node) -> bool:
    """Whether nothing simpler is known of a term than of the terms that it is made of."""
    operator = of.args[0] if of.name == "Apply" else None
    return operator is not None and operator.name == "Scalar" and operator.args[0].name in OPAQUE
