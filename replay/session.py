"""A Spark session that says nothing, leaves nothing behind, and ends with its `with` block."""

from __future__ import annotations

import os
import re
import shutil
import signal
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from tallystick.core.interrupts import no_interrupt_lost
from tallystick.replay.errors import ReplayUnavailable
from tallystick.replay.replayer import require_spark
from tallystick.replay.settings import spark_settings

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

COMMITTER = "spark.hadoop.mapreduce.fileoutputcommitter.algorithm.version"
"""With version 2, what a task has written stays when its job does not come to an end."""


@contextmanager
def spark_session(master: str) -> Iterator[SparkSession]:
    """A session on a Spark master; raises ReplayUnavailable when this machine cannot run Spark or it does not start.

    An interrupt cancels its jobs and is raised in the caller.
    """
    require_spark()
    folder = tempfile.mkdtemp(prefix="tallystick-spark-")
    in_main_thread = threading.current_thread() is threading.main_thread()
    handler = signal.getsignal(signal.SIGINT) if in_main_thread else None
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    settings = spark_settings("tallystick", master, folder)
    try:
        session = _started(settings | {COMMITTER: "2", "spark.sql.shuffle.partitions": "2"}, Path(folder, "log.txt"))
        try:
            with no_interrupt_lost():
                yield session
        finally:
            session.stop()
    finally:
        if in_main_thread:
            signal.signal(signal.SIGINT, handler)
        shutil.rmtree(folder, ignore_errors=True)


def _started(settings: dict[str, str], log: Path) -> SparkSession:
    """A new session whose Java process writes its messages into a log; they concern nobody while all is well."""
    from pyspark.sql import SparkSession

    builder = SparkSession.builder
    for name, value in settings.items():
        builder = builder.config(name, value)  # type: ignore[attr-defined]
    sys.stderr.flush()
    screen = os.dup(2)
    try:
        with log.open("wb") as stream:
            os.dup2(stream.fileno(), 2)
            return builder.getOrCreate()
    except Exception as error:
        told = _reasons(f"{log.read_text(errors='replace')}\n{error}")
        raise ReplayUnavailable(f"Spark does not start on {settings['spark.master']}:\n{told}") from None
    finally:
        os.dup2(screen, 2)
        os.close(screen)


def _reasons(text: str) -> str:
    """The lines of a log that name exceptions, without where in Spark they come from; its last line without any."""
    lines = [line.removeprefix(": ") for line in text.splitlines() if line.strip()]
    named = [line for line in lines if re.search(r"(Exception|Error): ", line) and not line.startswith(("\t", " "))]
    return "\n".join(f"  {line}" for line in list(dict.fromkeys(named))[-3:] or lines[-1:])
