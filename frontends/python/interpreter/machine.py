"""Runs of modules in Core Python: the executable meaning of programs.

CPython's heap is the store: a reference is a Python object, so two names of one list are two names of one Python list,
and a row of the library is Python's own function. What the user wrote is never run by CPython itself.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

from tallystick.frontends.python import syntax as core
from tallystick.frontends.python.interpreter import own, statements
from tallystick.frontends.python.interpreter.attributes import PREFIX, SPARK, Module
from tallystick.frontends.python.interpreter.closures import Closure
from tallystick.frontends.python.interpreter.expressions import Unknown
from tallystick.frontends.python.interpreter.limits import Clock, UnreadError
from tallystick.frontends.python.interpreter.running import End, Frame, Returned, Run
from tallystick.frontends.python.library import table
from tallystick.frontends.python.library.table import MODULES, WHOLE_MODULES, has_value, value_of
from tallystick.frontends.python.lowering import lower

Find = Callable[[str, int, str], tuple[str, ast.Module] | None]
"""Finds the file of a module: by its name, the dots before it, and the name of the file that imports it.

Gives its name and its tree, or None where there is no such file."""


class World:
    """The modules of a run.

    Attributes:
        clock: counts its steps.
    """

    def __init__(self, find: Find = lambda module, level, importer: None, clock: Clock | None = None) -> None:
        self.clock = Clock() if clock is None else clock
        self._find = find
        self._machines: dict[str, Machine] = {}

    def machine(self, tree: ast.Module, name: str) -> Machine:
        """The module of a file, whose body has run; raises StopError."""
        if name not in self._machines:
            self._machines[name] = made = Machine(self, name)
            made.run_module(lower(tree))
        return self._machines[name]

    @property
    def machines(self) -> tuple[Machine, ...]:
        """The modules that ran so far."""
        return tuple(self._machines.values())

    def module(self, name: str, level: int, importer: Run) -> Any:
        """What `import name` gives."""
        found = self._file(name, level, importer)
        if found is not None:
            return Module(name, found.attribute)
        if level == 0 and (name.partition(".")[0] == SPARK or name == "logging" or name in MODULES):
            return Module(name, lambda attribute: self._of_library(name, attribute))
        return Unknown(f"the module `{name}`")

    def imported(self, module: str, level: int, name: str, importer: Run) -> Any:
        """What `from module import name` gives."""
        found = self._file(module, level, importer)
        if found is not None and name in found.globals:
            return found.globals[name]
        inner = self._file(f"{module}.{name}".lstrip("."), level, importer)
        if inner is not None:
            return Module(name, inner.attribute)
        if found is not None:
            return found.attribute(name)
        if level == 0:
            try:
                return self._of_library(module, name)
            except UnreadError as error:
                return Unknown(error.what)
        return Unknown(f"`{name}` of the module `{module}`")

    def all_names(self, module: str, level: int, importer: Run) -> dict[str, Any]:
        """What `from module import *` gives; raises UnreadError for modules that are no files."""
        found = self._file(module, level, importer)
        if found is None:
            raise UnreadError(f"`import *` of `{module}`")
        names = found.globals.get("__all__", [each for each in found.globals if not each.startswith("_")])
        return {each: found.globals[each] for each in names}

    def _file(self, module: str, level: int, importer: Run) -> Machine | None:
        file = self._find(module, level, importer.name.removeprefix(PREFIX))
        return None if file is None else self.machine(file[1], PREFIX + file[0])

    def _of_library(self, module: str, name: str) -> Any:
        """What a module of Python's or Spark's has under a name; raises UnreadError, and as Python does."""
        full = f"{module}.{name}"
        if module.partition(".")[0] == SPARK:
            return prelude().of_spark(name) if "." in full else prelude().module
        if full in own.OWN:
            return own.value_of(full, self.clock)
        if full in MODULES:
            return Module(full, lambda attribute: self._of_library(full, attribute))
        if has_value(full):
            return value_of(full)
        if module == "__future__" or module in WHOLE_MODULES:
            return object
        raise UnreadError(f"`{full}`")

    def builtin(self, name: str) -> Any:
        """What Python has under a name; raises UnreadError, and NameError where it has none."""
        full = f"builtins.{name}"
        if full in own.OWN:
            return own.value_of(full, self.clock)
        if has_value(full):
            return value_of(full)
        if hasattr(builtins, name):
            raise UnreadError(f"the builtin `{name}`")
        raise NameError(f"name '{name}' is not defined")


class Machine:
    """A module that is interpreted.

    Attributes:
        world: the modules beside it.
        name: what its classes have for a module.
        globals: its values.
        clock: counts the steps of the run.
    """

    def __init__(self, world: World, name: str) -> None:
        self.world, self.name, self.clock = world, name, world.clock
        self.globals: dict[str, Any] = {"__name__": name.removeprefix(PREFIX), "__doc__": None}
        self._yields: dict[int, bool] = {}
        self._code: list[core.ModuleCode] = []

    def run_module(self, code: core.ModuleCode) -> None:
        """Run the body of the module; what a statement would have made that is not interpreted is unknown."""
        self._code.append(code)
        frame: Frame = {}
        for each in code.body:
            try:
                self.run((each,), frame)
            except UnreadError as error:
                set_here = set(_places_in(each, only_set=True))
                for place in _places_in(each):
                    if place in set_here or not self._is_fixed(place):
                        statements.store(self, place, Unknown(error.what), frame)

    def _is_fixed(self, place: core.Local | core.Global) -> bool:
        """Whether a variable has a value that code to which it is given cannot change: a function, or a constant."""
        value = self.globals.get(place.name) if isinstance(place, core.Global) else None
        return isinstance(value, Closure) or type(value) in (bool, int, float, str)

    def run(self, body: core.Body, frame: Frame) -> End:
        """Run statements that do not yield."""
        return statements.run(self, body, frame)

    def generate(self, body: core.Body, frame: Frame) -> Iterator[Any]:
        """The iterator that runs the body of a generator."""
        end = yield from statements.generate(self, body, frame)
        return end.value if isinstance(end, Returned) else None

    def yields(self, node: core.Statement) -> bool:
        """Whether a statement of this module yields."""
        found = self._yields.get(id(node))
        if found is None:
            found = self._yields[id(node)] = core.yields(node)
        return found

    def global_value(self, name: str) -> Any:
        """What a name is in the module, or in Python."""
        return self.globals[name] if name in self.globals else self.world.builtin(name)

    def attribute(self, name: str) -> Any:
        """What the module has under a name, for others."""
        if name not in self.globals:
            raise AttributeError(f"module '{self.name}' has no attribute '{name}'")
        found = self.globals[name]
        if isinstance(found, Unknown):
            raise UnreadError(found.why)
        return found


def _places_in(node: object, only_set: bool = False) -> Iterator[core.Local | core.Global]:
    """The variables that a statement of a module mentions, which it may have changed; or only those that it sets."""
    if isinstance(node, core.Local | core.Global):
        if not only_set:
            yield node
    elif isinstance(node, tuple):
        for each in node:
            yield from _places_in(each, only_set)
    elif hasattr(node, "__dataclass_fields__"):
        for name in node.__dataclass_fields__:  # type: ignore[attr-defined]
            yield from _places_in(getattr(node, name), only_set and name not in ("target", "targets"))


class Prelude(Machine):
    """The classes of Spark, which are Python that is read like any other."""

    def __init__(self) -> None:
        super().__init__(World(clock=Clock()), f"{PREFIX}{SPARK}")
        text = Path(table.__file__).with_name("prelude.py").read_text("utf-8")
        self.run_module(lower(ast.parse(text)))
        self.module = Module(SPARK, self.of_spark)

    def of_spark(self, name: str) -> Any:
        """What Spark has under a name; raises UnreadError."""
        if name in self.globals:
            return self.globals[name]
        if name in ("sql", "rdd", "context", "storagelevel", "statcounter"):
            return self.module
        if name == "StorageLevel":
            return own.SILENT
        raise UnreadError(f"`{name}` of Spark")


@lru_cache(1)
def prelude() -> Prelude:
    """The classes of Spark; read once."""
    return Prelude()
