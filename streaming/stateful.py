"""`map_with_state`: keyed state with an output for every record, on PySpark and on the local engine.

Spark's `mapWithState` exists in Scala and Java only. This is the same operation, made from
`updateStateByKey`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def map_with_state(stream: Any, function: Callable[[Any, Any, Any], tuple[Any, Any]]) -> Any:
    """Return a stream with one output for each record (key, value) of the input.

    `function(key, value, state)` gets the key's state, None at first, and returns the new state (None
    forgets the key) and the output. Keys without a record in a batch keep their state and give no output.
    The records of one key in one batch come in no particular order.
    """

    def update(records: list[tuple[Any, Any]], remembered: tuple[Any, list[Any]] | None) -> Any:
        state = remembered[0] if remembered else None
        outputs = []
        for key, value in records:
            state, output = function(key, value, state)
            outputs.append(output)
        return None if state is None and not outputs else (state, outputs)

    keyed = stream.map(lambda record: (record[0], record))
    return keyed.updateStateByKey(update).flatMap(lambda pair: pair[1][1])
