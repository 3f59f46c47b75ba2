"""The code of the tutorials runs, in order, as a module, and prints what the pages show."""

from __future__ import annotations

import importlib
import re
import sys
from pathlib import Path

import pytest

STREAMING = Path(__file__).parents[2] / "streaming"


def _blocks(language, page="TUTORIAL.md"):
    text = (STREAMING / page).read_text(encoding="utf-8")
    return re.findall(rf"```{language}\n(.*?)```", text, flags=re.DOTALL)


@pytest.fixture
def run(tmp_path, monkeypatch, all_examples):
    """Return a function that imports blocks of code as one module, from a file in a folder of its own."""

    def imported(blocks):
        (tmp_path / "tutorial.py").write_text("\n".join(blocks), encoding="utf-8")
        return importlib.import_module("tutorial")

    monkeypatch.syspath_prepend(tmp_path)
    yield imported
    sys.modules.pop("tutorial", None)


def test_the_code_of_the_tutorial_runs_and_prints_what_the_page_shows(run, capsys):
    tutorial = run([block for block in _blocks("python") if "# on Spark" not in block])
    printed = capsys.readouterr().out
    (table,) = _blocks("text")
    assert printed.startswith("The property is false: ")
    assert table in printed
    assert "\n100 passed of 100 cases on local" in printed
    _, _, on_proofs = printed.partition("holds for every stream (input: tuple[int, bool])")
    proved, violated, own = on_proofs.split("\nThe property is")
    assert "assuming" in proved
    assert "case = [[(7, False)], []]" in violated
    assert "case = [[Order(customer='', day=datetime.date(2000, 1, 1), amount=-51)]]" in own
    assert own.rstrip().splitlines()[-1].startswith("100 passed of 100 cases on local")
    tutorial.test_cheats_stay_banned()


@pytest.mark.spark
def test_the_whole_page_runs_with_its_last_block_on_spark(run, dstream_engine):
    """The block makes an engine by its name, which uses the SparkContext that is there."""
    blocks = _blocks("python")
    assert "# on Spark" in blocks[-1]
    tutorial = run([*blocks[:-1], blocks[-1].replace("for_all_streams", "report = for_all_streams")])
    report = tutorial.report
    assert (report.engine, report.count("passed")) == ("dstream", 20)


@pytest.mark.spark
@pytest.mark.slow
def test_the_page_on_structured_streaming_leads_from_the_bug_to_its_smallest_case(run, capsys, dstream_engine):
    run(_blocks("python", "STRUCTURED.md"))
    printed = capsys.readouterr().out
    (case,) = _blocks("text", "STRUCTURED.md")
    assert case in printed
    repaired, restarted = printed.splitlines()[-2:]
    assert repaired.startswith("20 passed of 20 cases on structured")
    assert restarted.startswith("3 passed of 3 cases on structured")
