"""Databases on which two statements differ, by solving: rows and cells are unknown, sizes grow.

For each size, z3 is asked for tables of at most so many rows that satisfy the catalogue and give the two statements
different bags, or, where both have an order, different lists. What it finds is not believed: the caller evaluates it.
That there is none of a size says nothing that counts either: functions are tables over a few values, and texts are
those of a pool.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

import z3
from tallystick.core.clock import clock
from tallystick.core.queries.catalogue import Catalogue, Database
from tallystick.core.queries.syntax import Statement
from tallystick.core.queries.types import SqlType
from tallystick.decision.queries.counterexamples.pools import Constants
from tallystick.decision.queries.counterexamples.symbolic.cells import (
    NoEncodingError,
    Rows,
    SymbolicRow,
    Truth,
    both,
    conj,
    counted,
    disj,
    neg,
    same_rows,
)
from tallystick.decision.queries.counterexamples.symbolic.databases import Unknowns
from tallystick.decision.queries.counterexamples.symbolic.expressions import Expressions
from tallystick.decision.queries.counterexamples.symbolic.orders import Ordered
from tallystick.decision.queries.counterexamples.symbolic.queries import Queries, TooLargeError
from tallystick.decision.queries.counterexamples.symbolic.texts import Functions, Texts
from tallystick.decision.queries.time_limits import OutOfTimeError, until

SIZES: Final = (1, 2, 3)
"""The most rows of all tables, one after the other."""
LONG: Final = (5, 9)
"""The most rows of one table where the others have one: for conditions on large groups."""
MOST_ROWS: Final = 1500
"""Rows of all nodes of both queries together; for larger ones, the sizes end."""
RESOURCES: Final = 2_000_000
"""Of z3's own units, for each size at most, and for each second that is left: about a second of a processor."""
MOST_TRIES: Final = 3
"""Models of a size that the interpreter may reject before the next size."""


def solved(
    statements: tuple[Statement, Statement],
    catalogue: Catalogue,
    constants: Constants,
    differ: Callable[[Database], bool],
    deadline: float,
) -> tuple[Database | None, str]:
    """A database on which the statements differ, or None; and how far the search went.

    Args:
        differ: whether they do, by the reference interpreter.
        deadline: of `core.clock`.
    """
    told = "z3 was not asked"
    for sizes, described in _shapes(catalogue):
        if clock() >= deadline:
            return None, told
        try:
            with until(deadline):
                problem = Problem(statements, catalogue, constants, sizes)
        except TooLargeError:
            continue
        except OutOfTimeError:
            return None, f"{told}, and the formula for {described} takes too long to write"
        except NoEncodingError as error:
            return None, f"z3 is not asked: unknown rows do not go with {error}"
        for database in problem.databases(deadline):
            if differ(database):
                return database, told
        if problem.gave_up:
            told = f"z3 gives up at {described}"
        elif "gives up" not in told:
            told = f"z3 finds none of {described}"
    return None, told


def _shapes(catalogue: Catalogue) -> Iterator[tuple[Mapping[str, int], str]]:
    """How many rows tables have at most: the same number, or one table more than the others."""
    names = [table.name for table in catalogue.tables]
    for size in SIZES:
        yield dict.fromkeys(names, size), f"up to {size} rows a table"
    for long in LONG:
        for name in names:
            yield {**dict.fromkeys(names, 1), name: long}, f"up to {long} rows of {name}"


class Problem:
    """The formula that two statements differ on tables of at most so many rows."""

    def __init__(
        self,
        statements: tuple[Statement, Statement],
        catalogue: Catalogue,
        constants: Constants,
        sizes: Mapping[str, int],
    ) -> None:
        left, right = statements
        functions = Functions(constants, Texts())
        for text in sorted(constants.pool(SqlType.TEXT)):  # type: ignore[type-var]
            functions.texts.number(text)
        self.unknowns = Unknowns(catalogue, sizes, functions)
        queries = Queries(self.unknowns.tables, functions, MOST_ROWS)
        expressions = queries.expressions
        rows = [queries.rows(side.query) for side in statements]
        visible = [_visible(*pair) for pair in zip(rows, statements, strict=True)]
        truths = [_bags_differ(*visible)]
        if left.order and right.order:
            both_ = zip(statements, rows, visible, strict=True)
            lists = [_list(side, part, seen, expressions) for side, part, seen in both_]
            truths.append(_lists_differ(*lists))
        self.formulas = [*self.unknowns.constraints(expressions), *expressions.asked, disj(truths)]
        self.gave_up = False

    def databases(self, deadline: float) -> Iterator[Database]:
        """The databases of a few models, each unlike those before."""
        solver = z3.SimpleSolver()  # quick on these formulas; the default one is often a hundred times slower
        solver.set("ctrl_c", False)
        for formula in self.formulas:
            if formula is False:
                return
            if formula is not True:
                solver.add(formula)
        for _ in range(MOST_TRIES):
            left = deadline - clock()
            if left <= 0:
                self.gave_up = True
                return
            solver.set("rlimit", max(1, int(RESOURCES * min(1.0, left))))
            answer = solver.check()
            if answer != z3.sat:
                self.gave_up = answer == z3.unknown
                return
            model = solver.model()
            yield self.unknowns.database(model)
            solver.add(self._unlike(model))

    def _unlike(self, model: Any) -> Any:
        """That the shape of a database is another: which rows are there, and where NULL is."""
        truths = [row.present for rows in self.unknowns.tables.values() for row in rows]
        truths += [
            cell.null
            for rows in self.unknowns.tables.values()
            for row in rows
            for cell in row.cells
            if cell.null is not False
        ]
        return z3.Or([each != model.eval(each, True) for each in truths])


def _visible(rows: Rows, side: Statement) -> Rows:
    return [SymbolicRow(row.present, row.cells[: len(side.names)]) for row in rows]


def _bags_differ(left: Rows, right: Rows) -> Truth:
    """Whether some row is more often in one than in the other."""
    found: list[Truth] = []
    for number, row in enumerate((*left, *right)):
        earlier = left[:number] if number < len(left) else (*left, *right[: number - len(left)])
        first = neg(disj(both(other.present, same_rows(row.cells, other.cells)) for other in earlier))
        times = [
            counted(both(other.present, same_rows(row.cells, other.cells)) for other in side) for side in (left, right)
        ]
        found.append(conj((row.present, first, times[0] != times[1])))
    return disj(found)


def _list(side: Statement, rows: Rows, visible: Rows, expressions: Expressions) -> tuple[Rows, Ordered]:
    keys = [tuple(expressions.cell(key.expression, (row.cells,)) for key in side.order) for row in rows]
    ordered = Ordered(side.order, [row.present for row in rows], keys, [row.cells for row in visible])
    return visible, ordered


def _lists_differ(left: tuple[Rows, Ordered], right: tuple[Rows, Ordered]) -> Truth:
    """Whether two lists without ties of different rows have different rows at one place."""
    places = [ordered.places() for _, ordered in (left, right)]
    found = [
        conj((row.present, other.present, places[0][i] == places[1][j], neg(same_rows(row.cells, other.cells))))
        for i, row in enumerate(left[0])
        for j, other in enumerate(right[0])
    ]
    return conj((left[1].ties_are_same(), right[1].ties_are_same(), disj(found)))
