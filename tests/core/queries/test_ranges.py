"""What declared types have room for, as databases, proofs and claims have it."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from normal_forms import NormalForms
from tallystick.core.binders import bind, element_type, summation
from tallystick.core.errors import SortError
from tallystick.core.queries.catalogue import Catalogue, Column, Table
from tallystick.core.queries.compilation.cells import table_variable
from tallystick.core.queries.compilation.normal_form import check_formulas
from tallystick.core.queries.interpreter.constraints import constraints
from tallystick.core.queries.ranges import Range
from tallystick.core.queries.types import BOOLEAN, DATE, DECIMAL, INTEGER, TEXT, TIMESTAMP, SqlType
from tallystick.core.terms import constant, row
from tallystick.core.types import INT

CENTS = Range(scale=2, least=-999, greatest=999)
BYTE = Range(scale=0, least=0, greatest=255)


@pytest.mark.parametrize(
    ("type_", "room", "inside", "outside"),
    [
        (DECIMAL, CENTS, [None, Fraction(0), Fraction("9.99"), Fraction("-9.99")], [Fraction("0.001"), Fraction(10)]),
        (DECIMAL, Range(scale=1), [Fraction(10**30), Fraction("0.1")], [Fraction("0.01")]),
        (INTEGER, BYTE, [0, 255, None], [-1, 256]),
        (DATE, Range(scale=0, greatest=0), [0, -(10**6), None], [1]),
        (TIMESTAMP, Range(scale=-6), [0, -(10**6), 10**15, None], [1, 999_999, -1]),
        (TIMESTAMP, Range(scale=-3, least=-1, greatest=1), [0, 1000, -1000], [1, 2000, -2000, 500]),
        (TEXT, Range(length=2), ["", "ab", None], ["abc"]),
        (TEXT, Range(length=-1), [None], [""]),
    ],
)
def test_a_database_has_values_in_the_ranges_of_its_columns(
    type_: SqlType, room: Range, inside: list, outside: list
) -> None:
    table = Table("t", (Column("k", INTEGER), Column("c", type_, True, room)), keys=((0,),))
    violation = constraints(Catalogue((table,)))
    for number, value in enumerate(inside):
        assert violation({"t": ((number, value),)}) is None
    for value in outside:
        assert violation({"t": ((1, None), (2, value))}) == ("t", 1, "the range of column c")
        assert violation({"t": ((1, None), (1, value))}) == ("t", 1, "the range of column c"), "before its keys"


@pytest.mark.parametrize(
    ("type_", "room"),
    [
        (INTEGER, Range(length=2)),
        (INTEGER, Range(scale=0)),
        (INTEGER, Range(scale=1, least=0)),
        (INTEGER, Range(least=0)),
        (DECIMAL, Range(least=0)),
        (DECIMAL, Range(scale=-1, least=0)),
        (DECIMAL, Range(scale=10**9)),
        (TIMESTAMP, Range(scale=-7)),
        (TIMESTAMP, Range(scale=1)),
        (DATE, Range(scale=-1)),
        (TEXT, BYTE),
        (TEXT, Range()),
        (TEXT, Range(scale=0, length=2)),
        (BOOLEAN, Range(scale=0, least=0)),
    ],
)
def test_a_range_is_one_of_the_type_of_its_column(type_: SqlType, room: Range) -> None:
    with pytest.raises(SortError, match=f"the range of column c is none of values of type {type_.value}"):
        Column("c", type_, True, room)


bounds = st.none() | st.integers(-30, 30)
decimals = st.builds(Range, st.integers(-2, 2), bounds, bounds)


@given(decimals, decimals, st.integers(-3000, 3000))
def test_a_range_within_another_has_no_value_outside_of_it(one: Range, other: Range, thousandths: int) -> None:
    value = Fraction(thousandths, 1000)
    if one.is_within(other) and value in one:
        assert value in other


def test_ranges_that_are_within_each_other() -> None:
    assert BYTE.is_within(Range(scale=0, least=0))
    assert not Range(scale=0, least=0).is_within(BYTE)
    assert Range(1, -10, 10).is_within(Range(2, -100, 100))
    assert not Range(2, -100, 100).is_within(Range(1, -10, 10)), "of 1/100"
    assert Range(length=2).is_within(Range(length=3))
    assert not Range(length=3).is_within(Range(length=2))


@given(decimals, st.integers(-3000, 3000) | st.none(), st.booleans())
def test_what_proofs_use_of_a_range_is_true_of_its_values(room: Range, thousandths: int | None, whole: bool) -> None:
    """The formula is that of the bounds: it says nothing of digits, nor of NULL."""
    type_ = INTEGER if whole else DECIMAL
    room = replace(room, scale=0) if whole else room
    value = None if thousandths is None else thousandths // 1000 if whole else Fraction(thousandths, 1000)
    table = Table("t", (Column("c", type_, True, room if room.is_of(type_) else None),))
    source = table_variable(table.name, table.row)
    scanned = row(0, element_type(source))
    formulas = list(check_formulas(table, scanned))
    assert len(formulas) == len(table.bounded) == (room.bounded and room.is_of(type_))
    for formula in formulas:
        holds = bind((scanned,), (source,), formula, constant(1))
        found = len(NormalForms({"t": ((value,),)}).rows(summation([holds], INT))) == 1
        assert found == (value is None or _between(room, value))


def _between(room: Range, value: int | Fraction) -> bool:
    units = value * 10 ** (room.scale or 0)
    return (room.least is None or room.least <= units) and (room.greatest is None or units <= room.greatest)
