"""Jinja that nobody here wrote: no Python of the project's or ours is in reach, and time and sizes have bounds.

Templates see the objects of `rendering.py`, whose own attributes begin with an underscore, which the sandbox hides, and
the names of MODULES. Clocks stand still, so that a text is rendered alike each time; no environment is read.
"""

from __future__ import annotations

import datetime
import itertools
import re
import signal
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from types import FrameType, SimpleNamespace
from typing import Any, Final
from zoneinfo import ZoneInfo

from jinja2.exceptions import SecurityError
from jinja2.sandbox import SandboxedEnvironment

MOMENT: Final = datetime.datetime(2026, 1, 15, 12, tzinfo=datetime.UTC)
"""When all runs start."""
LONGEST: Final = 1_000_000
"""Characters of a text, and elements of a list, that a template may make."""
GREATEST_POWER: Final = 1_000


class NotRenderedError(Exception):
    """A text cannot be rendered, and why."""


class OutOfTimeError(Exception):
    """What was done took longer than it may."""


class Loose(dict):  # type: ignore[type-arg]
    """A dictionary whose entries are attributes, too; None for those that it lacks."""

    __getattr__ = dict.get
    __hash__ = object.__hash__  # type: ignore[assignment]


class Package:
    """The macros of a package, by name; those that it lacks are dbt's."""

    def __init__(self, macros: Mapping[tuple[str, str], Any], name: str) -> None:
        self._macros, self._name = macros, name

    def __getattr__(self, macro: str) -> Any:
        for package in (self._name, "dbt"):
            if (package, macro) in self._macros:
                return self._macros[package, macro]
        raise AttributeError(macro)


class Sandbox(SandboxedEnvironment):
    """Jinja's own sandbox, with bounds of what operators make. Macros may have names that begin with an underscore."""

    intercepted_binops = frozenset({"*", "**", "%"})

    def is_safe_attribute(self, obj: Any, attr: str, value: Any) -> bool:
        """Whether a template may ask for an attribute."""
        if isinstance(obj, Package):
            return attr not in ("_macros", "_name") and not attr.startswith("__")
        return super().is_safe_attribute(obj, attr, value)

    def call_binop(self, context: Any, operator: str, left: Any, right: Any) -> Any:
        """The value of an operator; SecurityError where it would be too large."""
        if operator == "**" and (abs(left) > GREATEST_POWER or abs(right) > GREATEST_POWER):
            raise SecurityError("a power is too large")
        if operator == "%" and isinstance(left, str) and re.search(r"\*|\d{6}", left):
            raise SecurityError("a format is too wide")
        for some, times in ((left, right), (right, left)) if operator == "*" else ():
            if isinstance(some, str | list | tuple) and isinstance(times, int) and len(some) * times > LONGEST:
                raise SecurityError("a repeated text or list is too long")
        return super().call_binop(context, operator, left, right)


class _Date(datetime.date):
    @classmethod
    def today(cls) -> datetime.date:  # type: ignore[override]
        return MOMENT.date()


class _Moment(datetime.datetime):
    @classmethod
    def now(cls, tz: datetime.tzinfo | None = None) -> datetime.datetime:  # type: ignore[override]
        return MOMENT.astimezone(tz) if tz is not None else MOMENT.replace(tzinfo=None)

    @classmethod
    def utcnow(cls) -> datetime.datetime:  # type: ignore[override]
        return MOMENT.replace(tzinfo=None)

    @classmethod
    def today(cls) -> datetime.datetime:  # type: ignore[override]
        return MOMENT.replace(tzinfo=None)


MODULES: Final = SimpleNamespace(
    datetime=SimpleNamespace(
        date=_Date,
        datetime=_Moment,
        time=datetime.time,
        timedelta=datetime.timedelta,
        timezone=datetime.timezone,
        tzinfo=datetime.tzinfo,
    ),
    pytz=SimpleNamespace(timezone=ZoneInfo, utc=datetime.UTC, UTC=datetime.UTC),
    re=SimpleNamespace(**{name: getattr(re, name) for name in re.__all__}),
    itertools=SimpleNamespace(
        **{name: getattr(itertools, name) for name in dir(itertools) if not name.startswith("_")}
    ),
)
"""What `modules` has in dbt: functions one by one, since a module shows whatever it imports."""


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raises OutOfTimeError once so much processor time has gone by inside, then again and again, should that be lost.

    Nothing is limited inside another limit, in threads, and where there are no such timers.
    """
    if (
        not hasattr(signal, "setitimer")
        or threading.current_thread() is not threading.main_thread()
        or any(signal.getitimer(signal.ITIMER_PROF))
    ):
        yield
        return

    def stop(number: int, frame: FrameType | None) -> None:
        raise OutOfTimeError(f"it takes more than {seconds:g} seconds of processor time")

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds, 1)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
