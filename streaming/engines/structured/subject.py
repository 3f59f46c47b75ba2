"""`@structured`: a Structured Streaming program as a subject."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from tallystick.streaming.describe import describe
from tallystick.streaming.letters import INPUT

MODES = ("append", "update", "complete")
SINKS = ("exactly once", "at least once")


@dataclass(frozen=True)
class StructuredSubject:
    """A Structured Streaming program: a function from streaming DataFrames to one, or to a dict of them by name.

    * `schemas` gives each input's columns, as DDL or as a `StructType`, by stream name. A record is a tuple of the
      columns' values, or the value itself if there is one column; so is a row of an output.
    * The output of an instant is what a sink gets in the micro-batches of that instant in `output_mode` (one for all
      outputs, or one for each by name): the batch with the data, and the batches without data that Spark runs after
      it to move the watermark on. In complete mode it is the last table.
    * `foreach_batch`, if given, is the program's own function of (DataFrame, batch id); what it returns, a DataFrame,
      is the output.
    * `settings` are Spark's, such as the class of the state store.
    * `sink` says what the sink does with a batch that comes again after a restart: one that is "exactly once" knows a
      batch by its id and replaces it, one that is "at least once" appends.
    """

    function: Callable[..., Any]
    schemas: Mapping[str, Any]
    output_mode: str | Mapping[str, str] = "append"
    foreach_batch: Callable[[Any, int], Any] | None = None
    settings: Mapping[str, str] = field(default_factory=dict)
    sink: Literal["exactly once", "at least once"] = "exactly once"

    def __post_init__(self) -> None:
        modes = (self.output_mode,) if isinstance(self.output_mode, str) else tuple(self.output_mode.values())
        for mode in modes:
            if mode not in MODES:
                raise ValueError(f"an output mode is one of {', '.join(MODES)}, not {mode!r}")
        if self.sink not in SINKS:
            raise ValueError(f"a sink is {' or '.join(map(repr, SINKS))}, not {self.sink!r}")

    def __call__(self, *streams: Any, **named: Any) -> Any:
        return self.function(*streams, **named)

    def __str__(self) -> str:
        return describe(self.function)

    def mode_of(self, output: str) -> str:
        """Return the output mode of one output."""
        if isinstance(self.output_mode, str):
            return self.output_mode
        return self.output_mode.get(output, "append")


def structured(
    schema: Any,
    output_mode: str | Mapping[str, str] = "append",
    foreach_batch: Callable[[Any, int], Any] | None = None,
    settings: Mapping[str, str] | None = None,
    sink: Literal["exactly once", "at least once"] = "exactly once",
) -> Callable[[Callable[..., Any]], StructuredSubject]:
    """Make a subject of a function of streaming DataFrames: `@structured("user long, honest boolean", "update")`.

    With a mapping, the function has several inputs, by name. Raises `ValueError` on an unknown output mode or sink.
    """
    schemas = dict(schema) if isinstance(schema, Mapping) else {INPUT: schema}
    return lambda function: StructuredSubject(function, schemas, output_mode, foreach_batch, dict(settings or {}), sink)
