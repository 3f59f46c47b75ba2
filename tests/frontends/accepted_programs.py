"""Programs that are read, each with an input: what they mean is for Python to say."""

from __future__ import annotations

from typing import Any

INTS = [-7, -1, 0, 0, 2, 3, 9, 100, 150]
PAIRS = [(0, 3), (0, 3), (1, -4), (1, 7), (2, 0), (-5, 11)]
MORE_PAIRS = [(0, 1), (1, 5), (1, 5), (3, 3)]

ACCEPTED: dict[str, tuple[str, list[Any]]] = {
    "method chain": ("def p(r: RDD[int]): return r.map(lambda x: 2 * x).filter(lambda x: x < 100)", [INTS]),
    "docstring, pass and a comment": (
        '''
        def p(r: RDD[int]):
            """Says what it does."""
            pass  # and does it
            return r
        ''',
        [INTS],
    ),
    "sets, lists and dictionaries of constants": (
        """
        PAID = frozenset({1, 2, 3})
        RATES = {0: 10, 1: 20, 150: 5}
        STEPS = [1, 2]
        def p(r: RDD[int]):
            kept = r.filter(lambda x: x in PAID or x not in STEPS and x in RATES.keys())
            known = r.filter(lambda x: x in RATES).map(lambda x: RATES[x] if x in RATES else 0)
            return kept.union(known).union(r.map(lambda x: RATES.get(x, -1) + sum(STEPS)))
        """,
        [INTS],
    ),
    "a key that may be missing": (
        "T = {0: 1, 2: 3}\ndef p(r: RDD[int]): return r.map(lambda x: T.get(x)).map(lambda x: -1 if x is None else x)",
        [INTS],
    ),
    "loops that change an RDD": (
        """
        def p(r: RDD[int], s: RDD[int]):
            for low, high in ((0, 10), (50, 200)):
                s = s.filter(lambda x: x < 5)
            return s.union(r)
        """,
        [INTS, INTS],
    ),
    "None decides": (
        """
        def p(r: RDD[int | None]):
            return r.map(lambda x: (x or 7, 0 if not x else x, 1 if x and x > 2 else 2))
        """,
        [[None, 0, 3, 3, -1]],
    ),
    "match on None and tuples": (
        """
        def f(t):
            match t:
                case (None, y):
                    return y
                case (x, 0):
                    return x
                case (x, y) as both:
                    return x + y + both[1]
            return 0
        def p(r: RDD[tuple[int | None, int]]):
            return r.map(f)
        """,
        [[(None, 3), (4, 0), (4, 5), (None, 0)]],
    ),
    "flatMap to what a comprehension keeps": (
        "def p(r: RDD[int]): return r.flatMap(lambda x: [x + k for k in range(0, 6, 2) if x > k])",
        [INTS],
    ),
    "parameters with default values": (
        "def p(r: RDD[int], k: int = 3): return r.map(lambda x: x + k)",
        [INTS, 2],
    ),
    "rebound local variables": (
        """
        def p(r: RDD[int]):
            s = r.map(lambda x: x + 1)
            s = s.filter(lambda x: x > 0)
            r = s.union(r)
            return r
        """,
        [INTS],
    ),
    "several assignments at once": (
        """
        def p(r: RDD[int]):
            small, large = r.filter(lambda x: x < 3), r.filter(lambda x: x >= 3)
            (a, b), c = (small, large), r
            small = large = c.union(a)
            return small.union(large).union(b)
        """,
        [INTS],
    ),
    "a value bound to several names, of which it uses one": (
        """
        def p(r: RDD[int]):
            k = 1
            k = j = k + 1
            r = s = r.map(lambda x: 3 * x)
            (a, b) = [c, d] = r.union(s), k
            return a.union(c).map(lambda x: x + k + j + b + d)
        """,
        [INTS],
    ),
    "annotated local variables": (
        """
        def p(r: RDD[int]):
            k: int = 3
            s: RDD[int]
            s = r.map(lambda x: x + k)
            return s
        """,
        [INTS],
    ),
    "basic parameters": (
        "def p(r: RDD[int], k: int, b: bool): return r.filter(lambda x: b and x > k)",
        [INTS, 2, True],
    ),
    "tuple parameter": (
        "def p(r: RDD[int], t: tuple[int, bool]): return r.map(lambda x: (x + t[0], t))",
        [INTS, (3, False)],
    ),
    "parameters given by name": (
        """
        def p(s: RDD[tuple[int, int]]):
            return s.foldByKey(func=lambda a, v: a + v, zeroValue=0, numPartitions=4).map(f=lambda t: t[1])
        """,
        [PAIRS],
    ),
    "parametric function": (
        """
        def geq(k):
            return lambda x: x >= k
        def p(r: RDD[int]): return r.filter(geq(100)).union(r.filter(geq(k=-1)))
        """,
        [INTS],
    ),
    "parametric def with a nested def": (
        """
        def between(low, high):
            middle = (low + high) // 2
            def test(x):
                return low <= x <= middle or x == high
            return test
        def p(r: RDD[int], k: int): return r.filter(between(k, high=9))
        """,
        [INTS, -1],
    ),
    "function that composes functions": (
        """
        def compose(f, g):
            return lambda x: f(g(x))
        def p(r: RDD[int]): return r.map(compose(lambda x: x + 1, compose(abs, lambda x: -2 * x)))
        """,
        [INTS],
    ),
    "helpers that take and return RDDs": (
        """
        def positive(rdd): return rdd.filter(lambda x: x > 0)
        def total(rdd, factor):
            big = positive(rdd)
            return big.map(lambda x: x * factor).sum()
        def p(r: RDD[int]): return total(factor=3, rdd=positive(r)) + total(r, -2)
        """,
        [INTS],
    ),
    "early returns and elif": (
        """
        def grade(x):
            if x < 0:
                return -1
            y = x // 10
            if y > 9:
                y = 9
            elif y == 0:
                return 0
            else:
                y += 1
                y *= 2
            return y
        def p(r: RDD[int]): return r.map(grade)
        """,
        [INTS],
    ),
    "variable rebound before the closure is made": (
        """
        def p(r: RDD[int], k: int):
            if k > 0:
                k = -k
            f = lambda x: x + k
            return r.map(f)
        """,
        [INTS, 5],
    ),
    "nested unpacking": (
        """
        def f(t):
            k, (v, w) = t
            [a, b] = v, k
            v, w = w, v
            return a - b, (v, w)
        def p(s: RDD[tuple[int, int]], t: RDD[tuple[int, int]]): return s.join(t).map(f)
        """,
        [PAIRS, MORE_PAIRS],
    ),
    "fold whose value filters": (
        """
        def p(r: RDD[int]):
            top = r.fold(-100, max)
            n = r.count()
            return r.filter(lambda x: x + n >= top)
        """,
        [INTS],
    ),
    "value of two folds": (
        "def p(r: RDD[int]): return (r.sum(), r.count() % 2 == 0 and not r.sum() < 5)",
        [INTS],
    ),
    "fold over other elements": (
        """
        def p(s: RDD[tuple[int, int]]):
            return s.fold((0, True), lambda a, t: (a[0] + t[1], a[1] and t[0] >= -5))
        """,
        [PAIRS],
    ),
    "functions of Python as arguments": (
        """
        import operator
        from operator import add as plus
        def p(s: RDD[tuple[int, int]]):
            return s.foldByKey(0, plus).mapValues(abs).mapValues(operator.neg).values().fold(50, min)
        """,
        [PAIRS],
    ),
    "keys, values, keyBy, mapValues, cartesian": (
        """
        def p(s: RDD[tuple[int, int]]):
            return s.keys().cartesian(s.values()).keyBy(lambda t: t[0] % 2).mapValues(lambda t: t[1])
        """,
        [PAIRS],
    ),
    "module constants": (
        """
        LIMIT: int = 3
        TWICE = 2 * LIMIT
        double = lambda x: 2 * x
        at = (TWICE, -1)
        def geq(k): return lambda x: x >= k
        big = geq(LIMIT)
        def p(r: RDD[int]): return r.filter(big).map(double).map(lambda x: x + at[0] * LIMIT + at[-1])
        """,
        [INTS],
    ),
    "module name defined after the function": ("def p(r: RDD[int]): return r.map(lambda x: x + K)\nK = 3", [INTS]),
    "local name that shadows a builtin": (
        """
        def p(r: RDD[int]):
            min = lambda a, b: a - b
            return r.map(lambda x: min(x, 3))
        """,
        [INTS],
    ),
    "parameter that shadows a function": (
        """
        def f(x): return x + 1
        def p(r: RDD[int]): return r.map(lambda f: f * 2).map(f)
        """,
        [INTS],
    ),
    "nested functions see the nearest scope": (
        """
        k = 1
        def p(r: RDD[int]):
            k = 10
            def outer(x):
                k = 100
                def inner(y):
                    return y + k
                return inner(x) + k
            return r.map(outer).map(lambda x: x + k)
        """,
        [INTS],
    ),
    "positional-only and keyword-only parameters": (
        """
        def f(x, /, *, y): return x - y
        def p(r: RDD[int], /): return r.map(lambda x: f(x, y=2))
        """,
        [INTS],
    ),
    "other code in the file": (
        """
        import os, sys
        from typing import TYPE_CHECKING
        if TYPE_CHECKING:
            from pyspark import RDD
        class Unrelated:
            min = 3
            def method(self, *args, **kwargs): return [x for x in args]
        async def later(): yield 1
        def p(r: RDD[int]): return r.map(lambda x: min(x, 3))
        for name in sys.path: pass
        if __name__ == "__main__": print(p)
        """,
        [INTS],
    ),
    "RDDs chosen by a condition": (
        """
        def p(r: RDD[int], k: int):
            if k > 3:
                s = r.map(lambda x: x + 1)
            elif r.isEmpty():
                s = r
            else:
                s = r.filter(lambda x: x > k)
            return s if s.count() > 2 else s.union(r)
        """,
        [INTS, 5],
    ),
    "lists of fixed length": (
        """
        def f(x):
            if x > 5:
                return [x, 2 * x]
            elif x == 3:
                return [x]
            return []
        def p(r: RDD[int]): return r.flatMap(f).flatMap(lambda x: (x, -x))
        """,
        [INTS],
    ),
    "lists of values": (
        """
        def p(s: RDD[tuple[int, int]]):
            both = [(1, True), (2, False)]
            return s.flatMapValues(lambda v: [(v, v > 0)] if v > 3 else both)
        """,
        [PAIRS],
    ),
    "groups": (
        """
        def p(s: RDD[tuple[int, int]]):
            groups = s.groupByKey(numPartitions=3)
            least, most = groups.mapValues(min), groups.mapValues(f=max)
            return groups.mapValues(len).join(groups.mapValues(sum)).join(least).join(most)
        """,
        [PAIRS],
    ),
    "reduceByKey of tuples": (
        """
        def p(s: RDD[tuple[int, int]]):
            return s.mapValues(lambda v: (v, (True, 1))).reduceByKey(
                lambda a, v: (max(a[0], v[0]), (a[0] > v[0], a[1][1] + v[1][1]))
            )
        """,
        [PAIRS],
    ),
    "execution that changes no result": (
        """
        from pyspark import StorageLevel
        def p(r: RDD[int]):
            r.cache()
            s = r.persist(StorageLevel.DISK_ONLY).repartition(7).coalesce(2, shuffle=True).distinct(3)
            s.unpersist(blocking=True)
            return s
        """,
        [INTS],
    ),
    "sum and len of tuples": (
        "def p(s: RDD[tuple[int, int]]): return s.map(lambda t: sum(t) + len(t) + sum((1,)))",
        [PAIRS],
    ),
    "bag expressions without operations": ("def p(r: RDD[int], s: RDD[tuple[int, int]]): return s", [INTS, PAIRS]),
    "a constant": ("def p(r: RDD[int]): return (1, (True, -3))", [INTS]),
}
