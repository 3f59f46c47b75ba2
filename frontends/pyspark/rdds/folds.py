"""Where a program folds, and how Spark puts the results of partitions together (THEORY section 5).

A term says what SparkLite computes. `r.count()` and `r.fold(0, lambda a, x: a + 1)` are one term and two meanings in
Spark, so the reader notes each call that makes an aggregate.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from tallystick.core.terms import Term

Merge = Term | Literal["step", "none"]
"""How the results of partitions are merged: by a function over `accumulator` and `element`, both of the fold's type;
by the very function that takes elements; or in no way that a user's function has a say in, as in `count`."""


@dataclass(frozen=True, slots=True)
class FoldCall:
    """A call that makes an aggregate.

    Attributes:
        method: the RDD method.
        term: the aggregate, a fold or by-key fold.
        merge: how Spark merges the results of partitions.
        result: what the method returns for an accumulated value, over `accumulator`; None where it is that value.
        path: the absolute path of the file.
        name: what messages call the file.
        line, column: where the method's name stands, both from 1.
        two_functions: whether the method merges by a function of its own. Its value is `term` only where both
            functions agree, that is, where it is partition-safe.
        parts: the aggregates that `term` was put together from; it means what they mean.
    """

    method: str
    term: Term
    merge: Merge
    result: Term | None
    path: Path
    name: str
    line: int
    column: int
    two_functions: bool = False
    parts: tuple[Term, ...] = ()

    def mapped(self, change: Callable[[Term], Term]) -> FoldCall:
        """The call with other terms."""
        return replace(
            self,
            term=change(self.term),
            merge=self.merge if isinstance(self.merge, str) else change(self.merge),
            result=None if self.result is None else change(self.result),
            parts=tuple(map(change, self.parts)),
        )
