"""Commands in pages, with what the pages say that they print: compared whole, and written anew on request.

A command stands behind `    $ `, and what it prints below it, indented by four: `tallystick`, or a module of Tallystick
that Python runs. In what is printed, `…` stands for any characters of a line and a line `...` for any lines: what may
vary is marked in the text, and nothing else.

    PYTHONPATH=tests python -m transcripts        # runs all commands, and writes what they print into the pages
"""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from contextlib import chdir
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from click.testing import CliRunner
from tallystick.cli import main

ROOT: Final = Path(__file__).parents[1]
PAGES: Final = (
    "README.md",
    "docs/first-hour/engineer.md",
    "docs/first-hour/teacher.md",
    "docs/first-hour/auditor.md",
    "docs/sql.md",
    "docs/rdd-programs.md",
    "examples/sql/README.md",
    "examples/dbt/README.md",
)
"""Pages whose commands need no Spark, in the order in which a reader meets them."""
SPARK_PAGES: Final = ("docs/dataframes.md", "examples/pipeline/README.md")
RUN: Final = re.compile(
    r"^    \$ ((?:tallystick|python -m tallystick\.\S+) .*)\n((?:    (?!\$ ).*\n|\n(?=    (?!\$)))*)", re.MULTILINE
)
_FILES: Final = re.compile(r"^python|^tallystick (?!check|lint)|--certificate|--script")
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
            output = _output(command) if _FILES.search(command) else _same_everywhere(command)
            yield "\n".join(line.rstrip() for line in output.splitlines())


@cache
def _same_everywhere(command: str) -> str:
    """What a command prints that leaves no file and reads those of the examples alone."""
    return _output(command)


def _output(command: str) -> str:
    """What a command prints; raises RuntimeError where it fails."""
    program, *arguments = shlex.split(command)
    if program == "python":
        return subprocess.run([sys.executable, *arguments], capture_output=True, text=True, check=True).stdout
    done = CliRunner().invoke(main, arguments)
    if done.exit_code not in (0, 1, 2):
        raise RuntimeError(f"{command} ends with {done.exit_code}: {done.output}")
    return done.stdout


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
        return f"    $ {found[1]}\n{body}"

    return RUN.sub(anew, (ROOT / page).read_text(encoding="utf-8"))


def _outdented(text: str) -> str:
    return "\n".join(line.removeprefix("    ") for line in text.rstrip("\n").splitlines())


if __name__ == "__main__":
    for name in (*PAGES, *SPARK_PAGES):
        (ROOT / name).write_text(written_anew(name), encoding="utf-8")
