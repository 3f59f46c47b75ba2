"""Are two statements equal? The door of the search for proofs about queries.

Both statements are compiled to sums of monomials, which are matched (`bags`). What is found is a proof for the kernel,
and the kernel has accepted it before anybody sees it. Where nothing is found, the reason names the premise that lacks
evidence.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

from tallystick.certificates.evidence import Step
from tallystick.certificates.judgements import Goal
from tallystick.certificates.proving import prove as check
from tallystick.certificates.queries.kernel import goal_of, same_results
from tallystick.certificates.queries.proofs import Name, Pull, Rewriting
from tallystick.certificates.queries.rewriting import Rewriter
from tallystick.certificates.rules.reflexive import Reflexive
from tallystick.core.clock import clock
from tallystick.core.errors import FragmentError, KernelError, TallystickError
from tallystick.core.queries.catalogue import Catalogue
from tallystick.core.queries.compilation.normal_form import normal_forms
from tallystick.core.queries.compilation.tables import relations
from tallystick.core.queries.syntax import SetOperation, Statement
from tallystick.core.terms import TRUE
from tallystick.decision.queries.counterexamples.draws import Draws
from tallystick.decision.queries.proofs.attempts import proof
from tallystick.decision.queries.proofs.proving import NAMES
from tallystick.decision.queries.structure.boundaries import boundaries
from tallystick.decision.queries.structure.search import SIDES, StructureSearch
from tallystick.decision.queries.structure.sweeping import Sweep
from tallystick.decision.queries.time_limits import OutOfTimeError, until
from tallystick.decision.queries.trees.lemma_source import Missing
from tallystick.decision.queries.trees.structure import OpenBranch
from tallystick.decision.queries.trees.tableau import TreeLimits

QUICK, PREPARING, STRUCTURE, PARTS = 0.1, 0.65, 0.5, 0.9
"""Parts of the time that is left: for statements as they are at first, without what adds nothing, for their structure,
and part by part."""
AT_MOST = 1.0
"""Seconds for statements as they are at first: outer joins double what they are compiled to."""
LONG = 8
"""Statements with so many groups, windows, limits and outer joins are compared part by part before they are as they
are."""
GLANCE = 500
"""So many branches of trees are opened at first, which is enough for most pairs; then structure comes first."""


@dataclass(frozen=True, slots=True)
class ProofLimits:
    """What one decision may take.

    Attributes:
        seconds: the time of the processor for the whole pair.
        trees: the caps of the search for one refutation tree.
        branches: how many branches all trees together may open; None for any number.
    """

    seconds: float = 10.0
    trees: TreeLimits = field(default_factory=TreeLimits)
    branches: int | None = None


Method = Callable[[Statement, Statement, Catalogue, ProofLimits], "Proved | Unproved | None"]
"""A proof, the reason why there is none, or None where the method has nothing to go by."""


@dataclass(frozen=True, slots=True)
class Proved:
    """The goal that both statements' bags are equal, a proof that the kernel accepts, and what the search used.

    Attributes:
        chooses: whether the proof says how LIMIT breaks ties.
    """

    goal: Goal
    proof: Step | Rewriting
    used: tuple[tuple[str, int], ...]
    chooses: bool = False


@dataclass(frozen=True, slots=True)
class Unproved:
    """No proof was found: why, and branches that stay open, for whoever looks for a database."""

    reason: str
    branches: tuple[OpenBranch, ...] = ()


def decide(
    left: Statement, right: Statement, catalogue: Catalogue, limits: ProofLimits | None = None
) -> Proved | Unproved:
    """Whether two statements return the same on every database of a catalogue, as far as proofs are found.

    With ORDER BY, the values of the keys belong to the rows: lists are compared up to ties.
    """
    if (one := as_one(left, right, catalogue)) is not None:
        return one
    *_, last = attempts(left, right, catalogue, limits or ProofLimits())
    return last


def attempts(
    left: Statement, right: Statement, catalogue: Catalogue, limits: ProofLimits
) -> Iterator[Proved | Unproved]:
    """What is known after each attempt, the quick one first; a proof is the last. The limit is on the work done here.

    What is not proved comes with the reason of the most telling attempt so far.
    """
    left_over, last = limits.seconds, Unproved("the time limit was reached")
    for method, part, branches in _order(left, right, limits):
        start = clock()
        end = start + part * left_over
        try:
            with until(end):
                found = method(left, right, catalogue, replace(limits, seconds=end - start, branches=branches))
        except OutOfTimeError:
            found = Unproved("the time limit was reached")
        left_over -= clock() - start
        if isinstance(found, Proved):
            yield found
            return
        last = found if found is not None and method not in (by_preparing, by_parts) else last
        yield last


def _order(left: Statement, right: Statement, limits: ProofLimits) -> tuple[tuple[Method, float, int | None], ...]:
    """The methods, each with its part of the time that is left and the branches of trees that it may open."""
    quick = min(QUICK, AT_MOST / limits.seconds) if limits.seconds > 0 else QUICK
    first: tuple[Method, float, int | None] = as_they_are, quick, GLANCE
    structure: tuple[Method, float, int | None] = by_structure, STRUCTURE, limits.branches
    whole: tuple[Method, float, int | None] = as_they_are, 1.0, limits.branches
    preparing: tuple[Method, float, int | None] = by_preparing, PREPARING, limits.branches
    parts: tuple[Method, float, int | None] = by_parts, PARTS, limits.branches
    long = sum(not isinstance(each, SetOperation) for side in (left, right) for each in boundaries(side.query)) >= LONG
    return (first, structure, preparing, parts, whole) if long else (first, structure, whole, parts)


def as_one(left: Statement, right: Statement, catalogue: Catalogue) -> Proved | None:
    """A proof of two statements of one query and one order: the query becomes a table. None for others.

    Nothing is compiled, so that neither the size of a query matters nor what it consists of.
    """
    if len(left.order) != len(right.order) or any(table.name.startswith(NAMES) for table in catalogue.tables):
        return None
    try:
        rewriter = Rewriter(left, right, catalogue, lambda _: None)
        if rewriter.sides["left"] is not rewriter.sides["right"]:
            return None
        rewriter.name(left.query)
        named = rewriter.sides["left"]
        goal = goal_of(replace(left, query=named), replace(right, query=named), rewriter.catalogue)
    except (TallystickError, RecursionError):
        return None
    proof = Rewriting((Name(left.query),), Step(Reflexive()))
    return Proved(goal, proof, (("the same query", 1),)) if goal.left is goal.right else None


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
    search = _Rewritings.of(left, right, catalogue, limits)
    if search is None:
        return None
    search.structure.run()
    if not search.structure.found and not any(isinstance(step, Pull) for step in search.structure.steps):
        return None  # what prepares statements proves nothing that is not proved of them as they are
    return search.ended(None)


def by_preparing(
    left: Statement, right: Statement, catalogue: Catalogue, limits: ProofLimits
) -> Proved | Unproved | None:
    """A proof that drops joins and duplicates first which nothing needs; None where there are none."""
    search = _Rewritings.of(left, right, catalogue, limits)
    if search is None:
        return None
    for side in SIDES:
        search.structure.prepare(side, dropping=True)
    return search.ended(GLANCE) if search.structure.found else None


def by_parts(left: Statement, right: Statement, catalogue: Catalogue, limits: ProofLimits) -> Proved | Unproved | None:
    """A proof that names subqueries first which return the same on random databases; None where it finds none."""
    search = _Rewritings.of(left, right, catalogue, limits)
    if search is None:
        return None
    try:
        sweep = Sweep(search.structure, Draws((left.query, right.query), catalogue, 0))
    except FragmentError:
        return None
    found: Proved | Unproved | None = None
    for _ in sweep.steps():
        found = search.ended(GLANCE)
        if isinstance(found, Proved):
            return found
    return found and search.ended(None)


@dataclass
class _Rewritings:
    """A search for steps that change two statements, and the proofs of its parts."""

    statements: tuple[Statement, Statement]
    catalogue: Catalogue
    limits: ProofLimits
    deadline: float
    parts: list[Proved] = field(default_factory=list)
    structure: StructureSearch = field(init=False)

    @classmethod
    def of(cls, left: Statement, right: Statement, catalogue: Catalogue, limits: ProofLimits) -> _Rewritings | None:
        """A search without steps; None where tables are called as subqueries will be."""
        if any(table.name.startswith(NAMES) for table in catalogue.tables):
            return None
        found = cls((left, right), catalogue, limits, clock() + limits.seconds)
        found.structure = StructureSearch(left, right, catalogue, found.proved, found.deadline)
        return found

    def proved(self, goal: Goal, seconds: float) -> Step | None:
        """A proof of one part, within so many seconds."""
        found = prove(goal, replace(self.limits, seconds=seconds))
        if isinstance(found, Unproved):
            return None
        self.parts.append(found)
        return found.proof  # type: ignore[return-value]

    def ended(self, branches: int | None) -> Proved | Unproved:
        """A proof by the steps so far, and about what is left of both statements."""
        limits = replace(self.limits, seconds=self.deadline - clock(), branches=branches)
        found = as_they_are(*self.structure.ends(), self.structure.rewriter.catalogue, limits)
        if isinstance(found, Unproved):
            return found
        proof = Rewriting(tuple(self.structure.steps), found.proof)  # type: ignore[arg-type]
        if any(part.chooses for part in (*self.parts, found)):  # each breaks ties in one way: so do all together?
            try:
                same_results(*self.statements, self.catalogue, proof)
            except KernelError as error:
                return Unproved(f"the parts of the proof do not go together: {error}")
        return replace(found, proof=proof)


def prove(goal: Goal, limits: ProofLimits) -> Proved | Unproved:
    """A proof that two sums of monomials are one bag."""
    try:
        found, prover = proof(goal, limits.trees, limits.seconds, limits.branches)
    except RecursionError:
        return Unproved("the queries are nested too deeply for Python's stack")
    if isinstance(found, Missing):
        return Unproved(found.reason, prover.open_branches)
    try:
        check(goal, found)
    except KernelError as error:
        return Unproved(f"the kernel does not accept the proof that was found, a defect of the search: {error}")
    return Proved(goal, found, tuple(sorted(prover.used.items())), bool(prover.choices))
