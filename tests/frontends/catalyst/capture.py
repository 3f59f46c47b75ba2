"""Writes `plans.json.gz`, the plans of the shop's queries: `cd tests; python -m frontends.catalyst.capture`."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

from tallystick.frontends.catalyst.data import creation
from tallystick.replay.catalyst.process import SparkPlans

from frontends.catalyst.shop import QUERIES, TABLES

PLANS = Path(__file__).with_name("plans.json.gz")


def captured() -> dict[str, Any]:
    """The plans that are kept, by the names of their queries."""
    return json.loads(gzip.decompress(PLANS.read_bytes()))


def main() -> None:
    with SparkPlans() as spark:
        spark.prepare([creation(table) for table in TABLES])
        plans = {name: spark.plans(query) for name, query in QUERIES.items()}
    for plan in plans.values():
        del plan["seconds"]
    PLANS.write_bytes(gzip.compress(json.dumps(plans).encode(), mtime=0))


if __name__ == "__main__":
    main()
