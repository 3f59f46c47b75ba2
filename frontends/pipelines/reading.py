"""Captured plans of a pipeline's functions as the wires of a version of a workflow.

What a function returns is a table to those that read it, as if it were saved and read again. A result with an order,
or of columns that no table has, is passed on as it is, and those that read it are read through it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from itertools import pairwise
from typing import Any, Final

from tallystick.core.dataflows.substitution import Substitution
from tallystick.core.dataflows.workflow import Opaque, Wire
from tallystick.core.errors import SortError
from tallystick.core.queries.assumptions import Assumption
from tallystick.core.queries.catalogue import Catalogue, Column, Table
from tallystick.core.queries.syntax import Scan, Statement
from tallystick.frontends.catalyst.reader import relation_of, statement
from tallystick.frontends.catalyst.reading import PlanReading, Settings, SourceColumn, SourceTable
from tallystick.frontends.catalyst.types import SparkType, spark_type
from tallystick.frontends.choices.telling import tagged
from tallystick.frontends.errors import SourceError
from tallystick.frontends.pipelines.functions import Function
from tallystick.frontends.sql.dialects import SPARK
from tallystick.frontends.workflows.models import UNKNOWN_COLUMNS
from tallystick.frontends.workflows.version import Version

DIALECT: Final = "spark_plans"
"""What certificates call the language; decimals are numbers of their units."""
ROWS_OF_ITS_OWN: Final = ("rdd ", "rows ")
"""What plans read that is neither table nor file: see `replay/catalyst`."""


class PipelineReading:
    """Reads the functions of one version, each after those that it reads."""

    def __init__(
        self, settings: Mapping[str, Any], sources: Iterable[SourceTable], database: str, functions: Iterable[Function]
    ) -> None:
        """
        Args:
            settings: those of the session before any function was called.
            sources: the tables of the schema.
            database: where Spark has the tables of this version.
            functions: all functions of this version.
        """
        self.everything = "\n".join(sorted(function.text for function in functions))
        self.settings, self.database = dict(settings), database
        self.reading = PlanReading(Settings.from_json(settings), {table.name: table for table in sources})
        self.wires: dict[str, Wire] = {}
        self.types: dict[str, tuple[SparkType, ...]] = {}
        self.notes: dict[str, str] = {}
        self.texts: dict[str, str] = {}
        self.identities: dict[str, str] = {}
        self.passed: set[str] = set()  # those whose results are passed on as they are

    def add(self, function: Function, captured: Mapping[str, Any]) -> bool:
        """Reads a function's plan. Whether others may read the result as a table of its name."""
        known, assumed = dict(self.reading.tables), set(self.reading.assumptions)
        fields = captured["columns"]
        types = tuple(spark_type(field["type"]) for field in fields)
        try:
            made = self.statement(captured, types)
        except SourceError as problem:
            self.reading.tables, self.reading.assumptions = known, assumed
            self.hidden(function, f"its plan is not understood: {problem.message}", captured)
        else:
            rows = zip(made.names, made.columns, strict=True)
            columns = tuple(Column(name, row.type, row.nullable) for name, row in rows)
            self.keep(function, made, columns, tuple(each for each in types if each is not None))
        as_table = not getattr(self.wires[function.name].operator, "order", ()) and self.as_table(function.name, fields)
        self.passed |= set() if as_table else {function.name}
        return as_table

    def failed(self, function: Function, reason: str) -> None:
        """A function that makes no DataFrame of empty tables: known by its text, and by that of what it is given as
        it is; by all texts of the version where it may reach the session, and so whatever others make."""
        texts = self.passed_on(function)
        if _SESSION.search(function.text):
            texts.append(self.everything)
        self.opaque(function, reason, "\n".join(("the text", function.text, *texts)), function.reads, (), False)
        self.passed.add(function.name)

    def statement(self, captured: Mapping[str, Any], types: Sequence[SparkType | None]) -> Statement:
        """The plan as a query over tables and wires. Raises SourceError where it is not understood."""
        if captured["settings"] != self.settings:
            raise SourceError("it changes settings of the session", "the plan")
        relation = relation_of(self.reading, captured["analyzed"])
        own = [name for name in self.reading.tables if name.startswith(ROWS_OF_ITS_OWN)]
        if own:
            raise SourceError("it reads rows of its own, that are not looked at", "the plan")
        if not types or any(each is None or each.fields or each.kind for each in types):
            raise SourceError("it returns a column of a type that is not understood", "the plan")
        if types != tuple(attribute.type for attribute in relation.attributes):
            raise SourceError("Spark says that the columns are of other types than its plan", "the plan")
        made = tagged(statement(relation), self.reading.catalogue())
        named = Substitution(lambda scan: Scan(self.called(scan.table), scan.columns))
        return Statement(named(made.query), tuple(_distinct(made.names)), named(made.order))

    def called(self, table: str) -> str:
        """What the wire is called that plans name in small letters."""
        return next((name for name in self.wires if name.lower() == table), table)

    def keep(
        self,
        function: Function,
        operator: Statement | Opaque,
        columns: tuple[Column, ...],
        types: tuple[SparkType, ...],
    ) -> None:
        """Adds a wire."""
        try:
            self.wires[function.name] = Wire(Table(function.name, columns), _with_types(operator, types))
        except SortError as problem:
            raise SourceError(str(problem), str(function.path)) from None
        self.types[function.name] = types
        self.identities.setdefault(function.name, "\n".join((function.text, *self.passed_on(function))))
        self.texts[function.name] = function.text

    def hidden(self, function: Function, note: str, captured: Mapping[str, Any]) -> None:
        """Adds an opaque wire for a plan that is not understood.

        It is known by its plan, as far as plans are shown; by its text too, where that does not say all, because it
        draws at random or reads rows that are not looked at.
        """
        shown = _Canonical(self.database)
        plan = json.dumps(shown.of(captured["analyzed"]), sort_keys=True)
        settings = json.dumps(captured["settings"], sort_keys=True).replace(self.database, "")
        printed = shown.text(str(captured["text"]))
        repeatable = bool(captured["deterministic"]) and not shown.seeds
        text = function.text if not repeatable or shown.is_open else ""
        identity = "\n".join(("the plan", plan, printed, settings, text))
        reads = {*function.reads, *(self.called(name) for name in shown.tables)}
        self.opaque(function, note, identity, reads, captured["columns"], repeatable)

    def opaque(
        self,
        function: Function,
        note: str,
        identity: str,
        reads: Collection[str],
        fields: Sequence[Mapping[str, Any]],
        repeatable: bool,
    ) -> None:
        """Adds an opaque wire. Its columns are known where all their types are."""
        types = [spark_type(field["type"]) for field in fields]
        known = tuple(each for each in types if each is not None and not each.fields and not each.kind)
        known = known if fields and len(known) == len(fields) else ()
        names = _distinct([field["name"] for field in fields])
        columns = tuple(Column(name, each.core) for name, each in zip(names, known, strict=False)) or UNKNOWN_COLUMNS
        self.identities[function.name] = identity
        digest = sha256(identity.encode("utf-8", "surrogatepass")).hexdigest()
        inputs = tuple(sorted({self.called(name.lower()) for name in reads} & {*self.wires, *self.reading.tables}))
        rows = Table(function.name, columns).row
        self.notes[function.name] = note
        self.reading.assumptions |= {Assumption.ONE_CHOICE, Assumption.SAME_MOMENT}
        self.keep(function, Opaque(f"the function of digest {digest[:40]}", inputs, rows, repeatable), columns, known)

    def passed_on(self, function: Function) -> list[str]:
        """What the results are known by that a function is given as they are."""
        return [self.identities[name] for name in function.reads if name in self.passed]

    def as_table(self, name: str, fields: Sequence[Mapping[str, Any]]) -> bool:
        """Makes the wire known to plans that read its table; whether a table can have its columns."""
        wire, types = self.wires[name], self.types[name]
        if len({field["name"].lower() for field in fields}) < len(fields) or len(types) < len(fields):
            return False
        columns = tuple(
            SourceColumn(field["name"], type_, row.nullable)
            for field, type_, row in zip(fields, types, wire.operator.columns, strict=True)
        )
        self.reading.tables[name.lower()] = SourceTable(name.lower(), columns)
        return True

    def version(self) -> Version:
        """The version, when all functions were added."""
        models = {name.lower() for name in self.wires}
        sources = {name: table for name, table in self.reading.tables.items() if name not in models}
        digits = {name: [column.type for column in table.columns] for name, table in sources.items()}
        digits |= {name: list(types) for name, types in self.types.items()}
        return Version(
            Catalogue(tuple(table.as_table() for table in sources.values())),
            tuple(self.wires.values()),
            DIALECT,
            replace(SPARK.switches, division_by_zero=self.reading.settings.on_zero),
            frozenset(sources),
            frozenset(self.reading.assumptions),
            self.notes,
            self.texts,
            ordered=True,
            digits={
                name: tuple(each.scale if each.name == "decimal" else 0 for each in of) for name, of in digits.items()
            },
        )


def _with_types(operator: Statement | Opaque, types: Sequence[SparkType]) -> Statement | Opaque:
    """The operator, which says of decimals in which units their numbers are."""
    if isinstance(operator, Opaque):
        return replace(operator, function=f"{operator.function} of {', '.join(map(str, types))}")
    pairs = zip(operator.names, types, strict=True)
    names = tuple(f"{name} {type_}" if type_.name == "decimal" else name for name, type_ in pairs)
    return replace(operator, names=tuple(_distinct(names)))


def _distinct(names: Sequence[str]) -> list[str]:
    """The names; a second one of a name says so."""
    found: list[str] = []
    for name in names:
        number, tried = 1, name
        while tried in found:
            number += 1
            tried = f"{name} ({number})"
        found.append(tried)
    return found


class _Canonical:
    """Plans without the numbers and places that differ from call to call."""

    LOST: Final = frozenset(
        ("jvmId", "qualifier", "nonInheritableMetadataKeys", "catalogTable", "tableMeta", "database")
    )

    def __init__(self, database: str) -> None:
        self.database = database
        self.numbers: dict[str, int] = {}
        self.is_open = False  # whether it reads rows that are not looked at
        self.tables: set[str] = set()  # what it reads by name
        self.seeds: set[str] = set()

    def of(self, data: Any) -> Any:
        """A part of a plan."""
        if isinstance(data, list):
            for node, child in pairwise(data):
                if _kind(node) in DRAWING and _kind(child) == "Literal":
                    self.seeds.add(str(child.get("value")))
            return [self.of(each) for each in data]
        if not isinstance(data, dict):
            return data
        kept = {key: self.of(value) for key, value in data.items() if key not in self.LOST}
        if str(data.get("product-class", "")).endswith(".ExprId"):
            kept["id"] = self.number(str(data.get("id")))
        if isinstance(table := data.get("catalogTable") or data.get("tableMeta"), dict):
            kept["table"] = str(table.get("identifier", {}).get("table")).lower()
            self.tables.add(kept["table"])
        if str(kept.get("source", "")).startswith("rdd "):
            self.is_open, kept["source"] = True, "rdd"
        if "seed" in kept:
            self.seeds.add(str(kept.pop("seed")))
        if _kind(data) == "Literal" and str(data.get("value")) in self.seeds:
            kept["value"] = "a seed"
        return kept

    def text(self, text: str) -> str:
        """What a plan prints."""
        without = text.replace(f"{self.database}.", "")
        for seed in self.seeds:
            without = re.sub(rf"(?<![\w.-]){re.escape(seed)}(?![\w.])", "a seed", without)
        return re.sub(r"#(\d+)", lambda found: f"#{self.number(found[1])}", without)

    def number(self, id_: str) -> int:
        """A small number for the identity of an attribute, in the order in which they are met."""
        return self.numbers.setdefault(id_, len(self.numbers))


_SESSION: Final = re.compile(r"'(spark|session|sparkSession|SparkSession|sql_ctx|SQLContext)'")
"""What the text of a function that may reach the session says."""
DRAWING: Final = frozenset(("Rand", "Randn", "Uuid", "Shuffle", "RandStr", "Uniform"))
"""Expressions whose first child is a seed, which is another one at each call."""


def _kind(node: Any) -> str:
    return str(node.get("class", "")).rpartition(".")[2] if isinstance(node, dict) else ""
