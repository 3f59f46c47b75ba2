"""Spark that does not start, or whose workers do not, is an error of the engine, and never a failure of a property."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import textwrap

import pytest
from tallystick.streaming.engines import spark
from tallystick.streaming.engines.spark import SparkFailedError, cause_in_java, refuse_failure_of_spark, with_retries
from tallystick.streaming.errors import EngineUnavailableError

PROPERTY = """
from hypothesis import strategies as st
from tallystick.streaming import always, at, batches, for_all_streams, for_each_record

numbers = batches.always(batches.of_n_to_m(1, 2, st.integers(0, 9)), 1)
all_small = always(at("output", for_each_record(lambda n: n < 10))).during(1)
try:
    print(for_all_streams(numbers, engine="dstream", examples=2)(lambda s: s.map(lambda n: n))(all_small).check())
except Exception as error:
    print(type(error).__name__, error)
"""


def printed(tmp_path, **environment):
    """What a property prints that is checked on Spark, where the environment has these variables too."""
    (tmp_path / "checked.py").write_text(textwrap.dedent(PROPERTY), encoding="utf-8")
    ran = subprocess.run(
        [sys.executable, "checked.py"],
        cwd=tmp_path,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    return ran.stdout


@pytest.fixture(autouse=True)
def _no_waiting(monkeypatch):
    monkeypatch.setattr(spark, "_WAITS", (0.0, 0.0))


def attempts(*outcomes):
    """A function that raises or returns one outcome after the other."""
    left = list(outcomes)

    def attempt():
        outcome = left.pop(0)
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    return attempt


def test_spark_is_asked_again_twice():
    failed = SparkFailedError("Python worker failed to connect back.")
    assert with_retries(attempts(failed, failed, "an answer")) == "an answer"
    said = "Spark failed 3 times: Python worker failed to connect back."
    with pytest.raises(EngineUnavailableError, match=said):
        with_retries(attempts(failed, failed, failed, "too late"))
    with pytest.raises(ValueError, match="of the program"):
        with_retries(attempts(ValueError("of the program"), "not asked for"))


@pytest.mark.parametrize(
    "text",
    [
        "Job aborted due to stage failure: org.apache.spark.SparkException: Python worker failed to connect back.",
        "org.apache.spark.SparkException: \nError from python worker:\n  /usr/bin/false",
        "org.apache.spark.SparkException: EOFException occurred while reading the port number from a daemon's stdout.",
        'java.io.IOException: Cannot run program "python9": error=2, No such file or directory',
        "java.net.BindException: Address already in use: Service 'sparkDriver' failed after 16 retries",
        "Job 3 cancelled because SparkContext was shut down",
    ],
)
def test_what_spark_says_of_itself_is_no_failure_of_a_program(text):
    with pytest.raises(SparkFailedError):
        refuse_failure_of_spark(RuntimeError(text))


@pytest.mark.parametrize(
    "text",
    [
        "PythonException: Traceback (most recent call last):\nValueError: Python worker failed to connect back",
        "Python worker exited unexpectedly (crashed). Consider setting …",
        "ValueError: 3",
    ],
)
def test_what_a_function_raises_is_one(text):
    refuse_failure_of_spark(RuntimeError(text))


@pytest.mark.spark
@pytest.mark.slow
def test_workers_that_do_not_start_are_an_error_of_the_engine(tmp_path):
    (tmp_path / "python").write_text("#!/bin/sh\nexit 1\n", encoding="utf-8")
    (tmp_path / "python").chmod(0o755)
    text = printed(tmp_path, PYSPARK_PYTHON=str(tmp_path / "python"))
    assert text.startswith("EngineUnavailableError Spark failed 3 times: ")


@pytest.mark.spark
@pytest.mark.slow
def test_no_java_is_an_error_of_the_engine(tmp_path):
    said = 'this engine needs Java 17 or later on the PATH; engine="local" does not\n'
    assert printed(tmp_path, PATH=str(tmp_path), JAVA_HOME="") == f"EngineUnavailableError {said}"
    text = printed(tmp_path, JAVA_HOME=str(tmp_path))
    assert text.startswith("EngineUnavailableError Spark failed 3 times: it does not start: ")


@pytest.mark.spark
@pytest.mark.slow
def test_a_port_in_use_is_an_error_of_the_engine(tmp_path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = f"--conf spark.driver.port={taken.getsockname()[1]} --conf spark.port.maxRetries=0 pyspark-shell"
        text = printed(tmp_path, PYSPARK_SUBMIT_ARGS=port)
    assert text.startswith("EngineUnavailableError Spark failed 3 times: it does not start: ")
    assert "Address already in use" in text


TRACE = (
    'PythonException: Traceback (most recent call last):\n  File "x", line 3, in f\n    return 1 / 0\n           ~~^\n'
)


@pytest.mark.parametrize(
    ("raised", "cause"),
    [
        ("ZeroDivisionError: division by zero\n\n\tat org.apache.spark.x\n", "ZeroDivisionError: division by zero"),
        ("struct.error: required argument is not an integer\n", "struct.error: required argument is not an integer"),
        ("StopIteration\n\n\tat org.apache.spark.x", "StopIteration"),
        (
            "pyspark.errors.E: [U] zero!\n\n=== Streaming Query ===\nIdentifier: b [id = 2]\n",
            "pyspark.errors.E: [U] zero!",
        ),
        ("py4j.protocol.Py4JError: An error in None.x. Trace:\npy4j.E: no method\n\tat x\n", "py4j.E: no method"),
        (
            "py4j.protocol.Py4JJavaError: An error occurred in o3.start.\n: java.lang.E: / by zero\n\tat x\n",
            "java.lang.E: / by zero",
        ),
    ],
)
def test_the_cause_is_what_the_last_traceback_ends_with(raised, cause):
    assert cause_in_java(RuntimeError(TRACE + raised)) == cause
    assert cause_in_java(RuntimeError("java.lang.E: / by zero\n\tat x")) == "java.lang.E: / by zero"
