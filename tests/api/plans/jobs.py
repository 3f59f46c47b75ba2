"""Ten jobs as a data engineer writes them, each with a refactoring that is right and one that is wrong."""

from __future__ import annotations

from pyspark.sql import DataFrame, Window
from pyspark.sql import functions as f


# 1. a join on a list of names, then columns that are renamed
def spending(customer: DataFrame, orders: DataFrame) -> DataFrame:
    named = customer.withColumnRenamed("id", "customer_id")
    joined = named.join(orders, on=["customer_id"], how="left")
    return joined.groupBy("customer_id").agg(f.sum("amount").alias("spent"))


def spending_right(customer: DataFrame, orders: DataFrame) -> DataFrame:
    spent = orders.select("customer_id", "amount")
    joined = customer.select("id").join(spent, f.col("id") == f.col("customer_id"), "left").drop("customer_id")
    return joined.groupBy("id").agg(f.sum("amount").alias("spent")).withColumnRenamed("id", "customer_id")


def spending_wrong(customer: DataFrame, orders: DataFrame) -> DataFrame:
    return orders.groupBy("customer_id").agg(f.sum("amount").alias("spent"))


# 2. customers without orders
def idle(customer: DataFrame, orders: DataFrame) -> DataFrame:
    joined = customer.join(orders, customer.id == orders.customer_id, "left")
    return joined.where(orders.id.isNull()).select(customer.id)


def idle_right(customer: DataFrame, orders: DataFrame) -> DataFrame:
    return customer.join(orders, customer.id == orders.customer_id, "left_anti").select("id")


def idle_wrong(customer: DataFrame, orders: DataFrame) -> DataFrame:
    """A customer whose only orders have no amount is not idle."""
    joined = customer.join(orders, customer.id == orders.customer_id, "left")
    return joined.where(orders.amount.isNull()).select(customer.id)


# 3. categories by when and otherwise
def sizes(orders: DataFrame) -> DataFrame:
    size = f.when(f.col("amount") >= 100, "large").when(f.col("amount") >= 10, "medium").otherwise("small")
    return orders.select("id", size.alias("size"))


def sizes_right(orders: DataFrame) -> DataFrame:
    amount = f.coalesce(f.col("amount"), f.lit(0))
    size = f.when(amount < 10, "small").when(amount < 100, "medium").otherwise("large")
    return orders.select("id", size.alias("size"))


def sizes_wrong(orders: DataFrame) -> DataFrame:
    """An order without an amount becomes large."""
    size = f.when(f.col("amount") < 10, "small").when(f.col("amount") < 100, "medium").otherwise("large")
    return orders.select("id", size.alias("size"))


# 4. orders by month
def months(orders: DataFrame) -> DataFrame:
    dated = orders.withColumn("year", f.year("day")).withColumn("month", f.month("day"))
    return dated.where(f.col("day") >= "2024-01-01").groupBy("year", "month").count()


def months_right(orders: DataFrame) -> DataFrame:
    recent = orders.filter(f.col("day") >= f.to_date(f.lit("2024-01-01")))
    return recent.groupBy(f.year("day").alias("year"), f.month("day").alias("month")).agg(f.count("*").alias("count"))


def months_wrong(orders: DataFrame) -> DataFrame:
    recent = orders.filter(f.col("day") > f.to_date(f.lit("2024-01-01")))
    return recent.groupBy(f.year("day").alias("year"), f.month("day").alias("month")).agg(f.count("*").alias("count"))


# 5. each order with the sum of its customer
def shares(orders: DataFrame) -> DataFrame:
    window = Window.partitionBy("customer_id")
    return orders.select("id", f.sum("amount").over(window).alias("total"))


def shares_right(orders: DataFrame) -> DataFrame:
    sums = orders.groupBy("customer_id").agg(f.sum("amount").alias("total"))
    keys = sums.withColumnRenamed("customer_id", "key")
    return orders.join(keys, orders.customer_id.eqNullSafe(keys.key)).select("id", "total")


def shares_wrong(orders: DataFrame) -> DataFrame:
    """Orders without a customer are lost."""
    sums = orders.groupBy("customer_id").agg(f.sum("amount").alias("total"))
    return orders.join(sums, on="customer_id").select("id", "total")


# 6. duplicates
def cities(customer: DataFrame) -> DataFrame:
    return customer.select("city").dropDuplicates().where("city IS NOT NULL")


def cities_right(customer: DataFrame) -> DataFrame:
    return customer.na.drop(subset=["city"]).groupBy("city").agg(f.count("*").alias("n")).select("city")


def cities_wrong(customer: DataFrame) -> DataFrame:
    return customer.na.drop(subset=["city"]).select("city")


# 7. a key makes dropDuplicates superfluous
def unique(orders: DataFrame) -> DataFrame:
    return orders.dropDuplicates(["id", "customer_id", "amount", "day", "status"]).select("id", "amount")


def unique_right(orders: DataFrame) -> DataFrame:
    return orders.select("id", "amount")


def unique_wrong(orders: DataFrame) -> DataFrame:
    return orders.select("customer_id", "amount").distinct().selectExpr("CAST(customer_id AS BIGINT) AS id", "amount")


# 8. texts
def codes(customer: DataFrame) -> DataFrame:
    return customer.where(f.col("name").like("A%")).select(f.upper(f.substring("name", 1, 3)).alias("code"))


def codes_right(customer: DataFrame) -> DataFrame:
    named = customer.withColumn("code", f.upper(f.col("name").substr(1, 3)))
    return named.filter(f.col("name").startswith("A")).select("code")


def codes_wrong(customer: DataFrame) -> DataFrame:
    named = customer.withColumn("code", f.upper(f.col("name").substr(1, 3)))
    return named.filter(f.col("code").startswith("A")).select("code")


# 9. missing values
def filled(event: DataFrame) -> DataFrame:
    return event.na.fill({"value": 0}).groupBy("kind").agg(f.sum("value").alias("total"))


def filled_right(event: DataFrame) -> DataFrame:
    known = event.withColumn("value", f.when(f.col("value").isNotNull(), f.col("value")).otherwise(0))
    return known.select("kind", "value").groupBy("kind").agg(f.sum("value").alias("total"))


def filled_wrong(event: DataFrame) -> DataFrame:
    return event.groupBy("kind").agg(f.sum("value").alias("total"))


# 10. two sources, united, with a flag
def activity(orders: DataFrame, event: DataFrame) -> DataFrame:
    bought = orders.select("customer_id", "day", f.lit("order").alias("what"))
    seen = event.select("customer_id", "day", f.lit("event").alias("what"))
    return bought.union(seen).where(f.col("what") == "order").groupBy("customer_id").agg(f.max("day").alias("last"))


def activity_right(orders: DataFrame, event: DataFrame) -> DataFrame:
    return orders.groupBy("customer_id").agg(f.max("day").alias("last"))


def activity_wrong(orders: DataFrame, event: DataFrame) -> DataFrame:
    bought = orders.select("customer_id", "day")
    return bought.union(event.select("customer_id", "day")).groupBy("customer_id").agg(f.max("day").alias("last"))


JOBS = ("spending", "idle", "sizes", "months", "shares", "cities", "unique", "codes", "filled", "activity")


# what is refused, and what fails
def random(orders: DataFrame) -> DataFrame:
    return orders.where(f.rand() < 0.5).select("id")


def exploded(orders: DataFrame) -> DataFrame:
    return orders.select(f.explode(f.array("id", "id")).alias("id"))


def misspelt(orders: DataFrame) -> DataFrame:
    return orders.select("amonut")


def counted(orders: DataFrame) -> int:
    return orders.count()


def cached(orders: DataFrame) -> DataFrame:
    return orders.cache().where("amount > 1").select("id")


def not_cached(orders: DataFrame) -> DataFrame:
    return orders.select("id", "amount").where("amount > 1.00").select("id")


def twice(number: int | None) -> int | None:
    return None if number is None else 2 * number


TWICE = f.udf(twice, "int")


def by_function(event: DataFrame) -> DataFrame:
    return event.where("value > 1").select(TWICE("value").alias("twice"))


def by_function_later(event: DataFrame) -> DataFrame:
    return event.withColumn("twice", TWICE("value")).where("value > 1").select("twice")


def by_another_function(event: DataFrame) -> DataFrame:
    return event.where("value > 1").select(f.udf(lambda number: number * 3, "int")("value").alias("twice"))


def text_column(orders: DataFrame) -> DataFrame:
    return orders.select(f.col("status").alias("id"))


def identities(orders: DataFrame) -> DataFrame:
    return orders.select("id")


def renamed(orders: DataFrame) -> DataFrame:
    return orders.select(f.col("id").alias("order"))
