"""What wires hold on a database: rows of statements by the reference interpreter, of opaque operators by the functions
of the user's that are given, or by a hash. What is seen through a hash only suggests that wires differ, see
`Values.stubbed`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field

from tallystick.certificates.dataflows.proofs import Place
from tallystick.core.dataflows.workflow import Opaque, Wire, visible
from tallystick.core.errors import EvaluationError, FragmentError
from tallystick.core.queries.catalogue import Database
from tallystick.core.queries.interpreter.evaluation import interpreter
from tallystick.core.queries.interpreter.outcomes import Outcome
from tallystick.core.queries.syntax import Statement
from tallystick.core.queries.types import SqlRow
from tallystick.dataflow.pair import Pair
from tallystick.dataflow.sweep.functions import Functions, RowFunction, call, checked, hashed_rows, row_function
from tallystick.frontends.workflows.functions import OPAQUE_PREFIX

STEP_LIMIT = 200_000
"""Steps of the interpreter for one wire on one database."""


@dataclass
class Values:
    """What the wires of both versions hold on a database.

    Attributes:
        outcomes: of the wires whose rows are determined.
        stubbed: the wires whose rows hang on a hash.
        called: the wires whose rows hang on a function of the user's that was given, and called.
    """

    outcomes: dict[Place, Outcome] = field(default_factory=dict)
    stubbed: set[Place] = field(default_factory=set)
    called: set[Place] = field(default_factory=set)

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
        self.by_rows: dict[Place, RowFunction] = {}
        for place, wire in pair.wires.items():
            if isinstance(wire.operator, Statement):
                by_rows = row_function(wire.operator.query)
                if by_rows is not None:
                    self.by_rows[place] = by_rows
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
        try:
            outcome = self.outcome(place, wire.operator, wire.name, rows)
        except EvaluationError:
            return
        if outcome is None:
            return
        function = self.function_of(place)
        inputs = [(place[0], name) for name in wire.reads]
        if any(each in found.stubbed for each in inputs) or self.is_unknown(place):
            found.stubbed.add(place)
        if any(each in found.called for each in inputs) or (function is not None and self.is_given(place)):
            found.called.add(place)
        found.outcomes[place] = outcome
        rows[wire.name] = outcome.rows

    def outcome(
        self, place: Place, operator: Statement | Opaque, name: str, rows: Mapping[str, tuple[SqlRow, ...]]
    ) -> Outcome | None:
        """What an operator makes of rows; None where nothing says it. Raises EvaluationError where it fails."""
        if isinstance(operator, Opaque):
            if self.is_given(place):
                return returned(operator, self.function_of(place) or "", self.pair.functions, rows)
            return hashed(operator, name, rows)
        if place in self.by_rows:
            by_rows = self.by_rows[place]
            if not by_rows.table or self.is_given(place):
                made = tuple(by_rows.rows(rows[by_rows.source], self.pair.functions))
                return Outcome((made,) if made else ())
        return self.compiled[place](rows) if place in self.compiled else None

    def function_of(self, place: Place) -> str | None:
        """The function of the user's, or the unknown operator, that fills a wire; None if it is a query."""
        operator = self.pair.wires[place].operator
        if isinstance(operator, Opaque):
            return operator.function.removeprefix(OPAQUE_PREFIX)
        return self.by_rows[place].function if place in self.by_rows else None

    def is_unknown(self, place: Place) -> bool:
        """Whether what fills a wire is a function that is not given."""
        return self.function_of(place) is not None and not self.is_given(place)

    def is_given(self, place: Place) -> bool:
        """Whether the function that fills a wire is given, and repeats its rows."""
        operator = self.pair.wires[place].operator
        draws = isinstance(operator, Opaque) and not operator.repeatable
        return self.function_of(place) in self.pair.functions and not draws

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
    made = hashed_rows(operator.function, (bags, "" if operator.repeatable else name), operator.columns)
    return Outcome((made,) if made else ())


def returned(operator: Opaque, function: str, functions: Functions, rows: Mapping[str, tuple[SqlRow, ...]]) -> Outcome:
    """What a function that is given makes of the rows that an operator reads, in one order. Raises EvaluationError."""
    lists = [sorted(rows[each], key=repr) for each in operator.inputs]
    found = call(function, functions[function], lists)
    if not isinstance(found, (list, tuple)):
        raise EvaluationError(f"the function {function} returned no list of rows")
    made = tuple(checked(function, tuple(row), operator.columns) for row in found)
    return Outcome((made,) if made else ())
