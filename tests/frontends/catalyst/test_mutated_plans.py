"""Nothing of a plan is dropped: with another value of any field it reads otherwise, or is refused."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from tallystick.core.queries.syntax import Statement
from tallystick.frontends.catalyst.harmless import ANYWHERE, HARMLESS
from tallystick.frontends.catalyst.reader import relation_of, statement
from tallystick.frontends.catalyst.reading import PlanReading, Settings
from tallystick.frontends.errors import SourceError

from frontends.catalyst.capture import FUNCTIONS, captured, frames

Json = Any
REFUSED = (SourceError, ValueError, TypeError, LookupError, AttributeError)
"""Spark writes no plan with such lists and numbers: that they are no plan is all that is asked for."""


MEANS_THE_SAME = {
    ("CreateArray", "useStringTypeWhenEmpty"): "of an array with elements",
    ("GetArrayItem", "failOnError"): "of what a pivot makes",
    ("Size", "legacySizeOfNull"): "of what an aggregate collects, which is never NULL",
    ("Count", "children"): "COUNT of what is never NULL counts all rows",
    ("Like", "escapeChar"): "of a pattern without it",
    ("Literal", "value"): "the name of a field of a struct",
    ("LogicalRDD", "source"): "the rows are known",
    ("StaticInvoke", "arguments"): "what Spark makes of a CHAR column is not looked at",
    ("SpecifiedWindowFrame", "upper"): "Spark fixes the frame of RANK and the like",
    **{("UnixTimestamp", field): "of a moment, which is no text" for field in ("format", "failOnError")},
    ("WindowSpecDefinition", "frameSpecification"): "Spark fixes the frame of RANK and the like",
}
"""Fields that are read where they matter, and why they do not in some of the plans."""


def plans() -> Iterator[tuple[Settings, list[Json]]]:
    for each in captured().values():
        for part in ("analyzed", "optimized"):
            yield Settings.from_json(each["settings"]), each[part]
    for module in FUNCTIONS:
        for each in frames(module)["plans"].values():
            yield Settings.from_json(each["settings"]), each["analyzed"]


def read(settings: Settings, plan: list[Json]) -> Statement:
    return statement(relation_of(PlanReading(settings, {}), plan))


def objects(value: Json) -> Iterator[dict[str, Json]]:
    """The nodes in a value of JSON."""
    if isinstance(value, list):
        for each in value:
            yield from objects(each)
    elif isinstance(value, dict):
        if "class" in value:
            yield value
        if not isinstance(value.get("replacement"), int):  # Spark evaluates the child alone
            for each in value.values():
                yield from objects(each)


def others(value: Json, children: int) -> Iterator[Json]:
    """Other values that a field might have."""
    match value:
        case bool():
            yield not value
        case None:
            yield True
        case int() if 0 <= value < children:
            yield from (place for place in range(children) if place != value)
        case int():
            yield value + 1
        case str():
            yield value + "x"
        case {"value": plain}:  # of an expression that is known by its name
            yield {"value": [plain, "x"]}
        case [] | {}:
            yield [[{"class": "an.Unknown", "num-children": 0}]]
        case list():
            yield []
        case {"object": _}:
            yield {"object": "an.Unknown$"}


def _is_equal_child(plan: list[Json], node: dict[str, Json], one: Json, other: Json) -> bool:
    """Whether two numbers of children name equal ones."""
    if type(one) is not int or type(other) is not int or other >= node["num-children"]:
        return False
    forest = next(each for each in lists(plan) if any(part is node for part in each))
    place = next(index for index, part in enumerate(forest) if part is node)
    children = []
    start = place + 1
    for _ in range(node["num-children"]):
        end, missing = start, 1
        while missing:
            missing += forest[end]["num-children"] - 1
            end += 1
        children.append(forest[start:end])
        start = end
    return children[one] == children[other]


def lists(value: Json) -> Iterator[list[Json]]:
    """The lists in a value of JSON."""
    if isinstance(value, list):
        yield value
        for each in value:
            yield from lists(each)
    elif isinstance(value, dict):
        for each in value.values():
            yield from lists(each)


def test_each_field_of_each_node_is_read_or_refused_or_listed_as_harmless() -> None:
    met, dropped = set[tuple[str, str, str]](), list[str]()
    for settings, plan in plans():
        try:
            before = read(settings, plan)
        except SourceError:
            continue
        for node in objects(plan):
            kind = node["class"].rpartition(".")[2].removesuffix("$")
            for name, value in list(node.items()):
                key = kind, name, json.dumps(value)[:40]
                if name in ANYWHERE or name in HARMLESS.get(kind, ()) or key in met or "replacement" in node:
                    continue
                met.add(key)
                for other in others(value, node["num-children"]):
                    if _is_equal_child(plan, node, value, other):
                        continue
                    node[name] = other
                    try:
                        same = read(settings, plan) == before
                    except REFUSED:
                        same = False
                    if same and (kind, name) not in MEANS_THE_SAME:
                        dropped.append(f"{kind}.{name}: {json.dumps(value)[:60]} as {json.dumps(other)}")
                node[name] = value
    assert len(met) > 380
    assert sorted(dropped) == []


def test_what_is_harmless_is_so_for_classes_that_are_read() -> None:
    assert all(fields and not fields & ANYWHERE for fields in HARMLESS.values())
