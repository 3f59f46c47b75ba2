"""Runs of the command line that are ended from outside, and what they leave running."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
import uuid
from pathlib import Path

SECONDS = 60.0
_MARK = "TALLYSTICK_TEST_RUN"
"""A variable of the environment that all descendants of a run inherit, whatever sessions they make."""


def stopped(arguments: list[str], number: signal.Signals, results: Path, awaited: str) -> tuple[int, str]:
    """Exit status and output of a run that gets a signal once `results` has a file of the name `awaited`.

    An interrupt goes to all processes of the group, as from a terminal; any other signal to the driver alone. Raises
    AssertionError when a descendant of the run is still there afterwards.
    """
    command = [str(Path(sys.executable).with_name("tallystick")), *arguments]
    mark = uuid.uuid4().hex
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
        env={**os.environ, _MARK: mark},
    ) as process:
        while not any(results.glob(awaited)) and process.poll() is None:
            time.sleep(0.02)
        assert process.poll() is None, process.communicate()[0]
        (os.killpg if number is signal.SIGINT else os.kill)(process.pid, number)
        output, _ = process.communicate(timeout=SECONDS)
    deadline = time.monotonic() + SECONDS
    while left := _marked(mark):
        assert time.monotonic() < deadline, f"still running: {left}"
        time.sleep(0.1)
    return process.returncode, output


def _marked(mark: str) -> list[str]:
    """The commands of the running processes that have the mark in their environment."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if f"{_MARK}={mark}".encode() in (process / "environ").read_bytes():
                found.append((process / "cmdline").read_bytes().replace(b"\0", b" ").decode()[:200])
        except OSError:
            continue  # it has ended meanwhile, or is another user's
    return found
