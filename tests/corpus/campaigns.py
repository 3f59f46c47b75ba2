"""Ad impressions, clicks and campaigns."""

from operator import add

from pyspark import RDD, SparkContext

Impression = tuple[int, int, str]  # ad, campaign, site
Click = tuple[int, float]


def clicks_by_campaign(impressions: "RDD[tuple[int, int]]", clicks: "RDD[tuple[int, int]]") -> "RDD[tuple[int, int]]":
    """Impressions are (ad, campaign), clicks are (ad, n)."""
    joined = clicks.join(impressions)
    return joined.map(lambda x: (x[1][1], x[1][0])).reduceByKey(add)


def clicks_by_campaign_right(impressions: "RDD[tuple[int, int]]", clicks: "RDD[tuple[int, int]]"):
    summed = clicks.reduceByKey(add)
    return impressions.join(summed).map(lambda x: x[1]).reduceByKey(add)


def clicks_by_campaign_wrong(impressions: "RDD[tuple[int, int]]", clicks: "RDD[tuple[int, int]]"):
    summed = clicks.reduceByKey(max)
    return impressions.join(summed).map(lambda x: x[1]).reduceByKey(add)


def click_rates(shown: RDD[tuple[str, int]], clicked: RDD[tuple[str, int]]) -> RDD[tuple[str, int]]:
    """Per mille of impressions that were clicked."""
    s = shown.reduceByKey(add)
    c = clicked.reduceByKey(add)

    def rate(pair: tuple[int, int | None]) -> int:
        n, k = pair
        return 0 if n == 0 else (k or 0) * 1000 // n

    return s.leftOuterJoin(c).mapValues(rate)


def click_rates_right(shown: RDD[tuple[str, int]], clicked: RDD[tuple[str, int]]) -> RDD[tuple[str, int]]:
    def rate(pair):
        n, k = pair
        if k is None:
            k = 0
        if n == 0:
            return 0
        return k * 1000 // n

    return shown.reduceByKey(add).leftOuterJoin(clicked.reduceByKey(add)).mapValues(rate)


def click_rates_wrong(shown: RDD[tuple[str, int]], clicked: RDD[tuple[str, int]]) -> RDD[tuple[str, int]]:
    def rate(pair):
        n, k = pair
        return k * 1000 // n if n != 0 else 0

    return shown.reduceByKey(add).join(clicked.reduceByKey(add)).mapValues(rate)


def spend(sc: SparkContext, events: RDD[tuple[str, str]]):
    """Money spent, by prices per kind of event that are broadcast."""
    prices = sc.broadcast({"view": 1, "click": 20, "buy": 150})
    return events.map(lambda e: (e[0], prices.value.get(e[1], 0))).reduceByKey(lambda a, b: a + b)


def spend_right(sc: SparkContext, events: RDD[tuple[str, str]]):
    def price(kind):
        if kind == "view":
            return 1
        if kind == "click":
            return 20
        if kind == "buy":
            return 150
        return 0

    return events.mapValues(price).groupByKey().mapValues(sum)


def spend_wrong(sc: SparkContext, events: RDD[tuple[str, str]]):
    prices = sc.broadcast({"view": 1, "click": 20, "buy": 150})
    known = events.filter(lambda e: e[1] in prices.value)
    return known.map(lambda e: (e[0], prices.value[e[1]])).reduceByKey(lambda a, b: a + b)


def frequency_cap(views: RDD[tuple[str, str]], cap: int = 3):
    """Views of (user, ad), counted up to a cap."""
    return (
        views.map(lambda v: (v, 1))
        .reduceByKey(add)
        .mapValues(lambda n: min(n, cap))
        .map(lambda x: (x[0][1], x[1]))
        .reduceByKey(add)
    )


def frequency_cap_right(views: RDD[tuple[str, str]], cap: int = 3):
    counted = views.groupBy(lambda v: v).map(lambda kv: (kv[0][1], len(kv[1])))
    return counted.map(lambda kv: (kv[0], kv[1] if kv[1] < cap else cap)).reduceByKey(add)


def frequency_cap_wrong(views: RDD[tuple[str, str]], cap: int = 3):
    counted = views.map(lambda v: (v[1], 1)).reduceByKey(add)
    return counted.map(lambda kv: (kv[0], kv[1] if kv[1] < cap else cap))
