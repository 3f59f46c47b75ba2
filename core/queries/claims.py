"""When a claim about two statements is well-formed: one definition, whatever is claimed of them."""

from __future__ import annotations

from typing import Any

from tallystick.core.errors import FragmentError
from tallystick.core.queries.catalogue import Catalogue
from tallystick.core.queries.nodes import Scan, Statement, nodes


def require_tables(catalogue: Catalogue, *roots: Any) -> None:
    """Raises FragmentError unless all tables that are read are in the catalogue, with these columns."""
    for node in nodes(*roots):
        if isinstance(node, Scan):
            declared = catalogue.by_name.get(node.table)
            if declared is None or declared.row != node.columns:
                raise FragmentError(f"the catalogue has no table {node.table} with these columns")


def require_claim(left: Statement, right: Statement, catalogue: Catalogue) -> None:
    """Raises FragmentError unless both statements read tables of the catalogue as it declares them, and return columns
    of the same types: that they do, or do not, return the same is claimed of such statements alone.

    Everything else of a statement, a table or a catalogue is required where it is built.
    """
    keys = (key.expression for statement in (left, right) for key in statement.order)
    require_tables(catalogue, left.query, right.query, *keys)
    kinds = [", ".join(str(column.type) for column in statement.columns) for statement in (left, right)]
    if kinds[0] != kinds[1]:
        raise FragmentError(f"the results have the columns ({kinds[0]}) and ({kinds[1]})")
