"""PySpark functions as core programs: parsed, never imported or run.

Reading order: program.py (the door), sets.py (programs compared as sets), positive_list.py and rdd_methods.py (which
RDD methods are read), operators.py, partial.py, combining.py, groups.py, tables.py, joins.py, driver.py, literals.py
and set_operations.py (these methods), reader.py with expressions.py, statements.py and arithmetic.py (Python code on
terms), options.py (None), folds.py (where a program folds), names.py and scopes.py (Python's scoping), types.py,
values.py, source.py, documentation.py (the page about RDD methods).
"""

from tallystick.frontends.errors import SourceError
from tallystick.frontends.pyspark.alignment import aligned
from tallystick.frontends.pyspark.cutting import with_used_components
from tallystick.frontends.pyspark.guards import without_guards
from tallystick.frontends.pyspark.program import (
    Reference,
    SourceProgram,
    programs_in,
)
from tallystick.frontends.pyspark.rdds.folds import FoldCall, Merge
from tallystick.frontends.pyspark.rdds.positive_list import refused_calls, supported_calls
from tallystick.frontends.pyspark.rdds.rdd_methods import SupportedCall
from tallystick.frontends.pyspark.result_types import of_same_classes
from tallystick.frontends.pyspark.sets import SetError, as_set
from tallystick.frontends.pyspark.unfixed import unfixed

__all__ = [
    "FoldCall",
    "Merge",
    "Reference",
    "SetError",
    "SourceError",
    "SourceProgram",
    "SupportedCall",
    "aligned",
    "as_set",
    "of_same_classes",
    "programs_in",
    "refused_calls",
    "supported_calls",
    "unfixed",
    "with_used_components",
    "without_guards",
]
