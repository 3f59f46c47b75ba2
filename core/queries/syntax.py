"""All queries: see `nodes`. Trusted modules import what they need from there and `constructs`."""

from __future__ import annotations

from typing import Final, get_args

from tallystick.core.queries.constructs.aggregates import Aggregate
from tallystick.core.queries.constructs.joins import Join
from tallystick.core.queries.constructs.joins import JoinKind as JoinKind
from tallystick.core.queries.constructs.limits import Limit
from tallystick.core.queries.constructs.sets import Distinct, SetOperation
from tallystick.core.queries.constructs.values import UNIT as UNIT
from tallystick.core.queries.constructs.values import Values
from tallystick.core.queries.constructs.windows import Window
from tallystick.core.queries.expressions import Expression
from tallystick.core.queries.nodes import Filter, Project, Scan
from tallystick.core.queries.nodes import Statement as Statement
from tallystick.core.queries.references import reference as reference
from tallystick.core.queries.references import references as references

Query = Scan | Values | Filter | Project | Join | SetOperation | Distinct | Aggregate | Window | Limit
NODES: Final[dict[str, type]] = {node.__name__: node for node in (*get_args(Query), *get_args(Expression))}
"""The classes of queries and expressions by name: the one list of what a statement is made of. Certificates are read
and written by it, and by the annotations of the classes."""
