"""The paper is made from records: they are complete, the figures show all of them, and the text compiles."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from tallystick.experiments.suites import load

ROOT = Path(__file__).parents[2]
OUTPUT = ROOT / "build" / "paper"


@pytest.fixture(scope="module")
def records():
    subprocess.run([sys.executable, "paper/generate.py", "1", "16"], cwd=ROOT, check=True, timeout=500)
    return json.loads((OUTPUT / "evaluation.json").read_text(encoding="utf-8"))


@pytest.mark.slow
@pytest.mark.spark
def test_records_are_complete_and_their_totals_are_sums(records):
    suites = records["suites"]
    names = ("sparklite-cav", "sparklite-tr", "errata", "beyond")
    assert {name: suite["pairs"] for name, suite in suites.items()} == {name: len(load(name)) for name in names}
    for key in ("pairs", "right", "wrong", "unknown", "equivalent", "oracles", "solver_calls"):
        assert records["all"][key] == sum(suite[key] for suite in suites.values())
    assert records["all"]["pairs"] == len(records["records"])
    assert (records["all"]["wrong"], records["all"]["oracles"]) == (0, 0)
    assert all(suites[name]["right"] == suites[name]["pairs"] for name in ("sparklite-cav", "sparklite-tr", "errata"))
    differing = [each for each in records["records"] if each["verdict"] == "inequivalent"]
    assert all(each["left"] != each["right"] for each in differing)


@pytest.mark.slow
@pytest.mark.spark
def test_tables_about_scale_cover_every_pair(records):
    generated = json.loads((OUTPUT / "generated.json").read_text(encoding="utf-8"))
    for table in generated["tables"].values():
        assert sum(each["pairs"] for each in table) == generated["total"]["pairs"] == 16
    throughput = json.loads((OUTPUT / "throughput.json").read_text(encoding="utf-8"))
    assert [each["where"] for each in throughput["rows"]][:2] == ["no Spark", "local[1]"]
    comparison = json.loads((OUTPUT / "comparison.json").read_text(encoding="utf-8"))
    assert {(each["methods"], each["pairs"], each["wrong"]) for each in comparison["rows"]} == {
        ("all", 23, 0),
        ("papers", 23, 0),
    }


@pytest.mark.slow
@pytest.mark.spark
def test_figures_need_a_style_for_every_class(records):
    code = "import figures; figures.times([{'class': 'new', 'verdict': 'equivalent', 'deciding': 1, 'auditing': 1}])"
    failed = subprocess.run([sys.executable, "-c", code], cwd=ROOT / "paper", capture_output=True, timeout=60)
    assert b"ValueError: the figures have no style for the classes new" in failed.stderr


@pytest.mark.slow
@pytest.mark.spark
def test_the_paper_compiles(records):
    subprocess.run([sys.executable, "paper/compile.py"], cwd=ROOT, check=True, timeout=300)
    assert (OUTPUT / "tallystick.pdf").read_bytes().startswith(b"%PDF-")


def test_no_result_is_typed_into_the_text():
    """Sizes, times and counts come from records: no number of two or more digits stands in the evaluation."""
    text = (ROOT / "paper" / "sections" / "evaluation.typ").read_text(encoding="utf-8")
    prose = re.sub(r"#figure\(.*?\n?\) <[\w-]+>|#[\w.]+(\(.*?\))*(\.\w+)*", "", text, flags=re.DOTALL)
    assert re.findall(r"(?<![\w-])\d{2,}(?![\w-])", prose) == []
