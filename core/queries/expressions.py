"""All scalar expressions of queries: see `nodes`. Trusted modules import what they need from there and `constructs`."""

from __future__ import annotations

from tallystick.core.queries.constructs.functions import CHOICE as CHOICE
from tallystick.core.queries.constructs.functions import Function
from tallystick.core.queries.constructs.functions import is_choice as is_choice
from tallystick.core.queries.constructs.numbers import ARITHMETIC as ARITHMETIC
from tallystick.core.queries.constructs.numbers import CASTS as CASTS
from tallystick.core.queries.constructs.numbers import Arithmetic, Cast, Divide, Remainder
from tallystick.core.queries.constructs.numbers import OnZero as OnZero
from tallystick.core.queries.constructs.subqueries import Exists, ForSome, ScalarSubquery
from tallystick.core.queries.constructs.truths import And, Case, IsNull, Not, Or
from tallystick.core.queries.names import OWN as OWN
from tallystick.core.queries.names import plain_name as plain_name
from tallystick.core.queries.nodes import NEGATED as NEGATED
from tallystick.core.queries.nodes import Comparison, Literal, Reference
from tallystick.core.queries.nodes import ComparisonOperator as ComparisonOperator
from tallystick.core.queries.nodes import bound as bound
from tallystick.core.queries.types import Rounding as Rounding

WithQuery = Exists | ForSome | ScalarSubquery
"""The expressions that have a subquery."""
Expression = (
    Reference
    | Literal
    | Arithmetic
    | Divide
    | Remainder
    | Cast
    | Function
    | Comparison
    | And
    | Or
    | Not
    | IsNull
    | Case
    | WithQuery
)
