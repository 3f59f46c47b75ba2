"""Loops in loops at the driver: over the items of a list of unknown length that is made of each element.

    for line in lines.collect():
        for word in line.split():
            counts[word] += 1

Where only the inner loop changes anything, both are one loop, over all pairs of an element and an item of its list.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from tallystick.core.terms import FALSE, conjunction
from tallystick.frontends.pyspark.python.binding import bind
from tallystick.frontends.pyspark.python.driver_loops import bound_in, first_of_round, refuse_other_changes
from tallystick.frontends.pyspark.python.outcomes import Outcome
from tallystick.frontends.pyspark.python.reading import Reading
from tallystick.frontends.pyspark.python.rounds import straightened
from tallystick.frontends.pyspark.rdds.sources import InnerLoopError
from tallystick.frontends.pyspark.scoping.source import Place
from tallystick.frontends.pyspark.values.kinds import Frame, Spread, Unusable

HINT: Final = "use `flatMap` before"


def run(
    reader: Reading,
    statement: ast.For,
    through: Spread,
    frame: Frame,
    run_block: Callable[[Reading, Sequence[ast.stmt], Frame], Outcome],
    place: Place,
) -> Outcome:
    """Run an inner loop for one item of its list, which `reader` has once the loop around it goes through pairs.

    Raises InnerLoopError before that.
    """
    if reader.item is None:
        items = tuple((conjunction(reader.path, there), item) for there, item in through.items)
        raise InnerLoopError(replace(through, items=items), place)
    changed, before = reader.inner_loops[statement], dict(frame.values)
    frame.values = first_of_round(statement, before) | {name: before[name] for name in changed if name in before}
    first = dict(frame.values)
    bind(statement.target, reader.item, frame)
    outcome = run_block(reader, straightened(statement.body), frame)
    if outcome.broke is not FALSE:
        raise place.error("`break` in a loop inside of a loop over the elements of an RDD is not supported", HINT)
    refuse_other_changes(statement, first, frame.values, [*changed], place)
    last = Unusable("is the last value of a loop", HINT)
    frame.values |= {name: last for name in bound_in(statement) if name not in changed}
    return outcome
