"""The search for refutation trees with rows: a tableau guided by finite structures (untrusted).

On each branch the simplex gives values that satisfy the branch's atoms, or a leaf. With the rows of the branch they
make a structure (`structure`). Only what this structure violates is used next (`moves`): disjunctions of which the
bounds leave at most one branch, instances of negated EXISTS, keys, functions that disagree, then disjunctions with
more branches, and at last what adds rows. A branch whose structure violates nothing stays open. A refutation that
does not use what its node added replaces the node, so trees hold no superfluous facts.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from tallystick.certificates.evidence import Refutation
from tallystick.certificates.facts import Fact, Facts
from tallystick.certificates.forms import Form, Literal
from tallystick.certificates.search.simplex import Conflict
from tallystick.core.clock import clock
from tallystick.core.terms import Term
from tallystick.core.types import IntType
from tallystick.decision.queries.trees.arithmetic import QueryArithmetic, contradictory
from tallystick.decision.queries.trees.moves import Moves
from tallystick.decision.queries.trees.replay import (
    Leaf,
    Move,
    Node,
    Plan,
    RenumberingError,
    SplitNode,
    numbered,
    split_atoms,
)
from tallystick.decision.queries.trees.structure import OpenBranch


@dataclass(frozen=True, slots=True)
class TreeLimits:
    """The caps of one search for a tree; a search that meets one gives up, and names it.

    Attributes:
        nodes: how many branches are opened in all.
        depth: how many nodes are nested.
        rows: how many rows a branch has.
        splits: how many integer splits are nested.
        seconds: the processor time that the search may take, whatever else the machine does.
    """

    nodes: int = 4_000
    depth: int = 120
    rows: int = 14
    splits: int = 4
    seconds: float = 2.0


@dataclass(frozen=True, slots=True)
class Unrefuted:
    """No refutation was found: the reason, and what a branch that stays open says, if there is one."""

    reason: str
    branch: OpenBranch | None = None


class _CapError(Exception):
    pass


class Tableau:
    """One search on `facts`, which have the rows of the premise and nothing else.

    Attributes:
        opened: how many branches it has opened.
    """

    def __init__(self, facts: Facts, moves: Moves, limits: TreeLimits, units: int) -> None:
        self._facts, self._moves, self._limits = facts, moves, limits
        self._arithmetic = QueryArithmetic(units)
        self._path: set[object] = set()  # the identities of the moves above in the tree
        self.opened = 0
        self._deadline = clock() + limits.seconds
        self._open_branch: OpenBranch | None = None

    def refute(self, literals: tuple[Literal, ...], sources: tuple[Term, ...] = ()) -> Refutation | Unrefuted:
        """A tree that refutes the literals, over rows of some more sources, or why there is none."""
        try:
            plan, _ = self._open(literals, sources, 0)
        except _CapError as cap:
            return Unrefuted(str(cap))
        except RecursionError:
            return Unrefuted("the formula or its refutation is nested too deeply for Python's stack")
        if plan is None:
            return Unrefuted("a branch stays open", self._open_branch)
        try:
            return numbered(self._facts, literals, sources, plan)
        except RenumberingError as error:
            return Unrefuted(str(error))

    def _open(
        self, literals: Iterable[Literal], sources: tuple[Term, ...], depth: int
    ) -> tuple[Plan | None, set[object]]:
        """A refutation of the branch with some more rows and literals, and what is new with them."""
        facts, simplex = self._facts, self._arithmetic.simplex
        bounds, start = simplex.mark(), len(facts.facts)
        with facts.branch():
            added: set[object] = {facts.add_row(source) for source in sources}
            facts.assume(*literals)
            plan, new = self._close_from(start, depth)
            added |= new
        simplex.restore(bounds)
        return plan, added

    def _close_from(self, start: int, depth: int) -> tuple[Plan | None, set[object]]:
        facts = self._facts
        added: set[object] = set(facts.facts[start:])
        added.difference_update(facts.facts[:start])
        return self._close(start, depth), added

    def _close(self, start: int, depth: int) -> Plan | None:
        """Refute the present branch, whose facts from number `start` on are new."""
        self._count(depth)
        arithmetic = self._arithmetic
        for fact in self._facts.facts[start:]:
            if isinstance(fact, Form):
                conflict = arithmetic.assume(fact)
                if conflict:
                    return _leaf(conflict)
        conflict = arithmetic.simplex.check()
        if conflict:
            return _leaf(conflict)
        structure = self._moves.structure(self._facts, arithmetic)
        move = self._moves.next(self._facts, arithmetic, structure, self._path)
        if move is not None:
            return self._expand(move, depth)
        integers = [unknown for unknown in self._facts.unknowns if isinstance(unknown.type, IntType)]
        fractional = arithmetic.without_integer(integers)
        if fractional is not None:
            return self._split(fractional, depth)
        self._open_branch = structure.open_branch(self._facts.unknowns)
        return None

    def _count(self, depth: int) -> None:
        self.opened += 1
        limits = self._limits
        if self.opened > limits.nodes:
            raise _CapError(f"more than {limits.nodes} branches (TreeLimits.nodes)")
        if depth > limits.depth:
            raise _CapError(f"more than {limits.depth} nested nodes (TreeLimits.depth)")
        if len(self._facts.rows) > limits.rows + self._moves.rows:
            raise _CapError(f"more than {limits.rows} new rows on a branch (TreeLimits.rows)")
        if clock() > self._deadline:
            raise _CapError(f"more than {limits.seconds} seconds (TreeLimits.seconds)")

    def _expand(self, move: Move, depth: int) -> Plan | None:
        plans: list[Plan] = []
        used: set[object] = set(move.facts) | move.rows | self._mentions(move.unknowns)
        made: list[tuple[Term, ...]] = []
        self._path.add(move.identity)
        try:
            for index, literals in enumerate(move.branches):
                sources = move.sources[index] if move.sources else ()
                rows = self._moves.next_rows(self._facts, sources)
                plan, added = self._open(literals, sources, depth + 1)
                if plan is None:
                    return None
                if added.isdisjoint(plan.used):
                    return plan
                used |= plan.used - added
                plans.append(plan)
                made.append(rows)
        finally:
            self._path.discard(move.identity)
        return Node(move, plans, used, tuple(made))

    def _split(self, unknown: Term, depth: int) -> Plan | None:
        value = self._arithmetic.known_value(unknown)
        nested = sum(1 for identity in self._path if isinstance(identity, SplitNode))
        if value is None or nested >= self._limits.splits:
            raise _CapError(f"more than {self._limits.splits} nested integer splits (TreeLimits.splits)")
        bound = int(value // 1)
        node = SplitNode(unknown, bound, [], self._mentions((unknown,)))
        self._path.add(node)
        try:
            for atom in split_atoms(unknown, bound):
                plan, added = self._open_with(atom, depth + 1)
                if plan is None or added.isdisjoint(plan.used):
                    return plan
                node.used |= plan.used - added
                node.branches.append(plan)
        finally:
            self._path.discard(node)
        return node

    def _open_with(self, atom: Fact, depth: int) -> tuple[Plan | None, set[object]]:
        facts, simplex = self._facts, self._arithmetic.simplex
        bounds, start = simplex.mark(), len(facts.facts)
        with facts.branch():
            facts.add(atom)
            result = self._close_from(start, depth)
        simplex.restore(bounds)
        return result

    def _mentions(self, unknowns: Iterable[Term]) -> set[object]:
        """The first atoms that mention the unknowns: where these stay, a node can name them."""
        found: set[object] = set()
        for unknown in unknowns:
            for fact in self._facts.facts:
                if isinstance(fact, Form) and unknown in fact.coefficients:
                    found.add(fact)
                    break
        return found


def _leaf(conflict: Conflict) -> Leaf:
    if not contradictory(conflict):
        raise _CapError("a contradiction rests on rationals closer than the search can tell apart (UNITS)")
    return Leaf(conflict, {atom for atom, _ in conflict})
