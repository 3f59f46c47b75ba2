"""Are two statements equal? The door of the search for proofs about queries.

Both statements are compiled to sums of monomials, which are matched (`bags`). What is found is a proof for the kernel,
and the kernel has accepted it before anybody sees it. Where nothing is found, the reason names the premise that lacks
evidence.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from tallystick.certificates import kernel
from tallystick.certificates.evidence import Step
from tallystick.certificates.judgements import Goal
from tallystick.core.errors import FragmentError, KernelError
from tallystick.core.queries.catalogue import Catalogue
from tallystick.core.queries.compilation.normal_form import normal_forms
from tallystick.core.queries.compilation.tables import relations
from tallystick.core.queries.syntax import Statement
from tallystick.core.terms import TRUE
from tallystick.decision.queries.proofs import attempts
from tallystick.decision.queries.trees.lemma_source import Missing
from tallystick.decision.queries.trees.structure import OpenBranch
from tallystick.decision.queries.trees.tableau import TreeLimits


@dataclass(frozen=True, slots=True)
class Limits:
    """What one decision may take.

    Attributes:
        seconds: the time for the whole pair.
        trees: the caps of the search for one refutation tree.
    """

    seconds: float = 10.0
    trees: TreeLimits = field(default_factory=TreeLimits)


@dataclass(frozen=True, slots=True)
class Proved:
    """The goal that both statements' bags are equal, a proof that the kernel accepts, and what the search used."""

    goal: Goal
    proof: Step
    used: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Unknown:
    """No proof was found: why, and branches that stay open, for whoever looks for a database."""

    reason: str
    branches: tuple[OpenBranch, ...] = ()


def decide(left: Statement, right: Statement, catalogue: Catalogue, limits: Limits | None = None) -> Proved | Unknown:
    """Whether two statements return the same on every database of a catalogue, as far as proofs are found.

    With ORDER BY, the values of the keys belong to the rows: lists are compared up to ties.
    """
    limits = limits or Limits()
    try:
        forms = normal_forms(left, right, catalogue)
    except FragmentError as error:
        return Unknown(str(error))
    if forms[0].directions != forms[1].directions:
        return Unknown("the results are ordered by different keys")
    goal = Goal(TRUE, forms[0].bag, forms[1].bag, (), relations(catalogue))
    return prove(goal, limits)


def prove(goal: Goal, limits: Limits) -> Proved | Unknown:
    """A proof that two sums of monomials are one bag."""
    try:
        found, prover = attempts.proof(goal, limits.trees, limits.seconds)
    except RecursionError:
        return Unknown("the queries are nested too deeply for Python's stack")
    if isinstance(found, Missing):
        return Unknown(found.reason, prover.open_branches)
    try:
        kernel.prove(goal, found)
    except KernelError as error:
        return Unknown(f"the kernel does not accept the proof that was found, a defect of the search: {error}")
    return Proved(goal, found, tuple(sorted(prover.used.items())))
