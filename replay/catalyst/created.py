"""Notes of what rows DataFrames are created: of such a leaf a plan says nothing but its number."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

Json = Any

CREATED: dict[int, dict[str, Json]] = {}
"""What `createDataFrame` was given, by the number of the RDD that it made: equal sources are equal rows, and `data` are
the rows, if they are few and plain."""
LARGEST_DATA = 1000
"""Rows of `createDataFrame` that are written out."""


@contextmanager
def recorded(session: Any) -> Iterator[None]:
    """Notes what `createDataFrame` is given: `CREATED`."""
    kind = type(session)
    create, convert = kind.createDataFrame, kind._createFromLocal
    converted: list[Any] = []

    def noted(own: Any, data: Any, schema: Any) -> Any:
        made = convert(own, data, schema)
        converted[:] = [made[0]]
        return made

    def recorded(own: Any, data: Any, schema: Any = None, *others: Any, **named: Any) -> Any:
        from pyspark import cloudpickle

        converted.clear()
        made = create(own, data, schema, *others, **named)
        leaf = made._jdf.queryExecution().analyzed()
        if converted and leaf.nodeName() == "LogicalRDD":
            before = jobs(own)
            rows = converted[0].collect()  # what the driver has sent, as it is: no code of a user's runs
            CREATING[0] += jobs(own) - before
            given = cloudpickle.dumps((rows, made.schema.jsonValue()))
            CREATED[leaf.rdd().id()] = {"source": f"rows {digest(given)[:16]}", **_plain_rows(rows)}
        return made

    kind.createDataFrame, kind._createFromLocal = recorded, noted
    try:
        yield
    finally:
        kind.createDataFrame, kind._createFromLocal = create, convert


CREATING = [0]
"""How many jobs were run to see what `createDataFrame` was given."""


def jobs(session: Any) -> int:
    """How many jobs the session's Spark has run."""
    return int(session._jsc.sc().dagScheduler().numTotalJobs())


def _plain_rows(rows: list[Any]) -> dict[str, Json]:
    """Rows of PySpark's internal values as texts; none if they are many, or hold others."""
    if len(rows) > LARGEST_DATA or not all(value is None or is_plain(value) for row in rows for value in row):
        return {}
    return {"data": [[None if value is None else as_text(value) for value in row] for row in rows]}


def as_text(value: Any) -> str:
    """An internal value of Spark as a text."""
    return str(value).lower() if isinstance(value, bool) else str(value if is_plain(value) else value.toString())


def is_plain(value: Any) -> bool:
    return isinstance(value, int | float | str) or type(value).__name__ == "Decimal"


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
