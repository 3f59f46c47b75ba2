"""Lists of unknown length of which only certain constants are taken, as in `[c for c in word if c in "aeiou"]`.

How many items there are of each constant is known by name, so sums of what is made of them are sums over the constants.
"""

from __future__ import annotations

from typing import Final

from tallystick.core.exceptions import may_raise
from tallystick.core.terms import FALSE, TRUE, Operator, Term, constant, disjunction, equal, negation, subterms
from tallystick.core.types import BOOL
from tallystick.frontends.pyspark.python import texts
from tallystick.frontends.pyspark.values.describing import constant_value
from tallystick.frontends.pyspark.values.kinds import Spread, Value

MOST_CONSTANTS: Final = 64


def selected(value: Value, true_ones: bool = False) -> list[tuple[Term, Term]] | None:
    """How many items there are of each constant, and what is made of it; None where others may be taken, too.

    With `true_ones`, an item that is always there, and is true for certain constants alone, stands for these.
    """
    if not isinstance(value, Spread):
        return None
    found: list[tuple[Term, Term]] = []
    for condition, item in value.items:
        if true_ones and condition is TRUE and item.type == BOOL:
            condition, item = item, TRUE
        constants = _constants(condition, value)
        if constants is None or len(constants) > MOST_CONSTANTS or any(map(may_raise, subterms(item))):
            return None
        for each in constants:
            count = texts.count_of(value.pieces, constant(each))
            found.append((count, texts.rebuild_at(item, value.item, constant(each))))
    return found


def some_selected(value: Value) -> Term | None:
    """Whether one of the items is true, which are true for certain constants alone; None of other lists."""
    counted = selected(value, true_ones=True)
    if counted is None or any(made is not TRUE for _, made in counted):
        return None
    return disjunction(FALSE, *(_is_some(count) for count, _ in counted))


def _is_some(count: Term) -> Term:
    """Whether there is an item of a constant: of characters, whether the text has it."""
    if count.operator is Operator.APPLY and count.parameter[0] == "str.count":  # type: ignore[index]
        whole, part = count.arguments
        return texts.applied("in", part, whole)
    return negation(equal(count, constant(0)))


def _constants(condition: Term, spread: Spread) -> list[str] | None:
    """The constants for which alone a condition on an item holds; None for other conditions."""
    match condition.operator:
        case Operator.OR:
            parts = [_constants(each, spread) for each in condition.arguments]
            return None if None in parts else list(dict.fromkeys(each for part in parts for each in part or ()))
        case Operator.EQUAL if spread.item in condition.arguments:
            known = next((constant_value(each) for each in condition.arguments if each is not spread.item), None)
            return [known] if isinstance(known, str) else None
        case Operator.APPLY if condition.parameter[0] == "in" and texts.is_of_characters(spread.pieces):  # type: ignore[index]
            part, whole = condition.arguments
            known = constant_value(whole)
            return list(dict.fromkeys(known)) if part is spread.item and isinstance(known, str) else None
    return None
