"""PySpark functions as core programs: parsed, never imported or run.

Reading order: program.py (the door), operators.py, partial.py and set_operations.py (the RDD methods), reader.py with
expressions.py, statements.py and arithmetic.py (Python code on terms), folds.py (where a program folds), names.py and
scopes.py (Python's scoping), types.py, values.py, source.py.
"""

from tallystick.frontends.pyspark import (  # noqa: F401 - they add RDD methods
    combining,
    driver,
    groups,
    joins,
    partial,
    set_operations,
)
from tallystick.frontends.pyspark.errors import SourceError
from tallystick.frontends.pyspark.folds import FoldCall, Merge
from tallystick.frontends.pyspark.operators import SupportedCall, supported_calls
from tallystick.frontends.pyspark.program import SourceProgram, aligned, programs_in, read_program

__all__ = [
    "FoldCall",
    "Merge",
    "SourceError",
    "SourceProgram",
    "SupportedCall",
    "aligned",
    "programs_in",
    "read_program",
    "supported_calls",
]
