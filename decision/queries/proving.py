"""Evidence for the premises of rules about queries (untrusted)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from time import monotonic

from tallystick.certificates.facts import Facts
from tallystick.certificates.judgements import Goal, Premise
from tallystick.certificates.proofs import Step
from tallystick.certificates.refutation import Refutation
from tallystick.certificates.rules import Rule
from tallystick.core.terms import Term, negation
from tallystick.decision.queries.moves import Lemma, Moves
from tallystick.decision.queries.slots import conjuncts
from tallystick.decision.queries.structure import Structure
from tallystick.decision.queries.tableau import Tableau, TreeLimits, Unrefuted
from tallystick.decision.queries.theory import Theory


@dataclass(frozen=True, slots=True)
class Missing:
    """What a proof lacks: a sentence, and the structure of the branch that stays open, if there is one."""

    reason: str
    structure: Structure | None = None


class Prover:
    """Finds evidence for premises, each only once.

    Attributes:
        used: how often each kind of step was of use.
        lemmas: finds equations between the aggregates of a premise, given its goal with all rows, and its literals.
    """

    def __init__(self, theory: Theory, limits: TreeLimits, deadline: float) -> None:
        self.theory = theory
        self.used: Counter[str] = Counter()
        self.lemmas: Callable[[Goal, Term, tuple[Term, ...]], list[Lemma]] | None = None
        self._limits, self._deadline = limits, deadline
        self._known: dict[tuple[Term, tuple[Term, ...]], Refutation | Missing] = {}

    def evidence(self, goal: Goal, rule: Rule) -> tuple[Refutation, ...] | Missing:
        """Evidence for all premises of a rule, or what the first without evidence lacks."""
        found: list[Refutation] = []
        for premise in rule.requirements(goal).premises:
            answer = self.premise(goal, premise)
            if isinstance(answer, Missing):
                return answer
            found.append(answer)
        return tuple(found)

    def premise(self, goal: Goal, premise: Premise) -> Refutation | Missing:
        """Evidence for one premise."""
        key = (premise.formula, (*goal.rows, *premise.rows))
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = self._search(str(premise.about), goal, *key)
        return known

    def _search(self, about: str, goal: Goal, formula: Term, rows: tuple[Term, ...]) -> Refutation | Missing:
        answer = self._refute(formula, rows, ())
        if isinstance(answer, Unrefuted) and self.lemmas is not None and not answer.capped:
            literals = tuple(conjuncts(negation(formula)))
            lemmas = self.lemmas(replace(goal, rows=rows), formula, literals)
            if lemmas:
                self.used["lemma"] += len(lemmas)
                answer = self._refute(formula, rows, tuple(lemmas))
        return Missing(f"{about}: {answer.reason}", answer.structure) if isinstance(answer, Unrefuted) else answer

    def _refute(self, formula: Term, rows: tuple[Term, ...], lemmas: tuple[Lemma, ...]) -> Refutation | Unrefuted:
        limits = self._limits
        left = self._deadline - monotonic()
        if left <= 0:
            return Unrefuted("the time limit was reached", capped=True)
        if left < limits.seconds:
            limits = replace(limits, seconds=left)
        facts = Facts(rows, self.theory.catalogue)
        moves = Moves(self.theory, len(rows), self.nonnegative, lemmas)
        return Tableau(facts, moves, limits, 1).refute(((formula, False),))

    def nonnegative(self, unknown: Term) -> tuple[Refutation, ...] | None:
        """Evidence that no head of a SUM's monomials is negative where its condition holds, if there is some."""
        return None

    def step(self, goal: Goal, rule: Rule) -> Step | Missing:
        """A step without subgoals."""
        evidence = self.evidence(goal, rule)
        return evidence if isinstance(evidence, Missing) else Step(rule, evidence)
