"""Proofs that two queries of the core have the same rows (`coq/core/Trees.v`): the search. Coq checks what is found.

Bags are equal by BAG, slots of one monomial being put on those of another; where that fails, ONE closes slots that
have one row at most, and supports with the same rows give way to each other. A premise is proved by a tree: what is
known of the rows at hand is listed, existences are opened, and the ground facts are given to the prover of programs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import islice, permutations
from time import monotonic

from tallystick.certificates.exports.core.compiling import Compiler
from tallystick.certificates.exports.core.ground import Grounding, Kinding
from tallystick.certificates.exports.core.proofs import Cover, Heads, Leaf, Proof, SumGroup, Tree
from tallystick.certificates.exports.core.rules import (
    Group,
    Keys,
    One,
    Premise,
    Sources,
    bag_premises,
    contained,
    flatten,
    flattened,
    lesser,
    swapped,
    total_of,
    totals_agree,
)
from tallystick.certificates.exports.core.terms import (
    ADD,
    AND,
    MUL,
    NULL,
    ONE,
    YES,
    ZERO,
    Node,
    Renaming,
    alike,
    apply,
    bag,
    both,
    cell,
    conjunction,
    either,
    exists,
    implies,
    known,
    mono,
    negation,
    node,
    replaced,
    same,
    scalar,
    shift,
    slots_in,
    support,
)
from tallystick.certificates.proofs import Oracle
from tallystick.certificates.search import Countermodel, GaveUp
from tallystick.decision.prover import NO_SOLVER, QUICK_LIMITS, Prover

MOST_ROWS = 8
"""How many rows a branch may have."""
MOST_USES = 40
"""How many instances of one existence are listed on a branch."""
MOST_ORDERS = 24
"""How many orders of the slots of a monomial are tried."""
ROUNDS = 3
"""How often instances are listed, each time of what the last ones mention."""
DEEPEST = 3
"""How many proofs of equations may stand inside each other."""
SECONDS = 20.0
"""How long a proof is searched for."""
SECONDS_WITHOUT = 2.0
"""How long one is searched for without a constraint that the first one may use."""

Facts = tuple[Node, ...]
Key = tuple[str, tuple[int, ...], tuple[int, ...], tuple[Node, ...]]
"""What tells a step apart: its name, numbers, rows and terms."""


class ExpiredError(Exception):
    """The time is up."""


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


@dataclass
class Search:
    """A search for one proof."""

    compiler: Compiler
    kinding: Kinding
    constraints: Sequence[Node]
    prover: Prover
    deadline: float = field(default_factory=lambda: monotonic() + SECONDS)
    leaves: dict[tuple[Sources, Facts], Leaf | None] = field(default_factory=dict)

    @property
    def keys(self) -> Keys:
        """The keys of tables."""
        found: dict[str, list[tuple[int, ...]]] = {}
        for each in self.constraints:
            if each.name == "Key":
                found.setdefault(each.args[0], []).append(each.args[1])
        return found

    # Trees

    def leaf(self, branch: Branch) -> Leaf | None:
        """A refutation of the facts alone."""
        key = branch.rows, branch.facts
        if key not in self.leaves:
            if monotonic() > self.deadline:
                raise ExpiredError
            grounding = Grounding(self.kinding, branch.rows, branch.facts)
            answer = self.prover.answer(grounding.refuted)
            found = None if isinstance(answer, Oracle | Countermodel | GaveUp) else Leaf(grounding.integral, answer)
            self.leaves[key] = found
        return self.leaves[key]

    def premise(self, premise: Premise, depth: int = 0) -> Tree | Leaf | None:
        """A tree that proves a premise."""
        return self.refute(Branch(premise.rows, tuple(flatten(False, premise.formula)), depth=depth))

    def premises(self, premises: Iterator[Premise], depth: int) -> tuple[Tree | Leaf, ...] | None:
        """Trees for all premises."""
        found = []
        for each in premises:
            tree = self.premise(each, depth)
            if tree is None:
                return None
            found.append(tree)
        return tuple(found)

    def refute(self, branch: Branch) -> Tree | Leaf | None:
        """A tree that refutes the facts of a branch."""
        found = self.leaf(branch)
        steps: list[tuple[Tree, Node, Key]] = []
        for _ in range(ROUNDS):
            fresh = [] if found else [*{key: (tree, fact, key) for tree, fact, key in self.instances(branch)}.values()]
            if not fresh:
                break
            steps += fresh
            done = branch.done | {key for _, _, key in fresh}
            branch = Branch(branch.rows, branch.facts, branch.opened, done, branch.depth)
            branch = branch.plus(*(fact for _, fact, _ in reversed(fresh)))
            found = self.leaf(branch)
        rest = found or self.opened(branch)
        if rest is None:
            return None
        for tree, _, _ in reversed(steps):
            rest = Tree(tree.name, (*tree.arguments, rest))
        return rest

    def instances(self, branch: Branch) -> Iterator[tuple[Tree, Node, Key]]:
        """What is true of all rows: nodes without their rest, the facts that they add, and what tells them apart."""
        rows, parts = range(len(branch.rows)), parts_of(branch.facts)
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
        for part in parts:
            if (
                part.name == "Summary"
                and part.args[0].name == "Single"
                and ("NoRow", (), (), (part,)) not in branch.done
            ):
                fact = either(exists(part.args[1]), same(part, NULL))
                yield Tree("NoRow", (part.args[1],)), fact, ("NoRow", (), (), (part,))
            if part.name == "Ex":
                yield from self.uses(branch, part.args[0])
            elif (
                part.name == "Summary"
                and part.args[0].name == "Of"
                and part.args[0].args[0].name in ("Least", "Greatest")
            ):
                yield from self.bounds(branch, part)

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

        def chosen(place: int, picked: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
            if place == len(sources):
                yield picked
                return
            around = renaming(picked)
            wanted = around(sources[place])
            for row in range(len(branch.rows)):
                if branch.source(row) is wanted:
                    yield from chosen(place + 1, (*picked, row))

        def renaming(picked: tuple[int, ...]) -> Renaming:
            inner = picked[::-1]
            return Renaming(lambda slot: inner[slot] if slot < len(inner) else slot - len(inner))

        for picked in islice(chosen(0, ()), MOST_USES):
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
                    fact = implies(condition, negation(lesser(*pair)))
                    yield Tree("Bound", (aggregate.args[0], inner, number, picked)), fact, key

    def opened(self, branch: Branch) -> Tree | None:
        """What gives rows names, in the order in which it is tried: equations of aggregates come first."""
        parts = parts_of(branch.facts)
        equation = self.equation(branch, parts)
        if equation is not None:
            return equation
        for part in parts:
            if (
                part.name == "Summary"
                and ("Totalled", (), (), (part,)) not in branch.done
                and self.has_total(branch, part)
            ):
                return self.totalled(branch, part)
        for part in parts:
            if part.name == "Total" and ("Nothing", (), (), (part,)) not in branch.done:
                return self.nothing(branch, part)
        for part in parts:
            if part.name == "Ex" and part not in branch.opened:
                return self.open(branch, part)
        for part in parts:
            if part.name == "Total":
                found = self.weighs(branch, part.args[0])
                if found is not None:
                    return found
            if part.name == "Summary" and part.args[0].name == "Single":
                found = self.only(branch, part)
                if found is not None:
                    return found
        for row in range(len(branch.rows)):
            source = branch.source(row)
            if source.name == "Support" and ("Member", (), (row,), ()) not in branch.done:
                return self.member(branch, row, source.args[0])
        for number, constraint in enumerate(self.constraints):
            if constraint.name == "ForeignKey":
                for row in range(len(branch.rows)):
                    source = branch.source(row)
                    mine = source.name == "Table" and source.args[0] == constraint.args[0]
                    if mine and ("Refers", (number,), (row,), ()) not in branch.done and len(branch.rows) < MOST_ROWS:
                        return self.refers(branch, number, row, constraint)
        for part in parts:
            extreme = (
                part.name == "Summary"
                and part.args[0].name == "Of"
                and part.args[0].args[0].name in ("Least", "Greatest")
            )
            if extreme and part not in branch.opened:
                return self.extreme(branch, part)
        return self.named(branch, parts)

    def branches(
        self, branch: Branch, monos: Sequence[Node], more: Sequence[Sequence[Node]], named: Node | None = None
    ) -> tuple[Tree | Leaf, ...] | None:
        """Trees for the branches of monomials, whose rows are new; `named` is the support of whose row these are."""
        found = []
        for number, (each, facts) in enumerate(zip(monos, more, strict=True)):
            sources, condition, _ = each.args
            if len(branch.rows) + len(sources) > MOST_ROWS:
                return None
            inner = branch.under(sources, (*flatten(True, condition), *facts))
            if named is not None:
                own = tuple(reversed(range(len(sources))))
                inner = inner.having(("Named", (number,), own, (exists(shift(len(sources), named)),)))
            tree = self.refute(inner)
            if tree is None:
                return None
            found.append(tree)
        return tuple(found)

    def open(self, branch: Branch, of: Node) -> Tree | None:
        inner = Branch(branch.rows, branch.facts, branch.opened | {of}, branch.done, branch.depth)
        absent = self.refute(inner.plus(negation(of)))
        if absent is None:
            return None
        monos = of.args[0].args[0]
        branches = self.branches(inner.plus(of), monos, [()] * len(monos))
        return None if branches is None else Tree("Open", (of.args[0], absent, branches))

    def member(self, branch: Branch, row: int, of: Node) -> Tree | None:
        inner = Branch(
            branch.rows, branch.facts, branch.opened, branch.done | {("Member", (), (row,), ())}, branch.depth
        )
        monos = of.args[0]
        more = [cells_are(len(each.args[0]) + row, each.args[2]) for each in monos]
        branches = self.branches(inner, monos, more, of)
        return None if branches is None else Tree("Member", (row, branches))

    def refers(self, branch: Branch, number: int, row: int, constraint: Node) -> Tree | None:
        _, columns, target, referenced = constraint.args
        inner = Branch(
            branch.rows, branch.facts, branch.opened, branch.done | {("Refers", (number,), (row,), ())}, branch.depth
        )
        nowhere = self.refute(inner.plus(negation(conjunction(known(cell(row, c)) for c in columns))))
        if nowhere is None:
            return None
        agree = conjunction(same(cell(row + 1, c), cell(0, k)) for c, k in zip(columns, referenced, strict=True))
        there = self.refute(inner.under((node("Table", target),), (agree,)))
        return None if there is None else Tree("Refers", (number, row, nowhere, there))

    def extreme(self, branch: Branch, of: Node) -> Tree | None:
        aggregate, bag_of = of.args
        inner = Branch(branch.rows, branch.facts, branch.opened | {of}, branch.done, branch.depth)
        none = self.refute(inner.plus(negation(known(of))))
        if none is None:
            return None
        monos = bag_of.args[0]
        more = [(same(shift(len(each.args[0]), of), each.args[2][0] if each.args[2] else ZERO),) for each in monos]
        branches = self.branches(inner, monos, more)
        return None if branches is None else Tree("Extreme", (aggregate.args[0], bag_of, none, branches))

    def named(self, branch: Branch, parts: dict[Node, None]) -> Tree | None:
        """A row of a support that facts are about: what a monomial makes of rows of the branch."""
        if len(branch.rows) >= MOST_ROWS:
            return None
        wanted = dict.fromkeys(
            Renaming(lambda slot, place=place: slot - place)(source.args[0])
            for part in parts
            if part.name == "Ex"
            or (
                part.name == "Summary"
                and part.args[0].name == "Of"
                and part.args[0].args[0].name in ("Least", "Greatest")
            )
            for each in part.args[-1].args[0]
            for place, source in enumerate(each.args[0])
            if source.name == "Support" and all(slot >= place for slot in slots_in(source))
        )
        for of in wanted:
            for number, each in enumerate(of.args[0]):
                for picked, renaming in self.placements(branch, each):
                    key = ("Named", (number,), picked, (exists(of),))
                    if key in branch.done:
                        continue
                    inner = branch.having(key)
                    condition, heads = renaming(each.args[1]), [shift(1, renaming(head)) for head in each.args[2]]
                    otherwise = self.refute(inner.plus(negation(condition)))
                    if otherwise is None:
                        continue
                    with_row = inner.plus(condition)
                    rest = self.refute(
                        with_row.under((support(of),), cells_are(0, heads)).having(("Member", (), (0,), ()))
                    )
                    if rest is not None:
                        return Tree("Made", (of, number, picked, otherwise, rest))
        return None

    def only(self, branch: Branch, of: Node) -> Tree | None:
        """The value of a scalar subquery, of rows of the branch, if it has one row at most."""
        monos = of.args[1].args[0]
        if len(monos) != 1:
            return None
        sources, condition, heads = monos[0].args
        given, hypothesis = plain(branch)
        for picked, renaming in self.placements(branch, monos[0]):
            key = ("Only", (), picked, (of,))
            if key in branch.done:
                continue
            branch = branch.having(key)
            one = One(0, (), sources, condition, heads, YES, (), False)
            unique = self.premise(next(one.premises(branch.rows, hypothesis, self.keys)), branch.depth + 1)
            if unique is None:
                return None
            head = renaming(heads[0]) if heads else NULL
            rest = self.refute(branch.plus(implies(renaming(condition), same(of, head))))
            return None if rest is None else Tree("Only", (given, of.args[1], picked, unique, rest))
        return None

    def has_total(self, branch: Branch, of: Node) -> bool:
        """Whether an aggregate is a count, or a sum of numbers."""
        function = of.args[0].args[0].name if of.args[0].name == "Of" else ""
        return function == "Count" or (
            function == "Sum" and self.kinding.term(self.kinding.rows(branch.rows), of).numeric
        )

    def totalled(self, branch: Branch, of: Node) -> Tree | None:
        function, inner = of.args[0].args[0], of.args[1]
        done = branch.done | {("Totalled", (), (), (of,))}
        branch = Branch(branch.rows, branch.facts, branch.opened, done, branch.depth)
        rest = self.refute(branch.plus(same(of, total_of(function.name, inner))))
        return None if rest is None else Tree("Totalled", (function, inner, rest))

    def nothing(self, branch: Branch, of: Node) -> Tree | None:
        done = branch.done | {("Nothing", (), (), (of,))}
        branch = Branch(branch.rows, branch.facts, branch.opened, done, branch.depth)
        rest = self.refute(branch.plus(either(exists(of.args[0]), same(of, ZERO))))
        return None if rest is None else Tree("Nothing", (of.args[0], rest))

    def weighs(self, branch: Branch, of: Node) -> Tree | None:
        """A total of weights that are literals, of which none is negative, is at least each that is there."""
        monos = of.args[0]
        if not all(each.args[2] and (literal_number(each.args[2][0]) or 0) > 0 for each in monos):
            return None
        for number, each in enumerate(monos):
            for picked, renaming in self.placements(branch, each):
                key = ("Weighs", (number,), picked, (exists(of),))
                if key in branch.done:
                    continue
                inner = branch.having(key)
                branches = self.branches(inner, monos, [(lesser(one.args[2][0], ZERO),) for one in monos])
                if branches is None:
                    return None
                weight = apply(ADD, renaming(each.args[2][0]))
                fact = implies(renaming(each.args[1]), negation(lesser(node("Total", of), weight)))
                rest = self.refute(inner.plus(fact))
                return None if rest is None else Tree("Weighs", (of, number, picked, branches, rest))
        return None

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
            pairs += [(one, ZERO), (one, ONE)]
            pairs += [
                (one, apply(MUL, factor, other)) for other in others for factor in factors if factor not in (ZERO, ONE)
            ]
            pairs += [
                (one, apply(ADD, left, right)) for place, left in enumerate(others) for right in others[place + 1 :]
            ]
        steps: list[tuple[tuple[int, ...], Node, Node, Proof]] = []
        for one, other in pairs:
            if ("Equation", (), (), (one, other)) in branch.done:
                continue
            given, hypothesis = plain(branch)
            proof = self.values(branch.rows, hypothesis, one, other, branch.depth + 1)
            branch = Branch(
                branch.rows,
                branch.facts,
                branch.opened,
                branch.done | {("Equation", (), (), (one, other))},
                branch.depth,
            )
            if proof is not None:
                steps.append((given, one, other, proof))
                branch = branch.plus(same(one, other))
        if not steps:
            return None
        rest = self.refute(branch)
        if rest is None:
            return None
        for given, one, other, proof in reversed(steps):
            rest = Tree("Equation", (given, one, other, proof, rest))
        assert isinstance(rest, Tree)
        return rest

    # Proofs

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
            equal = self.equal_cells(condition, last, kept)
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


def plain(branch: Branch) -> tuple[tuple[int, ...], Node]:
    """The facts of a branch that are about no aggregates: their places, and their conjunction."""
    aggregates = ("Summary", "Total")
    places = [
        place
        for place, fact in enumerate(branch.facts)
        if not any(each.name in aggregates for each in parts_of([fact]))
    ]
    return tuple(places), node("Apply", AND, tuple(branch.facts[place] for place in places))


Places = list[tuple[int, tuple[int, ...]]]


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
        compared = part.name == "Apply" and (
            part.args[0].name == "IsSame"
            or (
                part.args[0].name == "Scalar"
                and part.args[0].args[0].name == "SCompare"
                and part.args[0].args[0].args[0].name != "Less"
            )
        )
        if compared:
            for one, other in (part.args[1], part.args[1][::-1]):
                if other.name == "Apply" and other.args[0].name == "Lit":
                    literals.setdefault(one, other)
    return [head if head.name == "Apply" and head.args[0].name == "Lit" else literals.get(head) for head in heads]


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


def core_proof(
    compiler: Compiler, kinding: Kinding, constraints: Sequence[Node], left: Node, right: Node
) -> tuple[Sequence[Node], Proof] | None:
    """A proof that two queries of the core have the same rows, if one is found, and the constraints that it uses."""

    one, other = (bag(compiler.monos((), each)) for each in (left, right))

    def found(given: Sequence[Node], seconds: float = SECONDS) -> Proof | None:
        deadline = monotonic() + seconds
        search = Search(compiler, kinding, given, Prover(NO_SOLVER, deadline, QUICK_LIMITS), deadline)
        try:
            return search.bags((), YES, one, other)
        except (ExpiredError, RecursionError):
            return None

    proof = found(())
    if proof is not None or not constraints:
        return None if proof is None else ((), proof)
    proof = found(constraints)
    if proof is None:
        return None
    used = {*used_by(proof)}
    fewer = [each for number, each in enumerate(constraints) if number in used or each.name == "Key"]
    for each in fewer:
        without = [kept for kept in constraints if kept in fewer and kept is not each]
        again = found(without, SECONDS_WITHOUT)
        if again is not None:
            constraints, proof = without, again
    return constraints, proof


def used_by(proof: Proof) -> Iterator[int | str]:
    """The numbers of the constraints that the trees of a proof use, and the names of its rules."""
    waiting: list[object] = [proof]
    while waiting:
        match waiting.pop():
            case Proof(rule=rule, trees=trees, parts=parts):
                yield rule
                waiting += [*trees, *parts]
            case Tree(name=name, arguments=arguments):
                if name in ("KeyOf", "Refers", "Checked"):
                    yield arguments[0]
                waiting += arguments
            case tuple() as several:
                waiting += several
            case _:
                pass
