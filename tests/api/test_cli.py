"""The command line: output, exit status, and messages about bad input."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from certificates.examples import sum_of_doubles
from click.testing import CliRunner, Result
from tallystick.certificates.codec import encode
from tallystick.certificates.proofs import ORACLES
from tallystick.cli import main
from tallystick.commands.audit import MEANINGS, SOLVERS
from tallystick.core.programs import SEMANTICS


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


def test_equivalent_programs_exit_with_0_and_leave_a_certificate_that_audits(jobs: Path, tmp_path: Path) -> None:
    certificate = tmp_path / "certificate.json"
    result = run("check", f"{jobs}:doubled", f"{jobs}:early", "--certificate", certificate)
    assert result.exit_code == 0
    assert result.output.startswith("equivalent: doubled ≡ early\n  class NoAgg, decided by no_agg in ")
    assert "audited: no solver has to be trusted" in result.output
    audit = run("audit", certificate, "--against", f"{jobs}:doubled", f"{jobs}:early")
    assert audit.exit_code == 0
    assert audit.output.startswith("accepted")
    other = run("audit", certificate, "--against", f"{jobs}:doubled", f"{jobs}:late")
    assert other.exit_code == 1
    assert other.output.startswith("rejected")


def test_inequivalent_programs_exit_with_1_and_show_the_input(jobs: Path) -> None:
    result = run("check", f"{jobs}:doubled", f"{jobs}:late")
    assert result.exit_code == 1
    assert result.output.splitlines()[:5] == [
        "inequivalent: doubled ≢ late",
        "  on r = [50]",
        "    doubled returns []",
        "    late    returns [100]",
        "  replayed on: reference",
    ]


def test_undecided_programs_exit_with_2(jobs: Path) -> None:
    result = run("check", f"{jobs}:squares", f"{jobs}:yes", "--timeout", "2")
    assert result.exit_code == 2
    assert result.output.startswith("unknown: squares ? yes")


def test_json_is_one_object(jobs: Path) -> None:
    assert json.loads(run("check", f"{jobs}:doubled", f"{jobs}:early", "--json").output)["verdict"] == "equivalent"


def test_explain_shows_the_rule_and_its_premises(jobs: Path) -> None:
    output = run("check", f"{jobs}:smallest", f"{jobs}:discounted", "--explain").output
    assert "FOLD" in output
    assert "Invariant:\n\n    M1 = 1000" in output


BAD = {
    "a formula that cannot be read": ("qe", "exists y. 2*y <"),
    "a missing file": ("check", "{folder}/nothing.py:f", "{jobs}:early"),
    "a missing function": ("check", "{jobs}:erly", "{jobs}:early"),
    "no function named": ("check", "{jobs}", "{jobs}:early"),
    "an unannotated parameter": ("check", "{jobs}:untyped", "{jobs}:early"),
    "an unsupported call": ("check", "{jobs}:sorted_", "{jobs}:early"),
    "a non-linear UDF": ("check", "{jobs}:squared", "{jobs}:early"),
    "a loop": ("check", "{jobs}:looped", "{jobs}:early"),
    "other parameters": ("check", "{jobs}:pairs", "{jobs}:early"),
    "an order that matters": ("check", "{jobs}:unordered", "{jobs}:size", "--semantics", "sparklite"),
    "a missing argument": ("check", "{jobs}:early"),
    "an unknown option": ("check", "{jobs}:early", "{jobs}:early", "--fast"),
    "an unknown solver": ("check", "{jobs}:early", "{jobs}:early", "--solver", "yices"),
    "an unknown suite": ("suite", "nothing"),
    "a missing certificate": ("audit", "{folder}/nothing.json"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input_exits_with_3_and_a_message_but_no_traceback(name: str, jobs: Path, tmp_path: Path) -> None:
    result = run(*(part.format(jobs=jobs, folder=tmp_path) for part in BAD[name]))
    assert result.exit_code == 3
    assert "rror: " in result.stderr
    assert "Traceback" not in result.output + result.stderr
    assert result.exception is None or isinstance(result.exception, SystemExit)


def test_messages_name_the_place_and_what_is_close(jobs: Path) -> None:
    assert "early" in run("check", f"{jobs}:erly", f"{jobs}:early").stderr
    message = run("check", f"{jobs}:squared", f"{jobs}:early").stderr
    assert f"{jobs}:14:" in message
    assert "^" in message


def test_a_file_that_is_no_certificate_is_rejected(jobs: Path) -> None:
    result = run("audit", jobs)
    assert result.exit_code == 1
    assert result.output.startswith("rejected")


def test_a_machine_that_halts_exits_with_1() -> None:
    examples = Path(__file__).parents[2] / "reductions" / "examples"
    result = run("machine", examples / "straight_line.txt")
    assert result.exit_code == 1
    assert "inequivalent: the machine halts" in result.output


def test_quantifiers_are_eliminated_on_the_command_line() -> None:
    result = run("qe", "exists y. 2*y < x and x < 2*y + 2")
    assert (result.exit_code, result.output) == (0, "2 | x + 1\n")
    assert r"\mid" in run("qe", "exists y. x = 3*y", "--format", "latex").output


def test_trusted_lists_modules_and_their_sum() -> None:
    listed, *others = (part.splitlines() for part in run("trusted").output.split("\n\n"))
    *modules, for_programs, for_queries, for_dataflows = (int(line.split()[0]) for line in listed[:-1])
    assert for_programs < for_queries < for_dataflows < sum(modules) < for_programs + for_dataflows
    assert "tallystick trusted CERTIFICATE" in listed[-1]
    for lines, reader in zip(others, ("pyspark.program", "sql.predicates"), strict=True):
        *more, whole = (int(line.split()[0]) for line in lines)
        assert sum(more) == whole
        assert any(line.endswith(f"tallystick.frontends.{reader}") for line in lines)


def test_trusted_lists_the_modules_of_a_certificate(tmp_path: Path) -> None:
    path = tmp_path / "pair.json"
    path.write_bytes(encode(sum_of_doubles()))
    first, *modules, total = run("trusted", str(path)).output.splitlines()
    assert first == f"{path}: accepted"
    assert sum(int(line.split()[0]) for line in modules) == int(total.split()[0])
    assert f"in {len(modules)} modules" in total
    assert any(line.endswith(" tallystick.certificates.rules.fold") for line in modules)
    assert not any("by_key" in line or "queries" in line for line in modules)


LIGHT = """
import sys
from click.testing import CliRunner
from tallystick.cli import main
result = CliRunner().invoke(main, sys.argv[1:])
assert result.exit_code == 0, result.output
heavy = ("z3", "cvc5", "pysmt", "sympy", "numpy", "pyspark", "matplotlib", "rich")
print([name for name in heavy if name in sys.modules])
"""


KERNEL = """
import sys
from click.testing import CliRunner
from tallystick.cli import main
result = CliRunner().invoke(main, sys.argv[1:])
assert result.exit_code == 0, result.output
parts = ("certificates", "core", "decision", "frontends")
loaded = [name for name in sys.modules if name.startswith(tuple(f"tallystick.{part}." for part in parts))]
print(*sorted(loaded))
"""


LOADED_ALWAYS = "core.errors", "core.interrupts", "core.version"


@pytest.mark.parametrize("option", ["--help", "--version"])
def test_help_and_version_import_no_kernel(option: str) -> None:
    done = subprocess.run([sys.executable, "-c", KERNEL, option], capture_output=True, text=True, check=True)
    assert set(done.stdout.split()) <= {f"tallystick.{name}" for name in LOADED_ALWAYS}


def test_choices_of_an_audit_are_those_of_the_kernel() -> None:
    assert tuple(SOLVERS.choices) == ORACLES
    assert tuple(MEANINGS.choices) == SEMANTICS


def test_help_and_audit_import_no_solver_and_no_spark(jobs: Path, tmp_path: Path) -> None:
    certificate = tmp_path / "certificate.json"
    run("check", f"{jobs}:doubled", f"{jobs}:early", "--certificate", certificate)
    for arguments in (["--help"], ["audit", str(certificate)]):
        done = subprocess.run([sys.executable, "-c", LIGHT, *arguments], capture_output=True, text=True, check=True)
        assert done.stdout.strip() == "[]"
