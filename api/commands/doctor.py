"""`tallystick doctor`: what is installed, what is missing, and what to type."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import click
from tallystick import configuration

PARTS = {
    "sql": "queries, folders of models, workflows",
    "dbt": "dbt projects",
    "duckdb": "answers tried on DuckDB",
    "spark": "DataFrames, plans, answers tried on Spark",
    "solvers": "Z3 and cvc5, where our own search ends",
    "streaming": "properties of streams",
    "plots": "figures of experiments",
}
"""The extras that a user may want, with what they bring."""
PROGRAMS = {
    "git": (("git", "--version"), "tallystick changes"),
    "java": (("java", "-version"), "Spark, which needs 17 or newer"),
    "coqc": (("coqc", "--version"), "tallystick audit --with coq"),
    "ocamlfind": (("ocamlfind", "ocamlc", "-version"), "tallystick audit --with ocaml"),
}
"""Programs that commands run, how they say their versions, and what needs them."""
_REQUIREMENT = re.compile(r"""([\w.-]+)\s*(?:>=\s*([\d.]+))?[^;]*;.*extra\s*==\s*["']([\w-]+)["']""")
_NUMBER = re.compile(r"\d+(?:\.\d+)+")


@click.command()
def doctor() -> None:
    """Say what is installed, what is missing and what to type, and try a proof.

    The exit status is 0 if a pair of programs is proved equivalent here and the proof is accepted by the auditor,
    whatever is missing.
    """
    from importlib.metadata import version

    click.echo(f"tallystick {version('tallystick')}, Python {sys.version.split()[0]}, in {sys.prefix}")
    file = configuration.found(Path.cwd())
    click.echo(f"configuration: {file or 'none in this folder'}\n")
    for extra, brings in PARTS.items():
        found, missing = _libraries(extra)
        line = f"{'missing' if missing else 'ok':<8}{extra:<11}{brings}"
        click.echo(line if missing else f"{line}: {', '.join(found)}")
        if missing:
            click.echo(f"{'':19}{', '.join(missing)}; type: pip install 'tallystick[{extra}]'")
    click.echo()
    for name, (command, needs) in PROGRAMS.items():
        found_version = _version(command)
        click.echo(
            f"{'ok' if found_version else 'missing':<8}{name:<11}{needs}{f': {found_version}' * bool(found_version)}"
        )
    click.echo(f"\n{_trial()}")


def _libraries(extra: str) -> tuple[list[str], list[str]]:
    """The libraries of an extra that are there, with their versions, and what is wrong with others."""
    from importlib.metadata import PackageNotFoundError, version

    found, missing = [], []
    for name, least in _required(extra):
        try:
            installed = version(name)
        except PackageNotFoundError:
            missing.append(f"{name} is not installed")
            continue
        if _numbers(installed) < _numbers(least):
            missing.append(f"{name} {installed} is older than {least}")
        found.append(f"{name} {installed}")
    return found, missing


def _required(extra: str) -> Iterator[tuple[str, str]]:
    from importlib.metadata import requires

    for each in requires("tallystick") or ():
        if (parts := _REQUIREMENT.match(each)) and parts[3] == extra:
            yield parts[1], parts[2] or "0"


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(map(int, re.findall(r"\d+", text)[:3]))


def _version(command: tuple[str, ...]) -> str:
    """What a program says of its version; "" where there is none."""
    if shutil.which(command[0]) is None:
        return ""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    number = _NUMBER.search(done.stdout)
    return number[0] if number and not done.returncode else ""


BEFORE = "def before(r: RDD[int]):\n    return r.map(lambda x: x + 1).filter(lambda x: x > 1)\n"
AFTER = "def after(r: RDD[int]):\n    return r.filter(lambda x: x > 0).map(lambda x: x + 1)\n"


def _trial() -> str:
    """Decides a pair of programs, whose proof is audited; raises what a defect raises."""
    from tempfile import TemporaryDirectory

    from tallystick.checking import check

    started = time.perf_counter()
    with TemporaryDirectory() as folder:
        jobs = Path(folder) / "jobs.py"
        jobs.write_text(f"from pyspark import RDD\n\n\n{BEFORE}\n\n{AFTER}", encoding="utf-8")
        answer = check(f"{jobs}:before", f"{jobs}:after")
    if answer.verdict != "equivalent":
        raise RuntimeError(f"of two programs that are equivalent it is said: {answer}")
    seconds = time.perf_counter() - started
    return f"tried: a pair of programs was proved equivalent, and the proof audited, in {seconds:.2f} s"
