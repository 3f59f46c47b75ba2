"""Revenue by city, as DataFrames: the job as it was, a refactoring, and one that loses rows."""

from __future__ import annotations

from pyspark.sql import DataFrame
from pyspark.sql import functions as f


def before(customer: DataFrame, orders: DataFrame) -> DataFrame:
    """The revenue of each city, also of cities in which nobody has ordered."""
    joined = customer.join(orders, customer.id == orders.customer_id, "left")
    return joined.groupBy("city").agg(f.coalesce(f.sum("amount"), f.lit(0)).alias("revenue"))


def after(customer: DataFrame, orders: DataFrame) -> DataFrame:
    """Sums by customer first, so that fewer rows are joined."""
    sums = orders.groupBy("customer_id").agg(f.sum("amount").alias("spent"))
    joined = customer.join(sums, customer.id == sums.customer_id, "left")
    return joined.groupBy("city").agg(f.coalesce(f.sum("spent"), f.lit(0)).alias("revenue"))


def inner(customer: DataFrame, orders: DataFrame) -> DataFrame:
    """The same, but the left join has become an inner one: cities without orders are lost."""
    sums = orders.groupBy("customer_id").agg(f.sum("amount").alias("spent"))
    joined = customer.join(sums, customer.id == sums.customer_id)
    return joined.groupBy("city").agg(f.coalesce(f.sum("spent"), f.lit(0)).alias("revenue"))
