"""The audit of a certificate: every premise is derived anew and every step replayed in the kernel, without a solver.

The reader and the kernel do that. This module puts what they found into words (with `claims`, and
`queries/claims.py`), and is trusted for them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from tallystick.certificates import reader
from tallystick.certificates.budget import LIMITS, AuditLimits
from tallystick.certificates.codec import encode, require_canonical
from tallystick.certificates.trusted import AUDIT, trusted_modules
from tallystick.certificates.words import filled
from tallystick.core.errors import CertificateError, TallystickError
from tallystick.core.work import deeply_nested, limited

if TYPE_CHECKING:
    from tallystick.certificates.queries.certificates import QueryPair
    from tallystick.core.programs import Program

QUERIES, DATAFLOW = "sql", "dataflow"
MEANINGS = {
    "sparklite": "each fold is one left fold over all elements",
    "spark": "each fold is computed in partitions, whose results are merged",
    QUERIES: "bags of rows with NULL, in three-valued logic; lists, up to rows that tie, for ORDER BY",
    DATAFLOW: "the rows of each wire as those of queries",
}


NOT_READ: Final = "the texts were not read: the claim is about what is printed here"
COMPARED: Final = "the claim is about what was asked for"


@dataclass(frozen=True, slots=True, repr=False)
class AuditReport:
    """What an audit found; `str` prints it. It is true just when it is accepted.

    Attributes:
        accepted: whether the claim holds, by the kernel and by solvers whose word the caller takes.
        reason: the step that failed and why, that all hold, or on whose word the claim rests.
        verdict: "equivalent" or "inequivalent" as claimed; empty when nothing could be read.
        claim: the claim in words, with both programs in full.
        assumptions: under which the programs mean what their sources mean.
        rules: how often each rule of the kernel and each kind of evidence is used.
        oracles: the solvers whose word the claim depends on.
        semantics: the meaning of folds; "sql" for queries.
        loaded: modules that were loaded for this certificate besides those that every audit loads.
        texts: whether what is claimed was compared with what somebody reads in texts: NOT_READ or COMPARED.
    """

    accepted: bool
    reason: str
    verdict: str = ""
    claim: str = ""
    assumptions: tuple[str, ...] = ()
    rules: tuple[tuple[str, int], ...] = ()
    oracles: tuple[str, ...] = ()
    semantics: str = ""
    texts: str = ""
    loaded: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return self.accepted

    @property
    def exit_status(self) -> int:
        """0 for accepted, 2 where the claim rests on the word of a solver that is not allowed, 1 for rejected."""
        return 0 if self.accepted else 2 if self.oracles else 1

    @property
    def trusted(self) -> dict[str, int]:
        """The modules that can change this report, with their numbers of lines."""
        return trusted_modules((*AUDIT, *self.loaded))

    @property
    def outcome(self) -> str:
        """Accepted, unproved or rejected."""
        return "accepted" if self.accepted else "unproved" if self.oracles else "rejected"

    def __repr__(self) -> str:
        return f"<AuditReport {self.outcome}: {self.reason}>"

    def __str__(self) -> str:
        parts = {
            self.outcome: self.reason,
            "claim": self.claim,
            "meaning": self.semantics and f"{self.semantics}: {MEANINGS.get(self.semantics, '')}",
            "texts": self.texts,
            "assuming": "; ".join(self.assumptions) or (self.verdict and "nothing"),
            "rules": ", ".join(f"{rule} {count}" for rule, count in self.rules),
            "oracles": ", ".join(self.oracles) or "none",
            "trusted": f"{sum(self.trusted.values())} lines in {len(self.trusted)} modules",
        }
        return "\n".join(filled(name, text) for name, text in parts.items() if text)


def audit(
    certificate: bytes | str | Path,
    against: tuple[Program, Program] | QueryPair | None = None,
    semantics: str = "sparklite",
    allowed: Collection[str] = (),
    limits: AuditLimits = LIMITS,
) -> AuditReport:
    """Checks a certificate, given as bytes or as the path of a file.

    With `against`, it has to be about these programs, in this order and semantics, whatever their names are; or about
    these queries, under no other constraints. A claim
    that rests on the word of a solver is accepted only if that solver is `allowed`. Raises OSError when the file cannot
    be read; everything else that is wrong is the report's reason.
    """
    report, budget = AuditReport(False, ""), limits.budget()
    try:
        data = certificate if isinstance(certificate, bytes) else _contents(certificate, limits)
        with deeply_nested(), limited(budget):
            read = reader.read(data, limits)
            of = _claims_of(read.semantics)
            report = replace(described(read), texts=NOT_READ if against is None else "")
            claim = read if against is None else of.claim_about(read, against, semantics)
            if claim is None or encode(claim) != data:  # else `read`, which is in `data`, is what is asked about
                require_canonical(read, data)
                raise CertificateError(f"the certificate is about {of.OTHERS}")
            if against is not None:
                report = replace(report, texts=COMPARED, loaded=(*report.loaded, *of.COMPARING))
            oracles, more = of.check(read, limits.evaluation, budget)
            report = replace(report, claim="\n".join((report.claim, *more)), oracles=tuple(sorted(oracles)))
    except (TallystickError, RecursionError, MemoryError) as error:
        return replace(report, reason=_shown(str(error) or type(error).__name__))
    refused = [oracle for oracle in report.oracles if oracle not in allowed]
    if refused:
        return replace(report, reason=f"it rests on the word of {', '.join(refused)}")
    return replace(report, accepted=True, reason="every step holds")


def described(certificate: Any) -> AuditReport:
    """What a certificate claims, in words, before anything of it is checked; claims that are shown alike are equal."""
    of = _claims_of(certificate.semantics)
    claim = "\n".join(of.lines(certificate))
    assumptions = tuple(getattr(each, "value", each) for each in certificate.assumptions)
    used = Counter(of.used(certificate))
    rules = tuple((kind.__name__, number) for kind, number in used.items())
    checks = (kind.__module__ for kind in used)
    loaded = tuple(dict.fromkeys((of.__name__, *of.modules(certificate), *checks)))
    semantics = certificate.semantics
    return AuditReport(False, "", certificate.verdict, claim, assumptions, rules, semantics=semantics, loaded=loaded)


def _claims_of(semantics: str) -> Any:
    """What `claims` is for certificates of a semantics; an audit loads no others."""
    if semantics == QUERIES:
        from tallystick.certificates.queries import claims as of_queries

        return of_queries
    if semantics == DATAFLOW:
        from tallystick.certificates.dataflows import claims as of_dataflows

        return of_dataflows
    from tallystick.certificates import claims as of_programs

    return of_programs


def _shown(text: str) -> str:
    """A text for the terminal, without what a terminal would obey."""
    return text if text.isprintable() else ascii(text)


def _contents(path: str | Path, limits: AuditLimits) -> bytes:
    with Path(path).open("rb") as file:
        return file.read(limits.bytes + 1)
