"""What is true of all rows: instances of keys, checks, existences and extrema on the rows of a branch."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, islice, permutations

from tallystick.certificates.exports.core.compiling import Compiler, chosen
from tallystick.certificates.exports.core.ground import Kinding
from tallystick.certificates.exports.core.proofs import Heads, Tree
from tallystick.certificates.exports.core.rules import (
    Keys,
    before_fact,
    divided_fact,
    first_fact,
    lesser,
    numbered,
    place_fact,
    quotient,
)
from tallystick.certificates.exports.core.terms import (
    AND,
    NULL,
    Node,
    Renaming,
    alike,
    apply,
    both,
    cell,
    conjunction,
    either,
    exists,
    implies,
    known,
    negation,
    replaced,
    same,
    scalar,
    slots_in,
)
from tallystick.core_proofs.branches import FOLDS, Branch, Key, is_opaque
from tallystick.core_proofs.polynomials import expansions

MOST_USES = 40
"""How many instances of one existence are listed on a branch."""


@dataclass
class Instances:
    """What is known of the tables of a claim."""

    compiler: Compiler
    kinding: Kinding
    constraints: Sequence[Node]

    @property
    def keys(self) -> Keys:
        """The keys of tables."""
        found: dict[str, list[tuple[int, ...]]] = {}
        for each in self.constraints:
            if each.name == "Key":
                found.setdefault(each.args[0], []).append(each.args[1])
        return found

    def instances(self, branch: Branch) -> Iterator[tuple[Tree, Node, Key]]:
        """What is true of all rows: nodes without their rest, the facts that they add, and what tells them apart."""
        rows, parts = range(len(branch.rows)), branch.parts
        alike_rows = []
        for number, constraint in enumerate(self.constraints):
            name, *arguments = constraint.name, *constraint.args
            here = [
                row for row in rows if branch.source(row).args == (arguments[0],) and branch.source(row).name == "Table"
            ]
            if name == "Key":
                for one, other in ((one, other) for one in here for other in here if one > other):
                    if ("KeyOf", (number,), (one, other), ()) not in branch.done:
                        columns = arguments[1]
                        agree = conjunction(same(cell(one, c), cell(other, c)) for c in columns)
                        hypothesis = apply(AND, agree, conjunction(known(cell(one, c)) for c in columns))
                        fact = implies(hypothesis, alike(one, other))
                        alike_rows.append((one, other))
                        yield Tree("KeyOf", (number, one, other)), fact, ("KeyOf", (number,), (one, other), ())
            elif name == "Check":
                for row in here:
                    if ("Checked", (number,), (row,), ()) not in branch.done:
                        yield (
                            Tree("Checked", (number, row)),
                            self.check(arguments[0], arguments[1], row),
                            ("Checked", (number,), (row,), ()),
                        )
        yield from self.places(branch, parts)
        for one, other in self.supports(branch, parts):
            if ("AllCells", (), (one, other), ()) not in branch.done:
                width = self.width(branch.source(one))
                if width is not None and width == self.width(branch.source(other)):
                    agree = conjunction(same(cell(one, c), cell(other, c)) for c in range(width))
                    yield (
                        Tree("AllCells", (one, other)),
                        implies(agree, alike(one, other)),
                        ("AllCells", (), (one, other), ()),
                    )
        for one, other in dict.fromkeys([*alike_rows, *(part.args for part in parts if part.name == "Alike")]):
            for part in parts:
                if (
                    part.name not in ("Apply", "Alike")
                    and one in slots_in(part)
                    and ("Moved", (), (one, other), (part,)) not in branch.done
                ):
                    moved = Renaming(lambda slot, one=one, other=other: other if slot == one else slot)(part)
                    yield (
                        Tree("Moved", (one, other, part)),
                        implies(alike(one, other), same(part, moved)),
                        ("Moved", (), (one, other), (part,)),
                    )
        yield from self.congruent(branch, parts)
        slots = self.kinding.rows(branch.rows)
        equations = expansions(parts)
        for part in parts:
            if (
                part.name == "Summary"
                and part.args[0].name == "Single"
                and ("NoRow", (), (), (part,)) not in branch.done
            ):
                fact = either(exists(part.args[1]), same(part, NULL))
                yield Tree("NoRow", (part.args[1],)), fact, ("NoRow", (), (), (part,))
            if part.name == "Summary" and ("Alone", (), (), (part,)) not in branch.done:
                yield from self.alone(part)
            pair = quotient(part)
            numbers = pair is not None and all(self.kinding.term(slots, each).numeric for each in pair)
            if pair is not None and numbers and ("Divided", (), (), (part,)) not in branch.done:
                yield Tree("Divided", pair), divided_fact(*pair), ("Divided", (), (), (part,))
            for other in equations.get(part, ()):
                key = ("Expanded", (), (), (part, other))
                if key not in branch.done:
                    yield Tree("Expanded", (part, other)), same(part, other), key
            if part.name == "Ex":
                yield from self.uses(branch, part.args[0])
            elif (
                part.name == "Summary"
                and part.args[0].name == "Of"
                and part.args[0].args[0].name in ("Least", "Greatest")
            ):
                yield from self.bounds(branch, part)

    def places(self, branch: Branch, parts: dict[Node, None]) -> Iterator[tuple[Tree, Node, Key]]:
        """What numbered rows say: one is the first, and the order of two is that of their places."""
        for row in range(len(branch.rows)):
            source, counted = branch.source(row), ("Counted", (), (row,), ())
            layout = numbered(source) if source.name == "Block" and counted not in branch.done else None
            if layout is not None:
                yield Tree("Counted", (row,)), place_fact(row, layout.own), counted
        for one, other in permutations(range(len(branch.rows)), 2):
            source, key = branch.source(one), ("Before", (), (one, other), ())
            if source.name == "Block" and source is branch.source(other) and key not in branch.done:
                layout = numbered(source)
                if layout is not None and layout.partition is not None and layout.keys:
                    yield Tree("Before", (one, other)), before_fact(layout, one, other), key
        for source in dict.fromkeys(each for part in parts if part.name == "Ex" for each in blocks_in(part.args[0])):
            layout, first = numbered(source), ("First_place", (), (), (source,))
            if layout is not None and first not in branch.done and self.only_listed(branch, source):
                yield Tree("First_place", source.args), first_fact(source, layout.own), first

    def only_listed(self, branch: Branch, source: Node) -> bool:
        """Whether rows of the branch are numbered in a source of which no row is there."""
        there = any(branch.source(row) is source for row in range(len(branch.rows)))
        return not there and any(True for each in source.args[1].args[0] for _ in self.placements(branch, each))

    def congruent(self, branch: Branch, parts: dict[Node, None]) -> Iterator[tuple[Tree, Node, Key]]:
        """Terms by one operator, of which nothing more is known, are equal where their arguments are."""
        for one, other in islice(combinations(filter(is_opaque, parts), 2), MOST_USES):
            if one.args[0] is not other.args[0] or len(one.args[1]) != len(other.args[1]):
                continue
            steps = []
            for mine, its in zip(one.args[1], other.args[1], strict=True):
                changed = replaced(mine, its, one)
                if changed is not one:
                    key = ("Replaced", (), (), (mine, its, one))
                    steps.append(
                        (Tree("Replaced", (mine, its, one)), implies(same(mine, its), same(one, changed)), key)
                    )
                    one = changed
            if one is other:
                yield from (step for step in steps if step[-1] not in branch.done)

    def alone(self, of: Node) -> Iterator[tuple[Tree, Node, Key]]:
        """An aggregate of one value at most."""
        aggregate, inner = of.args
        function = aggregate.args[0] if aggregate.name == "Of" else None
        if function is not None and function.name in FOLDS and [each.args[0] for each in inner.args[0]] == [()]:
            _, condition, heads = inner.args[0][0].args
            fact = same(of, chosen(condition, heads[0] if heads else NULL, NULL))
            yield Tree("Alone", (function, condition, Heads(heads))), fact, ("Alone", (), (), (of,))

    def supports(self, branch: Branch, parts: dict[Node, None]) -> list[tuple[int, int]]:
        """The pairs of rows that a fact says to be the same row, or not."""
        return [(part.args[0], part.args[1]) for part in parts if part.name == "Alike" and part.args[0] != part.args[1]]

    def width(self, source: Node) -> int | None:
        """The number of columns of a source."""
        match source.name:
            case "Table":
                return self.compiler.columns.get(source.args[0])
            case "Support":
                widths = {len(each.args[2]) for each in source.args[0].args[0]}
                return widths.pop() if len(widths) == 1 else None
            case _:
                return None

    def check(self, table: str, condition: Node, row: int) -> Node:
        """What a check says of a row."""
        cells = tuple(cell(row, column) for column in range(self.compiler.columns[table]))
        return negation(apply(scalar("SNegated"), self.compiler.term((cells,), condition)))

    def placements(self, branch: Branch, of: Node) -> Iterator[tuple[tuple[int, ...], Renaming]]:
        """Rows of a branch for the slots of a monomial."""
        sources = of.args[0]

        def choices(place: int, picked: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
            if place == len(sources):
                yield picked
                return
            around = renaming(picked)
            wanted = around(sources[place])
            for row in range(len(branch.rows)):
                if branch.source(row) is wanted:
                    yield from choices(place + 1, (*picked, row))

        def renaming(picked: tuple[int, ...]) -> Renaming:
            inner = picked[::-1]
            return Renaming(lambda slot: inner[slot] if slot < len(inner) else slot - len(inner))

        for picked in islice(choices(0, ()), MOST_USES):
            yield picked, renaming(picked)

    def uses(self, branch: Branch, of: Node) -> Iterator[tuple[Tree, Node, Key]]:
        """What a bag that has no row says of rows of the branch."""
        for number, each in enumerate(of.args[0]):
            for picked, renaming in self.placements(branch, each):
                key = ("Use", (number,), picked, (exists(of),))
                if key not in branch.done:
                    fact = either(exists(of), negation(renaming(each.args[1])))
                    yield Tree("Use", (of, number, picked)), fact, key

    def bounds(self, branch: Branch, of: Node) -> Iterator[tuple[Tree, Node, Key]]:
        """No row of the branch has a lesser value than the least, or a greater one than the greatest."""
        aggregate, inner = of.args
        for number, each in enumerate(inner.args[0]):
            for picked, renaming in self.placements(branch, each):
                key = ("Bound", (number,), picked, (of,))
                if key not in branch.done and each.args[2]:
                    condition, head = renaming(each.args[1]), renaming(each.args[2][0])
                    pair = (of, head) if aggregate.args[0].name == "Greatest" else (head, of)
                    fact = implies(both(condition, known(head)), both(known(of), negation(lesser(*pair))))
                    yield Tree("Bound", (aggregate.args[0], inner, number, picked)), fact, key


def blocks_in(of: Node) -> Iterator[Node]:
    """The sources of numbered rows that the monomials of a bag range over."""
    for each in of.args[0]:
        for place, source in enumerate(each.args[0]):
            if source.name == "Block" and all(slot >= place for slot in slots_in(source)):
                yield Renaming(lambda slot, place=place: slot - place)(source)
