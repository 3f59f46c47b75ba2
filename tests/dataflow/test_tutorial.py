"""The pages on dbt and on pipelines print what the commands print."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner
from tallystick.cli import main
from tallystick.experiments.dataflows.shop import projects, write

EXAMPLES = Path(__file__).parents[2] / "examples"


def blocks(page: str) -> list[tuple[str, str]]:
    """The commands of a page, and what it says that they print."""
    text = (EXAMPLES / page / "README.md").read_text(encoding="utf-8")
    return re.findall(r"^    \$ tallystick (dataflow .*)\n((?:    .*\n)*)", text, re.MULTILINE)


BLOCKS = blocks("dbt")


@pytest.mark.parametrize("number", range(len(BLOCKS)))
def test_a_command_prints_what_the_page_says(number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    command, shown = BLOCKS[number]
    monkeypatch.chdir(tmp_path)
    for side, models in zip(("old", "new"), projects(), strict=True):
        write(Path("shop") / side, models)
    require(command, shown)


@pytest.mark.spark
@pytest.mark.slow
def test_a_pipeline_is_compared_as_the_page_says(monkeypatch: pytest.MonkeyPatch) -> None:
    [(command, shown)] = blocks("pipeline")
    monkeypatch.chdir(EXAMPLES / "pipeline")
    require(command, shown)


def require(command: str, shown: str) -> None:
    """Fails where a command does not print the lines that are shown, in their order."""
    printed = iter(CliRunner().invoke(main, command.split()).output.splitlines())
    for line in (line[4:] for line in shown.splitlines()):
        if line != "...":
            assert line in printed, line


def test_the_page_has_three_commands() -> None:
    assert len(BLOCKS) == 3
