"""Steps of graph algorithms."""

from operator import add

from pyspark import RDD

DAMPING = 85


def degrees(edges: RDD[tuple[int, int]]):
    """In- and out-degree of each node."""
    outgoing = edges.map(lambda e: (e[0], (0, 1)))
    incoming = edges.map(lambda e: (e[1], (1, 0)))
    return outgoing.union(incoming).reduceByKey(lambda a, b: tuple(x + y for x, y in zip(a, b)))


def degrees_right(edges: RDD[tuple[int, int]]):
    def ends(edge):
        source, target = edge
        yield source, (0, 1)
        yield target, (1, 0)

    return edges.flatMap(ends).aggregateByKey(
        (0, 0), lambda acc, d: (acc[0] + d[0], acc[1] + d[1]), lambda a, b: (a[0] + b[0], a[1] + b[1])
    )


def degrees_wrong(edges: RDD[tuple[int, int]]):
    outgoing = edges.map(lambda e: (e[0], (0, 1)))
    incoming = edges.distinct().map(lambda e: (e[1], (1, 0)))
    return outgoing.union(incoming).reduceByKey(lambda a, b: tuple(x + y for x, y in zip(a, b)))


def friends_of_friends(edges: RDD[tuple[str, str]]):
    """Pairs of different people with a common friend, each once."""
    both = edges.flatMap(lambda e: [(e[0], e[1]), (e[1], e[0])])
    two = both.join(both).map(lambda kv: kv[1])
    return two.filter(lambda p: p[0] < p[1]).distinct()


def friends_of_friends_right(edges: RDD[tuple[str, str]]):
    swapped = edges.map(lambda e: (e[1], e[0]))
    both = edges.union(swapped)
    return both.join(both).values().distinct().filter(lambda p: p[1] > p[0])


def friends_of_friends_wrong(edges: RDD[tuple[str, str]]):
    swapped = edges.map(lambda e: (e[1], e[0]))
    both = edges.union(swapped)
    return both.join(both).values().distinct().filter(lambda p: p[1] != p[0])


def rank_step(links: RDD[tuple[str, str]], ranks: RDD[tuple[str, int]]):
    """One step of page rank on integers."""
    neighbours = links.distinct().groupByKey().mapValues(list)

    def spread(entry):
        _, (targets, rank) = entry
        share = rank // len(targets)
        return [(target, share) for target in targets]

    return neighbours.join(ranks).flatMap(spread).reduceByKey(add).mapValues(lambda r: 15 + r * DAMPING // 100)


def rank_step_right(links: RDD[tuple[str, str]], ranks: RDD[tuple[str, int]]):
    unique = links.distinct()
    fanout = unique.mapValues(lambda _: 1).reduceByKey(add)
    shares = fanout.join(ranks).mapValues(lambda p: p[1] // p[0])
    received = unique.join(shares).map(lambda kv: kv[1])
    return received.reduceByKey(add).mapValues(lambda r: r * DAMPING // 100 + 15)


def rank_step_wrong(links: RDD[tuple[str, str]], ranks: RDD[tuple[str, int]]):
    fanout = links.mapValues(lambda _: 1).reduceByKey(add)
    shares = fanout.join(ranks).mapValues(lambda p: p[1] // p[0])
    received = links.join(shares).map(lambda kv: kv[1])
    return received.reduceByKey(add).mapValues(lambda r: r * DAMPING // 100 + 15)


def label_step(edges: RDD[tuple[int, int]], labels: RDD[tuple[int, int]]):
    """Each node takes the smallest label of itself and its neighbours."""
    messages = edges.join(labels).map(lambda kv: (kv[1][0], kv[1][1]))
    return labels.union(messages).reduceByKey(min)


def label_step_right(edges: RDD[tuple[int, int]], labels: RDD[tuple[int, int]]):
    messages = labels.join(edges).map(lambda kv: (kv[1][1], kv[1][0]))
    return messages.union(labels).groupByKey().mapValues(lambda ls: min(ls))


def label_step_wrong(edges: RDD[tuple[int, int]], labels: RDD[tuple[int, int]]):
    messages = labels.join(edges).map(lambda kv: (kv[1][1], kv[1][0]))
    return messages.groupByKey().mapValues(lambda ls: min(ls))


def triangles(edges: RDD[tuple[int, int]]) -> int:
    """Number of triangles of a graph whose edges go from smaller to larger nodes."""
    clean = edges.map(lambda e: (min(e), max(e))).filter(lambda e: e[0] != e[1]).distinct()
    wedges = clean.join(clean).filter(lambda kv: kv[1][0] < kv[1][1])
    closed = wedges.map(lambda kv: (kv[1], kv[0])).join(clean.map(lambda e: (e, True)))
    return closed.count()


def triangles_right(edges: RDD[tuple[int, int]]) -> int:
    def ordered(edge):
        a, b = edge
        return (a, b) if a < b else (b, a)

    clean = edges.map(ordered).filter(lambda e: e[0] < e[1]).distinct()
    wedges = clean.join(clean).filter(lambda kv: kv[1][1] > kv[1][0]).map(lambda kv: (kv[1], kv[0]))
    return wedges.join(clean.map(lambda e: (e, 1))).map(lambda _: 1).sum()


def triangles_wrong(edges: RDD[tuple[int, int]]) -> int:
    clean = edges.map(lambda e: (min(e), max(e))).filter(lambda e: e[0] != e[1])
    wedges = clean.join(clean).filter(lambda kv: kv[1][0] < kv[1][1])
    closed = wedges.map(lambda kv: (kv[1], kv[0])).join(clean.map(lambda e: (e, True)))
    return closed.count()
