"""After a failure, a subject that raises, a time-out and a Ctrl-C no Spark context and no thread is left."""

from __future__ import annotations

import os
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


@pytest.mark.spark
@pytest.mark.slow
def test_nothing_is_left_behind_on_spark(tmp_path):
    ran = subprocess.run(
        [sys.executable, str(SCRIPT), "dstream"],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        env={**os.environ, "TMPDIR": str(tmp_path)},
    )
    assert ran.stdout.splitlines() == [
        "endings: failed, raised, timed out, interrupted",
        "threads: MainThread",
        "contexts: None None",
        "handler restored: True",
    ], ran.stderr[-2000:]
    assert list(tmp_path.glob("tallystick-streaming-*")) == []


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
