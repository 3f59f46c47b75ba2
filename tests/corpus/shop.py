"""Orders of a shop with a configuration."""

from pyspark import RDD
from pyspark.sql import Row

CONFIG = {
    "vat": {"standard": 19, "reduced": 7},
    "excluded": ["test", "internal"],
    "min_total": 500,
}


def gross(net, rate):
    return net + net * rate // 100


def revenue(orders: RDD[tuple[str, str, int]]):
    """(customer, rate, net) in cents."""
    conf = CONFIG["vat"]
    ok = orders.filter(lambda o: o[0] not in CONFIG["excluded"])
    return ok.map(lambda o: gross(o[2], conf[o[1]] if o[1] in conf else conf["standard"])).sum()


def revenue_right(orders: RDD[tuple[str, str, int]]):
    def total(o):
        customer, rate, net = o
        if customer == "test" or customer == "internal":
            return 0
        return net + net * (7 if rate == "reduced" else 19) // 100

    return orders.map(total).sum()


def revenue_wrong(orders: RDD[tuple[str, str, int]]):
    ok = orders.filter(lambda o: o[0] != "test")
    return ok.map(lambda o: gross(o[2], CONFIG["vat"].get(o[1], 19))).sum()


def rows_of_orders(orders: RDD[tuple[int, str, int]]):
    rows = orders.map(lambda o: Row(id=o[0], customer=o[1], cents=o[2]))
    return (
        rows.filter(lambda r: r.cents >= CONFIG["min_total"])
        .map(lambda r: (r.customer, r["cents"]))
        .reduceByKey(lambda a, b: a + b)
    )


def rows_of_orders_right(orders: RDD[tuple[int, str, int]]):
    big = orders.filter(lambda o: o[2] > 499)
    return big.map(lambda o: (o[1], o[2])).foldByKey(0, lambda a, b: a + b)


def rows_of_orders_wrong(orders: RDD[tuple[int, str, int]]):
    totals = orders.map(lambda o: (o[1], o[2])).foldByKey(0, lambda a, b: a + b)
    return totals.filter(lambda kv: kv[1] >= 500)


def apply_all(value, functions):
    for function in functions:
        value = function(value)
    return value


def cleaned_names(names: RDD[str]):
    steps = [str.strip, str.lower, lambda s: s.replace("-", " ")]
    return names.map(lambda n: apply_all(n, steps)).distinct()


def cleaned_names_right(names: RDD[str]):
    return (
        names.map(lambda n: n.strip().lower().replace("-", " "))
        .map(lambda n: (n, 1))
        .reduceByKey(lambda a, b: a)
        .keys()
    )


def cleaned_names_wrong(names: RDD[str]):
    return names.map(lambda n: n.lower().replace("-", " ").strip()).distinct()
