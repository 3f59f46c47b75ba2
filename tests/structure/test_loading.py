"""What a command loads, counted: modules are most of what a short command takes, and nothing here is timed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from certificates.examples import different_bags, sum_of_doubles
from certificates.query_samples import sample
from tallystick.certificates.codec import encode

EXAMPLES = Path(__file__).parents[2] / "examples"
QUERIES = [str(EXAMPLES / "sql" / f"{name}.sql") for name in ("shipped", "shipped_faster", "shipped_wrong", "schema")]
PROGRAMS = [f"{EXAMPLES / 'passing_grades.py'}:{name}" for name in ("before", "after", "too_strict")]
CERTIFICATES = {
    "an equivalence of programs": lambda: encode(sum_of_doubles()),
    "an inequivalence of programs": lambda: encode(different_bags()),
    "an equivalence of queries": lambda: sample("a check")[1],
    "an inequivalence of queries": lambda: sample("an outer join")[1],
}
COMMANDS: dict[str, tuple[list[str], int]] = {
    "the version": (["--version"], 14),
    "help": (["--help"], 40),
    "help for check": (["check", "--help"], 21),
    "an equivalence of programs": (["audit", "{certificate}"], 57),
    "an inequivalence of programs": (["audit", "{certificate}"], 57),
    "an equivalence of queries": (["audit", "{certificate}"], 84),
    "an inequivalence of queries": (["audit", "{certificate}"], 60),
    "equivalent queries": (["check", *QUERIES[:2], "--schema", QUERIES[3]], 294),
    "other queries": (["check", QUERIES[0], *QUERIES[2:3], "--schema", QUERIES[3]], 294),
    "equivalent programs": (["check", *PROGRAMS[:2]], 340),
    "other programs": (["check", PROGRAMS[0], PROGRAMS[2]], 340),
    "a fold": (["lint", f"{EXAMPLES / 'revenue.py'}:number_of_orders"], 333),
}
"""Each command with the most modules of Tallystick that it may load; one more is to have a reason."""
NEVER = ("asyncio", "cvc5", "duckdb", "multiprocessing", "numpy", "pyspark", "pysmt", "rich", "z3")
"""What no command loads that does not ask for it; a solver is loaded by the process of the prover alone."""
UNUSED = {
    "audit": ("email", "importlib.metadata", "sqlglot", "subprocess", "tempfile", "tallystick.decision"),
    "queries": ("tallystick.certificates.kernel", "tallystick.core.interpreter", "tallystick.frontends.pyspark"),
    "programs": ("email", "importlib.metadata", "sqlglot", "tallystick.core.queries", "tallystick.decision.queries"),
    "version": ("email", "importlib.metadata", "sqlglot", "subprocess", "tempfile", "tallystick.certificates"),
}
LOADED = """
import atexit, sys
from tallystick.start import main

begun = []
sys.addaudithook(lambda event, _: begun.append(event) if event in ("os.fork", "subprocess.Popen") else None)
atexit.register(lambda: print(",".join(["begun", *begun]), *sys.modules, file=sys.stderr))
main()
"""


def loaded(arguments: list[str]) -> tuple[list[str], set[str]]:
    """How a command starts processes, and the modules that it has loaded at its end."""
    command = [sys.executable, "-c", LOADED, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=EXAMPLES / "sql")
    assert done.returncode in (0, 1), done.stdout + done.stderr
    begun, *modules = done.stderr.splitlines()[-1].split()
    return begun.split(",")[1:], set(modules)


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_loads_what_it_needs(name: str, tmp_path: Path) -> None:
    arguments, most = COMMANDS[name]
    certificate = tmp_path / "certificate.json"
    if arguments[0] == "audit":
        certificate.write_bytes(CERTIFICATES[name]())
    begun, modules = loaded([each.format(certificate=certificate) for each in arguments])
    own = sorted(each for each in modules if each.split(".")[0] == "tallystick")
    assert len(own) <= most, own
    assert not modules & set(NEVER)
    kind = {"--version": "version", "audit": "audit", "lint": "programs"}.get(arguments[0], "")
    if arguments[0] == "check" and "--help" not in arguments:
        kind = "queries" if "--schema" in arguments else "programs"
    assert not modules & set(UNUSED.get(kind, ()))
    assert begun == (["os.fork"] if kind == "programs" else []), "no second interpreter"


ENDED = """
import atexit, gc, sys
from tallystick.start import main
atexit.register(lambda: print(gc.get_freeze_count() > 1000, gc.get_threshold()[0] > 10_000, file=sys.stderr))
main()
"""


@pytest.mark.parametrize(("arguments", "status"), [(["--version"], 0), (["audit", "missing.json"], 3)])
def test_cycles_are_hardly_looked_for_in_what_ends_soon(arguments: list[str], status: int) -> None:
    command = [sys.executable, "-c", ENDED, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr.splitlines()[-1]) == (status, "True True")
