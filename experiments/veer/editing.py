"""Edits of workflows that are lists of operators, as in Veer's evaluation (section 9.1)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tallystick.frontends.workflows.operators import Operator

Operators = tuple[Operator, ...]


def operator(name: str, type_: str, *inputs: str, **properties: Any) -> Operator:
    """An operator."""
    return Operator(name, type_, inputs, properties)


def named(operators: Operators, name: str) -> Operator:
    """The operator of a name."""
    return next(each for each in operators if each.name == name)


def without(operators: Operators, name: str) -> Operators:
    """Without an operator: its readers read what it read first."""
    below = named(operators, name).inputs[0]
    return tuple(
        replace(each, inputs=tuple(below if read == name else read for read in each.inputs))
        for each in operators
        if each.name != name
    )


def inserted(operators: Operators, after: str, new: Operator) -> Operators:
    """With an operator behind another, or behind a source: it alone reads that one, and is read instead of it."""
    found: list[Operator] = []
    for each in operators:
        found.append(replace(each, inputs=tuple(new.name if read == after else read for read in each.inputs)))
        if each.name == after:
            found.append(replace(new, inputs=(after,)))
    if new.name not in {each.name for each in found}:
        found.insert(0, replace(new, inputs=(after,)))
    return tuple(found)


def with_empty_project(operators: Operators, after: str, name: str = "empty_project") -> Operators:
    """Calcite's testEmptyProject: a projection that does nothing."""
    return inserted(operators, after, operator(name, "query", after, query="SELECT * FROM input1"))


def with_filter(operators: Operators, after: str, condition: str, name: str = "new_filter") -> Operators:
    """TPC-DS: another condition."""
    return inserted(operators, after, operator(name, "filter", after, condition=condition))


def with_filter_moved(operators: Operators, name: str, after: str) -> Operators:
    """Calcite's pushFilterPastJoin, testPushFilterPastAgg or testPushProjectPastFilter: a filter that is deleted, and
    one of its condition that is inserted behind another operator."""
    moved = replace(named(operators, name), name=f"{name}_moved")
    return inserted(without(operators, name), after, moved)


def with_property(operators: Operators, name: str, **properties: Any) -> Operators:
    """With other properties of an operator."""
    return tuple(
        replace(each, properties={**each.properties, **properties}) if each.name == name else each for each in operators
    )
