"""User code runs on Spark as it would by itself, apart from the caller, and its mistakes get clean errors."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from conftest import WriteFile
from tallystick.replay import Raised, ReplayError, Returned, SparkReplayer

pytestmark = pytest.mark.spark

PROGRAMS = """
    import os
    import sys

    def same(r):
        return r

    def scaled(k, r):
        return r.map(lambda x: x * k)

    def basic(k, *, flag):
        return (k, (flag, -k))

    def truths(r):
        return r.map(lambda x: True)

    def ones(r):
        return r.map(lambda x: 1)

    def either(r):
        return r.map(lambda x: True if x else 1)

    def talkative(r):
        print("no answer")
        os.write(1, b"{}\\n")
        return r.map(lambda x: print("nor this") or x)

    def inverse(r):
        return r.map(lambda x: 10 // x)

    def reduced(r):
        return r.reduce(lambda a, b: a + b)

    def exits(r):
        sys.exit("enough")

    def sets(r):
        return r.map(lambda x: {x})

    def in_bytes(r):
        return bytes(r.collect())

    def stops(r):
        r.context.stop()
        return 1

    class NotAFunction:
        pass

    not_callable = 3
"""


@pytest.mark.parametrize(
    "bag",
    [
        {},
        {0: 3, -1: 1},
        {2**63: 1, -(2**63) - 1: 2, 2**200: 1, -(10**5000): 1},
        {(1, (True, -5)): 2, (1, (False, -5)): 1},
    ],
    ids=["empty", "duplicates", "beyond 64 bits", "tuples"],
)
def test_values_survive_the_way_to_spark_and_back(bag, replayer: SparkReplayer, write: WriteFile):
    (run,) = replayer.run_on_spark(f"{write('jobs.py', PROGRAMS)}:same", [{"r": bag}])
    assert run.written == run.sparklite == Returned(bag)


def test_parameters_are_passed_by_their_names(replayer: SparkReplayer, write: WriteFile):
    path = write("jobs.py", PROGRAMS)
    (scaled,) = replayer.run_on_spark(f"{path}:scaled", [{"r": [1, 2], "k": -(2**70)}])
    (basic,) = replayer.run_on_spark(f"{path}:basic", [{"flag": True, "k": 7}])
    assert scaled.written == Returned({-(2**70): 1, -(2**71): 1})
    assert basic.written == Returned((7, (True, -7)))


def test_a_batch_gives_one_run_an_input_in_their_order(replayer: SparkReplayer, write: WriteFile):
    runs = replayer.run_on_spark(f"{write('jobs.py', PROGRAMS)}:same", [{"r": [n] * n} for n in range(6)])
    assert [run.written for run in runs] == [Returned({n: n} if n else {}) for n in range(6)]


def test_true_and_one_are_different_results(replayer: SparkReplayer, write: WriteFile):
    path = write("jobs.py", PROGRAMS)
    replay = replayer.replay(f"{path}:truths", f"{path}:ones", {"r": [5]})
    assert replay.as_written.differs
    assert not replayer.replay(f"{path}:ones", f"{path}:ones", {"r": [5]}).as_written.differs


def test_what_user_code_prints_is_no_answer(replayer: SparkReplayer, write: WriteFile):
    (run,) = replayer.run_on_spark(f"{write('jobs.py', PROGRAMS)}:talkative", [{"r": [3]}])
    assert run.written == Returned({3: 1})


@pytest.mark.parametrize(
    ("program", "bag", "outcome"),
    [
        ("inverse", [0], Raised("ZeroDivisionError", "integer division or modulo by zero")),
        ("reduced", [], Raised("ValueError", "Can not reduce() empty RDD")),
        ("exits", [1], Raised("SystemExit", "enough")),
    ],
)
def test_an_exception_is_an_outcome(program, bag, outcome: Raised, replayer: SparkReplayer, write: WriteFile):
    path = write("jobs.py", PROGRAMS)
    (run,) = replayer.run_on_spark(f"{path}:{program}", [{"r": bag}])
    assert str(run.written) == str(outcome)
    replay = replayer.replay(f"{path}:{program}", f"{path}:same", {"r": bag})
    assert replay.as_written.differs
    assert not replay.as_written.returned


def test_a_program_may_stop_spark(replayer: SparkReplayer, write: WriteFile):
    path = write("jobs.py", PROGRAMS)
    assert replayer.run_on_spark(f"{path}:stops", [{"r": [1]}])[0].written == Returned(1)
    assert replayer.run_on_spark(f"{path}:ones", [{"r": [4]}])[0].written == Returned({1: 1})


@pytest.mark.parametrize(
    ("program", "environment", "message"),
    [
        ("absent", {"r": []}, "{path} has no function 'absent' once it is imported"),
        ("not_callable", {"r": []}, "{path} has no function 'not_callable' once it is imported"),
        ("same", {"s": []}, "same(r) is given values for (s): it needs one for each parameter"),
        ("same", {"r": [], "k": 1}, "same(r) is given values for (r, k): it needs one for each parameter"),
        ("same", {"r": {1: 10**9}}, "the bag r has more than 1000000 elements"),
        (
            "sets",
            {"r": [1]},
            "sets returned an RDD that is no bag: {{1}} is of type set, and no int, bool, str, number, None or tuple "
            "of these",
        ),
        (
            "in_bytes",
            {"r": [65]},
            "in_bytes returned no result: b'A' is of type bytes, and no int, bool, str, number, None or tuple of these",
        ),
        (
            "either",
            {"r": [0, 1]},
            "either returned an RDD that is no bag: the elements of a bag are of one type, but 1 and True are not",
        ),
    ],
)
def test_a_program_that_does_not_fit_is_an_error(
    program, environment, message: str, replayer: SparkReplayer, write: WriteFile
):
    path = write("jobs.py", PROGRAMS)
    with pytest.raises(ReplayError) as caught:
        replayer.run_on_spark(f"{path}:{program}", [environment], partitions=1)
    assert str(caught.value) == message.format(path=path)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("def f(r:\n", "{path} cannot be imported: SyntaxError: '(' was never closed (jobs.py, line 1)"),
        ("x = 1\nx.y\n", "{path} cannot be imported: AttributeError: 'int' object has no attribute 'y' (line 2)"),
        ("import sys\nsys.exit(3)\n", "{path} cannot be imported: SystemExit: 3 (line 2)"),
        (
            "import absent_module\n",
            "{path} cannot be imported: ModuleNotFoundError: No module named 'absent_module' (line 1)",
        ),
    ],
)
def test_a_file_that_cannot_be_imported_is_an_error(text, message: str, replayer: SparkReplayer, write: WriteFile):
    path = write("jobs.py", text)
    with pytest.raises(ReplayError) as caught:
        replayer.run_on_spark(f"{path}:f", [{"r": []}])
    assert str(caught.value) == message.format(path=path)


def test_a_file_named_like_a_module_in_use_is_an_error(replayer: SparkReplayer, write: WriteFile):
    path = write("json.py", "def f(r):\n    return r\n")
    with pytest.raises(ReplayError, match="Python has another module 'json'; rename the file"):
        replayer.run_on_spark(f"{path}:f", [{"r": []}])


def test_files_of_one_name_in_two_folders_do_not_meet(replayer: SparkReplayer, write: WriteFile):
    for folder, factor in (("a", 2), ("b", 3)):
        write(f"{folder}/helpers.py", f"def times(x):\n    return x * {factor}\n")
        write(f"{folder}/jobs.py", "from helpers import times\ndef f(r):\n    return r.map(lambda x: times(x))\n")
    jobs = [write(f"{folder}/more.py", "import jobs\ndef f(r):\n    return jobs.f(r)\n") for folder in "abab"]
    runs = [replayer.run_on_spark(f"{path}:f", [{"r": [1]}])[0].written for path in jobs]
    assert runs == [Returned({n: 1}) for n in (2, 3, 2, 3)]


def test_a_file_in_a_package_imports_from_it_and_is_read_again_when_it_has_changed(
    replayer: SparkReplayer, write: WriteFile
):
    write("outer/__init__.py", "")
    write("outer/inner/__init__.py", "FACTOR = 2\n")
    write("outer/helpers.py", "def plus(x, y):\n    return x + y\n")
    text = """
        from . import FACTOR
        from ..helpers import plus

        def f(r):
            return r.map(lambda x: plus(x, x * FACTOR){change})
    """
    for change, result in (("", 3), ("+ 1", 4)):
        path = write("outer/inner/jobs.py", text.format(change=change))
        assert replayer.run_on_spark(f"{path}:f", [{"r": [1]}])[0].written == Returned({result: 1})


def test_user_code_does_not_reach_the_caller(replayer: SparkReplayer, write: WriteFile):
    path = write("reaching.py", "import sys\nsys.path.append('reached')\ndef f(r):\n    return r\n")
    replayer.run_on_spark(f"{path}:f", [{"r": []}])
    assert "reached" not in sys.path
    assert "reaching" not in sys.modules
    assert not Path(path).with_name("__pycache__").exists()


def identity(r):
    """A function object of this test module."""
    return r


def test_a_function_object_is_found_by_its_file_and_name(replayer: SparkReplayer):
    (run,) = replayer.run_on_spark(identity, [{"r": [(1, 2)]}])
    assert run.written == Returned({(1, 2): 1})


RECORDS = """
    from __future__ import annotations
    from dataclasses import dataclass
    from typing import NamedTuple
    from pyspark import RDD

    class Order(NamedTuple):
        customer: int
        paid: bool = False

    @dataclass(frozen=True)
    class Line:
        order: Order | None
        pair: tuple[int, Order]

    def customers(r: RDD[Line], one: Order):
        return r.map(lambda line: (line.order is None or line.order.paid, line.pair[1].customer + one.customer))

    def unresolved(r: RDD[Missing]):
        return r.map(lambda x: x[0])
"""


def test_records_are_made_of_plain_tuples(replayer: SparkReplayer, write: WriteFile):
    path = write("jobs.py", RECORDS)
    bag = {(None, (1, (2, True))): 1, ((3, True), (4, (5, False))): 1}
    (run,) = replayer.run_on_spark(f"{path}:customers", [{"r": bag, "one": (10, False)}])
    assert run.written == Returned({(True, 12): 1, (True, 15): 1})
    (run,) = replayer.run_on_spark(f"{path}:unresolved", [{"r": [(1, 2)]}])
    assert run.written == Returned({1: 1})
