"""Random legal inputs, and the search for one on which two wires differ."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from time import thread_time

from tallystick.certificates.dataflows.kernel import Composition
from tallystick.certificates.dataflows.proofs import Place
from tallystick.core.dataflows.workflow import Opaque, visible
from tallystick.core.queries.catalogue import Database
from tallystick.core.queries.interpreter.constraints import constraints
from tallystick.core.queries.interpreter.outcomes import Outcome
from tallystick.core.queries.syntax import Query
from tallystick.dataflow.pair import Pair
from tallystick.dataflow.sweep.legal import Legality, likely
from tallystick.dataflow.sweep.simulation import Simulation, Values
from tallystick.dataflow.verdict import Difference
from tallystick.decision.queries.counterexamples.draws import Draws
from tallystick.decision.queries.counterexamples.minimal import minimal

MINIMAL_SECONDS = 2.0
"""Seconds for making a difference smaller."""
TRIES = 20
"""Databases that are drawn for one that is wanted."""


class Inputs:
    """Legal databases for a pair.

    Attributes:
        known: databases that were kept, with what all wires hold on them.
    """

    def __init__(self, pair: Pair, composition: Composition) -> None:
        self.pair, self.composition = pair, composition
        self.simulation = Simulation(pair)
        self.legal = Legality(pair, self.simulation)
        self.likely = likely(pair)
        self.none: Database = {table.name: () for table in pair.catalogue.tables}
        self.known: list[tuple[Database, Values]] = []

    def fill(self, number: int) -> None:
        """Keeps the empty database and some random ones, besides those that are known."""
        draws = Draws(tuple(self.queries(self.pair.wires)), self.likely, 0)
        known = len(self.known)
        self.keep(self.none)
        for count in range(number * TRIES):
            if len(self.known) > number + known:
                return
            self.keep({**self.none, **draws.draw(count)})

    def keep(self, database: Database) -> None:
        """Keeps a database if it is legal."""
        values = self.simulation.values(database)
        if self.legal(database, values):
            self.known.append((database, values))

    def queries(self, places: Collection[Place]) -> Iterator[Query]:
        """What fills wires, down to the sources and to opaque operators."""
        opaque = frozenset(p for p, wire in self.composition.wires.items() if isinstance(wire.operator, Opaque))
        for version in ("old", "new"):
            unfold = self.composition.substitution(version, opaque)
            for place in places:
                operator = self.composition.wires[place].operator
                if place[0] == version and not isinstance(operator, Opaque):
                    yield unfold(visible(operator))

    def difference(self, old: Place, new: Place, columns: tuple[int, ...]) -> Difference | None:
        """A difference on a known database that hangs on no hash: column i of the old wire is columns[i] of the new."""
        for database, values in self.known:
            if differ(values, old, new, columns) and not values.stubbed & {old, new}:
                return self.minimal(database, old, new, columns)
        return None

    def suggested(self, old: Place, new: Place, columns: tuple[int, ...]) -> bool:
        """Whether two wires differ on a known database, on a hash or not."""
        return any(differ(values, old, new, columns) for _, values in self.known)

    def agree(self, old: Place, new: Place, columns: tuple[int, ...]) -> bool:
        """Whether two wires hold the same wherever it is known, and hold rows somewhere."""
        rows = [len(values.outcomes[old].rows) for _, values in self.known if old in values.outcomes]
        return any(rows) and not self.suggested(old, new, columns)

    def search(self, old: Place, new: Place, columns: tuple[int, ...], seconds: float, seed: int) -> Difference | None:
        """A difference on a random database of what two wires hang on; what is found is kept for other wires, too."""
        cone = self.simulation.upstream(old, new)
        opaque = [place for place in cone if isinstance(self.pair.wires[place].operator, Opaque)]
        if opaque:
            return None
        draws = Draws(tuple(self.queries((old, new))), self.likely, seed)
        of, deadline, count = cone | self.legal.wanted, thread_time() + seconds, 0
        while thread_time() < deadline:
            database = {**self.none, **draws.draw(count)}
            count += 1
            if differ(self.simulation.values(database, cone), old, new, columns):
                values = self.simulation.values(database, of)
                if self.legal(database, values) and differ(values, old, new, columns):
                    self.keep(database)
                    return self.minimal(database, old, new, columns)
        return None

    def minimal(self, database: Database, old: Place, new: Place, columns: tuple[int, ...]) -> Difference:
        """The difference on a database that is as small as possible."""
        of = self.simulation.upstream(old, new) | self.legal.wanted

        def holds(smaller: Database) -> bool:
            values = self.simulation.values(smaller, of)
            return differ(values, old, new, columns) and self.legal(smaller, values)

        cleared = self._without_others(database, holds)
        catalogue = self.pair.catalogue
        small = minimal(cleared, holds, constraints(catalogue), catalogue, thread_time() + MINIMAL_SECONDS)
        values = self.simulation.values(small, of)
        return Difference(small, values.outcomes[old], values.outcomes[new])

    def _without_others(self, database: Database, holds: Callable[[Database], bool]) -> Database:
        """The database without the rows of tables that do not matter, one table after the other."""
        for table in self.pair.catalogue.tables:
            smaller = {**database, table.name: ()}
            if database[table.name] and holds(smaller):
                database = smaller
        return database


def differ(values: Values, old: Place, new: Place, columns: tuple[int, ...]) -> bool:
    """Whether two wires surely hold different rows."""
    one, other = values.outcomes.get(old), values.outcomes.get(new)
    if one is None or other is None:
        return False
    if columns == tuple(range(len(columns))):
        return not one.may_equal(other)
    turned = tuple(tuple(row[i] for i in columns) for row in other.rows)
    return not Outcome((one.rows,) if one.rows else ()).may_equal(Outcome((turned,) if turned else ()))
