"""A pipeline of PySpark: each function makes a table of those that its parameters name."""

from __future__ import annotations

from pyspark.sql import DataFrame
from pyspark.sql import functions as f


@f.udf("string")
def _initials(name: str | None) -> str | None:
    return None if name is None else "".join(word[0] for word in name.split())


def paid(orders: DataFrame) -> DataFrame:
    """Orders that cost something."""
    return orders.filter((f.col("amount") > 0) & f.col("day").isNotNull())


def badges(customer: DataFrame) -> DataFrame:
    """Customers with their initials."""
    return customer.withColumn("initials", _initials("name"))


def spending(paid: DataFrame, customer: DataFrame) -> DataFrame:
    """What each customer has spent."""
    joined = customer.join(paid, customer.id == paid.customer_id, "left")
    return joined.groupBy(customer.id, "city").agg(f.sum("amount").alias("spent"))


def cities(spending: DataFrame) -> DataFrame:
    """The revenue of each city."""
    return spending.groupBy("city").agg(f.sum("spent").alias("revenue"), f.count("*").alias("customers"))


def best(cities: DataFrame) -> DataFrame:
    """The best three cities."""
    return cities.orderBy(f.desc("revenue"), "city").limit(3)
