"""Each program, query, plan and model of all suites is proved equal to itself at once, by REFLEXIVE."""

from __future__ import annotations

from dataclasses import replace

import pytest
from frontends.catalyst.capture import captured
from frontends.catalyst.shop import TABLES
from tallystick.certificates.queries.kernel import same_results
from tallystick.certificates.queries.proofs import Name, Rewriting
from tallystick.certificates.rules.reflexive import Reflexive
from tallystick.core.queries.catalogue import Catalogue
from tallystick.core.queries.syntax import Statement
from tallystick.dataflow.comparing import compared
from tallystick.dataflow.reading import read_versions
from tallystick.dataflow.verdict import Change
from tallystick.decision.outcome import Proved as ProvedPrograms
from tallystick.decision.prover import Prover
from tallystick.decision.queries.deciding import ProofLimits, Proved, decide
from tallystick.decision.service import portfolio
from tallystick.experiments import suites
from tallystick.experiments.dataflows.shop import MODELS, write
from tallystick.experiments.sql_suites.records import read_record
from tallystick.experiments.sql_suites.sources import own_records
from tallystick.experiments.veer.workloads import WORKFLOWS, pair_of
from tallystick.frontends.catalyst.reader import read_plans
from tallystick.frontends.errors import SourceError
from tallystick.frontends.rdd import read_program
from tallystick.frontends.sql.dialects import dialect_named
from tallystick.frontends.sql.reader import read_pair, read_schema
from tallystick.frontends.sql.source import SqlText

NO_TIME = ProofLimits(seconds=0.001)
"""What is the same is proved before the time is looked at."""
EVERY = 7
"""One of so many is tried in the fast tests."""


def programs() -> list[str]:
    """The programs of all suites."""
    pairs = [pair for name in suites.names() for pair in suites.load(name)]
    return list(dict.fromkeys(reference for pair in pairs for reference in (pair.left, pair.right)))


def prove_programs(references: list[str]) -> None:
    for reference in references:
        left, right = (read_program(reference).program for _ in range(2))
        outcome = portfolio.decide(left, right, Prover()).outcome
        assert isinstance(outcome, ProvedPrograms), reference
        assert (outcome.methods, outcome.proof.rule) == (("reflexive",), Reflexive()), reference


def prove_statement(name: str, left: Statement, right: Statement, catalogue: Catalogue) -> None:
    found = decide(left, right, catalogue, NO_TIME)
    assert isinstance(found, Proved), name
    assert isinstance(found.proof, Rewriting), name
    assert [type(step) for step in found.proof.steps] == [Name], name
    assert found.proof.proof.rule == Reflexive(), name
    same_results(left, right, catalogue, found.proof)


def prove_queries(step: int) -> None:
    number = 0
    for record in own_records()[::step]:
        for side in ("q1", "q2"):
            text = record.data[side]
            try:
                pair = read_record(replace(record, data={**record.data, "q1": text, "q2": text}))
            except SourceError:
                continue
            prove_statement(f"{record.name} {side}", pair.left, pair.right, pair.catalogue)
            number += 1
    assert number > 200 // step


def prove_plans(step: int) -> None:
    number = 0
    for name, plans in list(captured().items())[::step]:
        for which in ("analyzed", "optimized"):
            try:
                pair = read_plans(plans[which], plans[which], plans["settings"], TABLES)
            except SourceError:
                continue
            prove_statement(f"{name} {which}", pair.left, pair.right, pair.catalogue)
            number += 1
    assert number > 0


def test_programs_of_a_sample():
    prove_programs(programs()[::EVERY])


def test_queries_of_a_sample():
    prove_queries(EVERY)


def test_plans_of_a_sample():
    prove_plans(EVERY)


def test_models_and_workflows(tmp_path):
    write(tmp_path, MODELS)
    same = [pair_of(name, workflow, workflow) for name, workflow in WORKFLOWS.items()]
    for pair in (read_versions(tmp_path, tmp_path), *same):
        verdict = compared(pair)
        assert {wire.change for wire in verdict.wires} == {Change.UNCHANGED}
        assert verdict.calls == 0


@pytest.mark.slow
def test_all_programs():
    prove_programs(programs())


@pytest.mark.slow
def test_all_queries():
    prove_queries(1)


@pytest.mark.slow
def test_all_plans():
    prove_plans(1)


DUCKDB = dialect_named("duckdb")
SCHEMA = "CREATE TABLE t (a INT, b INT, s VARCHAR(3))"
TABLES_OF_A_STAR = [f"t{number}" for number in range(40)]
LARGE = {
    "a star of joins": "SELECT t0.a FROM "
    + ", ".join(f"t AS {name}" for name in TABLES_OF_A_STAR)
    + " WHERE "
    + " AND ".join(f"t0.b = {name}.a" for name in TABLES_OF_A_STAR[1:]),
    "common tables that are read twice": "WITH c0 AS (SELECT a FROM t), "
    + ", ".join(f"c{n + 1} AS (SELECT x.a FROM c{n} AS x JOIN c{n} AS y ON x.a = y.a)" for n in range(24))
    + " SELECT COUNT(*) AS n FROM c24",
    "a choice": "SELECT a FROM t ORDER BY b LIMIT 3",
    "an order": "SELECT a FROM t ORDER BY b DESC, s",
}


@pytest.mark.parametrize("name", LARGE)
def test_queries_of_any_size_and_kind(name):
    texts = SqlText(LARGE[name], "left"), SqlText(LARGE[name], "right")
    pair = read_pair(*texts, read_schema(SCHEMA, DUCKDB), DUCKDB)
    prove_statement(name, pair.left, pair.right, pair.catalogue)


def test_what_differs_in_its_order_or_its_columns_is_not_the_same():
    pairs = [
        ("SELECT a FROM t ORDER BY b", "SELECT a FROM t ORDER BY b DESC"),
        ("SELECT a FROM t ORDER BY b", "SELECT a FROM t"),
        ("SELECT a, b FROM t", "SELECT b, a FROM t"),
        ("SELECT a FROM t LIMIT 1", "SELECT a FROM t LIMIT 2"),
    ]
    for left, right in pairs:
        pair = read_pair(SqlText(left, "left"), SqlText(right, "right"), read_schema(SCHEMA, DUCKDB), DUCKDB)
        assert not isinstance(decide(pair.left, pair.right, pair.catalogue, ProofLimits(seconds=1)), Proved), left
