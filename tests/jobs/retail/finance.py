"""Payments, currencies, targets."""

from __future__ import annotations

from pyspark.sql import Column, DataFrame, SparkSession, Window
from pyspark.sql import functions as F

from .common import columns as C
from .common.job import Job, get_logger

LOG = get_logger(__name__)


# orders that are paid in full, and those that are not


def reconciled(orders: DataFrame, payments: DataFrame) -> tuple[DataFrame, DataFrame]:
    received = payments.filter(~F.col("failed")).groupBy("order_id").agg(F.sum("amount").alias("received"))
    both = orders.select("order_id", "amount").join(received, "order_id", "left").na.fill({"received": 0})
    settled = both.where(F.col("received") >= F.col("amount"))
    owing = both.where(F.col("received") < F.col("amount")).withColumn("owed", F.col("amount") - F.col("received"))
    LOG.info("settled %d, owing %d", settled.count(), owing.count())
    return settled, owing


def reconciled_right(orders: DataFrame, payments: DataFrame) -> tuple[DataFrame, DataFrame]:
    received = F.coalesce(F.sum(F.when(F.col("failed") == False, F.col("p.amount"))), F.lit(0))  # noqa: E712
    joined = orders.alias("o").join(payments.alias("p"), F.expr("o.order_id = p.order_id"), "left")
    both = joined.groupBy("o.order_id", "o.amount").agg(received.alias("received"))
    owed = F.col("amount") - F.col("received")
    return both.filter(owed <= 0), both.filter(owed > 0).withColumn("owed", owed)


def reconciled_wrong(orders: DataFrame, payments: DataFrame) -> tuple[DataFrame, DataFrame]:
    received = payments.filter(~F.col("failed")).groupBy("order_id").agg(F.sum("amount").alias("received"))
    both = orders.select("order_id", "amount").join(received, "order_id", "left")
    settled = both.where(F.col("received") >= F.col("amount"))
    owing = both.where(F.col("received") < F.col("amount")).withColumn("owed", F.col("amount") - F.col("received"))
    return settled, owing


# amounts in euros, by the last rate that was known


def in_euros(orders: DataFrame, rates: DataFrame) -> DataFrame:
    known = (F.col("o.currency") == F.col("r.currency")) & (F.col("r.day") <= F.to_date("o.ordered_at"))
    last = Window.partitionBy("order_id").orderBy(F.col("day").desc())
    joined = orders.alias("o").join(rates.alias("r"), known).withColumn("rn", F.row_number().over(last))
    return joined.where("rn = 1").select("order_id", (F.col("amount") * F.col("rate")).alias("euros"))


def in_euros_right(orders: DataFrame, rates: DataFrame) -> DataFrame:
    dated = orders.withColumn("ordered_on", F.to_date("ordered_at"))
    pairs = dated.join(rates, "currency").where("day <= ordered_on")
    newest = pairs.groupBy("order_id").agg(F.max("day").alias("day"))
    found = pairs.join(newest, ["order_id", "day"])
    return found.select("order_id", (F.col("rate") * F.col("amount")).alias("euros"))


def in_euros_wrong(orders: DataFrame, rates: DataFrame) -> DataFrame:
    newest = rates.groupBy("currency").agg(F.max("day").alias("day"))
    last = rates.join(newest, ["currency", "day"])
    joined = orders.join(last, "currency").where(F.col("day") <= F.to_date("ordered_at"))
    return joined.select("order_id", (F.col("amount") * F.col("rate")).alias("euros"))


# how far each country is from its target


def _achieved(revenue: Column, target: Column) -> Column:
    return F.when(target != 0, F.round(revenue / target, 3))


def target_rates(orders: DataFrame, customers: DataFrame, targets: DataFrame, month: str) -> DataFrame:
    of_month = orders.filter(C.month_of("ordered_at") == F.to_date(F.lit(month))).filter(C.is_paid())
    revenue = of_month.join(customers, "customer_id").groupBy("country").agg(F.sum("amount").alias("revenue"))
    goals = targets.filter(F.col("month") == F.lit(month).cast("date"))
    joined = goals.join(revenue, "country", "left").withColumn("revenue", F.coalesce("revenue", F.lit(0)))
    return joined.select("country", "revenue", "target", _achieved(F.col("revenue"), F.col("target")).alias("achieved"))


def target_rates_right(orders: DataFrame, customers: DataFrame, targets: DataFrame, month: str) -> DataFrame:
    goals = targets.filter(F.col("month") == F.lit(month).cast("date")).select("country", "target")
    paid = orders.join(customers.select("customer_id", "country"), "customer_id").where(C.is_paid())
    of_month = paid.where(C.month_of("ordered_at") == F.to_date(F.lit(month))).select("country", "amount")
    summed = goals.join(of_month, "country", "left").groupBy("country", "target").agg(F.sum("amount").alias("sum"))
    revenue = F.coalesce("sum", F.lit(0))
    achieved = F.when(F.col("target") == 0, None).otherwise(F.round(revenue / F.col("target"), 3))
    return summed.select("country", revenue, "target", achieved)


def target_rates_wrong(orders: DataFrame, customers: DataFrame, targets: DataFrame, month: str) -> DataFrame:
    of_month = orders.filter(C.month_of("ordered_at") == F.to_date(F.lit(month))).filter(C.is_paid())
    revenue = of_month.join(customers, "customer_id").groupBy("country").agg(F.sum("amount").alias("revenue"))
    joined = targets.join(revenue, "country", "left").withColumn("revenue", F.coalesce("revenue", F.lit(0)))
    return joined.select("country", "revenue", "target", _achieved(F.col("revenue"), F.col("target")).alias("achieved"))


# revenue with its subtotals


def revenue_rollup(orders: DataFrame, customers: DataFrame) -> DataFrame:
    joined = orders.join(customers, "customer_id")
    return joined.rollup("country", "segment").agg(F.sum("amount").alias("revenue"), F.grouping_id().alias("level"))


def revenue_rollup_right(orders: DataFrame, customers: DataFrame) -> DataFrame:
    joined = orders.join(customers, "customer_id")
    revenue = F.sum("amount").alias("revenue")
    fine = joined.groupBy("country", "segment").agg(revenue).withColumn("level", F.lit(0).cast("bigint"))
    by_country = joined.groupBy("country").agg(revenue)
    coarse = by_country.select(
        "country", F.lit(None).cast("string").alias("segment"), "revenue", F.lit(1).cast("bigint").alias("level")
    )
    total = (
        joined.groupBy(F.lit(1))
        .agg(revenue)
        .selectExpr("CAST(NULL AS STRING)", "CAST(NULL AS STRING)", "revenue", "3L")
    )
    return fine.union(coarse).union(total)


def revenue_rollup_wrong(orders: DataFrame, customers: DataFrame) -> DataFrame:
    joined = orders.join(customers, "customer_id").where("country IS NOT NULL")
    return joined.rollup("country", "segment").agg(F.sum("amount").alias("revenue"), F.grouping_id().alias("level"))


# the share of payments that fail


class FailureRate(Job):
    def transform(self) -> DataFrame:
        payments = self.read("payments")
        rate = F.avg(F.col("failed").cast("int"))
        counted = payments.groupBy("method").agg(rate.alias("rate"), F.count("*").alias("payments"))
        return counted.filter(F.col("payments") >= self.config.minimum)


class FailureRateRight(Job):
    def transform(self) -> DataFrame:
        flagged = self.read("payments").select("method", F.when(F.col("failed"), 1).otherwise(0).alias("failed"))
        counted = flagged.groupBy("method").agg(F.sum("failed").alias("failed"), F.count(F.lit(1)).alias("payments"))
        kept = counted.filter(F.col("payments") > self.config.minimum - 1)
        return kept.select("method", F.col("failed") / F.col("payments"), "payments")


class FailureRateWrong(Job):
    def transform(self) -> DataFrame:
        payments = self.read("payments").dropna(subset=["paid_at"])
        rate = F.avg(F.col("failed").cast("int"))
        counted = payments.groupBy("method").agg(rate.alias("rate"), F.count("*").alias("payments"))
        return counted.filter(F.col("payments") >= self.config.minimum)


# what moves the ledger


def ledger(orders: DataFrame, payments: DataFrame) -> DataFrame:
    sales = orders.filter(C.is_paid()).select("order_id", F.lit("sale").alias("kind"), "amount")
    refunds = orders.filter("status = 'returned'").select(
        "order_id", F.lit("refund").alias("kind"), (-F.col("amount")).alias("amount")
    )
    received = payments.filter(~F.col("failed")).select("order_id", F.lit("payment").alias("kind"), "amount")
    return C.union_all(sales, refunds, received)


def ledger_right(orders: DataFrame, payments: DataFrame) -> DataFrame:
    kind = F.when(C.is_paid(), "sale").when(F.col("status") == "returned", "refund")
    amount = F.when(F.col("status") == "returned", -F.col("amount")).otherwise(F.col("amount"))
    moved = orders.select("order_id", kind.alias("kind"), amount.alias("amount")).where("kind IS NOT NULL")
    received = payments.where("NOT failed").withColumn("kind", F.lit("payment")).select("amount", "kind", "order_id")
    return received.unionByName(moved).select("order_id", "kind", "amount")


def ledger_wrong(orders: DataFrame, payments: DataFrame) -> DataFrame:
    kind = F.when(C.is_paid(), "sale").when(F.col("status") == "returned", "refund")
    amount = F.when(F.col("status") == "returned", -F.col("amount")).otherwise(F.col("amount"))
    moved = orders.select("order_id", kind.alias("kind"), amount.alias("amount")).where("amount IS NOT NULL")
    received = payments.where("NOT failed").withColumn("kind", F.lit("payment")).select("amount", "kind", "order_id")
    return received.unionByName(moved.where("kind IS NOT NULL")).select("order_id", "kind", "amount")


# an SQL text over views that the job has made


def monthly_statement(spark: SparkSession, customers: DataFrame, orders: DataFrame, run_date: str) -> DataFrame:
    orders.where(C.is_paid()).createOrReplaceTempView("paid_orders")
    customers.createOrReplaceTempView("all_customers")
    return spark.sql(f"""
        SELECT c.customer_id, c.country, SUM(o.amount - COALESCE(o.discount, 0)) AS net, COUNT(*) AS orders
        FROM paid_orders o JOIN all_customers c ON o.customer_id = c.customer_id
        WHERE date_trunc('month', o.ordered_at) = date_trunc('month', DATE '{run_date}')
        GROUP BY c.customer_id, c.country
        HAVING COUNT(*) > 1
    """)


def monthly_statement_right(customers: DataFrame, orders: DataFrame, run_date: str) -> DataFrame:
    month = F.date_trunc("month", F.lit(run_date).cast("date"))
    kept = orders.filter(C.is_paid() & (F.date_trunc("month", "ordered_at") == month))
    counted = kept.groupBy("customer_id").agg(F.sum(C.net_amount()).alias("net"), F.count("*").alias("orders"))
    several = counted.where(F.col("orders") > 1)
    return several.join(customers, "customer_id").select("customer_id", "country", "net", "orders")


def monthly_statement_wrong(customers: DataFrame, orders: DataFrame, run_date: str) -> DataFrame:
    month = F.date_trunc("month", F.lit(run_date).cast("date"))
    kept = orders.filter(C.is_paid() & (F.date_trunc("month", "ordered_at") == month))
    net = F.sum(F.col("amount") - F.col("discount")).alias("net")
    counted = kept.groupBy("customer_id").agg(net, F.count("*").alias("orders")).where("orders > 1")
    return counted.join(customers, "customer_id").select("customer_id", "country", "net", "orders")
