"""Names: the columns of relations, the scopes in which they are looked up, and what all parts of a reading share."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import sha256
from typing import Final

from sqlglot import exp
from tallystick.core.queries.assumptions import Assumption
from tallystick.core.queries.catalogue import Table
from tallystick.core.queries.syntax import Project, Query, reference
from tallystick.core.queries.types import OPAQUE
from tallystick.frontends.errors import SourceError, UnknownNameError
from tallystick.frontends.sql.dialects import Dialect
from tallystick.frontends.sql.nulls import NULL, Value
from tallystick.frontends.sql.parameters import Parameters
from tallystick.frontends.sql.parts import Parts, Place, described
from tallystick.frontends.sql.schema import FLOATING, Schema
from tallystick.frontends.sql.source import SqlText
from tallystick.frontends.sql.type_names import TypeName

PADDED: Final = re.compile(r"\b(N?CHAR|BPCHAR|CHARACTER)\b", re.IGNORECASE)
"""Words of types of texts that are padded."""


@dataclass(frozen=True)
class QueryReading:
    """What all parts of a reading share; `assumptions` and `opened` grow while the text is read.

    Attributes:
        exact_floats: whether floating-point numbers are assumed to be exact; else columns that hold them are refused.
        choices: what was read that chooses among rows, as it is written.
        opened: the nodes that were read, by their identity; see `require_all`.
    """

    source: SqlText
    dialect: Dialect
    schema: Schema
    exact_floats: bool = False
    assumptions: set[Assumption] = field(default_factory=set)
    choices: list[str] = field(default_factory=list)
    opened: set[int] = field(default_factory=set)
    types: dict[int, str] = field(default_factory=dict)
    """The types that nodes of the text were read with, by their identity."""
    cases: dict[str, exp.Expr] = field(default_factory=dict)
    """What the reader did at nodes, as evidence is asked for it: see `evidence`."""
    parameters: Parameters | None = None
    """The bind parameters of both queries of a pair; None where they are not understood."""
    named: dict[tuple[int, int], tuple[str, str]] = field(default_factory=dict)
    """By the places of their names in the text, first and behind the last character: tables, and what the text calls
    their rows where it says so by that name alone, else ""."""
    elements: dict[str, Table] = field(default_factory=dict)
    """Tables that hold what arrays hold, by name, of which nobody knows the rows: see `elements.py`."""
    places: dict[int, exp.Expr] = field(default_factory=dict)
    """Queries of the text, by their identity, in the order in which they were met: see `place`."""

    @cached_property
    def pads(self) -> bool:
        """Whether some text may be one that is padded with blanks."""
        made = bool(self.schema.above) or PADDED.search(self.source.text) is not None
        return self.dialect.pads_texts and (made or any(each.padded for each in self.schema.types.values()))

    @cached_property
    def digest(self) -> str:
        """A short name of the text, whatever its blanks and comments are, and of those that make what it reads."""
        text = self.source.text
        tokens = [text[each.start : each.end + 1] for each in self.dialect.parser.tokenize(text)]
        return sha256("\n".join((self.schema.above, *tokens)).encode()).hexdigest()[:12]

    def place(self, node: exp.Expr) -> str:
        """The query in which a node stands, of the whole text; a node that stands in none is in a place of its own."""
        around = node.find_ancestor(exp.Query)
        stands = node if around is None else around
        self.places.setdefault(id(stands), stands)  # which keeps it, so that no other one gets its identity
        return f"query {list(self.places).index(id(stands))} of the text {self.digest}"

    def error(self, node: Place | None, message: str, hint: str = "") -> SourceError:
        """The error that points at a node of the text."""
        return self.source.error(node if node is None else _node(node), message, hint)

    def chooses(self, node: Place, what: str) -> None:
        """Notes that a part of the text chooses among rows."""
        self.choices.append(f"{what}, {self.source.name} line {self.error(node, '').line}")

    def note_name(self, node: exp.Expr, table: str) -> None:
        """Notes where the text names a table of the schema."""
        places = [part.meta for part in map(node.args.get, ("catalog", "db", "this")) if part is not None]
        if all("start" in place for place in places):
            first, last = places[0]["start"], places[-1]["start"]
            behind = places[-1]["end"] + 1
            self.named[first, behind] = table, "" if node.args.get("alias") else self.source.text[last:behind]

    def folded(self, identifier: exp.Expr) -> str:
        """An identifier as names are compared."""
        with self.parts(identifier) as parts:
            return self.dialect.folded(str(parts.this), bool(parts.args.get("quoted")))

    def parts(self, node: exp.Expr) -> Parts:
        """The view through which a node is read: with `with`, what nobody asks for is refused."""
        return Parts(node, self.error, self.opened)

    def word(self, node: exp.Expr) -> str:
        """The text of a node that is a name, a keyword or a constant."""
        with self.parts(node) as parts:
            for part in ("quoted", "is_string"):
                parts.args.get(part)
            return str(parts.this)

    def bare(self, node: exp.Expr) -> str | None:
        """The name of a column without a table; None for any other node."""
        if not isinstance(node, exp.Column) or not isinstance(node.this, exp.Identifier) or node.args.get("table"):
            return None
        with self.parts(node) as parts:
            return self.folded(parts.this)

    def covered(self, node: exp.Expr | None) -> None:
        """A part of the text that is read as a whole, such as the name of a type, or that means nothing."""
        self.opened.update(() if node is None else (id(each) for each in node.walk()))

    def require_all(self, tree: exp.Expr) -> None:
        """Raises SourceError if no reader has opened some node of a tree."""
        for node in tree.walk():
            if id(node) not in self.opened:
                raise self.refused(node)

    def lacking(self, node: Place) -> SourceError:
        """The error of a construct with fewer arguments than it has."""
        return self.error(node, f"{described(_node(node))} lacks an argument")

    def refused(self, node: Place) -> SourceError:
        """The error of a construct that is not on the list of what is read."""
        of = _node(node)
        start, end = (of.meta.get(end, -1) for end in ("start", "end"))
        written = self.source.text[start : end + 1] if isinstance(of, exp.Func) and start >= 0 else ""
        said = f"the function {written.upper()}" if written.isidentifier() else described(of)
        return self.error(node, f"{said} is not understood")


def _node(place: Place) -> exp.Expr:
    return place.of if isinstance(place, Parts) else place


def unwrapped(reading: QueryReading, node: exp.Expr) -> exp.Expr:
    """What stands in parentheses."""
    while isinstance(node, exp.Paren):
        with reading.parts(node) as paren:
            node = paren.this
    return node


def row_of(reading: QueryReading, node: exp.Expr) -> list[exp.Expr]:
    """The columns of a row."""
    with reading.parts(node) as row:
        return row.expressions


@dataclass(frozen=True)
class Name:
    """The name of a column of a relation.

    Attributes:
        name: the name; "" if the column has none.
        qualifier: the parts of the name of its table, the last one last; () if it has none.
        shown: whether it is found without its qualifier and belongs to `*`.
        untyped: whether the column is NULL in all rows, and has no type of its own.
        readable: whether the column may be read; after GROUP BY, one that is no key may not.
        note: why it may not be read; see `Schema.notes`. Of one that is not readable: a hint.
        same_as: the position of the key that the column is, if another column of the same value bears its name.
        declared: the declared type, if it is known; see `declared.py`.
        fields: whether the value may be a struct whose fields, which are not known, are columns of the relation, too.
    """

    name: str
    qualifier: tuple[str, ...] = ()
    shown: bool = True
    untyped: bool = False
    readable: bool = True
    note: str = ""
    same_as: int | None = None
    declared: TypeName | None = None
    fields: bool = False


@dataclass(frozen=True)
class Relation:
    """A query and the names of its columns.

    Attributes:
        wild: the relation is VALUES without rows: it has no rows, and whatever columns the text names.
    """

    query: Query
    names: tuple[Name, ...]
    wild: tuple[str, ...] | None = None

    def column(self, index: int, level: int = 0) -> Value:
        """The value of a column in the row of the relation, which is `level` scopes out."""
        return NULL if self.names[index].untyped else reference(self.query, index, level)

    def without_hidden(self) -> Relation:
        """The relation with the columns that belong to `*` only."""
        kept = [index for index, name in enumerate(self.names) if name.shown]
        if self.wild is not None or len(kept) == len(self.names):
            return self
        columns = tuple(reference(self.query, index) for index in kept)
        return Relation(Project(self.query, columns), tuple(self.names[index] for index in kept))

    def renamed(self, qualifier: tuple[str, ...], names: tuple[str, ...] | None = None) -> Relation:
        """The relation under another name, with other column names if they are given."""
        kept = names if names is not None else tuple(each.name for each in self.names)
        renamed = tuple(
            replace(each, name=name, qualifier=qualifier, shown=True)
            for each, name in zip(self.names, kept, strict=True)
        )
        wild = None if self.wild is None else qualifier
        return replace(self, names=renamed, wild=wild)


@dataclass(frozen=True)
class Scope:
    """The row that expressions see, inside the rows around it; and the common table expressions that are in sight."""

    relation: Relation
    around: Scope | None = None

    def levels(self) -> Iterator[tuple[int, Relation]]:
        """The relations from the innermost outwards."""
        scope: Scope | None = self
        level = 0
        while scope is not None:
            yield level, scope.relation
            scope, level = scope.around, level + 1


Tables = Mapping[str, Relation]
"""The common table expressions that are in sight, by name."""


def positions(relation: Relation, name: str, qualifier: tuple[str, ...]) -> list[int]:
    """The columns of a relation that a name may mean."""
    return [
        index
        for index, each in enumerate(relation.names)
        if each.name == name and (each.qualifier[-len(qualifier) :] == qualifier if qualifier else each.shown)
    ]


def qualifier_of(reading: QueryReading, column: Place) -> tuple[str, ...]:
    """The parts before the name of a column."""
    parts = (column.args.get("catalog"), column.args.get("db"), column.args.get("table"))
    return tuple(reading.folded(part) for part in parts if part is not None)


def has_qualifier(relation: Relation, qualifier: tuple[str, ...]) -> bool:
    """Whether a relation has columns of a table of that name."""
    return any(each.qualifier[-len(qualifier) :] == qualifier for each in relation.names) or (
        relation.wild is not None and relation.wild[-len(qualifier) :] == qualifier
    )


def find(reading: QueryReading, scope: Scope, column: Parts) -> tuple[int, Relation, int] | None:
    """Where a column is: how many rows out, the relation, and the position; None for a column that is NULL in no rows.

    Raises SourceError if there is no such column, or more than one in the innermost relation that has any.
    """
    name, qualifier = reading.folded(column.this), qualifier_of(reading, column)
    hidden = False
    for level, relation in scope.levels():
        found = positions(relation, name, qualifier)
        if found and hidden:
            hint = "qualify it, name what UNNEST makes, or give tables and columns different names"
            made = "what UNNEST makes, or of a nearer column"
            raise reading.error(column, f"{column.of.sql()} may be a field of {made}", hint)
        nearer = positions(relation, qualifier[0], ()) if qualifier else ()
        types = [each.type for each in relation.query.columns]  # of columns that are not grouped there are names alone
        hidden = hidden or any(types[index] == OPAQUE for index in nearer if index < len(types))
        hidden = hidden or (not qualifier and any(each.fields for each in relation.names))
        if len(found) > 1:
            tables = sorted({".".join(relation.names[index].qualifier) or "a query" for index in found})
            among = f" (it is in {' and in '.join(tables)})" if len(tables) > 1 else ""
            raise reading.error(column, f"the column {column.of.sql()} is ambiguous{among}")
        if found:
            name_found = relation.names[found[0]]
            if not name_found.readable:
                hint = name_found.note or "add it to GROUP BY, or aggregate it"
                raise reading.error(column, f"the column {column.of.sql()} is neither grouped nor aggregated", hint)
            require_readable(reading, name_found, column)
            return level, relation, found[0] if name_found.same_as is None else name_found.same_as
        if relation.wild is not None and (not qualifier or has_qualifier(relation, qualifier)):
            return None
    problem = unknown(reading, scope, column)
    raise UnknownNameError(problem.message, problem.path, problem.line, problem.column, problem.hint, problem.excerpt)


def require_readable(reading: QueryReading, name: Name, node: Place) -> None:
    """Raises SourceError if a column holds values that are not understood; records what is assumed of others."""
    if not name.note:
        return
    if name.note != FLOATING:
        raise reading.error(node, f"the column {name.name} cannot be read: {name.note}")
    if not reading.exact_floats:
        hint = "assume that they are exact with --assume exact-floats, or declare it DECIMAL"
        message = f"the column {name.name} holds floating-point numbers, whose sums depend on their order"
        raise reading.error(node, message, hint)
    reading.assumptions.add(Assumption.EXACT_FLOATS)


def unknown(reading: QueryReading, scope: Scope, column: Parts) -> SourceError:
    """The error of a column that no relation in scope has, with names that are near."""
    qualifier = qualifier_of(reading, column)
    relations = [relation for _, relation in scope.levels()]
    if qualifier and not any(has_qualifier(relation, qualifier) for relation in relations):
        tables = {each.qualifier[-1]: None for relation in relations for each in relation.names if each.qualifier}
        return reading.error(column, f"there is no table {'.'.join(qualifier)} here", near(qualifier[-1], tables))
    names = {
        each.name: None
        for relation in relations
        for each in relation.names
        if each.name and (not qualifier or each.qualifier[-len(qualifier) :] == qualifier)
    }
    return reading.error(column, f"there is no column {column.of.sql()}", near(reading.folded(column.this), names))


def near(name: str, names: Mapping[str, None]) -> str:
    """A hint that lists the names most like the one that was not found, or all if they are few."""
    from difflib import get_close_matches

    likely = get_close_matches(name, list(names), n=3, cutoff=0.6)
    if likely:
        return f"did you mean {' or '.join(likely)}?"
    return f"there is {', '.join(names)}" if 0 < len(names) <= 8 else ""
