"""Segmentations: parts of both versions that no valid covering window spans (section 7.1)."""

from __future__ import annotations

from collections.abc import Callable

from tallystick.dataflow.veer.mapping import Mapping, merged
from tallystick.dataflow.veer.search import Search
from tallystick.dataflow.veer.windows import Window


def one_segment(mapping: Mapping) -> tuple[Window, ...]:
    """Everything as one segment."""
    return (frozenset(mapping.units),)


def unions_of_windows(mapping: Mapping, search: Search) -> tuple[Window, ...]:
    """For each edit the union of its maximal covering windows; those that overlap are one. Raises OutOfBudgetError."""
    whole = frozenset(mapping.units)
    unions = [edit.union(*search.maximal_windows(whole, edit)) for edit in mapping.edits]
    return merged(unions)


def between_unsupported(mapping: Mapping, supported: Callable[[Window], bool]) -> tuple[Window, ...]:
    """What is joined without an operator that no verifier supports. Such an operator is a segment only if edited."""
    edited = frozenset().union(*mapping.edits)
    kept = {unit for unit in mapping.units if unit in edited or supported(frozenset((unit,)))}
    segments: list[Window] = []
    while kept:
        pending, found = [next(unit for unit in mapping.units if unit in kept)], set()
        while pending:
            unit = pending.pop()
            if unit in kept:
                kept.remove(unit)
                found.add(unit)
                pending += mapping.neighbours[unit]
        segments.append(frozenset(found))
    return tuple(segments)
