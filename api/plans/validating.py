"""Spark's optimiser, checked query by query: is the optimised plan equal to the analysed one?

Spark gives the plans of a query (`plans_of`), they are decided without it (`answered`), anywhere, and a plan that
seems wrong is run by it (`confirmed`).
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from tallystick.core.queries.types import SqlRow
from tallystick.frontends.catalyst.data import name_text, returned, views
from tallystick.frontends.catalyst.reader import PlanPair, read_chain, read_plans
from tallystick.frontends.catalyst.reading import SourceTable
from tallystick.frontends.errors import SourceError
from tallystick.frontends.sql.source import load
from tallystick.misreading import MisreadingError
from tallystick.plans.deciding import chained, decided
from tallystick.plans.schemas import DeclaredTable
from tallystick.plans.trying import ROUNDED, SECONDS, UNASKED, misreading, result_of, trials_of_plans
from tallystick.plans.verdict import Compared, PlanVerdict
from tallystick.queries.trials import Contradiction, Trials
from tallystick.replay.catalyst.process import QueryRefused, SparkPlans
from tallystick.verdict import Answer

NAMES = ("the analysed plan", "the optimised plan")


@dataclass(frozen=True)
class PlanQuestion:
    """A query, and the plans that Spark makes of it, as `replay/catalyst` captures them; or why it makes none."""

    query: str
    text: str
    plans: dict[str, Any] | None
    refusal: str = ""


@dataclass(frozen=True)
class Validation:
    """What is known about the plans of a query.

    Attributes:
        query: what the query is called.
        verdict: the answer about its plans.
        rules: the optimiser's rules that changed the plan.
        optimizer_seconds: what Spark took to analyse and optimise.
        stuck_at: the first step of the optimiser that could not be proved, if steps were asked for.
        processor_seconds, memory_mebibytes: what the answer took, if that was measured.
        trials: the databases on which its reading is to be tried.
        misread: what Spark contradicts.
    """

    query: str
    verdict: PlanVerdict
    rules: tuple[str, ...] = ()
    optimizer_seconds: float = 0.0
    stuck_at: str = ""
    processor_seconds: float = 0.0
    memory_mebibytes: float = 0.0
    trials: Trials | None = field(default=None, repr=False)
    misread: MisreadingError | None = None

    def to_json(self) -> dict[str, Any]:
        """One JSON object."""
        own = {"query": self.query, "effective_rules": list(self.rules), "stuck_at": self.stuck_at}
        taken = {"processor_seconds": self.processor_seconds, "memory_mebibytes": self.memory_mebibytes}
        misread = None if self.misread is None else self.misread.to_json()
        times = {"optimizer_seconds": self.optimizer_seconds, **taken}
        return {**own, **times, **self.verdict.to_json(), "misread": misread}


def prepared(spark: SparkPlans, declared: Iterable[DeclaredTable]) -> list[SourceTable]:
    """Creates the tables of a schema in Spark, empty, and returns them with Spark's types."""
    tables = []
    for table in declared:
        spark.prepare([f"DROP TABLE IF EXISTS {name_text(table.table.name)}", table.creation])
        tables.append(table.source(spark.columns(table.table.name)))
    return tables


def validated(
    spark: SparkPlans, name: str, query: str, tables: Sequence[SourceTable], timeout: float, each_rule: bool = False
) -> Validation:
    """The verdict about the plans of a query.

    Where the plans are not proved equal as they are, the optimiser's steps are tried one by one, if `each_rule`.
    Plans are inequivalent only if Spark itself returns a wrong result on the tables that were found.
    """
    question = plans_of(spark, name, query, each_rule)
    return confirmed(spark, question, answered(question, tables, timeout, each_rule))


def plans_of(spark: SparkPlans, name: str, query: str, each_rule: bool = False) -> PlanQuestion:
    """The plans of a query, with those between the optimiser's steps if `each_rule`."""
    try:
        return PlanQuestion(name, query, spark.plans(query, steps=each_rule))
    except QueryRefused as error:
        return PlanQuestion(name, query, None, str(error).splitlines()[0])


def answered(
    question: PlanQuestion,
    tables: Sequence[SourceTable],
    timeout: float,
    each_rule: bool = False,
    trials: int = UNASKED,
) -> Validation:
    """The verdict about the plans of a query, as the reference interpreter has them, and databases to try it on.

    No Spark is needed.
    """
    if question.plans is None:
        return without_answer(question, "spark", question.refusal)
    plans = question.plans
    start = time.perf_counter()
    try:
        pair = read_plans(plans["analyzed"], plans["optimized"], plans["settings"], tables, one_query=True)
    except SourceError as error:
        return without_answer(question, "reading", error.message)
    verdict, stuck = decided(pair, NAMES, timeout), ""
    if verdict.verdict is Answer.UNKNOWN and each_rule:
        verdict, stuck = step_by_step(plans, pair, tables, verdict, timeout)
    verdict = replace(verdict, seconds=time.perf_counter() - start)
    to_try = trials_of_plans(pair, trials, verdict.counterexample)
    found = Validation(question.query, verdict, tuple(plans["rules"]), float(plans["seconds"]), stuck)
    return replace(found, trials=to_try)


def without_answer(question: PlanQuestion, way: str, reason: str) -> Validation:
    """A query of which nothing is known, and why."""
    verdict = PlanVerdict(Answer.UNKNOWN, NAMES, None, 0.0, reasons={way: reason})
    plans = question.plans or {"rules": (), "seconds": 0.0}
    return Validation(question.query, verdict, tuple(plans["rules"]), float(plans["seconds"]))


def step_by_step(
    plans: dict[str, Any], pair: PlanPair, tables: Sequence[SourceTable], verdict: PlanVerdict, timeout: float
) -> tuple[PlanVerdict, str]:
    """The verdict by proofs of all steps, or the one that was given and the step that could not be proved."""
    steps = [("the analyser's last rules", plans["analyzed"]), *((rule, plan) for rule, plan in plans["steps"])]
    steps.append(("the optimiser's last rules", plans["optimized"]))
    try:
        chain = read_chain([plan for _, plan in steps], plans["settings"], tables)
    except SourceError as error:
        return replace(verdict, reasons={**verdict.reasons, "steps": error.message}), ""
    named = [(rule or "the start", each) for (rule, _), each in zip(steps[1:], chain, strict=True)]
    proofs, stuck = chained(named, NAMES, timeout)
    if stuck:
        reason = f"{len(proofs)} of {len(named)} steps are proved; {stuck} is not"
        return replace(verdict, reasons={**verdict.reasons, "steps": reason}), stuck
    used: dict[str, int] = {}
    for proof, _ in proofs:
        for rule, count in proof.used:
            used[rule] = used.get(rule, 0) + count
    counts = tuple(sorted(used.items()))
    note = f"proved in {len(proofs)} steps, one for each rule that changed the plan"
    made = tuple(certificate for _, certificate in proofs)
    answer = PlanVerdict(
        Answer.EQUIVALENT, NAMES, Compared.of(pair), 0.0, used=counts, certificates=made, notes=(note,)
    )
    return answer, ""


def confirmed(spark: SparkPlans, question: PlanQuestion, answer: Validation) -> Validation:
    """The answer; a plan is wrong only if Spark returns what it says, and not what the analysed plan does.

    `spark` has the tables of the schema. What Spark does not confirm is unknown; what it contradicts is misread.
    """
    trials, found = answer.trials, answer.verdict.counterexample
    if trials is None:
        return answer
    if found is None:
        return _tried(spark, question, answer, trials)
    verdict, compared, [trial] = answer.verdict, _compared(answer), trials.each
    used = {name: compared.tables[name] for name in found.database}
    try:
        [rows] = spark.rows([question.text], filled(used, found.database))
    except QueryRefused as error:
        return _unconfirmed(answer, f"Spark does not run the query: {str(error).splitlines()[0]}")
    finally:
        spark.prepare(filled(used, {}))
    result = returned(rows, compared.types)
    right = [trials.permits(outcome, result) for outcome in (found.left, found.right)]
    if right == [False, True]:
        notes = (*verdict.notes, "Spark returns the wrong result")
        return replace(answer, verdict=replace(verdict, replayed_on=("reference", "spark"), notes=notes))
    if trials.is_rounded(trial):
        return _unconfirmed(answer, ROUNDED)
    side = 1 if right[0] else 0
    return _misread(answer, Contradiction(f"Spark {spark.version}", trial, side, (result, result)))


def _tried(spark: SparkPlans, question: PlanQuestion, answer: Validation, trials: Trials) -> Validation:
    """The answer after its reading was tried: what Spark returns is a result of both plans."""
    databases = [views(_compared(answer).tables, each.database) for each in trials.each]
    try:
        [results] = spark.tried([question.text], databases, SECONDS[UNASKED])
    except QueryRefused as error:
        note = f"Spark does not run the query: {str(error).splitlines()[0]}"
        return replace(answer, verdict=replace(answer.verdict, notes=(*answer.verdict.notes, note)))
    values = [result_of(each, _compared(answer).types) for each in results]
    came = trials.judged(f"Spark {spark.version}", zip(values, values, strict=True), equivalent=False)
    if isinstance(came, Contradiction):
        return _misread(answer, came)
    return replace(answer, verdict=replace(answer.verdict, tried=came))


def _compared(answer: Validation) -> Compared:
    assert answer.verdict.compared is not None  # it is there wherever plans were read
    return answer.verdict.compared


def _misread(answer: Validation, found: Contradiction) -> Validation:
    defect = misreading(_compared(answer), NAMES, found)
    return replace(_unconfirmed(answer, f"{defect.problem}, or Spark is"), misread=defect)


def filled(tables: dict[str, SourceTable], database: dict[str, tuple[SqlRow, ...]] | Any) -> list[str]:
    """Statements that replace the rows of tables."""
    statements = []
    for text, name in zip(views(tables, database), tables, strict=True):
        select = text.partition(" AS ")[2]
        statements.append(f"INSERT OVERWRITE TABLE `{name}` {select}")
    return statements


def _unconfirmed(answer: Validation, reason: str) -> Validation:
    unknown = replace(answer.verdict, verdict=Answer.UNKNOWN, counterexample=None, certificates=())
    return replace(answer, verdict=replace(unknown, reasons={"replay": reason}))


def queries_in(paths: Sequence[str]) -> list[tuple[str, str]]:
    """The queries of files and folders by their names: `*.sql`, one query a file, sorted."""
    found = []
    for path in map(Path, paths):
        files = sorted(path.rglob("*.sql")) if os.path.isdir(path) else [path]
        found += [(str(file), query_text(load(file).text)) for file in files]
    return found


def query_text(text: str) -> str:
    """A query without what ends it."""
    return text.strip().rstrip(";").strip()
