"""Random legal inputs, and the search for one on which two wires differ."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from itertools import count

from tallystick.certificates.dataflows.kernel import Composition
from tallystick.certificates.dataflows.proofs import Place
from tallystick.core.clock import clock
from tallystick.core.dataflows.workflow import Opaque, visible
from tallystick.core.errors import FragmentError
from tallystick.core.queries.catalogue import Database
from tallystick.core.queries.interpreter.constraints import constraints
from tallystick.core.queries.interpreter.outcomes import Outcome
from tallystick.core.queries.syntax import Query, Statement
from tallystick.dataflow.pair import Pair
from tallystick.dataflow.sweep.legal import Legality, likely
from tallystick.dataflow.sweep.simulation import Simulation, Values
from tallystick.dataflow.verdict import Difference
from tallystick.decision.queries.counterexamples.draws import Draws
from tallystick.decision.queries.counterexamples.minimal import minimal

MINIMAL_SECONDS = 2.0
"""Seconds for making a difference smaller."""
AT_RANDOM_FIRST = 0.1
"""Seconds for random databases before z3 is asked."""
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
        draws = self.draws(self.pair.wires, 0)
        known = len(self.known)
        self.keep(self.none)
        for tried in range(number * TRIES):
            if len(self.known) > number + known:
                return
            self.keep({**self.none, **draws.draw(tried)})

    def keep(self, database: Database) -> None:
        """Keeps a database if it is legal."""
        values = self.simulation.values(database)
        if self.legal(database, values):
            self.known.append((database, values))

    def draws(self, places: Collection[Place], seed: int) -> Draws:
        """Random databases for what fills some wires."""
        return Draws(tuple(self.queries(places)), self.likely, seed)

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
        if any(self.simulation.is_unknown(place) for place in cone):
            return None
        of, draws, tried = cone | self.legal.wanted, self.draws((old, new), seed), count()

        def holds(database: Database) -> bool:
            if not differ(self.simulation.values(database, cone), old, new, columns):
                return False
            values = self.simulation.values(database, of)
            return self.legal(database, values) and differ(values, old, new, columns)

        def at_random(until: float) -> Database | None:
            while clock() < until:
                database = {**self.none, **draws.draw(next(tried))}
                if holds(database):
                    return database
            return None

        start = clock()
        found = at_random(start + min(seconds, AT_RANDOM_FIRST))
        if found is None and seconds > AT_RANDOM_FIRST:
            found = self.solved(old, new, draws, holds, start + 0.8 * seconds)
        found = at_random(start + seconds) if found is None else found
        if found is None:
            return None
        return self.minimal(found, old, new, columns)

    def solved(
        self, old: Place, new: Place, draws: Draws, holds: Callable[[Database], bool], deadline: float
    ) -> Database | None:
        """A database that z3 finds, if it is installed, and only queries are between two wires and the sources."""
        try:
            from tallystick.decision.queries.counterexamples.symbolic.solving import solved
        except ModuleNotFoundError:
            return None
        if any(isinstance(self.pair.wires[place].operator, Opaque) for place in self.simulation.upstream(old, new)):
            return None
        sides = [next(iter(self.queries((place,)))) for place in (old, new)]
        statements = tuple(Statement(side, tuple(f"c{i}" for i in range(len(side.columns)))) for side in sides)

        def whole(database: Database) -> bool:
            return holds({**self.none, **database})

        try:
            found, _ = solved((statements[0], statements[1]), draws.catalogue, draws.constants, whole, deadline)
        except FragmentError:
            return None
        return None if found is None else {**self.none, **found}

    def minimal(self, database: Database, old: Place, new: Place, columns: tuple[int, ...]) -> Difference:
        """The difference on a database that is as small as possible, which is kept, to be tried first."""
        of = self.simulation.upstream(old, new) | self.legal.wanted

        def holds(smaller: Database) -> bool:
            values = self.simulation.values(smaller, of)
            return differ(values, old, new, columns) and self.legal(smaller, values)

        cleared = self._without_others(database, holds)
        catalogue = self.pair.catalogue
        small = minimal(cleared, holds, constraints(catalogue), catalogue, clock() + MINIMAL_SECONDS)
        if all(small != database for database, _ in self.known):
            self.known.insert(0, (small, self.simulation.values(small)))
        values = self.simulation.values(small, of)
        called = (
            {self.simulation.function_of(place) for place in values.called & of} if values.called & {old, new} else ()
        )
        functions = tuple(sorted(name for name in called if name is not None))
        return Difference(small, values.outcomes[old], values.outcomes[new], functions)

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
