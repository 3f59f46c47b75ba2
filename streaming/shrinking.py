"""A failing case made simpler after Hypothesis has done so, by choices of its strategy that Hypothesis does not try.

Hypothesis makes simple first what is drawn first; so a record that matters may end in the last batch, after empty ones,
and of a list, records that do not matter may stay. Here a case is the simpler, the fewer records it has, the fewer
empty batches it begins with, the fewer batches it takes, and then as Hypothesis orders choices. A case is tried only if
the strategy makes it of other choices, so that it stays one of the generator's.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st
from hypothesis.control import BuildContext, current_build_context
from hypothesis.errors import StopTest, UnsatisfiedAssumption
from hypothesis.internal.conjecture.data import ConjectureData
from hypothesis.internal.conjecture.shrinker import sort_key
from tallystick.streaming.engines.base import Case
from tallystick.streaming.evaluation import CaseRun, as_case

Choices = tuple[Any, ...]
Measure = tuple[Any, ...]
#: Choices that stand side by side and are left out together.
_MOST_TOGETHER = 8


def choices_so_far() -> Choices:
    """Return the choices of the case that Hypothesis is trying now."""
    return tuple(current_build_context().data.choices)


@dataclass(frozen=True)
class _Drawn:
    """What a strategy makes of choices: a case, and which choices its parts were made of, by the part they are in."""

    case: Case
    choices: Choices
    groups: tuple[tuple[tuple[int, int], ...], ...]
    targets: tuple[int | None, ...]
    key: Any

    def measure(self, run: CaseRun) -> Measure:
        """How large a failing case is."""
        records = sum(len(batch) for prefix in self.case.inputs.values() for batch in prefix)
        return records, leading_empty_batches(self.case), len(run.steps), self.key


def leading_empty_batches(case: Case) -> int:
    """Return with how many batches without any record a case begins; 0 if it has no record at all."""
    full = (number for number in range(case.length) if any(case.batch(number + 1).values()))
    return next(full, 0)


def simplified(
    strategy: st.SearchStrategy[Any],
    choices: Choices,
    fails: Callable[[Case], CaseRun | None],
    tries: int,
    seconds: float,
) -> CaseRun | None:
    """Return the run of a simpler case that fails, or None if none is found in so many tries and seconds.

    `fails` returns the run of a case that fails in the same way, else None.
    """
    best = _drawn(strategy, choices)
    run = None if best is None else fails(best.case)
    if best is None or run is None:
        return None
    end, known, found = time.monotonic() + seconds, {best.choices}, False
    measure = best.measure(run)
    candidates = _simpler(best)
    while len(known) <= tries and time.monotonic() < end:
        tried = next(candidates, None)
        if tried is None:
            break
        drawn = None if tried in known else _drawn(strategy, tried)
        known.add(tried)
        if drawn is None or (drawn.choices != tried and drawn.choices in known):
            continue
        known.add(drawn.choices)
        failed = fails(drawn.case)
        if failed is not None and drawn.measure(failed) < measure:
            best, run, measure, found = drawn, failed, drawn.measure(failed), True
            candidates = _simpler(best)
    return run if found else None


def _drawn(strategy: st.SearchStrategy[Any], choices: Choices) -> _Drawn | None:
    """Return what a strategy makes of choices, or None if it makes nothing of them."""
    data = ConjectureData.for_choices(choices)
    try:
        with BuildContext(data, wrapped_test=_drawn):
            value = data.draw(strategy)
        data.freeze()
        case = as_case(value)
    except (StopTest, UnsatisfiedAssumption, TypeError):
        return None
    siblings: dict[Any, list[tuple[int, int]]] = defaultdict(list)
    for span in data.spans:
        siblings[span.parent, span.label].append((span.start, span.end))
    groups = tuple(tuple(group) for group in siblings.values() if len(group) > 1)
    targets = tuple(
        node.constraints.get("shrink_towards", 0) if node.type == "integer" and not node.was_forced else None
        for node in data.nodes
    )
    return _Drawn(case, tuple(data.choices), groups, targets, sort_key(data.nodes))


def _simpler(drawn: _Drawn) -> Iterator[Choices]:
    """Choices that may make a simpler case."""
    if leading_empty_batches(drawn.case):
        yield from _rotated(drawn)
    yield from _shortened(drawn.choices)
    yield from _lowered(drawn.choices, drawn.targets)


def _rotated(drawn: _Drawn) -> Iterator[Choices]:
    """Parts of one kind in another order: first those of all groups of a size together, as of several streams."""
    sizes = sorted({len(group) for group in drawn.groups})
    together = [[group for group in drawn.groups if len(group) == size] for size in sizes]
    for groups in (*together, *([group] for group in drawn.groups)):
        for size in (len(groups[0]), len(groups[0]) - 1):  # The last part of a list says that there is no more.
            for by in range(1, size):
                orders = [(group[:size], group[by:size] + group[:by]) for group in groups]
                yield _moved(drawn.choices, [pair for order in orders for pair in zip(*order, strict=True)])


def _moved(choices: Choices, places: Sequence[tuple[tuple[int, int], tuple[int, int]]]) -> Choices:
    """The choices with those at each first place replaced by those at the second; places inside of others are left."""
    made: list[Any] = []
    at = 0
    for (start, end), (first, last) in sorted(places):
        if start >= at:
            made += [*choices[at:start], *choices[first:last]]
            at = end
    return (*made, *choices[at:])


def _shortened(choices: Choices) -> Iterator[Choices]:
    for together in range(min(_MOST_TOGETHER, len(choices)), 0, -1):
        for start in range(len(choices) - together + 1):
            yield (*choices[:start], *choices[start + together :])


def _lowered(choices: Choices, targets: Sequence[int | None]) -> Iterator[Choices]:
    """One number, or two by as much, nearer to where the strategy's numbers begin."""
    far = [(place, target) for place, target in enumerate(targets) if target is not None and choices[place] != target]
    for count, (place, target) in enumerate(far):
        for step in steps(choices[place] - target):
            lower = (*choices[:place], choices[place] - step, *choices[place + 1 :])
            yield lower
            for other, aim in far[count + 1 :]:
                if abs(step) <= abs(choices[other] - aim) and (step > 0) is (choices[other] > aim):
                    yield (*lower[:other], choices[other] - step, *lower[other + 1 :])


def steps(distance: int) -> Iterator[int]:
    """How far a number may be moved: all the way, then half of that, and so on.

    >>> list(steps(-5))
    [-5, -2, -1]
    """
    sign = 1 if distance > 0 else -1
    step = abs(distance)
    while step:
        yield sign * step
        step //= 2
