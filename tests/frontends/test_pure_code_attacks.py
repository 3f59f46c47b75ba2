"""What must not be taken for pure code: an order that is not known, changes, exceptions that are lost, other names."""

from __future__ import annotations

import ast
import itertools
import random
from typing import Any

import pytest
from tallystick.frontends.pyspark.uninterpreted.code import PureCode, pure_code
from tallystick.frontends.pyspark.uninterpreted.names import Constant, Imported, Known
from tallystick.frontends.pyspark.uninterpreted.types import (
    BOOL,
    DATETIME,
    INT,
    TEXT,
    NotPureError,
    PureType,
    bag_of,
    list_of,
    tuple_of,
)

BAG, PAIRS, LIST = bag_of(INT), bag_of(tuple_of(INT, INT)), list_of(INT)
NAMES: dict[str, Known] = {
    **{name: Imported(name) for name in ("itertools", "collections")},
    "from_iterable": Imported("itertools_chain.from_iterable"),
    "TABLE": Constant([[1, 2], [3]]),
}


def _read(source: str, *types: PureType) -> PureCode:
    (tree,) = ast.parse(source).body
    code = tree.value if isinstance(tree, ast.Expr) else tree
    assert isinstance(code, ast.Lambda | ast.FunctionDef)
    return pure_code(code, [(each.arg, of) for each, of in zip(code.args.args, types, strict=True)], NAMES.get)


@pytest.mark.parametrize(
    ("source", "types"),
    [
        ("lambda g: sorted(g, key=lambda p: (p[0], (p := (1, 2))[1], p[1]))[0]", (PAIRS,)),
        ("lambda g: min(g, key=lambda p: (p[0], (p := (1, 2))[1], p[1]))", (PAIRS,)),
        (
            "def f(xs):\n d = {}\n n = 0\n for i in [1, 2]:\n  if i == 2:\n   n = len([d[x] for x in xs])\n"
            "  d = collections.defaultdict(int)\n return list(d)",
            (BAG,),
        ),
        (
            "def f(g):\n try:\n  return max(g, key=lambda p: (10 // p[0], p))[0]\n except ZeroDivisionError:\n"
            "  return 1\n except ValueError:\n  return 2",
            (PAIRS,),
        ),
    ],
)
def test_keys_of_orders_change_nothing_and_do_not_raise_inside_of_try(source: str, types: tuple[PureType, ...]) -> None:
    with pytest.raises(NotPureError):
        _read(source, *types)


@pytest.mark.parametrize(
    "body",
    [
        "return len({tuple(xs), tuple(ys)})",
        "return len({tuple(xs): 1, tuple(ys): 2})",
        "return len({tuple(xs) or 0, tuple(ys) or 0})",
        "return len(set([tuple(xs), tuple(ys)]))",
        "return len({(1, tuple(z)) for z in [xs, ys]})",
        "return len(collections.Counter([tuple(xs), tuple(ys)]))",
        "return len([k for k, g in itertools.groupby([xs, ys], key=lambda z: tuple(z))])",
        "d = {}\n d[tuple(xs)] = 1\n d[tuple(ys)] = 1\n return len(d)",
        "d = set()\n d.add(tuple(xs))\n d.add(tuple(ys))\n return len(d)",
        "d = [tuple(xs)]\n d.remove(tuple(ys))\n return len(d)",
        "return [tuple(xs)].index(tuple(ys))",
        "return tuple(xs) == tuple(ys)",
    ],
)
def test_groups_are_not_compared_by_any_way(body: str) -> None:
    with pytest.raises(NotPureError):
        _read(f"def f(xs, ys):\n {body}", BAG, BAG)


def test_what_an_exception_says_may_raise_another_one() -> None:
    source = "def f(x):\n try:\n  raise ValueError({})\n except ValueError:\n  return 1\n except Exception:\n  return 2"
    first, second = _read(source.format("10 // x"), INT), _read(source.format("'no'"), INT)
    assert first.text != second.text
    assert [first.value(0), first.value(1), second.value(0)] == [2, 1, 1]
    source = "def f(x):\n try:\n  assert x > 0, {}\n except AssertionError:\n  return 1\n except Exception:\n  return 2"
    first, second = _read(source.format("10 // x"), INT), _read(source.format("'no'"), INT)
    assert first.text != second.text
    assert [first.value(0), first.value(-1), second.value(0)] == [2, 1, 1]


def test_functions_are_called_where_they_are_defined_on_all_ways() -> None:
    source = "def f(c, x):\n try:\n  {}\n  return g(x)\n except Exception:\n  return 0"
    for definition in ("if c:\n   g = lambda x: 1", "if c:\n   def g(x):\n    return 1"):
        with pytest.raises(NotPureError):
            _read(source.format(definition), BOOL, INT)
    looped = "def f(xs):\n out = []\n for x in xs:\n  g = lambda y: y + x\n  out.append(g(1))\n return out"
    assert _read(looped, LIST).value([1, 5]) == [2, 6]
    with pytest.raises(NotPureError):
        _read("def f(xs):\n for x in xs:\n  g = lambda y: y + x\n return g(1)", LIST)
    with pytest.raises(NotPureError):
        _read("def f(x):\n def g(y=1 // 0):\n  return y\n return x", INT)


@pytest.mark.parametrize(
    ("source", "of"),
    [
        ("lambda xs: sum(xs, True)", LIST),
        ("lambda xs: list(itertools.accumulate([x > 1 for x in xs]))", LIST),
        ("lambda xs: sum(from_iterable(xs))", list_of(LIST)),
        ("lambda d: d.strftime('%s')", DATETIME),
        ("lambda d: d.strftime('%x')", DATETIME),
        ("lambda d: d.strftime('%Y%')", DATETIME),
        ("lambda xs: sorted(xs, key=lambda x, k=1: x)", LIST),
        ("lambda x: max(1, 2, default=3)", INT),
        ("def f(x):\n a = []\n a.append(a)\n return len(a)", INT),
        ("lambda x: TABLE[0].append(x)", INT),
        ("def f(x):\n TABLE[0].append(x)\n return TABLE", INT),
        ("def f(x):\n TABLE.append([x])\n return TABLE", INT),
    ],
)
def test_what_is_not_known_is_refused_and_ends(source: str, of: PureType) -> None:
    with pytest.raises(NotPureError):
        _read(source, of)


def test_constants_in_constants_are_read_by_value() -> None:
    assert _read("lambda x: TABLE[0][1] + TABLE[1][0] + x", INT).value(1) == 6


def test_dictionaries_with_a_default_are_those_of_python() -> None:
    source = "def f(xs):\n d = collections.defaultdict({})\n for x in xs:\n  d[x] += d[0]\n return list(d.items())"
    assert _read(source.format("int"), LIST).value([4, 2]) == [(4, 0), (0, 0), (2, 0)]
    assert _read(source.format("str"), LIST).value([4]) == [(4, ""), (0, "")]


TRIPLES = bag_of(tuple_of(INT, INT, INT))


@pytest.mark.parametrize(
    "body",
    [
        "o = sorted(g, key=lambda r: r[0])\n return sum(b[0] - a[0] > 1 for a, b in zip(o, o[1:]))",
        "o = sorted(g, key=lambda r: (r[1], -r[0]), reverse=True)\n return [r[0] for r in o if r[1] > 2]",
        "return min(g, key=lambda r: r[1])[1]",
        "p = None\n n = 0\n for r in sorted(g, key=lambda r: r[2]):\n  if p is None or r[2] > p[2]:\n   n += 1\n"
        "  p = r\n return n",
        "return [k for k, rs in itertools.groupby(sorted(g, key=lambda r: r[0] % 3), key=lambda r: 1)]",
        "a, b, c = max(g, key=lambda r: r[2])\n return c",
        "return any(r[0] > r[1] for r in g), all(map(lambda r: r[2], g))",
    ],
)
def test_ties_are_not_seen_where_the_key_alone_is_used(body: str) -> None:
    code, chance = _read(f"def f(g):\n {body}", TRIPLES), random.Random(2)
    names: dict[str, Any] = {"itertools": itertools}
    exec(f"def f(g):\n {body}", names)
    for _ in range(100):
        rows = [(chance.randrange(3), chance.randrange(5), chance.randrange(3)) for _ in range(chance.randrange(1, 6))]
        mixed = chance.sample(rows, len(rows))
        assert code.value(rows) == code.value(mixed) == names["f"](mixed)


@pytest.mark.parametrize(
    "body",
    [
        "return [r[1] for r in o]",
        "return o",
        "return o[0][1] + 1",
        "return [1 for r in o if r[1]]",
        "return [1 for r in o if not r[1]]",
        "return [bool(r[1]) for r in o]",
        "return [r[1] is None for r in o]",
        "return [r[1] or 1 for r in o]",
        "return [f'{r[1]}' for r in o]",
        "return [r[1] == 1 for r in o]",
        "return [r == (1, 1, 1) for r in o]",
        "return o[0] in [(1, 2, 3)]",
        "return sorted(o)[0][0]",
        "return max(o)[0]",
        "return min(o, key=lambda r: r[1])[0]",
        "return len({r for r in o})",
        "return len({r[1]: 1 for r in o})",
        "return {r[0]: r[1] for r in o}[0]",
        "return [k for k, _ in itertools.groupby(o, key=lambda r: r[1])]",
        "return [k for k, _ in itertools.groupby(o)]",
        "return sum(r[1] for r in o)",
        "return any(r[1] for r in o)",
        "return len(list(filter(lambda r: r[1], o)))",
        "return len(list(filter(None, [r[1] for r in o])))",
        "return len(list(itertools.takewhile(lambda r: r[1], o)))",
        "return list(range(o[0][1]))",
        "return [0, 1, 2][o[0][1]]",
        "return [0, 1, 2][:o[0][1]]",
        "return 'ab' * o[0][1]",
        "return list(enumerate([1], o[0][1]))",
        "return list(itertools.islice([1, 2, 3], o[0][1]))",
        "return len(list(itertools.combinations([1, 2, 3], o[0][1])))",
        "return collections.Counter([1, 2, 3]).most_common(o[0][1])",
        "return sorted([1, 2, 3], reverse=o[0][1])",
        "xs = [1, 2, 3]\n xs.sort(reverse=o[0][1])\n return xs",
        "xs = [1, 2, 3]\n xs.insert(o[0][1], 7)\n return xs",
        "xs = [1, 2, 3]\n xs.pop(o[0][1])\n return xs",
        "return list(collections.deque([1, 2, 3], maxlen=o[0][1]))",
        "while o[0][1]:\n  return 1\n return 2",
        "assert o[0][1]\n return 2",
        "p = None\n for r in o:\n  p = r[1]\n return p is None",
        "p = 1\n for r in o:\n  p = r[1]\n return p",
        "return 1 if o[0][1] else 2",
        "return [x for x in o if x[0] < 1 < x[1]]",
        "return sum([], o[0][1])",
        "return list(itertools.accumulate([1], initial=o[0][1]))",
        "xs = [r[1] for r in o]\n return xs.count(1), xs.index(2)",
        "return {1: 2}.get(o[0][1], 5)",
        "return {1: 2}[o[0][1]]",
        "x, y, z = o[0]\n return y",
        "return str(o[0][1])",
        "return divmod(o[0][1], 2)",
        "return -o[0][1]",
    ],
)
def test_what_ties_show_is_refused(body: str) -> None:
    with pytest.raises(NotPureError):
        _read(f"def f(g):\n o = sorted(g, key=lambda r: (r[0], r[2]))\n {body}", TRIPLES)


def test_texts_that_ties_show_are_refused() -> None:
    for body in (
        "r[1] in 'abc'",
        "'a' in r[1]",
        "r[1].upper()",
        "','.join([r[1]])",
        "len(r[1])",
        "r[1][0]",
        "int(r[1])",
    ):
        with pytest.raises(NotPureError):
            _read(f"lambda g: [{body} for r in sorted(g, key=lambda r: r[0])]", bag_of(tuple_of(INT, TEXT)))


def test_whether_an_item_raises_does_not_depend_on_the_order() -> None:
    code = _read("lambda xs: any(10 // x > 1 for x in xs)", BAG)
    for values in ([1, 0], [0, 1]):
        with pytest.raises(ArithmeticError):
            code.value(values)
    with pytest.raises(NotPureError):
        _read("def f(xs):\n try:\n  return any(10 // x > 1 for x in xs)\n except ZeroDivisionError:\n  return 0", BAG)


@pytest.mark.parametrize(
    "body",
    [
        "s = []\n for x in v:\n  w = s\n  w.append(x)\n return s[0]",
        "s = [[]]\n for x in v:\n  for w in s:\n   w.append(x)\n return s[0][0]",
        "s = [0]\n def g(t, x):\n  t.append(x)\n for x in v:\n  g(s, x)\n return s[1]",
        "s = t = []\n for x in v:\n  s.append(x)\n return t[0]",
        "s = []\n t = [s]\n for x in v:\n  s.append(x)\n return t[0][0]",
        "s = []\n g = lambda: s[0]\n for x in v:\n  s.append(x)\n return g()",
        "s = {0: 0}\n for x in v:\n  w = s\n  w.setdefault(1, x)\n return s[1]",
        "d = {}\n e = d\n for x in v:\n  d[x % 2] = 1\n return [k for k in e][0]",
        "s = [0]\n x = sorted(v, key=lambda y: (s.append(y), y)[1])\n return s[1]",
    ],
)
def test_a_second_name_does_not_show_the_order_of_a_group(body: str) -> None:
    with pytest.raises(NotPureError):
        _read(f"def f(v):\n {body}", BAG)
