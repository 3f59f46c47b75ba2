"""Check: a row of a table satisfies its checks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tallystick.certificates.facts import Facts, number
from tallystick.certificates.nodes.tables import row_of_table
from tallystick.certificates.trees import RowNode
from tallystick.core.binders import element_type
from tallystick.core.terms import Term, row, substitute

if TYPE_CHECKING:
    from tallystick.certificates.evidence import Refutation


@dataclass(frozen=True, slots=True)
class Check(RowNode):
    """A row of a table satisfies check number `check`; behind the checks come the ranges of columns with bounds."""

    row: int
    check: int
    rest: Refutation

    def formula(self, facts: Facts) -> Term:
        """
        the check c is not false on x

        Fails when x is no row of a table, or the table has no such check.
        """
        checked, table = row_of_table(facts, self.row)
        formula = table.checks[number(self.check, len(table.checks), "check")]
        return substitute(formula, {row(0, element_type(table.source)): checked})
