"""IS TRUE and IS FALSE.

    v IS TRUE    is   CASE WHEN v THEN true ELSE false END
    v IS FALSE   is   CASE WHEN NOT v THEN true ELSE false END

So they are never NULL.
"""

from __future__ import annotations

from tallystick.core.queries.expressions import Case, Expression, Literal, Not
from tallystick.core.queries.types import BOOLEAN


def is_truth(value: Expression, truth: bool) -> Expression:
    """`value IS TRUE`, or `value IS FALSE`."""
    return Case(((value if truth else Not(value), Literal(True, BOOLEAN)),), Literal(False, BOOLEAN))
