"""What blocks of statements do, and what two of them do, one after the other or by a condition."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from tallystick.core.terms import FALSE, TRUE, Term, conjunction, disjunction, negation
from tallystick.frontends.pyspark.python.matching import always_matches
from tallystick.frontends.pyspark.python.reading import Reading
from tallystick.frontends.pyspark.values.kinds import Frame, Unusable, Value
from tallystick.frontends.pyspark.values.options import narrowed


@dataclass(frozen=True)
class Outcome:
    """What a block does: `value` is returned where the condition `returned` holds; else control goes on.

    Where `broke` holds, the loop around it ends; nothing of the block follows that.
    """

    returned: Term = FALSE
    value: Value | None = None
    broke: Term = FALSE


GOES_ON: Final = Outcome()


def in_turn(reader: Reading, first: Outcome, second: Outcome) -> Outcome:
    """Both blocks in turn. The second is read even where the first returned: its only effect is to raise."""
    broke = disjunction(first.broke, second.broke)
    if first.value is None or second.value is None:
        return replace(second if first.value is None else first, broke=broke)
    value = reader.merge(first.returned, first.value, second.value, "every value returned")
    return Outcome(disjunction(first.returned, second.returned), value, broke)


def choose(
    reader: Reading,
    condition: Term,
    run_then: Callable[[], Outcome],
    run_otherwise: Callable[[], Outcome],
    ends: tuple[bool, bool],
    frame: Frame,
) -> Outcome:
    """Runs one of two blocks, by a condition; `ends` says which of the two always return."""
    if condition in (TRUE, FALSE):  # Python never runs the other
        return run_then() if condition is TRUE else run_otherwise()
    before = frame.values
    frame.values = dict(before)
    with reader.assuming(condition):
        then, after_then = run_then(), frame.values
    frame.values = dict(before)
    with reader.assuming(negation(condition)):
        otherwise, after_otherwise = run_otherwise(), frame.values
    if ends[1]:
        frame.values = after_then
    elif ends[0]:
        frame.values = after_otherwise
    else:
        frame.values = {
            name: _merged(reader, condition, after_then.get(name), after_otherwise.get(name))
            for name in {**after_then, **after_otherwise}
        }
    returned = _in_either(condition, then.returned, otherwise.returned)
    broke = _in_either(condition, then.broke, otherwise.broke)
    if then.value is None or otherwise.value is None:
        return Outcome(returned, otherwise.value if then.value is None else then.value, broke)
    return Outcome(returned, reader.merge(condition, then.value, otherwise.value, "every value returned"), broke)


def _in_either(condition: Term, then: Term, otherwise: Term) -> Term:
    if then is otherwise is TRUE:
        return TRUE
    return disjunction(conjunction(condition, then), conjunction(negation(condition), otherwise))


def _merged(reader: Reading, condition: Term, then: Value | None, otherwise: Value | None) -> Value:
    if then is None or otherwise is None:
        return Unusable("is assigned in one branch only", "assign it in both branches, or before the `if`")
    if then is not otherwise and isinstance(then, Term) and isinstance(otherwise, Term):
        then = narrowed(then, conjunction(reader.path, condition))
        otherwise = narrowed(otherwise, conjunction(reader.path, negation(condition)))
    return reader.merge(condition, then, otherwise, "the variable")


def falls_through(block: Sequence[ast.stmt]) -> ast.stmt | None:
    """The statement after which control can reach the end of a block, or None when each path returns."""
    last = block[-1]
    if isinstance(last, ast.Return | ast.Raise):
        return None
    if isinstance(last, ast.Try):
        parts = (last.orelse or last.body, *(handler.body for handler in last.handlers))
        return next((end for end in map(falls_through, parts) if end is not None), None)
    if isinstance(last, ast.Match):
        return None if always_return(last.cases) else last
    if not isinstance(last, ast.If):
        return last
    if not last.orelse:
        return last
    return falls_through(last.body) or falls_through(last.orelse)


def always_return(cases: Sequence[ast.match_case]) -> bool:
    """Whether some case matches whatever the subject is, and each returns."""
    return always_matches(cases[-1]) and all(falls_through(case.body) is None for case in cases)
