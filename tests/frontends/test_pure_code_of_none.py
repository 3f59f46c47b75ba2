"""Pure code of what may be None, from outside: read where a test comes before each use, computed as Python does."""

from __future__ import annotations

import ast
import random
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from tallystick import check
from tallystick.core.types import INT as CORE_INT
from tallystick.frontends.pyspark.named_functions.coding import Member, decoded, encoded
from tallystick.frontends.pyspark.uninterpreted.code import PureCode, pure_code
from tallystick.frontends.pyspark.uninterpreted.types import (
    INT,
    TEXT,
    Growth,
    NotPureError,
    PureType,
    enum_of,
    from_outside,
    list_of,
    nullable,
    optional,
    record_of,
    tuple_of,
)
from tallystick.frontends.pyspark.values.nominal_types import NominalType


class Row(NamedTuple):
    k: str
    n: int | None
    t: str | None


ROW = record_of("Row", (("k", TEXT), ("n", optional(INT)), ("t", optional(TEXT))), True)
ROWS = from_outside(list_of(ROW))


def _read(source: str, of: PureType = ROWS) -> PureCode:
    (tree,) = ast.parse(source).body
    code = tree.value if isinstance(tree, ast.Expr) else tree
    assert isinstance(code, ast.Lambda | ast.FunctionDef)
    return pure_code(code, [(code.args.args[0].arg, of)], lambda name: None)


READ = {
    "a filter": "lambda rows: sorted(r.n for r in rows if r.n is not None)",
    "a filter of truth": "lambda rows: sorted(len(r.t) for r in rows if r.t)",
    "of what is not there": "lambda rows: [r.k for r in rows if r.n is None]",
    "a condition": "lambda rows: [r.n + 1 if r.n is not None else -1 for r in rows]",
    "a condition, the other way": "lambda rows: [-1 if r.n is None else r.n + 1 for r in rows]",
    "and": "lambda rows: [r.k for r in rows if r.n is not None and r.n > 1]",
    "or": "lambda rows: [r.k for r in rows if r.n is None or r.n > 1]",
    "not": "lambda rows: [r.n * 2 for r in rows if not (r.n is None or r.t is None)]",
    "a default": "lambda rows: sum(r.n or 0 for r in rows)",
    "two defaults": "lambda rows: [(r.t or r.k).upper() for r in rows]",
    "equality": "lambda rows: [r.k for r in rows if r.t == 'b' or r.n != 1]",
    "a member": "lambda rows: [r.k for r in rows if r.n in (1, 2) or r.t in {'a', None}]",
    "a text": "lambda rows: [f'{r.k}:{r.n}' for r in rows]",
    "distinct": "lambda rows: len({(r.n, r.t) for r in rows})",
    "kept": "lambda rows: [r.n for r in rows][:2]",
    "inside of an inner function": "lambda rows: [sum(x + r.n for x in (1, 2)) for r in rows if r.n is not None]",
    "continue": (
        "def f(rows):\n    out = 0\n    for r in rows:\n        if r.n is None:\n            continue\n"
        "        out += r.n\n    return out"
    ),
    "return": "def f(rows):\n    r = rows[0]\n    if r.n is None:\n        return 0\n    return r.n + 1",
    "in both branches": (
        "def f(rows):\n    out = []\n    for r in rows:\n        n = r.n\n        if n is None:\n            n = 0\n"
        "        out.append(n + 1)\n    return out"
    ),
    "a name": "def f(rows):\n    best = rows[0].n\n    return best - 1 if best is not None else None",
    "the best": (
        "def f(rows):\n    best = None\n    for r in rows:\n"
        "        if r.n is not None and (best is None or r.n > best):\n            best = r.n\n    return best"
    ),
}


def _outcome(function: Any, value: Any) -> Any:
    try:
        return repr(function(value))
    except Exception as error:
        return isinstance(error, Exception)


@pytest.mark.parametrize("source", READ.values(), ids=READ)
def test_it_computes_what_python_does(source: str) -> None:
    code = _read(source)
    names: dict[str, Any] = {}
    exec(f"f = {source}" if source.startswith("lambda") else source, names)
    generator = random.Random(1)
    for _ in range(60):
        rows = [
            Row(generator.choice("ab"), generator.choice([None, 0, 1, 5]), generator.choice([None, "", "b"]))
            for _ in range(generator.randint(0, 4))
        ]
        assert _outcome(code.value, [tuple(each) for each in rows]) == _outcome(names["f"], rows)


REFUSED = {
    "no test": "lambda rows: [r.n + 1 for r in rows]",
    "sorted": "lambda rows: sorted(r.n for r in rows)",
    "sorted rows": "lambda rows: sorted(rows)",
    "the sum": "lambda rows: sum(r.n for r in rows)",
    "the largest": "lambda rows: max(r.n for r in rows)",
    "a comparison": "lambda rows: [r.k for r in rows if r.n > 1]",
    "the other branch": "lambda rows: [r.n + 1 if r.n is None else 0 for r in rows]",
    "the wrong connective": "lambda rows: [r.k for r in rows if r.n is not None or r.n > 1]",
    "or, the wrong way": "lambda rows: [r.k for r in rows if r.n is None and r.n > 1]",
    "before the test": "lambda rows: [r.k for r in rows if r.n > 1 and r.n is not None]",
    "another part": "lambda rows: [r.t.upper() for r in rows if r.n is not None]",
    "another row": "def f(rows):\n    a, b = rows[0], rows[1]\n    return b.n + 1 if a.n is not None else 0",
    "another value of the name": (
        "def f(rows):\n    r = rows[0]\n    if r.n is None:\n        return 0\n    r = rows[1]\n    return r.n + 1"
    ),
    "after one branch": (
        "def f(rows):\n    r = rows[0]\n    out = 0\n    if r.n is not None:\n        out = 1\n    return out + r.n"
    ),
    "after the condition": "lambda rows: [(1 if r.n is not None else 0) + r.n for r in rows]",
    "a method": "lambda rows: [r.t.strip() for r in rows]",
    "a length": "lambda rows: [len(r.t) for r in rows]",
    "an index": "lambda rows: [r.k[r.n] for r in rows]",
    "a loop": "def f(rows):\n    out = []\n    for c in rows[0].t:\n        out.append(c)\n    return out",
    "in a text": "lambda rows: [r.k for r in rows if r.t in r.k]",
}


@pytest.mark.parametrize("source", REFUSED.values(), ids=REFUSED)
def test_what_is_used_without_a_test_is_refused(source: str) -> None:
    with pytest.raises(NotPureError):
        _read(source)


def test_parts_of_tuples_are_tested_too() -> None:
    of = from_outside(list_of(tuple_of(TEXT, optional(INT))))
    assert _read("lambda rows: [r[1] + 1 for r in rows if r[1] is not None]", of).value([("a", 2), ("b", None)]) == [3]
    with pytest.raises(NotPureError):
        _read("lambda rows: [r[1] + 1 for r in rows if r[0] is not None]", of)


def test_what_may_be_none_is_joined() -> None:
    growth = Growth()
    assert growth.join(nullable(INT), INT, None) == nullable(INT)
    assert growth.join(optional(INT), nullable(INT), None) == nullable(INT)
    assert growth.join(nullable(INT), PureType("none"), None) == nullable(INT)
    assert nullable(nullable(INT)) == nullable(INT)


COLOUR = from_outside(list_of(tuple_of(enum_of("Colour", ("RED", "BLUE")), INT)))
SIZES = from_outside(tuple_of(enum_of("Colour", ("RED", "BLUE")), enum_of("Size", ("S", "M"))))


def test_members_of_enums_are_kept_and_compared() -> None:
    red, blue = Member("Colour", 0), Member("Colour", 1)
    rows = [(red, 1), (blue, 2), (red, 3)]
    assert _read("lambda rows: len({c for c, n in rows})", COLOUR).value(rows) == 2
    assert _read("lambda rows: [n for c, n in rows if c == rows[0][0]]", COLOUR).value(rows) == [1, 3]
    of, core = enum_of("Colour", ("RED", "BLUE")), NominalType((CORE_INT,), "Colour", ("RED", "BLUE"))
    assert decoded(of, encoded(of, blue, core)) == blue != red


@pytest.mark.parametrize(
    ("source", "of"),
    [
        ("lambda rows: sorted(rows)", COLOUR),
        ("lambda rows: [n for c, n in rows if c]", COLOUR),
        ("lambda rows: [n for c, n in rows if c == n]", COLOUR),
        ("lambda rows: [f'{c}' for c, n in rows]", COLOUR),
        ("lambda rows: [c.value for c, n in rows]", COLOUR),
        ("lambda rows: [c + 1 for c, n in rows]", COLOUR),
        ("lambda rows: [n for c, n in rows if c > c]", COLOUR),
        ("lambda pair: pair[0] == pair[1]", SIZES),
        ("lambda pair: pair[0] in (pair[1],)", SIZES),
    ],
)
def test_nothing_else_is_known_of_members_of_enums(source: str, of: PureType) -> None:
    with pytest.raises(NotPureError):
        _read(source, of)


JOBS = """
from enum import Enum
from typing import NamedTuple, Optional
from pyspark import RDD
class Level(Enum):
    LOW = 1
    HIGH = 2
class Mark(NamedTuple):
    pupil: str
    points: Optional[int]
    level: Level
def middle(xs):
    return xs[len(xs) // 2] if xs else 0
def f(r: RDD[Mark]) -> RDD[tuple[str, int]]:
    groups = r.groupBy(lambda m: m.pupil)
    return groups.mapValues(lambda ms: middle(sorted(m.points for m in ms if m.points is not None)))
def g(r: RDD[Mark]) -> RDD[tuple[str, int]]:
    rows = r.filter(lambda m: m.points is not None or True)
    return rows.groupBy(lambda m: m.pupil).mapValues(
        lambda ms: middle(sorted(m.points for m in ms if m.points is not None))
    )
def h(r: RDD[Mark]) -> RDD[tuple[str, int]]:
    return r.groupBy(lambda m: m.pupil).mapValues(lambda ms: middle(sorted(m.points for m in ms if m.points)))
"""


@pytest.mark.parametrize(("other", "answer"), [("g", "equivalent"), ("h", "inequivalent")])
def test_programs_of_rows_with_none(other: str, answer: str, tmp_path: Path) -> None:
    path = tmp_path / "jobs.py"
    path.write_text(JOBS)
    verdict = check(f"{path}:f", f"{path}:{other}")
    assert str(verdict.verdict) == answer
    if answer == "equivalent":
        assert "no expression raises an error" in verdict.assumptions


def test_enums_of_one_name_with_other_members_are_others() -> None:
    pair = from_outside(tuple_of(enum_of("Colour", ("RED=1",)), enum_of("Colour", ("RED=2",))))
    with pytest.raises(NotPureError):
        _read("lambda pair: pair[0] == pair[1]", pair)
