"""The engines that run a subject on test cases: local, DStreams on Spark, Structured Streaming."""

from __future__ import annotations

from tallystick.streaming.engines.base import Engine
from tallystick.streaming.errors import EngineUnavailableError

ENGINES = ("local", "dstream", "structured")


def make_engine(name: str) -> Engine:
    """Return a new engine by its name. Raises `EngineUnavailableError` if there is none, or it cannot run
    here."""
    if name == "local":
        from tallystick.streaming.engines.local import LocalEngine

        return LocalEngine()
    if name == "dstream":
        from tallystick.streaming.engines.dstreams import DStreamEngine

        return DStreamEngine()
    if name == "structured":
        from tallystick.streaming.engines.structured.engine import StructuredEngine

        return StructuredEngine()
    raise EngineUnavailableError(f"there is no engine {name!r}: choose one of {', '.join(map(repr, ENGINES))}")
