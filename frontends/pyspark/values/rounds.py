"""One way through a group, or through a list of unknown length: what is read once, for one item, stands for all rounds.

Of two loops over one group, one in the other, each has an item of its own. So the code of a round is read over a
variable that nothing else has, and what it makes is over the variable of the group again once the way is at its end.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import count
from typing import Final

from tallystick.core.terms import Term, free_variables, rebuild, variable
from tallystick.core.types import INT
from tallystick.frontends.pyspark.values.groups import Group
from tallystick.frontends.pyspark.values.kinds import Spread

Items = tuple[tuple[Term, Term], ...]
"""What there is for an item, each with the condition under which it is there."""
INDEX: Final = "index of "
"""How variables are named that stand for the index of an item in a sorted list."""
_ROUND: Final = ", round "
_numbers = count()


class Round:
    """A round of one way through a group or a list.

    Attributes:
        whole: the group or list, over the variable of this round.
        items: what this round is for, over that variable.
    """

    whole: Group | Spread

    def __init__(self, whole: Group | Spread) -> None:
        self._own = whole.item
        name, of = self._own.parameter  # type: ignore[misc]
        self._here = variable(f"{name}{_ROUND}{next(_numbers)}", of)  # type: ignore[arg-type]
        there = {self._own: self._here, index_of(self._own): index_of(self._here)}
        items = tuple((rebuild(each, there, True), rebuild(item, there, True)) for each, item in whole.items)
        self.whole, self.items = replace(whole, item=self._here, items=items), items

    def over(self, item: Term) -> dict[Term, Term]:
        """What stands for this round's variable once another one stands for the item."""
        return {self._here: item, index_of(self._here): index_of(item)}

    def settled(self, term: Term) -> Term:
        """What the round made, over the variable of the group or list."""
        return rebuild(term, self.over(self._own), inside=True)

    def settled_items(self, items: Items) -> Items:
        """What there is for an item, over the variable of the group or list."""
        return tuple((self.settled(there), self.settled(item)) for there, item in items)


def index_of(item: Term) -> Term:
    """The variable for the index of an item in a sorted list."""
    return variable(f"{INDEX}{item.parameter[0]}", INT)  # type: ignore[index]


def stands_for_an_item(term: Term) -> bool:
    """Whether a variable stands for one item of a list or of a group, or for the state of a loop.

    The source has no such names.
    """
    return str(term.parameter[0]).startswith("item of ")  # type: ignore[index]


def items_around(own: Term, *terms: Term) -> set[Term]:
    """The variables for items of loops around what these terms are made of, which is an item of one group or list."""
    found = set().union(*map(free_variables, terms)) - {own}
    return set(filter(stands_for_an_item, found))


def is_round_of(here: Term, item: Term) -> bool:
    """Whether a variable is that of a round through a group, whose own variable is another one."""
    return str(here.parameter[0]).startswith(f"{item.parameter[0]}{_ROUND}")  # type: ignore[index]
