"""What `coq/queries/Meaning.v` says that queries return is what the reference interpreter returns, on random ones."""

import re
from random import Random

from tallystick.certificates.exports.auditors import compiled
from tallystick.certificates.exports.coq_evidence import listed
from tallystick.certificates.exports.coq_sql import query, quoted, value
from tallystick.core.errors import FragmentError
from tallystick.core.queries.catalogue import Catalogue, Column, Database, Table
from tallystick.core.queries.interpreter.evaluation import rows_of
from tallystick.core.queries.interpreter.running import QueryFailure
from tallystick.core.queries.types import BOOLEAN, DATE, INTEGER, TEXT, SqlRow
from tallystick.decision.queries.counterexamples.databases import RandomDatabases
from tallystick.experiments.queries.random_queries import POOLS, Options, RandomQueries

CATALOGUE = Catalogue(
    (
        Table("t", (Column("a", INTEGER, nullable=False), Column("b", INTEGER), Column("c", TEXT))),
        Table("s", (Column("x", INTEGER), Column("e", DATE), Column("f", BOOLEAN))),
    )
)
OPTIONS = Options(lateral=False, windows=False, limits=False, division=False, types=(INTEGER, TEXT, BOOLEAN, DATE))
CONSTRUCTORS = (
    "Where Select Join LeftJoin SemiJoin UnionAll ExceptAll Among Distinct GroupBy Total Rows ForSome TheValue Negated "
    "Both Either IsNull When Compare Plus Times Count Sum Least Greatest"
)
QUERIES = 250


def rows(of: list[SqlRow] | tuple[SqlRow, ...]) -> str:
    return listed(listed(value(each).text for each in row) for row in of)


def database(of: Database) -> str:
    given = listed(f"({quoted(name)}, {rows(content)})" for name, content in of.items())
    return f"(database_of {given})"


def drawn(seed: int) -> tuple[str, str, str] | None:
    """A query in Coq, a database, and the rows that the interpreter returns; None for what Coq does not have."""
    random = Random(seed)
    statement = RandomQueries(CATALOGUE, random, OPTIONS).statement(random.choice((1, 2, 3)))
    draw = RandomDatabases(CATALOGUE, random).draw
    given = draw(
        lambda table, index: POOLS[CATALOGUE.by_name[table].columns[index].type], lambda _: random.randint(0, 3), 0.3
    )
    try:
        return query(statement.query).text, database(given), rows(rows_of(statement.query, given))
    except (FragmentError, QueryFailure):
        return None


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
        "From Tallystick.queries Require Import Sound Meaning.",
        "Open Scope string_scope. Open Scope Z_scope.",
        "Definition same_bag (a b : list row) :=",
        "  forallb (fun r => Nat.eqb (occurrences a r) (occurrences b r)) (a ++ b).",
    ]
    for seed, text, given, expected in cases:
        lines.append(f"Definition q{seed} := same_bag (answer {given} [] {text}) {expected}.")
    lines.append(f"Eval vm_compute in {listed(f'q{seed}' for seed, *_ in cases)}.")
    done = compiled("\n".join(lines), seconds=600)
    assert done.returncode == 0, done.stderr
    answers = re.findall(r"\b(true|false)\b", done.stdout)
    assert len(answers) == len(cases)
    assert [case for case, answer in zip(cases, answers, strict=True) if answer == "false"] == []
