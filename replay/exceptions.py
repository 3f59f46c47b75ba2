"""Exceptions of user code, from the driver or from Spark's executors."""

from __future__ import annotations

import re

from py4j.protocol import Py4JError, Py4JJavaError
from tallystick.replay.errors import ReplayError
from tallystick.replay.wire import Json

_PYTHON_TRACEBACK = re.compile(r"PythonException: .*?Traceback \(most recent call last\):\n(.*)", re.DOTALL)
_LAST_LINE = re.compile(r"^([A-Za-z_][\w.]*)(?:: (.*))?$")


def raised(error: BaseException) -> dict[str, Json]:
    """The exception that a program raised, as an outcome.

    Raises ReplayError when it is Spark that failed, and the exception itself when Spark or memory is gone, after
    which this process is of no use.
    """
    if isinstance(error, MemoryError) or (isinstance(error, Py4JError) and not isinstance(error, Py4JJavaError)):
        raise error
    if not isinstance(error, Py4JJavaError):
        return {"raised": [type(error).__name__, str(error)]}
    text = str(error)
    found = _PYTHON_TRACEBACK.search(text)
    for line in found[1].splitlines() if found else ():
        last = _LAST_LINE.match(line)
        if last:  # a traceback's other lines are indented
            return {"raised": [last[1], last[2] or ""]}
    raise ReplayError(f"Spark failed: {java_message(error)}") from error


def java_message(error: Py4JJavaError) -> str:
    """What Java says went wrong, in a line: the innermost cause, without the stack of calls."""
    lines = [line.strip() for line in str(error).splitlines()]
    causes = [line.removeprefix("Caused by: ") for line in lines if line.startswith("Caused by: ")]
    first = [line.removeprefix(": ") for line in lines if line.startswith(": ")]
    return (causes[-1:] or first[:1] or lines[:1] or ["an unknown error"])[0]
