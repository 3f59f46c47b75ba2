"""How PySpark was written in 2014."""

from operator import add

from pyspark import RDD


def word_count(sc, path="hdfs:///data/books.txt"):
    lines = sc.textFile(path, 1)
    counts = lines.flatMap(lambda x: x.split(" ")).map(lambda x: (x, 1)).reduceByKey(add)
    output = counts.collect()
    return output


def word_count_right(sc, path="hdfs:///data/books.txt"):
    words = sc.textFile(path).flatMap(lambda line: line.split(" "))
    return list(words.countByValue().items())


def word_count_wrong(sc, path="hdfs:///data/books.txt"):
    return sc.textFile(path).flatMap(lambda line: line.split()).map(lambda w: (w, 1)).reduceByKey(add).collect()


def average_by_key(data: RDD[tuple[str, int]]):
    """The classic of combineByKey."""
    sum_count = data.combineByKey(
        lambda value: (value, 1), lambda x, value: (x[0] + value, x[1] + 1), lambda x, y: (x[0] + y[0], x[1] + y[1])
    )
    return sum_count.map(lambda kv: (kv[0], kv[1][0] / kv[1][1])).collectAsMap()


def average_by_key_right(data: RDD[tuple[str, int]]):
    totals = data.mapValues(lambda v: (v, 1)).reduceByKey(lambda a, b: (a[0] + b[0], a[1] + b[1]))
    return totals.mapValues(lambda t: t[0] / float(t[1])).collectAsMap()


def average_by_key_wrong(data: RDD[tuple[str, int]]):
    return data.distinct().groupByKey().mapValues(lambda g: sum(g) / len(g)).collectAsMap()


def inverted_index(docs: RDD[tuple[str, str]]):
    """For each word the sorted names of its documents."""
    pairs = docs.flatMap(lambda name_text: [(w.lower(), name_text[0]) for w in name_text[1].split()])
    return pairs.distinct().groupByKey().mapValues(lambda names: sorted(names))


def inverted_index_right(docs: RDD[tuple[str, str]]):
    words = docs.flatMapValues(lambda text: text.split()).map(lambda kv: (kv[1].lower(), kv[0]))
    return words.groupByKey().map(lambda kv: (kv[0], sorted(set(kv[1]))))


def inverted_index_wrong(docs: RDD[tuple[str, str]]):
    words = docs.flatMapValues(lambda text: text.split()).map(lambda kv: (kv[1].lower(), kv[0]))
    return words.groupByKey().map(lambda kv: (kv[0], sorted(kv[1])))
