"""Branches of trees: rows, facts, and what was done."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tallystick.certificates.exports.core.rules import (
    Sources,
)
from tallystick.certificates.exports.core.terms import (
    AND,
    Node,
    cell,
    node,
    same,
    shift,
)

OPAQUE = ("SQuotient", "SCall", "STimes")
"""Operators of which refutation trees know nothing but their arguments."""
FOLDS = ("Sum", "Least", "Greatest")
"""Aggregates that are NULL of nothing, and of one value this value."""
DEEPEST = 3
"""How many proofs of equations may stand inside each other."""
Facts = tuple[Node, ...]
Key = tuple[str, tuple[int, ...], tuple[int, ...], tuple[Node, ...]]
"""What tells a step apart: its name, numbers, rows and terms."""


@dataclass
class Branch:
    """Rows and facts, and what was opened already: existences, rows, equations."""

    rows: Sources
    facts: Facts
    opened: frozenset[Node] = frozenset()
    done: frozenset[Key] = frozenset()
    depth: int = 0

    def source(self, row: int) -> Node:
        """The source of a row, counted from the innermost, over all rows."""
        return shift(row + 1, self.rows[len(self.rows) - 1 - row])

    @property
    def parts(self) -> dict[Node, None]:
        """The terms that the facts are made of, but those that a simpler one is known to be equal to."""
        simplified = {nodes[0] for name, _, _, nodes in self.done if name == "Simplified"}
        return {part: None for part in parts_of(self.facts) if part not in simplified}

    def plus(self, *facts: Node) -> Branch:
        """With further facts, the last one in front."""
        return Branch(self.rows, (*facts, *self.facts), self.opened, self.done, self.depth)

    def having(self, *keys: Key) -> Branch:
        """With steps that are done."""
        return Branch(self.rows, self.facts, self.opened, self.done | {*keys}, self.depth)

    def under(self, sources: Sources, facts: Sequence[Node]) -> Branch:
        """With further rows, and facts about them."""
        by = len(sources)
        moved = (
            (name, fixed, tuple(row + by for row in rows), tuple(shift(by, each) for each in nodes))
            for name, fixed, rows, nodes in self.done
        )
        raised = tuple(shift(by, fact) for fact in self.facts)
        opened = frozenset(shift(by, each) for each in self.opened)
        return Branch((*self.rows, *sources), (*facts, *raised), opened, frozenset(moved), self.depth)


def parts_of(facts: Sequence[Node]) -> dict[Node, None]:
    """The terms that facts are made of, outside of binders, in order."""
    found: dict[Node, None] = {}

    def visit(of: Node) -> None:
        if of not in found:
            found[of] = None
            if of.name == "Apply":
                for term in of.args[1]:
                    visit(term)

    for fact in facts:
        visit(fact)
    return found


def cells_are(slot: int, heads: Sequence[Node]) -> list[Node]:
    """That a row has the values of terms."""
    return [same(cell(slot, column), head) for column, head in enumerate(heads)]


def about_bags(fact: Node, kinds: Sequence[str] = ("Summary", "Total", "Ex")) -> bool:
    """Whether a fact mentions aggregates or existences."""
    return any(each.name in kinds for each in parts_of([fact]))


def equations_of(fact: Node) -> list[Node]:
    """The equations of aggregates that a fact says do not all hold."""
    found: list[Node] = []
    waiting = [*fact.args[1]] if fact.name == "Apply" and fact.args[0].name == "Not" else []
    while waiting:
        part = waiting.pop(0)
        if part.name == "Apply" and part.args[0] is AND:
            waiting = [*part.args[1], *waiting]
        elif part.name == "Apply" and part.args[0].name == "IsSame" and part.args[1][0] is not part.args[1][1]:
            found += [part] if about_bags(part, ("Summary", "Total")) else []
    return found


def plain(branch: Branch) -> tuple[tuple[int, ...], Node]:
    """The facts of a branch that are about no aggregates: their places, and their conjunction."""
    places = [place for place, fact in enumerate(branch.facts) if not about_bags(fact, ("Summary", "Total"))]
    return tuple(places), conjunction_of(branch, places)


def of_cells(branch: Branch) -> tuple[tuple[int, ...], Node]:
    """The facts of a branch that are about its rows alone, and not about bags."""
    places = [place for place, fact in enumerate(branch.facts) if not about_bags(fact)]
    return tuple(places), conjunction_of(branch, places)


def conjunction_of(branch: Branch, places: Sequence[int]) -> Node:
    """The facts in these places."""
    return node("Apply", AND, tuple(branch.facts[place] for place in places))


def is_opaque(of: Node) -> bool:
    """Whether nothing simpler is known of a term than of the terms that it is made of."""
    operator = of.args[0] if of.name == "Apply" else None
    return operator is not None and operator.name == "Scalar" and operator.args[0].name in OPAQUE
