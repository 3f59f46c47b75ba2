"""Algorithms 1 and 2: decompositions of two versions into disjoint windows, grown from the edits (sections 4 and 5).

Algorithm 1 is algorithm 2 for one edit. Corrected are lines 9 and 10: what is explored once is a decomposition, not a
window, and a decomposition grows from itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import count

from tallystick.core.clock import clock
from tallystick.dataflow.veer.mapping import Mapping, Unit
from tallystick.dataflow.veer.windows import Window

Decomposition = frozenset[Window]
"""The covering windows of a decomposition; every other unit is a window by itself."""


@dataclass(frozen=True)
class Options:
    """The options of the paper.

    Attributes:
        segmentation: how segments are made: "" for one segment, "windows" for unions of maximal covering windows,
            "unsupported" for cuts at operators that no verifier supports (section 7.1).
        pruning: whether a window is verified as soon as it is maximal (section 7.2).
        ranking: whether small segments, and decompositions that are nearly maximal, come first (section 7.3).
        symbolic: whether columns and orders of results are compared first (section 7.4).
        all_mappings: how many mappings are looked at; 1 is that by names (section 5.5).
        unchecked: whether windows grow although they are not valid, for verifiers that are not monotone (section 5.5).
        backtracking: whether smaller windows are verified, too, after maximal ones are not (section 8).
        as_printed: whether lemma 4.1 is believed: windows that are equal as sets count as identical. Not sound.
        seconds: of the processor, for the search.
    """

    segmentation: str = ""
    pruning: bool = False
    ranking: bool = False
    symbolic: bool = False
    all_mappings: int = 1
    unchecked: bool = False
    backtracking: bool = False
    as_printed: bool = False
    seconds: float = 60.0


VEER = Options()
VEER_PLUS = Options(segmentation="unsupported", pruning=True, ranking=True, symbolic=True)


class OutOfBudgetError(Exception):
    """The time of a search is over."""


@dataclass
class Counts:
    """What a search took.

    Attributes:
        explored: decompositions that were taken from the queue.
        calls: questions that verifiers were asked.
        verifying: seconds of the processor that these took.
    """

    explored: int = 0
    calls: int = 0
    verifying: float = 0.0


class Search:
    """Decompositions of a segment, explored until one has equivalent windows."""

    def __init__(
        self,
        mapping: Mapping,
        options: Options,
        counts: Counts,
        valid: Callable[[Window], bool],
        verified: Callable[[Window], bool],
    ) -> None:
        self.mapping, self.options, self.counts = mapping, options, counts
        self.valid, self.verified = valid, verified
        self.validity: dict[Window, bool] = {}
        self.deadline = clock() + options.seconds

    def is_valid(self, window: Window) -> bool:
        """Whether a window meets the restrictions of a verifier; asked once."""
        if window not in self.validity:
            self.validity[window] = self.valid(window)
        return self.validity[window]

    def equivalent(self, segment: Window, edits: tuple[Window, ...]) -> Decomposition | None:
        """A decomposition of a segment whose covering windows are verified; None if none was found.

        Raises OutOfBudgetError.
        """
        seen: list[Decomposition] = []
        for decomposition, maximal in self.explored(segment, edits):
            seen.append(decomposition)
            if maximal and all(self.verified(window) for window in decomposition):
                return decomposition
        if self.options.backtracking:
            for decomposition in sorted(seen, key=lambda each: -sum(map(len, each))):
                self.require_time()
                if all(self.verified(window) for window in decomposition):
                    return decomposition
        return None

    def explored(self, segment: Window, edits: tuple[Window, ...]) -> Iterator[tuple[Decomposition, bool]]:
        """The decompositions in the order of the queue, and whether all their covering windows are maximal."""
        start = frozenset(edits)
        queue: list[tuple[float, int, Decomposition]] = []
        numbers, known = count(), {start}
        heappush(queue, (0.0, next(numbers), start))
        while queue:
            self.require_time()
            _, _, decomposition = heappop(queue)
            self.counts.explored += 1
            maximal, stale = True, False
            grown: list[Decomposition] = []
            for window in decomposition:
                larger = list(self.merges(decomposition, window, segment))
                grown += larger
                if larger:
                    maximal = False
                elif self.options.pruning and not self.verified(window):
                    stale = True
                    break
            yield decomposition, maximal and not stale
            for each in () if stale else grown:
                if each not in known:
                    known.add(each)
                    heappush(queue, (self.rank(each, segment), next(numbers), each))

    def merges(self, decomposition: Decomposition, window: Window, segment: Window) -> Iterator[Decomposition]:
        """The decomposition with a window merged with one of its neighbours, wherever that is valid."""
        covering = {unit: each for each in decomposition for unit in each}
        seen: set[Window] = {window}
        for unit in self.in_order(window):
            for neighbour in self.mapping.neighbours[unit]:
                other = covering.get(neighbour, frozenset((neighbour,)))
                if neighbour not in segment or other in seen:
                    continue
                seen.add(other)
                union = window | other
                if self.options.unchecked or self.is_valid(union):
                    yield decomposition - {window, other} | {union}

    def in_order(self, window: Window) -> list[Unit]:
        return [unit for unit in self.mapping.units if unit in window]

    def rank(self, decomposition: Decomposition, segment: Window) -> float:
        """Smaller ones are taken first: those of large covering windows, with few units that are not merged."""
        if not self.options.ranking:
            return 0.0
        covered = sum(map(len, decomposition))
        return -(covered / len(decomposition) - (len(segment) - covered))

    def maximal_windows(self, segment: Window, edit: Window) -> set[Window]:
        """The maximal covering windows of one edit (algorithm 1)."""
        return {window for (window,), maximal in self.explored(segment, (edit,)) if maximal}

    def require_time(self) -> None:
        """Raises OutOfBudgetError when the time is over."""
        if clock() > self.deadline:
            raise OutOfBudgetError
