"""Every number, table and figure of the paper, from records of experiments: build/paper/.

    python paper/generate.py [REPETITIONS [PAIRS]]

    evaluation.json   a record for each pair of each suite, and totals
    errata.json       the pairs of the errata on which programs differ, with their inputs and values
    partitions.json   a fold that depends on partitions, with two of them
    generated.json    what generated pairs cost, by their size
    comparison.json   sets of methods with each solver
    throughput.json   pairs in a second, without Spark and by the number of its cores
    readings.json     how the texts of the conformance table came out, by engine
    queries.json      the suite of SQL queries, by theme, and what becomes of traps
    trusted.json      the modules that an audit of programs relies on, with their numbers of lines
    times.svg, sizes.svg, reached.svg

Times are medians over the repetitions; pairs are generated for the tables about cost and throughput. Needs Java.
"""

from __future__ import annotations

import json
import platform
import sys
from pathlib import Path
from typing import Any

import figures
from queries import query_records
from readings import reading_records
from runs import by_size, decided, row, total, totals
from tallystick.certificates.trusted import all_of
from tallystick.decision.prover import SOLVERS
from tallystick.experiments.comparison import METHOD_SETS
from tallystick.experiments.questions import Options, questions_of_suite
from tallystick.experiments.throughput import measured
from tallystick.linting import lint

ROOT = Path(__file__).parents[1]
OUTPUT = ROOT / "build" / "paper"
SUITES = ("sparklite-cav", "sparklite-tr", "errata", "beyond")
COMPARED = "sparklite-cav"
COUNTING = ROOT / "examples" / "revenue.py"
REPETITIONS, PAIRS, SEED = 3, 200, 1


def write(name: str, content: Any) -> None:
    """Writes a record file."""
    (OUTPUT / name).write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def comparison() -> list[dict[str, Any]]:
    """Totals for each set of methods with each solver."""
    questions = questions_of_suite(COMPARED)
    return [
        {"methods": methods, "solver": solver, **total(decided(questions, Options(solver, METHOD_SETS[methods])))}
        for methods in ("all", "papers")
        for solver in SOLVERS
    ]


def partitions() -> dict[str, Any]:
    """What Spark's fold makes of one bag in two partitionings."""
    [finding] = lint(f"{COUNTING}:number_of_orders").to_json()["findings"]
    return finding["witness"]


def main(repetitions: int = REPETITIONS, pairs: int = PAIRS) -> None:
    """Runs everything and writes all files."""
    OUTPUT.mkdir(parents=True, exist_ok=True)
    records = [each for suite in SUITES for each in decided(questions_of_suite(suite), Options(), repetitions)]
    setting = {"python": platform.python_version(), "repetitions": repetitions}
    write("evaluation.json", {"run": setting, "records": records, **totals(records, SUITES)})
    write("errata.json", [each for each in records if each["suite"] == "errata" and "input" in each])
    write("partitions.json", partitions())
    runs = dict(measured(pairs, SEED))
    speeds = [{"where": where, "speed": run.speed, "overhead": run.overhead} for where, run in runs.items()]
    write("throughput.json", {"pairs": pairs, "rows": speeds})
    generated = [row([record]) for record in next(iter(runs.values())).records]
    write("generated.json", {"seed": SEED, "total": total(generated), "tables": by_size(generated)})
    write("comparison.json", {"suite": COMPARED, "rows": comparison()})
    write("readings.json", reading_records())
    write("queries.json", query_records())
    write("trusted.json", all_of("programs"))
    figures.times(records).savefig(OUTPUT / "times.svg")
    figures.sizes(records).savefig(OUTPUT / "sizes.svg")
    figures.reached().savefig(OUTPUT / "reached.svg")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:3]))
