"""`map_with_state`: keyed state with an output for every record, on PySpark and on the local engine.

Spark's `mapWithState` exists in Scala and Java only. This is the same operation, made from `updateStateByKey`. Unlike
Spark, which looks for keys whose time is over only when it writes a checkpoint, it ends them in the first batch in
which they may end.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple


class _Remembered(NamedTuple):
    """What is kept of a key: its state, None when it is forgotten, and what the last batch put out."""

    key: Any
    state: Any
    outputs: list[Any]
    idle_batches: int = 0


def map_with_state(
    stream: Any,
    function: Callable[[Any, Any, Any], tuple[Any, Any]],
    initial: Any = None,
    timeout: int | None = None,
    on_timeout: Callable[[Any, Any], Any] | None = None,
) -> Any:
    """Return a stream with one output for each record (key, value) of the input.

    `function(key, value, state)` gets the key's state, None at first, and returns the new state (None
    forgets the key) and the output. Keys without a record in a batch keep their state and give no output.
    The records of one key in one batch come in no particular order.

    `initial` has the states before the first batch, as pairs (key, state) or an RDD of them. A key that has had no
    record for more than `timeout` batches is forgotten; `on_timeout(key, state)`, if given, is put out then.
    """

    def update(records: list[tuple[Any, Any]], before: _Remembered | None) -> _Remembered | None:
        state = before.state if before else None
        if not records:
            return None if before is None or state is None else idle(before)
        outputs = []
        for key, value in records:
            state, output = function(key, value, state)
            outputs.append(output)
        return _Remembered(records[0][0], state, outputs)

    def idle(before: _Remembered) -> _Remembered | None:
        batches = before.idle_batches + 1
        if timeout is None or batches <= timeout:
            return _Remembered(before.key, before.state, [], batches)
        return _Remembered(before.key, None, [on_timeout(before.key, before.state)]) if on_timeout else None

    def remembered(pair: tuple[Any, Any]) -> tuple[Any, _Remembered]:
        return pair[0], _Remembered(pair[0], pair[1], [])

    before_all = None
    if initial is not None:
        before_all = initial.map(remembered) if hasattr(initial, "map") else [remembered(pair) for pair in initial]
    keyed = stream.map(lambda record: (record[0], record))
    return keyed.updateStateByKey(update, initialRDD=before_all).flatMap(lambda pair: pair[1].outputs)
