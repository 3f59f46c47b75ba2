"""Differences replayed on a real engine: each wire as a view, and functions of the user's as rows that they returned.

Queries run as they were written where the engine is that of their dialect; else they are printed from what they were
read as. Where every wire that a function reads holds on the engine what the
interpreter says, the function was called on the rows of the engine.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from tallystick.certificates.dataflows.proofs import Place
from tallystick.core.dataflows.substitution import Substitution
from tallystick.core.dataflows.workflow import Wire, visible
from tallystick.core.errors import FragmentError
from tallystick.core.queries.catalogue import Catalogue, Column, Table
from tallystick.core.queries.interpreter.outcomes import Outcome
from tallystick.core.queries.syntax import Scan, Statement
from tallystick.core.queries.types import RowType, SqlRow
from tallystick.dataflow.pair import Pair
from tallystick.dataflow.sweep.simulation import Simulation, Values
from tallystick.dataflow.verdict import Change, DataflowVerdict, WireVerdict
from tallystick.frontends.sql.printing.databases import views
from tallystick.frontends.sql.printing.literals import name_text
from tallystick.frontends.sql.printing.queries import statement_text
from tallystick.frontends.sql.printing.translation import OWN
from tallystick.frontends.sql.source import with_parts
from tallystick.frontends.workflows.functions import stands_for_function
from tallystick.replay.spark_sql import on_own_spark
from tallystick.replay.sql_engines import EngineError, agrees, on_duckdb

Engine = Literal["duckdb", "spark"]


@dataclass
class _Script:
    """What an engine is asked: statements, and queries with what they have to return."""

    setup: list[str] = field(default_factory=list)
    queries: list[str] = field(default_factory=list)
    expected: list[tuple[str, str, Outcome, RowType]] = field(default_factory=list)


def replayed(verdict: DataflowVerdict, engine: Engine) -> DataflowVerdict:
    """The verdict, in which a changed wire says on which engine its input was replayed. One on which the engine does
    not return what the interpreter says, for a wire or for what it hangs on, is unknown.

    An engine that does not run says so in the reason, and changes no verdict.
    """
    if engine == "spark" and verdict.pair.on_spark is not None:
        return verdict.pair.on_spark(verdict)
    script = _Script()
    simulation = Simulation(verdict.pair)
    try:
        for number, wire in enumerate(verdict.wires):
            if wire.difference is not None:
                _add(wire, f"w{number}", verdict.pair, simulation, script, engine)
        if not script.queries:
            return verdict
        run = on_own_spark if engine == "spark" else on_duckdb
        returned = run(script.setup, script.queries)
    except (EngineError, FragmentError) as problem:
        said = f"not replayed: {engine} does not run it: {str(problem).strip().splitlines()[0][:200]}"
        return replace(verdict, wires=tuple(told(wire, said) for wire in verdict.wires))
    wrong: dict[str, str] = {}
    for (name, what, outcome, columns), rows in zip(script.expected, returned, strict=True):
        if not agrees(outcome, rows, columns):
            wrong.setdefault(name, f"{engine} returns other rows for {what} than the reference interpreter")
    return replace(verdict, wires=tuple(_judged(wire, wrong, engine) for wire in verdict.wires))


def told(wire: WireVerdict, said: str) -> WireVerdict:
    """The verdict about a wire that differs, with what is said of its replay."""
    return wire if wire.difference is None else replace(wire, reason=f"{wire.reason}; {said}")


def _judged(wire: WireVerdict, wrong: dict[str, str], engine: Engine) -> WireVerdict:
    if wire.name in wrong:
        return replace(wire, change=Change.UNKNOWN, reason=wrong[wire.name], difference=None)
    return told(wire, f"replayed on {engine}")


def _add(wire: WireVerdict, prefix: str, pair: Pair, simulation: Simulation, script: _Script, engine: Engine) -> None:
    """Adds both versions of what a wire hangs on."""
    assert wire.difference is not None
    database = wire.difference.database
    places = simulation.upstream(("old", wire.old), ("new", wire.name))
    values = simulation.values(database, places)
    for version in ("old", "new"):
        names = {table.name: f"{prefix} {version} {table.name}" for table in pair.catalogue.tables}
        for table in pair.catalogue.tables:
            if not stands_for_function(table.name):
                script.setup += _rows_view(names[table.name], table.columns, database[table.name], engine)
        for place in pair.wires:
            if place[0] == version and place in places:
                names[place[1]] = f"{prefix} {version} {place[1]}"
                _add_wire(place, names, values, simulation, script, engine, wire.name)


def _add_wire(
    place: Place,
    names: dict[str, str],
    values: Values,
    simulation: Simulation,
    script: _Script,
    engine: Engine,
    of: str,
) -> None:
    wire, outcome, name = simulation.pair.wires[place], values.outcomes.get(place), names[place[1]]
    if outcome is None:  # what the wire holds hangs on a choice, and so does all that reads it
        return
    if simulation.function_of(place) is not None:
        rows = zip(wire.table.columns, wire.operator.columns, strict=True)
        columns = [replace(column, nullable=row.nullable) for column, row in rows]
        script.setup += _rows_view(name, columns, outcome.rows, engine)
        return
    assert isinstance(wire.operator, Statement)
    bag, text = (_text(place, ordered, names, simulation.pair, engine) for ordered in (False, True))
    script.setup.append(f"CREATE OR REPLACE TEMPORARY VIEW {name_text(name, engine)} AS {bag}")
    script.queries.append(text)
    script.expected.append((of, f"{place[0]} {place[1]}", outcome, wire.operator.columns))


def _text(place: Place, ordered: bool, names: dict[str, str], pair: Pair, engine: Engine) -> str:
    """What fills a wire as a text over the views of what it reads."""
    written = pair.queries.get(place[0], {}).get(place[1])
    if written is not None and OWN.get(pair.dialect) == engine:
        called = {
            where: f"{name_text(names[name], engine)}{f' AS {alias}' if alias else ''}"
            for where, (name, alias) in written.named.items()
        }
        return with_parts(written.text, called).rstrip().rstrip(";")
    wire = pair.wires[place]
    given = wire.operator
    assert isinstance(given, Statement)
    statement = given if ordered and pair.ordered else Statement(visible(given), given.names)
    renamed = Substitution(lambda scan: Scan(names[scan.table], scan.columns))
    statement = Statement(renamed(statement.query), statement.names, renamed(statement.order))
    columns = {name: _columns(pair, wire, name) for name in wire.reads}
    tables = (Table(names[name], columns[name]) for name in wire.reads)
    return statement_text(statement, Catalogue(tuple(tables)), engine)


def _columns(pair: Pair, wire: Wire, name: str) -> tuple[Column, ...]:
    """The columns of a table or wire that a wire reads."""
    if name in pair.catalogue.by_name:
        return pair.catalogue.by_name[name].columns
    flow = pair.old if any(each is wire for each in pair.old) else pair.new
    return next(each.table.columns for each in flow if each.name == name)


def _rows_view(name: str, columns: Sequence[Column], rows: tuple[SqlRow, ...], engine: Engine) -> list[str]:
    return views(Catalogue((Table(name, tuple(columns)),)), {name: rows}, engine)
