"""What a module that runs gives to its expressions, statements and functions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol

from tallystick.frontends.python import syntax as core
from tallystick.frontends.python.interpreter.limits import Clock

Frame = dict[str, Any]
"""The slots of a function that runs; boxes where functions in it see them. `.` is the body of a class, if it is one."""


class Returned:
    """How a body ends that returns a value."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value


End = Returned | str | None
"""How statements end: "break" or "continue", with a value, or, None, normally."""


class Modules(Protocol):
    """The modules of a run."""

    def module(self, name: str, level: int, importer: Run) -> Any:
        """What `import name` gives."""
        ...

    def imported(self, module: str, level: int, name: str, importer: Run) -> Any:
        """What `from module import name` gives."""
        ...

    def all_names(self, module: str, level: int, importer: Run) -> dict[str, Any]:
        """What `from module import *` gives."""
        ...


class Run(Protocol):
    """A module that runs.

    Attributes:
        name: what its classes have for a module.
        globals: its values.
        clock: counts the steps of the run.
    """

    name: str
    globals: dict[str, Any]
    clock: Clock

    @property
    def world(self) -> Modules:
        """The modules beside it."""
        ...

    def run(self, body: core.Body, frame: Frame) -> End:
        """Run statements that do not yield."""
        ...

    def generate(self, body: core.Body, frame: Frame) -> Iterator[Any]:
        """The iterator that runs the body of a generator."""
        ...

    def yields(self, node: core.Statement) -> bool:
        """Whether a statement of this module yields."""
        ...

    def global_value(self, name: str) -> Any:
        """What a name is in the module, or in Python."""
        ...
