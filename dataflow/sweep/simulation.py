"""What wires hold on a database: rows of statements by the reference interpreter, of opaque operators by a hash.

A hash stands for an unknown function: it gives equal rows for equal inputs. What is seen through one only suggests that
wires differ, see `Values.stubbed`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from hashlib import sha256
from random import Random

from tallystick.certificates.dataflows.proofs import Place
from tallystick.core.dataflows.workflow import Opaque, Wire, visible
from tallystick.core.errors import EvaluationError, FragmentError
from tallystick.core.queries.catalogue import Database
from tallystick.core.queries.interpreter.evaluation import interpreter
from tallystick.core.queries.interpreter.outcomes import Outcome
from tallystick.core.queries.syntax import Statement
from tallystick.core.queries.types import PYTHON_TYPES, ColumnType, SqlRow, SqlValue
from tallystick.dataflow.pair import Pair
from tallystick.decision.queries.counterexamples.pools import COMMON

STEP_LIMIT = 200_000
"""Steps of the interpreter for one wire on one database."""
MOST_ROWS = 3
"""Rows that the hash of an opaque operator gives at most."""


@dataclass
class Values:
    """What the wires of both versions hold on a database.

    Attributes:
        outcomes: of the wires whose rows are determined.
        stubbed: the wires whose rows hang on a hash.
    """

    outcomes: dict[Place, Outcome] = field(default_factory=dict)
    stubbed: set[Place] = field(default_factory=set)

    def signature(self, place: Place, columns: Collection[int] | None = None) -> Counter[SqlRow] | None:
        """The rows of a wire as a bag, with some of its columns; None if they are not determined."""
        outcome = self.outcomes.get(place)
        if outcome is None:
            return None
        if columns is None:
            return Counter(outcome.rows)
        return Counter(tuple(row[i] for i in columns) for row in outcome.rows)


class Simulation:
    """Evaluates the wires of a pair, or some of them, on databases."""

    def __init__(self, pair: Pair) -> None:
        self.pair = pair
        self.compiled: dict[Place, Callable[[Database], Outcome]] = {}
        for place, wire in pair.wires.items():
            if isinstance(wire.operator, Statement):
                try:
                    bag = Statement(visible(wire.operator), wire.operator.names)
                    ordered = pair.ordered and wire.operator.order
                    self.compiled[place] = interpreter(wire.operator if ordered else bag, STEP_LIMIT)
                except FragmentError:
                    continue

    def values(self, database: Database, of: Collection[Place] | None = None) -> Values:
        """What wires hold, each of `of` or all."""
        found = Values()
        for version in ("old", "new"):
            rows = dict(database)
            for place, wire in self.pair.wires.items():
                if place[0] == version and (of is None or place in of):
                    self.evaluate(place, wire, rows, found)
        return found

    def evaluate(self, place: Place, wire: Wire, rows: dict[str, tuple[SqlRow, ...]], found: Values) -> None:
        """Adds what a wire holds, where its inputs are known."""
        if any(name not in rows for name in wire.reads):
            return
        if isinstance(wire.operator, Opaque):
            outcome = hashed(wire.operator, wire.name, rows)
            found.stubbed.add(place)
        elif place not in self.compiled:
            return
        else:
            try:
                outcome = self.compiled[place](rows)
            except EvaluationError:
                return
            if any((place[0], name) in found.stubbed for name in wire.reads):
                found.stubbed.add(place)
        found.outcomes[place] = outcome
        rows[wire.name] = outcome.rows

    def upstream(self, *places: Place) -> set[Place]:
        """The wires that some read, directly or not, and these."""
        found, pending = set(places), list(places)
        while pending:
            version, name = pending.pop()
            inputs: set[Place] = {(version, each) for each in self.pair.wires[version, name].reads}
            new = {place for place in inputs if place in self.pair.wires} - found
            found |= new
            pending += new
        return found


def hashed(operator: Opaque, name: str, rows: Mapping[str, tuple[SqlRow, ...]]) -> Outcome:
    """Rows that are a function of the operator and of the bags that it reads; of its name, too, if it draws."""
    bags = [sorted(map(repr, rows[each])) for each in operator.inputs]
    seed = repr((operator.function, bags, operator.columns, "" if operator.repeatable else name))
    random = Random(sha256(seed.encode()).digest())
    count = random.randint(0, MOST_ROWS)
    made = tuple(tuple(_value(column, random) for column in operator.columns) for _ in range(count))
    return Outcome((made,) if made else ())


def _value(column: ColumnType, random: Random) -> SqlValue:
    if column.nullable and random.random() < 0.1:
        return None
    pool = COMMON[column.type]
    kind = PYTHON_TYPES[column.type]
    if kind is int:
        return random.randint(0, 6)
    return Fraction(random.randint(0, 6)) if kind is Fraction else random.choice(pool)
