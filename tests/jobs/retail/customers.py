"""Customers: master data, segments, cohorts."""

from __future__ import annotations

from pyspark.sql import DataFrame, Window
from pyspark.sql import functions as F

from .common.columns import clean_text, is_paid, month_of, net_amount
from .common.job import get_logger

log = get_logger(__name__)


# active customers with their full names


def active_customers(customers: DataFrame) -> DataFrame:
    active = customers.filter(F.col("is_active"))
    log.info("active customers: %d", active.count())
    name = F.concat_ws(" ", clean_text("first_name"), clean_text("last_name"))
    return active.select("customer_id", name.alias("full_name"), "country")


def active_customers_right(customers: DataFrame) -> DataFrame:
    named = (
        customers.withColumn("first_name", clean_text("first_name"))
        .withColumn("last_name", clean_text("last_name"))
        .withColumn("full_name", F.concat_ws(" ", "first_name", "last_name"))
    )
    return named.where("is_active = true").select("customer_id", "full_name", "country")


def active_customers_wrong(customers: DataFrame) -> DataFrame:
    active = customers.filter(F.coalesce(F.col("is_active"), F.lit(True)))
    name = F.concat_ws(" ", clean_text("first_name"), clean_text("last_name"))
    return active.select("customer_id", name.alias("full_name"), "country")


# the current state from a log of changes


def current_emails(changes: DataFrame) -> DataFrame:
    latest = Window.partitionBy("customer_id").orderBy(F.col("version").desc())
    ranked = changes.withColumn("rn", F.row_number().over(latest))
    return ranked.filter((F.col("rn") == 1) & (F.col("operation") != "delete")).select("customer_id", "email")


def current_emails_right(changes: DataFrame) -> DataFrame:
    newest = changes.groupBy("customer_id").agg(F.max("version").alias("version"))
    latest = changes.join(newest, ["customer_id", "version"])
    return latest.filter("operation != 'delete'").select("customer_id", "email")


def current_emails_wrong(changes: DataFrame) -> DataFrame:
    latest = Window.partitionBy("customer_id").orderBy(F.col("version").desc())
    kept = changes.filter(F.col("operation") != "delete")
    return kept.withColumn("rn", F.row_number().over(latest)).filter("rn = 1").select("customer_id", "email")


# how many customers of which age, at the day of the run


def age_bands(customers: DataFrame, run_date: str) -> DataFrame:
    age = F.floor(F.months_between(F.lit(run_date).cast("date"), F.col("birth_date")) / 12)
    band = F.when(age < 18, "minor").when(age < 65, "adult").when(age.isNotNull(), "senior").otherwise("unknown")
    return customers.withColumn("band", band).groupBy("band").agg(F.count("*").alias("customers"))


def age_bands_right(customers: DataFrame, run_date: str) -> DataFrame:
    aged = customers.select(
        F.floor(F.months_between(F.to_date(F.lit(run_date)), "birth_date") / 12).alias("age"),
    )
    band = F.expr(
        "CASE WHEN age IS NULL THEN 'unknown' WHEN age < 18 THEN 'minor' WHEN age < 65 THEN 'adult' ELSE 'senior' END"
    )
    return aged.groupBy(band.alias("band")).count()


def age_bands_wrong(customers: DataFrame, run_date: str) -> DataFrame:
    age = F.floor(F.months_between(F.lit(run_date).cast("date"), F.col("birth_date")) / 12)
    band = F.when(age < 18, "minor").when(age < 65, "adult").otherwise("senior")
    return customers.withColumn("band", band).groupBy("band").agg(F.count("*").alias("customers"))


# how many customers by the domain of their addresses


def email_domains(customers: DataFrame) -> DataFrame:
    domain = F.lower(F.substring_index("email", "@", -1))
    counted = customers.where(F.col("email").contains("@")).groupBy(domain.alias("domain")).count()
    return counted.where("count > 1").orderBy(F.desc("count"), "domain")


def email_domains_right(customers: DataFrame) -> DataFrame:
    addresses = customers.where("email LIKE '%@%'").select(F.lower(F.substring_index("email", "@", -1)).alias("domain"))
    counted = addresses.groupBy("domain").agg(F.count(F.lit(1)).alias("n")).where(F.col("n") >= 2)
    return counted.sort(F.col("n").desc(), F.col("domain").asc())


def email_domains_wrong(customers: DataFrame) -> DataFrame:
    domain = F.substring_index("email", "@", -1)
    counted = customers.where(F.col("email").contains("@")).groupBy(domain.alias("domain")).count()
    return counted.where("count > 1").orderBy(F.desc("count"), "domain")


# customers without what names them


def anonymised(customers: DataFrame) -> DataFrame:
    hashed = customers.withColumn("key", F.sha2(F.lower(F.trim("email")), 256))
    return hashed.drop("first_name", "last_name", "email").withColumn("year", F.year("birth_date")).drop("birth_date")


def anonymised_right(customers: DataFrame) -> DataFrame:
    kept = [c for c in customers.columns if c not in ("first_name", "last_name", "email", "birth_date")]
    key = F.sha2(F.lower(F.trim(F.col("email"))), 256).alias("key")
    return customers.select(*kept, key, F.expr("year(birth_date) AS year"))


def anonymised_wrong(customers: DataFrame) -> DataFrame:
    hashed = customers.withColumn("key", F.sha2(F.coalesce(F.lower(F.trim("email")), F.lit("")), 256))
    return hashed.drop("first_name", "last_name", "email").withColumn("year", F.year("birth_date")).drop("birth_date")


# countries by segments


def segments_by_country(customers: DataFrame) -> DataFrame:
    pivoted = customers.groupBy("country").pivot("segment", ["gold", "silver", "bronze"]).count()
    return pivoted.na.fill(0)


def segments_by_country_right(customers: DataFrame) -> DataFrame:
    counts = [F.sum(F.when(F.col("segment") == s, 1).otherwise(0)).alias(s) for s in ("gold", "silver", "bronze")]
    return customers.groupBy("country").agg(*counts)


def segments_by_country_wrong(customers: DataFrame) -> DataFrame:
    known = customers.filter(F.col("segment").isin("gold", "silver", "bronze"))
    return known.groupBy("country").pivot("segment", ["gold", "silver", "bronze"]).count().na.fill(0)


# who has ordered nothing in the last ninety days


def churned(customers: DataFrame, orders: DataFrame, run_date: str) -> DataFrame:
    since = F.date_sub(F.to_date(F.lit(run_date)), 90)
    recent = orders.filter(F.to_date("ordered_at") >= since).select("customer_id").distinct()
    return customers.join(recent, "customer_id", "left_anti").select("customer_id", "email")


def churned_right(customers: DataFrame, orders: DataFrame, run_date: str) -> DataFrame:
    since = F.date_sub(F.to_date(F.lit(run_date)), 90)
    recent = orders.filter(F.to_date("ordered_at") >= since).groupBy("customer_id").agg(F.count("*").alias("n"))
    joined = customers.join(recent, "customer_id", "left")
    return joined.where(F.coalesce("n", F.lit(0)) == 0).select("customer_id", "email")


def churned_wrong(customers: DataFrame, orders: DataFrame, run_date: str) -> DataFrame:
    since = F.date_sub(F.to_date(F.lit(run_date)), 90)
    joined = customers.join(orders, "customer_id", "left")
    return joined.where(F.to_date("ordered_at") < since).select("customer_id", "email").distinct()


# what each customer has spent


def lifetime_value(customers: DataFrame, orders: DataFrame) -> DataFrame:
    spent = (
        orders.filter(is_paid())
        .groupBy("customer_id")
        .agg(F.sum(net_amount()).alias("value"), F.count("order_id").alias("orders"))
    )
    joined = customers.select("customer_id", "segment").join(spent, on="customer_id", how="left")
    return joined.fillna(0, subset=["value", "orders"])


def lifetime_value_right(customers: DataFrame, orders: DataFrame) -> DataFrame:
    paid = orders.withColumn("net", net_amount()).filter(is_paid()).select("customer_id", "net", "order_id")
    joined = customers.alias("c").join(paid.alias("o"), F.col("c.customer_id") == F.col("o.customer_id"), "left_outer")
    return joined.groupBy("c.customer_id", "c.segment").agg(
        F.coalesce(F.sum("net"), F.lit(0)).alias("value"), F.count("order_id").alias("orders")
    )


def lifetime_value_wrong(customers: DataFrame, orders: DataFrame) -> DataFrame:
    joined = customers.join(orders, on="customer_id", how="left").filter(is_paid())
    totals = joined.groupBy("customer_id", "segment").agg(
        F.sum(net_amount()).alias("value"), F.count("order_id").alias("orders")
    )
    return totals.fillna(0, subset=["value", "orders"])


# customers by the month of their first order


def cohorts(orders: DataFrame) -> DataFrame:
    first = orders.groupBy("customer_id").agg(F.min("ordered_at").alias("first_order"))
    return first.groupBy(month_of("first_order").alias("cohort")).agg(F.countDistinct("customer_id").alias("customers"))


def cohorts_right(orders: DataFrame) -> DataFrame:
    by_customer = Window.partitionBy("customer_id").orderBy("ordered_at", "order_id")
    first = orders.withColumn("n", F.row_number().over(by_customer)).where("n = 1")
    return first.withColumn("cohort", month_of("ordered_at")).groupBy("cohort").agg(F.count("*").alias("customers"))


def cohorts_wrong(orders: DataFrame) -> DataFrame:
    by_month = orders.withColumn("cohort", month_of("ordered_at"))
    return by_month.groupBy("cohort").agg(F.countDistinct("customer_id").alias("customers"))
