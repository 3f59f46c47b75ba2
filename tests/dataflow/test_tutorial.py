"""The page on dbt prints what the commands print."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner
from tallystick.cli import main
from tallystick.experiments.dataflows.shop import projects, write

PAGE = Path(__file__).parents[2] / "examples" / "dbt" / "README.md"
BLOCKS = re.findall(
    r"^    \$ tallystick (dataflow .*)\n((?:    .*\n)*)", PAGE.read_text(encoding="utf-8"), re.MULTILINE
)


@pytest.mark.parametrize("number", range(len(BLOCKS)))
def test_a_command_prints_what_the_page_says(number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    command, shown = BLOCKS[number]
    monkeypatch.chdir(tmp_path)
    for side, models in zip(("old", "new"), projects(), strict=True):
        write(Path("shop") / side, models)
    printed = iter(CliRunner().invoke(main, command.split()).output.splitlines())
    for line in (line[4:] for line in shown.splitlines()):
        if line != "...":
            assert line in printed, line


def test_the_page_has_three_commands() -> None:
    assert len(BLOCKS) == 3
