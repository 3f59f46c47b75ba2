"""No process of a replay outlives its time limit, its caller, or an interruption."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from conftest import WriteFile
from tallystick.replay import ReplayError, ReplayTimeout, Returned, SparkReplayer
from tallystick.replay.processes import _running, end_session

pytestmark = pytest.mark.skipif(not Path("/proc/self").exists(), reason="finds processes through /proc")

ENDLESS = """
    import os

    def in_spark(r):
        def endless(x):
            while True:
                pass
        return r.map(endless)

    def in_driver(r):
        while True:
            pass

    def ends_its_process(r):
        os._exit(0)

    def same(r):
        return r
"""

CALLER = """
import sys
from tallystick.replay import SparkReplayer

path, program = sys.argv[1:]
replayer = SparkReplayer()
replayer.run_on_spark(f"{path}:same", [{"r": [1]}])
print(replayer._worker._process.pid, flush=True)
try:
    replayer.run_on_spark(f"{path}:{program}", [{"r": [1]}])
except KeyboardInterrupt:
    print("interrupted", flush=True)
    sys.stdin.readline()
"""


def running(session: int) -> list[str]:
    """The commands of the processes of a session."""
    commands = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, _, its_session = stat.read_text().rpartition(")")[2].split()[:4]
            if int(its_session) == session and state not in "ZX":
                commands.append(stat.with_name("cmdline").read_text())
        except OSError:
            continue
    return commands


def ends(session: int, seconds: float = 30) -> bool:
    deadline = time.monotonic() + seconds
    while running(session) and time.monotonic() < deadline:
        time.sleep(0.05)
    return not running(session)


def wait_for_user_code(session: int) -> None:
    """Waits until Spark's Python workers run, or the driver is surely busy."""
    deadline = time.monotonic() + 3
    while sum("pyspark.daemon" in command for command in running(session)) < 3 and time.monotonic() < deadline:
        time.sleep(0.05)


@pytest.mark.spark
def test_the_time_limit_ends_user_code_and_spark_which_starts_again_and_user_code_may_end_it(write: WriteFile):
    path = write("jobs.py", ENDLESS)
    with SparkReplayer() as replayer:
        assert replayer.run_on_spark(f"{path}:same", [{"r": [1]}])[0].written == Returned({1: 1})
        assert replayer._worker is not None
        session, folder = replayer._worker._process.pid, replayer._worker._log.parent
        assert any("java" in command for command in running(session))
        with pytest.raises(ReplayTimeout) as caught:
            replayer.run_on_spark(f"{path}:in_spark", [{"r": [1]}], time_limit=1)
        assert str(caught.value) == f"{path}:in_spark did not finish on Spark within 1 s"
        assert isinstance(caught.value, TimeoutError)
        assert running(session) == []
        assert not folder.exists()

        assert replayer.run_on_spark(f"{path}:same", [{"r": [2]}])[0].written == Returned({2: 1})
        session = replayer._worker._process.pid
        with pytest.raises(ReplayError) as crashed:
            replayer.run_on_spark(f"{path}:ends_its_process", [{"r": []}])
        assert str(crashed.value) == f"{path}:ends_its_process ended Spark, or the process that it ran in"
        assert running(session) == []


def start_caller(path: str, program: str) -> tuple[subprocess.Popen[str], int]:
    """A process that has Spark run a program, and the session of its Spark."""
    caller = subprocess.Popen(
        [sys.executable, "-c", CALLER, path, program],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert caller.stdout is not None
    session = int(caller.stdout.readline())
    assert running(session)
    wait_for_user_code(session)
    return caller, session


@pytest.mark.spark
def test_an_interrupted_caller_has_ended_user_code_and_spark(write: WriteFile):
    """Ctrl-C reaches the caller only, as in a terminal it reaches its process group and not Spark's session."""
    caller, session = start_caller(write("jobs.py", ENDLESS), "in_spark")
    with caller:
        assert caller.stdout is not None
        caller.send_signal(signal.SIGINT)
        assert caller.stdout.readline() == "interrupted\n"
        assert running(session) == []
        assert caller.stdin is not None
        caller.stdin.close()
        assert caller.wait(30) == 0


@pytest.mark.spark
@pytest.mark.slow
def test_nothing_outlives_a_caller_that_is_killed_while_user_code_runs(write: WriteFile):
    caller, session = start_caller(write("jobs.py", ENDLESS), "in_driver")
    with caller:
        folder = Path(f"/proc/{session}/fd/2").readlink().parent
        assert "tallystick-spark-" in folder.name
        caller.kill()
        assert ends(session)
        assert not folder.exists()


@pytest.mark.spark
@pytest.mark.parametrize("last_words", ["", "os.kill(os.getpid(), 9)"], ids=["ends", "is killed"])
def test_nothing_outlives_a_caller_that_leaves_while_spark_is_starting(last_words: str):
    code = (
        "import os, time; from tallystick.replay.replayer import _WorkerProcess\n"
        "worker = _WorkerProcess('local[2]'); time.sleep(1.5)\n"
        f"print(worker._process.pid, worker._log.parent, flush=True); {last_words}"
    )
    result = subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    session, folder = result.stdout.split()
    assert ends(int(session))
    deadline = time.monotonic() + 30
    while Path(folder).exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not Path(folder).exists()


def test_what_another_thread_starts_while_a_session_ends_does_not_outlive_it():
    """It starts between the last look at the session and the end of its leader."""
    code = (
        "import os, subprocess\n"
        "from tallystick.replay import processes, worker\n"
        "worker.shutil.rmtree = lambda *_, **__: print(subprocess.Popen(['sleep', '600']).pid, flush=True)\n"
        "worker._end('')\n"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, start_new_session=True) as leader:
        assert leader.stdout is not None
        assert int(leader.stdout.readline()) > 0
        leader.wait()
        assert ends(leader.pid)


@pytest.mark.parametrize("parent_has_ended", [True, False])
def test_a_worker_that_fails_leaves_its_folder_to_its_parent_alone(tmp_path: Path, parent_has_ended: bool):
    """Spark fails in the main thread when the thread that watches the parent ends it."""
    folder = tmp_path / "spark"
    folder.mkdir()
    (folder / "log.txt").write_text("")
    code = (
        "import json, os, sys\n"
        "from tallystick.replay import worker\n"
        "worker._watch = lambda parent, folder: None\n"
        f"parent = {-1 if parent_has_ended else 'os.getppid()'}\n"
        f"sys.argv.append(json.dumps({{'parent': parent, 'folder': {str(folder)!r}, 'configuration': 0}}))\n"
        "worker.main()\n"
    )
    done = subprocess.run([sys.executable, "-c", code], stderr=subprocess.PIPE, text=True, start_new_session=True)
    assert folder.exists() is not parent_has_ended
    assert (done.returncode == -signal.SIGKILL) is parent_has_ended
    assert ("AttributeError" in done.stderr) is not parent_has_ended


def test_a_process_has_ended_when_all_its_threads_have():
    """The first thread is a zombie as soon as it ends, while others still write."""
    script = (
        "import ctypes, threading, time\n"
        "threading.Thread(target=time.sleep, args=(60,)).start()\n"
        "print(1, flush=True)\n"
        "ctypes.CDLL(None).pthread_exit(None)\n"
    )
    leader = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, start_new_session=True, text=True)
    with leader:
        assert leader.stdout is not None
        assert leader.stdout.readline() == "1\n"
        stat = Path(f"/proc/{leader.pid}/stat")
        while stat.read_text().rpartition(")")[2].split()[0] != "Z":
            time.sleep(0.01)
        assert _running(leader.pid) == [leader.pid]
        end_session(leader.pid)
        assert _running(leader.pid) == []


def test_a_session_ends_with_its_process_groups_and_orphans():
    script = (
        "import os, subprocess, sys, time\n"
        "orphan = 'import os, time; os.setpgid(0, 0); print(1, flush=True); time.sleep(60)'\n"
        "subprocess.Popen([sys.executable, '-c', orphan]).wait(60)\n"
    )
    leader = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, start_new_session=True, text=True)
    with leader:
        assert leader.stdout is not None
        assert leader.stdout.readline() == "1\n"
        assert len(running(leader.pid)) == 2
        os.kill(leader.pid, signal.SIGKILL)
        end_session(leader.pid)
        assert running(leader.pid) == []
