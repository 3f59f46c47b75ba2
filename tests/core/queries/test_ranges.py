"""What declared types have room for."""

from __future__ import annotations

from fractions import Fraction

import pytest
from tallystick.core.queries.ranges import ALL_VALUES, NO_RANGES, NO_VALUES, Range, within, without_room

CENTS = Range(scale=2, least=-999, greatest=999)


@pytest.mark.parametrize(
    ("room", "inside", "outside"),
    [
        (CENTS, [None, Fraction(0), Fraction("9.99"), Fraction("-9.99"), 3], [Fraction("0.001"), Fraction(10), -10]),
        (Range(scale=0, least=0, greatest=255), [0, 255, None], [-1, 256, Fraction(1, 2)]),
        (Range(length=2), ["", "ab", None], ["abc"]),
        (NO_VALUES, [None], ["", 0, 1, Fraction(0)]),
        (ALL_VALUES, ["abc", 10**30, Fraction(1, 3), None, True], []),
    ],
)
def test_room_for(room: Range, inside: list, outside: list) -> None:
    assert all(value in room for value in inside)
    assert not any(value in room for value in outside)


def test_the_first_value_without_room_is_named_after_the_constraints() -> None:
    ranges = {("t", 1): CENTS, ("gone", 0): CENTS}
    good, bad = {"t": (("x", Fraction(1)),)}, {"t": (("x", Fraction(1)), ("y", Fraction(100)))}
    assert without_room(ranges, good) is None
    assert without_room(ranges, bad) == ("t", 1, "the type of column 2")
    assert within(ranges, lambda database: None)(bad) == ("t", 1, "the type of column 2")
    assert within(ranges, lambda database: ("t", 0, "a key"))(bad) == ("t", 0, "a key")
    assert within(NO_RANGES, lambda database: None)(bad) is None
