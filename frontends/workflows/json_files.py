"""Workflows in JSON of our own: `SCHEMA` says what such a file holds, and README.md shows one."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from tallystick.core.queries.catalogue import Catalogue
from tallystick.frontends.errors import SourceError
from tallystick.frontends.sql.dialects import dialect_named
from tallystick.frontends.sql.reader import read_schema
from tallystick.frontends.sql.schema import Schema
from tallystick.frontends.sql.source import load
from tallystick.frontends.workflows.meanings import read_operators
from tallystick.frontends.workflows.operators import TYPES, Operator
from tallystick.frontends.workflows.version import Version

FORMAT: Final = "tallystick workflow"

SCHEMA: Final[dict[str, Any]] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "A version of a workflow",
    "type": "object",
    "required": ["format", "version", "sources", "operators"],
    "additionalProperties": False,
    "properties": {
        "format": {"const": FORMAT},
        "version": {"const": 1},
        "dialect": {"type": "string", "description": "what expressions mean; spark, if it is missing"},
        "sources": {"type": "string", "description": "CREATE TABLE statements, with keys and NOT NULL"},
        "operators": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["name", "type"],
                "properties": {
                    "name": {"type": "string"},
                    "type": {"enum": list(TYPES)},
                    "inputs": {"type": "array", "items": {"type": "string"}},
                },
            },
        },
    },
}
"""The JSON schema of such files. Properties of operators stand beside name, type and inputs: see `operators.TYPES`."""


@dataclass(frozen=True)
class WorkflowFile:
    """What a file says."""

    path: str
    dialect: str
    sources: str
    operators: tuple[Operator, ...]

    def read(self, schema: Schema | None = None, dialect: str | None = None, exact_floats: bool = False) -> Version:
        """The version. Raises SourceError where it is not understood.

        Args:
            schema: the sources, instead of those that the file declares.
            dialect: what expressions mean, instead of what the file says.
        """
        meaning = dialect_named(dialect or self.dialect)
        declared = read_schema(f"{self.sources}\n", meaning) if self.sources.strip() else Schema(Catalogue(()))
        sources = declared if schema is None else schema
        return read_operators(self.operators, sources, meaning, path=self.path, exact_floats=exact_floats)


def is_workflow(path: Path) -> bool:
    """Whether a file is JSON of an object that says to be a workflow of ours."""
    try:
        data = json.loads(path.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError, RecursionError):
        return False
    return isinstance(data, dict) and data.get("format") == FORMAT


def load_workflow(path: Path) -> WorkflowFile:
    """What a file says. Raises SourceError where it is not as `SCHEMA` has it."""
    name = str(path)
    try:
        data = json.loads(load(path).text)
    except (ValueError, RecursionError) as problem:
        raise SourceError(f"the workflow is no JSON: {str(problem).splitlines()[0]}", name) from None
    return workflow_from(data, name)


def workflow_from(data: Any, name: str) -> WorkflowFile:
    """What an object says that was read from JSON. Raises SourceError where it is not as `SCHEMA` has it."""
    if not isinstance(data, dict) or data.get("format") != FORMAT or data.get("version") != 1:
        raise SourceError(f'a workflow is an object with "format": "{FORMAT}" and "version": 1', name)
    for key in data:
        if key not in SCHEMA["properties"]:
            raise SourceError(f"a workflow has no {key!r}", name, hint=", ".join(SCHEMA["properties"]))
    for key in ("sources", "dialect"):
        if not isinstance(data.get(key, ""), str):
            raise SourceError(f"{key} is no text", name)
    operators = data.get("operators")
    if not isinstance(operators, list) or not isinstance(data.get("sources"), str):
        raise SourceError("a workflow has sources, a text, and operators, a list", name)
    made = tuple(_operator(each, place, name) for place, each in enumerate(operators, 1))
    return WorkflowFile(name, data.get("dialect", "spark"), data["sources"], made)


def _operator(data: Any, place: int, path: str) -> Operator:
    if not isinstance(data, dict) or not all(isinstance(data.get(key), str) for key in ("name", "type")):
        raise SourceError(f"operator {place} is no object with a name and a type", path)
    inputs = data.get("inputs", [])
    if not isinstance(inputs, list) or not all(isinstance(each, str) for each in inputs):
        raise SourceError(f"{data['name']}: inputs is a list of names", path)
    properties = {key: value for key, value in data.items() if key not in ("name", "type", "inputs")}
    return Operator(data["name"], data["type"], tuple(inputs), properties)


def to_json(sources: str, operators: tuple[Operator, ...], dialect: str = "spark") -> str:
    """The text of a file."""
    listed = [
        {"name": each.name, "type": each.type, "inputs": list(each.inputs), **each.properties} for each in operators
    ]
    data = {"format": FORMAT, "version": 1, "dialect": dialect, "sources": sources, "operators": listed}
    return json.dumps(data, indent=1, ensure_ascii=False) + "\n"
