"""Edges of a graph: degrees, neighbours, triangles, reachable nodes."""

from __future__ import annotations

from operator import add

from pyspark import RDD


def undirect(edge):
    a, b = edge
    return (a, b) if a <= b else (b, a)


def out_degree(edges: RDD[tuple[int, int]]):
    """Number of distinct successors, without loops."""
    return edges.filter(lambda e: e[0] != e[1]).distinct().mapValues(lambda _: 1).reduceByKey(add)


def out_degree_right(edges: RDD[tuple[int, int]]):
    successors = edges.groupByKey().map(lambda kv: (kv[0], len(set(kv[1]) - {kv[0]})))
    return successors.filter(lambda kv: kv[1] > 0)


def out_degree_wrong(edges: RDD[tuple[int, int]]):
    successors = edges.groupByKey().map(lambda kv: (kv[0], len(set(kv[1]) - {kv[0]})))
    return successors


def friends_of_friends(edges: RDD[tuple[int, int]]):
    """Pairs at two steps of each other, not the node itself."""
    backward = edges.map(lambda e: (e[1], e[0]))
    return backward.join(edges).values().filter(lambda p: p[0] != p[1]).distinct()


def friends_of_friends_right(edges: RDD[tuple[int, int]]):
    both = edges.map(lambda e: (e[1], e[0])).cogroup(edges)

    def pairs(kv):
        before, after = kv[1]
        return {(a, b) for a in before for b in after if a != b}

    return both.flatMap(pairs).distinct()


def friends_of_friends_wrong(edges: RDD[tuple[int, int]]):
    both = edges.map(lambda e: (e[1], e[0])).cogroup(edges)

    def pairs(kv):
        before, after = kv[1]
        return {(a, b) for a in before for b in after if a != b}

    return both.flatMap(pairs)


def mutual(edges: RDD[tuple[int, int]]):
    """Pairs (a, b), a < b, linked in both directions."""
    forward = edges.filter(lambda e: e[0] < e[1]).distinct()
    backward = edges.filter(lambda e: e[0] > e[1]).map(lambda e: (e[1], e[0])).distinct()
    return forward.intersection(backward)


def mutual_right(edges: RDD[tuple[int, int]]):
    unique = edges.filter(lambda e: e[0] != e[1]).distinct()
    return unique.map(lambda e: (undirect(e), 1)).reduceByKey(add).filter(lambda kv: kv[1] == 2).keys()


def mutual_wrong(edges: RDD[tuple[int, int]]):
    unique = edges.filter(lambda e: e[0] != e[1])
    return unique.map(lambda e: (undirect(e), 1)).reduceByKey(add).filter(lambda kv: kv[1] == 2).keys()


def sinks(edges: RDD[tuple[int, int]]) -> list[int]:
    """Nodes from which no edge starts, in order."""
    sources = edges.keys().distinct()
    return sorted(edges.values().distinct().subtract(sources).collect())


def sinks_right(edges: RDD[tuple[int, int]]) -> list[int]:
    marks = edges.flatMap(lambda e: [(e[0], True), (e[1], False)])
    starts = marks.reduceByKey(lambda a, b: a or b)
    return starts.filter(lambda kv: not kv[1]).keys().sortBy(lambda n: n).collect()


def sinks_wrong(edges: RDD[tuple[int, int]]) -> list[int]:
    marks = edges.flatMap(lambda e: [(e[0], True), (e[1], False)])
    starts = marks.reduceByKey(lambda a, b: a and b)
    return starts.filter(lambda kv: not kv[1]).keys().sortBy(lambda n: n).collect()


def step_distances(distances: RDD[tuple[int, int]], edges: RDD[tuple[int, int]]):
    """One relaxation step: the best distance known after one more hop."""
    relaxed = distances.join(edges).map(lambda kv: (kv[1][1], kv[1][0] + 1))
    return distances.union(relaxed).reduceByKey(min)


def step_distances_right(distances: RDD[tuple[int, int]], edges: RDD[tuple[int, int]]):
    best = distances.reduceByKey(min)
    hops = best.join(edges.distinct()).map(lambda kv: (kv[1][1], kv[1][0] + 1)).reduceByKey(min)

    def pick(pair):
        old, new = pair
        if old is None:
            return new
        return old if new is None else min(old, new)

    return best.fullOuterJoin(hops).mapValues(pick)


def step_distances_wrong(distances: RDD[tuple[int, int]], edges: RDD[tuple[int, int]]):
    best = distances.reduceByKey(min)
    hops = best.join(edges.distinct()).map(lambda kv: (kv[1][1], kv[1][0] + 1)).reduceByKey(min)

    def pick(pair):
        old, new = pair
        if not old:
            return new
        return old if new is None else min(old, new)

    return best.fullOuterJoin(hops).mapValues(pick)
