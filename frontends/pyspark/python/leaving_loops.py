"""Loops at the driver that `return` or `break` ends: whether there is an element at which they end.

    for x in r.collect():
        if x < 0:
            return True
    return False

Which element comes first, nothing fixes. So what such a loop returns, or assigns before `break`, must be the same for
all elements at which it ends, and at the others it must change nothing.
"""

from __future__ import annotations

from itertools import product
from typing import Final

from tallystick.core.terms import FALSE, TRUE, Operator, Term, build, disjunction, rebuild, simplified, subterms
from tallystick.core.types import BOOL
from tallystick.frontends.pyspark.python.outcomes import Outcome
from tallystick.frontends.pyspark.python.reading import Reading
from tallystick.frontends.pyspark.rdds.collected import list_of
from tallystick.frontends.pyspark.scoping.source import Place
from tallystick.frontends.pyspark.values.describing import basic
from tallystick.frontends.pyspark.values.kinds import Value

MOST_CONDITIONS: Final = 6
HINT: Final = "return what does not depend on the element, as in `return True`, or use `any`, `min` and the like"


def ends_at(outcome: Outcome) -> Term:
    """The condition under which a round ends its loop; FALSE for most loops."""
    return disjunction(outcome.returned, outcome.broke)


def left(
    reader: Reading,
    bag: Term,
    round_: Outcome,
    states: dict[str, tuple[Term, Term]],
    before: dict[str, Value],
    place: Place,
) -> tuple[Outcome, dict[str, Value]]:
    """What a loop over a bag does, and its variables after it.

    Args:
        round_: what a round does, over an element of the bag.
        states: for each variable, what stands for it in a round, and what it is after a round, over these.
        before: the names before the loop.

    Raises SourceError where it depends on the order of the elements.
    """
    if round_.returned is not FALSE and round_.broke is not FALSE:
        raise place.error("a loop over the elements of an RDD with both `return` and `break` is not supported", HINT)
    ends = ends_at(round_)
    if round_.value is not None and (not isinstance(round_.value, Term) or round_.value.bound):
        raise place.error("what this loop returns depends on the order of the elements", HINT)
    if any(each.operator is Operator.ACCUMULATOR for each in subterms(ends)):
        raise place.error("whether this loop ends depends on the elements before", HINT)
    kept = bag if ends is TRUE else build(Operator.FILTER, (ends, bag))
    ended = basic(list_of(reader, kept, place).asked("bool", place), place, "whether a loop ends")
    if round_.broke is FALSE:
        for name, (state, found) in states.items():
            _at_end(name, ends, state, found, False, place)
        return Outcome(ended, round_.value), {name: before[name] for name in states}
    after: dict[str, Value] = {}
    for name, (state, found) in states.items():
        after[name] = reader.merge(ended, _at_end(name, ends, state, found, True, place), before[name], "the variable")
    return Outcome(broke=ended), after


def _at_end(name: str, ends: Term, state: Term, found: Term, is_used: bool, place: Place) -> Term:
    """What a variable is where a round ends its loop; raises SourceError where other rounds change it.

    Every truth of the conditions in it is tried, also such as no element has.
    """
    atoms = dict.fromkeys(each for term in (ends, found) for each in subterms(term) if _is_atom(each))
    known: set[Term] = set()
    for truths in product((TRUE, FALSE), repeat=len(atoms) if len(atoms) <= MOST_CONDITIONS else 0):
        case = dict(zip(atoms, truths, strict=False))
        stops, value = (rebuild(each, case, False, simplified) for each in (ends, found))
        if stops is TRUE:
            known.add(value)
        elif stops is not FALSE or value is not state:
            raise place.error(f"what `{name}` is after this loop depends on the order of the elements", HINT)
    if is_used and (len(known) != 1 or any(each.bound for each in known)):
        raise place.error(f"what `{name}` is after this loop depends on the order of the elements", HINT)
    return next(iter(known), state)


def _is_atom(term: Term) -> bool:
    """Whether a condition is made of no others; one on the state is none."""
    connected = (Operator.AND, Operator.OR, Operator.NOT, Operator.ITE, Operator.CONSTANT)
    of_state = any(each.operator is Operator.ACCUMULATOR for each in subterms(term))
    return term.type == BOOL and term.operator not in connected and not of_state
