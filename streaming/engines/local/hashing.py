"""The hash of a key, which chooses its partition, as PySpark's workers compute it.

Python's hashes of texts differ from process to process; Spark starts all its workers with PYTHONHASHSEED=0, or what is
set, so that they do not. Here these are computed as CPython does then: SipHash with a key of zeros (Aumasson and
Bernstein, 2012), of one or two rounds for each word, by the version.
"""

from __future__ import annotations

import datetime
import enum
import os
import sys
from dataclasses import fields, is_dataclass
from functools import lru_cache
from typing import Any

_LONG = 0xFFFFFFFFFFFFFFFF
_ROUNDS = 2 if sys.hash_info.algorithm == "siphash24" else 1
_LAST_ROUNDS = _ROUNDS + 2


def portable_hash(key: Any) -> int:
    """PySpark's hash of a key.

    >>> portable_hash((None, 1)) & 0xffffffff, portable_hash("spark")
    (219750521, 226417650480810963)
    """
    if key is None:
        return 0
    if isinstance(key, tuple):
        mixed = 0x345678
        for part in key:
            mixed = ((mixed ^ portable_hash(part)) * 1000003) & sys.maxsize
        return mixed ^ len(key)
    if os.environ.get("PYTHONHASHSEED", "0") != "0":
        return hash(key)
    if isinstance(key, enum.Enum) and type(key).__hash__ is enum.Enum.__hash__:
        return hash_of_text(key.name)
    if isinstance(key, str) and type(key).__hash__ is str.__hash__:
        return hash_of_text(str(key))
    if isinstance(key, bytes):
        return hash_of_bytes(bytes(key))
    if isinstance(key, datetime.date | datetime.time) and getattr(key, "tzinfo", None) is None:
        return hash_of_bytes(key.__reduce__()[1][0])  # type: ignore[index]
    if is_dataclass(key) and not isinstance(key, type):
        hash(key)  # It must have one, whichever that is.
        return portable_hash(tuple(getattr(key, each.name) for each in fields(key)))
    return hash(key)


@lru_cache(maxsize=4096)
def hash_of_text(text: str) -> int:
    """The hash of a text in a process with PYTHONHASHSEED=0."""
    largest = max(map(ord, text), default=0)
    if largest < 256:
        return hash_of_bytes(text.encode("latin-1"))
    return hash_of_bytes(text.encode("utf-16-le" if largest < 65536 else "utf-32-le", "surrogatepass"))


def hash_of_bytes(data: bytes) -> int:
    """The hash of bytes in a process with PYTHONHASHSEED=0."""
    if not data:
        return 0
    state = [0x736F6D6570736575, 0x646F72616E646F6D, 0x6C7967656E657261, 0x7465646279746573]
    whole = len(data) // 8 * 8
    words = [int.from_bytes(data[start : start + 8], "little") for start in range(0, whole, 8)]
    words.append((len(data) & 255) << 56 | int.from_bytes(data[whole:], "little"))
    for word in words:
        state[3] ^= word
        _mix(state, _ROUNDS)
        state[0] ^= word
    state[2] ^= 255
    _mix(state, _LAST_ROUNDS)
    found = state[0] ^ state[1] ^ state[2] ^ state[3]
    signed = found - (1 << 64) if found >> 63 else found
    return -2 if signed == -1 else signed


def _mix(state: list[int], rounds: int) -> None:
    a, b, c, d = state
    for _ in range(rounds):
        a, c = a + b & _LONG, c + d & _LONG
        b, d = _rotated(b, 13) ^ a, _rotated(d, 16) ^ c
        a, c = _rotated(a, 32) + d & _LONG, c + b & _LONG
        b, d = _rotated(b, 17) ^ c, _rotated(d, 21) ^ a
        c = _rotated(c, 32)
    state[:] = a, b, c, d


def _rotated(word: int, bits: int) -> int:
    return (word << bits | word >> 64 - bits) & _LONG
