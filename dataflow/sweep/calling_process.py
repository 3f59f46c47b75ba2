"""The process of functions of the user's: `python -m tallystick.dataflow.sweep.calling_process FILE SECONDS MEBIBYTES`.

It reads calls, one JSON array a line, and answers each with one object. What functions print is lost. It ends when its
input ends, or when its parent does.
"""

from __future__ import annotations

import json
import os
import resource
import runpy
import signal
import sys
import threading
from collections.abc import Callable
from types import FrameType
from typing import Any, TextIO

from tallystick.dataflow.sweep.calling import ANSWER_MEBIBYTES, decoded, encoded
from tallystick.decision.service.isolation import end_with_parent

LONGEST_MESSAGE = 2_000
"""Characters of what is told of a failure."""


class OutOfTimeError(BaseException):
    """A call has used its seconds. No function that handles exceptions handles this one by mistake."""


def main(path: str, seconds: float, mebibytes: int) -> None:
    """Answers until the input ends."""
    answers = os.fdopen(os.dup(1), "w", encoding="ascii")
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    threading.Thread(target=end_with_parent, args=(os.getppid(),), daemon=True).start()
    resource.setrlimit(resource.RLIMIT_AS, (mebibytes << 20, mebibytes << 20))
    try:
        functions = loaded(path)
    except (Exception, SystemExit) as problem:
        _say(answers, json.dumps({"failed": f"{type(problem).__name__}: {problem}"}))
        return
    _say(answers, json.dumps({"names": list(functions)}))
    signal.signal(signal.SIGPROF, _out_of_time)
    for line in sys.stdin:
        name, arguments = json.loads(line)
        _say(answers, _called(functions[name], decoded(arguments), seconds))


def loaded(path: str) -> dict[str, Callable[..., Any]]:
    """The functions of a file."""
    defined = runpy.run_path(path)
    listed = defined.get("FUNCTIONS")
    if isinstance(listed, dict):
        return {str(name): each for name, each in listed.items() if callable(each)}
    return {name: each for name, each in defined.items() if callable(each) and not name.startswith("_")}


def _called(function: Callable[..., Any], arguments: Any, seconds: float) -> str:
    """What became of a call, as JSON: its `value`, or how it `failed`."""
    try:
        signal.setitimer(signal.ITIMER_PROF, seconds)
        try:
            answer = json.dumps({"value": encoded(function(*arguments))})
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
        if len(answer) <= ANSWER_MEBIBYTES << 20:
            return answer
        failed = {"failed": f"what it returns takes more than {ANSWER_MEBIBYTES} MiB", "late": True}
    except OutOfTimeError:
        failed = {"failed": f"it takes more than {seconds:g} s of the processor", "late": True}
    except MemoryError:
        failed = {"failed": "it takes too much memory", "late": True}
    except (Exception, SystemExit) as problem:
        failed = {"failed": f"{type(problem).__name__}: {problem}"[:LONGEST_MESSAGE]}
    return json.dumps(failed)


def _say(answers: TextIO, line: str) -> None:
    answers.write(line + "\n")
    answers.flush()


def _out_of_time(number: int, frame: FrameType | None) -> None:
    raise OutOfTimeError


if __name__ == "__main__":
    main(sys.argv[1], float(sys.argv[2]), int(sys.argv[3]))
