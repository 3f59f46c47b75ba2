"""Ten jobs as people write them, each with a refactoring that returns the same and one that does not."""

from __future__ import annotations

from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as f

SCHEMA = """
CREATE TABLE customers (id BIGINT PRIMARY KEY, name STRING, email STRING, country STRING, joined DATE NOT NULL);
CREATE TABLE orders (id BIGINT PRIMARY KEY, customer BIGINT NOT NULL, status STRING, placed TIMESTAMP NOT NULL,
    total DECIMAL(10, 2), coupon STRING, FOREIGN KEY (customer) REFERENCES customers (id));
CREATE TABLE lines (id BIGINT PRIMARY KEY, of BIGINT NOT NULL, product STRING, quantity INT NOT NULL,
    price DECIMAL(10, 2), tags ARRAY<STRING>);
CREATE TABLE clicks (id BIGINT PRIMARY KEY, customer BIGINT, page STRING, at TIMESTAMP, payload STRING);
"""
JOBS = (
    "clean_customers",
    "revenue_by_month",
    "latest_order",
    "tags_sold",
    "sessions",
    "funnel",
    "basket",
    "coupons",
    "dormant",
    "filled_prices",
)
PAIRS: dict[tuple[str, str], tuple[str, str]] = {
    **{(job, f"{job}_refactored"): ("equivalent", "") for job in JOBS},
    **{(job, f"{job}_wrong"): ("inequivalent", "") for job in JOBS},
    ("tags_sold", "tags_sold_wrong"): ("unknown", "are tried"),
    ("clean_customers", "clean_customers_wrong"): ("unknown", ""),
    ("sessions", "sessions_wrong"): ("unknown", ""),
    ("revenue_by_month", "revenue_by_month_wrong"): ("inequivalent", ""),
    ("basket", "basket_wrong"): ("unknown", ""),
}
"""Functions known by name alone, and elements of arrays, have no values with which a counterexample could be shown."""
REFUSED: dict[str, str] = {}


# 1. texts are cleaned, rows without an address are dropped


def _email(column: str) -> Column:
    return f.lower(f.trim(f.regexp_replace(column, r"\s+", "")))


def clean_customers(customers: DataFrame) -> DataFrame:
    cleaned = customers.withColumn("email", _email("email")).where(f.col("email").rlike("^[^@]+@[^@]+$"))
    named = cleaned.withColumn("name", f.initcap(f.coalesce("name", f.lit("unknown"))))
    return named.select("id", "name", "email", f.substring_index("email", "@", -1).alias("domain"))


def clean_customers_refactored(customers: DataFrame) -> DataFrame:
    email = _email("email")
    columns = {
        "name": f.initcap(f.when(f.col("name").isNull(), "unknown").otherwise(f.col("name"))),
        "domain": f.substring_index(email, "@", -1),
        "email": email,
    }
    cleaned = customers.withColumns(columns).select("id", "name", "email", "domain")
    return cleaned.where(f.col("email").rlike("^[^@]+@[^@]+$"))


def clean_customers_wrong(customers: DataFrame) -> DataFrame:
    kept = customers.where(f.col("email").rlike("^[^@]+@[^@]+$")).withColumn("email", _email("email"))
    named = kept.withColumn("name", f.initcap(f.coalesce("name", f.lit("unknown"))))
    return named.select("id", "name", "email", f.substring_index("email", "@", -1).alias("domain"))


# 2. revenue by month and country


def revenue_by_month(customers: DataFrame, orders: DataFrame) -> DataFrame:
    joined = orders.where("status = 'paid'").join(customers, orders.customer == customers.id)
    month = f.date_trunc("month", "placed").alias("month")
    return joined.groupBy(month, "country").agg(f.sum("total").alias("revenue"), f.count("*").alias("orders"))


def revenue_by_month_refactored(customers: DataFrame, orders: DataFrame) -> DataFrame:
    paid = orders.withColumn("month", f.date_trunc("month", "placed")).where(f.col("status").eqNullSafe("paid"))
    joined = customers.withColumnRenamed("id", "customer").join(paid, "customer")
    return joined.groupBy("month", "country").agg(f.sum("total").alias("revenue"), f.count("status").alias("orders"))


def revenue_by_month_wrong(customers: DataFrame, orders: DataFrame) -> DataFrame:
    joined = orders.where("status = 'paid'").join(customers, orders.customer == customers.id)
    month = f.date_trunc("month", "placed").alias("month")
    return joined.groupBy(month, "country").agg(f.sum("total").alias("revenue"), f.count("total").alias("orders"))


# 3. the latest order of each customer


def latest_order(orders: DataFrame) -> DataFrame:
    window = Window.partitionBy("customer").orderBy(f.desc("placed"), f.desc("id"))
    ranked = orders.withColumn("rank", f.row_number().over(window)).where("rank = 1")
    return ranked.select("customer", "status", "total")


def latest_order_refactored(orders: DataFrame) -> DataFrame:
    window = Window.partitionBy("customer").orderBy(f.desc("placed"), f.desc("id"))
    ranked = orders.select("customer", "status", "total", f.rank().over(window).alias("r"))
    return ranked.where("r <= 1").drop("r")


def latest_order_wrong(orders: DataFrame) -> DataFrame:
    window = Window.partitionBy("customer").orderBy(f.desc("placed"))
    ranked = orders.select("customer", "status", "total", f.rank().over(window).alias("r"))
    return ranked.where("r <= 1").drop("r")


# 4. how much was sold of each tag


def tags_sold(lines: DataFrame) -> DataFrame:
    each = lines.where("quantity > 0").select("quantity", f.explode("tags").alias("tag"))
    return each.where("tag <> ''").groupBy("tag").agg(f.sum("quantity").alias("sold"))


def tags_sold_refactored(lines: DataFrame) -> DataFrame:
    each = lines.select("quantity", f.posexplode("tags").alias("place", "tag"))
    return each.where("tag != '' AND quantity >= 1").groupBy("tag").agg(f.sum("quantity").alias("sold"))


def tags_sold_wrong(lines: DataFrame) -> DataFrame:
    each = lines.where("quantity > 0").select("quantity", f.explode(f.array_distinct("tags")).alias("tag"))
    return each.where("tag <> ''").groupBy("tag").agg(f.sum("quantity").alias("sold"))


# 5. clicks of an hour, from a payload of JSON


def sessions(clicks: DataFrame) -> DataFrame:
    device = f.get_json_object("payload", "$.device").alias("device")
    hourly = clicks.where("at IS NOT NULL").groupBy(f.window("at", "1 hour"), device)
    return hourly.agg(f.count_distinct("customer").alias("customers")).select("window.start", "device", "customers")


def sessions_refactored(clicks: DataFrame) -> DataFrame:
    with_device = clicks.withColumn("device", f.get_json_object("payload", "$.device"))
    hourly = with_device.groupBy("device", f.window("at", "1 hour"))
    return hourly.agg(f.size(f.collect_set("customer")).alias("n")).select("window.start", "device", "n")


def sessions_wrong(clicks: DataFrame) -> DataFrame:
    with_device = clicks.withColumn("device", f.get_json_object("payload", "$.device"))
    hourly = with_device.groupBy("device", f.window("at", "1 hour", "30 minutes"))
    return hourly.agg(f.count_distinct("customer").alias("customers")).select("window.start", "device", "customers")


# 6. a funnel by page


def funnel(clicks: DataFrame) -> DataFrame:
    return clicks.groupBy("customer").pivot("page", ["cart", "paid"]).agg(f.max("id"))


def funnel_refactored(clicks: DataFrame) -> DataFrame:
    steps = [f.max(f.when(f.col("page") == page, f.col("id"))).alias(page) for page in ("cart", "paid")]
    return clicks.groupBy("customer").agg(*steps)


def funnel_wrong(clicks: DataFrame) -> DataFrame:
    steps = [f.max(f.when(f.col("page") == page, f.col("id"))).alias(page) for page in ("cart", "paid")]
    return clicks.where(f.col("page").isin("cart", "paid")).groupBy("customer").agg(*steps)


# 7. what is in each order, as a text


def basket(lines: DataFrame) -> DataFrame:
    products = f.array_join(f.sort_array(f.collect_set("product")), ", ")
    return lines.groupBy("of").agg(products.alias("products"), f.sum(f.col("quantity") * f.col("price")).alias("total"))


def basket_refactored(lines: DataFrame) -> DataFrame:
    priced = lines.withColumn("amount", f.col("price") * f.col("quantity")).orderBy("id")
    found = priced.groupBy("of").agg(f.sort_array(f.collect_set("product")).alias("p"), f.sum("amount").alias("total"))
    return found.select("of", f.array_join("p", ", ").alias("products"), "total")


def basket_wrong(lines: DataFrame) -> DataFrame:
    products = f.array_join(f.sort_array(f.collect_set("product")), ", ")
    amount = f.col("quantity") * f.coalesce("price", f.lit(1))
    return lines.groupBy("of").agg(products.alias("products"), f.sum(amount).alias("total"))


# 8. the share of orders with a coupon


def coupons(orders: DataFrame) -> DataFrame:
    used = f.sum(f.when(f.col("coupon").isNotNull(), 1).otherwise(0))
    return orders.groupBy("customer").agg((used / f.count("*")).alias("share"))


def coupons_refactored(orders: DataFrame) -> DataFrame:
    counted = orders.groupBy("customer").agg(f.count("coupon").alias("used"), f.count("id").alias("all"))
    return counted.select("customer", f.try_divide("used", "all").alias("share"))


def coupons_wrong(orders: DataFrame) -> DataFrame:
    counted = orders.groupBy("customer").agg(f.count_distinct("coupon").alias("used"), f.count("id").alias("all"))
    return counted.select("customer", f.try_divide("used", "all").alias("share"))


# 9. customers who have not bought for a year


def dormant(customers: DataFrame, orders: DataFrame) -> DataFrame:
    recent = orders.where(f.to_date("placed") > f.add_months(f.current_date(), -12))
    return customers.join(recent, customers.id == recent.customer, "left_anti").select("id", "email")


def dormant_refactored(customers: DataFrame, orders: DataFrame) -> DataFrame:
    limit = f.add_months(f.current_date(), -12)
    recent = orders.where(f.to_date("placed") > limit).select(f.col("customer").alias("id"), f.lit(True).alias("is"))
    joined = customers.join(recent.distinct(), "id", "left")
    return joined.where(f.col("is").isNull()).select("id", "email")


def dormant_wrong(customers: DataFrame, orders: DataFrame) -> DataFrame:
    old = orders.where(f.to_date("placed") <= f.add_months(f.current_date(), -12))
    return customers.join(old, customers.id == old.customer, "left_semi").select("id", "email")


# 10. prices that are carried on


def filled_prices(lines: DataFrame) -> DataFrame:
    so_far = Window.partitionBy("product").orderBy("id").rowsBetween(Window.unboundedPreceding, Window.currentRow)
    return lines.select("id", "product", f.last("price", ignorenulls=True).over(so_far).alias("price"))


def filled_prices_refactored(lines: DataFrame) -> DataFrame:
    so_far = Window.partitionBy("product").orderBy("id").rowsBetween(Window.unboundedPreceding, 0)
    named = lines.withColumn("known", f.when(f.col("price").isNotNull(), f.col("price")))
    return named.repartition("product").select("id", "product", f.last("known", True).over(so_far).alias("price"))


def filled_prices_wrong(lines: DataFrame) -> DataFrame:
    so_far = Window.partitionBy("product").orderBy("id").rowsBetween(Window.unboundedPreceding, Window.currentRow)
    return lines.select("id", "product", f.last("price").over(so_far).alias("price"))
