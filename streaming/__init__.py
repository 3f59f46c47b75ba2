"""Temporal logic and property-based testing of streams."""

from tallystick.streaming import batches, prefixes
from tallystick.streaming.engines.structured.subject import structured
from tallystick.streaming.every_stream import streams_of
from tallystick.streaming.fluent import always, at, bind, later, next_, now
from tallystick.streaming.letters import INPUT, OUTPUT, Letter
from tallystick.streaming.logic.truth import Truth
from tallystick.streaming.predicates import (
    contains,
    equal_as_bag,
    equal_as_set,
    exists_record,
    for_each_record,
    has_size,
    is_empty,
)
from tallystick.streaming.properties import Property, for_all_streams
from tallystick.streaming.report import Report, Settings
from tallystick.streaming.stateful import map_with_state

__all__ = [
    "INPUT",
    "OUTPUT",
    "Letter",
    "Property",
    "Report",
    "Settings",
    "Truth",
    "always",
    "at",
    "batches",
    "bind",
    "contains",
    "equal_as_bag",
    "equal_as_set",
    "exists_record",
    "for_all_streams",
    "for_each_record",
    "has_size",
    "is_empty",
    "later",
    "map_with_state",
    "next_",
    "now",
    "prefixes",
    "streams_of",
    "structured",
]
