"""Folds that Spark computes right however the orders are partitioned, and some that it does not.

tallystick lint examples/revenue.py:report
tallystick lint --replay spark examples/revenue.py
"""

from pyspark import RDD


def add(total, amount):
    return total + amount


def count(total, amount):
    return total + 1


def larger(best, amount):
    return amount if amount > best else best


def report(orders: RDD[tuple[int, int]]):
    """Three safe folds: with 0 for a zero, the largest amount is right since no result is below 0."""
    amounts = orders.values()
    return (amounts.fold(0, add), amounts.fold(0, larger), amounts.map(lambda amount: 1).fold(0, add))


def number_of_orders(orders: RDD[tuple[int, int]]):
    """Counts partitions, not orders: Spark also merges the counts of partitions by `count`, which adds 1 for each."""
    return orders.values().fold(0, count)


def with_fee(orders: RDD[tuple[int, int]]):
    """Adds the fee of 5 once for each partition, and once more."""
    return orders.values().fold(5, add)


def orders_per_customer(orders: RDD[tuple[int, int]]):
    """Right as long as all orders of a customer are in one partition."""
    return orders.foldByKey(0, count)
