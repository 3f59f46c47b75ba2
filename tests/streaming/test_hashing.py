"""The hash that chooses a key's partition is the one that Spark's workers have, whatever this process's seed."""

from __future__ import annotations

import datetime
import enum
import os
import subprocess
import sys
from dataclasses import dataclass
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sampling import examples
from tallystick.streaming.engines.local.hashing import portable_hash

TEXTS = ["", "a", "spark", "ä", "日本", "😀x", "abcdefgh", "abcdefghi", "x" * 100, "\ud800", b"", b"a", b"12345678"]
TIMES = [datetime.date(2024, 1, 1), datetime.datetime(2024, 1, 1, 12, 30, 5, 7), datetime.time(1, 2, 3)]


def test_texts_and_dates_have_the_hash_of_a_worker(monkeypatch):
    monkeypatch.delenv("PYTHONHASHSEED", raising=False)
    code = f"import datetime; print([hash(each) for each in {[*TEXTS, *TIMES]!r}])"
    ran = subprocess.run(
        [sys.executable, "-c", code], env={**os.environ, "PYTHONHASHSEED": "0"}, capture_output=True, check=True
    )
    assert [portable_hash(each) for each in [*TEXTS, *TIMES]] == eval(ran.stdout)


class Pair(NamedTuple):
    name: str
    day: datetime.date


@dataclass(frozen=True)
class Record:
    name: str
    day: datetime.date


class Colour(enum.Enum):
    RED = 1


def test_parts_have_their_own_hashes():
    day = datetime.date(2024, 1, 1)
    assert portable_hash(Pair("a", day)) == portable_hash(("a", day)) == portable_hash(Record("a", day))
    assert portable_hash(Colour.RED) == portable_hash("RED")
    with pytest.raises(TypeError, match="unhashable"):
        portable_hash([1])
    with pytest.raises(TypeError, match="unhashable"):
        portable_hash(dataclass(type("Mutable", (), {"__annotations__": {"n": int}, "n": 1}))())


@settings(max_examples=examples(50), deadline=None)
@given(st.text() | st.binary() | st.integers() | st.floats(allow_nan=False) | st.none() | st.booleans())
def test_equal_keys_have_equal_hashes(key):
    assert portable_hash(key) == portable_hash((key,)[0])
    assert isinstance(portable_hash(key), int)


def test_a_seed_that_is_set_is_that_of_the_workers_too(monkeypatch):
    monkeypatch.setenv("PYTHONHASHSEED", "7")
    assert portable_hash("spark") == hash("spark")
