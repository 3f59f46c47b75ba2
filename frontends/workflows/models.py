"""Models: named texts of SQL that read tables and each other, as the wires of a workflow.

A model that cannot be read is an opaque function of what it reads, known by its text: the words of the text, without
comments and white space, and the types that the engine has of the columns that it reads. Where its columns are not
known either, whatever reads them is opaque, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from graphlib import CycleError, TopologicalSorter
from hashlib import sha256
from typing import Final

from sqlglot.errors import SqlglotError
from tallystick.core.dataflows.substitution import Substitution
from tallystick.core.dataflows.workflow import Opaque, Wire
from tallystick.core.errors import SortError
from tallystick.core.queries.assumptions import Assumption
from tallystick.core.queries.catalogue import Catalogue, Column, ForeignKey, Table
from tallystick.core.queries.syntax import Scan, Statement
from tallystick.core.queries.types import TEXT
from tallystick.frontends.errors import SourceError
from tallystick.frontends.sql.dialects import Dialect
from tallystick.frontends.sql.reader import read_statement
from tallystick.frontends.sql.schema import Schema
from tallystick.frontends.sql.source import SqlText
from tallystick.frontends.sql.type_names import TypeName
from tallystick.frontends.workflows.columns import ColumnTypes
from tallystick.frontends.workflows.functions import require_sources
from tallystick.frontends.workflows.version import Version, Written

UNKNOWN_COLUMNS: Final = (Column("columns that are not known", TEXT),)
"""What stands for the columns of a model that cannot be read."""


def _words_of(words: str) -> frozenset[str]:
    return frozenset(words.split())


DRAWS: Final = _words_of(
    "RAND RANDOM RANDN UUID UUID4 NEWID GEN_RANDOM_UUID UUID_STRING UUID_GENERATE_V4 GENERATE_UUID NEXTVAL SETSEED "
    "TABLESAMPLE SAMPLE RANDSTR SHUFFLE MONOTONICALLY_INCREASING_ID"
)
"""Words of texts that draw at random, or number rows as they come."""
CHOOSES: Final = _words_of(
    "LIMIT TOP FETCH OFFSET QUALIFY ROW_NUMBER NTILE FIRST FIRST_VALUE LAST LAST_VALUE NTH_VALUE LAG LEAD ANY_VALUE "
    "ARRAY_AGG COLLECT_LIST STRING_AGG LISTAGG GROUP_CONCAT ARG_MAX ARG_MIN MAX_BY MIN_BY"
)
"""Words of texts that may choose among rows that tie."""
MOMENTS: Final = _words_of(
    "NOW CURRENT_TIMESTAMP CURRENT_DATE CURRENT_TIME LOCALTIMESTAMP LOCALTIME GETDATE SYSDATE TODAY UNIX_TIMESTAMP"
)
"""Words of texts that read the clock."""


@dataclass(frozen=True)
class Reference:
    """A foreign key that is assumed of a model: each value of `column` that is not NULL is one of another's column."""

    column: str
    table: str
    referenced: str


@dataclass(frozen=True)
class Model:
    """A named text.

    Attributes:
        name: what the wire is called.
        text: the query.
        relation: what other texts call its rows, in parts separated by dots.
        reads: the names of the models and sources that it reads; None if that is to be found in the text.
        columns: of its rows, where they are known without reading the text.
        notes: why some of these may not be read, by their places: see `Schema.notes`.
        keys, not_null, references: what is assumed of its rows, by names of columns.
        repeatable: whether its rows are the same whenever it runs; None if its words are to say so.
        opaque: why it is not to be read as a query; "" if it is.
        identity: what it is known by if it is opaque, instead of the words of the text.
        columns_of: the wire whose columns it has, if its own are not known; "" if there is none.
    """

    name: str
    text: SqlText
    relation: str
    reads: tuple[str, ...] | None = None
    columns: tuple[Column, ...] = ()
    notes: tuple[tuple[int, str], ...] = ()
    keys: tuple[tuple[str, ...], ...] = ()
    not_null: tuple[str, ...] = ()
    references: tuple[Reference, ...] = ()
    repeatable: bool | None = None
    opaque: str = ""
    identity: str = ""
    columns_of: str = ""


def read_models(
    models: Sequence[Model],
    sources: Schema,
    dialect: Dialect,
    *,
    relations: Mapping[str, str] | None = None,
    exact_floats: bool = False,
    ordered: bool = False,
) -> Version:
    """A version of a workflow.

    Args:
        relations: what the texts call the sources, where that is not their name.

    Raises SourceError where two models have one name, or models read each other in a circle.
    """
    sources = sources if exact_floats else sources.with_floats()
    reading = _Models(models, sources, dialect, relations or {}, exact_floats)
    for model in reading.in_order():
        reading.add(model)
    for model in models:
        reading.refer(model)
    return Version(
        sources.catalogue,
        tuple(reading.wires.values()),
        dialect.name,
        dialect.switches,
        sources.unenforced,
        frozenset(reading.assumptions),
        reading.notes,
        {model.name: " ".join(words(model.text.text, dialect)) for model in models},
        ordered,
        reading.queries,
    )


class _Models:
    def __init__(
        self,
        models: Sequence[Model],
        sources: Schema,
        dialect: Dialect,
        relations: Mapping[str, str],
        exact_floats: bool,
    ) -> None:
        self.models = {model.name: model for model in models}
        self.sources, self.dialect, self.exact_floats = sources, dialect, exact_floats
        self.known = {table.name for table in sources.catalogue.tables}
        self.relations = {relations.get(name, name): name for name in self.known}
        self.relations |= {model.relation: model.name for model in models}
        names = [model.name for model in models]
        require_sources((*self.known, *names), "the schema")
        for name in names:
            if names.count(name) > 1 or name in self.known:
                raise SourceError(f"two models or tables have the name {name}", self.models[name].text.name)
        self.wires: dict[str, Wire] = {}
        self.origins: dict[str, str] = {}  # names of models' texts and of all that are above them
        self.types = ColumnTypes(sources, dialect)
        self.unread = dict(sources.notes)  # why columns may not be read
        self.notes: dict[str, str] = {}
        self.assumptions: set[Assumption] = set()
        self.queries: dict[str, Written] = {}

    def in_order(self) -> Iterable[Model]:
        """The models, each after those that it reads."""
        reads = {
            name: [each for each in self.reads(model) if each in self.models]
            for name, model in sorted(self.models.items())
        }
        try:
            return [self.models[name] for name in TopologicalSorter(reads).static_order()]
        except CycleError as error:
            circle = " reads ".join(reversed(error.args[1]))
            raise SourceError(f"models read each other in a circle: {circle}", error.args[1][0]) from None

    def reads(self, model: Model) -> tuple[str, ...]:
        """The models and sources that a text reads, or may read."""
        if model.reads is not None:
            return model.reads
        said = set(words(model.text.text, self.dialect, folded=True))
        relations = {relation: name for relation, name in self.relations.items() if name != model.name}
        last = {self.dialect.declared(relation.rpartition(".")[2]).casefold(): relation for relation in relations}
        return tuple(sorted(relations[relation] for word, relation in last.items() if word in said))

    def add(self, model: Model) -> None:
        """Reads a model whose inputs have been read."""
        said = "\0".join((*words(model.text.text, self.dialect), self.above(model)))
        self.origins[model.name] = sha256(said.encode()).hexdigest()
        self.types.add_text(model.text.text)
        operator = self.statement(model) if not model.opaque else None
        if model.opaque:
            self.notes[model.name] = model.opaque
        if operator is None:
            operator, columns = self.opaque(model)
        else:
            rows = zip(operator.names, operator.columns, strict=True)
            columns = tuple(Column(name, row.type, row.nullable) for name, row in rows)
        try:
            self.wires[model.name] = Wire(self.table(model, columns), operator)
        except SortError as problem:
            raise SourceError(str(problem), model.text.name) from None

    def above(self, model: Model) -> str:
        """What names the texts of the models that a model reads."""
        return " ".join(self.origins.get(name, name) for name in self.reads(model))

    def statement(self, model: Model) -> Statement | None:
        """The text as a query; None, with a note, if it is not understood."""
        scope = [relation for relation, name in self.relations.items() if name in self.known or name in self.wires]
        tables = {relation: self.columns_of(self.relations[relation]) for relation in scope}
        try:
            used: set[Assumption] = set()
            places: dict[tuple[int, int], tuple[str, str]] = {}
            types: list[TypeName | None] = []
            schema = replace(self.schema(tables), above=self.above(model))
            read = read_statement(
                model.text,
                schema,
                self.dialect,
                exact_floats=self.exact_floats,
                assumptions=used,
                named=places,
                types=types,
            )
            if len(set(read.names)) != len(read.names):
                raise SourceError("two columns of a model have one name", model.text.name)
        except (SourceError, SortError) as problem:
            blind = [name for name in self.reads(model) if name in self.wires and self.is_blind(name)]
            why = f"it reads {blind[0]}, whose columns are not known" if blind else str(problem)
            self.notes[model.name] = f"it is not understood: {why}"
            return None
        self.assumptions |= used
        self.types.add(model.name, types)
        called = {place: (self.relations[relation], alias) for place, (relation, alias) in places.items()}
        self.queries[model.name] = Written(model.text.text, called)
        named = Substitution(lambda scan: Scan(self.relations[scan.table], scan.columns))
        return replace(read, query=named(read.query), order=named(read.order))

    def schema(self, tables: Mapping[str, Table]) -> Schema:
        """The schema of what may be read, by the names that texts use."""
        back = {name: relation for relation, name in self.relations.items()}
        renamed = {
            relation: replace(
                table,
                name=relation,
                foreign_keys=tuple(replace(key, table=back[key.table]) for key in table.foreign_keys),
            )
            for relation, table in tables.items()
            if table.columns != UNKNOWN_COLUMNS
        }
        return Schema(
            Catalogue(tuple(renamed.values())),
            {(back[table], column): note for (table, column), note in self.unread.items()},
            {(back[table], column): type_ for (table, column), type_ in self.types.declared.items()},
            frozenset(back[table] for table in self.sources.unenforced),
        )

    def columns_of(self, name: str) -> Table:
        """A source, or what fills a wire, as a table."""
        if name in self.known:
            return self.sources.catalogue.by_name[name]
        wire = self.wires[name]
        columns = zip(wire.table.columns, wire.operator.columns, strict=True)
        return Table(name, tuple(replace(each, nullable=row.nullable) for each, row in columns))

    def is_blind(self, name: str) -> bool:
        """Whether the columns of a wire are not known."""
        return self.wires[name].table.columns == UNKNOWN_COLUMNS

    def opaque(self, model: Model) -> tuple[Opaque, tuple[Column, ...]]:
        """A model as an unknown function of what it reads."""
        said = words(model.text.text, self.dialect, folded=True)
        inputs = tuple(name for name in self.reads(model) if name in self.wires or name in self.known)
        called = {name: relation for relation, name in self.relations.items()}
        of = model.identity or "\0".join((*words(model.text.text, self.dialect), *(called[name] for name in inputs)))
        like = self.wires[model.columns_of].table.columns if model.columns_of in self.wires else ()
        columns = model.columns or tuple(replace(column, nullable=True) for column in like) or UNKNOWN_COLUMNS
        notes = model.notes if model.columns else self.notes_of(model.columns_of)
        self.unread |= {(model.name, place): note for place, note in notes}
        repeatable = model.repeatable
        if repeatable is None:
            repeatable = not {word.upper() for word in said} & DRAWS
        self.assumptions |= {Assumption.ONE_CHOICE} if {word.upper() for word in said} & CHOOSES else set()
        self.assumptions |= {Assumption.SAME_MOMENT} if {word.upper() for word in said} & MOMENTS else set()
        if columns != UNKNOWN_COLUMNS:
            self.types.add_unread(columns)
        rows = Table(model.name, columns).row
        digest = sha256("\0".join((of, *map(self.types_of, inputs))).encode()).hexdigest()
        return Opaque(f"the text of digest {digest[:40]}", inputs, rows, repeatable), columns

    def types_of(self, name: str) -> str:
        """What names the types that an engine has of the columns of a source or wire."""
        return (
            self.types.of_source(name)
            if name in self.known
            else self.types.of_wire(self.wires[name], self.origins[name])
        )

    def notes_of(self, name: str) -> list[tuple[int, str]]:
        """Why columns of a wire may not be read, by their places."""
        return [(place, note) for (of, place), note in self.unread.items() if of == name]

    def table(self, model: Model, columns: tuple[Column, ...]) -> Table:
        """The wire as a table, with what is assumed of its rows."""
        filled = {self.place(columns, name) for name in model.not_null}
        keys = [tuple(self.place(columns, name) for name in key) for key in model.keys]
        return Table(
            model.name,
            tuple(replace(each, nullable=each.nullable and i not in filled) for i, each in enumerate(columns)),
            tuple(dict.fromkeys(tuple(i for i in key if i is not None) for key in keys if None not in key)),
        )

    def refer(self, model: Model) -> None:
        """Adds the foreign keys of a model whose columns are known, and of one type with those that they refer to."""
        wire = self.wires[model.name]
        found: dict[ForeignKey, None] = {}
        for reference in model.references:
            if reference.table in self.wires or reference.table in self.known:
                own, target = wire.table.columns, self.columns_of(reference.table).columns
                here, there = self.place(own, reference.column), self.place(target, reference.referenced)
                if here is not None and there is not None and own[here].type == target[there].type:
                    found[ForeignKey((here,), reference.table, (there,))] = None
        self.wires[model.name] = replace(wire, table=replace(wire.table, foreign_keys=tuple(found)))

    def place(self, columns: tuple[Column, ...], name: str) -> int | None:
        """Which column has a name; None if there is none."""
        wanted = self.dialect.declared(name)
        return next((i for i, each in enumerate(columns) if self.dialect.declared(each.name) == wanted), None)


RUN_COMMENT: Final = re.compile(r"/\*M?!")
"""What MySQL and MariaDB run, although others take it for a comment."""


def words(text: str, dialect: Dialect, folded: bool = False) -> list[str]:
    """The words of a text, without comments and white space; the text itself if it has none that are understood.

    With `folded`, their letters are small, and nothing says which are quoted.
    """
    if not folded and dialect.name == "mysql" and RUN_COMMENT.search(text):
        return [text]
    try:
        tokens = dialect.parser.tokenize(text)
    except (SqlglotError, ValueError, IndexError):
        return text.casefold().split() if folded else [text]
    if folded:
        return [token.text.casefold() for token in tokens]
    return [f"{token.token_type.name} {token.text}" for token in tokens]
