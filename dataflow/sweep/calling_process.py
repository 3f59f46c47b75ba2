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
import time
from collections.abc import Callable
from types import FrameType
from typing import Any, TextIO

from tallystick.dataflow.sweep.calling import decoded, encoded

PARENT_POLL_SECONDS = 0.5


class OutOfTimeError(BaseException):
    """A call has used its seconds. No function that handles exceptions handles this one by mistake."""


def main(path: str, seconds: float, mebibytes: int) -> None:
    """Answers until the input ends."""
    answers = os.fdopen(os.dup(1), "w", encoding="ascii")
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    threading.Thread(target=_end_with_parent, args=(os.getppid(),), daemon=True).start()
    resource.setrlimit(resource.RLIMIT_AS, (mebibytes << 20, mebibytes << 20))
    try:
        functions = loaded(path)
    except (Exception, SystemExit) as problem:
        _say(answers, {"failed": f"{type(problem).__name__}: {problem}"})
        return
    _say(answers, {"names": list(functions)})
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


def _called(function: Callable[..., Any], arguments: Any, seconds: float) -> dict[str, Any]:
    try:
        signal.setitimer(signal.ITIMER_PROF, seconds)
        try:
            value = encoded(function(*arguments))
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
    except OutOfTimeError:
        return {"failed": f"it takes more than {seconds:g} s of the processor", "late": True}
    except MemoryError:
        return {"failed": "it takes too much memory", "late": True}
    except (Exception, SystemExit) as problem:
        return {"failed": f"{type(problem).__name__}: {problem}"}
    return {"value": value}


def _say(answers: TextIO, what: dict[str, Any]) -> None:
    answers.write(json.dumps(what) + "\n")
    answers.flush()


def _out_of_time(number: int, frame: FrameType | None) -> None:
    raise OutOfTimeError


def _end_with_parent(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(PARENT_POLL_SECONDS)
    os._exit(1)


if __name__ == "__main__":
    main(sys.argv[1], float(sys.argv[2]), int(sys.argv[3]))
