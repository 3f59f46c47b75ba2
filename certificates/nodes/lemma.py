"""Lemma: an equation that a proof shows under facts of the branch."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tallystick.certificates.facts import Facts, number, require_logical
from tallystick.certificates.forms import Literal
from tallystick.certificates.judgements import Goal
from tallystick.certificates.nodes.naming import root
from tallystick.certificates.trees import RowNode, Step
from tallystick.core.binders import in_scope
from tallystick.core.errors import RefutationError
from tallystick.core.terms import Term, conjunction, equal, negation

if TYPE_CHECKING:
    from tallystick.certificates.evidence import Refutation

Prove = Callable[[Goal, Step, str], None]
"""The kernel's `prove`, for the sub-judgements of lemmas."""


@dataclass(frozen=True, slots=True)
class Lemma(RowNode):
    """unknown ≐ term, proved by a sub-judgement.

    Its rows, which the term may mention, are the first `rows` of the branch, its hypothesis the literals behind the
    facts with the given numbers.
    """

    unknown: int
    term: Term
    rows: int
    hypotheses: tuple[int, ...]
    proof: Step
    rest: Refutation

    def equation(self, facts: Facts, prove: Prove | None) -> Term:
        """
        Γ'; Δ' ⊢ u ≡ t
        --------------    for some literals Γ' of the branch, and its first rows Δ'
        u ≐ t              for an unknown u, or what one is read from

        Fails when the branch has no such unknown, rows or literals, t is no term over these rows, or the proof fails.
        """
        if prove is None:
            raise RefutationError("a lemma has to be proved, and nothing here proves judgements")
        literals = [_literal(facts, place) for place in self.hypotheses]
        known = root(facts.numbered[number(self.unknown, len(facts.numbered), "unknown")])
        rows = tuple(facts.rows[: number(self.rows, len(facts.rows) + 1, "number of rows")])
        if not isinstance(self.term, Term) or self.term.type != known.type or not in_scope(rows, self.term):
            raise RefutationError(f"a lemma equates an unknown with a term of its type over {len(rows)} rows")
        require_logical(self.term, facts.budget)
        hypothesis = conjunction(*(term if holds else negation(term) for term, holds in literals))
        prove(Goal(hypothesis, known, self.term, rows, facts.relations), self.proof, "lemma")
        return equal(known, self.term)

    def close(self, tree: Any) -> None:
        tree.then(self.equation(tree.facts, tree.prove), self.rest)


def _literal(facts: Facts, place: int) -> Literal:
    """The literal that a fact stands for."""
    fact = facts.facts[number(place, len(facts.facts), "fact")]
    if fact.origin is None:
        raise RefutationError(f"fact {place} stands for no literal")
    return fact.origin
