"""The builtin functions of Python that are read."""

from __future__ import annotations

from typing import Final

from tallystick.frontends.pyspark.python.functions import containers, conversions, iterables, totals

BUILTINS: Final = {
    **conversions.FUNCTIONS,
    **containers.FUNCTIONS,
    **iterables.FUNCTIONS,
    **totals.FUNCTIONS,
}
