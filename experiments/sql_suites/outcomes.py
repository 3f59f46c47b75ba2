"""What becomes of a pair of queries of a suite: proved, refuted, unknown or refused, with reasons and times."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256
from json import dumps
from time import perf_counter
from typing import Any

from tallystick.certificates.queries.kernel import same_results
from tallystick.decision.outcome import Unknown
from tallystick.decision.queries.counterexamples.search import DistinguishingDatabase, differ_often, find
from tallystick.decision.queries.deciding import ProofLimits, Proved, decide
from tallystick.decision.queries.differing import missing_rule
from tallystick.decision.queries.trees.structure import OpenBranch
from tallystick.experiments.sql_suites.records import Record, SuitePair, read_record
from tallystick.frontends.errors import SourceError

FIRST_LOOK = 0.05
"""Seconds of a search for a database before one for a proof; it takes a tenth of the limit afterwards."""
OUTCOMES = ("proved", "refuted", "unknown", "refused")


@dataclass(frozen=True, slots=True)
class Decided:
    """A pair that was tried.

    Attributes:
        key: of the pair's text and the limit: what was decided with the same key is not decided again.
        suite, pair, expected: of the record; expected is "stated" where a source claims equivalence and nobody checked.
        outcome: one of OUTCOMES.
        reason: why it is unknown or refused: for an unknown one, the premise where the search ended.
        deciding, auditing: seconds for the answer, and for the kernel's check of a proof.
        missing: for an unknown pair, the construct on which the queries differ and that no rule is about.
    """

    key: str
    suite: str
    pair: str
    expected: str
    outcome: str
    reason: str
    deciding: float
    auditing: float
    missing: str = ""

    @property
    def is_wrong(self) -> bool:
        """Whether the answer contradicts a label."""
        return (self.outcome, self.expected) in (("proved", "inequivalent"), ("refuted", "equivalent"))

    @property
    def contradicts_source(self) -> bool:
        """Whether a database tells two queries apart that their source calls equivalent."""
        return (self.outcome, self.expected) == ("refuted", "stated")

    def to_json(self) -> dict[str, Any]:
        """One JSON object."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Answered:
    """What became of a pair, see `Decided`."""

    outcome: str
    reason: str = ""
    missing: str = ""
    auditing: float = 0.0


def decided_of(data: Mapping[str, Any]) -> Decided:
    """What `to_json` has written; raises TypeError for anything else."""
    return Decided(**data)


def key_of(record: Record, seconds: float) -> str:
    """The key of a record under a limit."""
    return sha256(dumps([record.suite, record.data, seconds], sort_keys=True).encode()).hexdigest()[:24]


def answered(pair: SuitePair, seconds: float) -> Answered:
    """The outcome for a pair, why not, what is missing, and the seconds of an audit."""
    if _refuted(pair, FIRST_LOOK, 0):
        return Answered("refuted")
    answer = decide(pair.left, pair.right, pair.catalogue, ProofLimits(seconds=seconds))
    if not isinstance(answer, Proved):
        if _refuted(pair, seconds / 10, 1, answer.branches):
            return Answered("refuted")
        return Answered("unknown", answer.reason, missing_rule(pair.left, pair.right, answer.reason))
    start = perf_counter()
    same_results(pair.left, pair.right, pair.catalogue, answer.proof)
    return Answered("proved", auditing=perf_counter() - start)


def _refuted(pair: SuitePair, seconds: float, seed: int, branches: Sequence[OpenBranch] = ()) -> bool:
    return isinstance(counterexample(pair, seconds, seed, branches), DistinguishingDatabase)


def counterexample(
    pair: SuitePair, seconds: float, seed: int, branches: Sequence[OpenBranch] = ()
) -> DistinguishingDatabase | Unknown:
    """A database that tells a pair apart, see `find`.

    Of plans that have lost constraints, only if they differ on many databases: these are what a test of the plans as
    they are finds. Of plans whose texts mean something else, none.
    """
    if pair.lost_meaning:
        return Unknown("the texts of its plans say what a database may hang on")
    searched = pair.searched or pair.catalogue
    if pair.lost_constraints and not differ_often(pair.left, pair.right, searched):
        return Unknown("its plans have lost what a database may break")
    return find(pair.left, pair.right, searched, seconds, seed, branches)


def decided(record: Record, seconds: float) -> Decided:
    """What becomes of a record."""
    start = perf_counter()
    try:
        answer = answered(read_record(record), seconds)
    except SourceError as refusal:
        answer = Answered("refused", refusal.message)
    deciding = perf_counter() - start - answer.auditing
    key = key_of(record, seconds)
    told = (answer.outcome, answer.reason, deciding, answer.auditing, answer.missing)
    return Decided(key, record.suite, record.name, record.expected, *told)
