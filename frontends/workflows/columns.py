"""The types that an engine has of the columns of sources and wires, which flow from text to text.

To the core INTEGER is one type, and so is DECIMAL. What is known by its text alone may tell their widths and digits
apart, as `SUM(v) / 2` of an INT and of a BIGINT does: it is a function of rows with the types that the engine has.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from tallystick.core.dataflows.workflow import Opaque, Wire
from tallystick.core.queries.catalogue import Column
from tallystick.core.queries.types import TEXT
from tallystick.frontends.sql.dialects import Dialect
from tallystick.frontends.sql.exact_types import BY_MANUAL, column_type
from tallystick.frontends.sql.schema import Schema
from tallystick.frontends.sql.scopes import PADDED
from tallystick.frontends.sql.type_names import TypeName

OTHER_TEXTS: Final = re.compile(rf"\bUUID|(\bAS|::)\s*\"?NAME\b|{PADDED.pattern}", re.IGNORECASE)
"""What names a type of texts that are not compared as others are."""


class ColumnTypes:
    """The declared types of columns, by their source or wire and place."""

    def __init__(self, sources: Schema, dialect: Dialect) -> None:
        self.sources, self.dialect = sources, dialect
        self.declared = dict(sources.types)
        self.one_text = True
        for each in sources.types.values():
            self.add_text(f"AS {each.exact}")

    def add_text(self, text: str) -> None:
        """Notes a text in which a type may be named."""
        if self.dialect.name not in BY_MANUAL and OTHER_TEXTS.search(text):
            self.one_text = False

    def add(self, name: str, types: Iterable[TypeName | None]) -> None:
        """Notes the types of the columns of a wire."""
        self.declared |= {(name, place): each for place, each in enumerate(types) if each is not None}

    def add_unread(self, columns: Iterable[Column]) -> None:
        """Notes a wire whose columns are known, and their types are not: its texts may be of any type of texts."""
        if self.dialect.name not in BY_MANUAL and any(column.type == TEXT for column in columns):
            self.one_text = False

    def of_source(self, name: str) -> str:
        """What the schema says of the types of a source."""
        places = [(name, place) for place in range(len(self.sources.catalogue.by_name[name].columns))]
        found = [(each and each.exact, self.sources.notes.get(place)) for place in places for each in self._at(place)]
        return repr(found)

    def of_wire(self, wire: Wire, origin: str) -> str:
        """What names the types of a wire: `origin`, which names all that makes it, where these are not known.

        Nothing is to be said of a wire whose operator is known by its name alone: equal ones have the same rows.
        """
        if isinstance(wire.operator, Opaque):
            return ""
        found = [
            column_type(self.dialect, column.type, each, one_text=self.one_text)
            for place, column in enumerate(wire.operator.columns)
            for each in self._at((wire.table.name, place))
        ]
        return origin if None in found else repr(found)

    def _at(self, place: tuple[str, int]) -> tuple[TypeName | None]:
        return (self.declared.get(place),)
