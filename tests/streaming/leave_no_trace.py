"""A program for `test_leaves_nothing_behind`: fails, raises, times out, is interrupted, then says what is left.

Its arguments are the engine and a file that does not exist yet: the subject that is to be interrupted makes it.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from pathlib import Path
from typing import Any

from hypothesis import strategies as st
from tallystick.streaming import always, at, batches, for_all_streams, is_empty, structured
from tallystick.streaming.engines import make_engine
from tallystick.streaming.errors import CaseTimedOutError, PropertyFailedError


def on_streams(marker: str) -> dict[str, Any]:
    """Subjects for DStreams: one that the formula refutes, one that raises, one that hangs."""

    def slow(_: int) -> None:
        Path(marker).touch()
        time.sleep(1.5)

    return {
        "wrong": lambda stream: stream.map(lambda n: n),
        "raising": lambda stream: stream.transform(lambda rdd: 1 // 0),
        "slow": lambda stream: stream.map(slow),
    }


def on_frames(marker: str) -> dict[str, Any]:
    """The same for Structured Streaming."""

    def slow(frame: Any) -> Any:
        from pyspark.sql.functions import udf

        def wait(_: int) -> None:
            Path(marker).touch()
            time.sleep(60)

        return frame.select(udf(wait, useArrow=False)(frame.x))

    return {
        "wrong": structured("x long")(lambda frame: frame),
        "raising": structured("x long")(lambda frame: frame.selectExpr("raise_error('no')")),
        "slow": structured("x long")(slow),
    }


def interrupt_when_there_is(marker: str) -> threading.Thread:
    """Send the whole process group a Ctrl-C, as a terminal does, once the subject is at work."""

    def interrupt() -> None:
        while not os.path.exists(marker):
            time.sleep(0.05)
        os.killpg(os.getpgrp(), signal.SIGINT)

    sender = threading.Thread(target=interrupt, daemon=True)
    sender.start()
    return sender


def stopped(engine: str, marker: str, signal_name: str, shared_with: str = "nobody") -> None:
    """Hang in the subject until the signal comes, and catch nothing.

    The SparkContext may be shared with the user, who has made it, or with another engine.
    """
    if shared_with == "user":
        from pyspark import SparkContext

        SparkContext("local[1]")
    elif shared_with == "engine":
        another = make_engine("structured" if engine == "dstream" else "dstream")
        another.__enter__()
    interrupting = threading.Thread(target=_send, args=(marker, signal_name), daemon=True)
    interrupting.start()
    check = for_all_streams(batches.always(batches.of_n(1, st.just(1)), 3), examples=1, engine=engine)
    subjects = on_frames(marker) if engine == "structured" else on_streams(marker)
    check(subjects["slow"])(always(at("output", is_empty)).during(3)).check()


def _send(marker: str, signal_name: str) -> None:
    while not os.path.exists(marker):
        time.sleep(0.05)
    if signal_name == "SIGINT":
        os.killpg(os.getpgrp(), signal.SIGINT)
    else:
        os.kill(os.getpid(), getattr(signal, signal_name))


def main(engine: str, marker: str) -> None:
    handler = signal.getsignal(signal.SIGINT)
    check = for_all_streams(batches.always(batches.of_n(1, st.just(1)), 3), examples=1, engine=engine)
    nothing = always(at("output", is_empty)).during(3)
    subjects = on_frames(marker) if engine == "structured" else on_streams(marker)
    endings = []
    for name in ("wrong", "raising"):
        try:
            check(subjects[name])(nothing).check()
        except PropertyFailedError as failed:
            endings.append(failed.report.failure.kind)
    try:
        check(subjects["slow"])(nothing).check(deadline=1.0)
    except CaseTimedOutError:
        endings.append("timed out")
    Path(marker).unlink(missing_ok=True)
    sender = interrupt_when_there_is(marker)
    try:
        check(subjects["slow"])(nothing).check()
    except KeyboardInterrupt:
        endings.append("interrupted")
    sender.join()
    report(endings)
    print("handler restored:", signal.getsignal(signal.SIGINT) is handler)


def report(endings: list[str]) -> None:
    # py4j's own worker for the JVM of this process; not Spark's, and there for as long as the JVM is.
    threads = [each.name for each in threading.enumerate() if type(each).__name__ != "FinalizerWorker"]
    print("endings:", ", ".join(endings))
    print("threads:", ", ".join(threads))
    if "pyspark" in sys.modules:
        from pyspark import SparkContext
        from pyspark.sql import SparkSession
        from pyspark.streaming import StreamingContext

        left = SparkContext._active_spark_context, StreamingContext.getActive(), SparkSession.getActiveSession()
        print("contexts:", *left)
    else:
        print("contexts: no Spark was started")


if __name__ == "__main__":
    (main if len(sys.argv) == 3 else stopped)(*sys.argv[1:])
