"""Evidence for the premises of rules about queries (untrusted)."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from tallystick.certificates.evidence import Refutation, Step
from tallystick.certificates.facts import Facts
from tallystick.certificates.judgements import Goal, Premise
from tallystick.certificates.rules import Rule
from tallystick.core.binders import fresh_rows, instantiate
from tallystick.core.clock import clock
from tallystick.core.errors import TallystickError
from tallystick.core.operators import Operator
from tallystick.core.terms import Term, default_term, less_equal, subterms
from tallystick.core.types import BagType
from tallystick.decision.queries.trees.arithmetic import units
from tallystick.decision.queries.trees.lemma_source import Missing, NoLemmas, Source
from tallystick.decision.queries.trees.moves import Moves
from tallystick.decision.queries.trees.structure import OpenBranch
from tallystick.decision.queries.trees.tableau import Tableau, TreeLimits, Unrefuted
from tallystick.decision.queries.trees.theory import Theory
from tallystick.decision.queries.trees.violations import Nonnegative

NAMES = "subquery "
"""What the names begin with that `Rewriter.name` gives."""


class SpentError(Exception):
    """A search has met its cap of premises or branches: what it would still look at, it would look at in vain."""


class Prover:
    """Finds evidence for premises, each only once; raises SpentError when it may look at no more of them.

    Attributes:
        used: how often each kind of step was of use.
        lemmas: where equations between aggregates come from.
        left: how many more premises may be looked at, and `branches`, how many more branches of trees may be opened;
            None for any number.
        capped: whether the search for some tree has met a cap.
        choices: what steps say of how LIMIT breaks ties.
    """

    def __init__(
        self,
        theory: Theory,
        limits: TreeLimits,
        deadline: float,
        most: int | None = None,
        branches: int | None = None,
    ) -> None:
        self.theory = theory
        self.left = most
        self.branches = branches
        self.capped = False
        self.choices: dict[object, object] = {}
        self.used: Counter[str] = Counter()
        self.lemmas: Source = NoLemmas()
        self._limits, self._deadline = limits, deadline
        self._known: dict[tuple[Term, tuple[Term, ...]], Refutation | Missing] = {}

    def may_choose(self, choices: tuple[tuple[object, object], ...]) -> bool:
        """Whether no step so far says that LIMIT breaks ties otherwise, and all is said of tables of the catalogue."""
        terms = (part for _, said in choices if isinstance(said, tuple) for part in said)
        variables = (part for term in terms for part in subterms(term) if part.operator is Operator.VARIABLE)
        if any(str(part.parameter[0]).startswith(NAMES) for part in variables):  # type: ignore[index]
            return False
        return all(self.choices.get(what, said) == said for what, said in choices)

    @property
    def open_branches(self) -> tuple[OpenBranch, ...]:
        """The branches that stay open, of all premises without evidence."""
        missing = [found for found in self._known.values() if isinstance(found, Missing)]
        return tuple(each.branch for each in missing if each.branch is not None)

    def evidence(self, goal: Goal, rule: Rule) -> tuple[Refutation, ...] | Missing:
        """Evidence for all premises of a rule, or what the first without evidence lacks."""
        found: list[Refutation] = []
        try:
            premises = rule.requirements(goal).premises
        except TallystickError as error:
            return Missing(str(error))
        for premise in premises:
            answer = self.premise(goal, premise)
            if isinstance(answer, Missing):
                return answer
            found.append(answer)
        return tuple(found)

    def premise(self, goal: Goal, premise: Premise) -> Refutation | Missing:
        """Evidence for one premise."""
        return self._premise(str(premise.about), premise.formula, (*goal.rows, *premise.rows))

    def _premise(self, about: str, formula: Term, rows: tuple[Term, ...]) -> Refutation | Missing:
        key = (formula, rows)
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = self._search(about, formula, rows)
        return known

    def _search(self, about: str, formula: Term, rows: tuple[Term, ...]) -> Refutation | Missing:
        limits = self._limits
        if self.left is not None:
            if self.left <= 0:
                raise SpentError("too many premises")
            self.left -= 1
        left = self._deadline - clock()
        if left <= 0:
            return Missing("the time limit was reached")
        if self.branches is not None:
            if self.branches <= 0:
                raise SpentError("too many branches")
            limits = replace(limits, nodes=min(limits.nodes, self.branches))
        parts = _parts_without_bags(formula)
        if parts is None:
            limits = replace(limits, seconds=min(limits.seconds, left))
        else:
            limits = replace(limits, nodes=max(limits.nodes, parts * parts), seconds=left)
        facts = Facts(rows, self.theory.relations)
        moves = Moves(self.theory, len(rows), self.nonnegative, self.lemmas)
        tableau = Tableau(facts, moves, limits, units(formula))
        answer = tableau.refute(((formula, False),))
        if self.branches is not None:
            self.branches = max(0, self.branches - tableau.opened)
        if isinstance(answer, Unrefuted):
            self.capped = self.capped or answer.branch is None
            return Missing(f"{about}: {answer.reason}", answer.branch)
        return answer

    def nonnegative(self, unknown: Term, facts: Facts) -> tuple[Refutation, ...] | None:
        """Evidence on a branch that no head of a SUM's monomials is negative where its condition holds."""
        found: list[Refutation] = []
        for monomial in unknown.arguments[0].arguments:
            instance = instantiate(monomial, fresh_rows(monomial, len(facts.rows)))
            zero = default_term(instance.head.type)  # type: ignore[arg-type]
            moves = Moves(self.theory, len(facts.rows) + len(instance.sources), self._within(instance.head), NoLemmas())
            literals = ((instance.condition, True), (less_equal(zero, instance.head), False))
            with facts.branch():  # a search that meets a cap leaves behind what it has added
                answer = Tableau(facts, moves, self._limits, units(monomial)).refute(literals, instance.sources)
            if isinstance(answer, Unrefuted):
                return None
            found.append(answer)
        return tuple(found)

    def _within(self, head: Term) -> Nonnegative:
        """Evidence of this kind about sums inside of a term alone, which are fewer each time: the search ends."""
        inner = frozenset(each for each in subterms(head) if each.operator is Operator.SUM)
        return lambda unknown, facts: self.nonnegative(unknown, facts) if unknown in inner else None

    def step(self, goal: Goal, rule: Rule) -> Step | Missing:
        """A step by a rule whose subgoals, if it has some, are about blocks."""
        evidence = self.evidence(goal, rule)
        if isinstance(evidence, Missing):
            return evidence
        proofs: list[Step] = []
        for subgoal in rule.requirements(goal).subgoals:
            if not isinstance(subgoal.goal, Goal):
                return Missing("a subgoal is no equivalence")
            proof = self.lemmas.prove(subgoal.goal)
            if isinstance(proof, Missing):
                return proof
            proofs.append(proof)
        return Step(rule, evidence, tuple(proofs))


def _parts_without_bags(formula: Term) -> int | None:
    """How many parts a formula has that mentions no bag; None for others.

    Nothing makes new facts for such a formula, so the search for its tree ends, mostly with one that cases are
    multiplied by cases in at worst: caps are for what goes on and on.
    """
    number = 0
    for part in subterms(formula):
        if isinstance(part.type, BagType):
            return None
        number += 1
    return number
