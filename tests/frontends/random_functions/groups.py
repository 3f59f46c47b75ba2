"""Templates of what functions compute of a group of numbers, `g`, and of programs that call them."""

OF_ITEM = ("x", "x + 1", "x * x", "x // 3", "x % 3", "abs(x)", "-x", "(x if x > 1 else 0)", "min(x, 3)")
CONDITION = ("", "", " if x > 0", " if x % 2 == 0", " if x", " if x in SOME")
WHOLE = (
    "g",
    "list(g)",
    "sorted(g)",
    "[<i> for x in g<c>]",
    "[y + 1 for y in sorted(g)]",
    "set(g)",
    "{<i> for x in g<c>}",
)
NUMBERS_OF_GROUP = (
    "sum(<i> for x in g<c>)",
    "len([<i> for x in g<c>])",
    "sum(<w>)",
    "len(<w>)",
    "max(g)",
    "min(list(g)) + sum(g)",
    "max((<i> for x in g<c>), default=9)",
    "min([<i> for x in g<c>], default=-9)",
    "max(g, key=lambda x: (x % 3, x))",
    "min([<i> for x in g], key=lambda x: (abs(x), x))",
    "(sorted(g)[0] + sorted(g, reverse=True)[0])",
    "sorted(g, key=lambda x: (abs(x), x))[0]",
    "sorted(<w>)[-1]",
    "sum(sorted(g)[:2])",
    "len(sorted(g, reverse=True)[:3])",
    "sum(sorted(set(g))[:2])",
    "(1 if [x for x in g<c>] else 2)",
    "(sum(g) // len(g))",
    "reduce(lambda a, x: a + <i>, g, 1)",
    "reduce(max, [<i> for x in g<c>], -2)",
    "reduce(lambda a, x: x if a is None or x > a else a, g, None)",
    "reduce(operator.add, (<i> for x in g<c>), 0)",
    "sum(heapq.nlargest(2, g))",
    "heapq.nsmallest(1, [<i> for x in g])[0]",
    "sum(x * len(g) for x in g<c>)",
    "list(g).count(<small>)",
    "len({<i> for x in g<c>})",
    "(len(set(g)) - sum(g))",
    "sum({<i> for x in g<c>} - {1, 2})",
    "max({<i> for x in g<c>}, default=-3)",
    "[<i> for x in g<c>].count(<small>)",
    "sorted(g).count(max(g))",
    "round(sum(g) * 7, -1)",
    "sum(1 for x in g if x == max(g))",
    "max(x - min(g) for x in g)",
    "(lambda top: len([x for x in g if x < top]))(max(g))",
    "(<g> + <g>)",
    "(<g> if <h> else <g>)",
    "max(<g>, <g>)",
)
CONDITIONS_OF_GROUP = (
    "any(x > 2 for x in g<c>)",
    "all(x > 0 for x in g<c>)",
    "(not [x for x in g if x > 1])",
    "(<g> > <g>)",
    "(<h> and <h>)",
    "(len(set(g)) == len(g))",
    "(sum(g) / len(g) > 1.5)",
    "any(x * 2 > sum(g) for x in g)",
    "(3 in list(g))",
    "(1 in {<i> for x in g<c>})",
    "any(x > 1 for x in {<i> for x in g<c>})",
)
PROGRAMS = (
    "r.groupByKey().mapValues(lambda g: (<g>, <h>, len(g)))",
    "r.groupByKey().mapValues(lambda g: <g>)",
    "r.groupByKey().mapValues(of_group)",
    "r.groupByKey().map(lambda e: (len(e[0]), (lambda g: <g>)(e[1])))",
    "r.groupByKey().mapValues(lambda g: sorted(<i> for x in g))",
    "r.groupByKey().mapValues(lambda g: {<i> for x in g})",
    "r.groupByKey().mapValues(lambda g: [<i> for x in sorted(set(g))])",
    "r.groupByKey().mapValues(lambda g: sorted(g)[:2])",
    "r.groupByKey().mapValues(lambda g: sorted(set(g), reverse=True)[:3])",
    "r.groupByKey().flatMap(lambda e: [(e[0], <i>) for x in e[1] if x > 0])",
    "r.groupByKey().flatMap(lambda e: [(e[0], v) for v in sorted(e[1], reverse=True)[:2]])",
    "r.groupByKey().flatMapValues(lambda g: {<i> for x in g<c>})",
    "r.groupByKey().flatMap(lambda e: [(e[0], x) for x in sorted({<i> for x in e[1]<c>})])",
    "r.cogroup(r.filter(lambda e: e[1] > 1)).mapValues(lambda p: (len(set(p[0])), len(set(p[1])), sum(p[0])))",
    "r.cogroup(r.mapValues(abs)).mapValues(lambda p: (sum({x for x in p[0]<c>}), len({<i> for x in p[1]<c>})))",
    "r.groupByKey().filter(lambda e: (lambda g: <h>)(e[1])).mapValues(lambda g: <g>)",
    "r.groupByKey().filter(lambda e: len(e[1]) > 1).keys()",
    "r.groupBy(lambda e: e[1] % 3).mapValues(len)",
    "r.groupBy(lambda e: e[1] > 0).mapValues(lambda g: sum(n for _, n in g))",
    "r.cogroup(r.filter(lambda e: e[1] > 1)).mapValues(lambda p: sum(p[0]) - len(list(p[1])))",
    "r.mapValues(lambda v: [v, v * 2]).reduceByKey(operator.add).mapValues(lambda g: <g>)",
    "r.mapValues(lambda v: v > 0).reduceByKey(operator.or_)",
    "r.mapValues(lambda v: v > 0).reduceByKey(operator.and_)",
    "r.mapValues(lambda v: v > 0).reduceByKey(operator.xor)",
    "r.map(lambda e: (e[0], Amount(e[1]))).reduceByKey(lambda a, b: a + b).mapValues(lambda a: a.value)",
    "r.groupByKey().mapValues(counted)",
    "r.groupByKey().mapValues(looped)",
    "r.groupByKey().mapValues(lambda g: looped(g, <small>))",
    "r.groupByKey().flatMapValues(appended)",
    "r.groupByKey().flatMap(yielded)",
    "r.groupByKey().flatMap(yielded_from)",
    "r.groupByKey().mapValues(filled)",
    "r.groupByKey().mapValues(tallied)",
    "r.groupByKey().mapValues(defaulted)",
    "r.groupByKey().flatMapValues(above)",
    "r.groupByKey().filter(lambda e: len(set(e[1])) < len(list(e[1]))).flatMapValues(list)",
    "r.groupByKey().mapValues(lambda g: max(Counter(g).items(), key=lambda p: (p[1], p[0])))",
    "r.groupByKey().mapValues(lambda g: sorted(Counter(g).items())[:2])",
    "r.groupByKey().flatMapValues(lambda g: [k for k, n in Counter(g).items() if n > 1])",
    "r.groupByKey().flatMapValues(lambda g: Counter(x for x in g<c>))",
    "r.groupBy(lambda e: len(e[0])).mapValues(looped_pairs)",
    "r.cogroup(r.mapValues(lambda v: v + 1)).mapValues(looped_twice)",
    "r.groupByKey().flatMapValues(lambda g: heapq.nlargest(2, g))",
    "r.groupByKey().flatMapValues(lambda g: heapq.nsmallest(3, [<i> for x in g]))",
    "r.groupByKey().filter(lambda e: looped(e[1], 1)[0] > 2).mapValues(lambda g: sum(g))",
    "r.groupByKey().flatMap(lambda e: [(e[0], x - max(e[1])) for x in e[1]])",
)
IN_LOOP = (
    "n += <i>",
    "n -= <i>\nm = max(m, <i>)",
    "if x < 0:\n    continue\nn += 1",
    "n = n + <i> if x > <small> else n",
    "m = x if x > m else m",
    "if x % 2:\n    n += 1\nelse:\n    n -= x",
    "low = abs(x) if low is None else min(low, abs(x))",
    "low = x if low is None or x < low else low",
    "seen = seen or x == <small>",
    "if x > 1:\n    seen = True",
    "for y in (1, <small>):\n    n += x * y",
    "match x:\n    case 0 | 1:\n        n += 7\n    case _:\n        m = max(m, <i>)",
    "y = <i>\nn += y * y",
)
FUNCTIONS = (
    "def of_group(g):\n    values = list(g)\n    if <h>:\n        return <g>\n    return sum(values) - len(values)\n"
    "def counted(g):\n    first = sum(g)\n    return Entry('a', first).number + max(g)\n"
    "def looped(g, m=<small>):\n    n, low, seen = <small>, None, False\n    for x in g:\n        <in>\n"
    "        <in>\n    return n, m, low if seen else 0, seen\n"
    "def appended(g):\n    out = []\n    for x in g:\n        if <x>:\n            continue\n"
    "        out.append(<i>)\n    return out\n"
    "def yielded(e):\n    k, g = e\n    most = max(g)\n    for x in g:\n        if <x>:\n"
    "            yield k, most - x\n        else:\n            yield '', <i>\n"
    "def yielded_from(e):\n    k, g = e\n    yield from ((k, <i>) for x in g<c>)\n"
    "def filled(g):\n    d = <d>\n    for x in g:\n        <put>\n    return <od>, <od>, <od>\n"
    "def tallied(g):\n    d = Counter(<i> for x in g<c>)\n    e = defaultdict(int)\n"
    "    for x in g:\n        e[x % 3] += x\n"
    "    return <od>, d[<small>], e.get(<small>, 2), sum(g), len(e), max(e.values())\n"
    "def above(g):\n    some = {<i> for x in g<c>}\n    m = sum(some)\n    return [x for x in g if x > m]\n"
    "def defaulted(g):\n    e = defaultdict(int)\n    for x in g:\n        e[x % 3] += x\n"
    "    return e[0] - e[<small>] + e.get(1, 0)\n"
    "def looped_pairs(g):\n    best, n = None, 0\n    for e in g:\n        k, x = e\n        if <x>:\n"
    "            n += <i>\n        if best is None or e > best:\n            best = e\n    return best, n\n"
    "def looped_twice(pair):\n    left, right = pair\n    n, m = <small>, -9\n    for x in left:\n        if <x>:\n"
    "            n += <i>\n    for x in right:\n        m = max(m, <i>)\n    return n, m\n"
)
RULES = {
    "in": IN_LOOP,
    "d": ("{}", "defaultdict(int)", "Counter()", "dict()"),
    "put": (
        "d[x % 3] = d.get(x % 3, 0) + <i>",
        "if <x>:\n    d[x] = d.get(x, 0) + 1",
        "if x % 2:\n    d[x] = d.get(x, 0) + <i>\nelse:\n    d[-x] = d.get(-x, 0) + 1",
        "if <x>:\n    continue\nd[<i>] = d.get(<i>, 0) + x",
    ),
    "od": (
        "len(d)",
        "sum(d.values())",
        "max(d.values(), default=-9)",
        "d.get(1, 0)",
        "d.get(<small>, -5)",
        "(<small> in d)",
        "max(d, key=lambda k: (d[k], k), default=0)",
        "min(d.items(), key=lambda p: (-p[1], p[0]), default=(0, 0))",
        "sum(1 for k in d if d[k] > 1)",
        "sum(k * n for k, n in d.items() if k > 0)",
        "len([k for k in d.keys() if k])",
        "(1 if d else 2)",
        "min(sorted(d), key=d.get, default=-7)",
    ),
    "x": ("x > <small>", "x % 2 == 0", "x in SOME", "(x < 0 or x == <small>)"),
    "i": OF_ITEM,
    "c": CONDITION,
    "w": WHOLE,
    "g": NUMBERS_OF_GROUP,
    "h": CONDITIONS_OF_GROUP,
    "program": PROGRAMS,
    "functions": (FUNCTIONS,),
}
LEAVES = {"g": ("sum(g)", "len(g)"), "h": ("len(g) > 1", "min(g) < 0"), "w": ("g", "list(g)")}
