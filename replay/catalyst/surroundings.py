"""What functions ask of the machine and the session that they happen to run in: no verdict may hang on it.

Files beside the code and those of libraries are part of a program; other files, variables of the environment, other
processes, the network and the clock are not. Who asks is seen by the stack: Python's own imports, Spark and what writes
logs may ask for anything.
"""

from __future__ import annotations

import datetime
import os
import sys
import sysconfig
import zoneinfo
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from types import FrameType
from typing import Any

from .unknown_rows import Refusal, is_logged, replacing

ASKING = frozenset(
    {
        *("importlib", "zipimport", "importlib_metadata", "pkg_resources", "linecache", "traceback", "inspect"),
        *("logging", "warnings", "pyspark", "py4j", "cloudpickle", "gettext"),
        *("zoneinfo", "pytz", "dateutil", "tzlocal"),
    }
)
"""Modules that ask for what no result hangs on."""
FILES = frozenset({"open", "os.listdir", "os.scandir", "os.mkdir", "os.remove", "os.rename", "os.rmdir"})
OTHERS = frozenset(
    {
        *("subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.fork", "socket.connect"),
        *("socket.getaddrinfo", "socket.gethostname", "socket.gethostbyname", "sqlite3.connect"),
    }
)
"""Events of Python's audit hooks, by which other processes and machines are asked."""
CLOCKS = frozenset({"now", "utcnow", "today"})
LIBRARIES = tuple({each + os.sep for each in (*sysconfig.get_paths().values(), *zoneinfo.TZPATH)})
PARAMETER = "make what it needs a parameter, and give its value by --param"


class Surroundings:
    """Refuses what the user's code asks of the machine, as long as it is `watched`.

    Attributes:
        refused: the first thing that was asked for, whatever the code has made of the refusal.
    """

    def __init__(self) -> None:
        self.folders: tuple[str, ...] = ()
        self.refused = ""
        self._watching = self._hooked = False
        self._own: set[Any] = set()

    @contextmanager
    def watched(self, folders: Sequence[str]) -> Iterator[None]:
        """Watches what is asked for in a block; the files in some folders may be. Ends with a Refusal if there was any.

        Audit hooks stay for ever: one is added, which does nothing out of such blocks.
        """
        if not self._hooked:
            sys.addaudithook(self._audited)
        self._hooked = True
        known = (way(each) for each in folders for way in (os.path.abspath, os.path.realpath))
        self.folders, self.refused = tuple(each.rstrip(os.sep) + os.sep for each in known), ""
        self._own = set()
        names = ("stat", "lstat", "access")
        before = {name: getattr(os, name) for name in names}
        environ: Any = os._Environ  # type: ignore[attr-defined]
        profile = sys.getprofile()
        self._watching = True
        try:
            for name in names:
                setattr(os, name, self._of_file(before[name]))
            with replacing(
                [
                    (environ, "__getitem__", self._of_variable(environ.__getitem__)),
                    (environ, "__setitem__", self._setting(environ.__setitem__)),
                    (environ, "__iter__", self._of_variable(environ.__iter__)),
                ]
            ):
                sys.setprofile(self.profiled)
                yield
        finally:
            self._watching = False
            sys.setprofile(profile)
            for name in names:
                setattr(os, name, before[name])
        if self.refused:
            raise Refusal(self.refused)

    def refuse(self, what: str) -> None:
        """Ends the call if it is the user's code that asks for something."""
        if self._watching and asked_by_user():
            self.refused = self.refused or f"it asks for {what}, on which no verdict may hang: {PARAMETER}"
            raise Refusal(self.refused)

    def profiled(self, frame: FrameType, event: str, called: Any) -> None:
        """Notices the clock; `datetime` is written in C, and asks nobody whose answer could be another one."""
        if event == "c_call" and called.__name__ in CLOCKS:
            of = getattr(called, "__self__", None)
            if isinstance(of, type) and issubclass(of, datetime.date):
                self.refuse(f"the clock ({of.__name__}.{called.__name__})")

    def _audited(self, event: str, given: tuple[Any, ...]) -> None:
        if not self._watching or event not in FILES | OTHERS:
            return
        if event in OTHERS:
            self.refuse(f"what is out of the process ({event})")
        else:
            self._ask_for_file(given[0])

    def _ask_for_file(self, path: Any, folders: bool = False) -> None:
        """Refuses a file out of the folders; or, if those may be asked for, one that is not around one of them."""
        if isinstance(path, int) or path == os.devnull:
            return
        name = os.fsdecode(path or ".")
        full = os.path.abspath(name).rstrip(os.sep) + os.sep
        around = folders and any(each.startswith(full) for each in self.folders)
        if not around and not full.startswith((*self.folders, *LIBRARIES)):
            self.refuse(f"the file {name} of this machine")

    def _of_file(self, ask: Callable[..., Any]) -> Callable[..., Any]:
        def asked(path: Any, *given: Any, **named: Any) -> Any:
            self._ask_for_file(path, folders=True)
            return ask(path, *given, **named)

        return asked

    def _of_variable(self, ask: Callable[..., Any]) -> Callable[..., Any]:
        def asked(own: Any, *key: Any) -> Any:
            if not self._own.issuperset(key) or not key:
                self.refuse(f"the environment{''.join(f' variable {each}' for each in key)}")
            return ask(own, *key)

        return asked

    def _setting(self, assign: Callable[..., Any]) -> Callable[..., Any]:
        def assigned(own: Any, key: Any, value: Any) -> None:
            self._own.add(key)
            assign(own, key, value)

        return assigned


def asked_by_user() -> bool:
    """Whether a function that is wrapped in this folder was called by the user's code, through libraries or not.

    What is asked for in a statement that only logs is nobody's.
    """
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and frame.f_globals.get("__package__") == __package__:
        frame = frame.f_back
    while frame is not None:
        top = str(frame.f_globals.get("__name__")).partition(".")[0]
        if top in ASKING or frame.f_globals.get("__package__") == __package__:
            return False
        if (top, frame.f_code.co_qualname) == ("argparse", "HelpFormatter.__init__"):  # how wide a terminal is
            return False
        if top not in sys.stdlib_module_names and not frame.f_code.co_filename.startswith(LIBRARIES):
            return not is_logged(frame)
        frame = frame.f_back
    return False
