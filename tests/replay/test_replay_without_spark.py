"""What replay says and does before Spark is started."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from conftest import WriteFile
from py4j.protocol import Py4JError, Py4JNetworkError
from tallystick.core.errors import TallystickError
from tallystick.replay import (
    Comparison,
    Raised,
    ReplayError,
    ReplayUnavailable,
    Returned,
    SparkReplayer,
    require_spark,
)
from tallystick.replay.exceptions import raised


def test_without_java_replay_says_that_java_is_missing(monkeypatch: pytest.MonkeyPatch, write: WriteFile):
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv("PATH", "")
    path = write("jobs.py", "def f(r):\n    return r\n")
    with SparkReplayer() as replayer, pytest.raises(ReplayUnavailable) as caught:
        replayer.run_on_spark(f"{path}:f", [{"r": []}])
    assert str(caught.value) == "Java is missing, so programs cannot be run on Spark: install Java 17 or newer"
    assert isinstance(caught.value, TallystickError)


def test_a_java_home_without_java_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    with pytest.raises(ReplayUnavailable) as caught:
        require_spark()
    assert str(caught.value) == f"JAVA_HOME is {tmp_path}, where there is no bin/java: set it to a Java 17 or newer"


def test_without_pyspark_replay_says_that_pyspark_is_missing(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "pyspark", None)
    with pytest.raises(ReplayUnavailable) as caught:
        require_spark()
    assert (
        str(caught.value) == "PySpark is missing, so programs cannot be run on Spark: pip install 'tallystick[spark]'"
    )


def test_a_spark_that_does_not_start_shows_its_log(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, write: WriteFile):
    java = Path(write("bin/java", "#!/bin/sh\necho 'no Java today' >&2\nexit 1\n"))
    java.chmod(0o755)
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    path = write("jobs.py", "def f(r):\n    return r\n")
    with SparkReplayer() as replayer, pytest.raises(ReplayUnavailable, match="no Java today"):
        replayer.run_on_spark(f"{path}:f", [{"r": []}])


def test_the_caller_does_not_import_pyspark():
    code = "import sys, tallystick.replay; print([name for name in sys.modules if 'py4j' in name])"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "[]"


@pytest.mark.parametrize("program", ["jobs.py", "jobs.py:", ":f", "jobs.py:f g", "jobs.py:1"])
def test_a_program_is_named_by_path_and_function(program: str):
    with pytest.raises(ReplayError) as caught:
        SparkReplayer().run_on_spark(program, [])
    assert str(caught.value) == f"{program!r} does not say which program to run: write path.py:function"


def test_a_missing_file_is_an_error():
    with pytest.raises(ReplayError, match=r"^absent.py: there is no such file$"):
        SparkReplayer().run_on_spark("absent.py:f", [])


def test_a_function_without_a_place_in_a_file_is_an_error():
    def inner(r):
        return r

    for function in (inner, lambda r: r, len):
        with pytest.raises(ReplayError, match="move it to the top level of a file, as a def"):
            SparkReplayer().run_on_spark(function, [])


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        (1.5, "1.5 is of type float, and no int, bool, str, number, None or tuple of these"),
        (b"text", "b'text' is of type bytes, and no int, bool, str, number, None or tuple of these"),
        ({1: -1}, "a multiplicity is a natural number"),
        ({1: True}, "a multiplicity is a natural number"),
        ({b"a": 1}, "b'a' is of type bytes, and no int, bool, str, number, None or tuple of these"),
        ([1, True], "the elements of a bag are of one type, but 1 and True are not"),
        ({1: 1, (1, 2): 1}, "the elements of a bag are of one type, but 1 and (1, 2) are not"),
    ],
)
def test_an_input_that_is_no_value_is_an_error(value, reason: str, write: WriteFile):
    path = write("jobs.py", "def f(r):\n    return r\n")
    with pytest.raises(ReplayError) as caught:
        SparkReplayer().run_on_spark(f"{path}:f", [{"r": value}])
    assert str(caught.value) == f"the value of r cannot be given to Spark: {reason}"


def test_an_rdd_has_at_least_one_partition(write: WriteFile):
    path = write("jobs.py", "def f(r):\n    return r\n")
    with pytest.raises(ValueError, match="an RDD has at least 1 partition, not 0"):
        SparkReplayer(partitions=0)
    with pytest.raises(ValueError, match="an RDD has at least 1 partition, not -1"):
        SparkReplayer().run_on_spark(f"{path}:f", [], partitions=-1)


def test_programs_that_fail_alike_do_not_differ_but_have_agreed_on_nothing():
    both = Comparison(Raised("ValueError", "one"), Raised("ValueError", "other"))
    assert (both.differs, both.returned) == (False, False)
    assert Comparison(Raised("ValueError", ""), Raised("TypeError", "")).differs
    assert Comparison(Raised("ValueError", ""), Returned(0)).differs


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({}, "{{ }}"),
        ({2: 1, -3: 2}, "{{ -3 × 2, 2 }}"),
        ({(1, True): 1}, "{{ (1, True) }}"),
        (-5, "-5"),
        (False, "False"),
    ],
)
def test_values_are_shown_as_python_writes_them_and_bags_in_order(value, text: str):
    assert str(Returned(value)) == text


@pytest.mark.parametrize("error", [MemoryError(), Py4JError("gone"), Py4JNetworkError("gone")])
def test_the_loss_of_memory_or_spark_is_no_outcome(error: Exception):
    with pytest.raises(type(error)):
        raised(error)
