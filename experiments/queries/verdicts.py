"""Verdicts about random pairs of queries against brute force: both queries on many random databases.

A pair is a random query and a rewriting of it, which is equivalent; or a near miss or mutation, which may be
equivalent or not. A verdict is *wrong* if what is proved differs on a database, or if a rewriting is refuted; a crash
counts as wrong, too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from random import Random
from traceback import print_exc
from typing import Final, Literal

from tallystick.core.errors import EvaluationError, SortError
from tallystick.core.queries.catalogue import Catalogue, Column, Database, ForeignKey, Table
from tallystick.core.queries.expressions import Comparison, Reference
from tallystick.core.queries.expressions import Literal as Constant
from tallystick.core.queries.interpreter.evaluation import interpreter
from tallystick.core.queries.syntax import Query, Statement
from tallystick.core.queries.types import BOOLEAN, DATE, DECIMAL, INTEGER, TEXT
from tallystick.decision.queries.counterexamples.databases import RandomDatabases
from tallystick.decision.queries.counterexamples.draws import Draws
from tallystick.decision.queries.counterexamples.search import DistinguishingDatabase, find
from tallystick.decision.queries.deciding import ProofLimits, Proved, decide
from tallystick.experiments.queries.near_misses import near_miss
from tallystick.experiments.queries.random_queries import POOLS, Options, RandomQueries
from tallystick.experiments.queries.rewritings import mutated, rewritten

Origin = Literal["rewritten", "near miss", "mutated"]
Answer = Literal["proved", "refuted", "unknown", "crashed"]
STEPS: Final = 20_000
"""Of the interpreter, for a query on a database of brute force."""

_A, _B, _C = Column("a", INTEGER, nullable=False), Column("b", INTEGER), Column("c", TEXT)
_X, _D, _E, _F = Column("x", INTEGER), Column("d", DECIMAL), Column("e", DATE), Column("f", BOOLEAN)
_POSITIVE = Comparison(">", Reference(0, 1, INTEGER, True), Constant(0, INTEGER))
CATALOGUES: Final = (
    Catalogue((Table("t", (_A, _B, _C)), Table("s", (_X, _D, _E, _F)))),
    Catalogue((Table("t", (_A, _B, _C), ((0,),)), Table("s", (_X, _D, _E, _F), (), (ForeignKey((0,), "t", (0,)),)))),
    Catalogue((Table("t", (_A, _B, _C), ((1,), (0, 2))), Table("s", (_X, _D, _E, _F), ((0,),)))),
    Catalogue(
        (
            Table("t", (_A, _B), ((0,),), (), (_POSITIVE,)),
            Table("s", (Column("x", INTEGER, nullable=False), _B, _F), (), (ForeignKey((0,), "t", (0,)),)),
        )
    ),
)
"""Without constraints; with a key and a foreign key that may be NULL; with a key that may be NULL and one of two
columns; with a check and a foreign key that is NOT NULL."""


@dataclass(frozen=True)
class RandomPair:
    """A pair of statements over a catalogue, and where it comes from."""

    seed: int
    origin: Origin
    catalogue: Catalogue
    left: Statement
    right: Statement


@dataclass
class Tally:
    """What became of random pairs.

    Attributes:
        verdicts: how many pairs of an origin got an answer.
        databases: on how many databases brute force compared what was proved.
        wrong: the wrong verdicts, with the database where there is one.
    """

    verdicts: Counter[tuple[Origin, Answer]] = field(default_factory=Counter)
    databases: int = 0
    wrong: list[tuple[RandomPair, Answer, Database | None]] = field(default_factory=list)

    @property
    def pairs(self) -> int:
        """How many there were."""
        return self.verdicts.total()


def random_pair(seed: int) -> RandomPair | None:
    """The pair of a seed; None where nothing was changed."""
    random = Random(seed)
    catalogue = random.choice(CATALOGUES)
    query = RandomQueries(catalogue, random, Options()).query(random.choice((1, 2, 2, 3)), ())
    origin: Origin = random.choice(("rewritten", "near miss", "near miss", "mutated"))
    try:
        if origin == "rewritten":
            other = rewritten(query, random, 8)
        else:
            other = near_miss(query, catalogue, random) if origin == "near miss" else mutated(query, random)
    except SortError:  # a change that the types around it do not permit
        return None
    if other is None or other == query or not query.columns:
        return None
    return RandomPair(seed, origin, catalogue, _statement(query), _statement(other))


def random_pairs(seeds: Iterable[int]) -> Iterator[RandomPair]:
    """The pairs of some seeds."""
    return (pair for pair in map(random_pair, seeds) if pair is not None)


def _statement(query: Query) -> Statement:
    return Statement(query, tuple(f"x{index}" for index in range(len(query.columns))))


def examine(pairs: Iterable[RandomPair], seconds: float, databases: int) -> Tally:
    """The verdicts about pairs, each proved one compared with brute force on so many databases."""
    tally = Tally()
    for pair in pairs:
        answer = _answer(pair, seconds)
        tally.verdicts[pair.origin, answer] += 1
        differing = None
        if answer == "proved":
            tried, differing = brute_force(pair, databases)
            tally.databases += tried
        if differing is not None or answer == "crashed" or (answer == "refuted" and pair.origin == "rewritten"):
            tally.wrong.append((pair, answer, differing))
    return tally


def _answer(pair: RandomPair, seconds: float) -> Answer:
    try:
        answer = decide(pair.left, pair.right, pair.catalogue, ProofLimits(seconds=seconds))
        if isinstance(answer, Proved):
            return "proved"
        found = find(pair.left, pair.right, pair.catalogue, seconds / 10, pair.seed, answer.branches)
    except Exception:  # a defect; the other pairs are examined all the same
        print_exc()
        return "crashed"
    return "refuted" if isinstance(found, DistinguishingDatabase) else "unknown"


def brute_force(pair: RandomPair, databases: int) -> tuple[int, Database | None]:
    """On how many databases both statements have a result, and the first on which the results differ.

    Databases are drawn from the constants of the queries, and every second from a few small values.
    """
    left, right = interpreter(pair.left, STEPS), interpreter(pair.right, STEPS)
    draws = Draws((pair.left.query, pair.right.query), pair.catalogue, pair.seed)
    random = Random(pair.seed)
    small = RandomDatabases(pair.catalogue, random)
    tried = 0
    for number in range(databases):
        if number % 2:
            drawn = draws.draw(number)
            database = {table.name: drawn.get(table.name, ()) for table in pair.catalogue.tables}
        else:
            database = small.draw(
                lambda name, index: POOLS[pair.catalogue.by_name[name].columns[index].type],
                lambda table: random.randint(0, 4),
                random.choice((0.0, 0.3, 0.6)),
            )
        try:
            same = left(database).may_equal(right(database))
        except EvaluationError:
            continue
        tried += 1
        if not same:
            return tried, database
    return tried, None
