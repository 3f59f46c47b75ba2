"""What every engine offers: run a subject on test cases and show each letter as soon as it is there."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from tallystick.streaming.errors import CaseTimedOutError, StreamingError, SubjectFailedError
from tallystick.streaming.letters import INPUT, OUTPUT, Batch, Letter, StreamPrefix

#: Called with the case's index, the batch number (from 1) and the letter; returns whether the case goes on.
Watch: TypeAlias = Callable[[int, int, Letter], bool]
#: The subjects' errors, by the case's index.
Failures: TypeAlias = dict[int, SubjectFailedError]


@dataclass(frozen=True)
class Case:
    """A test case: one prefix for each named input stream. Shorter prefixes are continued with empty
    batches."""

    inputs: Mapping[str, StreamPrefix]

    @property
    def length(self) -> int:
        """The number of batches."""
        return max(map(len, self.inputs.values()), default=0)

    def batch(self, number: int) -> dict[str, Batch]:
        """Return the input batches with the given number, counted from 1."""
        return {name: prefix[number - 1] if number <= len(prefix) else () for name, prefix in self.inputs.items()}


class Deadline:
    """The time limit of one case, or of the cases that run side by side. None means no limit."""

    def __init__(self, seconds: float | None) -> None:
        self.seconds = seconds
        self._end = None if seconds is None else time.monotonic() + seconds

    def remaining(self) -> float:
        """Return the seconds that are left; there is a limit."""
        return 0.0 if self._end is None else self._end - time.monotonic()

    def check(self, batch: int) -> None:
        """Raise `CaseTimedOutError` if the time is over."""
        if self.seconds is not None and self._end is not None and time.monotonic() > self._end:
            raise CaseTimedOutError(self.seconds, batch)


class OnceOnly:
    """A watch that sees each letter once, although a case may be run again from its beginning."""

    def __init__(self, watch: Watch) -> None:
        self._watch = watch
        self._seen: dict[int, int] = {}
        self._goes_on: dict[int, bool] = {}

    def __call__(self, index: int, number: int, letter: Letter) -> bool:
        if number > self._seen.get(index, 0):
            self._seen[index] = number
            self._goes_on[index] = self._watch(index, number, letter)
        return number < self._seen[index] or self._goes_on[index]


class Engine(ABC):
    """Runs subjects. A context manager: leaving it releases whatever the engine started, whatever
    happened."""

    #: The name by which settings choose the engine.
    name: str
    #: How many cases run side by side in one context.
    side_by_side: int = 1
    #: Whether a case takes no more than milliseconds.
    is_quick: bool = False

    def __init__(self, batch_interval: int = 1) -> None:
        if batch_interval < 1:
            raise ValueError(f"a batch interval is a number of seconds, at least 1, not {batch_interval}")
        self.batch_interval = batch_interval

    @abstractmethod
    def run(self, subject: Any, cases: Sequence[Case], watch: Watch, deadline: float | None = None) -> Failures:
        """Run the subject on each case, in independent copies, until `watch` says stop or the case ends.

        The letters of a case come in order; those of different cases may interleave. A subject that raises
        ends its own case only, and is reported in the result. Raises `CaseTimedOutError` when all cases
        together take longer than `deadline` seconds, and `EngineUnavailableError` when the engine cannot
        run here.
        """

    def quick_engine(self) -> Engine | None:
        """Return an engine that runs the same subjects much faster, to shrink a case on it; None if there is none."""
        return None

    def time_of(self, batch: int) -> int:
        """Return the timestamp of a batch in milliseconds: the clock starts at 0 and batch 1 ends one
        interval on."""
        return batch * self.batch_interval * 1000

    def close(self) -> None:
        """Release what the engine started. The base engine has nothing to release."""
        return

    def __enter__(self) -> Engine:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def apply_subject(subject: Callable[..., Any], streams: Mapping[str, Any]) -> dict[str, Any]:
    """Call a subject on its input streams; return its output streams by name.

    One input named "input" is passed by position, any others by keyword. A subject returns one stream, named
    "output", or a dict of streams; each is of the type of an input. What it raises comes out as `SubjectFailedError`
    with batch 0.
    """
    try:
        result = subject(streams[INPUT]) if set(streams) == {INPUT} else subject(**streams)
    except StreamingError:
        raise
    except (Exception, SystemExit) as error:
        raise SubjectFailedError(0, {}, cause_of(error)) from error
    outputs = dict(result) if isinstance(result, Mapping) else {OUTPUT: result}
    clash = sorted(set(outputs) & set(streams))
    if clash:
        raise SubjectFailedError(0, {}, f"it names an output like an input: {', '.join(clash)}")
    kinds = tuple(map(type, streams.values()))
    for name, stream in outputs.items():
        if not isinstance(stream, kinds):
            made = "None" if stream is None else f"a value of type {type(stream).__name__}"
            raise SubjectFailedError(0, {}, f"it returned {made} for {name}: return the output stream")
    return outputs


class SparkError(Exception):
    """What Spark itself raises where no function of the program does; the text begins with the class."""


class Py4JJavaError(Exception):
    """What an action raises on the driver, as Spark does, for what a function has raised in a worker."""

    def __init__(self, original: BaseException) -> None:
        self.original = original
        super().__init__(f"An error occurred while calling PythonRDD: {cause_of(original)}")


def cause_of(error: BaseException) -> str:
    """Return an error as one line: its class, as a traceback has it, and its message."""
    while isinstance(error, Py4JJavaError):
        error = error.original
    message = str(error).strip().splitlines()
    if isinstance(error, SparkError):
        return message[0]
    kind = type(error)
    name = (
        kind.__qualname__ if kind.__module__ in ("builtins", "__main__") else f"{kind.__module__}.{kind.__qualname__}"
    )
    return f"{name}: {message[0]}" if message else name
