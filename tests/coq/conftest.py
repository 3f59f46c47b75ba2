"""The Coq development, built once for all tests that need it; without Coq these are skipped, each by its name."""

import fcntl
import shutil
import subprocess
from pathlib import Path

import pytest
from tallystick.certificates.exports.auditors import NEEDED, ROOT


@pytest.fixture(scope="session")
def development() -> Path:
    """The folder of the built development; skips where Coq or OCaml is missing, and fails where the build fails."""
    if shutil.which("coqc") is None or shutil.which("ocamlfind") is None:
        pytest.skip(f"Coq and OCaml are not installed ({NEEDED})")
    (ROOT / "build").mkdir(exist_ok=True)
    with (ROOT / "build" / "coq.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        done = subprocess.run(["make", "-C", ROOT / "coq"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    return ROOT / "coq"
