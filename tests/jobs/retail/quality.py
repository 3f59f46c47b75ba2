"""Checks of data."""

from __future__ import annotations

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from .common import columns
from .common.job import get_logger

log = get_logger(__name__)


# how many values are missing, of each column


def missing(customers: DataFrame) -> DataFrame:
    checked = [c for c in customers.columns if c != "customer_id"]
    return customers.agg(*[F.sum(F.col(c).isNull().cast("int")).alias(c) for c in checked])


def missing_right(customers: DataFrame) -> DataFrame:
    checked = customers.columns[1:]
    counts = customers.agg(F.count("*").alias("all"), *[F.count(c).alias(c) for c in checked])
    return counts.select(*[F.when(F.col("all") > 0, F.col("all") - F.col(c)).alias(c) for c in checked])


def missing_wrong(customers: DataFrame) -> DataFrame:
    checked = customers.columns[1:]
    return customers.agg(*[F.count(F.when(F.col(c).isNull(), c)).alias(c) for c in checked])


# rows that refer to nothing


def orphans(orders: DataFrame, payments: DataFrame, events: DataFrame, customers: DataFrame) -> dict[str, DataFrame]:
    found = {
        "payments": payments.join(orders, "order_id", "left_anti").select("payment_id"),
        "events": events.join(customers, "customer_id", "left_anti").select("event_id"),
    }
    for name, frame in found.items():
        if not frame.isEmpty():
            log.warning("orphans in %s", name)
    return found


def orphans_right(
    orders: DataFrame, payments: DataFrame, events: DataFrame, customers: DataFrame
) -> dict[str, DataFrame]:
    known = orders.select("order_id", F.lit(True).alias("known"))
    left = payments.join(known, "order_id", "left").where("known IS NULL").select("payment_id")
    matched = events.join(customers, "customer_id", "left_semi").select("event_id")
    return {"payments": left, "events": events.select("event_id").subtract(matched)}


def orphans_wrong(
    orders: DataFrame, payments: DataFrame, events: DataFrame, customers: DataFrame
) -> dict[str, DataFrame]:
    anti = payments.join(orders, "order_id", "left_anti").select("payment_id")
    known = events.filter(F.col("customer_id").isNotNull())
    return {"payments": anti, "events": known.join(customers, "customer_id", "left_anti").select("event_id")}


# addresses that several customers have


def shared_addresses(customers: DataFrame) -> DataFrame:
    cleaned = customers.withColumn("address", F.lower(columns.clean_text("email"))).filter("address IS NOT NULL")
    return cleaned.groupBy("address").agg(F.count("*").alias("n"), F.min("customer_id").alias("first")).filter("n > 1")


def shared_addresses_right(customers: DataFrame) -> DataFrame:
    cleaned = customers.select("customer_id", F.lower(columns.clean_text("email")).alias("address"))
    counted = cleaned.groupBy("address").agg(F.min("customer_id").alias("first"), F.count("customer_id").alias("n"))
    return counted.where("n >= 2 AND address IS NOT NULL").select("address", "n", "first")


def shared_addresses_wrong(customers: DataFrame) -> DataFrame:
    cleaned = customers.select("customer_id", F.lower(columns.clean_text("email")).alias("address"))
    counted = cleaned.groupBy("address").agg(F.min("customer_id").alias("first"), F.count("customer_id").alias("n"))
    return counted.where("n >= 2").select("address", "n", "first")


# rows that break a rule, with its name


def violations(orders: DataFrame) -> DataFrame:
    rules = {
        "negative": F.col("amount") < 0,
        "early": F.col("shipped_at") < F.col("ordered_at"),
        "no currency": F.col("currency").isNull(),
    }
    found = [orders.filter(rule).select("order_id", F.lit(name).alias("rule")) for name, rule in rules.items()]
    return columns.union_all(*found)


def violations_right(orders: DataFrame) -> DataFrame:
    flags = orders.select(
        "order_id",
        (F.col("amount") < 0).alias("negative"),
        (F.col("shipped_at") < F.col("ordered_at")).alias("early"),
        F.isnull("currency").alias("no_currency"),
    )
    long = flags.selectExpr(
        "order_id", "stack(3, 'negative', negative, 'early', early, 'no currency', no_currency) AS (rule, broken)"
    )
    return long.where("broken").select("order_id", "rule")


def violations_wrong(orders: DataFrame) -> DataFrame:
    rule = (
        F.when(F.col("amount") < 0, "negative")
        .when(F.col("shipped_at") < F.col("ordered_at"), "early")
        .when(F.col("currency").isNull(), "no currency")
    )
    return orders.select("order_id", rule.alias("rule")).dropna(subset=["rule"])
