"""After a failure, a subject that raises, a time-out and a Ctrl-C no Spark context and no thread is left."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from hypothesis import strategies as st
from tallystick.streaming import always, at, batches, for_all_streams, is_empty
from tallystick.streaming.errors import CaseTimedOutError, PropertyFailedError

SCRIPT = Path(__file__).with_name("leave_no_trace.py")
STREAM = batches.always(batches.of_n(1, st.just(1)), 3)
NOTHING = always(at("output", is_empty)).during(3)


SPARK = (pytest.mark.spark, pytest.mark.slow)
ENGINES = {
    "local": "no Spark was started",
    "dstream": "None None None",
    "structured": "None None None",
}


def _processes_of(session):
    """The command lines of the processes that a session still has."""
    return subprocess.run(["ps", "-o", "args=", "-s", str(session)], capture_output=True, text=True).stdout.split("\n")


@pytest.mark.parametrize(
    "engine", ["local", pytest.param("dstream", marks=SPARK), pytest.param("structured", marks=SPARK)]
)
def test_nothing_is_left_behind(engine, tmp_path):
    """The program is a session of its own; Ctrl-C goes to all of its process group, as from a terminal."""
    program = subprocess.Popen(
        [sys.executable, str(SCRIPT), engine, str(tmp_path / "marker")],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env={**os.environ, "TMPDIR": str(tmp_path)},
    )
    printed, complaints = program.communicate(timeout=240)
    assert printed.splitlines() == [
        "endings: falsified, raised, timed out, interrupted",
        "threads: MainThread",
        f"contexts: {ENGINES[engine]}",
        "handler restored: True",
    ], complaints[-2000:]
    end = time.monotonic() + 20
    while any(left := _processes_of(program.pid)) and time.monotonic() < end:
        time.sleep(0.2)
    assert not any(left), left
    assert list(tmp_path.glob("tallystick-streaming-*")) == []


#: What Spark says while it starts.
_AT_THE_START = ("WARN", "log4j", "Setting", "incubator", "To adjust")


def _stopped(tmp_path, engine, signal_name, shared_with):
    """What is printed by a program that a signal ends, and how it ends."""
    program = subprocess.run(
        [sys.executable, str(SCRIPT), engine, str(tmp_path / "marker"), signal_name, shared_with],
        capture_output=True,
        text=True,
        start_new_session=True,
        timeout=240,
        env={**os.environ, "TMPDIR": str(tmp_path)},
    )
    assert program.returncode == -getattr(signal, signal_name)
    return [line for line in program.stderr.splitlines() if not any(word in line for word in _AT_THE_START)]


def _folders(tmp_path):
    return list(tmp_path.glob("tallystick-streaming-*"))


@pytest.mark.spark
@pytest.mark.slow
@pytest.mark.parametrize("engine", ["dstream", "structured"])
@pytest.mark.parametrize("shared_with", ["nobody", "engine"])
@pytest.mark.parametrize(("name", "word"), [("SIGINT", "interrupted"), ("SIGTERM", "terminated")])
def test_a_signal_prints_one_line_and_leaves_no_folder(engine, shared_with, name, word, tmp_path):
    """Also with two engines on one SparkContext, of which the first has started it."""
    assert _stopped(tmp_path, engine, name, shared_with) == [f"{word}: Spark is stopped and its files are removed"]
    assert _folders(tmp_path) == []


@pytest.mark.spark
@pytest.mark.slow
@pytest.mark.parametrize(
    ("engine", "name", "shared_with"),
    [("dstream", "SIGTERM", "user"), ("structured", "SIGTERM", "user"), ("dstream", "SIGKILL", "nobody")],
)
def test_no_folder_is_left_where_no_handler_can_run(engine, name, shared_with, tmp_path):
    """On the user's own SparkContext signals are the user's, and a SIGKILL is nobody's: the JVM removes the folder."""
    _stopped(tmp_path, engine, name, shared_with)
    end = time.monotonic() + 60
    while _folders(tmp_path) and time.monotonic() < end:
        time.sleep(0.2)
    assert _folders(tmp_path) == []


@pytest.mark.spark
def test_a_shared_context_stays_and_its_streams_stop(dstream_engine):
    """With the user's own engine, failures and time-outs stop the streams and leave the SparkContext."""
    from pyspark import SparkContext
    from pyspark.streaming import StreamingContext

    check = for_all_streams(STREAM, examples=1, engine=dstream_engine)
    with pytest.raises(PropertyFailedError, match="ZeroDivisionError"):
        check(lambda stream: stream.map(lambda n: n // 0))(NOTHING).check()
    with pytest.raises(CaseTimedOutError):
        check(lambda stream: stream.map(lambda n: time.sleep(30)))(NOTHING).check(deadline=1.0)
    assert StreamingContext.getActive() is None
    assert SparkContext._active_spark_context is not None


def test_the_local_engine_has_no_threads():
    before = threading.enumerate()
    with pytest.raises(PropertyFailedError):
        for_all_streams(STREAM, examples=1)(lambda stream: stream)(NOTHING).check()
    assert threading.enumerate() == before
