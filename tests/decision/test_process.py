"""The prover's process: its limits hold, and it outlives nobody."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from tallystick.core.programs import Program
from tallystick.decision.service.process import ProverProcess

Pair = Callable[[str, str, str], tuple[Program, Program]]
HARD = (
    "r: RDD[int]",
    "r.cartesian(r).cartesian(r.cartesian(r)).cartesian(r).filter(lambda p: p[0][0][0] + p[0][0][1] < p[1])",
    "r.cartesian(r).cartesian(r.cartesian(r)).cartesian(r).filter(lambda p: p[0][1][0] + p[0][1][1] < p[1])",
)
"""Five slots of one bag, so 120 permutations: it keeps the prover busy for long."""


def is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return "Z" not in Path(f"/proc/{process}/stat").read_text().split(")")[1].split()[0]


def wait_until(condition: Callable[[], bool], seconds: float = 20) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_one_process_answers_many_questions(pair: Pair) -> None:
    programs = pair("r: RDD[int]", "r.map(lambda x: x + x)", "r.map(lambda x: 2 * x)")
    with ProverProcess() as prover:
        first = prover.settle(*programs, ("", ""), "auto", 10)
        process = prover._process
        second = prover.settle(*programs, ("", ""), "auto", 10)
        assert prover._process is process
    assert first.certificate == second.certificate is not None


def test_a_late_prover_is_ended_and_the_next_question_gets_a_new_one(pair: Pair) -> None:
    with ProverProcess() as prover:
        started = time.monotonic()
        late = prover.settle(*pair(*HARD), ("", ""), "auto", 0.2)
        assert late.certificate is None
        assert late.reasons
        assert time.monotonic() - started < 20
        programs = pair("r: RDD[int]", "r", "r.map(lambda x: x)")
        assert prover.settle(*programs, ("", ""), "auto", 10).certificate is not None


def test_a_time_out_leaves_no_process_behind(pair: Pair) -> None:
    """Not even one that notices nothing: the prover is stopped, so that it cannot end itself."""
    programs = pair("r: RDD[int]", "r", "r.map(lambda x: x)")
    with ProverProcess() as prover:
        assert prover.settle(*programs, ("", ""), "auto", 10).certificate is not None
        assert prover._process is not None
        worker = prover._process.pid
        os.kill(worker, signal.SIGSTOP)
        late = prover.settle(*programs, ("", ""), "auto", 0.1)
        assert late.reasons == {"time": "no answer within 0.1 seconds"}
        assert not is_alive(worker)
        assert not prover.is_running


def test_a_prover_without_memory_answers_that_it_has_none(pair: Pair) -> None:
    with ProverProcess(memory_mebibytes=48) as prover:
        settlement = prover.settle(*pair(*HARD), ("", ""), "auto", 20)
    assert settlement.certificate is None
    assert set(settlement.reasons) & {"memory", "prover"}


def test_a_prover_that_dies_costs_only_its_question(pair: Pair) -> None:
    programs = pair("r: RDD[int]", "r", "r.map(lambda x: x)")
    with ProverProcess() as prover:
        prover.settle(*programs, ("", ""), "auto", 10)
        assert prover._process is not None
        prover._process.kill()
        prover._process.wait()
        assert prover.settle(*programs, ("", ""), "auto", 10).certificate is not None


SLOW = """
import sys
from tallystick.frontends.rdd import read_program
from tallystick.decision.service.process import ProverProcess
left, right = (read_program(f"{sys.argv[1]}:{name}").program for name in ("left", "right"))
prover = ProverProcess()
getattr(prover, sys.argv[2])()
print(prover._process.pid, flush=True)
prover.settle(left, right, ("", ""), "auto", 300)
"""


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL, signal.SIGTERM])
@pytest.mark.parametrize("start", ["start", "fork"])
def test_no_prover_outlives_its_parent(start: str, how: signal.Signals, pair: Pair, tmp_path: Path) -> None:
    pair(*HARD)
    command = [sys.executable, "-c", SLOW, str(tmp_path / "jobs.py"), start]
    parent = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    assert parent.stdout is not None
    worker = int(parent.stdout.readline())
    assert is_alive(worker)
    parent.send_signal(how)
    parent.wait(20)
    wait_until(lambda: not is_alive(worker))


HARD_LIMIT = """
import resource, sys
resource.setrlimit(resource.RLIMIT_CPU, (60, 60))
from tallystick.frontends.rdd import read_program
from tallystick.decision.service.process import ProverProcess
left, right = (read_program(f"{sys.argv[1]}:{name}").program for name in ("left", "right"))
with ProverProcess() as prover:
    print(prover.settle(left, right, ("", ""), "auto", 300).certificate is not None)
"""


def test_a_prover_may_have_less_time_than_its_question(pair: Pair, tmp_path: Path) -> None:
    """A limit of the shell cannot be raised, and a question with a longer one is answered all the same."""
    pair("r: RDD[int]", "r.map(lambda x: x + x)", "r.map(lambda x: 2 * x)")
    command = [sys.executable, "-c", HARD_LIMIT, str(tmp_path / "jobs.py")]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == "True\n"


FORKED = """
import json, os, sys, threading
from tallystick.frontends.rdd import read_program
from tallystick.decision.service.process import ProverProcess

def pair(*names):
    return [read_program(f"{sys.argv[1]}:{name}").program for name in names]

def asked(prover, programs, seconds=60):
    return prover.settle(*programs, ("", ""), "auto", seconds)

print("not flushed yet", end="")
easy, hard = pair("easy", "same"), pair("left", "right")
said = {}
with ProverProcess() as prover:
    prover.fork()
    forked = prover._process.pid
    said["group"] = os.getpgid(forked) == forked
    one = asked(prover, easy).certificate
    said["one process"] = prover._process.pid == forked
    late = asked(prover, hard, 0.2)
    said["late"] = late.certificate is None and bool(late.reasons)
    said["again"] = asked(prover, easy).certificate == one is not None
    prover.close()
    prover.fork()
    prover._process.kill()
    said["killed"] = prover._process.wait()
    said["after its end"] = asked(prover, easy).certificate == one
with ProverProcess(40) as prover:
    prover.fork()
    said["memory"] = sorted(asked(prover, hard).reasons)
with ProverProcess() as prover:
    ended = threading.Event()
    thread = threading.Thread(target=ended.wait)
    thread.start()
    prover.fork()
    said["with a thread"] = prover.is_running
    said["a process of its own"] = asked(prover, easy).certificate == one
    ended.set()
print(json.dumps(said), file=sys.stderr)
"""


def test_a_forked_prover_keeps_its_limits_and_answers_as_one_that_was_started(pair: Pair, tmp_path: Path) -> None:
    """In a process of its own, which has one thread. Nothing that its parent has begun to write is written twice."""
    pair(*HARD)
    with (tmp_path / "jobs.py").open("a", encoding="utf-8") as file:
        file.write("\n\ndef easy(r: RDD[int]):\n    return r.map(lambda x: x + x)\n")
        file.write("\n\ndef same(r: RDD[int]):\n    return r.map(lambda x: 2 * x)\n")
    command = [sys.executable, "-c", FORKED, str(tmp_path / "jobs.py")]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    said = json.loads(done.stderr)
    assert set(said.pop("memory")) & {"memory", "prover"}
    assert said.pop("killed") == -signal.SIGKILL
    assert said.pop("with a thread") is False
    assert said == dict.fromkeys(
        ["group", "one process", "late", "again", "after its end", "a process of its own"], True
    )
    assert done.stdout == "not flushed yet"
