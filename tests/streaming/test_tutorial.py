"""The code of streaming/TUTORIAL.md runs, in order, and its table is the one that is printed."""

from __future__ import annotations

import linecache
import re
from pathlib import Path

import pytest

TUTORIAL = Path(__file__).parents[2] / "streaming" / "TUTORIAL.md"
BLOCKS = re.findall(r"```python\n(.*?)```", TUTORIAL.read_text(encoding="utf-8"), flags=re.DOTALL)


def run(blocks, capsys):
    """Run the blocks as one module, whose source can be looked up."""
    source = "\n".join(blocks)
    linecache.cache["<tutorial>"] = (len(source), None, source.splitlines(keepends=True), "<tutorial>")
    names = {"__name__": "tutorial"}
    exec(compile(source, "<tutorial>", "exec"), names)
    return names, capsys.readouterr().out


def test_the_code_of_the_tutorial_runs_and_finds_the_bug(capsys):
    names, printed = run([block for block in BLOCKS if "# on Spark" not in block], capsys)
    lines = printed.splitlines()
    assert lines[0].startswith("The property is false: ")
    rows = [line for line in lines if re.match(r" +\d ", line)]
    assert rows[0].startswith("    1   ('bob', False)   'bob'")
    assert re.fullmatch(r"    2   ∅ +∅ +⊥", rows[1])
    assert lines[-1].startswith("100 passed of 100 cases on local")
    names["test_cheats_stay_banned"]()


@pytest.mark.spark
def test_the_last_block_runs_on_spark(dstream_engine, capsys):
    blocks = [block for block in BLOCKS if "test_cheats" not in block and "bind" not in block]
    names, _ = run([*blocks[:-1], "on_spark = '''", "'''"], capsys)
    property_ = names["for_all_streams"](names["streams"], engine=dstream_engine, examples=3, seed=0)
    assert property_(names["banned_for_good"])(names["formula"]).check().count("passed") == 3
