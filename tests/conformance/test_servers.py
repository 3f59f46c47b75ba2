"""Servers end with the tests, however these end."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from conformance.engines import Engine, MissingError
from conformance.servers import MariaDB, PostgreSQL

pytestmark = pytest.mark.xdist_group("conformance")
STARTS = """
import sys, time
from conformance.running import ENGINES
engine = ENGINES[sys.argv[1]]()
print(engine._process.pid, engine.folder, flush=True)
time.sleep(600)
"""


def _runs(process: int) -> bool:
    try:
        return "Z" not in Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False


@pytest.mark.parametrize("engine", ["postgres", "mysql"], indirect=True)
def test_no_server_outlives_tests_that_are_killed(engine: Engine):
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])}
    command = [sys.executable, "-c", STARTS, engine.name]
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as tests:
        assert tests.stdout is not None
        process, folder = tests.stdout.readline().split()
        assert _runs(int(process))
        tests.send_signal(signal.SIGKILL)
    end = time.monotonic() + 60
    while _runs(int(process)) and time.monotonic() < end:
        time.sleep(0.1)
    assert not _runs(int(process))
    subprocess.run(["rm", "-r", folder], check=False)


def test_files_of_a_server_stand_in_its_own_folder(mysql: MariaDB):
    """A server removes temporary tables of its folder when it starts: another one's, too, if they share `/tmp`."""
    folders = ("datadir", "tmpdir", "slave_load_tmpdir", "socket")
    for folder in mysql.run("SELECT " + ", ".join(f"@@{each}" for each in folders)).rows[0]:
        assert Path(str(folder)).is_relative_to(mysql.folder)


class Absent(PostgreSQL):
    product, program, package = "Absent", "no-such-program", "no-such-package"


def test_a_server_that_is_not_installed_is_named_with_its_package():
    with pytest.raises(MissingError) as caught:
        Absent()
    assert str(caught.value) == "Absent is not installed; in Debian: apt-get install no-such-package"
