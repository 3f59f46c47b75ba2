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
from tallystick.decision.queries.counterexamples.search import DistinguishingDatabase, Look, differ_often
from tallystick.decision.queries.differing import missing_rule
from tallystick.decision.queries.portfolio import Looking, Portfolio
from tallystick.decision.queries.trees.structure import OpenBranch
from tallystick.experiments.sql_suites.records import Record, SuitePair, read_record
from tallystick.frontends.errors import SourceError

FOR_DATABASES = 0.1
"""The part of the time for databases when all proofs have failed."""
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
    portfolio = Portfolio(pair.left, pair.right, pair.catalogue, seconds, looking(pair), FOR_DATABASES * seconds)
    answer = next(portfolio.answers(), None)
    if isinstance(answer, DistinguishingDatabase):
        return Answered("refuted")
    if answer is None:
        reason = portfolio.unproved.reason if portfolio.unproved is not None else ""
        return Answered("unknown", reason, missing_rule(pair.left, pair.right, reason))
    start = perf_counter()
    same_results(pair.left, pair.right, pair.catalogue, answer.proof)
    return Answered("proved", auditing=perf_counter() - start)


def looking(pair: SuitePair) -> Looking:
    """The search for a database that tells a pair apart.

    Of plans that have lost constraints, only if they differ on many databases: these are what a test of the plans as
    they are finds. Of plans whose texts mean something else, none.
    """
    if pair.lost_meaning:
        return _none("the texts of its plans say what a database may hang on")
    searched = pair.searched or pair.catalogue
    if pair.lost_constraints and not differ_often(pair.left, pair.right, searched):
        return _none("its plans have lost what a database may break")
    return Look(pair.left, pair.right, searched)


def _none(reason: str) -> Looking:
    def look(seconds: float, minimising: float = 0.0, branches: Sequence[OpenBranch] = ()) -> Unknown:
        return Unknown(reason)

    return look


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
