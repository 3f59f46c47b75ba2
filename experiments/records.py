"""Records: what is kept of each pair that was decided. One record is one row of Parquet."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, get_type_hints

from tallystick.certificates.codec import decode
from tallystick.certificates.proofs import Certificate
from tallystick.checking import OrderError, audited, check_programs
from tallystick.core.operators import AGGREGATES, OVER_BAGS
from tallystick.core.terms import Operator, Term, subterms
from tallystick.decision.service.process import ProverProcess
from tallystick.experiments.questions import Task, versions
from tallystick.frontends.rdd import read_program
from tallystick.verdict import Answer, Verdict

WITH_UDF = (Operator.MAP, Operator.FILTER, *AGGREGATES)
"""The operators that apply a function of the user, their last argument but one."""
_CAP = re.compile(r"\(((?:\w*Limits\.\w+)|(?:[A-Z]+(?:_[A-Z]+)+))\)")


@dataclass(frozen=True, slots=True)
class Record:
    """A decided pair.

    Attributes:
        key: of the task (`Task.key`).
        suite, pair, expected, seed: of the question.
        verdict, method, program_class, complete, reasons, assumptions, oracles: of the verdict.
        caps: the limits that were met, by name.
        certificate: the certificate; None when the verdict is unknown.
        certificate_bytes: its size, 0 without one.
        seconds: everything from the question to the audited verdict.
        deciding_seconds, certifying_seconds, classifying_seconds, audit_seconds: the phases of the verdict; 0 for
            those of a prover that was ended.
        solver_calls: how often a solver was asked about a premise.
        operators, terms, udf_terms, folds: the size of both programs: operators over bags, distinct terms in all and
            in the functions of users, and folds.
        solver, methods, timeout, memory: the options.
        versions: of this software and of what it used.
    """

    key: str
    suite: str
    pair: str
    expected: str | None
    seed: int | None
    verdict: str
    method: str
    program_class: str
    complete: bool
    reasons: dict[str, str]
    caps: tuple[str, ...]
    assumptions: tuple[str, ...]
    oracles: tuple[str, ...]
    certificate: str | None = field(repr=False)
    certificate_bytes: int
    seconds: float
    deciding_seconds: float
    certifying_seconds: float
    classifying_seconds: float
    audit_seconds: float
    solver_calls: int
    operators: int
    terms: int
    udf_terms: int
    folds: int
    solver: str
    methods: str
    timeout: float
    memory: int
    versions: dict[str, str]

    @property
    def is_right(self) -> bool:
        """Whether the verdict is the known one."""
        return self.verdict == self.expected

    @property
    def is_wrong(self) -> bool:
        """Whether the verdict contradicts the known one; unknown does not."""
        return self.expected is not None and self.verdict not in (self.expected, "unknown")


_SQL_TYPES = {
    bool: "boolean",
    int: "bigint",
    float: "double",
    str: "string",
    int | None: "bigint",
    str | None: "string",
    dict[str, str]: "map<string,string>",
    tuple[str, ...]: "array<string>",
}
SCHEMA = ", ".join(f"{name} {_SQL_TYPES[kind]}" for name, kind in get_type_hints(Record).items())
"""The columns of a record, for Spark SQL."""


def row(record: Record) -> tuple[Any, ...]:
    """A record as a row with the columns of SCHEMA."""
    values = (getattr(record, each.name) for each in fields(Record))
    return tuple(list(value) if isinstance(value, tuple) else value for value in values)


def record_of(columns: Mapping[str, Any]) -> Record:
    """The record that a row with the columns of SCHEMA holds."""
    values: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in columns.items()
    }
    return Record(**values)


def decide(task: Task, prover: ProverProcess) -> Record:
    """The record of a task, whatever happens to it: a pair that cannot be decided costs no other pair anything."""
    started = time.perf_counter()
    question, options = task.question, task.options
    if question.claim is None:
        return _record(task, _failed("source", question.problem), None, started)
    asked = None
    try:
        asked = decode(question.claim.encode())
        if question.by_source:
            return _decided_by_source(task, prover, asked, started)
        settlement = prover.settle(
            asked.left, asked.right, asked.sources, options.solver, options.timeout, options.methods
        )
        verdict = audited(asked.left, asked.right, settlement, started)
    except Exception as error:  # of a hostile program, or a defect: the record says so
        return _record(task, _failed("error", f"{type(error).__name__}: {error}"), asked, started)
    if settlement.order_matters is not None:
        verdict = replace(verdict, reasons={"order": settlement.order_matters})
    return _record(task, verdict, asked, started)


def _decided_by_source(task: Task, prover: ProverProcess, asked: Certificate, started: float) -> Record:
    """The record of a pair whose meaning `check` knows and its claim does not."""
    question, options = task.question, task.options
    sources = read_program(question.left), read_program(question.right)
    try:
        verdict = check_programs(
            *sources,
            solver=options.solver,  # type: ignore[arg-type]
            timeout=options.timeout,
            prover=prover,
            methods=options.methods,
            semantics="sparklite",
        )
    except OrderError as error:
        verdict = _failed("order", str(error))
    if verdict.no_one_value:
        verdict = replace(verdict, reasons={"partitions": "\n".join(map(str, verdict.no_one_value))})
    return _record(task, verdict, asked, started)


def _failed(phase: str, reason: str) -> Verdict:
    return Verdict(Answer.UNKNOWN, (), "", False, 0.0, reasons={phase: reason})


def _record(task: Task, verdict: Verdict, asked: Certificate | None, started: float) -> Record:
    question, options = task.question, task.options
    reasons = verdict.reasons
    if verdict.verdict is Answer.UNKNOWN and not reasons:
        reasons = {"methods": "no method applies to these programs"}
    nodes = [node for side in (asked.left, asked.right) for node in subterms(side.expression)] if asked else []
    return Record(
        key=task.key,
        suite=question.suite,
        pair=question.pair,
        expected=question.expected,
        seed=question.seed,
        verdict=str(verdict.verdict),
        method=" > ".join(verdict.method),
        program_class=verdict.program_class,
        complete=verdict.complete,
        reasons=reasons,
        caps=caps(reasons),
        assumptions=verdict.assumptions,
        oracles=verdict.oracles,
        certificate=verdict.certificate.decode() if verdict.certificate else None,
        certificate_bytes=len(verdict.certificate or b""),
        seconds=time.perf_counter() - started,
        deciding_seconds=verdict.phases.get("deciding", 0.0),
        certifying_seconds=verdict.phases.get("certifying", 0.0),
        classifying_seconds=verdict.phases.get("classifying", 0.0),
        audit_seconds=verdict.phases.get("auditing", 0.0),
        solver_calls=verdict.solver_calls,
        operators=sum(node.operator in OVER_BAGS for node in nodes),
        terms=len(nodes),
        udf_terms=sum(_size_of_udf(node) for node in nodes),
        folds=sum(node.operator in AGGREGATES for node in nodes),
        solver=options.solver,
        methods="all" if options.methods is None else ",".join(options.methods),
        timeout=options.timeout,
        memory=options.memory,
        versions=versions(),
    )


def _size_of_udf(node: Term) -> int:
    """How many distinct terms the function has that an operator over bags applies, if it applies one."""
    return sum(1 for _ in subterms(node.arguments[-2])) if node.operator in WITH_UDF else 0


def caps(reasons: Mapping[str, str]) -> tuple[str, ...]:
    """The limits that were met, by the names that reasons give them; `time` and `memory` are those of the
    prover's process, and `prover` says that it ended for lack of memory or by a defect."""
    found = {name for reason in reasons.values() for name in _CAP.findall(reason)}
    found |= {phase for phase in ("time", "memory", "prover", "defect") if phase in reasons}
    if any("the time limit was reached" in reason for reason in reasons.values()):
        found.add("time")
    return tuple(sorted(found))
