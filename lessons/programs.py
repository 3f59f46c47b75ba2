"""The programs of the lessons. They are read by Tallystick, and can be run on Spark."""

from pyspark import RDD

# 1. Bags and locality


def doubled(r: RDD[int]) -> RDD[int]:
    return r.map(lambda x: 2 * x)


def parity(r: RDD[int]) -> RDD[int]:
    return r.map(lambda x: x % 2)


def doubled_small(r: RDD[int]) -> RDD[int]:
    return doubled(r).filter(lambda x: x < 100)


def small_doubled(r: RDD[int]) -> RDD[int]:
    return r.filter(lambda x: x < 50).map(lambda x: 2 * x)


def differences(r: RDD[int]) -> RDD[int]:
    return r.cartesian(r).map(lambda pair: pair[0] - pair[1])


def differences_reversed(r: RDD[int]) -> RDD[int]:
    return r.cartesian(r).map(lambda pair: pair[1] - pair[0])


def zeros(r: RDD[int]) -> RDD[int]:
    return r.cartesian(r).map(lambda pair: 0)


def ones_of_first(r0: RDD[int], r1: RDD[int]) -> RDD[int]:
    return r0.map(lambda x: 1)


def ones_of_second(r0: RDD[int], r1: RDD[int]) -> RDD[int]:
    return r1.map(lambda x: 1)


# 2. ⊥ and normalisation


def ones_of_large(r: RDD[int]) -> RDD[int]:
    return r.filter(lambda x: x >= 50).map(lambda x: 1)


def ones(r: RDD[int]) -> RDD[int]:
    return r.map(lambda x: 1)


# 3. Induction for folds


def count(total: int, x: int) -> int:
    return total + 1


def plus(total: int, x: int) -> int:
    return total + x


def counted(r: RDD[int]) -> int:
    return r.filter(lambda x: x > 0).fold(0, count)


def indicators_summed(r: RDD[int]) -> int:
    return r.map(lambda x: 1 if x > 0 else 0).fold(0, plus)


def sum_divides(r: RDD[int]) -> bool:
    return r.fold(0, plus) % 5 == 0


def tripled_sum_divides(r: RDD[int]) -> bool:
    return r.map(lambda x: 3 * x).fold(0, plus) % 5 == 0


def last(r: RDD[int]) -> int:
    return r.fold(0, lambda kept, x: x)


# 4. Theorem 3


def becomes_one(r: RDD[int]) -> int:
    return r.fold(0, lambda kept, x: 1)


def becomes_two(r: RDD[int]) -> int:
    return r.fold(0, lambda kept, x: 2)


def smaller(least: int, x: int) -> int:
    return x if x < least else least


def lowest_is_100(r: RDD[int]) -> bool:
    return r.fold(1000, smaller) == 100


def lowest_discounted_is_80(r: RDD[int]) -> bool:
    return r.map(lambda price: price - 20).fold(1000, smaller) == 80
