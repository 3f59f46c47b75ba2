"""Writes `plans.json.gz`, the plans of the shop's queries, and `frames.json.gz`, those of the functions of `frames.py`.

`cd tests; python -m frontends.catalyst.capture [frames]`
"""

from __future__ import annotations

import gzip
import json
import sys
from pathlib import Path
from typing import Any

from tallystick.frontends.catalyst.data import creation
from tallystick.plans.schemas import declared_tables
from tallystick.plans.validating import prepared
from tallystick.replay.catalyst.process import SparkPlans

from frontends.catalyst.shop import QUERIES, TABLES

PLANS = Path(__file__).with_name("plans.json.gz")
FRAMES = Path(__file__).with_name("frames.json.gz")


def captured() -> dict[str, Any]:
    """The plans that are kept, by the names of their queries."""
    return json.loads(gzip.decompress(PLANS.read_bytes()))


def frames() -> dict[str, Any]:
    """The `plans` that are kept of functions, by their names, and the columns of the `tables` that they read."""
    return json.loads(gzip.decompress(FRAMES.read_bytes()))


def main() -> None:
    with SparkPlans() as spark:
        if sys.argv[1:] != ["frames"]:
            spark.prepare([creation(table) for table in TABLES])
            plans = {name: spark.plans(query) for name, query in QUERIES.items()}
            for plan in plans.values():
                del plan["seconds"]
            PLANS.write_bytes(gzip.compress(json.dumps(plans).encode(), mtime=0))
        FRAMES.write_bytes(gzip.compress(json.dumps(_of_functions(spark)).encode(), mtime=0))


def _of_functions(spark: SparkPlans) -> dict[str, Any]:
    from frontends.catalyst import frames as functions

    tables = declared_tables(functions.SCHEMA)
    prepared(spark, tables)
    columns = {each.table.name: spark.columns(each.table.name) for each in tables}
    names = sorted({name for pair in functions.PAIRS for name in pair} | set(functions.REFUSED))
    plans = spark.functions([(str(functions.__file__), name) for name in names])
    kept = [{part: plan[part] for part in ("settings", "analyzed")} for plan in plans]
    return {"tables": columns, "plans": dict(zip(names, kept, strict=True))}


if __name__ == "__main__":
    main()
