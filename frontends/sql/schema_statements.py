"""Schemas as CREATE TABLE statements, with the constraints that columns, tables and ALTER TABLE state."""

from __future__ import annotations

from sqlglot import exp
from tallystick.core.queries.catalogue import Catalogue, Column, Table
from tallystick.frontends.sql.dialects import Dialect
from tallystick.frontends.sql.expressions import Expressions
from tallystick.frontends.sql.parts import Parts
from tallystick.frontends.sql.precedences import require_grouping
from tallystick.frontends.sql.schema import (
    DeclaredColumn,
    DeclaredReference,
    DeclaredTable,
    Schema,
    SchemaBuilder,
)
from tallystick.frontends.sql.scopes import Name, QueryReading, Relation, Scope
from tallystick.frontends.sql.source import SqlText, statements
from tallystick.frontends.sql.type_names import type_name

COUNTERS = (exp.AutoIncrementColumnConstraint, exp.GeneratedAsIdentityColumnConstraint)
"""Constraints of columns whose values are counted."""
HARMLESS = (
    exp.CommentColumnConstraint,
    exp.DefaultColumnConstraint,
    *COUNTERS,
    exp.CharacterSetColumnConstraint,
    exp.EncodeColumnConstraint,
    exp.OnUpdateColumnConstraint,
    exp.IndexColumnConstraint,
)
"""Constraints of columns that say nothing about the rows of a table."""
HARMLESS_PROPERTIES = (
    exp.AutoIncrementProperty,
    exp.CharacterSetProperty,
    exp.ClusteredByProperty,
    exp.EngineProperty,
    exp.FileFormatProperty,
    exp.LocationProperty,
    exp.Property,
    exp.RowFormatProperty,
    exp.SchemaCommentProperty,
    exp.TemporaryProperty,
)
"""What CREATE TABLE says of how a table is kept."""
COLLATIONS = ("_bin", "binary", '"c"')
"""How the names of collations end by which texts are equal if their characters are."""
UNENFORCED = frozenset({"NOT ENFORCED", "DEFERRABLE", "INITIALLY DEFERRED"})
"""Options of keys that do not hold in every database that a query sees: within a transaction, or at all."""
NO_MATCH = "without it, a row refers to nothing if one of its columns is NULL"


def schema_from_statements(source: SqlText, dialect: Dialect) -> Schema:
    """The schema that the CREATE TABLE statements of a text declare; raises SourceError where it is not understood."""
    reader = _Reader(source, dialect)
    for statement in statements(source, dialect):
        reader.read(statement)
    reader.read_checks()
    return SchemaBuilder(source.name, dialect).build(list(reader.tables.values()))


class _Reader:
    def __init__(self, source: SqlText, dialect: Dialect) -> None:
        self.source = source
        self.dialect = dialect
        self.tables: dict[str, DeclaredTable] = {}
        self.checks: list[tuple[DeclaredTable, exp.Expr]] = []
        self.statements: list[exp.Expr] = []
        self.reading = QueryReading(source, dialect, Schema(Catalogue(())))

    def read(self, statement: exp.Expr) -> None:
        match statement:
            case exp.Create(kind="TABLE", this=exp.Schema()):
                if statement.expression is not None:
                    raise self.source.error(statement.expression, "CREATE TABLE … AS is not understood")
                with self.reading.parts(statement) as parts:
                    assert parts.args["kind"] == "TABLE"
                    parts.args.get("exists")  # there are no other tables yet
                    self._properties(parts)
                    with self.reading.parts(parts.this) as body:
                        table = self._create(body)
                    engine = statement.find(exp.EngineProperty)
                    if engine is not None and engine.name.upper() != "INNODB" and table.references:
                        table.enforced = False  # other engines read foreign keys, and ignore them
            case exp.Alter(kind="TABLE"):
                with self.reading.parts(statement) as parts:
                    assert parts.args["kind"] == "TABLE"
                    parts.args.get("only")  # there are no tables that inherit
                    self._alter(parts)
            case _:
                name = statement.key.upper() if not isinstance(statement, exp.Command) else str(statement.this).upper()
                hint = "a schema has CREATE TABLE statements, and ALTER TABLE … ADD constraint"
                raise self.source.error(statement, f"{name} is not understood in a schema", hint)
        require_grouping(self.reading, statement)
        self.statements.append(statement)

    def _properties(self, statement: Parts) -> None:
        properties = statement.args.get("properties")
        if properties is None:
            return
        with self.reading.parts(properties) as parts:
            for each in parts.expressions:
                listed = isinstance(each, exp.PartitionedByProperty) and not each.find(exp.ColumnDef)
                binary = isinstance(each, exp.CollateProperty) and each.name.lower().endswith(COLLATIONS)
                if not (type(each) in HARMLESS_PROPERTIES or listed or binary):
                    raise self.reading.refused(each)
                self.reading.covered(each)

    def _name(self, node: exp.Expr) -> str:
        with self.reading.parts(node) as parts:
            return self.reading.dialect.stored(parts.name, bool(parts.args.get("quoted")))

    def _table_name(self, node: exp.Expr) -> str:
        with self.reading.parts(node) as parts:
            names = [parts.args.get(part) for part in ("catalog", "db", "this")]
            return ".".join(self._name(each) for each in names if each is not None)

    def _create(self, body: Parts) -> DeclaredTable:
        name = self._table_name(body.this)
        if self.dialect.declared(name) in self.tables:
            raise self.source.error(body.this, f"the table {name} is declared twice")
        definitions = [each for each in body.expressions if isinstance(each, exp.ColumnDef)]
        columns = [self._column(each) for each in definitions]
        table = DeclaredTable(name, columns, enforced=self.dialect.enforces_keys)
        self.tables[self.dialect.declared(name)] = table
        for column, definition in zip(columns, definitions, strict=True):
            for constraint in definition.args.get("constraints") or []:
                self._of_column(table, column, constraint)
        for each in body.expressions:
            if not isinstance(each, exp.ColumnDef):
                self._of_table(table, each)
        return table

    def _column(self, node: exp.ColumnDef) -> DeclaredColumn:
        with self.reading.parts(node) as parts:
            kind = parts.args.get("kind")
            parts.args.get("constraints")  # read when all columns are there
            if not isinstance(kind, exp.DataType):
                raise self.source.error(node, f"the column {node.name} has no type")
            self.reading.covered(kind)
            return DeclaredColumn(self._name(parts.this), type_name(kind, self.dialect), kind.sql(self.dialect.parser))

    def _of_column(self, table: DeclaredTable, column: DeclaredColumn, node: exp.Expr) -> None:
        if isinstance(node, exp.ColumnConstraint):
            with self.reading.parts(node) as named:
                self.reading.covered(named.this)  # the name of the constraint
                self._of_column(table, column, named.args["kind"])
            return
        collated = isinstance(node, exp.CollateColumnConstraint) and node.name.lower().endswith(COLLATIONS)
        if isinstance(node, HARMLESS) or collated:
            self.reading.covered(node)
            if isinstance(node, COUNTERS) and self.dialect.counters_have_values:
                column.nullable = False
            return
        with self.reading.parts(node) as parts:
            match node:
                case exp.NotNullColumnConstraint():
                    column.nullable = column.nullable and bool(parts.args.get("allow_null"))
                case exp.PrimaryKeyColumnConstraint():
                    parts.args.get("desc")
                    table.primary_key.append(column.name)
                    self._options(table, parts)
                case exp.UniqueColumnConstraint(this=None):
                    table.unique.append([column.name])
                    self._options(table, parts)
                case exp.Reference():
                    self._reference(table, [column.name], parts)
                    if not self.dialect.refers_by_columns:
                        table.enforced = False
                case exp.CheckColumnConstraint():
                    self._check(table, parts)
                case _:
                    raise self.source.error(node, "this constraint of a column is not understood")

    def _of_table(self, table: DeclaredTable, node: exp.Expr) -> None:
        if isinstance(node, exp.IndexColumnConstraint):
            self.reading.covered(node)
            return
        with self.reading.parts(node) as parts:
            match node:
                case exp.Constraint():
                    self.reading.covered(parts.this)  # the name of the constraint
                    for each in parts.expressions:
                        self._of_table(table, each)
                case exp.PrimaryKey():
                    self.reading.covered(parts.this)  # its name
                    table.primary_key = [self._column_name(each) for each in parts.expressions]
                    self._options(table, parts)
                case exp.UniqueColumnConstraint(this=exp.Schema()):
                    with self.reading.parts(parts.this) as columns:
                        self.reading.covered(columns.this)  # its name
                        table.unique.append([self._column_name(each) for each in columns.expressions])
                    self._options(table, parts)
                case exp.ForeignKey():
                    for event in ("update", "delete"):
                        parts.args.get(event)  # what becomes of rows, not which rows there may be
                    self.reading.covered(parts.this)  # its name
                    names = [self._column_name(each) for each in parts.expressions]
                    self._options(table, parts)
                    with self.reading.parts(parts.args["reference"]) as reference:
                        self._reference(table, names, reference)
                case exp.CheckColumnConstraint():
                    self._check(table, parts)
                case _:
                    raise self.source.error(node, "this constraint of a table is not understood")

    def _column_name(self, node: exp.Expr) -> str:
        """The column of a key; its order in the index means nothing."""
        if isinstance(node, exp.Identifier):
            return self._name(node)
        if not isinstance(node, exp.Column | exp.Ordered):
            raise self.source.error(node, "the name of a column is expected here")
        with self.reading.parts(node) as parts:
            for part in ("desc", "nulls_first"):
                parts.args.get(part)
            return self._column_name(parts.this)

    def _reference(self, table: DeclaredTable, columns: list[str], node: Parts) -> None:
        referenced: list[str] = []
        if isinstance(node.this, exp.Schema):
            with self.reading.parts(node.this) as target:
                name, referenced = (
                    self._table_name(target.this),
                    [self._column_name(each) for each in target.expressions],
                )
        else:
            name = self._table_name(node.this)
        if len(columns) > 1 and not {"MATCH FULL", "MATCH PARTIAL"}.isdisjoint(self._said(node)):
            raise self.source.error(node.of, "MATCH of several columns is not understood", NO_MATCH)
        table.references.append(DeclaredReference(columns, name, referenced))
        self._options(table, node)

    def _said(self, node: Parts) -> set[str]:
        return {str(option).upper() for option in node.args.get("options") or []}

    def _options(self, table: DeclaredTable, node: Parts) -> None:
        """What follows a key: whether it is enforced; further columns of the index."""
        if not UNENFORCED.isdisjoint(self._said(node)):
            table.enforced = False
        self.reading.covered(node.args.get("include"))

    def _check(self, table: DeclaredTable, node: Parts) -> None:
        node.args.get("enforced")  # the parser does not read NOT ENFORCED here
        self.checks.append((table, node.this))

    def read_checks(self) -> None:
        """The conditions of CHECK, once it is known which columns may hold NULL."""
        for table in self.tables.values():
            primary = {self.dialect.declared(name) for name in table.primary_key}
            for column in table.columns:
                column.nullable = column.nullable and self.dialect.declared(column.name) not in primary
        for table, node in self.checks:
            self._condition(table, node)
        for statement in self.statements:
            self.reading.require_all(statement)

    def _condition(self, table: DeclaredTable, node: exp.Expr) -> None:
        columns = tuple(Column(column.name, column.value_type, column.nullable) for column in table.columns)
        names = tuple(
            Name(self.dialect.declared(column.name), (self.dialect.declared(table.name),)) for column in columns
        )
        row = Relation(Table(table.name, columns).scan(), names)
        checked = Expressions(self.reading, Scope(row), {}, place="CHECK").condition(node)
        table.checks.append(checked)

    def _alter(self, statement: Parts) -> None:
        table = self.tables.get(self.dialect.declared(self._table_name(statement.this)))
        if table is None:
            raise self.source.error(statement.this, f"there is no table {statement.this.name}")
        for action in statement.args.get("actions") or []:
            if not isinstance(action, exp.AddConstraint):
                raise self.source.error(action, "ALTER TABLE is understood with ADD constraint only")
            with self.reading.parts(action) as added:
                constraints = added.expressions
            for each in constraints:
                self._of_table(table, each)
