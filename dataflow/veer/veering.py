"""Veer and Veer+ (algorithm 3): segments, each decomposed into windows that a verifier proves equal.

Sound where theorem 5.8 is not. True needs, besides equal windows: what leaves a window as equal as is demanded behind
it (`relations.py`); and an order in which windows can be used, each after those that its variables stand for. Then
results are equal by induction along the old version: CUT, with a window for each step. False needs an input
(`refuting.py`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal as Choice

from tallystick.core.clock import clock
from tallystick.dataflow.pair import Pair
from tallystick.dataflow.veer.mapping import Mapping, mappings
from tallystick.dataflow.veer.refuting import Found, refuted
from tallystick.dataflow.veer.search import Counts, Options, OutOfBudgetError, Search
from tallystick.dataflow.veer.segments import between_unsupported, one_segment, unions_of_windows
from tallystick.dataflow.veer.symbolic import hints
from tallystick.dataflow.veer.verifiers import Verifier, suffices
from tallystick.dataflow.veer.windows import Output, UnfitWindowError, Window, Windows

Answer = Choice["equivalent", "inequivalent", "unknown"]


@dataclass(frozen=True)
class Outcome:
    """What Veer answers.

    Attributes:
        reason: why it is unknown.
        counts: what it took.
        segments: how many segments have edits.
        windows: the covering windows that were verified, and by which verifier.
        difference: of inequivalent versions, a result and an input on which it differs.
        hinted: whether columns or orders of a result differ in form: the paper says inequivalent then.
    """

    answer: Answer
    reason: str
    counts: Counts
    segments: int = 0
    windows: tuple[tuple[Window, str], ...] = ()
    difference: Found | None = None
    hinted: bool = False


def veer(pair: Pair, verifiers: Sequence[Verifier], options: Options) -> Outcome:
    """Whether all results of two versions are equal, by windows."""
    counts = Counts()
    last = Outcome("unknown", "there is no mapping", counts)
    for mapping in mappings(pair, options.all_mappings - 1):
        run = Run(mapping, verifiers, options, counts)
        last = run.answer()
        if last.answer != "unknown":
            return last
    return last


@dataclass
class Run:
    """A run on one mapping."""

    mapping: Mapping
    verifiers: Sequence[Verifier]
    options: Options
    counts: Counts
    proved: dict[Window, str | None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.windows = Windows(self.mapping)
        self.search = Search(self.mapping, self.options, self.counts, self.is_valid, self.is_verified)

    def answer(self) -> Outcome:
        """The answer of algorithm 3."""
        pair = self.mapping.pair
        missing = [name for name, _ in _unmapped_sinks(self.mapping)]
        if missing:
            return Outcome("unknown", f"the result {missing[0]} is in one version only", self.counts)
        hinted = bool(self.options.symbolic and hints(pair, self.windows.sinks))
        if hinted:
            difference = refuted(self.mapping, self.windows.sinks, self.options.seconds)
            if difference is not None:
                return Outcome("inequivalent", "", self.counts, difference=difference, hinted=True)
        try:
            return self.by_segments(hinted)
        except OutOfBudgetError:
            return Outcome("unknown", f"{self.options.seconds:g} s are over", self.counts, hinted=hinted)

    def by_segments(self, hinted: bool) -> Outcome:
        """The answer, segment by segment. Raises OutOfBudgetError."""
        segments = [(each, self.edits_in(each)) for each in self.segmentation()]
        segments = [each for each in segments if each[1]]
        if self.options.ranking:
            segments.sort(key=lambda each: len(each[0]) + len(each[1]))
        found: list[Window] = []
        for segment, edits in segments:
            decomposition = self.search.equivalent(segment, edits)
            if decomposition is None:
                reason = "no decomposition has windows that are all verified"
                return Outcome("unknown", reason, self.counts, len(segments), hinted=hinted)
            found += decomposition
        if not set(self.windows.sinks) <= self.established(found):
            reason = "the windows need each other in a circle"
            return Outcome("unknown", reason, self.counts, len(segments), hinted=hinted)
        shown = tuple((window, self.proved.get(window) or "") for window in found)
        return Outcome("equivalent", "", self.counts, len(segments), shown, hinted=hinted)

    def segmentation(self) -> tuple[Window, ...]:
        """The segments. Raises OutOfBudgetError."""
        if self.options.segmentation == "windows":
            return unions_of_windows(self.mapping, self.search)
        if self.options.segmentation == "unsupported":
            return between_unsupported(self.mapping, self.is_valid)
        return one_segment(self.mapping)

    def edits_in(self, segment: Window) -> tuple[Window, ...]:
        """The edits of a segment."""
        return tuple(edit for edit in self.mapping.edits if edit <= segment)

    def fitting(self, window: Window) -> Iterable[Verifier]:
        """The verifiers whose restrictions a window meets."""
        try:
            questions = self.windows.questions(window)
        except UnfitWindowError:
            return
        for verifier in self.verifiers:
            if not any(verifier.restriction(each.left, each.right) for each in questions):
                yield verifier

    def is_valid(self, window: Window) -> bool:
        """Whether a window meets the restrictions of a verifier."""
        return any(True for _ in self.fitting(window))

    def is_verified(self, window: Window) -> bool:
        """Whether a verifier shows that all that leaves a window is as equal as is demanded; asked once."""
        if window not in self.proved:
            self.proved[window] = next((each.name for each in self.fitting(window) if self.shows(each, window)), None)
        return self.proved[window] is not None

    def shows(self, verifier: Verifier, window: Window) -> bool:
        """Whether a verifier answers True to all questions about a window."""
        questions = self.windows.questions(window)
        if not self.options.as_printed and not all(suffices(verifier, each) for each in questions):
            return False
        start = clock()
        try:
            for each in questions:
                self.counts.calls += 1
                if not verifier.equal(each.left, each.right, each.catalogue):
                    return False
            return True
        finally:
            self.counts.verifying += clock() - start

    def established(self, windows: Sequence[Window]) -> set[Output]:
        """The pairs of wires that are equal if windows are, each after those that it takes."""
        mapping, found = self.mapping, {(name, name) for name in self.mapping.pair.catalogue.by_name}
        obligations = [
            (output, question.needs)
            for window in windows
            for output, question in zip(self.windows.outputs(window), self.windows.questions(window), strict=True)
        ]
        covered = frozenset().union(*windows)
        kept = [unit for unit in mapping.units if unit not in covered and None not in unit]
        before = -1
        while len(found) > before:
            before = len(found)
            found |= {output for output, needs in obligations if needs <= found}
            found |= {(old or "", new or "") for old, new in kept if self.same_inputs((old or "", new or ""), found)}
        return found

    def same_inputs(self, unit: Output, found: set[Output]) -> bool:
        """Whether a mapped operator that no window covers reads equal wires at all ports."""
        return all(
            (a, b) in found or self.joined(a, b, found)
            for a, b in self.windows.read_by(unit)
            if a is not None and b is not None
        )

    def joined(self, a: str, b: str, found: set[Output]) -> bool:
        """Whether two wires are equal because both equal the unit that stands for them."""
        root = self.windows.root(0, a)
        if root is None or root != self.windows.root(1, b):
            return False
        old, new = root[0] or "", root[1] or ""
        return {(old, new), (a, new), (old, b)} <= found


def _unmapped_sinks(mapping: Mapping) -> list[tuple[str, int]]:
    """The results that only one version has."""
    found = []
    for side, properties in enumerate(mapping.properties):
        read = {name for each in properties.values() for name in each.ports}
        found += [(name, side) for name in properties if name not in read and None in mapping.unit_of[side][name]]
    return found
