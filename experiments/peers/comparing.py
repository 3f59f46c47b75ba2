"""A peer beside us, pair by pair: outcomes, times, and which of its answers a certificate contradicts.

Ours has a certificate that the kernel has checked, or a database on which the reference interpreter returns two
results; so a pair that is proved here and refuted there is decided wrongly there, or was read otherwise. Seconds are of
the processor: ours from the text to the verdict, with the kernel's check; the peer's for the bounds that it finished,
without the import of its modules.
"""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Iterator, Sequence

from tallystick.decision.service.isolation import isolated
from tallystick.experiments.peers.verieql import MEBIBYTES, PATIENCE, PeerAnswer, PeerError, VeriEql
from tallystick.experiments.sql_suites.outcomes import OUTCOMES, Decided, decided
from tallystick.experiments.sql_suites.records import Record

Compared = tuple[Record, Decided, float, PeerAnswer]


def compared(record: Record, peer: VeriEql, seconds: float, rows: int) -> Compared:
    """Our outcome for a record with its seconds of the processor, and the peer's."""
    found = isolated(lambda: decided(record, seconds), PATIENCE * seconds, MEBIBYTES)
    if found.result is None:
        raise PeerError(f"{record.suite} {record.name}: {found.problem}")
    return record, found.result, found.processor_seconds, peer.answer(record, seconds, rows)


def report(pairs: Sequence[Compared]) -> Iterator[str]:
    """Lines that say how often each outcome met each of the peer's, with times, and every contradiction."""
    theirs = ("refuted", "none", "unknown", "refused")
    met = Counter((ours.outcome, peer.outcome) for _, ours, _, peer in pairs)
    yield f"{'here / VeriEQL':16}" + "".join(f"{name:>10}" for name in theirs)
    for mine in OUTCOMES:
        yield f"{mine:16}" + "".join(f"{met[mine, name]:10}" for name in theirs)
    for name, taken in (
        ("here", [seconds for _, ours, seconds, _ in pairs if ours.outcome in ("proved", "refuted")]),
        ("VeriEQL", [peer.seconds for *_, peer in pairs if peer.outcome in ("refuted", "none")]),
    ):
        if taken:
            median = statistics.median(taken)
            yield f"{name}: {len(taken)} answered, {median:.2f} s in the median, {sum(taken):.0f} s in all"
    bounds = [peer.rows for *_, peer in pairs if peer.outcome == "none"]
    if bounds:
        yield f"VeriEQL's bound where it finds nothing: {statistics.median_low(bounds)} rows in the median"
    for record, ours, _, peer in pairs:
        if (ours.outcome, peer.outcome) == ("proved", "refuted"):
            yield f"CONTRADICTED by a certificate: {record.suite} {record.name}"
        if (ours.outcome, peer.outcome) == ("refuted", "none"):
            yield f"not seen with {peer.rows} rows: {record.suite} {record.name}"
