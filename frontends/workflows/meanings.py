"""What operators mean: each is a wire, whose rows are a query of its inputs, or an opaque function of them.

Functions of the user's are what their declared facts say, in terms that proofs know:

* one row for each: a projection with a function of the columns that it reads; some rows: a filter by such a function;
* many rows for each: a join with a table, the *rows of the function*. For a finite input, each function from rows to
  bags is one such table, and what holds of every table holds of every function;
* rows that hang on all rows: an opaque operator. One that sees a set reads its input without duplicates; one that sees
  a list reads it with the number of each row, and if nothing orders its input, it need not repeat what it does.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from typing import Any

from sqlglot import exp
from tallystick.core.dataflows.substitution import Substitution
from tallystick.core.dataflows.workflow import Opaque, Wire
from tallystick.core.errors import SortError
from tallystick.core.queries.assumptions import Assumption
from tallystick.core.queries.catalogue import Catalogue, Column, Table
from tallystick.core.queries.expressions import And, Comparison, Function, Reference
from tallystick.core.queries.syntax import Distinct, Filter, Join, Project, Query, Scan, Statement, reference
from tallystick.core.queries.types import BOOLEAN, ORDERED_ONLY
from tallystick.frontends.errors import SourceError
from tallystick.frontends.sql.dialects import Dialect
from tallystick.frontends.sql.reader import read_schema, read_statement
from tallystick.frontends.sql.schema import Schema
from tallystick.frontends.sql.source import SqlText
from tallystick.frontends.sql.type_names import TypeName
from tallystick.frontends.workflows.columns import ColumnTypes
from tallystick.frontends.workflows.functions import OPAQUE_PREFIX, called, require_sources, rows_of
from tallystick.frontends.workflows.models import UNKNOWN_COLUMNS
from tallystick.frontends.workflows.operators import READS_AS, ROWS, Operator, require_operators
from tallystick.frontends.workflows.version import Version

JOINS = ("inner", "left", "right", "full", "semi", "anti")
KEEPING_ORDER = ("filter", "limit", "replicate", "sink")
"""Operators whose rows come in the order of what they read."""


def read_operators(
    operators: Sequence[Operator],
    sources: Schema,
    dialect: Dialect,
    *,
    path: str = "the workflow",
    exact_floats: bool = False,
) -> Version:
    """A version of a workflow. An operator whose texts are not understood is opaque, with a note that says why.

    Raises SourceError for operators that make no workflow: see `require_operators`.
    """
    reading = Meanings(sources, dialect, path, exact_floats)
    for operator in require_operators(operators, [table.name for table in sources.catalogue.tables], path):
        reading.add(operator)
    return reading.version()


class NameTakenError(SourceError):
    """Two wires have one name."""


class Meanings:
    """The wires of operators, which are added one by one, each after those that it reads."""

    def __init__(self, sources: Schema, dialect: Dialect, path: str, exact_floats: bool) -> None:
        self.sources, self.dialect, self.path, self.exact_floats = sources, dialect, path, exact_floats
        require_sources(sources.catalogue.by_name, path)
        self.wires: dict[str, Wire] = {}
        self.origins: dict[str, str] = {}  # names of what operators are, with all that is above them
        self.types = ColumnTypes(sources, dialect)
        self.orders: dict[str, tuple[str, ...]] = {}
        self.functions: dict[str, Table] = {}
        self.unread = dict(sources.notes)  # why columns may not be read
        self.views: set[str] = set()
        self.notes: dict[str, str] = {}
        self.assumptions: set[Assumption] = set()

    def version(self) -> Version:
        """All wires that were added."""
        return Version(
            Catalogue((*self.sources.catalogue.tables, *self.functions.values())),
            tuple(self.wires.values()),
            self.dialect.name,
            self.dialect.switches,
            self.sources.unenforced,
            frozenset(self.assumptions),
            self.notes,
            {},
            ordered=True,
        )

    def add(self, operator: Operator) -> None:
        """Adds the wire of an operator, and of what it sees of its inputs where that is not a bag."""
        said = (operator.type, repr(sorted(operator.properties.items())), self.above(operator))
        self.origins[operator.name] = sha256("\0".join(said).encode()).hexdigest()
        self.types.add_text(said[1])
        if operator.type in KEEPING_ORDER and operator.inputs[0] in self.orders:
            self.orders[operator.name] = self.orders[operator.inputs[0]]
        if operator.type == "sort":
            self.orders[operator.name] = tuple(operator.properties["keys"])
        if operator.type == "function":
            self.function(operator)
            return
        try:
            self.fill(operator.name, self.query(operator))
        except NameTakenError:
            raise
        except (SourceError, SortError) as problem:
            self.opaque(operator, f"it is not understood: {problem}")

    def error(self, operator: Operator, message: str, hint: str = "") -> SourceError:
        return SourceError(f"{operator.name}: {message}", self.path, hint=hint)

    def fill(self, name: str, statement: Statement) -> None:
        """Adds a wire. Raises SourceError where two of its columns have one name."""
        if len({self.dialect.declared(each) for each in statement.names}) != len(statement.names):
            raise SourceError("two columns have one name", self.path)
        rows = zip(statement.names, statement.columns, strict=True)
        columns = tuple(Column(each, row.type, row.nullable) for each, row in rows)
        self.put(Wire(Table(name, columns), statement))

    def put(self, wire: Wire) -> None:
        """Adds a wire. Raises SourceError where its name is taken: by what a function sees of another wire, too."""
        require_sources([wire.name], self.path)
        if wire.name in self.wires or wire.name in self.sources.catalogue.by_name or wire.name in self.functions:
            raise NameTakenError(f"two wires or sources have the name {wire.name}", self.path)
        self.wires[wire.name] = wire

    def table(self, name: str) -> Table:
        """A source, or the rows of a wire, as a table without constraints."""
        if name in self.wires:
            return Table(name, self.wires[name].table.columns)
        return self.sources.catalogue.by_name[name]

    def scan(self, name: str) -> Scan:
        return Scan(name, self.table(name).row)

    def above(self, operator: Operator) -> str:
        """What names the operators that an operator reads."""
        return " ".join(self.origins.get(name, name) for name in operator.inputs)

    def query(self, operator: Operator) -> Statement:
        """The query that an operator is. Raises SourceError or SortError where its texts are not understood."""
        ports = _ports(operator)
        for name in operator.inputs:
            if self.table(name).columns == UNKNOWN_COLUMNS:
                raise SourceError(f"it reads {name}, whose columns are not known", self.path)
        text = _Texts(operator, self.dialect, self.orders.get(operator.inputs[0], ()) if operator.inputs else ()).text()
        back = dict(zip(ports, operator.inputs, strict=True))
        kept: set[Assumption] = set()
        types: list[TypeName | None] = []
        read = read_statement(
            SqlText(text, f"{self.path}: {operator.name}"),
            replace(self.schema(back), above=self.above(operator)),
            self.dialect,
            exact_floats=self.exact_floats,
            assumptions=kept,
            types=types,
        )
        self.assumptions |= kept
        self.types.add(operator.name, types)
        named = Substitution(lambda scan: Scan(back[scan.table], scan.columns))
        return replace(read, query=named(read.query), order=named(read.order))

    def schema(self, inputs: Mapping[str, str]) -> Schema:
        """What is read at each port, as tables that have the names of the ports."""
        notes: dict[tuple[str, int], str] = {}
        types: dict[tuple[str, int], TypeName] = {}
        for port, name in inputs.items():
            notes |= {(port, column): note for (table, column), note in self.unread.items() if table == name}
            types |= {(port, column): type_ for (table, column), type_ in self.types.declared.items() if table == name}
        tables = tuple(Table(port, self.table(name).columns) for port, name in inputs.items())
        for table in tables:  # functions of users get values, not what stands for them
            ordered = (place for place, column in enumerate(table.columns) if column.type in ORDERED_ONLY)
            notes |= {(table.name, place): "its values are known by their order alone" for place in ordered}
        return Schema(Catalogue(tables), notes, types)

    def opaque(self, operator: Operator, note: str) -> None:
        """An operator as an unknown function of what it reads."""
        self.notes[operator.name] = note
        columns = UNKNOWN_COLUMNS
        if operator.type in KEEPING_ORDER or operator.type in ("distinct", "sort"):
            self.types.add_unread(self.table(operator.inputs[0]).columns)
            columns = tuple(replace(each, nullable=True) for each in self.table(operator.inputs[0]).columns)
            self.keep_notes(operator.inputs[0], operator.name)
        self.add_opaque(operator, columns, True)

    def unknown(self, name: str, function: str, inputs: tuple[str, ...], note: str) -> None:
        """Adds an operator of which nothing is known, and that need not repeat what it does: it is equal only to the
        one of its name in the other version, if that is the same function of equal inputs."""
        self.notes[name] = note
        table = Table(name, UNKNOWN_COLUMNS)
        self.put(Wire(table, Opaque(f"{OPAQUE_PREFIX}{function}", inputs, table.row, False)))

    def keep_notes(self, source: str, name: str) -> None:
        """The first columns of a wire are those of another: what may not be read there may not be read here."""
        notes = [(place, note) for (of, place), note in self.unread.items() if of == source]
        self.unread |= {(name, place): note for place, note in notes}

    def add_opaque(self, operator: Operator, columns: tuple[Column, ...], repeatable: bool) -> None:
        """Adds an opaque wire, which is known by its type and properties."""
        if operator.type == "function":
            identity = f"{OPAQUE_PREFIX}{operator.properties['function']}"
        else:
            types = [self.types_of(name) for name in operator.inputs]
            said = repr((operator.type, sorted(operator.properties.items()), self.orders.get(operator.name, ()), types))
            identity = f"the {operator.type} of digest {sha256(said.encode()).hexdigest()[:40]}"
            self.assumptions.add(Assumption.ONE_CHOICE)
        table = Table(operator.name, tuple(replace(each, range=None) for each in columns))
        self.put(Wire(table, Opaque(identity, operator.inputs, table.row, repeatable)))

    def types_of(self, name: str) -> str:
        """What names the types that an engine has of the columns of a source or wire."""
        of_wire = name in self.wires
        return (
            self.types.of_wire(self.wires[name], self.origins.get(name, name))
            if of_wire
            else self.types.of_source(name)
        )

    def function(self, operator: Operator) -> None:
        """Adds the wire of a function of the user's."""
        said = operator.properties
        self.assumptions.add(Assumption.PURE_FUNCTIONS)
        if said["rows"] not in ROWS:
            raise self.error(operator, f"rows is {said['rows']!r}", ", ".join(ROWS))
        if said["rows"] == "all" or not said.get("deterministic", True):
            self.of_all_rows(operator)
            return
        for name in ("reads", *(("adds",) if said["rows"] != "some" else ())):
            if not said.get(name):
                raise self.error(operator, f"a function with rows {said['rows']!r} needs the property {name}")
        if len(operator.inputs) != 1:
            raise self.error(operator, "a function of single rows has one input")
        scan, columns = self.scan(operator.inputs[0]), self.table(operator.inputs[0]).columns
        self.keep_notes(operator.inputs[0], operator.name)
        arguments = tuple(reference(scan, self.place(operator, columns, each)) for each in said["reads"])
        query: Query
        if said["rows"] == "some":
            query, added = Filter(scan, Function(called(said["function"]), arguments, BOOLEAN, False)), ()
        elif said["rows"] == "each":
            added = self.columns(operator, "adds", len(columns))
            values = (Function(called(said["function"], each.name), arguments, each.type, False) for each in added)
            query = Project(scan, (*(reference(scan, i) for i in range(len(columns))), *values))
        else:
            added = self.columns(operator, "adds", len(columns))
            query = self.joined(scan, arguments, self.rows_of(operator, columns, arguments, added))
        self.fill(operator.name, Statement(query, (*(each.name for each in columns), *(each.name for each in added))))

    def joined(self, scan: Scan, arguments: tuple[Reference, ...], table: Table) -> Query:
        """Each row with the rows of a function of its columns."""
        made, width = Scan(table.name, table.row), len(scan.columns)
        keys = tuple(reference(made, i) for i in range(len(arguments)))
        moved = (replace(key, index=key.index + width) for key in keys)
        same = And(tuple(Comparison("<=>", one, other) for one, other in zip(arguments, moved, strict=True)))
        both = Join("inner", scan, made, same)
        added = range(width + len(keys), width + len(made.columns))
        return Project(both, tuple(reference(both, i) for i in (*range(width), *added)))

    def rows_of(
        self, operator: Operator, columns: Sequence[Column], arguments: Sequence[Reference], added: tuple[Column, ...]
    ) -> Table:
        """The table that stands for a function: what it reads, and what it adds."""
        name = rows_of(operator.properties["function"])
        reads = tuple(Column(f"read {i}", columns[each.index].type, True) for i, each in enumerate(arguments))
        table = Table(name, (*reads, *added))
        if self.functions.setdefault(name, table) != table:
            raise self.error(operator, "the function is also used with other columns")
        return table

    def of_all_rows(self, operator: Operator) -> None:
        """Adds a function of all rows together, or one that need not repeat itself."""
        said = operator.properties
        seen = said.get("reads_as", "bag")
        if seen not in READS_AS:
            raise self.error(operator, f"reads_as is {seen!r}", ", ".join(READS_AS))
        repeatable = said.get("deterministic", True)
        inputs = []
        for port, name in enumerate(operator.inputs, 1):
            ordered = self.orders.get(name, ())
            repeatable = repeatable and (seen != "list" or bool(ordered))
            inputs.append(name if seen == "bag" or (seen == "list" and not ordered) else self.view(name, seen, port))
        if said["rows"] == "all":
            if not said.get("columns"):
                raise self.error(operator, "a function of all rows needs the property columns")
            columns = self.columns(operator, "columns", 0)
        else:
            columns = self.table(operator.inputs[0]).columns
            self.keep_notes(operator.inputs[0], operator.name)
            columns = (*columns, *self.columns(operator, "adds", len(columns)))
        self.notes[operator.name] = f"nothing is known of the function {said['function']}"
        self.add_opaque(replace(operator, inputs=tuple(inputs)), columns, repeatable)

    def view(self, name: str, seen: str, port: int) -> str:
        """Adds the wire of what a function sees of another: a set, or a list; its name."""
        added = f"{name} as a {seen}"
        if added in self.views:
            return added
        self.views.add(added)
        if seen == "set":
            self.keep_notes(name, added)
            self.fill(
                added, Statement(Distinct(self.scan(name)), tuple(each.name for each in self.table(name).columns))
            )
            return added
        self.assumptions.add(Assumption.ONE_CHOICE)
        numbers = f"SELECT *, ROW_NUMBER() OVER (ORDER BY {', '.join(self.orders[name])}) AS number_{port} FROM input1"
        self.fill(added, self.query(Operator(added, "query", (name,), {"query": numbers})))
        return added

    def columns(self, operator: Operator, key: str, first: int) -> tuple[Column, ...]:
        """The columns that a property declares by their names and types, from a place on."""
        types = operator.properties.get(key, {})
        if not types:
            return ()
        listed = ", ".join(f"{quoted(name, self.dialect)} {type_}" for name, type_ in types.items())
        declared = read_schema(f"CREATE TABLE declared ({listed})", self.dialect)
        self.unread |= {(operator.name, first + place): note for (_, place), note in declared.notes.items()}
        columns = declared.catalogue.tables[0].columns
        self.types.add_unread(columns)
        return tuple(replace(each, name=name, range=None) for each, name in zip(columns, types, strict=True))

    def place(self, operator: Operator, columns: Iterable[Column], name: str) -> int:
        """Which column has a name."""
        wanted = self.dialect.declared(name)
        for i, each in enumerate(columns):
            if self.dialect.declared(each.name) == wanted:
                return i
        raise self.error(operator, f"{operator.inputs[0]} has no column {name}")


def quoted(name: str, dialect: Dialect) -> str:
    """A name as it is written in a text."""
    return exp.to_identifier(name, quoted=True).sql(dialect.parser)


def _ports(operator: Operator) -> tuple[str, ...]:
    """What texts call the inputs."""
    return tuple(f"input{i}" for i in range(1, len(operator.inputs) + 1))


class _Texts:
    """The texts of operators in SQL."""

    def __init__(self, operator: Operator, dialect: Dialect, order: tuple[str, ...]) -> None:
        self.operator, self.dialect, self.order = operator, dialect, order
        self.said: Mapping[str, Any] = operator.properties

    def text(self) -> str:
        """The text of the operator over its ports."""
        said = self.said
        match self.operator.type:
            case "filter":
                return f"SELECT * FROM input1 WHERE {_whole(said['condition'])}"
            case "project":
                return f"SELECT {self.named(said['columns'])} FROM input1"
            case "extend":
                return f"SELECT *, {self.named(said['columns'])} FROM input1"
            case "join":
                return self.join()
            case "union" | "intersect" | "except":
                return self.set_operation()
            case "aggregate":
                return self.aggregate()
            case "distinct":
                return "SELECT DISTINCT * FROM input1"
            case "sort":
                return f"SELECT * FROM input1 ORDER BY {', '.join(said['keys'])}"
            case "limit":
                skipped = f" OFFSET {said['offset']}" if said.get("offset") else ""
                return f"SELECT * FROM input1{self.ordered()} LIMIT {said['count']}{skipped}"
            case "replicate":
                return "SELECT * FROM input1"
            case "sink":
                return f"SELECT * FROM input1{self.ordered()}"
            case "query":
                return str(said["query"])
            case _:
                raise SourceError(f"a {self.operator.type} has no text", self.operator.name)

    def ordered(self) -> str:
        return f" ORDER BY {', '.join(self.order)}" if self.order else ""

    def named(self, columns: Mapping[str, str]) -> str:
        return ", ".join(f"{_whole(value)} AS {quoted(name, self.dialect)}" for name, value in columns.items())

    def join(self) -> str:
        kind, said = self.said["kind"], self.said
        if kind not in JOINS:
            raise SourceError(f"there is no {kind!r} join", self.operator.name, hint=", ".join(JOINS))
        chosen = self.named(said["columns"]) if "columns" in said else ""
        if kind in ("semi", "anti"):
            matched = f"EXISTS (SELECT 1 FROM input2 WHERE {_whole(said['condition'])})"
            return f"SELECT {chosen or 'input1.*'} FROM input1 WHERE {'NOT ' if kind == 'anti' else ''}{matched}"
        condition = _whole(said["condition"])
        return f"SELECT {chosen or 'input1.*, input2.*'} FROM input1 {kind.upper()} JOIN input2 ON {condition}"

    def set_operation(self) -> str:
        kind = self.operator.type
        everything = not self.said.get("distinct", False) if kind == "union" else self.said.get("all", False)
        word = f" {kind.upper()}{' ALL' if everything else ''} "
        return word.join(f"SELECT * FROM input{i}" for i in range(1, len(self.operator.inputs) + 1))

    def aggregate(self) -> str:
        keys = [quoted(key, self.dialect) for key in self.said["keys"]]
        chosen = ", ".join([*keys, *([self.named(self.said["values"])] if self.said["values"] else [])])
        return f"SELECT {chosen} FROM input1{' GROUP BY ' + ', '.join(keys) if keys else ''}"


def _whole(text: str) -> str:
    """An expression in brackets, which it does not close itself; a comment ends with its line."""
    return f"({text}\n)"
