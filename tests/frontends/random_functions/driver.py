"""Templates of programs that go through collected elements, count them, and look keys up in what was collected."""

STEP = (
    "count += 1",
    "count += v",
    "count += abs(v) if k else 1",
    "count = count + len(k)",
    "best = max(best, v)",
    "best = v if v > best else best",
    "found = found or v == 3",
    "if v > 0:\n    count += 1\nelse:\n    low = min(low, v)",
    "if v < 0:\n    continue\ncount += v",
    "for i in (1, 2):\n    count += i * v",
    "match v:\n    case 0 | 1:\n        count += 10\n    case _:\n        count += 1",
    "seen = k in ('a', '')\ncount += seen",
)
LOOPS = (
    "count, best, low, found = 0, -99, 99, False\nfor k, v in <rdd>.collect():\n    <step>\n    <step>\n"
    "return count, best, low, found",
    "count, best, low, found = 1, 9, 9, True\nfor k, v in <rdd>.collect():\n    <step>\nreturn count, best, low, found",
    "out = []\nfor k, v in <rdd>.collect():\n    if v > <small>:\n        out.append((k, v))\n    out.append((k, 0))\n"
    "return len(out) + sum(v for _, v in out)",
    "out = []\nfor k, v in <rdd>.collect():\n    out.append(<of>)\nreturn sorted(out)",
    "out = {}\nfor k, v in <rdd>.reduceByKey(max).collect():\n    out[k] = <of>\nreturn out",
    "out = {}\nfor k, v in <rdd>.collect():\n    if k not in out:\n        out[k] = v\n    else:\n"
    "        out[k] += v\nreturn out",
    "out = {}\nfor k, v in <rdd>.collect():\n    if k in out:\n        out[k] += 1\n    else:\n"
    "        out[k] = 1\nreturn out",
    "out = {}\nfor k, v in <rdd>.collect():\n    if k not in out:\n        out[k] = 0\n    out[k] += <of>\nreturn out",
    "out = dict()\nfor k, v in <rdd>.collect():\n    out[k] = out.get(k, 0) + <of>\n"
    "return {k: n for k, n in out.items() if n > <small>}",
    "out = defaultdict(int)\nfor k, v in <rdd>.collect():\n    if v > <small>:\n        out[k] += <of>\n"
    "return dict(out)",
    "out = <d>\nfor k, v in <rdd>.collect():\n    <cell>\nreturn out",
    "out = <d>\nfor k, v in <rdd>.collect():\n    if v < <small>:\n        continue\n    <cell>\nreturn dict(out)",
    "out = {}\nfor k, v in <rdd>.collect():\n    if v > <small>:\n        <cell>\n"
    "return {k: n for k, n in out.items() if k}",
    "out = Counter()\nfor k, v in <rdd>.collect():\n    out[k, v % 2] += 1\nreturn out",
)
LOOK_UPS = (
    "out = Counter(<rdd>.keys().collect())\nreturn sum(n for k, n in out.items() if k)",
    "return dict(Counter(k for k, v in <rdd>.collect()))",
    "return Counter(<rdd>.values().collect())[<small>]",
    "counts = <rdd>.countByKey()\nreturn counts.get('a', 0) + len(counts)",
    "return <rdd>.reduceByKey(max).collectAsMap().get('b', <small>)",
    "return <rdd>.reduceByKey(min).collectAsMap()['a']",
    "return 'a' in <rdd>.countByKey(), 3 in <rdd>.values().countByValue()",
    "return sorted(<rdd>.countByKey().items())",
    "table = <rdd>.reduceByKey(max).collectAsMap()\nreturn r.map(lambda e: (e[0], table.get(e[0], <small>)))",
    "table = <rdd>.reduceByKey(max).collectAsMap()\n"
    "return r.filter(lambda e: e[0] in table).map(lambda e: table[e[0]] + e[1])",
    "shared = r.context.broadcast(<rdd>.countByKey())\nreturn r.map(lambda e: e[1] * shared.value.get(e[0], 0))",
    "shared = r.context.broadcast(<rdd>.values().countByValue())\nreturn r.filter(lambda e: e[1] not in shared.value)",
    "keys = set(<rdd>.keys().collect())\nreturn r.filter(lambda e: e[0] in keys)",
    "keys = <rdd>.keys().distinct().collect()\nreturn r.filter(lambda e: e[0] not in keys).count()",
    "table = <rdd>.reduceByKey(max).collectAsMap()\nreturn [table.get(k, <small>) + v for k, v in r.collect()]",
    "table = <rdd>.reduceByKey(min).collectAsMap()\nreturn sorted(k for k in r.countByKey() if k in table)",
    "table = <rdd>.reduceByKey(max).collectAsMap()\nreturn sorted(k for k, v in table.items() if table[k] > <small>)",
    "table = <rdd>.reduceByKey(max).collectAsMap()\nreturn {k: table[k] - <small> for k in table}",
    "table = defaultdict(int, <rdd>.reduceByKey(max).collectAsMap())\nreturn r.map(lambda e: table[e[0]] * e[1])",
    "one, other = set(<rdd>.keys().collect()), set(<rdd>.keys().collect())\n"
    "return len(one & other), len(one - other), len(one | other), len(one ^ other), one <= other, one == other",
    "one = set(<rdd>.values().collect())\nreturn len(one - {0, 1}), one.isdisjoint(set(<rdd>.values().collect()))",
    "one = set(<rdd>.values().collect())\n"
    "return {0, 1} <= one, one < {-1, 0, 3}, one == {3}, {2, 3}.issubset(one), one > {3}",
    "return {abs(v) for _, v in <rdd>.collect() if v > <small>}",
    "return set(<rdd>.keys().toLocalIterator())",
    "return list(<rdd>.values().collect()).count(<small>)",
    "limit = <rdd>.count()\nreturn r.filter(lambda e: e[1] < limit).mapValues(lambda v: v + limit)",
)
RESULTS = (
    "return sorted(<rdd>.collect(), key=lambda e: (-e[1], e[0]))[:2]",
    "return [n for _, n in sorted(<rdd>.collect())]",
    "return max(<rdd>.collect()), min(v for _, v in <rdd>.collect())",
    "return <rdd>.values().max() - <rdd>.values().min()",
    "return any(v > <small> for _, v in <rdd>.collect()), all(v for _, v in <rdd>.collect())",
    "return sum(v for _, v in <rdd>.collect() if v > <small>), len(<rdd>.collect())",
    "if <rdd>.isEmpty():\n    return 0\nreturn <rdd>.values().reduce(lambda a, b: max(a, b))",
    "n = <rdd>.count()\nreturn <rdd>.values().sum() // n if n else -1",
    "for k in (1, 2):\n    r = r.mapValues(lambda v, k=k: v * k + <small>)\nreturn r",
    "return <rdd>.mapPartitions(lambda part: (v + 1 for k, v in part if k))",
    "return <rdd>.leftOuterJoin(r.reduceByKey(max)).mapValues(lambda p: p[0] if p[1] is None else p[1])",
    "return [round(v, -1) for _, v in <rdd>.collect()]",
    "return <rdd>.map(lambda e: (e[1], abs(e[1]), 0).count(<small>) + [e[1], 1].count(1))",
    "def f(e):\n    yield from (e[0], 'x')\n    yield from (w for w in (e[0], '') if w)\nreturn <rdd>.flatMap(f)",
    "def f(e):\n    yield from (w.strip() for w in e[0].split(',') if w)\nreturn <rdd>.flatMap(f)",
    "xs = sorted(<rdd>.values().collect())\nreturn len(xs), sum(xs), xs[-1] if xs else 9, 3 in xs, any(xs)",
    "xs = sorted(<rdd>.collect(), key=lambda e: (-e[1], e[0]), reverse=True)\nreturn xs[-1], xs[0], len(set(xs))",
    "return 1 if <rdd>.values().take(1) else 2",
    "return <rdd>.values().takeOrdered(2)",
    "best = <rdd>.values().top(2)\nreturn best[0] if best else <small>",
    "return <rdd>.values().top(r.count() - 2)[:3]",
    "return <rdd>.flatMap(lambda e: {w for w in e[0].split(',') if w > 'a'})",
    "return <rdd>.sortBy(lambda e: (e[1], e[0])).map(lambda e: e[1]).collect()",
    "return <rdd>.aggregate((0, 0), lambda a, e: (a[0] + e[1], a[1] + 1), lambda a, b: (a[0] + b[0], a[1] + b[1]))",
)
CELL = (
    "if k not in out or v > out[k]:\n    out[k] = v",
    "out[k] = max(out.get(k, v), v)",
    "out[k] = min(out.get(k, <small>), <of>)",
    "if k not in out:\n    out[k] = 0\nout[k] = out[k] + <of>",
    "out.setdefault(k, <small>)\nout[k] += <of>",
    "out[k] = out.setdefault(k, 0) + <of>",
    "if k in out:\n    if v > out[k]:\n        out[k] = v\nelse:\n    out[k] = v",
    "best = out.get(k)\nif best is None or best < v:\n    out[k] = v",
    "n = out.get(k, 0) + 1\nout[k] = n",
    "if k in out:\n    out[k] *= 2\n    out[k] += 1\nelse:\n    out[k] = 0",
    "if k:\n    out[k] = out.get(k, 1) + out.get(k, 0)",
)
RULES = {
    "step": STEP,
    "cell": CELL,
    "of": ("v", "1", "v + 1", "abs(v)", "len(k)", "(v if v > 0 else 0)"),
    "rdd": (
        "r",
        "r.filter(lambda e: e[1] > 0)",
        "r.map(lambda e: (e[0].strip(), e[1] - 1))",
        "r.union(r.mapValues(abs))",
        "r.distinct()",
        "r.flatMap(lambda e: [(part, e[1]) for part in e[0].split(',')])",
    ),
    "small": ("0", "1", "-1", "3"),
    "loop": LOOPS,
    "look": LOOK_UPS,
    "result": RESULTS,
}
LEAVES: dict[str, tuple[str, ...]] = {}
