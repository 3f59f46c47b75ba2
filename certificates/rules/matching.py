"""How the monomials of two sums correspond: hints, and what BAG and SUM have in common.

A slot of one monomial is put into the place of a slot with the same source, so that both speak of the same rows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from tallystick.certificates.judgements import Goal, Subgoal
from tallystick.core.binders import Instance, fresh_rows, instantiate, slots_of
from tallystick.core.errors import KernelError
from tallystick.core.operators import Operator
from tallystick.core.terms import Term

Sides = tuple[Sequence[Term], Sequence[Term]]
"""The monomials of both sides of a goal."""


@dataclass(frozen=True, slots=True)
class Match:
    """Left monomial `left` is right monomial `right`, whose slot i takes the place of left slot `slots[i]`."""

    left: int
    right: int
    slots: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Placed:
    """A monomial whose slot i takes place `slots[i]` among the slots of the first monomial of its group."""

    monomial: int
    slots: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Group:
    """Monomials over the same slots. A monomial may stand in it several times, all monomials equally often."""

    left: tuple[Placed, ...]
    right: tuple[Placed, ...]


@dataclass(frozen=True, slots=True)
class Pair:
    """Two matched monomials over the same rows, and what their sources have to satisfy."""

    sources: tuple[Term, ...]
    left: Instance
    right: Instance
    blocks: tuple[Subgoal, ...]


def opened(monomial: Term, first: int) -> Instance:
    """A monomial over rows with the numbers from `first` on."""
    return instantiate(monomial, fresh_rows(monomial, first))


def chosen(monomials: Sequence[Term], place: object) -> Term:
    """The monomial with a number; raises KernelError when there is none."""
    if type(place) is not int or not 0 <= place < len(monomials):
        raise KernelError(f"there is no monomial {place}, only {len(monomials)}")
    return monomials[place]


def put(monomial: Term, places: tuple[int, ...], rows: Sequence[Term]) -> Instance:
    """A monomial with a row for each slot, by their numbers; raises KernelError unless the numbers permute the rows."""
    if sorted(places) != list(range(len(rows))) or len(places) != slots_of(monomial):
        raise KernelError(f"{places} does not put {slots_of(monomial)} slots into {len(rows)} places, one into each")
    return instantiate(monomial, tuple(rows[place] for place in places))


def pair(goal: Goal, match: Match, left: Sequence[Term], right: Sequence[Term]) -> Pair:
    """A matched pair. Slots have equal sources, or blocks: these are equal for all rows before them, by subgoals."""
    first = len(goal.rows)
    here = chosen(left, match.left)
    rows = fresh_rows(here, first)
    one, other = instantiate(here, rows), put(chosen(right, match.right), match.slots, rows)
    blocks: list[Subgoal] = []
    for place, source in zip(match.slots, other.sources, strict=True):
        expected = one.sources[place]
        if expected is not source:
            if Operator.VARIABLE in (source.operator, expected.operator) or expected.operator is not source.operator:
                raise KernelError("matched slots have the same source")
            before = (*goal.rows, *one.sources[:place])
            blocks.append(Subgoal("block", replace(goal, left=expected, right=source, rows=before)))
    return Pair(one.sources, one, other, tuple(blocks))


def group(goal: Goal, members: Group, sides: Sides) -> tuple[Instance, ...]:
    """The left and then the right members over the same rows, those of the first; raises KernelError when they differ
    in their sources, or one monomial stands in the group more often than another."""
    placed = [(sides[0], each) for each in members.left] + [(sides[1], each) for each in members.right]
    if not placed:
        raise KernelError("a group has a monomial")
    uses = [[each.monomial for each in side] for side in (members.left, members.right)]
    if len({side.count(monomial) for side in uses for monomial in side}) != 1:
        raise KernelError("each monomial stands equally often in its group")
    monomials, base = placed[0]
    rows = fresh_rows(chosen(monomials, base.monomial), len(goal.rows))
    found = tuple(put(chosen(side, each.monomial), each.slots, rows) for side, each in placed)
    expected = [sources_at(member, each) for member, (_, each) in zip(found, placed, strict=True)]
    if any(sources != expected[0] for sources in expected):
        raise KernelError("the monomials of a group have slots with the same sources")
    return found


def sources_at(member: Instance, placed: Placed) -> tuple[Term, ...]:
    """The sources of a placed monomial in the order of the rows."""
    return tuple(source for _, source in sorted(zip(placed.slots, member.sources, strict=True), key=lambda at: at[0]))


def unmatched(size: int, side: str, pairs: Sequence[Match], groups: Sequence[Group]) -> Iterator[int]:
    """The monomials of a side in no pair and no group; raises KernelError when one is in several."""
    used = [getattr(match, side) for match in pairs]
    used += [monomial for members in groups for monomial in {each.monomial for each in getattr(members, side)}]
    if len(set(used)) < len(used):
        raise KernelError(f"a {side} monomial is matched twice")
    yield from (monomial for monomial in range(size) if monomial not in used)
