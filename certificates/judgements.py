"""What the kernel proves, and what a rule of inference asks for: plain data.

A *rule* is a dataclass of the hints that a search has found, in a file of its own in `rules/`. Its `requirements` say
what stands above the line of its inference figure when a given judgement stands below: *premises*, which are formulas,
and *subgoals*, which are judgements. Kernel, prover, explanations and exports all ask for them there.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Protocol

from tallystick.core.errors import KernelError
from tallystick.core.terms import Term


@dataclass(frozen=True, slots=True)
class Goal:
    """Γ; Δ ⊢ left ≡ right, under a catalogue Σ.

    For every input that satisfies the formula Γ, and all rows Δ that are present in it, both terms have the same value
    under the reference semantics (`core/interpreter.py`).

    Attributes:
        hypothesis: Γ.
        rows: Δ, as the sources of the rows: row i is ROW(i, type of the elements of rows[i]); none for RDD programs.
        catalogue: Σ, what is known of the tables (`core/relations.py`); None for RDD programs.
    """

    hypothesis: Term
    left: Any
    right: Any
    rows: tuple[Term, ...] = ()
    catalogue: Any = field(default=None, hash=False)


@dataclass(frozen=True, slots=True)
class OneValue:
    """`fold` has one value for every input: in each order of its elements, and in each partitioning of them.

    Attributes:
        fold: a fold or by-key fold.
        merge: how the results of partitions are merged: a function over `accumulator` and `element`, both of the type
            of what is accumulated. None where Spark's own method merges them, as `count` does, or nothing is merged:
            then the claim is about orders alone.
    """

    fold: Term
    merge: Term | None


Judgement = Goal | OneValue


@dataclass(frozen=True, slots=True)
class Premise:
    """A formula that has to be valid.

    Attributes:
        about: what it says: a dataclass of the rule's file, whose class is the kind of premise; `str` is a phrase.
        formula: with the hypothesis of the goal folded in; its variables are universally quantified.
        rows: the sources of rows that are present, numbered after those of the goal.
    """

    about: object
    formula: Term
    rows: tuple[Term, ...] = ()


@dataclass(frozen=True, slots=True)
class Subgoal:
    """A judgement that has to be proved, and its part in the rule, for paths in messages."""

    role: str
    goal: Judgement


@dataclass(frozen=True, slots=True)
class Requirements:
    """What stands above the line of a rule, in a fixed order.

    Attributes:
        choices: how LIMIT breaks ties, as pairs of what is said and of what: all steps of a certificate say the same.
    """

    premises: tuple[Premise, ...] = ()
    subgoals: tuple[Subgoal, ...] = ()
    choices: tuple[tuple[object, object], ...] = ()


class RuleOfInference(Protocol):
    """What each class in `rules/` is."""

    def requirements(self, goal: Judgement) -> Requirements:
        """What proves the goal by this rule; raises KernelError or FragmentError where the rule does not apply."""
        ...


def related(goal: Judgement) -> Goal:
    """The goal, which has to be an equivalence; raises KernelError otherwise."""
    if not isinstance(goal, Goal):
        raise KernelError("this rule relates two bags or two values")
    return goal


def equivalence(goal: Judgement) -> Goal:
    """The goal, which has to be an equivalence of programs without rows in scope; raises KernelError otherwise."""
    if not isinstance(goal, Goal) or goal.rows or goal.catalogue is not None:
        raise KernelError("this rule relates programs over input bags")
    return goal
