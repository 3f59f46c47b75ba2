# marks of pupils, 2013 style
from operator import add, itemgetter

from pyspark import RDD


def grade(points):
    if points >= 90:
        return "A"
    if points >= 75:
        return "B"
    if points >= 50:
        return "C"
    return "F"


def grades(sc, path="marks.csv"):
    rows = sc.textFile(path).map(lambda l: l.split(";"))
    marks = rows.filter(lambda r: len(r) == 3).map(lambda r: (r[0], int(r[2])))
    return marks.mapValues(grade).map(lambda x: (x[1], 1)).reduceByKey(add).collectAsMap()


def grades_right(sc, path="marks.csv"):
    def parse(line):
        parts = line.split(";")
        if len(parts) != 3:
            return []
        return [grade(int(parts[2]))]

    return sc.textFile(path).flatMap(parse).countByValue()


def grades_wrong(sc, path="marks.csv"):
    def parse(line):
        parts = line.split(";")
        if len(parts) != 3:
            return []
        return [(parts[0], grade(int(parts[2])))]

    return sc.textFile(path).flatMap(parse).distinct().values().countByValue()


def failed(sc, marks: "RDD[tuple[str, str, int]]"):
    """pupils that failed in at least two subjects"""
    bad = marks.filter(lambda m: m[2] < 50).map(itemgetter(0, 1)).distinct()
    n = bad.map(lambda x: (x[0], 1)).reduceByKey(add)
    return n.filter(lambda x: x[1] >= 2).map(itemgetter(0))


def failed_right(sc, marks: "RDD[tuple[str, str, int]]"):
    grouped = marks.filter(lambda m: not m[2] >= 50).map(lambda m: (m[0], m[1])).groupByKey()
    return grouped.filter(lambda kv: len(set(kv[1])) > 1).keys()


def failed_wrong(sc, marks: "RDD[tuple[str, str, int]]"):
    grouped = marks.filter(lambda m: not m[2] >= 50).map(lambda m: (m[0], m[1])).groupByKey()
    return grouped.filter(lambda kv: len(list(kv[1])) > 1).keys()


def improved(first: "RDD[tuple[str, int]]", second: "RDD[tuple[str, int]]"):
    both = first.reduceByKey(max).join(second.reduceByKey(max))
    better = both.filter(lambda x: x[1][1] > x[1][0])
    return {"better": better.count(), "all": both.count()}


def improved_right(first: "RDD[tuple[str, int]]", second: "RDD[tuple[str, int]]"):
    both = second.reduceByKey(max).join(first.reduceByKey(max)).mapValues(lambda p: p[0] - p[1])
    return dict(all=both.count(), better=both.filter(lambda x: x[1] > 0).count())


def improved_wrong(first: "RDD[tuple[str, int]]", second: "RDD[tuple[str, int]]"):
    both = second.join(first).mapValues(lambda p: p[0] - p[1])
    return dict(all=both.count(), better=both.filter(lambda x: x[1] > 0).count())
