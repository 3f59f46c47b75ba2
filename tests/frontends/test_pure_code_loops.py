"""Loops over groups whose rounds commute: their values are Python's in any order; all others are refused."""

from __future__ import annotations

import ast
import collections
import random
from typing import Any

import pytest
from tallystick.frontends.pyspark.uninterpreted.code import PureCode, pure_code
from tallystick.frontends.pyspark.uninterpreted.names import Imported
from tallystick.frontends.pyspark.uninterpreted.types import INT, NotPureError, bag_of, tuple_of

PAIRS = bag_of(tuple_of(INT, INT))


def _read(body: str) -> PureCode:
    (tree,) = ast.parse(f"def f(g):\n {body}").body
    assert isinstance(tree, ast.FunctionDef)
    return pure_code(tree, [("g", PAIRS)], {"collections": Imported("collections")}.get)


def _outcome(function: Any, rows: list[Any]) -> Any:
    try:
        return function(rows)
    except (ValueError, LookupError, ArithmeticError, NameError, TypeError):
        return "error"


COMMUTING = [
    "n = 0\n for k, v in g:\n  n += v\n return n",
    "n = 0\n for r in g:\n  if r[0] > 1:\n   continue\n  d = r[1] - r[0]\n  n = n + d * d\n return n",
    "n = 1\n for k, v in g:\n  n *= v + 3\n return n",
    "a = b = 0\n for k, v in g:\n  if k:\n   a += v\n  else:\n   b -= v\n return a - b",
    "best = 0\n for k, v in g:\n  best = max(best, v)\n return best",
    "best = None\n for k, v in g:\n  if best is None or v < best:\n   best = v\n return best",
    "best = 0\n for k, v in g:\n  t = k * v\n  if best < t:\n   best = t\n return best",
    "found = False\n for k, v in g:\n  if k == v:\n   found = True\n return found",
    "found = False\n for k, v in g:\n  if k == v:\n   found = True\n   break\n return found",
    "for k, v in g:\n  if k > v:\n   return True\n return False",
    "for k, v in g:\n  if k > v:\n   break\n else:\n  return 1\n return 0",
    "seen = set()\n for k, v in g:\n  seen.add(k)\n return len(seen), sorted(seen)",
    "d = {}\n for k, v in g:\n  d[k] = d.get(k, 0) + v\n return sorted(d.items())",
    "d = collections.defaultdict(int)\n for k, v in g:\n  d[k] += 1\n return d",
    "d = collections.Counter()\n for k, v in g:\n  d[v] += k\n return max(d.values(), default=0)",
    "d = collections.defaultdict(set)\n for k, v in g:\n  d[k].add(v)\n"
    " return sorted((k, len(vs)) for k, vs in d.items())",
    "d = {}\n for k, v in g:\n  d.setdefault(k, set()).add(v)\n return sorted((k, sorted(vs)) for k, vs in d.items())",
    "d = {}\n for k, v in g:\n  d[v] = True\n return sorted(d)",
    "out = []\n for k, v in g:\n  if v > 1:\n   out.append((v, k))\n out.sort()\n return out",
    "out = []\n for k, v in g:\n  out.append(v)\n return sorted(out)[-1:], len(out)",
    "xs = list(g)\n xs.sort(key=lambda r: r[0], reverse=True)\n return [k for k, v in xs]",
    "xs = [v for k, v in g if k]\n xs.sort()\n return xs",
    "n = 0\n for k, v in g:\n  for i in range(v):\n   if i > k:\n    break\n   n += i\n return n",
    "n = 0\n for k, v in g:\n  t = 0\n  for i in range(v):\n   t += i\n  n += t\n return n",
    "n = 0\n def h(a, b):\n  c = a + b\n  return c if c > 2 else 0\n for k, v in g:\n  n += h(k, v)\n return n",
]


@pytest.mark.parametrize("body", COMMUTING)
def test_rounds_that_commute_have_pythons_values(body: str) -> None:
    code, chance = _read(body), random.Random(3)
    names: dict[str, Any] = {"collections": collections}
    exec(f"def f(g):\n {body}", names)
    for _ in range(150):
        rows = [(chance.randrange(4), chance.randrange(4)) for _ in range(chance.randrange(6))]
        mixed = chance.sample(rows, len(rows))
        assert _outcome(code.value, rows) == _outcome(code.value, mixed) == _outcome(names["f"], mixed)


@pytest.mark.parametrize(
    "body",
    [
        "n = 0\n for k, v in g:\n  n = v\n return n",
        "n = 0\n for k, v in g:\n  n += v\n  n *= 2\n return n",
        "n = 0\n for k, v in g:\n  n += n + v\n return n",
        "n = 0\n for k, v in g:\n  n += v\n  if n > 3:\n   break\n return n",
        "n = 0\n for k, v in g:\n  if v > 2:\n   break\n  n += 1\n return n",
        "a = b = False\n for k, v in g:\n  if k > 1:\n   a = True\n   break\n  if v > 1:\n   b = True\n return a, b",
        "a = b = False\n for k, v in g:\n  if k > 1:\n   a = True\n   break\n  if v > 1:\n   b = True\n"
        "   break\n return a, b",
        "for k, v in g:\n  if k > 1:\n   return 1\n  if v > 1:\n   return 2\n return 3",
        "for k, v in g:\n  if k > 1:\n   return True\n  if v > 1:\n   return 1 == 1\n return False",
        "for k, v in g:\n  if k > 1:\n   return v\n return 0",
        "for k, v in g:\n  pass\n return k",
        "for k, v in g:\n  pass\n else:\n  return k\n return 0",
        "n = s = 0\n for k, v in g:\n  if v:\n   t = v\n  s += t\n return s",
        "n = 0\n for k, v in g:\n  for i in range(k):\n   t = i\n  n += t\n return n",
        "n = 0\n for k, v in g:\n  for i in range(k):\n   pass\n  n += i\n return n",
        "n, p = 0, 1\n for k, v in g:\n  n += v * p\n  p = v\n return n",
        "n, p = 0, 1\n for k, v in g:\n  n += v * p\n  p = 2\n return n",
        "p = 1\n for k, v in g:\n  p = 1 if v else 2\n return p",
        "p = 1\n for k, v in g:\n  if v:\n   p = 1\n  else:\n   p = 2\n return p",
        "p = 1\n for k, v in g:\n  p = True\n  if v:\n   p = 1 == 1\n return p",
        "s = ''\n for k, v in g:\n  s += str(v)\n return s",
        "best = (0, 0)\n for r in g:\n  if r[0] > best[0]:\n   best = r\n return best",
        "best, at = 0, 0\n for k, v in g:\n  if v > best:\n   best, at = v, k\n return at",
        "best = 0\n for k, v in g:\n  if v > best:\n   best = v\n  if v < best:\n   best = v\n return best",
        "best = 0\n for k, v in g:\n  if v > best:\n   best = v + 1\n return best",
        "best = 0\n for k, v in g:\n  if v > best or k:\n   best = v\n return best",
        "out = []\n for k, v in g:\n  out.append(v)\n return out[0]",
        "out = []\n for k, v in g:\n  out.append(v)\n return [x for x in out][0]",
        "out = []\n for k, v in g:\n  out.append(len(out))\n return len(out)",
        "out = []\n zs = out\n for k, v in g:\n  out.append(v)\n return zs[0]",
        "out = []\n zs = [out]\n for k, v in g:\n  out.append(v)\n return zs[0][0]",
        "out = []\n h = lambda: out[0]\n for k, v in g:\n  out.append(v)\n return h()",
        "out = []\n for i in range(2):\n  for k, v in g:\n   out.append(v)\n return out[0]",
        "out = []\n for t in [out for _ in g]:\n  out.append(len(t))\n return sorted(out)",
        "out = []\n for k, v in g:\n  out.insert(0, v)\n return out[0]",
        "xs = list(g)\n ys = xs\n xs.sort()\n return ys[0]",
        "def h():\n  return xs[0]\n xs = list(g)\n xs.sort()\n return h()",
        "g.sort()\n return g[0]",
        "seen = set()\n n = 0\n for k, v in g:\n  if k not in seen:\n   seen.add(k)\n   n += v\n return n",
        "seen = set()\n zs = seen\n n = 0\n for k, v in g:\n  n += v * len(zs)\n  seen.add(k)\n return n",
        "d = {}\n for k, v in g:\n  d[k] = v\n return d",
        "d = {}\n for k, v in g:\n  d[k] = d.get(k, 1) + v\n return d",
        "d = {}\n for k, v in g:\n  d[k] = d.get(v, 0) + v\n return d",
        "d = {}\n for k, v in g:\n  d.setdefault(k, v)\n return d",
        "d = {}\n for k, v in g:\n  d.setdefault(k, []).append(v)\n return d[0][0]",
        "d = collections.defaultdict(list)\n for k, v in g:\n  d[k].append(v)\n return d[0][0]",
        "d = collections.Counter()\n for k, v in g:\n  d[k] += 1\n return list(d)[0]",
        "d = collections.Counter()\n for k, v in g:\n  d[k] += 1\n return d.most_common(1)",
        "d = collections.Counter()\n e = d\n for k, v in g:\n  d[k] += 1\n return list(e)[0]",
        "d = collections.Counter()\n for k, v in g:\n  d[k] += 1\n for k in d:\n  return k\n return 0",
        "d = collections.defaultdict(int)\n n = 0\n for k, v in g:\n  n += d[k]\n return list(d)[0]",
        "d = collections.defaultdict(int)\n n = 0\n for k, v in g:\n  n += d[0] if v else d[1]\n return list(d)[0]",
        "s = set()\n d = collections.defaultdict(lambda: s)\n n = 0\n"
        " for k, v in g:\n  d[k].add(v)\n  n += len(s)\n return n",
        "s = set()\n d = {0: s}\n n = 0\n for k, v in g:\n  d[0].add(v)\n  n += len(s)\n return n",
        "n = 0\n for k, v in g:\n  yield v",
        "n = 0\n try:\n  for k, v in g:\n   n += 10 // v\n   n += [1][k]\n except ZeroDivisionError:\n  return 1\n"
        " except IndexError:\n  return 2\n return n",
        "n = 0\n for k, v in g:\n  while v:\n   v -= 1\n   n += n\n return n",
        "return len([n for k, v in g if (n := k)] ) + n",
        "xs = [1]\n for k, v in g:\n  xs[0] = v\n return xs",
        "xs = [1]\n for k, v in g:\n  n = xs.pop()\n return xs",
    ],
)
def test_rounds_that_see_each_other_are_refused(body: str) -> None:
    with pytest.raises(NotPureError):
        _read(body)


def test_constants_in_dictionaries_with_a_default_are_keys_too() -> None:
    body = "d = collections.defaultdict(int)\n n = sum(d[0] if v else d[1] for k, v in g)\n return list(d)"
    with pytest.raises(NotPureError):
        _read(body)
