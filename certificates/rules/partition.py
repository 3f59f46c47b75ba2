"""PARTITION: a fold has one value however Spark spreads its elements over partitions (THEORY section 5).

What Spark computes    (pyspark/core/rdd.py, pyspark/shuffle.py)
  fold(z, op)          Each partition is folded from z, an empty one gives z, and the results are folded from z by op
                       in the order of the partitions: merge(… merge(merge(z, P₁), P₂) …, Pₙ) where Pᵢ is
                       step(… step(z, y₁) …, yₘ) over the elements of partition i, and merge = step = op. Without
                       any partition it is z.
  foldByKey(z, op)     Each partition folds the values of each key that it has from z. The results of one key are
                       merged by op, without z: a partition without the key contributes nothing. Their order is not
                       fixed, and a partition that is too large for the memory is folded in several parts, so any
                       tree of merges over non-empty parts may be what is computed.
  reduceByKey(f)       As foldByKey, where step on a state without values takes the value itself, and merge is f.

Proof   Write z·ys for the left fold of the elements ys from z, and M·ys for that from M.
        (1) merge(M, z·ys) = M·ys for all reachable M, by induction on ys. For no elements (by key: for one) this is
        *unit*. For ys = xs, y with N = z·xs it is merge(M, step(N, y)) = step(merge(M, N), y) = step(M·xs, y) = M·ys,
        by *merge* and the induction hypothesis.
        (2) Let M = z·xs. Then merge(z·xs, z·ys) = z·(xs, ys): merging two parts is folding their concatenation. By
        induction every tree of merges is z· of a concatenation of the parts, and so is Spark's fold, whose first
        merge(z, P₁) is the part without elements merged with P₁ (or z itself).
        (3) By *order*, z·ys is the same for all orders of ys. So the value is SparkLite's.                         ∎
"""

from __future__ import annotations

from dataclasses import dataclass

from tallystick.certificates.judgements import Judgement, Premise, Requirements
from tallystick.certificates.rules.fold import Initial
from tallystick.certificates.rules.order import (
    EitherOrder,
    PreservedByElement,
    arbitrary_element,
    either_order,
    fold_of,
)
from tallystick.core.binders import every
from tallystick.core.terms import Term, conjunction, equal, implies, row, substitute


@dataclass(frozen=True, slots=True)
class Unit:
    """Merging with a part that has no element changes nothing; by key, with a part of one element takes that one."""

    def __str__(self) -> str:
        return "unit"


@dataclass(frozen=True, slots=True)
class MergeLater:
    """Merging with a part that then takes an element is merging, and then taking it."""

    def __str__(self) -> str:
        return "merge"


@dataclass(frozen=True, slots=True)
class Partition:
    """
    Inv(z)    Inv(M) ⇒ Inv(step(M, y))    Inv(M) ⇒ step(step(M, y₁), y₂) = step(step(M, y₂), y₁)
    Inv(M) ⇒ merge(M, z) = M    Inv(M) ∧ Inv(N) ⇒ merge(M, step(N, y)) = step(merge(M, N), y)
    -----------------------------------------------------------------------------------------------  PARTITION
    the fold of μ from z by step, its parts merged by merge, has one value in every partitioning

    for arbitrary elements y, y₁, y₂ of μ; by key, for values of one key. By key no part is empty: the invariant holds
    of states after one element or more, `merge(M, step(z, y)) = step(M, y)` stands in the place of the fourth premise,
    and the first two elements may come in either order.

    Attributes:
        invariant: Inv, a formula over M and the parameters of the fold, as for ORDER.

    Fails when nothing is merged by a function, or μ is outside the NoAgg class.
    """

    invariant: Term

    def requirements(self, goal: Judgement) -> Requirements:
        """The premises: see above."""
        fold, state = fold_of(goal, self.invariant)
        first = arbitrary_element(fold, fold.keys)
        second = arbitrary_element(fold, first.sources)
        other, with_other = row(len(first.sources), fold.state), (*first.sources, every(fold.state))

        def holds(value: Term) -> Term:
            return substitute(self.invariant, {state: value})

        zero = fold.term.arguments[0]
        known, step = conjunction(self.invariant, first.exists), fold.step(state, first.value)
        both = conjunction(first.exists, second.exists)
        if fold.by_key:
            alone = fold.step(zero, first.value)
            premises = [
                Premise(Initial(), implies(first.exists, holds(alone)), first.sources),
                Premise(
                    EitherOrder(first=True), implies(both, either_order(fold, zero, first, second)), second.sources
                ),
                Premise(Unit(), implies(known, equal(fold.merged(state, alone), step)), first.sources),
            ]
        else:
            unit = implies(self.invariant, equal(fold.merged(state, zero), state))
            premises = [Premise(Initial(), holds(zero)), Premise(Unit(), unit)]
        later = equal(
            fold.merged(state, fold.step(other, first.value)), fold.step(fold.merged(state, other), first.value)
        )
        either = implies(conjunction(self.invariant, both), either_order(fold, state, first, second))
        premises += [
            Premise(PreservedByElement(), implies(known, holds(step)), first.sources),
            Premise(EitherOrder(), either, second.sources),
            Premise(MergeLater(), implies(conjunction(known, holds(other)), later), with_other),
        ]
        return Requirements(tuple(premises))
