"""Days, months and years."""

from datetime import date, timedelta

from pyspark import RDD

NEW_YEAR = date(2024, 1, 1)


def this_year(orders: RDD[tuple[date, int]]):
    """What was sold in 2024."""
    return orders.filter(lambda order: order[0] >= date(2024, 1, 1) and order[0] <= date(2024, 12, 31)).values().sum()


def this_year_right(orders: RDD[tuple[date, int]]):
    return orders.filter(lambda order: NEW_YEAR <= order[0] < date(2025, 1, 1)).map(lambda order: order[1]).sum()


def this_year_wrong(orders: RDD[tuple[date, int]]):
    return orders.filter(lambda order: NEW_YEAR < order[0] < date(2025, 1, 1)).map(lambda order: order[1]).sum()


def by_month(orders: RDD[tuple[date, int]]):
    return orders.map(lambda order: ((order[0].year, order[0].month), order[1])).reduceByKey(lambda a, b: a + b)


def by_month_right(orders: RDD[tuple[date, int]]):
    def month_of(day: date) -> tuple[int, int]:
        return day.year, day.month

    return (
        orders.keyBy(lambda order: month_of(order[0]))
        .mapValues(lambda order: order[1])
        .foldByKey(0, lambda a, b: a + b)
    )


def by_month_wrong(orders: RDD[tuple[date, int]]):
    return (
        orders.map(lambda order: (order[0].month, order[1]))
        .reduceByKey(lambda a, b: a + b)
        .map(lambda pair: ((2024, pair[0]), pair[1]))
    )


def late_deliveries(deliveries: RDD[tuple[str, date, date]]):
    """Deliveries of (id, ordered, delivered) that took more than seven days."""
    return deliveries.filter(lambda row: (row[2] - row[1]).days > 7).map(lambda row: row[0])


def late_deliveries_right(deliveries: RDD[tuple[str, date, date]]):
    return deliveries.filter(lambda row: row[2] > row[1] + timedelta(days=7)).map(lambda row: row[0])


def late_deliveries_wrong(deliveries: RDD[tuple[str, date, date]]):
    return deliveries.filter(lambda row: row[2] >= row[1] + timedelta(days=7)).map(lambda row: row[0])


def last_order(orders: RDD[tuple[str, date]]):
    return orders.reduceByKey(max)


def last_order_right(orders: RDD[tuple[str, date]]):
    return orders.groupByKey().mapValues(lambda days: max(days))


def last_order_wrong(orders: RDD[tuple[str, date]]):
    return orders.distinct()


def lapsed(orders: RDD[tuple[str, date]]):
    """Customers whose last order was before the new year."""
    return orders.reduceByKey(lambda a, b: max(a, b)).filter(lambda pair: pair[1] < NEW_YEAR).keys()


def lapsed_right(orders: RDD[tuple[str, date]]):
    recent = orders.mapValues(lambda day: day >= NEW_YEAR).reduceByKey(lambda a, b: a or b)
    return recent.filter(lambda pair: not pair[1]).keys()


def lapsed_wrong(orders: RDD[tuple[str, date]]):
    return orders.filter(lambda pair: pair[1] < NEW_YEAR).keys().distinct()


def parsed_years(lines: RDD[str]):
    """How many lines there are of each year, from dates as 2024-05-17."""
    return lines.map(lambda line: (int(line[:4]), 1)).reduceByKey(lambda a, b: a + b)


def parsed_years_right(lines: RDD[str]):
    return lines.map(lambda line: int(line[0:4])).map(lambda year: (year, 1)).foldByKey(0, lambda a, b: a + b)


def parsed_years_wrong(lines: RDD[str]):
    return lines.map(lambda line: (int(line[5:7]), 1)).reduceByKey(lambda a, b: a + b)
