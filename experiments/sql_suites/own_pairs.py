"""The suite `sql`: pairs of our own, in the files of the folder `own`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tallystick.frontends.errors import SourceError
from tallystick.frontends.sql.dialects import SPARK
from tallystick.frontends.sql.reader import SqlPair, read_pair, read_schema
from tallystick.frontends.sql.schema import Schema
from tallystick.frontends.sql.source import SqlText

FOLDER: Final = Path(__file__).with_name("own")

_HEADER = re.compile(r"^-- pair: (\S+)\s+(equivalent|inequivalent)\n", re.MULTILINE)


@dataclass(frozen=True)
class OwnPair:
    """A pair of the suite.

    Attributes:
        name: the theme and the name, as in "joins/self-join-on-the-key".
        left, right: the texts of the queries, in Spark's SQL.
        expected: "equivalent" or "inequivalent".
    """

    name: str
    left: str
    right: str
    expected: str

    def read(self) -> SqlPair:
        """The statements."""
        return read_pair(
            SqlText(self.left, f"{self.name}, left"), SqlText(self.right, f"{self.name}, right"), own_schema(), SPARK
        )


def own_schema() -> Schema:
    """The tables of the suite."""
    return read_schema(FOLDER / "schema.sql", SPARK)


def own_pairs() -> list[OwnPair]:
    """The pairs, theme by theme."""
    found = []
    for path in sorted(FOLDER.glob("*.sql")):
        if path.name != "schema.sql":
            found += _pairs(path)
    return found


def _pairs(path: Path) -> list[OwnPair]:
    parts = _HEADER.split(path.read_text(encoding="utf-8"))[1:]
    found = []
    for name, expected, body in zip(parts[::3], parts[1::3], parts[2::3], strict=True):
        left, between, right = body.partition("\n-- and\n")
        if not between:
            raise SourceError(f"the pair {name} has one query", str(path))
        found.append(OwnPair(f"{path.stem}/{name}", left.strip(), right.strip(), expected))
    return found
