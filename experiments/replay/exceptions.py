"""Exceptions of user code, from the driver or from Spark's executors."""

from __future__ import annotations

import re

from py4j.protocol import Py4JJavaError, Py4JNetworkError
from tallystick.experiments.replay.errors import ReplayError
from tallystick.experiments.replay.wire import Json

_PYTHON_TRACEBACK = re.compile(r"PythonException: .*?Traceback \(most recent call last\):\n(.*)", re.DOTALL)
_LAST_LINE = re.compile(r"^([A-Za-z_][\w.]*)(?:: (.*))?$")


def raised(error: BaseException) -> dict[str, Json]:
    """The exception that a program raised, as an outcome; raises ReplayError when it is Spark that failed."""
    if isinstance(error, ReplayError):
        raise error
    if isinstance(error, MemoryError | Py4JNetworkError):
        raise ReplayError(f"Spark cannot go on: {type(error).__name__} {error}".rstrip()) from error
    if not isinstance(error, Py4JJavaError):
        return {"raised": [type(error).__name__, str(error)]}
    text = str(error)
    found = _PYTHON_TRACEBACK.search(text)
    for line in found[1].splitlines() if found else ():
        last = _LAST_LINE.match(line)
        if last:  # a traceback's other lines are indented
            return {"raised": [last[1], last[2] or ""]}
    raise ReplayError(f"Spark failed: {_java_message(text)}") from error


def _java_message(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.startswith(": ")]
    return lines[0].removeprefix(": ") if lines else text.splitlines()[0]
