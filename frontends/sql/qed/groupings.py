"""What QED's JSON leaves out of groups, from the text of the plan beside it: grouping sets, FILTER, and constants of
LITERAL_AGG.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from tallystick.core.queries.expressions import Expression
from tallystick.core.queries.types import BOOLEAN
from tallystick.frontends.elaboration.truths import is_truth
from tallystick.frontends.sql.qed.expressions import PlanExpressions

_AGGREGATE = re.compile(r"^\s*Logical\w*Aggregate\((.*)\)\s*$")
_SET = re.compile(r"\{([\d, ]*)\}")
_CALL = re.compile(r"(\w[\w$#]*)=\[((?:[^\[\]]|\[[^\]]*\])*)\]")


@dataclass(frozen=True)
class Grouping:
    """A group as the text of a plan states it.

    Attributes:
        keys: the columns of all groups together.
        groups: the columns of each grouping set, or None if there is one set.
        filters: for each call the column of its FILTER, or None.
        constants: for each call what LITERAL_AGG gives for each group, or None.
        lost: what this reader does not understand, or "".
    """

    keys: tuple[int, ...]
    groups: tuple[tuple[int, ...], ...] | None
    filters: tuple[int | None, ...]
    constants: tuple[str | None, ...]
    lost: str = ""

    def sets(self, over: PlanExpressions, keys: tuple[Expression, ...]) -> tuple[tuple[int, ...], ...] | None:
        """The grouping sets as positions of keys."""
        if self.lost:
            raise over.plan.error(f"{self.lost} is not understood")
        before = sum(len(row) for row in over.rows.rows[:-1])
        if tuple(over.rows.reference(before + column) for column in self.keys) != keys:
            raise over.plan.error("the text of the plan groups by other columns")
        if self.groups is None:
            return None
        return tuple(tuple(self.keys.index(column) for column in group) for group in self.groups)

    def conditions(self, over: PlanExpressions, count: int) -> list[Expression | None]:
        """The conditions of FILTER, one a call."""
        if len(self.filters) != count:
            raise over.plan.error("the text of the plan has another number of aggregates")
        before = sum(len(row) for row in over.rows.rows[:-1])
        found: list[Expression | None] = []
        for column in self.filters:
            value = None if column is None else over.rows.reference(before + column)
            if column is not None and (value is None or value.type != BOOLEAN):
                raise over.plan.error("FILTER is no condition")
            found.append(None if value is None else is_truth(value, True))
        return found


def groupings(text: str) -> list[Grouping]:
    """The groups of a plan's text, from the top downwards."""
    found = []
    for line in text.splitlines():
        match = _AGGREGATE.match(line)
        if match:
            found.append(_grouping(match[1]))
    return found


def _grouping(body: str) -> Grouping:
    parts: dict[str, str] = dict(_CALL.findall(body))
    keys = _columns(parts.pop("group", ""))
    listed = parts.pop("groups", None)
    groups = None
    if listed is not None:
        groups = tuple(_columns(group) for group in _SET.findall(listed))
    filters, constants = [], []
    for call in parts.values():
        condition, constant = re.search(r"FILTER \$(\d+)$", call), re.fullmatch(r"LITERAL_AGG\((.*)\)", call)
        filters.append(int(condition[1]) if condition else None)
        constants.append(constant[1] if constant and groups is None else None)
    lost = "WITHIN DISTINCT" if "WITHIN DISTINCT" in body else "WITHIN GROUP" if "WITHIN GROUP" in body else ""
    if groups is not None and any(column not in keys for group in groups for column in group):
        lost = "a grouping set of other columns"
    return Grouping(keys, groups, tuple(filters), tuple(constants), lost)


def _columns(text: str) -> tuple[int, ...]:
    return tuple(int(each) for each in re.findall(r"\d+", text))
