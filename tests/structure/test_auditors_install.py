"""What `pip install tallystick` gives: the core and the auditor, small, and without any solver or Spark."""

from __future__ import annotations

import shutil
import subprocess
import sys
import venv
from pathlib import Path

import pytest
from tallystick import check

ROOT = Path(__file__).parents[2]
GRADES = ROOT / "examples" / "passing_grades.py"
PAIR = f"{GRADES}:before", f"{GRADES}:after"
MEGABYTES = 10
pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("auditors_install")]


def _size(folder: Path) -> int:
    return sum(path.lstat().st_size for path in folder.rglob("*") if path.is_file() and not path.is_symlink())


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, int]:
    """The programs of a fresh environment with Tallystick alone, installed as the README says, and its bytes before."""
    folder = tmp_path_factory.mktemp("auditor")
    source, made = folder / "source", folder / "environment"
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    for name in listed.stdout.splitlines():
        if (ROOT / name).is_file():
            (source / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, source / name)
    wheel = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "--wheel-dir"]
    subprocess.run([*wheel, str(folder), str(source)], check=True, capture_output=True)
    venv.create(made, with_pip=True)
    before = _size(made)
    [built] = folder.glob("*.whl")
    install = [made / "bin" / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*install, "--no-compile", built], check=True, capture_output=True)
    return made / "bin", before


def _run(environment: tuple[Path, int], *arguments: object) -> subprocess.CompletedProcess[str]:
    command = [environment[0] / "tallystick", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=environment[0])


def test_it_brings_click_alone(environment):
    listed = subprocess.run([environment[0] / "pip", "list"], capture_output=True, text=True, check=True).stdout
    names = {line.split()[0].lower() for line in listed.splitlines()[2:]}
    assert names - {"pip", "setuptools"} == {"click", "tallystick"}


def test_it_audits_a_certificate(environment, tmp_path: Path):
    certificate = check(*PAIR).certificate
    assert certificate is not None
    path = tmp_path / "certificate.json"
    path.write_bytes(certificate)
    done = _run(environment, "audit", path, "--against", *PAIR)
    assert (done.returncode, done.stdout.splitlines()[0]) == (0, "accepted  every step holds"), done.stderr
    path.write_bytes(certificate.replace(b'["constant",60]', b'["constant",61]'))
    assert _run(environment, "audit", path).returncode == 1


def test_it_decides_what_needs_no_solver(environment):
    done = _run(environment, "check", *PAIR)
    assert (done.returncode, done.stdout.splitlines()[0]) == (0, "equivalent: before ≡ after"), done.stderr


def test_it_takes_less_than_10_megabytes_with_what_python_compiled_for_an_audit(environment):
    assert _run(environment, "trusted").returncode == 0
    assert _size(environment[0].parent) - environment[1] < MEGABYTES * 2**20


NEEDS = {
    "solvers": ("z3 is not", "check", "--solver", "z3", *PAIR),
    "spark": ("PySpark is missing", "check", "--replay", "spark", PAIR[0], f"{GRADES}:too_strict"),
    "plots": ("matplotlib is not", "machine", "--draw", "m.png", ROOT / "reductions" / "examples" / "countdown.txt"),
    "streaming": ("hypothesis is not", "reproduce", "sscheck"),
}


@pytest.mark.parametrize("extra", NEEDS)
def test_a_command_names_the_extra_that_it_lacks(environment, extra: str):
    what, *arguments = NEEDS[extra]
    done = _run(environment, *arguments)
    assert done.returncode == 3
    assert done.stderr.startswith(f"error: {what}"), done.stderr
    assert f"pip install 'tallystick[{extra}]'" in done.stderr
    assert "Traceback" not in done.stderr
