"""Where suites of queries come from: the suite `sql`, a file or a folder of JSON Lines, or a clone."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from tallystick.experiments.sql_suites.own_pairs import FOLDER, own_pairs
from tallystick.experiments.sql_suites.raw_formats import raw_records
from tallystick.experiments.sql_suites.records import Record, is_suite, records
from tallystick.frontends.errors import SourceError

OWN: Final = "sql"
"""The name of our own suite."""


def is_of_queries(name: str) -> bool:
    """Whether a name stands for a suite of queries: `sql`, a folder, or a file of records."""
    path = Path(name)
    return name == OWN or path.is_dir() or (path.is_file() and is_suite(path))


def records_of(name: str) -> list[Record]:
    """The pairs of a suite; raises SourceError where there are none.

    A folder is one of JSON Lines, file by file in the order of their names, or else a clone (see `raw_formats`).
    """
    if name == OWN:
        return own_records()
    path = Path(name)
    if path.is_file():
        return list(records(path))
    files = [each for each in sorted(path.iterdir()) if each.is_file() and is_suite(each)]
    found = [record for each in files for record in records(each)] or list(raw_records(path))
    if not found:
        raise SourceError("there are no pairs of queries in a format that is known", name)
    return found


def own_records() -> list[Record]:
    """Our own pairs, a suite for each theme."""
    schema = (FOLDER / "schema.sql").read_text(encoding="utf-8")
    return [
        Record(
            f"{OWN}/{pair.name.partition('/')[0]}",
            pair.name.partition("/")[2],
            {
                "id": pair.name,
                "schema": schema,
                "q1": pair.left,
                "q2": pair.right,
                "dialect": "spark",
                "expected": pair.expected,
                "semantics": "list",
            },
        )
        for pair in own_pairs()
    ]
