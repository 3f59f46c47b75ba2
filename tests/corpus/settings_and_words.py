"""Texts and logs."""

from __future__ import annotations

import re
import string
from operator import add

from pyspark import RDD

STOP_WORDS = {"the", "a", "an", "and", "of"}
TOKEN = re.compile(r"\w+")


def clean(word: str) -> str:
    return word.strip(string.punctuation).lower()


def frequent_words(lines: RDD[str]):
    words = lines.flatMap(str.split).map(clean).filter(lambda w: w and w not in STOP_WORDS)
    return words.map(lambda w: (w, 1)).reduceByKey(add).filter(lambda kv: kv[1] > 1)


def frequent_words_right(lines: RDD[str]):
    def useful(word):
        if not word:
            return False
        return word not in STOP_WORDS

    counts = (
        lines.flatMap(lambda line: [clean(w) for w in line.split()])
        .filter(useful)
        .map(lambda w: (w, 1))
        .reduceByKey(lambda a, b: a + b)
    )
    return counts.filter(lambda kv: not kv[1] <= 1)


def frequent_words_wrong(lines: RDD[str]):
    words = lines.flatMap(str.split).filter(lambda w: w and w not in STOP_WORDS).map(clean)
    return words.map(lambda w: (w, 1)).reduceByKey(add).filter(lambda kv: kv[1] > 1)


def longest_line(lines: RDD[str]):
    return lines.map(len).max()


def longest_line_right(lines: RDD[str]):
    return lines.map(lambda l: len(l)).reduce(lambda a, b: a if a > b else b)


def longest_line_wrong(lines: RDD[str]):
    return lines.map(lambda l: len(l.strip())).reduce(lambda a, b: a if a > b else b)


def levels(lines: RDD[str]):
    """How many lines of each level."""

    def level(line):
        m = re.search(r"\b(DEBUG|INFO|WARN|ERROR)\b", line)
        return m.group(1) if m else "UNKNOWN"

    return lines.map(level).countByValue()


def levels_right(lines: RDD[str]):
    pattern = re.compile(r"\b(DEBUG|INFO|WARN|ERROR)\b")

    def level(line):
        m = pattern.search(line)
        if m is None:
            return "UNKNOWN"
        return m.group(1)

    return lines.map(lambda l: (level(l), 1)).reduceByKey(add).collectAsMap()


def levels_wrong(lines: RDD[str]):
    pattern = re.compile(r"\b(DEBUG|INFO|WARN|ERROR)\b")

    def level(line):
        m = pattern.match(line)
        if m is None:
            return "UNKNOWN"
        return m.group(1)

    return lines.map(lambda l: (level(l), 1)).reduceByKey(add).collectAsMap()


def document_frequency(docs: RDD[tuple[int, str]]):
    """In how many documents each word occurs."""
    return (
        docs.flatMap(lambda d: [(w, d[0]) for w in set(d[1].split())])
        .distinct()
        .map(lambda p: (p[0], 1))
        .reduceByKey(add)
    )


def document_frequency_right(docs: RDD[tuple[int, str]]):
    return (
        docs.flatMapValues(lambda t: t.split())
        .map(lambda kv: (kv[1], kv[0]))
        .groupByKey()
        .mapValues(lambda ids: len(set(ids)))
    )


def document_frequency_wrong(docs: RDD[tuple[int, str]]):
    return docs.flatMapValues(lambda t: t.split()).map(lambda kv: (kv[1], kv[0])).groupByKey().mapValues(len)
