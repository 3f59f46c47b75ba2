"""Imports user code, as Python would, and forgets it again.

A file in a package is imported as part of it, so that relative imports work; another file as if it had been run:
its folder is the first place where imports are looked for. Functions are sent to Spark's executors by value, so the
executors need not find the file.
"""

from __future__ import annotations

import importlib
import inspect
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

from pyspark import cloudpickle
from tallystick.replay.errors import ReplayError


@contextmanager
def user_function(path: Path, name: str) -> Iterator[Callable[..., Any]]:
    """The function `name` of the file `path`; raises ReplayError when it cannot be imported."""
    root, module_name = _place(path)
    before = set(sys.modules)
    sys.path.insert(0, str(root))
    importlib.invalidate_caches()
    own: list[ModuleType] = []
    try:
        module = _imported(path, module_name)
        own = _own_modules(before, root, module_name)
        for each in own:
            cloudpickle.register_pickle_by_value(each)
        function = _attribute(module, name)
        if not callable(function):
            raise ReplayError(f"{path} has no function {name!r} once it is imported")
        yield function
    finally:
        for each in own:
            cloudpickle.unregister_pickle_by_value(each)
        for each in _own_modules(before, root, module_name):
            del sys.modules[each.__name__]
        if str(root) in sys.path:
            sys.path.remove(str(root))


def _attribute(module: ModuleType, name: str) -> Any:
    """A function of a module, or a method, of an object that its class makes without arguments; None for others."""
    owner, dot, method = name.partition(".")
    found = getattr(module, owner, None)
    if not dot or found is None:
        return found
    is_static = isinstance(inspect.getattr_static(found, method, None), staticmethod | classmethod)
    return getattr(found if is_static else found(), method, None)


def _place(path: Path) -> tuple[Path, str]:
    """The folder that imports start from, and the full name of the module there."""
    parts, root = [path.stem], path.parent
    while (root / "__init__.py").is_file() and root != root.parent:
        parts.insert(0, root.name)
        root = root.parent
    return root, ".".join(parts)


def _imported(path: Path, name: str) -> ModuleType:
    try:
        module = importlib.import_module(name)
    except (Exception, SystemExit) as error:
        raise ReplayError(f"{path} cannot be imported: {_summary(error, path)}") from error
    found = getattr(module, "__file__", None)
    if found is None or not path.samefile(found):
        raise ReplayError(f"{path} cannot be imported: Python has another module {name!r}; rename the file")
    return module


def _summary(error: BaseException, path: Path) -> str:
    """The exception in one line, and the line of the user's file that it came from."""
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if Path(frame.filename) == path]
    where = f" (line {lines[-1]})" if lines else ""
    return f"{type(error).__name__}: {error}{where}"


def _own_modules(before: set[str], root: Path, name: str) -> list[ModuleType]:
    """The modules imported since `before` that are the user's: of the same package, or beside the file."""
    package, dot, _ = name.partition(".")
    return [
        module
        for key, module in list(sys.modules.items())
        if key not in before and module.__name__ == key and _belongs(module, root, package if dot else "")
    ]


def _belongs(module: ModuleType, root: Path, package: str) -> bool:
    top = module.__name__.partition(".")[0]
    if package:
        return top == package
    file = getattr(module, "__file__", None)
    return file is not None and (Path(file) == root / f"{top}.py" or root / top in Path(file).parents)
