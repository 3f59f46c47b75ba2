"""Runs programs on real PySpark: the only part of Tallystick that runs user code."""

from tallystick.replay.errors import ReplayError, ReplayTimeout, ReplayUnavailable
from tallystick.replay.records import (
    Comparison,
    Input,
    ObservedFold,
    Outcome,
    Partitioned,
    Raised,
    Replay,
    Returned,
    Run,
)
from tallystick.replay.replayer import SparkReplayer, require_spark

__all__ = [
    "Comparison",
    "Input",
    "ObservedFold",
    "Outcome",
    "Partitioned",
    "Raised",
    "Replay",
    "ReplayError",
    "ReplayTimeout",
    "ReplayUnavailable",
    "Returned",
    "Run",
    "SparkReplayer",
    "require_spark",
]
