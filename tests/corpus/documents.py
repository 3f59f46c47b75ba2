"""Word counts, inverted index and term statistics over plain text."""

from __future__ import annotations

from operator import add
from typing import NamedTuple

from pyspark import RDD

STOP_WORDS = {"a", "the", "of", "and"}
MIN_LENGTH = 3


class Doc(NamedTuple):
    doc_id: int
    title: str
    body: str


def tokenize(text: str) -> list[str]:
    return [w for w in text.lower().split() if w not in STOP_WORDS]


def word_counts(lines: RDD[str]):
    """Classic word count without stop words."""
    return (
        lines.flatMap(lambda line: line.split())
        .map(lambda w: w.lower())
        .filter(lambda w: w not in STOP_WORDS)
        .map(lambda w: (w, 1))
        .reduceByKey(add)
    )


def word_counts_right(lines: RDD[str]):
    return lines.flatMap(tokenize).groupBy(lambda w: w).mapValues(len)


def word_counts_wrong(lines: RDD[str]):
    words = lines.flatMap(lambda line: line.split()).filter(lambda w: w not in STOP_WORDS)
    return words.map(lambda w: (w.lower(), 1)).reduceByKey(add)


def long_words(lines: RDD[str]) -> list[str]:
    """Distinct long words in alphabetical order."""
    words = lines.flatMap(lambda l: l.split()).filter(lambda w: len(w) >= MIN_LENGTH)
    return words.distinct().sortBy(lambda w: w).collect()


def long_words_right(lines: RDD[str]) -> list[str]:
    def pick(line):
        for word in line.split():
            if len(word) > MIN_LENGTH - 1:
                yield word

    return sorted(set(lines.flatMap(pick).collect()))


def long_words_wrong(lines: RDD[str]) -> list[str]:
    def pick(line):
        for word in line.split():
            if len(word) > MIN_LENGTH:
                yield word

    return sorted(set(lines.flatMap(pick).collect()))


def inverted_index(docs: RDD[Doc]):
    """word -> sorted ids of the documents which contain it."""
    pairs = docs.flatMap(lambda d: [(w, d.doc_id) for w in tokenize(d.body)])
    return pairs.distinct().groupByKey().mapValues(sorted)


def inverted_index_right(docs: RDD[Doc]):
    def postings(doc: Doc):
        for w in set(tokenize(doc.body)):
            yield w, {doc.doc_id}

    return docs.flatMap(postings).reduceByKey(lambda a, b: a | b).mapValues(lambda ids: sorted(ids))


def inverted_index_wrong(docs: RDD[Doc]):
    def postings(doc: Doc):
        for w in set(tokenize(doc.body)):
            yield w, [doc.doc_id]

    return docs.flatMap(postings).reduceByKey(lambda a, b: a + b).mapValues(lambda ids: sorted(ids))


def document_frequency(docs: RDD[Doc]):
    """In how many documents does each word occur?"""
    words = docs.flatMap(lambda d: [(w, d.doc_id) for w in d.body.split()])
    return words.distinct().map(lambda p: (p[0], 1)).reduceByKey(add)


def document_frequency_right(docs: RDD[Doc]):
    words = docs.flatMap(lambda d: [(w, d.doc_id) for w in d.body.split()])
    return words.aggregateByKey(set(), lambda s, i: s | {i}, lambda s, t: s | t).mapValues(len)


def document_frequency_wrong(docs: RDD[Doc]):
    words = docs.flatMap(lambda d: [(w, d.doc_id) for w in d.body.split()])
    return words.map(lambda p: (p[0], 1)).reduceByKey(add)


def longest_title(docs: RDD[Doc]):
    """The longest title per first word of the body; alphabetical on ties."""
    keyed = docs.filter(lambda d: d.body.strip() != "").map(lambda d: (d.body.split()[0], d.title))
    return keyed.groupByKey().mapValues(lambda ts: min(ts, key=lambda t: (-len(t), t)))


def longest_title_right(docs: RDD[Doc]):
    def better(a, b):
        if len(a) != len(b):
            return a if len(a) > len(b) else b
        return a if a <= b else b

    keyed = docs.map(lambda d: (d.body.split(), d.title)).filter(lambda p: len(p[0]) > 0)
    return keyed.map(lambda p: (p[0][0], p[1])).reduceByKey(better)


def longest_title_wrong(docs: RDD[Doc]):
    def better(a, b):
        if len(a) != len(b):
            return a if len(a) > len(b) else b
        return a if a >= b else b

    keyed = docs.map(lambda d: (d.body.split(), d.title)).filter(lambda p: len(p[0]) > 0)
    return keyed.map(lambda p: (p[0][0], p[1])).reduceByKey(better)


def top_words(lines: RDD[str], n: int) -> list[tuple[str, int]]:
    counts = lines.flatMap(lambda l: l.split()).map(lambda w: (w, 1)).reduceByKey(add)
    return counts.sortBy(lambda kv: (-kv[1], kv[0])).take(n)


def top_words_right(lines: RDD[str], n: int) -> list[tuple[str, int]]:
    counts = lines.flatMap(lambda l: l.split()).map(lambda w: (w, 1)).foldByKey(0, add)
    return counts.takeOrdered(n, key=lambda kv: (-kv[1], kv[0]))


def top_words_wrong(lines: RDD[str], n: int) -> list[tuple[str, int]]:
    counts = lines.flatMap(lambda l: l.split()).map(lambda w: (w, 1)).foldByKey(0, add)
    return counts.top(n, key=lambda kv: (kv[1], kv[0]))
