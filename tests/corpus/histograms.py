"""Counts and shares by classes of values."""

from enum import Enum

from pyspark import RDD


class Size(Enum):
    SMALL = 1
    MEDIUM = 2
    LARGE = 3


def age_groups(people: RDD[tuple[str, int]]):
    """How many people there are of each ten years."""
    return people.map(lambda person: (person[1] // 10 * 10, 1)).reduceByKey(lambda a, b: a + b)


def age_groups_right(people: RDD[tuple[str, int]]):
    return people.map(lambda person: (person[1] - person[1] % 10, person[0])).groupByKey().mapValues(len)


def age_groups_wrong(people: RDD[tuple[str, int]]):
    return people.map(lambda person: (person[1] // 10, 1)).reduceByKey(lambda a, b: a + b)


def label(score: int) -> str:
    if score < 50:
        return "fail"
    if score < 80:
        return "pass"
    return "good"


def grades(scores: RDD[int]):
    return scores.map(label).map(lambda grade: (grade, 1)).reduceByKey(lambda a, b: a + b)


def grades_right(scores: RDD[int]):
    def count_as(score):
        grade = "good" if score >= 80 else "pass" if score >= 50 else "fail"
        return grade, 1

    return scores.map(count_as).aggregateByKey(0, lambda a, b: a + b, lambda a, b: a + b)


def grades_wrong(scores: RDD[int]):
    def count_as(score):
        grade = "good" if score > 80 else "pass" if score > 50 else "fail"
        return grade, 1

    return scores.map(count_as).reduceByKey(lambda a, b: a + b)


def size_of(amount: int) -> Size:
    if amount < 10:
        return Size.SMALL
    return Size.MEDIUM if amount < 100 else Size.LARGE


def small_parcels(parcels: RDD[int]):
    return parcels.filter(lambda parcel: size_of(parcel) == Size.SMALL).count()


def small_parcels_right(parcels: RDD[int]):
    return parcels.filter(lambda parcel: parcel <= 9).count()


def small_parcels_wrong(parcels: RDD[int]):
    return parcels.filter(lambda parcel: size_of(parcel) is not Size.LARGE).count()


def mean_by_key(values: RDD[tuple[str, int]]):
    """The mean of each key, as a float."""
    sums = values.mapValues(lambda value: (value, 1)).reduceByKey(lambda a, b: (a[0] + b[0], a[1] + b[1]))
    return sums.mapValues(lambda pair: pair[0] / pair[1])


def mean_by_key_right(values: RDD[tuple[str, int]]):
    sums = values.aggregateByKey((0, 0), lambda a, v: (a[0] + v, a[1] + 1), lambda a, b: (a[0] + b[0], a[1] + b[1]))
    return sums.map(lambda row: (row[0], row[1][0] / row[1][1]))


def mean_by_key_wrong(values: RDD[tuple[str, int]]):
    sums = values.distinct().mapValues(lambda value: (value, 1)).reduceByKey(lambda a, b: (a[0] + b[0], a[1] + b[1]))
    return sums.mapValues(lambda pair: pair[0] / pair[1])


def share_of_large(orders: RDD[int]):
    """Large and all orders in one pass."""
    return orders.map(lambda amount: (1 if amount > 100 else 0, 1)).reduce(lambda a, b: (a[0] + b[0], a[1] + b[1]))


def share_of_large_right(orders: RDD[int]):
    def merge(a, b):
        large_a, all_a = a
        large_b, all_b = b
        return large_a + large_b, all_a + all_b

    return orders.map(lambda amount: (int(amount > 100), 1)).reduce(merge)


def share_of_large_wrong(orders: RDD[int]):
    return orders.map(lambda amount: (1 if amount >= 100 else 0, 1)).reduce(lambda a, b: (a[0] + b[0], a[1] + b[1]))


def hours(seconds: RDD[int]):
    return seconds.map(lambda second: second // 3600 % 24).countByValue()


def hours_right(seconds: RDD[int]):
    return seconds.map(lambda second: (second % 86400 // 3600, None)).countByKey()


def hours_wrong(seconds: RDD[int]):
    return seconds.map(lambda second: second // 3600).countByValue()


def most_extreme(values: RDD[int]):
    """Smallest and largest value."""
    return values.min(), values.max()


def most_extreme_right(values: RDD[int]):
    return values.map(lambda v: (v, v)).reduce(lambda a, b: (min(a[0], b[0]), max(a[1], b[1])))


def most_extreme_wrong(values: RDD[int]):
    return values.map(lambda v: (v, v)).reduce(lambda a, b: (min(a[0], b[0]), min(a[1], b[1])))


def mean_length(words: RDD[str]):
    return words.map(len).mean()


def mean_length_right(words: RDD[str]):
    return words.map(lambda word: len(word)).mean()


def mean_length_wrong(words: RDD[str]):
    return words.filter(lambda word: word != "").map(len).mean()
