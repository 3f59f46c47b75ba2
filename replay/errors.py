"""What can go wrong when user code is run on Spark."""

from __future__ import annotations

from tallystick.core.errors import TallystickError


class ReplayError(TallystickError, RuntimeError):
    """A program could not be run on Spark, so nothing is known about what it returns there."""


class ReplayUnavailable(ReplayError):  # noqa: N818 - it names a state, as in "503 Service Unavailable"
    """This machine cannot run Spark; the message says what is missing."""


class ReplayTimeout(ReplayError, TimeoutError):  # noqa: N818 - named after TimeoutError, which it is
    """A program did not finish within its time limit, and was ended."""
