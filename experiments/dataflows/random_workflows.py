"""Random workflows with random edits, and their verdicts against brute force on random inputs.

    python -m tallystick.experiments.dataflows.random_workflows 2000

reads each as lists, as bags or as sets, in turn, and ends with status 1 if a verdict is wrong.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from random import Random

from tallystick.core.dataflows.workflow import Opaque, Wire, visible
from tallystick.core.errors import EvaluationError, FragmentError, SortError
from tallystick.core.queries.assumptions import Assumption
from tallystick.core.queries.catalogue import Catalogue, Column, Database, Table
from tallystick.core.queries.interpreter.evaluation import evaluate
from tallystick.core.queries.interpreter.outcomes import Outcome
from tallystick.core.queries.syntax import Distinct, Statement
from tallystick.dataflow.comparing import compared
from tallystick.dataflow.pair import Pair
from tallystick.dataflow.sweep.simulation import hashed
from tallystick.dataflow.sweep.sweeping import SweepLimits
from tallystick.dataflow.verdict import Change, DataflowVerdict
from tallystick.decision.queries.counterexamples.draws import Draws
from tallystick.experiments.queries.random_queries import Options, RandomQueries
from tallystick.experiments.queries.rewritings import mutated, rewritten
from tallystick.experiments.queries.verdicts import CATALOGUES
from tallystick.frontends.sql.dialects import SPARK

LIMITS = SweepLimits(inputs=12, seconds=0.5, searching=0.2)


@dataclass
class Tally:
    """How many wires got an answer, whether they were edited, and the seeds and names of wrong ones."""

    answers: Counter[str] = field(default_factory=Counter)
    compared: int = 0
    wrong: list[tuple[int, str, str]] = field(default_factory=list)


READINGS = ("list", "bag", "set")


def random_pair(seed: int, reading: str = "list") -> Pair:
    """Three to six wires over a catalogue, some of them opaque, some with an order, mostly several results; and a
    version with edits. Results that are read as sets are wires without duplicates behind them."""
    random = Random(seed)
    catalogue = random.choice(CATALOGUES)
    old: list[Wire] = []
    for number in range(random.randint(3, 6)):
        tables = (*catalogue.tables, *(Table(wire.name, _columns(wire.operator)) for wire in old))
        old.append(_wire(f"w{number}", Catalogue(tables), random, old))
    new = list(old)
    for _ in range(random.randint(1, 3)):
        place = random.randrange(len(new))
        new[place] = _edited(new[place], random)
    if reading == "set":
        old, new = ([*flow, *_as_sets(flow)] for flow in (old, new))
    everything = frozenset(Assumption)
    texts = {"old": {}, "new": {}}
    ordered = reading == "list"
    return Pair(catalogue, tuple(old), tuple(new), "spark", SPARK.switches, (), everything, texts, texts, ordered)


def _as_sets(flow: list[Wire]) -> list[Wire]:
    """Each result without duplicates."""
    read = {name for wire in flow for name in wire.reads}
    results = [wire for wire in flow if wire.name not in read]
    return [
        Wire(Table(f"{wire.name} as a set", wire.table.columns), Statement(Distinct(wire.scan()), _names(wire)))
        for wire in results
    ]


def _names(wire: Wire) -> tuple[str, ...]:
    return tuple(column.name for column in wire.table.columns)


def _columns(operator: Statement | Opaque) -> tuple[Column, ...]:
    return tuple(Column(f"x{i}", column.type, column.nullable) for i, column in enumerate(operator.columns))


def _wire(name: str, catalogue: Catalogue, random: Random, earlier: list[Wire]) -> Wire:
    operator: Statement | Opaque = RandomQueries(catalogue, random, Options(windows=False)).statement(1)
    if earlier and random.random() < 0.2:
        reads = random.choice(earlier)
        operator = Opaque(random.choice("fg"), (reads.name,), reads.operator.columns, random.random() < 0.6)
    return Wire(Table(name, _columns(operator)), operator)


def _edited(wire: Wire, random: Random) -> Wire:
    """The wire with another operator of equal columns; the same if none is found."""
    if isinstance(wire.operator, Opaque):
        return wire
    try:
        query = wire.operator.query
        other = rewritten(query, random, 4) if random.random() < 0.6 else mutated(query, random)
        if other is None or other.columns != query.columns:
            return wire
        return Wire(wire.table, Statement(other, wire.operator.names, wire.operator.order))
    except SortError:
        return wire


def examine(seeds: Iterable[int], databases: int) -> Tally:
    """The verdicts about the pairs of some seeds, compared with what both versions hold on random databases."""
    tally = Tally()
    for seed in seeds:
        pair = random_pair(seed, READINGS[seed % 3])
        verdict = compared(pair, limits=LIMITS)
        for wire in verdict.wires:
            tally.answers[f"{'edited' if wire.edited else 'kept'} {wire.change}"] += 1
        tally.wrong += [(seed, *each) for each in _wrong(pair, verdict, seed, databases, tally)]
    return tally


def _wrong(pair: Pair, verdict: DataflowVerdict, seed: int, databases: int, tally: Tally) -> Iterable[tuple[str, str]]:
    for wire in verdict.wires:
        if wire.difference is not None:
            old, new = (held(pair, version, wire.difference.database).get(wire.name) for version in ("old", "new"))
            if old is None or new is None or old.may_equal(new):
                yield wire.name, "changed"
    queries = [wire.operator.query for wire in (*pair.old, *pair.new) if isinstance(wire.operator, Statement)]
    draws = Draws(queries, pair.catalogue, seed)
    none = {table.name: () for table in pair.catalogue.tables}
    for number in range(databases):
        database = {**none, **draws.draw(number)}
        old, new = (held(pair, version, database) for version in ("old", "new"))
        for wire in verdict.wires:
            if wire.change is Change.UNCHANGED and wire.name in old and wire.name in new:
                tally.compared += 1
                if not old[wire.name].may_equal(new[wire.name]):
                    yield wire.name, "unchanged"


def held(pair: Pair, version: str, database: Database) -> dict[str, Outcome]:
    """What each wire of a version holds, where it is determined."""
    rows, found = dict(database), {}
    for wire in pair.old if version == "old" else pair.new:
        if all(name in rows for name in wire.reads):
            try:
                if isinstance(wire.operator, Opaque):
                    found[wire.name] = hashed(wire.operator, wire.name, rows)
                else:
                    bag = Statement(visible(wire.operator), wire.operator.names)
                    found[wire.name] = evaluate(wire.operator if pair.ordered else bag, rows, 200_000)
            except (EvaluationError, FragmentError):
                continue
            rows[wire.name] = found[wire.name].rows
    return found


def main(number: int, databases: int = 30) -> int:
    """Prints what came of so many pairs; 1 if a verdict is wrong, else 0."""
    tally = Tally()
    for seed in range(number):
        one = examine([seed], databases)
        tally.answers += one.answers
        tally.compared += one.compared
        tally.wrong += one.wrong
        for each in one.wrong:
            print(f"wrong: pair {each[0]}, wire {each[1]}, {each[2]}", flush=True)
        if (seed + 1) % 100 == 0 or seed + 1 == number:
            print(f"{seed + 1} pairs, {tally.compared} comparisons, {len(tally.wrong)} wrong", flush=True)
    for answer, times in sorted(tally.answers.items()):
        print(f"  {answer}: {times}")
    return 1 if tally.wrong else 0


if __name__ == "__main__":
    raise SystemExit(main(int(sys.argv[1])))
