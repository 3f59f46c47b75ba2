"""Check: a row of a table satisfies its checks."""

from __future__ import annotations

from tallystick.certificates.evidence import Check
from tallystick.certificates.facts import Facts, number
from tallystick.certificates.nodes.tables import row_of_table
from tallystick.core.binders import element_type
from tallystick.core.terms import Term, row, substitute


def check(facts: Facts, node: Check) -> Term:
    """
    the check c is not false on x

    Fails when x is no row of a table, or the table has no such check.
    """
    checked, table = row_of_table(facts, node.row)
    formula = table.checks[number(node.check, len(table.checks), "check")]
    return substitute(formula, {row(0, element_type(table.source)): checked})
