"""What a workflow of Texera says: operators, with what is linked to each of their input ports."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import Any

from tallystick.frontends.errors import SourceError
from tallystick.frontends.sql.source import load


@dataclass(frozen=True)
class Box:
    """An operator, as the editor of Texera has it.

    Attributes:
        name: its type and the beginning of its number; all of it where that is not enough.
        type: as Texera calls it.
        ports: for each input port, in their order, what is linked to it: the name of an operator and its output port.
        properties: as the type has them.
    """

    name: str
    type: str
    ports: tuple[tuple[tuple[str, int], ...], ...]
    properties: Mapping[str, Any]


def is_texera(path: Path) -> bool:
    """Whether a file is JSON of operators and links, as Texera has it."""
    try:
        data = json.loads(path.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError, RecursionError):
        return False
    return _content(data) is not None


def load_content(path: Path) -> list[Box]:
    """The operators that are not disabled, each after those that it reads.

    An operator that reads a disabled one does not run either, and is left out. Raises SourceError for anything else
    than a workflow, for links that lead nowhere, and for a circle.
    """
    name = str(path)
    try:
        content = _content(json.loads(load(path).text))
    except (ValueError, RecursionError) as problem:
        raise SourceError(f"the workflow is no JSON: {str(problem).splitlines()[0]}", name) from None
    if content is None:
        raise SourceError("a workflow of Texera is an object with operators and links", name)
    return boxes(content, name)


def _content(data: Any) -> dict[str, Any] | None:
    """The operators and links of what was read: of an export, or of its part `content`, which may be a text."""
    inner = data.get("content") if isinstance(data, dict) else None
    if isinstance(inner, str):
        try:
            inner = json.loads(inner)
        except (ValueError, RecursionError):
            return None
    data = inner if isinstance(inner, dict) else data
    if not isinstance(data, dict) or not isinstance(data.get("operators"), list):
        return None
    known = all(isinstance(each, dict) and isinstance(each.get("operatorID"), str) for each in data["operators"])
    return data if known and data["operators"] and isinstance(data.get("links"), list) else None


def boxes(content: Mapping[str, Any], path: str) -> list[Box]:
    """The operators of a workflow: see `load_content`."""
    operators: dict[str, dict[str, Any]] = {}
    for data in content["operators"]:
        if not isinstance(data.get("operatorType"), str) or data["operatorID"] in operators:
            raise SourceError(f"{data['operatorID']}: its type is missing, or its number is given twice", path)
        if not data.get("isDisabled"):
            operators[data["operatorID"]] = data
    linked: dict[str, dict[int, list[tuple[str, int]]]] = {each: {} for each in operators}
    idle: set[str] = set()
    everything = {data["operatorID"] for data in content["operators"]}
    for link in content["links"]:
        source, output = _end(link, "source", path)
        target, port = _end(link, "target", path)
        for end in (source, target):
            if end not in everything:
                raise SourceError(f"a link leads to {end}, which is no operator", path)
        if target in operators:
            linked[target].setdefault(port, []).append((source, output))
            idle |= {target} if source not in operators else set()
    reads = {each: [of for ports in linked[each].values() for of, _ in ports if of in operators] for each in operators}
    try:
        order = list(TopologicalSorter(reads).static_order())
    except CycleError as error:
        circle = " reads ".join(reversed(error.args[1]))
        raise SourceError(f"operators read each other in a circle: {circle}", path) from None
    for each in order:
        idle |= {each} if any(of in idle for of in reads[each]) else set()
    names = _names(operators)
    return [_box(operators[each], linked[each], names, path) for each in order if each not in idle]


def _end(link: Any, which: str, path: str) -> tuple[str, int]:
    """The operator and the number of the port at an end of a link."""
    end = link.get(which) if isinstance(link, dict) else None
    if not isinstance(end, dict) or not isinstance(end.get("operatorID"), str):
        raise SourceError(f"a link has no {which}", path)
    return end["operatorID"], _number(end.get("portID"), path)


def _number(port: Any, path: str) -> int:
    word = port.rpartition("-")[2] if isinstance(port, str) else ""
    if not word.isdecimal() or len(word) > 3:
        raise SourceError(f"a link has the port {port!r}, which has no number", path)
    return int(word)


def _box(data: dict[str, Any], linked: dict[int, list[tuple[str, int]]], names: dict[str, str], path: str) -> Box:
    properties = data.get("operatorProperties") or {}
    if not isinstance(properties, dict):
        raise SourceError(f"{data['operatorID']}: its properties are no object", path)
    ports = data.get("inputPorts")
    declared = len(ports) if isinstance(ports, list) else 0
    count = max([declared, *(number + 1 for number in linked)])
    of = tuple(tuple((names[each], output) for each, output in linked.get(number, ())) for number in range(count))
    return Box(names[data["operatorID"]], data["operatorType"], of, properties)


def _names(operators: Mapping[str, dict[str, Any]]) -> dict[str, str]:
    """Names that stay the same from version to version: what is displayed may be changed, and the same for several."""
    short = {each: f"{data['operatorType']} {each.rpartition('operator-')[2][:8]}" for each, data in operators.items()}
    taken = list(short.values())
    return {each: name if taken.count(name) == 1 else each for each, name in short.items()}
