"""Writes `plans.json.gz`, the plans of the shop's queries, and those of functions, a file for each module.

`cd tests; python -m frontends.catalyst.capture [shop] [frames] [named_frames] [jobs]`
"""

from __future__ import annotations

import gzip
import importlib
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
FUNCTIONS = ("frames", "named_frames", "jobs")
"""Modules of functions that make DataFrames: each has a `SCHEMA`, `PAIRS` and `REFUSED`."""


def captured() -> dict[str, Any]:
    """The plans that are kept, by the names of their queries."""
    return json.loads(gzip.decompress(PLANS.read_bytes()))


def frames(module: str = "frames") -> dict[str, Any]:
    """The `plans` that are kept of functions, by their names, and the columns of the `tables` that they read."""
    return json.loads(gzip.decompress(_file(module).read_bytes()))


def _file(module: str) -> Path:
    return Path(__file__).with_name(f"{module}.json.gz")


def main() -> None:
    wanted = sys.argv[1:] or ["shop", *FUNCTIONS]
    with SparkPlans() as spark:
        if "shop" in wanted:
            spark.prepare([creation(table) for table in TABLES])
            plans = {name: spark.plans(query) for name, query in QUERIES.items()}
            for plan in plans.values():
                del plan["seconds"]
            PLANS.write_bytes(gzip.compress(json.dumps(plans).encode(), mtime=0))
        for module in (each for each in FUNCTIONS if each in wanted):
            _file(module).write_bytes(gzip.compress(json.dumps(_of_functions(spark, module)).encode(), mtime=0))


def _of_functions(spark: SparkPlans, module: str) -> dict[str, Any]:
    functions = importlib.import_module(f"frontends.catalyst.{module}")
    tables = declared_tables(functions.SCHEMA)
    prepared(spark, tables)
    columns = {each.table.name: spark.columns(each.table.name) for each in tables}
    names = sorted({name for pair in functions.PAIRS for name in pair} | set(functions.REFUSED))
    plans = [spark.functions([(str(functions.__file__), name)])[0] for name in names]
    kept = [{part: plan[part] for part in ("settings", "analyzed")} for plan in plans]
    return {"tables": columns, "plans": dict(zip(names, kept, strict=True))}


if __name__ == "__main__":
    main()
