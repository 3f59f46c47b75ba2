"""Trees that refute the facts of a branch."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from time import process_time
from typing import Any

from tallystick.certificates.exports.core.ground import Grounding
from tallystick.certificates.exports.core.proofs import Leaf, Proof, Tree
from tallystick.certificates.exports.core.rules import (
    One,
    Premise,
    Sources,
    flatten,
    lesser,
    numbered,
    total_of,
)
from tallystick.certificates.exports.core.terms import (
    ADD,
    NULL,
    YES,
    ZERO,
    Node,
    Renaming,
    apply,
    cell,
    conjunction,
    either,
    exists,
    implies,
    known,
    negation,
    node,
    same,
    shift,
    slots_in,
    support,
)
from tallystick.certificates.proofs import Oracle
from tallystick.certificates.search.answers import Countermodel, GaveUp
from tallystick.core_proofs.branches import (
    DEEPEST,
    Branch,
    Facts,
    Key,
    cells_are,
    conjunction_of,
    equations_of,
    of_cells,
    plain,
)
from tallystick.core_proofs.instances import Instances, blocks_in
from tallystick.core_proofs.monomials import (
    literal_number,
)
from tallystick.decision.prover import Prover

MOST_ROWS = 8
"""How many rows a branch may have."""
SOON = 1.0
"""Seconds for a tree without equations of aggregates, where these are two extrema."""
ROUNDS = 3
"""How often instances are listed, each time of what the last ones mention."""


class ExpiredError(Exception):
    """The time is up."""


@dataclass
class Refuting(Instances, ABC):
    """A search for trees."""

    prover: Prover
    deadline: float
    leaves: dict[tuple[Sources, Facts], Leaf | None] = field(default_factory=dict)

    @abstractmethod
    def equation(self, branch: Branch, parts: dict[Node, None]) -> Tree | None:
        """A tree with equations of aggregates, by proofs of their own; None where none is proved."""

    @abstractmethod
    def totals_equal(self, branch: Branch, given: Node, one: Node, other: Node) -> Proof | None:
        """A proof that two totals are equal."""

    def leaf(self, branch: Branch) -> Leaf | None:
        """A refutation of the facts alone."""
        key = branch.rows, branch.facts
        if key not in self.leaves:
            if process_time() > self.deadline:
                raise ExpiredError
            grounding = Grounding(self.kinding, branch.rows, branch.facts)
            answer = self.prover.answer(grounding.refuted)
            found = None if isinstance(answer, Oracle | Countermodel | GaveUp) else Leaf(grounding.integral, answer)
            self.leaves[key] = found
        return self.leaves[key]

    def premise(self, premise: Premise, depth: int = 0) -> Tree | Leaf | None:
        """A tree that proves a premise."""
        branch = Branch(premise.rows, tuple(flatten(False, premise.formula)), depth=depth)
        for goal in branch.facts:
            equal = equations_of(goal)
            if len(equal) > 1:
                return self.one_by_one(branch, goal, equal)
            found = self.by_parts(branch, *equal[0].args[1]) if equal else None
            if found is None and equal and all(is_extremum(each) for each in equal[0].args[1]):
                found = self.refuted_soon(Branch(branch.rows, branch.facts, depth=DEEPEST))
            if found is not None:
                return found
        return self.refute(branch)

    def refuted_soon(self, branch: Branch) -> Tree | Leaf | None:
        """A tree that refutes a branch, if it is found in a part of the time."""
        deadline = self.deadline
        self.deadline = min(deadline, process_time() + SOON)
        try:
            return self.refute(branch)
        except ExpiredError:
            return None
        finally:
            self.deadline = deadline

    def by_parts(self, branch: Branch, one: Node, other: Node) -> Tree | None:
        """A tree for an equation of two sums: both have values, or none, and their totals are equal."""
        if not all(is_sum(each) and self.has_total(branch, each) for each in (one, other)):
            return None
        steps: list[tuple[str, tuple[Any, ...]]] = []
        (some, total, _), (others, other_total, _) = (total_of("Sum", each.args[1]).args[1] for each in (one, other))
        given, hypothesis = of_cells(branch)
        proof = Proof("Refl") if total is other_total else self.totals_equal(branch, hypothesis, total, other_total)
        if proof is None:
            return None
        tree = self.premise(Premise(branch.rows, implies(hypothesis, same(some, others))), branch.depth)
        if tree is None:
            return None
        steps.append(("Equation", (given, total, other_total, proof)))
        branch = branch.plus(same(total, other_total))
        given, _ = of_cells(branch)
        steps.append(("Equation", (given, some, others, Proof("Shown", (), (tree,)))))
        branch = branch.plus(same(some, others))
        for each in (one, other):
            steps.append(("Totalled", (each.args[0].args[0], each.args[1])))
            branch = branch.plus(same(each, total_of("Sum", each.args[1])))
        rest: Tree | Leaf | None = self.leaf(branch)
        for name, arguments in reversed(steps):
            rest = None if rest is None else Tree(name, (*arguments, rest))
        return rest if isinstance(rest, Tree) else None

    def one_by_one(self, branch: Branch, goal: Node, equal: Sequence[Node]) -> Tree | Leaf | None:
        """A tree for several equations of aggregates, each proved alone from the other facts."""
        steps = []
        for each in equal:
            given = tuple(place for place, fact in enumerate(branch.facts) if fact is not goal and fact not in equal)
            premise = Premise(branch.rows, implies(conjunction_of(branch, given), each))
            tree = self.premise(premise, branch.depth)
            if tree is None:
                return None
            steps.append((given, *each.args[1], Proof("Shown", (), (tree,))))
            branch = branch.plus(each)
        rest = self.refute(branch)
        if rest is None:
            return None
        for step in reversed(steps):
            rest = Tree("Equation", (*step, rest))
        return rest

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

    def opened(self, branch: Branch) -> Tree | None:
        """What gives rows names, in the order in which it is tried: equations of aggregates come first."""
        parts = branch.parts
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
        for row in range(len(branch.rows)):
            source = branch.source(row)
            if source.name == "Block" and ("Among", (), (row,), ()) not in branch.done and numbered(source) is not None:
                return self.among(branch, row, source)
        for part in parts:
            if part.name == "Ex" and part not in branch.opened and not self.witnessed(branch, part.args[0]):
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
        named = self.named(branch, parts) or self.listed(branch, parts)
        if named is not None:
            return named
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
            if is_extremum(part) and part not in branch.opened:
                return self.extreme(branch, part)
        return None

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
                inner = inner.having(("Named", (number,), own, (shift(len(sources), named),)))
            tree = self.refute(inner)
            if tree is None:
                return None
            found.append(tree)
        return tuple(found)

    def witnessed(self, branch: Branch, of: Node) -> bool:
        """Whether rows of the branch are known to be a row of a bag, so that another one says no more."""
        facts = {*branch.facts}
        return any(
            facts.issuperset(flatten(True, renaming(each.args[1])))
            for each in of.args[0]
            for _, renaming in self.placements(branch, each)
        )

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
        branches = self.branches(inner, monos, more, exists(of))
        return None if branches is None else Tree("Member", (row, branches))

    def among(self, branch: Branch, row: int, source: Node) -> Tree | None:
        """A numbered row: what some monomial makes, in a place."""
        layout, monos = numbered(source), source.args[1].args[0]
        assert layout is not None
        inner = branch.having(("Among", (), (row,), ()))
        more = [cells_are(len(each.args[0]) + row, each.args[2][: layout.own]) for each in monos]
        branches = self.branches(inner, monos, more, source)
        return None if branches is None else Tree("Among", (row, branches))

    def listed(self, branch: Branch, parts: dict[Node, None]) -> Tree | None:
        """A numbered row that facts are about: what a monomial makes of rows of the branch has a place."""
        if len(branch.rows) >= MOST_ROWS:
            return None
        wanted = dict.fromkeys(
            each for part in parts if part.name in ("Ex", "Summary") for each in blocks_in(part.args[-1])
        )
        wanted |= dict.fromkeys(
            source for row in range(len(branch.rows)) if (source := branch.source(row)).name == "Block"
        )
        for source in wanted:
            layout = numbered(source)
            if layout is None:
                continue
            for number, picked, inner, heads, otherwise in self.made(branch, source.args[1], source):
                inner = inner.under((source,), cells_are(0, heads[: layout.own])).having(("Among", (), (0,), ()))
                rest = self.refute(inner)
                return None if rest is None else Tree("Listed", (*source.args, number, picked, otherwise, rest))
        return None

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
            each for part in parts if part.name == "Ex" or is_extremum(part) for each in supports_in(part.args[-1])
        )
        for of in wanted:
            for number, picked, inner, heads, otherwise in self.made(branch, of, exists(of)):
                inner = inner.under((support(of),), cells_are(0, heads)).having(("Member", (), (0,), ()))
                rest = self.refute(inner)
                if rest is not None:
                    return Tree("Made", (of, number, picked, otherwise, rest))
        return None

    def made(
        self, branch: Branch, of: Node, about: Node
    ) -> Iterator[tuple[int, tuple[int, ...], Branch, list[Node], Tree | Leaf]]:
        """What monomials of a bag make of rows of the branch, for a fact about something.

        For each that surely makes a row: its number, the rows, the branch that knows its condition, its heads under one
        row more, and the tree that refutes that the condition does not hold.
        """
        for number, each in enumerate(of.args[0]):
            for picked, renaming in self.placements(branch, each):
                key = ("Named", (number,), picked, (about,))
                if key in branch.done:
                    continue
                inner, condition = branch.having(key), renaming(each.args[1])
                otherwise = self.refute(inner.plus(negation(condition)))
                if otherwise is not None:
                    heads = [shift(1, renaming(head)) for head in each.args[2]]
                    yield number, picked, inner.plus(condition), heads, otherwise

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


def is_extremum(of: Node) -> bool:
    """Whether a term is a least or a greatest value."""
    return of.name == "Summary" and of.args[0].name == "Of" and of.args[0].args[0].name in ("Least", "Greatest")


def is_sum(of: Node) -> bool:
    """Whether a term is a sum."""
    return of.name == "Summary" and of.args[0].name == "Of" and of.args[0].args[0].name == "Sum"


def supports_in(of: Node) -> Iterator[Node]:
    """The bags whose different rows a bag ranges over, and those that these range over."""
    for each in of.args[0]:
        for place, source in enumerate(each.args[0]):
            if source.name == "Support" and all(slot >= place for slot in slots_in(source)):
                inner = Renaming(lambda slot, place=place: slot - place)(source.args[0])
                yield inner
                yield from supports_in(inner)
