"""One method on one pair: what it answers, and what that takes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from time import process_time

from tallystick.dataflow.comparing import compared
from tallystick.dataflow.pair import Pair
from tallystick.dataflow.sweep.sweeping import SweepLimits
from tallystick.dataflow.veer.mapping import mapping_by_names
from tallystick.dataflow.veer.search import VEER, VEER_PLUS, Counts, Options, OutOfBudgetError
from tallystick.dataflow.veer.veering import Run, veer
from tallystick.dataflow.veer.verifiers import Kernel, Verifier
from tallystick.dataflow.verdict import Change
from tallystick.experiments.veer.verifiers import Equitas, Spes


@dataclass(frozen=True)
class Measured:
    """What a method answers about the result of a workflow.

    Attributes:
        answer: "equivalent", "inequivalent", "unknown", or "late" if the time was over.
        explored: decompositions; 0 for the sweep.
        calls: questions that verifiers were asked.
        seconds: of the processor.
        verifying: of these, in verifiers.
        called: whether an inequivalence was seen with functions of the user's.
    """

    answer: str
    explored: int
    calls: int
    seconds: float
    verifying: float = 0.0
    called: bool = False


Method = Callable[[Pair, float], Measured]


def by_veer(options: Options, verifiers: Callable[[], list[Verifier]]) -> Method:
    """Veer with options and verifiers."""

    def measured(pair: Pair, seconds: float) -> Measured:
        start = process_time()
        outcome = veer(pair, verifiers(), replace(options, seconds=seconds))
        counts, taken = outcome.counts, process_time() - start
        late = outcome.answer == "unknown" and outcome.reason.endswith("s are over")
        return Measured("late" if late else outcome.answer, counts.explored, counts.calls, taken, counts.verifying)

    return measured


def by_whole_pair(pair: Pair, seconds: float) -> Measured:
    """SPES on both versions as a whole, as in table 5."""
    start = process_time()
    mapping = mapping_by_names(pair)
    run = Run(mapping, [Spes()], VEER, Counts())
    shown = run.is_verified(frozenset(mapping.units))
    return Measured("equivalent" if shown else "unknown", 1, run.counts.calls, process_time() - start)


def by_sweep(pair: Pair, seconds: float) -> Measured:
    """The sweep; its certificate is audited within the time."""
    start = process_time()
    verdict = compared(pair, limits=SweepLimits(seconds=seconds, searching=1.0))
    read = {name for wire in pair.new for name in wire.reads}
    results = [verdict.of(wire.name) for wire in pair.new if wire.name not in read]
    answer = "unknown"
    if all(wire.change is Change.UNCHANGED for wire in results):
        answer = "equivalent"
    elif any(wire.change is Change.CHANGED for wire in results):
        answer = "inequivalent"
    called = any(wire.difference is not None and wire.difference.functions for wire in results)
    return Measured(answer, 0, verdict.calls, process_time() - start, called=called)


PRINTED, PRINTED_PLUS = replace(VEER, as_printed=True), replace(VEER_PLUS, as_printed=True)
METHODS: dict[str, Method] = {
    "SPES": by_whole_pair,
    "Veer as printed, EQUITAS": by_veer(PRINTED, lambda: [Equitas()]),
    "Veer+ as printed, EQUITAS": by_veer(PRINTED_PLUS, lambda: [Equitas()]),
    "Veer+ sound, EQUITAS and SPES": by_veer(VEER_PLUS, lambda: [Equitas(), Spes()]),
    "Veer+ sound, Tallystick": by_veer(VEER_PLUS, lambda: [Kernel(1.0)]),
    "the sweep": by_sweep,
}
"""The methods, by what tables call them."""


def valid_decompositions(pair: Pair, seconds: float) -> str:
    """How many decompositions are valid for EQUITAS; with a + where the time was over."""
    run = Run(mapping_by_names(pair), [Equitas()], replace(VEER, seconds=seconds), Counts())
    try:
        for segment in run.segmentation():
            for _ in run.search.explored(segment, run.edits_in(segment)):
                pass
    except OutOfBudgetError:
        return f"{run.counts.explored}+"
    return str(run.counts.explored)
