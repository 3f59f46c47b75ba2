"""The process that Spark forks its Python workers from, with everything imported and frozen before the
first fork.

PySpark's workers collect garbage after each task, over all that they have imported: some 80 ms a task, ten
times the task itself when batches are small. Objects that are frozen are not looked at. Spark starts this
module by `spark.python.daemon.module`.
"""

import gc
import os
import signal
from typing import Any

import pyspark.worker  # noqa: F401  (imported for the workers to be forked)
from pyspark import daemon

_work = daemon.worker


def _work_quietly(sock: Any, authenticated: bool) -> int:
    """Work; when Spark hangs up in the middle, because a job was cancelled, leave without a traceback."""
    try:
        return _work(sock, authenticated)
    except BrokenPipeError:
        os._exit(0)


if __name__ == "__main__":
    daemon.worker = _work_quietly
    # Ctrl-C goes to the whole process group. The driver ends its workers; they would end with a traceback each.
    signal.default_int_handler = signal.SIG_IGN  # type: ignore[assignment]
    gc.freeze()
    daemon.manager()
