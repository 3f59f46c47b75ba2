"""Writes `old_plans.json.gz`: plans that PySpark 3.3.0 and 3.4.0 make of three queries that they optimise wrongly.

`cd tests; python -m frontends.catalyst.old_spark` installs both from PyPI, in environments of their own below `build`.
"""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from tallystick.plans.schemas import declared_tables
from tallystick.plans.validating import prepared
from tallystick.replay.catalyst.process import SparkPlans

PLANS = Path(__file__).with_name("old_plans.json.gz")
ENVIRONMENTS = Path(__file__).parents[3] / "build" / "old-spark"
VERSIONS = ("3.3.0", "3.4.0")
SCHEMA = "CREATE TABLE t (id INT); CREATE TABLE x (a INT, b INT); CREATE TABLE y (c INT, d INT)"
BUGS = {
    "SPARK-41162": "WITH ids AS (SELECT DISTINCT id FROM t) SELECT a.id FROM (SELECT id + 1 AS id FROM ids) a "
    "LEFT ANTI JOIN ids b ON a.id = b.id",
    "SPARK-43098": "SELECT a, (SELECT count(*) FROM y WHERE c = a GROUP BY c) AS k FROM x",
    "SPARK-45507": "SELECT a, (SELECT sum(k) FROM (SELECT count(*) AS k FROM y WHERE c = a)) AS z FROM x",
}
WRONG = {("3.3.0", "SPARK-41162"), *((version, bug) for version in VERSIONS for bug in BUGS if bug != "SPARK-41162")}
"""Which version optimises which query wrongly."""


def python_of(version: str) -> str:
    """The interpreter of an environment that has this PySpark; it is made unless it is there."""
    folder = ENVIRONMENTS / version
    python = folder / "bin" / "python"
    if not (folder / "installed").exists():
        subprocess.run([sys.executable, "-m", "venv", "--clear", str(folder)], check=True)
        install = [str(python), "-m", "pip", "install", "--quiet", f"pyspark=={version}", "setuptools"]
        subprocess.run(install, check=True)
        (folder / "installed").touch()
    return str(python)


def captured() -> dict[str, dict[str, Any]]:
    """The plans that are kept, by version and name."""
    return json.loads(gzip.decompress(PLANS.read_bytes()))


def main() -> None:
    found: dict[str, dict[str, Any]] = {}
    for version in VERSIONS:
        with SparkPlans(python=python_of(version)) as spark:
            prepared(spark, declared_tables(SCHEMA))
            found[version] = {bug: spark.plans(query) for bug, query in BUGS.items()}
            for plans in found[version].values():
                del plans["seconds"]
    PLANS.write_bytes(gzip.compress(json.dumps(found).encode(), mtime=0))


if __name__ == "__main__":
    main()
