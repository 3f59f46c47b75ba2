"""Pure code: its values are Python's, its text tells functions apart, and what depends on an order is refused."""

from __future__ import annotations

import ast
import collections
import functools
import itertools
import random
from collections.abc import Callable
from typing import Any

import pytest
from tallystick.frontends.pyspark.uninterpreted.code import PureCode, pure_code
from tallystick.frontends.pyspark.uninterpreted.names import Constant, Helper, Imported, Known
from tallystick.frontends.pyspark.uninterpreted.types import (
    BOOL,
    INT,
    TEXT,
    NotPureError,
    PureType,
    bag_of,
    dict_of,
    list_of,
    optional,
    record_of,
    set_of,
    tuple_of,
)

MODULES = {"itertools": itertools, "collections": collections, "functools": functools}
BAG, PAIRS, LIST = bag_of(INT), bag_of(tuple_of(INT, INT)), list_of(INT)


def _resolve(name: str) -> Known | None:
    return Imported(name) if name in MODULES else None


def _read(source: str, *types: PureType, resolve: Callable[[str], Known | None] = _resolve) -> PureCode:
    (tree,) = ast.parse(source).body
    code = tree.value if isinstance(tree, ast.Expr) else tree
    assert isinstance(code, ast.Lambda | ast.FunctionDef)
    return pure_code(code, [(each.arg, of) for each, of in zip(code.args.args, types, strict=True)], resolve)


def _python(source: str) -> Callable[..., Any]:
    names: dict[str, Any] = dict(MODULES)
    if source.startswith("lambda"):
        return eval(source, names)
    exec(source, names)
    return names[source[4 : source.index("(")]]


def _outcome(function: Callable[..., Any], value: Any) -> Any:
    try:
        found = function(value)
        return list(found) if hasattr(found, "__next__") else found
    except (ValueError, LookupError, ArithmeticError) as error:
        return type(error).__name__
    except (TypeError, AttributeError, NameError, AssertionError, RuntimeError, StopIteration):
        return "ValueError"


CODES = [
    (
        BAG,
        "def f(times):\n times = sorted(times)\n n = 1\n for a, b in zip(times, times[1:]):\n  if b - a > 3:\n"
        "   n += 1\n return n",
    ),
    (
        PAIRS,
        "def f(group):\n last = None\n n = 0\n for c in sorted(group, key=lambda c: (c[0], c[1])):\n"
        "  if last is None or c[0] > last + 2:\n   n += 1\n  last = c[0]\n return n",
    ),
    (
        PAIRS,
        "def f(rows):\n o = sorted((b, a) for a, b in rows)\n return [(y[0], y[1] - x[1]) for x, y in zip(o, o[1:])]",
    ),
    (
        PAIRS,
        "def f(rows):\n before = None\n for t, v in sorted(rows):\n  if before is not None:\n   yield t, v - before\n"
        "  before = v",
    ),
    (
        PAIRS,
        "def f(rows):\n best = now = 0\n for r in sorted(rows):\n  if r[1] > 2:\n   now += 1\n"
        "   best = max(best, now)\n  else:\n   now = 0\n return best",
    ),
    (
        PAIRS,
        "def f(rows):\n o = sorted(rows)\n"
        " return max([len(list(g)) for k, g in itertools.groupby(o, key=lambda p: p[1] > 2) if k], default=0)",
    ),
    (
        BAG,
        "def f(xs):\n counts = {}\n for x in sorted(xs):\n  counts[x] = counts.get(x, 0) + 1\n"
        " return [(k, n) for k, n in counts.items() if n > 1]",
    ),
    (
        BAG,
        "def f(xs):\n d = collections.defaultdict(list)\n for i, x in enumerate(sorted(xs)):\n  d[x % 3].append(i)\n"
        " return sorted(d.items())",
    ),
    (
        LIST,
        "def f(xs):\n def g(x):\n  try:\n   return 10 // x\n  except ZeroDivisionError:\n   return 0\n"
        " ys = [y for y in map(g, xs) if y]\n return sum(ys), ys[::-1], sorted(set(ys))[:2], any(y > 3 for y in ys)",
    ),
    (
        LIST,
        "def f(xs):\n stack = []\n i = 0\n while i < len(xs):\n  while stack and stack[-1] < xs[i]:\n   stack.pop()\n"
        "  stack.append(xs[i])\n  i += 1\n else:\n  stack.append(-1)\n"
        " return ','.join(str(s) for s in stack) + f'{i:03d}'",
    ),
    (LIST, "lambda xs: list(itertools.accumulate(xs, lambda a, b: max(a, b))) + list(itertools.islice(xs, 2))"),
    (LIST, "lambda xs: functools.reduce(lambda a, b: a * 2 + b, xs, 1)"),
    (LIST, "lambda xs: next((x for x in xs if x > 3))"),
    (LIST, "lambda xs: [10 // (a + b) for a in xs for b in xs if a < b]"),
    (LIST, "lambda xs: (min(xs), max(xs, key=lambda x: -x), xs[len(xs) // 2], xs[:2] == xs[-2:], 1 < len(xs) < 4)"),
    (LIST, "def f(xs):\n a, *rest = xs\n for x in rest:\n  if x == a:\n   break\n else:\n  return -1\n return x"),
    (LIST, "def f(xs):\n ys = zs = []\n for x in xs:\n  ys.append(x)\n zs += [1]\n return ys"),
    (LIST, "def f(xs):\n k = 1\n g = lambda x: x + k\n k = 2\n return [g(x) for x in xs]"),
    (
        LIST,
        "def f(xs):\n seen = set()\n out = []\n for x in xs:\n  if x in seen:\n   continue\n  seen.add(x)\n"
        "  out.append(x)\n return out",
    ),
    (LIST, "def f(xs):\n if len(xs) > 2:\n  y = xs[0]\n return y"),
]


@pytest.mark.parametrize(("of", "source"), CODES)
def test_values_are_pythons(of: PureType, source: str) -> None:
    code, function, chance = _read(source, of), _python(source), random.Random(1)
    for _ in range(150):
        size = chance.randrange(7)
        if of is PAIRS:
            value: list[Any] = [(chance.randrange(6), chance.randrange(5)) for _ in range(size)]
        else:
            value = [chance.randrange(-2, 6) for _ in range(size)]
        assert _outcome(code.value, list(value)) == _outcome(function, list(value)), value
        if of is not LIST:
            mixed = chance.sample(value, len(value))
            assert _outcome(code.value, mixed) == _outcome(code.value, value), "the order of a group is seen"


RECORD = record_of("R", (("a", INT), ("b", INT)), ordered=False)
REFUSED = [
    ("lambda xs: [x for x in xs][0]", BAG),
    ("lambda xs: list(xs)[0]", BAG),
    ("lambda xs: tuple(xs)[:1]", BAG),
    ("lambda xs: list(set(xs))[0]", LIST),
    ("lambda xs: ','.join(xs)", set_of(TEXT)),
    ("lambda xs: sorted(xs, key=lambda p: p[0])", PAIRS),
    ("lambda xs: max(xs, key=lambda p: p[1])", PAIRS),
    ("lambda xs: sorted(xs, key=lambda x: x % 2)", BAG),
    ("lambda xs: sorted(xs)", bag_of(optional(INT))),
    ("lambda xs: sorted(xs)", bag_of(RECORD)),
    ("lambda xs: list(collections.Counter(xs))[0]", BAG),
    ("lambda xs: collections.Counter(xs).most_common(1)", BAG),
    ("lambda xs: [k for k in xs][0]", dict_of(INT, INT)),
    ("lambda xs: list({a: b for a, b in xs}.values())", PAIRS),
    ("lambda xs: {a: b for a, b in xs}", PAIRS),
    ("lambda xs: 3 in (10 // x for x in xs)", BAG),
    ("lambda xs: next(iter(xs))", BAG),
    ("lambda xs: list(xs) == [1, 2]", BAG),
    ("lambda xs: str(set(xs))", LIST),
    ("lambda xs: hash('a')", LIST),
    ("lambda xs: [y for x in xs if (y := x)] and y", BAG),
    ("def f(xs):\n s = [1, 2]\n return sorted([s.pop() - x for x in xs])", BAG),
    ("def f(xs):\n for x in xs:\n  y = x\n return y", BAG),
    ("def f(xs):\n try:\n  return sorted([10 // int(x) for x in xs])\n except ValueError:\n  return []", bag_of(TEXT)),
    ("def f(xs):\n xs.append(1)\n return xs", LIST),
    ("def f(xs):\n ys = xs\n ys += [1]\n return ys", LIST),
    ("def f(xs):\n xs[0][0] = 1\n return xs", list_of(list_of(INT))),
    ("def f(xs):\n ys = list(xs)\n ys[0].append(1)\n return ys", list_of(list_of(INT))),
    ("def f(xs):\n global n\n n = 1\n return n", LIST),
    ("def f(xs):\n print(xs)\n return 1", LIST),
    ("def f(xs):\n return f(xs[1:]) if xs else 0", LIST),
    ("lambda xs: unknown(xs)", LIST),
]


@pytest.mark.parametrize(("source", "of"), REFUSED)
def test_what_is_not_known_to_be_pure_is_refused(source: str, of: PureType) -> None:
    with pytest.raises(NotPureError):
        _read(source, of)


def test_containers_in_containers_are_read() -> None:
    code = _read("lambda xs: [sum(s) for s in sorted(xs, key=len)]", list_of(set_of(INT)))
    assert (code.gives, code.value([{1, 2}, {7}])) == (LIST, [7, 3])


def test_names_of_variables_are_no_part_of_the_text() -> None:
    one = _read("def f(xs):\n n: int = 0\n for x in xs:\n  n += x\n return n", LIST)
    other = _read("def g(ys):\n '''A sum.'''\n total = 0\n for y in ys:\n  total += y\n return total", LIST)
    assert one.text == other.text
    assert one == other


APART = [
    "lambda xs: (1, len(xs))",
    "lambda xs: (True, len(xs))",
    "lambda xs: ('1', len(xs))",
    "lambda xs: len(xs) + 1",
    "lambda xs: 1 + len(xs)",
    "lambda xs: sorted(xs)[:1]",
    "lambda xs: sorted(xs)[:2]",
    "lambda xs: sorted(xs, reverse=True)[:1]",
    "lambda xs: [x + y for x in xs for y in xs]",
    "lambda xs: [x + x for x in xs for y in xs]",
    "lambda xs: [y + x for x in xs for y in xs]",
    "lambda xs: [x for x in xs if x > 0]",
    "lambda xs: [x for x in xs if x >= 0]",
    "def f(xs):\n a, b = 0, 1\n for x in xs:\n  a = x\n return a",
    "def f(xs):\n a, b = 0, 1\n for x in xs:\n  b = x\n return a",
]


def test_different_functions_have_different_texts() -> None:
    texts = [_read(source, LIST).text for source in APART]
    assert len(set(texts)) == len(texts)
    assert _read(APART[3], LIST).text != _read(APART[3], list_of(BOOL)).text


def test_helpers_and_constants_are_part_of_the_text() -> None:
    def known(helper: str, limit: int) -> Callable[[str], Known | None]:
        (tree,) = ast.parse(helper).body
        assert isinstance(tree, ast.FunctionDef)
        names: dict[str, Known] = {"LIMIT": Constant(limit)}
        names["h"] = Helper(tree, names.get)
        return names.get

    source, one = "lambda xs: [h(x) for x in xs]", "def h(x):\n return x > LIMIT"
    texts = {_read(source, LIST, resolve=known(each, limit)).text for each, limit in ((one, 1), (one, 2))}
    texts.add(_read(source, LIST, resolve=known("def h(x):\n return x >= LIMIT", 1)).text)
    assert len(texts) == 3
    assert _read(source, LIST, resolve=known(one.replace("x", "y"), 1)).text in texts
    with pytest.raises(NotPureError):
        _read("lambda xs: [len(x) for x in xs]", LIST, resolve={"len": Constant(3)}.get)


def test_work_is_bounded() -> None:
    for source in (
        "def f(xs):\n while True:\n  pass",
        "def f(xs):\n s = 'ab'\n while len(s) > 0:\n  s = s + s\n return s",
        "lambda xs: len(xs) << 99999999",
        "lambda xs: len(list(range(10 ** 9)))",
        "lambda xs: 'a' * 10 ** 9",
    ):
        with pytest.raises(Exception, match="more than"):
            _read(source, LIST).value([1])
