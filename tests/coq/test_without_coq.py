"""Without Coq its tests are skipped by name, `make coq` says how to get it, and CI installs it from Debian."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from tallystick.certificates.exports.auditors import ROOT


def only(folder: Path, *tools: str, **scripts: str) -> dict[str, str]:
    """An environment whose PATH has these tools, and scripts of these names, and nothing else."""
    folder.mkdir()
    for tool in tools:
        (folder / tool).symlink_to(shutil.which(tool) or "")
    for name, script in scripts.items():
        path = folder / name.replace("_", "-")
        path.write_text(f"#!/bin/bash\n{script}\n")
        path.chmod(0o755)
    return {**os.environ, "PATH": str(folder)}


def test_ci_installs_coq_from_debian_where_it_is_missing(tmp_path):
    log = tmp_path / "log"
    record = f'echo "${{0##*/}} $*" >> {log}'
    environment = only(tmp_path / "bin", "bash", "dirname", "env", apt_get=record, make=record)
    done = subprocess.run([ROOT / ".ci" / "run"], env={**environment, "CI": "true"}, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    update, install, test = log.read_text().splitlines()
    assert (update, test) == ("apt-get update -qq", "make test")
    assert install.startswith("apt-get install -y -qq coq ocaml ocaml-findlib")  # and the engines that are missing


def test_ci_installs_nothing_where_coq_is_there_or_nobody_asked(tmp_path):
    log = tmp_path / "log"
    record = f'echo "${{0##*/}} $*" >> {log}'
    both = only(tmp_path / "both", "bash", "dirname", "env", apt_get=record, make=record, coqc="", ocamlfind="")
    subprocess.run([ROOT / ".ci" / "run"], env={**both, "CI": "true"}, check=True)
    none = only(tmp_path / "none", "bash", "dirname", "env", apt_get=record, make=record)
    subprocess.run([ROOT / ".ci" / "run"], env={**none, "CI": ""}, check=True)
    assert log.read_text().splitlines() == ["make test", "make test"]


def test_make_coq_says_how_to_get_it(tmp_path):
    environment = only(tmp_path / "bin", "make", "sh", "bash", "git", "grep", "echo")
    done = subprocess.run(["make", "coq"], cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "Coq 8.16 or newer and OCaml, in Debian: apt-get install coq ocaml ocaml-findlib" in done.stdout


def test_without_coq_its_tests_are_skipped_by_name(tmp_path):
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-n",
        "0",
        "-k",
        "rests_on_no_axiom",
        "tests/coq/test_development.py",
    ]
    environment = only(tmp_path / "bin", "git")
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "SKIPPED tests/coq/test_development.py::test_soundness_rests_on_no_axiom" in done.stdout
    assert "apt-get install coq ocaml ocaml-findlib" in done.stdout
