"""DStream programs in pure Python: PySpark's RDDs and DStreams, with their partitions, in one process."""

from tallystick.streaming.engines.local.engine import LocalEngine

__all__ = ["LocalEngine"]
