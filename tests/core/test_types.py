"""Types: how they read, what they refuse, and which Python values they have."""

from fractions import Fraction

import pytest
from tallystick.core.errors import SortError
from tallystick.core.types import (
    BOOL,
    INT,
    RATIONAL,
    TEXT,
    BagType,
    OptionType,
    TupleType,
    default_value,
    has_type,
    is_basic,
)

PAIR = TupleType((INT, BOOL))


@pytest.mark.parametrize(
    ("of", "text"),
    [
        (INT, "Int"),
        (BOOL, "Bool"),
        (PAIR, "(Int, Bool)"),
        (TupleType((PAIR,)), "((Int, Bool),)"),
        (BagType(PAIR), "Bag[(Int, Bool)]"),
        (TupleType((TEXT, OptionType(RATIONAL))), "(Text, Rational?)"),
    ],
)
def test_a_type_reads_as_it_is_written(of, text):
    assert str(of) == text


def test_types_without_components_or_of_bags_of_bags_are_refused():
    with pytest.raises(SortError, match=r"^a tuple type has at least one component, each of a basic type$"):
        TupleType(())
    with pytest.raises(SortError, match=r"^a tuple type has at least one component, each of a basic type$"):
        TupleType((BagType(INT),))
    with pytest.raises(SortError, match=r"^the elements of a bag are of a basic type$"):
        BagType(BagType(INT))
    with pytest.raises(SortError, match=r"^the elements of a bag are of a basic type$"):
        BagType(int)
    for of in (OptionType(INT), BagType(INT)):
        with pytest.raises(SortError, match=r"^an option is of a basic type, and not of an option$"):
            OptionType(of)


@pytest.mark.parametrize(
    ("value", "of"),
    [
        (0, INT),
        (-(10**40), INT),
        (True, BOOL),
        ((1, False), PAIR),
        (((1, False),), TupleType((PAIR,))),
        ("", TEXT),
        (Fraction(2), RATIONAL),
        (None, OptionType(TEXT)),
        ("a", OptionType(TEXT)),
    ],
)
def test_a_value_has_its_type(value, of):
    assert has_type(value, of)


@pytest.mark.parametrize(
    ("value", "of"),
    [
        (True, INT),
        (1, BOOL),
        (1.0, INT),
        ("1", INT),
        ((1,), PAIR),
        ((1, True, 1), PAIR),
        ((True, 1), PAIR),
        ([1, True], PAIR),
        ({1: 1}, BagType(INT)),
        (None, INT),
        (1, RATIONAL),
        (0.5, RATIONAL),
        (1, TEXT),
        (True, OptionType(INT)),
    ],
)
def test_a_value_of_another_type_is_told_apart(value, of):
    assert not has_type(value, of)


def test_default_values_are_values_of_their_types():
    assert default_value(INT) == 0
    assert default_value(BOOL) is False
    assert default_value(TupleType((PAIR, INT))) == ((0, False), 0)
    assert default_value(TupleType((TEXT, RATIONAL, OptionType(INT)))) == ("", Fraction(0), None)


def test_bags_are_not_basic():
    assert all(map(is_basic, (INT, BOOL, PAIR, TEXT, RATIONAL, OptionType(INT))))
    assert not is_basic(BagType(INT))
    assert not is_basic(int)
