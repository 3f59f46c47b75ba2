"""A file of programs as a user would write them."""

from __future__ import annotations

from pathlib import Path

import pytest

JOBS = """
from pyspark import RDD

def doubled(r: RDD[int]): return r.map(lambda x: 2 * x).filter(lambda x: x < 100)
def early(r: RDD[int]): return r.filter(lambda x: x < 50).map(lambda x: 2 * x)
def late(r: RDD[int]): return r.filter(lambda x: x < 100).map(lambda x: 2 * x)
def pairs(r: RDD[tuple[int, int]]): return r
def size(r: RDD[int]): return r.count()
def unordered(r: RDD[int]): return r.fold(0, lambda a, x: x - a)
def untyped(r): return r
def sorted_(r: RDD[int]): return r.sample(False, 0.5)
def smallest(r: RDD[int]): return r.fold(1000, lambda a, x: x if x < a else a) == 100
def discounted(r: RDD[int]): return r.map(lambda x: x - 20).fold(1000, lambda a, x: x if x < a else a) == 80
def squared(r: RDD[int]): return r.map(lambda x: x ** x)
def looped(r: RDD[int]):
    for _ in range(r.count()):
        r = r.map(lambda x: x + 1)
    return r
def squares(r: RDD[int]): return r.cartesian(r).count() >= r.count()
def yes(r: RDD[int]): return r.fold(0, lambda a, x: a) == 0
"""


@pytest.fixture
def jobs(tmp_path: Path) -> Path:
    """The path of a file with the programs above."""
    path = tmp_path / "jobs.py"
    path.write_text(JOBS)
    return path
