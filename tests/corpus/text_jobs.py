"""Words, n-grams and an inverted index."""

import re
import string
from collections import Counter
from operator import add

from pyspark import RDD

STOPWORDS = frozenset("a an and of or the to".split())
WORD = re.compile(r"[a-z']+")
PUNCTUATION = str.maketrans("", "", string.punctuation)


def tokens(text):
    return [w for w in WORD.findall(text.lower()) if w not in STOPWORDS]


def inverted_index(documents: RDD[tuple[int, str]]):
    """In which documents each word occurs, in order."""
    pairs = documents.flatMap(lambda d: [(word, d[0]) for word in set(tokens(d[1]))])
    return pairs.groupByKey().mapValues(lambda ids: sorted(set(ids)))


def inverted_index_right(documents: RDD[tuple[int, str]]):
    def postings(document):
        number, text = document
        for word in tokens(text):
            yield word, number

    return documents.flatMap(postings).distinct().groupByKey().mapValues(sorted)


def inverted_index_wrong(documents: RDD[tuple[int, str]]):
    pairs = documents.flatMap(lambda d: [(word, d[0]) for word in tokens(d[1])])
    return pairs.groupByKey().mapValues(sorted)


def bigrams(lines: RDD[str]):
    def pairs(line):
        words = tokens(line)
        return zip(words, words[1:])

    return lines.flatMap(pairs).map(lambda p: (p, 1)).reduceByKey(add).filter(lambda kv: kv[1] > 1)


def bigrams_right(lines: RDD[str]):
    def pairs(line):
        words = tokens(line)
        return [(words[i], words[i + 1]) for i in range(len(words) - 1)]

    return lines.flatMap(pairs).groupBy(lambda p: p).mapValues(len).filter(lambda kv: kv[1] >= 2)


def bigrams_wrong(lines: RDD[str]):
    def pairs(line):
        words = tokens(line)
        return [(words[i], words[i + 1]) for i in range(len(words) - 1)]

    return lines.flatMap(pairs).groupBy(lambda p: p).mapValues(len).filter(lambda kv: kv[1] >= 1)


def top_words(lines: RDD[str], n: int):
    counts = lines.flatMap(tokens).map(lambda w: (w, 1)).reduceByKey(add)
    return counts.takeOrdered(5, key=lambda kv: (-kv[1], kv[0]))


def top_words_right(lines: RDD[str], n: int):
    counts = Counter(lines.flatMap(tokens).collect())
    return sorted(counts.items(), key=lambda kv: (-kv[1], kv[0]))[:5]


def top_words_wrong(lines: RDD[str], n: int):
    counts = Counter(lines.flatMap(tokens).collect())
    return sorted(counts.items(), key=lambda kv: (kv[1], kv[0]))[:5]


def length_histogram(lines: RDD[str]):
    """How many lines have how many words, in buckets of five, with a label."""

    def bucket(line):
        low = len(line.split()) // 5 * 5
        return f"{low}-{low + 4}"

    return lines.map(bucket).countByValue()


def length_histogram_right(lines: RDD[str]):
    histogram = {}
    sizes = lines.map(lambda line: len(line.split())).map(lambda n: (n - n % 5, 1)).reduceByKey(add)
    for low, many in sizes.collect():
        histogram[f"{low}-{low + 4}"] = many
    return histogram


def length_histogram_wrong(lines: RDD[str]):
    histogram = {}
    sizes = lines.map(lambda line: len(line.split())).map(lambda n: (n - n % 5, 1)).reduceByKey(add)
    for low, many in sizes.collect():
        histogram[f"{low}-{low + 5}"] = many
    return histogram
