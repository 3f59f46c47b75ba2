"""Orders and their lines."""

from __future__ import annotations

from pyspark.sql import DataFrame, SparkSession, Window
from pyspark.sql import functions as F
from retail.common.columns import is_paid, net_amount, with_prefix
from retail.common.job import get_logger

logger = get_logger("retail.orders")


# orders whose amount is not the sum of their lines


def mismatched(orders: DataFrame, order_items: DataFrame) -> DataFrame:
    lines = order_items.groupBy("order_id").agg(F.sum(F.col("quantity") * F.col("price")).alias("lines_total"))
    both = orders.select("order_id", "amount").join(lines, "order_id", "full_outer")
    differs = F.coalesce(F.col("amount"), F.lit(0)) != F.coalesce(F.col("lines_total"), F.lit(0))
    result = both.where(differs)
    logger.warning("%s orders do not match", result.count())
    return result


def mismatched_right(orders: DataFrame, order_items: DataFrame) -> DataFrame:
    priced = order_items.selectExpr("order_id", "price * quantity AS line_total")
    lines = priced.groupBy("order_id").agg(F.sum("line_total").alias("lines_total"))
    both = orders.join(lines, "order_id", "left").select("order_id", "amount", "lines_total")
    return both.filter("NOT coalesce(amount, 0) <=> coalesce(lines_total, 0)")


def mismatched_wrong(orders: DataFrame, order_items: DataFrame) -> DataFrame:
    lines = order_items.groupBy("order_id").agg(F.sum(F.col("quantity") * F.col("price")).alias("lines_total"))
    both = orders.select("order_id", "amount").join(lines, "order_id", "left")
    return both.where(F.col("amount") != F.col("lines_total"))


# revenue of each day in euros


def daily_revenue(spark: SparkSession) -> DataFrame:
    orders = spark.table("silver.orders").where(is_paid())
    rates = spark.table("silver.rates")
    dated = orders.withColumn("day", F.to_date("ordered_at"))
    in_euros = dated.join(F.broadcast(rates), ["currency", "day"], "left")
    revenue = F.sum(net_amount() * F.coalesce("rate", F.lit(1)))
    return in_euros.groupBy("day").agg(revenue.alias("revenue"), F.count("*").alias("orders"))


def daily_revenue_right(spark: SparkSession) -> DataFrame:
    orders, rates = spark.table("silver.orders").alias("o"), spark.table("silver.rates").alias("r")
    same = (F.col("o.currency") == F.col("r.currency")) & (F.to_date("o.ordered_at") == F.col("r.day"))
    joined = orders.join(rates, same, "left").filter(is_paid("o.status"))
    euros = net_amount("o.amount", "o.discount") * F.coalesce("r.rate", F.lit(1))
    named = joined.select(F.to_date("o.ordered_at").alias("day"), euros.alias("euros"))
    return named.groupBy("day").agg(F.sum("euros").alias("revenue"), F.count(F.lit(1)).alias("orders"))


def daily_revenue_wrong(spark: SparkSession) -> DataFrame:
    orders = spark.table("silver.orders").where(is_paid())
    dated = orders.withColumn("day", F.to_date("ordered_at"))
    in_euros = dated.join(spark.table("silver.rates"), ["currency", "day"])
    return in_euros.groupBy("day").agg(
        F.sum(net_amount() * F.col("rate")).alias("revenue"), F.count("*").alias("orders")
    )


# how long orders wait, by channel


def shipping_delay(orders: DataFrame) -> DataFrame:
    shipped = orders.filter(F.col("shipped_at").isNotNull())
    days = F.datediff(F.to_date("shipped_at"), F.to_date("ordered_at"))
    return (
        shipped.withColumn("days", days)
        .groupBy("channel")
        .agg(F.avg("days").alias("avg_days"), F.max("days").alias("max_days"), F.count("*").alias("orders"))
    )


def shipping_delay_right(orders: DataFrame) -> DataFrame:
    delays = orders.select("channel", F.expr("datediff(shipped_at, ordered_at) AS days")).dropna(subset=["days"])
    return delays.groupBy("channel").agg(F.mean("days"), F.max("days"), F.count("days"))


def shipping_delay_wrong(orders: DataFrame) -> DataFrame:
    delays = orders.select("channel", F.expr("datediff(shipped_at, ordered_at) AS days"))
    return delays.groupBy("channel").agg(F.avg("days"), F.max("days"), F.count("*"))


# orders by channel and status


def status_matrix(orders: DataFrame) -> DataFrame:
    return orders.groupBy("channel").agg(
        *[F.count(F.when(F.col("status") == s, True)).alias(s) for s in ("paid", "shipped", "returned")],
        F.sum(F.when(F.col("status") == "returned", F.col("amount"))).alias("returned_amount"),
    )


def status_matrix_right(orders: DataFrame) -> DataFrame:
    flagged = orders.select(
        "channel",
        *[(F.col("status") == s).cast("int").alias(s) for s in ("paid", "shipped", "returned")],
        F.expr("if(status = 'returned', amount, null) AS returned_amount"),
    )
    sums = [F.sum(c).alias(c) for c in ("paid", "shipped", "returned", "returned_amount")]
    return flagged.groupBy("channel").agg(*sums)


def status_matrix_wrong(orders: DataFrame) -> DataFrame:
    flagged = orders.select(
        "channel",
        *[(F.col("status") == s).cast("int").alias(s) for s in ("paid", "shipped", "returned")],
        F.expr("if(status = 'returned', amount, 0) AS returned_amount"),
    )
    sums = [F.sum(c).alias(c) for c in ("paid", "shipped", "returned", "returned_amount")]
    return flagged.groupBy("channel").agg(*sums)


# lines with what is known of their products


def enriched_items(order_items: DataFrame, products: DataFrame) -> DataFrame:
    named = with_prefix(products, "product", keep=("product_id",))
    joined = order_items.join(F.broadcast(named), "product_id", "left")
    for column, default in {"product_category": "other", "product_brand": "no brand"}.items():
        joined = joined.withColumn(column, F.coalesce(F.col(column), F.lit(default)))
    saved = (F.col("product_list_price") - F.col("price")) * F.col("quantity")
    return joined.select("order_id", "line", "product_category", "product_brand", saved.alias("saved"))


def enriched_items_right(order_items: DataFrame, products: DataFrame) -> DataFrame:
    filled = products.na.fill({"category": "other", "brand": "no brand"})
    joined = order_items.join(filled, order_items.product_id == filled.product_id)
    saved = F.col("quantity") * (filled.list_price - order_items.price)
    return joined.select("order_id", "line", filled.category, filled.brand, saved)


def enriched_items_wrong(order_items: DataFrame, products: DataFrame) -> DataFrame:
    joined = order_items.join(products.filter(~F.col("discontinued")), "product_id", "left")
    saved = (F.col("list_price") - F.col("price")) * F.col("quantity")
    category, brand = (F.coalesce(c, F.lit(d)) for c, d in (("category", "other"), ("brand", "no brand")))
    return joined.select("order_id", "line", category, brand, saved)


# the product of each category of which most was sold


def best_sellers(order_items: DataFrame, products: DataFrame) -> DataFrame:
    sold = order_items.groupBy("product_id").agg(F.sum("quantity").alias("sold"))
    ranked = Window.partitionBy("category").orderBy(F.desc("sold"), F.asc("product_id"))
    with_rank = products.join(sold, "product_id").withColumn("rank", F.row_number().over(ranked))
    return with_rank.where(F.col("rank") <= 3).select("category", "product_id", "name", "sold", "rank")


def best_sellers_right(order_items: DataFrame, products: DataFrame) -> DataFrame:
    joined = order_items.join(products, "product_id").groupBy("category", "product_id", "name")
    sold = joined.agg(F.sum("quantity").alias("sold"))
    ranked = Window.partitionBy("category").orderBy(F.col("sold").desc(), "product_id")
    return sold.select("*", F.rank().over(ranked).alias("rank")).filter("rank < 4")


def best_sellers_wrong(order_items: DataFrame, products: DataFrame) -> DataFrame:
    joined = order_items.join(products, "product_id").groupBy("category", "product_id", "name")
    sold = joined.agg(F.sum("quantity").alias("sold"))
    ranked = Window.partitionBy("category").orderBy(F.col("sold").desc())
    return sold.select("*", F.rank().over(ranked).alias("rank")).filter("rank < 4")


# what each customer has spent up to each order


def running_totals(orders: DataFrame) -> DataFrame:
    so_far = (
        Window.partitionBy("customer_id").orderBy("ordered_at", "order_id").rowsBetween(Window.unboundedPreceding, 0)
    )
    return orders.select("order_id", "customer_id", F.sum("amount").over(so_far).alias("so_far"))


def running_totals_right(orders: DataFrame) -> DataFrame:
    so_far = Window.partitionBy("customer_id").orderBy("ordered_at", "order_id")
    return orders.withColumn("so_far", F.sum("amount").over(so_far)).select("order_id", "customer_id", "so_far")


def running_totals_wrong(orders: DataFrame) -> DataFrame:
    so_far = Window.partitionBy("customer_id").orderBy("ordered_at")
    return orders.withColumn("so_far", F.sum("amount").over(so_far)).select("order_id", "customer_id", "so_far")


# days since the order before


def days_between_orders(orders: DataFrame) -> DataFrame:
    by_customer = Window.partitionBy("customer_id").orderBy("ordered_at", "order_id")
    before = F.lag("ordered_at").over(by_customer)
    return (
        orders.withColumn("days", F.datediff("ordered_at", before))
        .filter("days IS NOT NULL")
        .select("order_id", "days")
    )


def days_between_orders_right(orders: DataFrame) -> DataFrame:
    by_customer = Window.partitionBy("customer_id").orderBy("ordered_at", "order_id")
    dated = orders.withColumn("day", F.to_date("ordered_at"))
    with_before = dated.withColumn("before", F.lag("day", 1).over(by_customer))
    return with_before.dropna(subset=["before"]).select("order_id", F.datediff("day", "before"))


def days_between_orders_wrong(orders: DataFrame) -> DataFrame:
    by_customer = Window.partitionBy("customer_id").orderBy("ordered_at", "order_id")
    before = F.lag("ordered_at").over(by_customer)
    return (
        orders.where(is_paid())
        .withColumn("days", F.datediff("ordered_at", before))
        .dropna(subset=["days"])
        .select("order_id", "days")
    )


# amounts without nonsense


def cleaned_amounts(orders: DataFrame) -> DataFrame:
    capped = F.least(F.coalesce("discount", F.lit(0)), F.col("amount"))
    cleaned = orders.withColumn("discount", F.greatest(capped, F.lit(0))).where("amount > 0")
    return cleaned.select(
        "order_id", "amount", "discount", F.round(F.col("discount") / F.col("amount"), 2).alias("share")
    )


def cleaned_amounts_right(orders: DataFrame) -> DataFrame:
    positive = orders.fillna({"discount": 0}).where(F.col("amount") > 0)
    discount = (
        F.when(F.col("discount") < 0, 0)
        .when(F.col("discount") > F.col("amount"), F.col("amount"))
        .otherwise(F.col("discount"))
    )
    cleaned = positive.withColumn("discount", discount.cast("decimal(12,2)"))
    return cleaned.selectExpr("order_id", "amount", "discount", "round(discount / amount, 2) AS share")


def cleaned_amounts_wrong(orders: DataFrame) -> DataFrame:
    cleaned = orders.withColumn("discount", F.greatest(F.least("discount", "amount"), F.lit(0))).where("amount > 0")
    return cleaned.select("order_id", "amount", "discount", F.round(F.col("discount") / F.col("amount"), 2))


# the share of customers who came back, by channel


class RepeatRate:
    """Customers who have ordered more than once."""

    MINIMUM = 2

    @staticmethod
    def counted(orders: DataFrame) -> DataFrame:
        return orders.groupBy("channel", "customer_id").agg(F.count("*").alias("n"))

    @staticmethod
    def transform(orders: DataFrame) -> DataFrame:
        back = F.avg(F.when(F.col("n") >= RepeatRate.MINIMUM, 1.0).otherwise(0.0))
        return RepeatRate.counted(orders).groupBy("channel").agg(back.alias("rate"))

    @classmethod
    def transform_right(cls, orders: DataFrame) -> DataFrame:
        flagged = cls.counted(orders).withColumn("back", (F.col("n") > 1).cast("double"))
        return flagged.groupBy("channel").agg((F.sum("back") / F.count("*")).alias("rate"))

    @staticmethod
    def transform_wrong(orders: DataFrame) -> DataFrame:
        back = F.avg(F.when(F.col("n") > RepeatRate.MINIMUM, 1.0).otherwise(0.0))
        return RepeatRate.counted(orders).groupBy("channel").agg(back.alias("rate"))
