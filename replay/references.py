"""Where a program is found: a file and the name of a function in it."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable
from dataclasses import dataclass

from tallystick.replay.errors import ReplayError


@dataclass(frozen=True, slots=True)
class Reference:
    """A function at the top level of a file, or a method of a class there.

    Attributes:
        path: the absolute path of the file.
        function: the name of the function, or "Class.method".
    """

    path: str
    function: str

    def __str__(self) -> str:
        return f"{self.path}:{self.function}"


def reference(program: str | Callable[..., object]) -> Reference:
    """The reference that "path.py:function" or a function object stands for.

    Raises ReplayError when there is no such file, or when a function object cannot be found again by its name at
    the top level of its file: a lambda, say, or a function inside another.
    """
    if callable(program):
        path, name = _of_function(program)
    else:
        path, colon, name = program.rpartition(":")
        if not colon or not path or not all(part.isidentifier() for part in name.split(".", 1)):
            raise ReplayError(f"{program!r} does not say which program to run: write path.py:function")
    if path.endswith(".ipynb"):
        raise ReplayError(f"{path}: a notebook is read, not run: move the function into a .py file")
    if not os.path.isfile(path):
        raise ReplayError(f"{path}: there is no such file")
    return Reference(os.path.abspath(path), name)


def _of_function(function: Callable[..., object]) -> tuple[str, str]:
    function = inspect.unwrap(function)
    name = getattr(function, "__qualname__", "")
    if not inspect.isfunction(function) or not name.isidentifier():
        shown = name or repr(function)
        raise ReplayError(f"{shown} cannot be run on Spark: move it to the top level of a file, as a def")
    return function.__code__.co_filename, name
