"""Queries written in Coq's core return what the reference interpreter says they return, on random ones.

So the elaboration (`certificates/exports/core/queries.py`) and the meaning (`coq/core/Core.v`) are tested together.
"""

import re
from random import Random

from tallystick.certificates.exports.auditors import compiled
from tallystick.certificates.exports.coq_evidence import listed
from tallystick.certificates.exports.core.proofs import CoqText
from tallystick.certificates.exports.core.queries import Elaboration
from tallystick.certificates.exports.core.terms import Node, node, value
from tallystick.core.errors import FragmentError
from tallystick.core.queries.catalogue import Catalogue, Column, Table
from tallystick.core.queries.interpreter.evaluation import rows_of
from tallystick.core.queries.interpreter.running import QueryFailure, Undetermined
from tallystick.core.queries.types import BOOLEAN, DATE, DECIMAL, INTEGER, TEXT, SqlRow
from tallystick.decision.queries.counterexamples.databases import RandomDatabases
from tallystick.experiments.queries.random_queries import POOLS, Options, RandomQueries

CATALOGUE = Catalogue(
    (
        Table("t", (Column("a", INTEGER, nullable=False), Column("b", INTEGER), Column("c", TEXT))),
        Table("s", (Column("x", DECIMAL), Column("e", DATE), Column("f", BOOLEAN))),
    )
)
CONSTRUCTORS = (
    "Scan Values Filter Project Join LeftJoin UnionAll Distinct Aggregate Numbered Column Constant Plus Times Quotient "
    "Compare Both Either Negated IsNull When Exists TheValue Count Sum Least Greatest"
)
QUERIES = 250


def rows(of: list[SqlRow] | tuple[SqlRow, ...]) -> tuple[tuple[Node, ...], ...]:
    return tuple(tuple(map(value, each)) for each in of)


def drawn(seed: int) -> tuple[str, str, str] | None:
    """A query in Coq, a database, and the rows that the interpreter returns; None for what the core does not have."""
    random = Random(seed)
    statement = RandomQueries(CATALOGUE, random, Options()).statement(random.choice((1, 2, 3)))
    draw = RandomDatabases(CATALOGUE, random).draw
    given = draw(
        lambda table, index: POOLS[CATALOGUE.by_name[table].columns[index].type], lambda _: random.randint(0, 3), 0.3
    )
    text = CoqText()
    try:
        query = text.node(Elaboration().query(statement.query))
        expected = rows(rows_of(statement.query, given))
    except (FragmentError, QueryFailure, Undetermined):
        return None
    if "(Call " in query:  # of functions by name Coq knows no values
        return None
    tables = tuple(node("rows", name, rows(content)) for name, content in given.items())
    return query, text.argument(tables), text.argument(expected)


def test_random_queries_mean_in_coq_what_they_mean_in_python(development):
    cases = []
    for seed in range(100 * QUERIES):
        case = drawn(seed)
        if case is not None:
            cases.append((seed, *case))
        if len(cases) == QUERIES:
            break
    words = {word for _, text, _, _ in cases for word in re.findall(r"[A-Z]\w+", text)}
    assert set(CONSTRUCTORS.split()) - words == set()
    lines = [
        "From Tallystick.core Require Import Differ.",
        "Open Scope string_scope. Open Scope nat_scope.",
        "Definition same_bag (a b : list row) :=",
        "  forallb (fun r => Nat.eqb (count_occ row_eq_dec a r) (count_occ row_eq_dec b r)) (a ++ b).",
    ]
    for seed, text, given, expected in cases:
        lines.append(f"Definition q{seed} := same_bag (answer (world_of {given}) [] {text}) {expected}.")
    lines.append(f"Eval vm_compute in {listed(f'q{seed}' for seed, *_ in cases)}.")
    done = compiled("\n".join(lines), seconds=600)
    assert done.returncode == 0, done.stderr
    answers = re.findall(r"\b(true|false)\b", done.stdout)
    assert len(answers) == len(cases)
    assert [case for case, answer in zip(cases, answers, strict=True) if answer == "false"] == []
