"""Equations between aggregates that have been proved, and where the search for trees gets them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from tallystick.certificates.evidence import (
    Step,
)
from tallystick.certificates.forms import Literal
from tallystick.certificates.judgements import Goal
from tallystick.core.terms import Term
from tallystick.decision.queries.trees.replay import Naming
from tallystick.decision.queries.trees.structure import OpenBranch, Structure


@dataclass(frozen=True, slots=True)
class Lemma:
    """left = right on every branch that starts with these rows and has these literals, and the proof.

    `left` is an aggregate, `right` a term that may have aggregates in it, but not `left`.
    """

    left: Term
    right: Term
    rows: tuple[Term, ...]
    hypotheses: tuple[Literal, ...]
    proof: Step


@dataclass(frozen=True, slots=True)
class Missing:
    """What a proof lacks: a sentence, and what a branch that stays open says, if there is one."""

    reason: str
    branch: OpenBranch | None = None


class Source(Protocol):
    """Where lemmas come from."""

    def on_branch(
        self,
        rows: tuple[Term, ...],
        literals: list[Literal],
        terms: list[Term],
        structure: Structure,
        known: list[frozenset[Term]],
    ) -> list[Lemma]:
        """New equations of aggregates that hold on a branch, but not in its structure."""
        ...

    def renewed(self, lemma: Lemma, naming: Naming) -> Lemma:
        """The lemma in the checker's terms."""
        ...

    def prove(self, goal: Goal) -> Step | Missing:
        """A proof that two aggregates or blocks are equal, or what is missing."""
        ...

    def bags(self, goal: Goal) -> Step | Missing:
        """A proof that two sums of monomials are one bag, or what is missing."""
        ...


class NoLemmas:
    """A source without lemmas."""

    def on_branch(
        self,
        rows: tuple[Term, ...],
        literals: list[Literal],
        terms: list[Term],
        structure: Structure,
        known: list[frozenset[Term]],
    ) -> list[Lemma]:
        """None."""
        return []

    def renewed(self, lemma: Lemma, naming: Naming) -> Lemma:
        """The lemma itself."""
        return lemma

    def prove(self, goal: Goal) -> Step | Missing:
        """Nothing."""
        return Missing("nothing proves lemmas")

    def bags(self, goal: Goal) -> Step | Missing:
        """Nothing."""
        return Missing("nothing proves lemmas")
