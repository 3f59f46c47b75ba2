"""Schemas as CREATE TABLE statements, with the constraints that columns, tables and ALTER TABLE state."""

from __future__ import annotations

from sqlglot import exp
from tallystick.core.queries.catalogue import Catalogue, Column, Table
from tallystick.frontends.sql.dialects import Dialect
from tallystick.frontends.sql.expressions import Expressions
from tallystick.frontends.sql.schema import (
    DeclaredColumn,
    DeclaredReference,
    DeclaredTable,
    Schema,
    SchemaBuilder,
)
from tallystick.frontends.sql.scopes import Name, Reading, Relation, Scope
from tallystick.frontends.sql.source import SqlText, statements
from tallystick.frontends.sql.type_names import type_name

HARMLESS = (
    exp.CommentColumnConstraint,
    exp.DefaultColumnConstraint,
    exp.AutoIncrementColumnConstraint,
    exp.GeneratedAsIdentityColumnConstraint,
    exp.CharacterSetColumnConstraint,
    exp.EncodeColumnConstraint,
    exp.OnUpdateColumnConstraint,
    exp.IndexColumnConstraint,
)
"""Constraints of columns that say nothing about the rows of a table."""


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
        self.reading = Reading(source, dialect, Schema(Catalogue(())))

    def read(self, statement: exp.Expr) -> None:
        match statement:
            case exp.Create(kind="TABLE", this=exp.Schema() as body):
                if statement.expression is not None:
                    raise self.source.error(statement.expression, "CREATE TABLE … AS is not understood")
                self._create(body)
            case exp.Alter(kind="TABLE"):
                self._alter(statement)
            case _:
                name = statement.key.upper() if not isinstance(statement, exp.Command) else str(statement.this).upper()
                hint = "a schema has CREATE TABLE statements, and ALTER TABLE … ADD constraint"
                raise self.source.error(statement, f"{name} is not understood in a schema", hint)

    def _name(self, node: exp.Expr) -> str:
        return self.reading.dialect.stored(node.name, bool(node.args.get("quoted")))

    def _table_name(self, node: exp.Expr) -> str:
        parts = (node.args.get("catalog"), node.args.get("db"), node.this)
        return ".".join(self._name(part) for part in parts if part is not None)

    def _create(self, body: exp.Schema) -> None:
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

    def _column(self, node: exp.ColumnDef) -> DeclaredColumn:
        kind = node.args.get("kind")
        if not isinstance(kind, exp.DataType):
            raise self.source.error(node, f"the column {node.name} has no type")
        return DeclaredColumn(self._name(node.this), type_name(kind, self.dialect), kind.sql(self.dialect.parser))

    def _of_column(self, table: DeclaredTable, column: DeclaredColumn, node: exp.Expr) -> None:
        constraint = node.args.get("kind") if isinstance(node, exp.ColumnConstraint) else node
        match constraint:
            case exp.NotNullColumnConstraint():
                column.nullable = column.nullable and bool(constraint.args.get("allow_null"))
            case exp.PrimaryKeyColumnConstraint():
                table.primary_key.append(column.name)
            case exp.UniqueColumnConstraint(this=None):
                table.unique.append([column.name])
            case exp.Reference():
                self._reference(table, [column.name], constraint)
            case exp.CheckColumnConstraint():
                self.checks.append((table, constraint))
            case exp.CollateColumnConstraint() if constraint.name.lower().endswith(("_bin", "binary", '"c"')):
                pass
            case exp.Expr() if isinstance(constraint, HARMLESS):
                pass
            case _:
                raise self.source.error(node, "this constraint of a column is not understood")

    def _of_table(self, table: DeclaredTable, node: exp.Expr) -> None:
        match node:
            case exp.Constraint():
                for each in node.expressions:
                    self._of_table(table, each)
            case exp.PrimaryKey():
                table.primary_key = [self._column_name(each) for each in node.expressions]
                self._note_options(table, node)
            case exp.UniqueColumnConstraint(this=exp.Schema() as columns):
                table.unique.append([self._column_name(each) for each in columns.expressions])
                self._note_options(table, node)
            case exp.ForeignKey():
                names = [self._column_name(each) for each in node.expressions]
                self._reference(table, names, node.args["reference"])
            case exp.CheckColumnConstraint():
                self.checks.append((table, node))
            case exp.IndexColumnConstraint():
                pass
            case _:
                raise self.source.error(node, "this constraint of a table is not understood")

    def _column_name(self, node: exp.Expr) -> str:
        while not isinstance(node, exp.Identifier):
            if not isinstance(node.this, exp.Expr):
                raise self.source.error(node, "the name of a column is expected here")
            node = node.this
        return self._name(node)

    def _reference(self, table: DeclaredTable, columns: list[str], node: exp.Expr) -> None:
        target = node.this
        referenced = [self._column_name(each) for each in target.expressions] if isinstance(target, exp.Schema) else []
        named = target.this if isinstance(target, exp.Schema) else target
        table.references.append(DeclaredReference(columns, self._table_name(named), referenced))
        self._note_options(table, node)

    def _note_options(self, table: DeclaredTable, node: exp.Expr) -> None:
        if any("NOT ENFORCED" in str(option).upper() for option in node.args.get("options") or []):
            table.enforced = False

    def read_checks(self) -> None:
        """The conditions of CHECK, once it is known which columns may hold NULL."""
        for table in self.tables.values():
            primary = {self.dialect.declared(name) for name in table.primary_key}
            for column in table.columns:
                column.nullable = column.nullable and self.dialect.declared(column.name) not in primary
        for table, node in self.checks:
            self._check(table, node)

    def _check(self, table: DeclaredTable, node: exp.Expr) -> None:
        columns = tuple(Column(column.name, column.value_type, column.nullable) for column in table.columns)
        names = tuple(
            Name(self.dialect.declared(column.name), (self.dialect.declared(table.name),)) for column in columns
        )
        row = Relation(Table(table.name, columns).scan(), names)
        checked = Expressions(self.reading, Scope(row), {}, place="CHECK").condition(node.this)
        table.checks.append(checked)

    def _alter(self, statement: exp.Alter) -> None:
        table = self.tables.get(self.dialect.declared(self._table_name(statement.this)))
        if table is None:
            raise self.source.error(statement.this, f"there is no table {statement.this.name}")
        for action in statement.args.get("actions") or []:
            if not isinstance(action, exp.AddConstraint):
                raise self.source.error(action, "ALTER TABLE is understood with ADD constraint only")
            for each in action.expressions:
                self._of_table(table, each)
