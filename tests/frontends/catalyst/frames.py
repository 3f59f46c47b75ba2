"""Functions that make DataFrames of a shop's tables, and which of them return the same."""

from __future__ import annotations

from pyspark.sql import DataFrame, SparkSession, Window
from pyspark.sql import functions as f

SCHEMA = """
CREATE TABLE orders (id BIGINT PRIMARY KEY, customer BIGINT, channel STRING, amount INT, day DATE);
CREATE TABLE changes (id BIGINT PRIMARY KEY, customer BIGINT, channel STRING, amount INT, day DATE);
CREATE TABLE visits (id BIGINT PRIMARY KEY, tags ARRAY<STRING>, place STRUCT<city: STRING, zip: INT>,
    props MAP<STRING, STRING>, raw BINARY, code CHAR(3));
"""
CHOOSES = "both keep one row of several, and nothing fixes which: "
PAIRS: dict[tuple[str, str], tuple[str, str]] = {
    ("latest", "oldest"): ("unknown", f"{CHOOSES}dropDuplicates(customer)"),
    ("latest", "some"): ("unknown", f"{CHOOSES}dropDuplicates(customer)"),
    ("some", "some_selected"): ("equivalent", ""),
    ("some", "some_moved"): ("unknown", f"{CHOOSES}dropDuplicates(customer)"),
    ("some", "some_hinted"): ("unknown", f"{CHOOSES}dropDuplicates(customer)"),
    ("some", "some_within"): ("unknown", f"{CHOOSES}dropDuplicates(customer)"),
    ("some_within", "some_within_again"): ("equivalent", ""),
    ("new_first", "old_first"): ("unknown", f"{CHOOSES}dropDuplicates(id)"),
    ("by_key", "as_it_is"): ("equivalent", ""),
    ("first_amount", "first_amount_sorted"): ("unknown", f"{CHOOSES}first(amount)"),
    ("first_customer", "first_customer_sorted"): ("equivalent", ""),
    ("numbered_in_ties", "numbered_in_ties_sorted"): ("unknown", f"{CHOOSES}row_number() over a window"),
    ("numbered_by_key", "numbered_by_key_sorted"): ("equivalent", ""),
    ("unread_number", "as_it_is"): ("equivalent", ""),
    ("first_of_window", "first_of_window_descending"): ("inequivalent", ""),
    ("last_of_window", "first_of_window_descending"): ("equivalent", ""),
    ("ten", "ten_sorted"): ("unknown", f"{CHOOSES}limit(10)"),
    ("ten", "ten_selected"): ("equivalent", ""),
    ("ten_smallest_amounts", "ten_smallest_amounts_sorted"): ("equivalent", ""),
    ("number_of_ten", "number_of_ten_sorted"): ("equivalent", ""),
    ("channels", "channels_turned"): ("equivalent", ""),
    ("channels", "other_channels"): ("inequivalent", ""),
    ("kept_in_a_loop", "kept_by_a_list"): ("equivalent", ""),
    ("dated", "dated_by_constants"): ("equivalent", ""),
    ("counted_up", "counted_by_hand"): ("equivalent", ""),
    ("by_python", "as_it_is"): ("unknown", "may have is not known, so none are tried"),
    ("from_files", "from_other_files"): ("unknown", "may have is not known, so none are tried"),
    ("from_files", "from_files_again"): ("equivalent", ""),
    ("many_numbers", "many_numbers_filtered"): ("equivalent", ""),
    ("tagged", "tagged_again"): ("equivalent", ""),
    ("tagged", "untagged"): ("inequivalent", ""),
    ("all_of_visits", "all_of_visits_filtered"): ("unknown", ""),
    ("places", "places_by_cities"): ("unknown", ""),
    ("places", "places_again"): ("equivalent", ""),
    ("many_numbers", "other_numbers"): ("unknown", "may have is not known, so none are tried"),
}
"""Pairs of functions, the answer, and a part of a reason where it is unknown."""


def latest(orders: DataFrame) -> DataFrame:
    return orders.orderBy(f.desc("day")).dropDuplicates(["customer"])


def oldest(orders: DataFrame) -> DataFrame:
    return orders.orderBy("day").dropDuplicates(["customer"])


def some(orders: DataFrame) -> DataFrame:
    return orders.dropDuplicates(["customer"])


def some_selected(orders: DataFrame) -> DataFrame:
    renamed = orders.withColumn("twice", f.col("amount") * 2).where("customer > 0 OR TRUE")
    return renamed.select("id", "customer", "channel", "amount", "day").dropDuplicates(["customer"])


def some_moved(orders: DataFrame) -> DataFrame:
    return orders.repartition("channel").dropDuplicates(["customer"])


def some_hinted(orders: DataFrame) -> DataFrame:
    return orders.hint("rebalance").dropDuplicates(["customer"])


def some_within(orders: DataFrame) -> DataFrame:
    return orders.repartition(3, "customer").sortWithinPartitions("day").dropDuplicates(["customer"])


def some_within_again(orders: DataFrame) -> DataFrame:
    named = orders.withColumnRenamed("customer", "c").repartition(3, "c").sortWithinPartitions("day")
    return named.withColumnRenamed("c", "customer").dropDuplicates(["customer"])


def new_first(orders: DataFrame, changes: DataFrame) -> DataFrame:
    return changes.union(orders).dropDuplicates(["id"])


def old_first(orders: DataFrame, changes: DataFrame) -> DataFrame:
    return orders.union(changes).dropDuplicates(["id"])


def by_key(orders: DataFrame) -> DataFrame:
    return orders.orderBy("day").dropDuplicates(["id"])


def as_it_is(orders: DataFrame) -> DataFrame:
    return orders


def first_amount(orders: DataFrame) -> DataFrame:
    return orders.groupBy("customer").agg(f.first("amount").alias("x"))


def first_amount_sorted(orders: DataFrame) -> DataFrame:
    return orders.orderBy("id").groupBy("customer").agg(f.first("amount").alias("x"))


def first_customer(orders: DataFrame) -> DataFrame:
    return orders.groupBy("id").agg(f.first("customer").alias("x"))


def first_customer_sorted(orders: DataFrame) -> DataFrame:
    return orders.orderBy("day").groupBy("id").agg(f.first("customer").alias("x"))


def numbered_in_ties(orders: DataFrame) -> DataFrame:
    window = Window.partitionBy("customer").orderBy("day")
    return orders.withColumn("n", f.row_number().over(window)).where("n = 1").drop("n")


def numbered_in_ties_sorted(orders: DataFrame) -> DataFrame:
    return numbered_in_ties(orders.orderBy("amount"))


def numbered_by_key(orders: DataFrame) -> DataFrame:
    window = Window.partitionBy("customer").orderBy("day", "id")
    return orders.withColumn("n", f.row_number().over(window)).where("n = 1").drop("n")


def numbered_by_key_sorted(orders: DataFrame) -> DataFrame:
    return numbered_by_key(orders.orderBy("amount"))


def unread_number(orders: DataFrame) -> DataFrame:
    return orders.orderBy("amount").withColumn("n", f.row_number().over(Window.orderBy("day"))).drop("n")


def first_of_window(orders: DataFrame) -> DataFrame:
    whole = Window.partitionBy("customer").orderBy("id").rowsBetween(Window.unboundedPreceding, 0)
    return orders.select("id", f.first("amount").over(whole).alias("x"))


def first_of_window_descending(orders: DataFrame) -> DataFrame:
    whole = Window.partitionBy("customer").orderBy(f.desc("id")).rowsBetween(Window.unboundedPreceding, 0)
    return orders.select("id", f.first("amount").over(whole).alias("x"))


def last_of_window(orders: DataFrame) -> DataFrame:
    whole = Window.partitionBy("customer").orderBy("id").rowsBetween(0, Window.unboundedFollowing)
    return orders.select("id", f.last("amount").over(whole).alias("x"))


def ten(orders: DataFrame) -> DataFrame:
    return orders.limit(10)


def ten_sorted(orders: DataFrame) -> DataFrame:
    return orders.orderBy("day").coalesce(1).limit(10)


def ten_selected(orders: DataFrame) -> DataFrame:
    return orders.select("*", (f.col("amount") + 1).alias("more")).drop("more").limit(10)


def ten_smallest_amounts(orders: DataFrame) -> DataFrame:
    return orders.orderBy("amount").limit(10).select("amount")


def ten_smallest_amounts_sorted(orders: DataFrame) -> DataFrame:
    return orders.orderBy("day").orderBy("amount").limit(10).select("amount")


def number_of_ten(orders: DataFrame) -> DataFrame:
    return orders.limit(10).groupBy().count()


def number_of_ten_sorted(orders: DataFrame) -> DataFrame:
    return orders.orderBy("day").limit(10).groupBy().count()


def channels(spark: SparkSession, orders: DataFrame) -> DataFrame:
    known = spark.createDataFrame([("web", 1), ("app", 0)], ["channel", "online"])
    return orders.join(known, "channel").select("id", "online")


def channels_turned(spark: SparkSession, orders: DataFrame) -> DataFrame:
    known = spark.createDataFrame([("app", 0), ("web", 1)], ["channel", "online"])
    return orders.join(known, "channel").select("id", "online")


def other_channels(spark: SparkSession, orders: DataFrame) -> DataFrame:
    known = spark.createDataFrame([("app", 1), ("web", 1)], ["channel", "online"])
    return orders.join(known, "channel").select("id", "online")


def kept_in_a_loop(spark: SparkSession, orders: DataFrame) -> DataFrame:
    kept = spark.createDataFrame([], orders.schema)
    for channel in ("web", "app"):
        kept = kept.union(orders.where(f.col("channel") == channel))
    return kept


def kept_by_a_list(orders: DataFrame) -> DataFrame:
    return orders.where(f.col("channel").isin("web", "app"))


def dated(spark: SparkSession, orders: DataFrame) -> DataFrame:
    from datetime import date

    days = spark.createDataFrame([(date(2024, 2, 29), True)], "day DATE, leap BOOLEAN")
    return orders.join(days, "day").select("id", "day", "leap")


def dated_by_constants(orders: DataFrame) -> DataFrame:
    there = orders.where(f.col("day") == f.lit("2024-02-29").cast("date"))
    return there.select("id", "day", f.lit(True).alias("leap"))


def counted_up(spark: SparkSession) -> DataFrame:
    return spark.range(3).where("id <> 1")


def counted_by_hand(spark: SparkSession) -> DataFrame:
    return spark.createDataFrame([(2,), (0,)], "id BIGINT")


def by_python(orders: DataFrame) -> DataFrame:
    return orders.rdd.map(lambda row: row).toDF(orders.schema)


def from_files(spark: SparkSession) -> DataFrame:
    return spark.read.schema("id STRING").text("/etc/passwd")


def from_other_files(spark: SparkSession) -> DataFrame:
    return spark.read.schema("id STRING").text("/etc/group")


def from_files_again(spark: SparkSession) -> DataFrame:
    return spark.read.schema("id STRING").text("/etc/passwd").where("TRUE")


def many_numbers(spark: SparkSession) -> DataFrame:
    return spark.range(10, 100_000)


def many_numbers_filtered(spark: SparkSession) -> DataFrame:
    return spark.range(10, 100_000).where("id IS NOT NULL")


def other_numbers(spark: SparkSession) -> DataFrame:
    return spark.range(11, 100_000)


def tagged(visits: DataFrame) -> DataFrame:
    return visits.where("tags IS NOT NULL").select("id", "tags", "props", "raw")


def tagged_again(visits: DataFrame) -> DataFrame:
    both = visits.select("id", "tags", "props", "raw", f.coalesce("tags", "tags").alias("t"))
    return both.where(f.col("t").isNotNull() & f.col("t").eqNullSafe(f.col("tags"))).drop("t")


def untagged(visits: DataFrame) -> DataFrame:
    return visits.select("id", "tags", "props", "raw")


def all_of_visits(visits: DataFrame) -> DataFrame:
    return visits.select("id", "tags")


def all_of_visits_filtered(visits: DataFrame) -> DataFrame:
    other = visits.select(f.col("id").alias("i"), f.col("tags").alias("t"))
    return visits.join(other, f.col("t") != f.col("tags"), "left_anti").select("id", "tags")


def places(visits: DataFrame) -> DataFrame:
    return visits.where("place.city = 'Oslo'").select("id", "place", "place.zip")


def places_again(visits: DataFrame) -> DataFrame:
    return visits.select("id", "place", "place.zip", "place.city").where("city = 'Oslo'").drop("city")


def places_by_cities(visits: DataFrame) -> DataFrame:
    return visits.where("place.city = 'Rome'").select("id", "place", "place.zip")


def sorted_by_tags(visits: DataFrame) -> DataFrame:
    return visits.orderBy("tags")


def codes(visits: DataFrame) -> DataFrame:
    return visits.select("code")


def customers_of_codes(visits: DataFrame) -> DataFrame:
    return visits.groupBy("code").count().select("count")


def largest_tags(visits: DataFrame) -> DataFrame:
    return visits.groupBy("id").agg(f.max("tags"))


REFUSED = {
    "sorted_by_tags": "an order by a value of type array<string> is not understood",
    "customers_of_codes": "the type char of the column code is not understood",
    "codes": "the type char of the column code is not understood",
    "largest_tags": "Max of a array<string> is not understood",
}
"""Functions that are refused, and a part of the message."""
