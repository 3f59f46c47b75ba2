"""Tests of a dbt project, as what is assumed of rows: keys, NOT NULL, and foreign keys.

A test counts only if it stops a run when it fails, and looks at all rows: tests that merely warn, have a `where`, a
`limit` or a tolerance, or are the project's own under a known name, are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from tallystick.frontends.dbt.manifest import Part
from tallystick.frontends.workflows.models import Reference

OWN = re.compile(r"macro\.(?!dbt\.|dbt_)\w+\.(\w+__)?test_")
"""Macros of tests that a project has put in the place of dbt's or of a package's, by their unique ids."""


@dataclass
class Tested:
    """What the tests of a model or source say of its rows, by names of columns."""

    keys: list[tuple[str, ...]] = field(default_factory=list)
    not_null: list[str] = field(default_factory=list)
    references: list[Reference] = field(default_factory=list)


def tested(nodes: Iterable[Part], names: dict[str, str]) -> dict[str, Tested]:
    """What is assumed of each model and source, by its unique id; `names` are what these are called."""
    found: dict[str, Tested] = {}
    for node in nodes:
        if node.text("resource_type") == "test" and counts(node):
            for of, keys, filled, references in _said(node, names):
                known = found.setdefault(of, Tested())
                known.keys += keys
                known.not_null += filled
                known.references += references
    return found


def counts(test: Part) -> bool:
    """Whether a test stops a run, and looks at all rows."""
    config = test.part("config")
    if config.data.get("enabled") is False or config.text("severity").lower() == "warn":
        return False
    always = str(config.data.get("error_if") or "!= 0").replace(" ", "") in ("!=0", ">0", "<>0")
    always &= not any(OWN.match(each) for each in test.part("depends_on").texts("macros"))
    always &= str(config.data.get("fail_calc") or "count(*)").replace(" ", "").lower() == "count(*)"
    return always and not any(config.data.get(key) for key in ("where", "limit"))


Said = tuple[str, list[tuple[str, ...]], list[str], list[Reference]]


def _said(test: Part, names: dict[str, str]) -> Iterator[Said]:
    metadata = test.part("test_metadata")
    given = metadata.part("kwargs")
    arguments = given.part("arguments") if isinstance(given.data.get("arguments"), dict) else given
    column = given.text("column_name") or arguments.text("column_name") or test.text("column_name")
    depends = [each for each in test.part("depends_on").texts("nodes") if each in names]
    attached = test.text("attached_node")
    of = attached if attached in names else depends[-1] if depends else ""
    name = f"{metadata.text('namespace')}.{metadata.text('name')}".lstrip(".")
    if not of:
        return
    if name in ("unique", "dbt.unique") and column.isidentifier():
        yield of, [(column,)], [], []
    elif name in ("not_null", "dbt.not_null") and column.isidentifier():
        yield of, [], [column], []
    elif name in ("relationships", "dbt.relationships") and column.isidentifier():
        targets = [each for each in depends if each != of] or [each for each in depends if depends.count(each) > 1]
        to = arguments.text("field")
        if len(set(targets)) == 1 and to.isidentifier():
            yield of, [], [], [Reference(column, names[targets[0]], to)]
    elif name == "dbt_utils.unique_combination_of_columns":
        columns = arguments.texts("combination_of_columns")
        if columns and all(each.isidentifier() for each in columns):
            yield of, [tuple(columns)], [], []
