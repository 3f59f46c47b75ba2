"""A program for `test_leaves_nothing_behind`: fails, times out, is interrupted, then says what is left."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time

from tallystick.streaming import always, at, batches, for_all_streams, is_empty
from tallystick.streaming.errors import CaseTimedOutError, PropertyFailedError


def interrupt_soon() -> None:
    """Send this process a Ctrl-C once Spark is at work."""

    def interrupt() -> None:
        from pyspark.streaming import StreamingContext

        while StreamingContext._activeContext is None:
            time.sleep(0.1)
        time.sleep(2)
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=interrupt, daemon=True).start()


def main(engine: str) -> None:
    import hypothesis.strategies as st

    handler = signal.getsignal(signal.SIGINT)
    check = for_all_streams(batches.always(batches.of_n(1, st.just(1)), 3), examples=1, engine=engine)
    nothing = always(at("output", is_empty)).during(3)

    def sleepy(stream):
        return stream.map(lambda n: time.sleep(60))

    endings = []
    try:
        check(lambda stream: stream.map(lambda n: n))(nothing).check()
    except PropertyFailedError:
        endings.append("failed")
    try:
        check(lambda stream: stream.transform(lambda rdd: 1 // 0))(nothing).check()
    except PropertyFailedError:
        endings.append("raised")
    try:
        check(sleepy)(nothing).check(deadline=2.0)
    except CaseTimedOutError:
        endings.append("timed out")
    interrupt_soon()
    try:
        check(sleepy)(nothing).check()
    except KeyboardInterrupt:
        endings.append("interrupted")

    from pyspark import SparkContext
    from pyspark.streaming import StreamingContext

    # py4j's own worker for the JVM of this process; not Spark's, and there for as long as the JVM is.
    threads = [each.name for each in threading.enumerate() if type(each).__name__ != "FinalizerWorker"]
    print("endings:", ", ".join(endings))
    print("threads:", ", ".join(threads))
    print("contexts:", SparkContext._active_spark_context, StreamingContext.getActive())
    print("handler restored:", signal.getsignal(signal.SIGINT) is handler)


if __name__ == "__main__":
    main(sys.argv[1])
