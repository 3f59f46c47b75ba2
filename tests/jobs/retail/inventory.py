"""What is in the warehouses."""

from __future__ import annotations

from pyspark.sql import DataFrame, Window
from pyspark.sql import functions as F

from .common.job import Job


# the last known stock


class LatestStock(Job):
    def transform(self) -> DataFrame:
        newest = Window.partitionBy("warehouse", "product_id").orderBy(F.col("day").desc())
        ranked = self.read("stock").withColumn("rn", F.row_number().over(newest))
        return ranked.where("rn = 1").drop("rn")


class LatestStockRight(Job):
    def transform(self) -> DataFrame:
        newest = F.max(F.struct("day", "on_hand")).alias("newest")
        grouped = self.read("stock").groupBy("warehouse", "product_id").agg(newest)
        return grouped.select("warehouse", "product_id", "newest.day", "newest.on_hand")


class LatestStockWrong(Job):
    def transform(self) -> DataFrame:
        grouped = self.read("stock").groupBy("warehouse", "product_id")
        return grouped.agg(F.max("day").alias("day"), F.max("on_hand").alias("on_hand"))


# on how many days a product was out of stock everywhere


def days_out(stock: DataFrame) -> DataFrame:
    by_day = stock.groupBy("product_id", "day").agg(F.sum("on_hand").alias("on_hand"))
    return by_day.groupBy("product_id").agg(F.sum((F.col("on_hand") <= 0).cast("int")).alias("days_out"))


def days_out_right(stock: DataFrame) -> DataFrame:
    by_day = stock.groupBy("product_id", "day").agg(F.sum("on_hand").alias("total"))
    return by_day.groupBy("product_id").agg(F.count(F.when(~(F.col("total") > 0), F.lit(1))).alias("days_out"))


def days_out_wrong(stock: DataFrame) -> DataFrame:
    by_day = stock.groupBy("product_id", "day").agg(F.sum("on_hand").alias("on_hand"))
    return by_day.filter("on_hand <= 0").groupBy("product_id").agg(F.count("*").alias("days_out"))


# what is to be ordered again


class Reorder(Job):
    def sold(self) -> DataFrame:
        paid = self.read("orders").filter(F.col("status").isin(self.config.statuses))
        items = self.read("order_items").join(paid, "order_id", "left_semi")
        return items.groupBy("product_id").agg(F.sum("quantity").alias("sold"))

    def transform(self) -> DataFrame:
        on_hand = self.read("stock").groupBy("product_id").agg(F.sum("on_hand").alias("on_hand"))
        products = self.read("products").filter(~F.col("discontinued")).select("product_id", "name")
        joined = products.join(self.sold(), "product_id").join(on_hand, "product_id", "left").fillna({"on_hand": 0})
        return joined.where(F.col("on_hand") < F.col("sold") + self.config.minimum).select(
            "product_id", "name", "sold", "on_hand"
        )


class ReorderRight(Reorder):
    def sold(self) -> DataFrame:
        items = self.read("order_items").join(self.read("orders"), "order_id")
        paid = items.where(F.col("status").isin(*self.config.statuses))
        return paid.groupBy("product_id").agg(F.sum("quantity").alias("sold"))


class ReorderWrong(Reorder):
    def sold(self) -> DataFrame:
        items = self.read("order_items").join(self.read("payments"), "order_id")
        paid = items.where(~F.col("failed"))
        return paid.groupBy("product_id").agg(F.sum("quantity").alias("sold"))


# the share of each product in what its brand sells


def brand_share(order_items: DataFrame, products: DataFrame) -> DataFrame:
    sold = order_items.join(products, "product_id").groupBy("brand", "product_id").agg(F.sum("quantity").alias("sold"))
    whole = F.sum("sold").over(Window.partitionBy("brand"))
    return sold.withColumn("share", F.round(100 * F.col("sold") / whole, 1))


def brand_share_right(order_items: DataFrame, products: DataFrame) -> DataFrame:
    joined = order_items.join(products.select("product_id", "brand"), "product_id")
    sold = joined.groupBy("brand", "product_id").agg(F.sum("quantity").alias("sold"))
    wholes = joined.groupBy("brand").agg(F.sum("quantity").alias("whole"))
    both = sold.alias("s").join(wholes.alias("w"), F.col("s.brand").eqNullSafe(F.col("w.brand")))
    return both.select("s.brand", "product_id", "sold", F.round(F.col("sold") * 100 / F.col("whole"), 1).alias("share"))


def brand_share_wrong(order_items: DataFrame, products: DataFrame) -> DataFrame:
    joined = order_items.join(products.select("product_id", "brand"), "product_id")
    sold = joined.groupBy("brand", "product_id").agg(F.sum("quantity").alias("sold"))
    wholes = joined.groupBy("brand").agg(F.sum("quantity").alias("whole"))
    return sold.join(wholes, "brand").select(
        "brand", "product_id", "sold", F.round(F.col("sold") * 100 / F.col("whole"), 1)
    )
