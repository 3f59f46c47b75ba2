"""What visitors do."""

from __future__ import annotations

import logging
from typing import Any

from pyspark.sql import DataFrame, SparkSession, Window
from pyspark.sql import functions as F

logger = logging.getLogger(__name__)
IDLE_SECONDS = 30 * 60


# visits: events of one customer without half an hour between them


def visits(events: DataFrame) -> DataFrame:
    in_time = Window.partitionBy("customer_id").orderBy("at", "event_id")
    gap = F.unix_timestamp("at") - F.unix_timestamp(F.lag("at").over(in_time))
    flagged = events.withColumn("is_new", F.when(gap > IDLE_SECONDS, 1).when(gap.isNull(), 1).otherwise(0))
    numbered = flagged.withColumn("visit", F.sum("is_new").over(in_time))
    return numbered.groupBy("customer_id", "visit").agg(F.min("at").alias("start"), F.count("*").alias("events"))


def visits_right(events: DataFrame) -> DataFrame:
    in_time = Window.partitionBy("customer_id").orderBy("at", "event_id")
    so_far = in_time.rowsBetween(Window.unboundedPreceding, Window.currentRow)
    with_last = events.withColumn("last_at", F.lag("at", 1).over(in_time))
    gap = F.unix_timestamp("at") - F.unix_timestamp("last_at")
    is_old = F.coalesce(gap <= IDLE_SECONDS, F.lit(False))
    numbered = with_last.withColumn("visit", F.sum(F.when(is_old, 0).otherwise(1)).over(so_far))
    return numbered.groupBy("customer_id", "visit").agg(F.min("at").alias("start"), F.count("event_id").alias("events"))


def visits_wrong(events: DataFrame) -> DataFrame:
    in_time = Window.partitionBy("customer_id").orderBy("at", "event_id")
    gap = F.unix_timestamp("at") - F.unix_timestamp(F.lag("at").over(in_time))
    flagged = events.withColumn("is_new", F.when(gap > IDLE_SECONDS, 1).otherwise(0))
    numbered = flagged.withColumn("visit", F.sum("is_new").over(in_time))
    return numbered.groupBy("customer_id", "visit").agg(F.min("at").alias("start"), F.count("*").alias("events"))


# how far sessions get


def funnel(events: DataFrame) -> DataFrame:
    steps = ["view", "cart", "checkout", "purchase"]
    reached = events.groupBy("session").agg(*[F.max((F.col("kind") == s).cast("int")).alias(s) for s in steps])
    return reached.agg(*[F.sum(s).alias(s) for s in steps])


def funnel_right(events: DataFrame) -> DataFrame:
    steps = ["view", "cart", "checkout", "purchase"]
    reached = events.select("session", "kind").distinct()
    pivoted = reached.groupBy("session").pivot("kind", steps).count().na.fill(0)
    return pivoted.agg(*[F.sum(s).alias(s) for s in steps])


def funnel_wrong(events: DataFrame) -> DataFrame:
    steps = ["view", "cart", "checkout", "purchase"]
    return events.agg(*[F.sum((F.col("kind") == s).cast("int")).alias(s) for s in steps])


# how long pages are looked at


def page_times(events: DataFrame) -> DataFrame:
    views = events.where((F.col("kind") == "view") & F.col("page").isNotNull())
    return views.groupBy("page").agg(F.avg("duration").alias("mean"), F.max("duration").alias("longest"))


def page_times_right(events: DataFrame) -> DataFrame:
    views = events.where("kind = 'view'").groupBy("page")
    summed = views.agg(F.sum("duration").alias("s"), F.count("duration").alias("n"), F.max("duration").alias("longest"))
    mean = F.when(F.col("n") > 0, F.col("s") / F.col("n"))
    return summed.filter(F.col("page").isNotNull()).select("page", mean.alias("mean"), "longest")


def page_times_wrong(events: DataFrame) -> DataFrame:
    views = events.where((F.col("kind") == "view") & F.col("page").isNotNull()).fillna(0, subset=["duration"])
    return views.groupBy("page").agg(F.avg("duration").alias("mean"), F.max("duration").alias("longest"))


# sessions of one page


def bounces(events: DataFrame) -> DataFrame:
    counted = (
        events.filter("session IS NOT NULL")
        .groupBy("session")
        .agg(F.count("*").alias("n"), F.first("page").alias("page"))
    )
    return counted.filter(F.col("n") == 1).groupBy("page").count()


def bounces_right(events: DataFrame) -> DataFrame:
    in_session = Window.partitionBy("session")
    alone = events.dropna(subset=["session"]).withColumn("n", F.count("*").over(in_session)).where("n = 1")
    return alone.groupBy("page").agg(F.count("session"))


def bounces_wrong(events: DataFrame) -> DataFrame:
    counted = (
        events.filter("session IS NOT NULL")
        .groupBy("session")
        .agg(F.countDistinct("page").alias("n"), F.first("page").alias("page"))
    )
    return counted.filter(F.col("n") == 1).groupBy("page").count()


# devices, as the payload says


def devices(spark: SparkSession) -> DataFrame:
    events = spark.read.parquet("/lake/events")
    device = F.get_json_object("payload", "$.device")
    parsed = events.withColumn("device", F.coalesce(F.lower(device), F.lit("unknown")))
    return (
        parsed.filter(F.col("kind") != "bot").groupBy("device").agg(F.countDistinct("customer_id").alias("customers"))
    )


def devices_right(spark: SparkSession) -> DataFrame:
    events = spark.read.parquet("/lake/events").where("NOT kind = 'bot'")
    device = F.lower(F.get_json_object(F.col("payload"), "$.device"))
    parsed = events.select("customer_id", F.ifnull(device, F.lit("unknown")).alias("device")).distinct()
    return parsed.groupBy("device").agg(F.count("customer_id").alias("customers"))


def devices_wrong(spark: SparkSession) -> DataFrame:
    events = spark.read.parquet("/lake/events").where("NOT kind = 'bot'")
    device = F.lower(F.get_json_object(F.col("payload"), "$.device"))
    parsed = events.select("customer_id", F.ifnull(device, F.lit("unknown")).alias("device")).distinct()
    return parsed.groupBy("device").agg(F.count("*").alias("customers"))


# the campaign page that a customer saw last before ordering


def last_touch(orders: DataFrame, events: DataFrame) -> DataFrame:
    touches = events.where("kind = 'campaign'").select("customer_id", "event_id", "page", "at")
    before = orders.join(touches, "customer_id").where(F.col("at") <= F.col("ordered_at"))
    last = Window.partitionBy("order_id").orderBy(F.desc("at"), F.desc("event_id"))
    touched = before.withColumn("rn", F.row_number().over(last)).where("rn = 1")
    return touched.groupBy("page").agg(F.count("*").alias("orders"), F.sum("amount").alias("revenue"))


def last_touch_right(orders: DataFrame, events: DataFrame) -> DataFrame:
    o, e = orders.alias("o"), events.alias("e")
    on = F.expr("o.customer_id = e.customer_id AND e.at <= o.ordered_at AND e.kind = 'campaign'")
    newest = F.max_by("e.page", F.struct("e.at", "e.event_id")).alias("page")
    touched = o.join(e, on).groupBy("o.order_id", "o.amount").agg(newest)
    return touched.groupBy("page").agg(F.count("*"), F.sum("amount"))


def last_touch_wrong(orders: DataFrame, events: DataFrame) -> DataFrame:
    last = Window.partitionBy("customer_id").orderBy(F.desc("at"), F.desc("event_id"))
    touches = events.where("kind = 'campaign'").withColumn("rn", F.row_number().over(last)).where("rn = 1")
    before = orders.join(touches, "customer_id").where(F.col("at") <= F.col("ordered_at"))
    return before.groupBy("page").agg(F.count("*").alias("orders"), F.sum("amount").alias("revenue"))


# events by hour


def hourly(events: DataFrame, run_date: str) -> DataFrame:
    of_day = events.where(F.to_date("at") == F.lit(run_date).cast("date"))
    hour = F.hour("at").alias("hour")
    return (
        of_day.groupBy(hour)
        .agg(F.count("*").alias("events"), F.countDistinct("session").alias("sessions"))
        .orderBy("hour")
    )


def hourly_right(events: DataFrame, run_date: str) -> DataFrame:
    of_day = events.withColumn("hour", F.hour("at")).where(F.to_date("at") == F.to_date(F.lit(run_date)))
    by_session = of_day.groupBy("hour", "session").agg(F.count("*").alias("n"))
    return by_session.groupBy("hour").agg(F.sum("n").alias("events"), F.count("session").alias("sessions")).sort("hour")


def hourly_wrong(events: DataFrame, run_date: str) -> DataFrame:
    of_day = events.withColumn("hour", F.hour("at")).where(F.to_date("at") == F.to_date(F.lit(run_date)))
    by_session = of_day.groupBy("hour", "session").agg(F.count("*").alias("n"))
    return by_session.groupBy("hour").agg(F.sum("n").alias("events"), F.count("*").alias("sessions")).sort("hour")


# who is there each month, and who was the month before


def retention(events: DataFrame) -> DataFrame:
    months = (
        events.filter("customer_id IS NOT NULL").select("customer_id", F.trunc("at", "MM").alias("month")).distinct()
    )
    later = months.select("customer_id", F.add_months("month", 1).alias("month"), F.lit(1).alias("back"))
    joined = months.join(later, ["customer_id", "month"], "left")
    return joined.groupBy("month").agg(F.count("*").alias("active"), F.count("back").alias("retained"))


def retention_right(events: DataFrame) -> DataFrame:
    known = events.dropna(subset=["customer_id"]).withColumn("month", F.trunc(F.to_date("at"), "month"))
    months = known.groupBy("customer_id", "month").agg(F.lit(1).alias("one"))
    m, b = months.alias("m"), months.alias("b")
    same = (F.col("m.customer_id") == F.col("b.customer_id")) & (F.col("m.month") == F.add_months("b.month", 1))
    return (
        m.join(b, same, "left")
        .groupBy("m.month")
        .agg(F.sum("m.one").alias("active"), F.count("b.one").alias("retained"))
    )


def retention_wrong(events: DataFrame) -> DataFrame:
    months = events.select("customer_id", F.trunc("at", "MM").alias("month")).distinct()
    later = months.select("customer_id", F.add_months("month", 1).alias("month"), F.lit(1).alias("back"))
    joined = months.join(later, ["customer_id", "month"], "left")
    return joined.groupBy("month").agg(F.count("*").alias("active"), F.count("back").alias("retained"))


# the numbers of a dashboard, each a DataFrame


def dashboard(events: DataFrame) -> dict[str, Any]:
    daily = events.groupBy(F.to_date("at").alias("day")).agg(F.countDistinct("customer_id").alias("customers"))
    pages = events.filter("kind = 'view'").groupBy("page").count()
    daily.show()
    return {"daily": daily, "pages": pages}


def dashboard_right(events: DataFrame) -> dict[str, Any]:
    days = events.select(F.to_date("at").alias("day"), "customer_id").dropDuplicates()
    views = F.sum(F.when(F.col("kind") == "view", 1))
    return {
        "pages": events.groupBy("page").agg(views.alias("count")).dropna(subset=["count"]),
        "daily": days.groupBy("day").agg(F.count("customer_id").alias("customers")),
    }


def dashboard_wrong(events: DataFrame) -> dict[str, Any]:
    daily = events.groupBy(F.to_date("at").alias("day")).agg(F.countDistinct("customer_id").alias("customers"))
    pages = events.groupBy("page").agg(F.sum(F.when(F.col("kind") == "view", 1).otherwise(0)).alias("count"))
    logger.info("days: %s", [row.day for row in daily.collect()])
    return {"daily": daily, "pages": pages}
