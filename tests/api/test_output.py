"""Where results cannot be written, the verdict is shown all the same, and the status says so."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from sampling import sampled

EXAMPLES = Path(__file__).parents[2] / "examples"
GRADES = EXAMPLES / "passing_grades.py"
PAIR = [f"{GRADES}:before", f"{GRADES}:after"]
COUNTDOWN = str(Path(__file__).parents[2] / "reductions" / "examples" / "countdown.txt")
FULL = Path("/dev/full")


def shell(command: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """What a shell makes of a command that names `tallystick` as "$0" and the arguments as "$@"."""
    program = str(Path(sys.executable).with_name("tallystick"))
    return subprocess.run(["bash", "-c", command, program, *arguments], capture_output=True, text=True, check=False)


def test_standard_output_on_a_full_disk_is_status_3_with_a_sentence() -> None:
    for arguments in (["check", *PAIR], ["--help"], ["trusted"]):
        done = shell('"$0" "$@" > /dev/full', *arguments)
        assert (done.returncode, done.stderr) == (3, "error: cannot write the output: No space left on device\n")


def test_a_reader_that_goes_away_is_no_error() -> None:
    done = shell('"$0" "$@" | head -n 1; exit ${PIPESTATUS[0]}', "check", *PAIR, "--explain")
    assert (done.returncode, done.stdout, done.stderr) == (0, "equivalent: before ≡ after\n", "")


def test_closed_standard_output_is_no_error() -> None:
    done = shell('"$0" "$@" >&-', "check", *PAIR)
    assert (done.returncode, done.stderr) == (0, "")


def test_closed_standard_error_is_no_error() -> None:
    done = shell('"$0" "$@" 2>&-', "check", *PAIR)
    assert (done.returncode, done.stdout.splitlines()[0]) == (0, "equivalent: before ≡ after")


@pytest.mark.parametrize(
    "name", sampled([str(FULL), "/dev/null/certificate.json", "/proc/nothing/certificate.json"], 3)
)
def test_a_certificate_that_cannot_be_written_is_status_3_after_the_verdict(name: str) -> None:
    done = shell('"$0" "$@"', "check", *PAIR, "--certificate", name)
    assert done.returncode == 3
    assert done.stdout.startswith("equivalent: before ≡ after\n")
    assert done.stderr.startswith(f"error: cannot write {name}: ")
    assert done.stderr.count("\n") == 1


def test_other_outputs_that_cannot_be_written_are_status_3(tmp_path: Path) -> None:
    certificate = tmp_path / "certificate.json"
    shell('"$0" "$@"', "check", *PAIR, "--certificate", str(certificate))
    for arguments, shown in (
        (["explain", *PAIR, "-o", str(FULL)], ""),
        (["export", str(certificate), "/dev/null/folder"], ""),
        (["machine", COUNTDOWN, "--draw", "/dev/null/machine.png"], "machine"),
        (["suite", "sparklite-cav", "--spark", "local[1]", "--results", "/dev/null/results"], ""),
    ):
        done = shell('"$0" "$@"', *arguments)
        assert done.returncode == 3, arguments
        assert done.stdout.startswith(shown)
        assert done.stderr.startswith("error: cannot write /dev/"), done.stderr
        assert "Traceback" not in done.stderr
