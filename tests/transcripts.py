"""Commands in pages, with what the pages say that they print: compared whole, and written anew on request.

A command stands behind `    $ tallystick `, and what it prints below it, indented by four. In that, `…` stands for any
characters of a line and a line `...` for any lines: what may vary is marked in the text, and nothing else.

    PYTHONPATH=tests python -m transcripts        # runs all commands, and writes what they print into the pages
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from contextlib import chdir
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from click.testing import CliRunner
from tallystick.cli import main

ROOT: Final = Path(__file__).parents[1]
PAGES: Final = ("README.md", "docs/sql.md", "docs/rdd-programs.md", "examples/sql/README.md")
"""Pages whose commands need no Spark, in the order in which a reader meets them."""
RUN: Final = re.compile(r"^    \$ tallystick (.*)\n((?:    .*\n|\n(?=    (?!\$)))*)", re.MULTILINE)
_SECONDS: Final = re.compile(r"\d+\.\d\d s\b")


def runs(page: str) -> list[tuple[str, str]]:
    """The commands of a page, and what it says that each prints, without the indentation."""
    text = (ROOT / page).read_text(encoding="utf-8")
    return [(found[1], _outdented(found[2])) for found in RUN.finditer(text)]


def printed(page: str) -> Iterator[str]:
    """What the commands of a page print, one after the other, in a folder that has the examples."""
    with TemporaryDirectory() as folder, chdir(folder):
        Path("examples").symlink_to(ROOT / "examples")
        for command, _ in runs(page):
            done = CliRunner().invoke(main, shlex.split(command))
            if done.exit_code not in (0, 1, 2):
                raise RuntimeError(f"{command} ends with {done.exit_code}: {done.output}")
            yield "\n".join(line.rstrip() for line in done.output.splitlines())


def says_so(shown: str, output: str) -> bool:
    """Whether a page says what was printed."""
    parts = [re.escape(line).replace("…", ".*?") for line in shown.splitlines()]
    pattern = "\n".join(parts).replace(r"\.\.\.", r"(?:.|\n)*")
    return re.fullmatch(pattern, output) is not None


def written_anew(page: str) -> str:
    """The page with what its commands print, where it says something else; seconds and a last `...` vary."""
    outputs = printed(page)

    def anew(found: re.Match[str]) -> str:
        output, shown = next(outputs), _outdented(found[2])
        if says_so(shown, output):
            return found[0]
        lines = _SECONDS.sub("… s", output).splitlines()
        if shown.endswith("..."):
            lines = [*lines[: shown.count("\n")], "..."]
        body = "".join(f"    {line}".rstrip() + "\n" for line in lines)
        return f"    $ tallystick {found[1]}\n{body}"

    return RUN.sub(anew, (ROOT / page).read_text(encoding="utf-8"))


def _outdented(text: str) -> str:
    return "\n".join(line.removeprefix("    ") for line in text.rstrip("\n").splitlines())


if __name__ == "__main__":
    for name in PAGES:
        (ROOT / name).write_text(written_anew(name), encoding="utf-8")
