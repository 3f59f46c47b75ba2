"""A histogram of passing grades in deciles, and two ways in which somebody made it faster."""

from pyspark import RDD


def decile(record):
    return (record[1] // 10, 1)


def add(total, number):
    return total + number


def before(grades: RDD[tuple[int, int]]):
    histogram = grades.map(decile).reduceByKey(add)
    return histogram.filter(lambda bucket: bucket[0] >= 6)


def after(grades: RDD[tuple[int, int]]):
    passing = grades.filter(lambda record: record[1] >= 60)
    return passing.map(decile).reduceByKey(add)


def too_strict(grades: RDD[tuple[int, int]]):
    passing = grades.filter(lambda record: record[1] > 60)
    return passing.map(decile).reduceByKey(add)
