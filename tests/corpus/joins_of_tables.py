"""Tables joined by keys."""

from operator import add

from pyspark import RDD


def revenue_by_city(orders: RDD[tuple[int, int]], customers: RDD[tuple[int, str]]):
    """Orders of (customer, amount), customers of (id, city)."""
    return orders.join(customers).map(lambda row: (row[1][1], row[1][0])).reduceByKey(add)


def revenue_by_city_right(orders: RDD[tuple[int, int]], customers: RDD[tuple[int, str]]):
    joined = customers.join(orders).values()
    return joined.map(lambda pair: (pair[0], pair[1])).foldByKey(0, add)


def revenue_by_city_wrong(orders: RDD[tuple[int, int]], customers: RDD[tuple[int, str]]):
    return orders.join(customers).map(lambda row: (row[1][1], 1)).reduceByKey(add)


def aggregated_before_join(orders: RDD[tuple[int, int]], customers: RDD[tuple[int, str]]):
    """What each customer paid, by name."""
    return orders.join(customers).map(lambda row: ((row[0], row[1][1]), row[1][0])).reduceByKey(add)


def aggregated_before_join_right(orders: RDD[tuple[int, int]], customers: RDD[tuple[int, str]]):
    totals = orders.reduceByKey(add).join(customers)
    return totals.map(lambda row: ((row[0], row[1][1]), row[1][0])).reduceByKey(add)


def aggregated_before_join_wrong(orders: RDD[tuple[int, int]], customers: RDD[tuple[int, str]]):
    totals = orders.reduceByKey(add).join(customers)
    return totals.map(lambda row: ((row[0], row[1][1]), row[1][0]))


def orders_of_adults(orders: RDD[tuple[int, int]], ages: RDD[tuple[int, int]]):
    adults = ages.filter(lambda pair: pair[1] >= 18)
    return orders.join(adults).mapValues(lambda both: both[0])


def orders_of_adults_right(orders: RDD[tuple[int, int]], ages: RDD[tuple[int, int]]):
    joined = orders.join(ages).filter(lambda row: row[1][1] >= 18)
    return joined.map(lambda row: (row[0], row[1][0]))


def orders_of_adults_wrong(orders: RDD[tuple[int, int]], ages: RDD[tuple[int, int]]):
    joined = orders.join(ages).filter(lambda row: row[1][1] > 18)
    return joined.map(lambda row: (row[0], row[1][0]))


def with_default_segment(customers: RDD[tuple[str, int]], segments: RDD[tuple[str, str]]):
    """Each customer's segment, which may be unknown."""
    named = segments.reduceByKey(max)
    totals = customers.reduceByKey(add)
    return totals.leftOuterJoin(named).mapValues(lambda pair: (pair[0], pair[1] if pair[1] is not None else "unknown"))


def with_default_segment_right(customers: RDD[tuple[str, int]], segments: RDD[tuple[str, str]]):
    def with_default(pair: tuple[int, str | None]) -> tuple[int, str]:
        amount, segment = pair
        if segment is None:
            return amount, "unknown"
        return amount, segment

    totals = customers.reduceByKey(lambda a, b: a + b)
    return totals.leftOuterJoin(segments.reduceByKey(lambda a, b: b if a < b else a)).mapValues(with_default)


def with_default_segment_wrong(customers: RDD[tuple[str, int]], segments: RDD[tuple[str, str]]):
    named = segments.reduceByKey(max)
    totals = customers.reduceByKey(add)
    return totals.leftOuterJoin(named).mapValues(lambda pair: (pair[0], pair[1] or "unknown"))


def never_ordered(customers: RDD[tuple[int, str]], orders: RDD[tuple[int, int]]):
    """Customers without orders."""
    return customers.subtractByKey(orders)


def never_ordered_right(customers: RDD[tuple[int, str]], orders: RDD[tuple[int, int]]):
    counts = orders.mapValues(lambda amount: 1)
    return customers.subtractByKey(counts)


def never_ordered_wrong(customers: RDD[tuple[int, str]], orders: RDD[tuple[int, int]]):
    return customers.subtractByKey(orders.filter(lambda order: order[1] > 0))


def with_country(visits: RDD[tuple[str, int]], countries: RDD[tuple[str, str]]):
    """All pairs of a visit and a country of its code, with the name in capitals."""
    joined = visits.join(countries)
    return joined.map(lambda row: (row[1][1].upper(), row[1][0]))


def with_country_right(visits: RDD[tuple[str, int]], countries: RDD[tuple[str, str]]):
    capitals = countries.mapValues(lambda name: name.upper())
    return capitals.join(visits).values()


def with_country_wrong(visits: RDD[tuple[str, int]], countries: RDD[tuple[str, str]]):
    capitals = countries.mapValues(lambda name: name.upper()).distinct()
    return capitals.join(visits).values()


def bought_both(first: RDD[tuple[str, int]], second: RDD[tuple[str, int]]):
    """Customers of both shops, each once."""
    return first.keys().intersection(second.keys())


def bought_both_right(first: RDD[tuple[str, int]], second: RDD[tuple[str, int]]):
    return first.join(second).keys().distinct()


def bought_both_wrong(first: RDD[tuple[str, int]], second: RDD[tuple[str, int]]):
    return first.join(second).keys()


def stock_after(stock: RDD[tuple[str, int]], sold: RDD[tuple[str, int]]):
    """What is left of each product."""
    changes = stock.union(sold.mapValues(lambda amount: -amount))
    return changes.reduceByKey(add).filter(lambda pair: pair[1] != 0)


def stock_after_right(stock: RDD[tuple[str, int]], sold: RDD[tuple[str, int]]):
    both = stock.cogroup(sold).mapValues(lambda groups: sum(groups[0]) - sum(groups[1]))
    return both.filter(lambda pair: pair[1] != 0)


def stock_after_wrong(stock: RDD[tuple[str, int]], sold: RDD[tuple[str, int]]):
    both = stock.cogroup(sold).mapValues(lambda groups: sum(groups[0]) - sum(groups[1]))
    return both.filter(lambda pair: pair[1] > 0)
