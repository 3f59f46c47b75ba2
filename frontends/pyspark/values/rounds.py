"""One way through a group, or through a list of unknown length: what is read once, for one item, stands for all rounds.

Of two loops over one group, one in the other, each has an item of its own. So the code of a round is read over a
variable that nothing else has, and what it makes is over the variable of the group again once the way is at its end.
"""

from __future__ import annotations

from itertools import count
from typing import Final

from tallystick.core.terms import Term, free_variables, rebuild, variable
from tallystick.core.types import INT, BasicType
from tallystick.frontends.pyspark.values.describing import basic_type
from tallystick.frontends.pyspark.values.groups import Group, GroupKind
from tallystick.frontends.pyspark.values.kinds import Spread

Items = tuple[tuple[Term, Term], ...]
"""What there is for an item, each with the condition under which it is there."""
INDEX: Final = "index of "
"""How variables are named that stand for the index of an item in a sorted list."""
_ROUND: Final = ", round"
_numbers = count()


class Round:
    """A round of one way through a group or a list.

    Attributes:
        items: what this round is for, over its variable.
    """

    def __init__(self, whole: Group | Spread) -> None:
        self._own = whole.item
        self._here = fresh(f"{whole.item.parameter[0]}{_ROUND}", basic_type(whole.item))  # type: ignore[index]
        there = _instead(self._own, self._here)
        self.items = tuple((rebuild(each, there, True), rebuild(item, there, True)) for each, item in whole.items)

    def settled(self, term: Term) -> Term:
        """What the round made, over the variable of the group or list."""
        return rebuild(term, _instead(self._here, self._own), inside=True)

    def settled_items(self, items: Items) -> Items:
        """What there is for an item, over the variable of the group or list."""
        return tuple((self.settled(there), self.settled(item)) for there, item in items)


def fresh(name: str, of: BasicType) -> Term:
    """A variable that nothing else has."""
    return variable(f"{name} {next(_numbers)}", of)


def index_of(item: Term, order: GroupKind) -> Term:
    """The variable for the index of an item in a list that is sorted in an order."""
    return variable(f"{INDEX}{order} {item.parameter[0]}", INT)  # type: ignore[index]


def _instead(item: Term, other: Term) -> dict[Term, Term]:
    """What stands for the variables of an item once another variable stands for it."""
    orders: tuple[GroupKind, ...] = ("ascending", "descending")
    return {item: other, **{index_of(item, order): index_of(other, order) for order in orders}}


def stands_for_an_item(term: Term) -> bool:
    """Whether a variable stands for one item of a list or of a group, or for the state of a loop.

    The source has no such names.
    """
    return str(term.parameter[0]).startswith("item of ")  # type: ignore[index]


def items_around(own: Term, *terms: Term) -> set[Term]:
    """The variables for items of loops around what these terms are made of, which is an item of one group or list."""
    found = set().union(*map(free_variables, terms)) - {own}
    return set(filter(stands_for_an_item, found))


def rounds_of(item: Term, term: Term) -> list[Term]:
    """The variables in a term that are those of rounds through a group or list with a variable of its own."""
    start = f"{item.parameter[0]}{_ROUND}"  # type: ignore[index]
    return [each for each in free_variables(term) if str(each.parameter[0]).startswith(start)]  # type: ignore[index]
