"""Are two statements equal? The door of the search for proofs about queries.

Both statements are compiled to sums of monomials, which are matched (`bags`). What is found is a proof for the kernel,
and the kernel has accepted it before anybody sees it. Where nothing is found, the reason names the premise that lacks
evidence.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from time import process_time

from tallystick.certificates import kernel
from tallystick.certificates.evidence import Step
from tallystick.certificates.judgements import Goal
from tallystick.certificates.queries.kernel import same_results
from tallystick.certificates.queries.proofs import Pull, Rewriting
from tallystick.core.errors import FragmentError, KernelError
from tallystick.core.queries.assumptions import Assumption, required
from tallystick.core.queries.catalogue import Catalogue
from tallystick.core.queries.compilation.normal_form import normal_forms
from tallystick.core.queries.compilation.tables import relations
from tallystick.core.queries.syntax import Statement
from tallystick.core.terms import TRUE
from tallystick.decision.queries.proofs import attempts
from tallystick.decision.queries.proofs.proving import NAMES
from tallystick.decision.queries.structure.boundaries import boundaries
from tallystick.decision.queries.structure.search import StructureSearch
from tallystick.decision.queries.time_limits import OutOfTimeError, until
from tallystick.decision.queries.trees.lemma_source import Missing
from tallystick.decision.queries.trees.structure import OpenBranch
from tallystick.decision.queries.trees.tableau import TreeLimits

QUICK, STRUCTURE = 0.15, 0.5
"""Parts of the time that is left: for statements as they are at first, and for their structure."""
MANY_BOUNDARIES = 4
"""With so many groups, windows, limits and outer joins, the structure of statements comes first."""


@dataclass(frozen=True, slots=True)
class ProofLimits:
    """What one decision may take.

    Attributes:
        seconds: the time of the processor for the whole pair.
        trees: the caps of the search for one refutation tree.
    """

    seconds: float = 10.0
    trees: TreeLimits = field(default_factory=TreeLimits)


Method = Callable[[Statement, Statement, Catalogue, ProofLimits], "Proved | Unproved | None"]
"""A proof, the reason why there is none, or None where the method has nothing to go by."""


@dataclass(frozen=True, slots=True)
class Proved:
    """The goal that both statements' bags are equal, a proof that the kernel accepts, and what the search used."""

    goal: Goal
    proof: Step | Rewriting
    used: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Unproved:
    """No proof was found: why, and branches that stay open, for whoever looks for a database.

    Attributes:
        in_time: whether more time would not have helped.
    """

    reason: str
    branches: tuple[OpenBranch, ...] = ()
    in_time: bool = field(default=False, compare=False)


def decide(
    left: Statement, right: Statement, catalogue: Catalogue, limits: ProofLimits | None = None
) -> Proved | Unproved:
    """Whether two statements return the same on every database of a catalogue, as far as proofs are found.

    With ORDER BY, the values of the keys belong to the rows: lists are compared up to ties.
    """
    limits = limits or ProofLimits()
    deadline = process_time() + limits.seconds
    attempts: tuple[tuple[Method, float], ...] = ((by_structure, STRUCTURE), (as_they_are, 1.0))
    if sum(1 for _ in boundaries(left.query, right.query)) < MANY_BOUNDARIES:
        attempts = ((as_they_are, QUICK), *attempts)
    reasons: dict[Method, Unproved] = {}
    for method, part in attempts:
        if method in reasons and reasons[method].in_time:
            continue
        end = process_time() + part * (deadline - process_time())
        try:
            with until(end):
                found = method(left, right, catalogue, replace(limits, seconds=end - process_time()))
        except OutOfTimeError:
            found = Unproved("the time limit was reached")
        if isinstance(found, Proved):
            return found
        if found is not None:
            reasons[method] = replace(found, in_time=process_time() < end)
    return reasons[as_they_are]


def as_they_are(left: Statement, right: Statement, catalogue: Catalogue, limits: ProofLimits) -> Proved | Unproved:
    """A proof about the sums of monomials that two statements are."""
    try:
        forms = normal_forms(left, right, catalogue)
    except FragmentError as error:
        return Unproved(str(error))
    if forms[0].directions != forms[1].directions:
        return Unproved("the results are ordered by different keys")
    if forms[0].bag.type != forms[1].bag.type:
        return Unproved("the results are ordered by keys of different types")
    goal = Goal(TRUE, forms[0].bag, forms[1].bag, (), relations(catalogue))
    return prove(goal, limits)


def by_structure(
    left: Statement, right: Statement, catalogue: Catalogue, limits: ProofLimits
) -> Proved | Unproved | None:
    """A proof that exchanges and names subqueries first; None where there are none to name, or tables are called so."""
    if any(table.name.startswith(NAMES) for table in catalogue.tables):
        return None
    deadline = process_time() + limits.seconds

    def proved(goal: Goal, seconds: float) -> Step | None:
        found = prove(goal, replace(limits, seconds=seconds))
        return found.proof if isinstance(found, Proved) else None  # type: ignore[return-value]

    search = StructureSearch(left, right, catalogue, proved, deadline)
    ends = search.run()
    if not search.found and not any(isinstance(step, Pull) for step in search.steps):
        return None  # what prepares statements proves nothing that is not proved of them as they are
    found = as_they_are(*ends, search.rewriter.catalogue, replace(limits, seconds=deadline - process_time()))
    if isinstance(found, Unproved):
        return found
    proof = Rewriting(tuple(search.steps), found.proof)  # type: ignore[arg-type]
    if Assumption.ONE_CHOICE in required(left, right):  # each proof breaks ties in one way: so do all together?
        try:
            same_results(left, right, catalogue, proof)
        except KernelError as error:
            return Unproved(f"the parts of the proof do not go together: {error}")
    return replace(found, proof=proof)


def prove(goal: Goal, limits: ProofLimits) -> Proved | Unproved:
    """A proof that two sums of monomials are one bag."""
    try:
        found, prover = attempts.proof(goal, limits.trees, limits.seconds)
    except RecursionError:
        return Unproved("the queries are nested too deeply for Python's stack")
    if isinstance(found, Missing):
        return Unproved(found.reason, prover.open_branches)
    try:
        kernel.prove(goal, found)
    except KernelError as error:
        return Unproved(f"the kernel does not accept the proof that was found, a defect of the search: {error}")
    return Proved(goal, found, tuple(sorted(prover.used.items())))
