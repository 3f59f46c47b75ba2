"""Restarts of a query in mid-run, as a stream of events that Hypothesis generates and shrinks like any other.

After an instant whose batch of `RESTARTS` has "stop", the query is stopped and started again from its checkpoint.
"crash" does the same, and lets the last micro-batch of the instant come again, as when a program dies after it has
written its output and before it has noted so. The program's function is called anew, and the source replays.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from hypothesis import strategies as st
from tallystick.streaming.fluent import always, at
from tallystick.streaming.letters import INPUT, OUTPUT
from tallystick.streaming.logic.formulas import Formula

#: The stream of restarts, in the case and in its letters.
RESTARTS = "restarts"
STOP, CRASH = "stop", "crash"
#: The name of an output with this ending is that of a run without restarts.
UNDISTURBED = " without restarts"


def with_restarts(generator: Any) -> st.SearchStrategy[dict[str, Any]]:
    """A strategy for the cases of a generator (or of several, by name), with restarts after some instants.

    The letters then have, besides each output, the same output of a run that is not restarted.
    """
    streams = generator if isinstance(generator, Mapping) else {INPUT: generator}

    def add(case: dict[str, Any]) -> st.SearchStrategy[dict[str, Any]]:
        length = max(map(len, case.values()), default=0)
        # Instants with records come first, so that a restart stays with its records where shrinking moves these.
        instants = sorted(range(length), key=lambda at: not any(at < len(each) and each[at] for each in case.values()))
        event = st.sampled_from(((), (), (STOP,), (CRASH,)))

        def placed(drawn: tuple[tuple[str, ...], ...]) -> dict[str, Any]:
            events = dict(zip(instants, reversed(drawn), strict=True))
            return {**case, RESTARTS: tuple(events[at] for at in range(length))}

        return st.tuples(*[event] * length).map(placed)

    return st.fixed_dictionaries(dict(streams)).flatmap(add)


def exactly_once(length: int, output: str = OUTPUT) -> Formula:
    """For `length` batches the output is, as a bag, the one of a run without restarts."""

    def same(ours: Any, undisturbed: Any) -> bool:
        return Counter(map(repr, ours)) == Counter(map(repr, undisturbed))

    return always(at((output, output + UNDISTURBED), same, name=f"{output} as without restarts")).during(length)
