"""From two versions to a verdict for each wire, and one certificate for all of them."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace

from tallystick.certificates.audit import audit
from tallystick.certificates.codec import encode
from tallystick.certificates.dataflows.proofs import Claim
from tallystick.certificates.queries.certificates import Witness
from tallystick.core.errors import TallystickError
from tallystick.core.queries.interpreter.running import STEP_LIMIT
from tallystick.core.version import VERSION
from tallystick.dataflow.history import History
from tallystick.dataflow.limits import LIMITS
from tallystick.dataflow.pair import Pair
from tallystick.dataflow.sweep.sweeping import Progress, Sweep, SweepLimits
from tallystick.dataflow.verdict import Change, DataflowVerdict, WireVerdict


def compared(
    pair: Pair,
    *,
    columns: bool = False,
    limits: SweepLimits | None = None,
    history: History | None = None,
    progress: Progress = lambda number, of, name: None,
) -> DataflowVerdict:
    """The verdict about two versions, wire by wire. An answer that its certificate does not bear out is unknown.

    Args:
        columns: whether each column is answered by itself, too.
        history: earlier comparisons, to which this one is added.
    """
    start = time.perf_counter()
    sweep = Sweep(pair.with_parts(columns), limits or SweepLimits(), history)
    claims: list[Claim] = []
    found: list[WireVerdict] = []
    for verdict in sweep.verdicts(progress):
        claim = _claim(verdict, sweep)
        try:
            if claim is not None:
                sweep.composition.require_claim(claim, STEP_LIMIT)
                claims.append(claim)
        except TallystickError as problem:
            verdict = replace(verdict, change=Change.UNKNOWN, reason=str(problem), difference=None)
        found.append(verdict)
    kept = [claim for claim in claims if claim.new not in sweep.pair.parts or _needed(claim, found, sweep.pair)]
    parts = {name for name in sweep.pair.parts if any(name == claim.new for claim in kept)}
    names = {wire.name for wire in (*pair.old, *pair.new)} | parts
    about = replace(
        sweep.pair,
        old=tuple(wire for wire in sweep.pair.old if wire.name in names),
        new=tuple(wire for wire in sweep.pair.new if wire.name in names),
    )
    cuts = [cut for cut in sweep.cuts if {cut.wire[1], cut.root[1]} <= names]
    made = encode(about.certificate(cuts, kept, (("tallystick", VERSION),)))
    report = audit(made, limits=LIMITS)
    answers = _with_parts(found, sweep.pair)
    if not report:
        answers = [_unaudited(each, report.reason) for each in answers]
    if history is not None and report:
        computed = history.computed(pair.new)
        answers = [replace(each, computed_by=computed.get(each.name, 0)) for each in answers]
        history.add(made)
    seconds = time.perf_counter() - start
    calls, interrupted = sweep.proofs.calls, sweep.interrupted
    return DataflowVerdict(tuple(answers), pair, made if report else None, seconds, calls, interrupted)


def _claim(verdict: WireVerdict, sweep: Sweep) -> Claim | None:
    """What a verdict claims; None if that is nothing, or about columns alone."""
    if verdict.cut is not None:
        return Claim(verdict.old, verdict.name, verdict.columns, verdict.cut.ordered, None)
    if verdict.difference is None or verdict.difference.functions:
        return None
    database = verdict.difference.database
    witness = Witness(tuple(tuple(database[table.name]) for table in sweep.pair.catalogue.tables))
    return Claim(verdict.old, verdict.name, verdict.columns, sweep.is_ordered(verdict.old, verdict.name), witness)


def _needed(claim: Claim, found: Sequence[WireVerdict], pair: Pair) -> bool:
    """Whether a claim about columns says more than one about all of them."""
    whole = pair.parts[claim.new][0]
    return any(each.name == whole and each.change is not Change.UNCHANGED for each in found)


def _with_parts(found: Sequence[WireVerdict], pair: Pair) -> list[WireVerdict]:
    """The verdicts about whole wires, with those about their columns."""
    answers = {each.name: each for each in found if each.name not in pair.parts}
    for each in found:
        if each.name in pair.parts:
            name, column = pair.parts[each.name]
            whole = answers[name]
            if column:
                answers[name] = replace(whole, by_column=(*whole.by_column, (column, each.change)))
            else:
                answers[name] = replace(whole, shared=each)
    return list(answers.values())


def _unaudited(verdict: WireVerdict, reason: str) -> WireVerdict:
    if verdict.cut is None and (verdict.difference is None or verdict.difference.functions):
        return verdict
    return replace(
        verdict, change=Change.UNKNOWN, reason=f"the certificate was not accepted: {reason}", cut=None, difference=None
    )
