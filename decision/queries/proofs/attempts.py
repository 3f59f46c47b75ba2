"""The order of attempts at one pair of bags: as they are with little effort, in normal form, and as they are again."""

from __future__ import annotations

from dataclasses import replace

from tallystick.certificates.evidence import Step
from tallystick.certificates.judgements import Goal
from tallystick.core.clock import clock
from tallystick.decision.queries.proofs.bags import MonomialProver
from tallystick.decision.queries.proofs.lemmas import Lemmas
from tallystick.decision.queries.proofs.normalising import Normaliser, after
from tallystick.decision.queries.proofs.proving import Prover, SpentError
from tallystick.decision.queries.proofs.sharing import shared
from tallystick.decision.queries.trees.lemma_source import Missing
from tallystick.decision.queries.trees.tableau import TreeLimits
from tallystick.decision.queries.trees.theory import Theory

FIRST_PREMISES, FIRST_BRANCHES, FIRST_NODES = 250, 1_000, 300
"""So many premises of bags as they are may be looked at, with so many branches of trees in all and of one tree, before
the bags are brought to normal form."""


def proof(goal: Goal, trees: TreeLimits, seconds: float, branches: int | None = None) -> tuple[Step | Missing, Prover]:
    """A proof that two sums of monomials are one bag, or what is missing; and what found it, or did not.

    With `branches`, the bags are looked at as they are alone, with so many branches of trees in all.

    The cap of the first attempt does not depend on the speed of the machine: what is found should not.
    """
    deadline = clock() + seconds
    small = replace(trees, nodes=min(trees.nodes, FIRST_NODES))
    first = _Attempt(goal, small, deadline, FIRST_PREMISES, FIRST_BRANCHES if branches is None else branches)
    found = first.plain(goal)
    if isinstance(found, Step):
        return shared(goal, found), first.prover
    if branches is not None:
        return found, first.prover
    normal = _Attempt(goal, trees, deadline)
    changed = normal.normal(goal)
    if isinstance(changed, Step):
        return shared(goal, changed), normal.prover
    if first.prover.left and not first.prover.capped:
        return found, first.prover
    last = _Attempt(goal, trees, deadline)
    found = last.plain(goal)
    return (shared(goal, found) if isinstance(found, Step) else found), last.prover


class _Attempt:
    """One search, which remembers what it proves until its deadline, in processor time."""

    def __init__(
        self, goal: Goal, trees: TreeLimits, deadline: float, most: int | None = None, branches: int | None = None
    ) -> None:
        self.prover = Prover(Theory(goal.catalogue), trees, deadline, most, branches)
        self._monomials = MonomialProver(self.prover)
        self._lemmas = self.prover.lemmas = Lemmas(self._monomials, goal.catalogue)

    def plain(self, goal: Goal) -> Step | Missing:
        """The bags as they are."""
        try:
            return self._lemmas.bags(goal)
        except SpentError as spent:
            self.prover.capped = True
            return Missing(str(spent))

    def normal(self, goal: Goal) -> Step | Missing:
        """The normal forms of both bags."""
        normaliser = Normaliser(self._monomials)
        left, first = normaliser.bag(goal.left, goal)
        right, second = normaliser.bag(goal.right, goal)
        if left is goal.left and right is goal.right:
            return Missing("the bags are in normal form")
        found = self._lemmas.bags(replace(goal, left=left, right=right))
        return found if isinstance(found, Missing) else after(first, "left", after(second, "right", found))
