"""Functions of the user's run in a process of their own, within limits."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from fractions import Fraction
from pathlib import Path

import pytest
from tallystick.dataflow.sweep.calling import CallError, FunctionsProcess, answer_in, decoded, encoded
from tallystick.frontends.errors import SourceError

TEXT = """
import os, sys, time
from fractions import Fraction

def plain(a, b): return (a, b, [1, (2, None)], {"x": Fraction(1, 3), 2: True})
def spins():
    while True:
        try: pass
        except Exception: pass
def sleeps(): time.sleep(1000)
def hoards(): return len("x" * (1 << 40))
def ends(): os._exit(3)
def leaves(): sys.exit(3)
def prints(): print("{}"); return 1
def fails(): raise ValueError("no such thing")
def foreign(): return 0.5
def process(): return os.getpid()
def long(): return ["x" * 1000] * 100_000
def digits(): return 10 ** 5000
def deep():
    made = []
    for _ in range(100_000): made = [made]
    return made
def echo(value): return value
"""


@pytest.fixture
def functions(tmp_path: Path) -> FunctionsProcess:
    (tmp_path / "functions.py").write_text(TEXT, encoding="utf-8")
    return FunctionsProcess(tmp_path / "functions.py", seconds=1.0)


def test_values_come_and_go(functions: FunctionsProcess) -> None:
    made = functions.call("plain", ("x", None), [Fraction(3, 2), True])
    assert made == (("x", None), [Fraction(3, 2), True], [1, (2, None)], {"x": Fraction(1, 3), 2: True})
    assert functions.call("prints") == 1
    assert repr(functions.call("foreign")) == "0.5"
    assert functions.call("process") != os.getpid()
    assert decoded(encoded(((), [], {}))) == ((), [], {})


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("spins", "it takes more than 1 s of the processor"),
        ("sleeps", "it takes more than 5 s"),
        ("hoards", "it takes too much memory"),
        ("ends", "its process ended without an answer"),
        ("leaves", "SystemExit: 3"),
        ("fails", "ValueError: no such thing"),
        ("long", "what it returns takes more than 64 MiB"),
        ("digits", "ValueError: Exceeds the limit (4300 digits) for integer string conversion"),
        ("deep", "RecursionError: maximum recursion depth exceeded"),
    ],
)
def test_what_does_not_return_is_told_and_others_go_on(functions: FunctionsProcess, name: str, message: str) -> None:
    with pytest.raises(CallError, match=re.escape(message)):
        functions.call(name)
    assert list(functions.failures) == [name]
    assert functions.failures[name].startswith(message)
    assert functions.call("prints") == 1


def test_a_line_that_is_no_answer_is_a_failure_of_the_call() -> None:
    for line, message in (
        (b"1" * 5_000, "is not understood: Exceeds the limit"),
        (b"[" * 100_000, "is not understood: maximum recursion depth"),
        (b"[1]", "is not understood"),
        (b"nonsense", "is not understood: Expecting value"),
    ):
        with pytest.raises(CallError, match=message):
            answer_in(line)


def test_arguments_that_cannot_be_written_are_a_failure_of_the_call(functions: FunctionsProcess) -> None:
    with pytest.raises(CallError, match="what it is called on cannot be written as JSON"):
        functions.call("echo", 10**5000)
    assert functions.call("echo", 10**4000) == 10**4000


def test_one_that_was_late_is_not_called_again(functions: FunctionsProcess) -> None:
    for _ in range(3):
        with pytest.raises(CallError, match="it takes more than"):
            functions.call("spins")
    before = time.process_time()
    with pytest.raises(CallError, match="it takes more than"):
        functions.call("spins")
    assert time.process_time() - before < 0.2


def test_a_file_that_cannot_be_run_is_refused(tmp_path: Path) -> None:
    for text, message in (("import nothing_of_that_name", "ModuleNotFoundError"), ("import os; os._exit(1)", "ended")):
        (tmp_path / "bad.py").write_text(text, encoding="utf-8")
        with pytest.raises(SourceError, match=f"the functions cannot be loaded: .*{message}"):
            FunctionsProcess(tmp_path / "bad.py")


def test_the_process_ends_with_ours(tmp_path: Path) -> None:
    (tmp_path / "functions.py").write_text(TEXT, encoding="utf-8")
    script = (
        "from pathlib import Path\nfrom tallystick.dataflow.sweep.calling import FunctionsProcess\nimport os\n"
        f"made = FunctionsProcess(Path({str(tmp_path / 'functions.py')!r}), seconds=1000)\n"
        "print(made.call('process'), flush=True)\nimport threading\n"
        "threading.Thread(target=made.call, args=('spins',)).start()\nos.kill(os.getpid(), 9)\n"
    )
    done = subprocess.run([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True, check=False)
    child = int(done.stdout)
    for _ in range(600):
        if not Path(f"/proc/{child}").exists():
            return
        time.sleep(0.1)
    pytest.fail("the process of the functions lives on")
