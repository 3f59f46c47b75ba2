"""Two DataFrames of a session: do they return the same on all tables?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from tallystick.frontends.catalyst.leaves import LEAVES, table_name
from tallystick.frontends.catalyst.nodes import tree
from tallystick.frontends.catalyst.reader import PlanPair, read_plans
from tallystick.frontends.catalyst.reading import Settings, SourceTable
from tallystick.frontends.errors import SourceError
from tallystick.frontends.sql.source import Source
from tallystick.options import require_valid
from tallystick.plans.deciding import decided
from tallystick.plans.schemas import declared_tables
from tallystick.plans.verdict import PlanVerdict
from tallystick.replay.catalyst import asking
from tallystick.replay.catalyst.settings import KEPT, meaning, other_settings, same_order
from tallystick.verdict import Answer

CONNECT = "pyspark.sql.connect."
"""Where the DataFrames of Spark Connect are defined."""


def is_dataframe(thing: object) -> bool:
    """Whether something is a DataFrame of PySpark, without importing PySpark."""
    kind = type(thing)
    return kind.__name__ == "DataFrame" and kind.__module__.startswith("pyspark.sql")


def check_dataframes(
    before: Any,
    after: Any,
    *,
    tables: Mapping[str, Any] | None = None,
    schema: Source | None = None,
    timeout: float = 30.0,
    names: tuple[str, str] = ("the first DataFrame", "the second DataFrame"),
) -> PlanVerdict:
    """Whether two DataFrames return the same, whatever is in the tables that they read; no data is read.

    Tables are those of the session's catalogue, or of the schema if one is given, and what `tables` names. What
    `createDataFrame` was given is constant, unless it is named. Files and RDDs may be read, too, but no counterexample
    says what is in them.

    Args:
        before, after: DataFrames of one session. Columns are compared by their places.
        tables: names for DataFrames that both were made from, such as {"orders": orders}: for the constraints of the
            schema, and for showing counterexamples.
        schema: keys, foreign keys and NOT NULL of tables: CREATE TABLE statements or JSON, a text, path or dictionary.
        timeout: seconds for deciding.
        names: what the two are called.

    Raises:
        SourceError: a plan is not understood, or the results cannot be compared.
    """
    require_valid(timeout=timeout)
    given = tables or {}
    for frame in (before, after, *given.values()):
        if not is_dataframe(frame):
            kind = type(frame).__module__.partition(".")[0]
            what = f"a {type(frame).__name__}{'' if kind == 'builtins' else f' of {kind}'}"
            raise SourceError(f"a DataFrame of Spark is compared with another, not with {what}", names[1])
        if type(frame).__module__.startswith(CONNECT):
            raise SourceError("the plans of Spark Connect are not shown to its clients", names[0], hint=NO_CONNECT)
    plans = [asking.analysed(frame) for frame in (before, after)]
    aliases = {_source_of(frame, name): name.lower() for name, frame in given.items()}
    known = None if schema is None else _constraints(schema, before, given)
    settings, others = (plan["settings"] for plan in plans)
    if meaning(settings) != meaning(others):
        raise SourceError("the DataFrames are of two sessions with other settings", names[1])
    alike = same_order(settings, others)
    pair = read_plans(plans[0]["analyzed"], plans[1]["analyzed"], settings, known, aliases, same_order=alike)
    if not pair.tables:
        raise SourceError("both are made of constants alone, of which nothing can differ", names[0], hint=NAME_IT)
    verdict = with_names(decided(pair, names, timeout), pair)
    verdict = verdict if alike else with_reason(verdict, settings, others)
    return replace(verdict, notes=(*verdict.notes, *_unnamed(verdict, pair), *_unused(schema, known or [])))


def with_reason(verdict: PlanVerdict, first: dict[str, Any], second: dict[str, Any]) -> PlanVerdict:
    """A verdict that says which settings make rows come in other orders, where that is why nothing is known."""
    if verdict.verdict is not Answer.UNKNOWN or "choices" not in verdict.reasons:
        return verdict
    keys = ", ".join(other_settings(first, second)) or KEPT
    reason = f"{verdict.reasons['choices']}; rows may come in other orders: {keys}"
    return replace(verdict, reasons={**verdict.reasons, "choices": reason})


NAME_IT = 'name what may have any rows: tables={"orders": orders}'


def _unnamed(verdict: PlanVerdict, pair: PlanPair) -> Iterator[str]:
    """How a counterexample may be had where an open source is read."""
    if verdict.verdict is Answer.UNKNOWN and pair.open_sources:
        yield NAME_IT


def _unused(schema: Source | None, known: Sequence[SourceTable]) -> Iterator[str]:
    """That a schema is about other tables."""
    if schema is not None and not known:
        names = ", ".join(declared.table.name for declared in declared_tables(schema))
        yield f"no table of the schema ({names}) is known to the session or named by tables={{…}}: it says nothing here"


NO_CONNECT = "compare functions, as PATH.py:FUNCTION with a schema: they run on a Spark of their own"


def _source_of(frame: Any, name: str) -> str:
    """What a DataFrame that is read as it is reads."""
    plan = asking.analysed(frame)
    node = tree(plan["analyzed"])
    while node.name in ("SubqueryAlias", "View"):
        node = node.one("child")
    if node.name not in LEAVES:
        raise SourceError(f"{name} is no table but a query ({node.name})", "tables")
    return table_name(node, Settings.from_json(plan["settings"]).database)


def _constraints(schema: Source, frame: Any, tables: Mapping[str, Any]) -> list[SourceTable]:
    """The tables of a schema with the types that the given DataFrames, or the session's tables, have."""
    by_name = {name.lower(): each for name, each in tables.items()}
    found = []
    for declared in declared_tables(schema):
        name = declared.table.name.lower()
        if name in by_name or frame.sparkSession.catalog.tableExists(name):
            table = by_name[name] if name in by_name else frame.sparkSession.table(name)
            fields = table.schema.fields
            if [field.name.lower() for field in fields] != [column.name.lower() for column in declared.table.columns]:
                raise SourceError(f"{name} has other columns than the schema says", "the schema")
            found.append(declared.source([field.jsonValue() for field in fields]))
    kept = {table.name for table in found}
    return [replace(table, foreign_keys=tuple(key for key in table.foreign_keys if key[1] in kept)) for table in found]


def with_names(verdict: PlanVerdict, pair: PlanPair) -> PlanVerdict:
    """The verdict with a note if the columns have other names: these are not compared."""
    left, right = pair.left.names, pair.right.names
    if left == right:
        return verdict
    if sorted(left) == sorted(right):
        note = f"the columns are in another order: {', '.join(left)} and {', '.join(right)}"
    else:
        place, pair_of_names = next(
            (i, each) for i, each in enumerate(zip(left, right, strict=True)) if len(set(each)) > 1
        )
        note = f"column {place + 1} is called {pair_of_names[0]} and {pair_of_names[1]}: names are not compared"
    return replace(verdict, notes=(*verdict.notes, note))
