"""Graphs and texts."""

import string

from pyspark import RDD

STOP = set("a an the of to in".split())


def degrees(edges: RDD[tuple[int, int]]):
    """Degree of each vertex of an undirected graph, without loops."""
    ends = edges.filter(lambda e: e[0] != e[1]).flatMap(lambda e: [(e[0], 1), (e[1], 1)])
    return ends.reduceByKey(lambda a, b: a + b)


def degrees_right(edges: RDD[tuple[int, int]]):
    proper = edges.filter(lambda e: not e[0] == e[1])
    vertices = proper.flatMap(lambda e: e)
    return vertices.groupBy(lambda v: v).mapValues(lambda vs: sum(1 for _ in vs))


def degrees_wrong(edges: RDD[tuple[int, int]]):
    ends = edges.flatMap(lambda e: [(e[0], 1), (e[1], 1)])
    return ends.reduceByKey(lambda a, b: a + b)


def two_hops(edges: RDD[tuple[str, str]]):
    """Friends of friends."""
    by_target = edges.map(lambda e: (e[1], e[0]))
    return by_target.join(edges).map(lambda kv: kv[1]).filter(lambda p: p[0] != p[1]).distinct()


def two_hops_right(edges: RDD[tuple[str, str]]):
    pairs = edges.cartesian(edges).filter(lambda p: p[0][1] == p[1][0] and p[0][0] != p[1][1])
    return pairs.map(lambda p: (p[0][0], p[1][1])).distinct()


def two_hops_wrong(edges: RDD[tuple[str, str]]):
    return edges.join(edges).values().filter(lambda p: p[0] != p[1]).distinct()


def term_frequencies(docs: RDD[tuple[str, str]]):
    """((document, word), count) without stop words."""

    def words(doc):
        name, text = doc
        for w in text.lower().split():
            w = w.strip(string.punctuation)
            if w and w not in STOP:
                yield (name, w), 1

    return docs.flatMap(words).reduceByKey(lambda a, b: a + b)


def term_frequencies_right(docs: RDD[tuple[str, str]]):
    tokens = docs.mapValues(lambda t: t.lower()).flatMapValues(lambda t: t.split())
    cleaned = tokens.mapValues(lambda w: w.strip(string.punctuation)).filter(
        lambda kv: kv[1] not in STOP and len(kv[1]) > 0
    )
    return cleaned.map(lambda kv: (kv, 1)).reduceByKey(lambda a, b: a + b)


def term_frequencies_wrong(docs: RDD[tuple[str, str]]):
    tokens = docs.flatMapValues(lambda t: t.split())
    cleaned = tokens.mapValues(lambda w: w.strip(string.punctuation)).filter(
        lambda kv: kv[1] not in STOP and len(kv[1]) > 0
    )
    return cleaned.map(lambda kv: ((kv[0], kv[1].lower()), 1)).reduceByKey(lambda a, b: a + b)


def inverted_index(docs: RDD[tuple[int, str]]):
    """Words to the sorted numbers of documents that have them."""
    pairs = docs.flatMap(lambda d: [(w, d[0]) for w in d[1].split()])
    return pairs.distinct().groupByKey().mapValues(sorted)


def inverted_index_right(docs: RDD[tuple[int, str]]):
    pairs = docs.flatMapValues(str.split).map(lambda kv: (kv[1], kv[0]))
    return pairs.groupByKey().mapValues(lambda ids: sorted(set(ids)))


def inverted_index_wrong(docs: RDD[tuple[int, str]]):
    pairs = docs.flatMapValues(str.split).map(lambda kv: (kv[1], kv[0]))
    return pairs.groupByKey().mapValues(sorted)


def most_common(words: RDD[str]):
    """The ten most common words that are no stop words, ties by the word."""
    counts = words.map(str.lower).filter(lambda w: w not in STOP).map(lambda w: (w, 1)).reduceByKey(lambda a, b: a + b)
    return [w for w, n in sorted(counts.collect(), key=lambda kv: (-kv[1], kv[0]))[:10]]


def most_common_right(words: RDD[str]):
    lowered = words.map(lambda w: w.lower())
    useful = lowered.filter(lambda w: w not in STOP)
    top = useful.map(lambda w: (w, 1)).reduceByKey(lambda a, b: a + b).takeOrdered(10, lambda kv: (-kv[1], kv[0]))
    return list(map(lambda kv: kv[0], top))


def most_common_wrong(words: RDD[str]):
    lowered = words.map(lambda w: w.lower())
    useful = words.filter(lambda w: w not in STOP)
    top = useful.map(lambda w: (w, 1)).reduceByKey(lambda a, b: a + b).takeOrdered(10, lambda kv: (-kv[1], kv[0]))
    return list(map(lambda kv: kv[0], top))
