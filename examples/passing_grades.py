"""A histogram of passing grades in deciles, and two ways in which somebody made it faster."""

from pyspark import RDD


def decile(record):
    student, grade = record
    return (grade // 10, student)


def count(total, student):
    return total + 1


def before(grades: RDD[tuple[int, int]]):
    histogram = grades.map(decile).foldByKey(0, count)
    return histogram.filter(lambda bucket: bucket[0] >= 6)


def after(grades: RDD[tuple[int, int]]):
    passing = grades.filter(lambda record: record[1] >= 60)
    return passing.map(decile).foldByKey(0, count)


def too_strict(grades: RDD[tuple[int, int]]):
    passing = grades.filter(lambda record: record[1] > 60)
    return passing.map(decile).foldByKey(0, count)
