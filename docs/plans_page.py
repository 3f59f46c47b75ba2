"""What was found of the plans of Spark's optimiser, from benchmarks/plans.json."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from tables import table
from tallystick.experiments import plans_report

RECORDED: Final = Path(__file__).parents[1] / "benchmarks" / "plans.json"
INTRODUCTION: Final = (
    "Is the plan that Spark's optimiser makes equal to the one that it was given, on all data? Suites are run by "
    "`python benchmarks/plans.py FOLDER --results RESULTS`, random queries by `tallystick plans --schema SCHEMA "
    "--random N --seed S --results FILE`; `python -m tallystick.experiments.plans_report` keeps what stands here. "
    "Times are of the processor: Spark's for analysis and optimisation, ours for reading, proof and certificate. "
    "*Operators* are those of the analysed plan and of the optimised one, *rules* those of the optimiser that changed "
    "something."
)


def plans() -> str:
    """A table of each suite, and the sums of each hunt among random queries."""
    entries = json.loads(RECORDED.read_text(encoding="utf-8"))
    return "\n\n".join(("Plans of Spark's optimiser", INTRODUCTION, *map(_entry, entries)))


def _entry(said: Mapping[str, Any]) -> str:
    parts = [f"## {said['title']}"]
    if "records" in said:
        return "\n\n".join([*parts, plans_report.table(said["records"])])
    parts.append("\n".join(f"* {line}" for line in said["totals"]))
    if said["unknown"]:
        parts.append(table(("queries", "why not"), [(str(count), why) for why, count in said["unknown"].items()]))
    return "\n\n".join(parts)
