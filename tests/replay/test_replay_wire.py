"""Values and bags survive as JSON, and equal ones have equal JSON."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tallystick.core.interpreter import Bag
from tallystick.core.types import Value
from tallystick.replay import Returned, wire

VALUES = st.recursive(
    st.booleans() | st.integers(),
    lambda inner: st.lists(inner, min_size=1, max_size=3).map(tuple),
    max_leaves=6,
)
BAGS = st.dictionaries(st.tuples(st.integers(), st.integers()), st.integers(1, 5), max_size=5)


@given(VALUES | BAGS)
def test_decoding_undoes_encoding(value: Value | Bag):
    decoded = wire.decode(json.loads(json.dumps(wire.encode(value))))
    assert Returned(decoded) == Returned(value)
    assert decoded == value


@given(BAGS)
def test_the_order_of_a_bags_elements_does_not_matter(bag: Bag):
    assert wire.encode(dict(reversed(bag.items()))) == wire.encode(bag)


@given(VALUES, VALUES)
def test_encodings_are_equal_just_when_values_and_their_types_are(left: Value, right: Value):
    assert (wire.encode(left) == wire.encode(right)) == (repr(left) == repr(right))


def test_integers_of_any_size_survive():
    assert wire.decode(json.loads(json.dumps(wire.encode(-(10**5000))))) == -(10**5000)


@pytest.mark.parametrize(
    "json_value",
    [
        1,
        1.5,
        [],
        "z",
        {},
        {"bag": 1},
        {"bag": [1]},
        {"bag": [["0x1", 1]]},
        {"bag": [["0x1"]]},
        ["0x1", 2],
        {"float": "0x1p+0"},
    ],
)
def test_other_json_is_refused(json_value: object):
    with pytest.raises(ValueError, match=r"is a|invalid literal"):
        wire.decode(json_value)


@pytest.mark.parametrize("value", [1.0, b"a", (), [1], {1.0: 1}, {(): 1}, {1: 1.0}])
def test_other_values_are_refused(value: object):
    with pytest.raises(TypeError):
        wire.encode(value)


@pytest.mark.parametrize("value", [0.0, -0.0, 0.1, 1e300, float("inf"), 3, (1, None), {1: 1, None: 2}])
def test_a_result_may_be_a_float_and_comes_back_exactly(value: object):
    again = wire.decode_result(json.loads(json.dumps(wire.encode_result(value))))
    assert repr(again) == repr(value)


def test_none_is_of_any_type_but_makes_no_other_two_agree():
    assert list(wire.of_one_type([None, 1, None])) == [None, 1, None]
    assert list(wire.of_one_type([(1, None), (None, True)])) == [(1, None), (None, True)]
    with pytest.raises(TypeError, match=r"but None and True are not"):
        list(wire.of_one_type([None, 1, True]))
