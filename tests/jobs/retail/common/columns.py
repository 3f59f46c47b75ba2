"""Columns that several jobs compute."""

from __future__ import annotations

from functools import reduce

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

PAID = ("paid", "shipped", "delivered")


def clean_text(name: str) -> Column:
    """A text without blanks around it; NULL if nothing is left."""
    trimmed = F.trim(F.col(name))
    return F.when(trimmed != "", trimmed)


def net_amount(amount: str = "amount", discount: str = "discount") -> Column:
    return F.col(amount) - F.coalesce(F.col(discount), F.lit(0))


def is_paid(status: str = "status") -> Column:
    return F.col(status).isin(*PAID)


def month_of(column: str) -> Column:
    return F.trunc(F.to_date(column), "month")


def union_all(*frames: DataFrame) -> DataFrame:
    return reduce(lambda left, right: left.unionByName(right), frames)


def with_prefix(frame: DataFrame, prefix: str, keep: tuple[str, ...] = ()) -> DataFrame:
    return frame.select(*[F.col(c) if c in keep else F.col(c).alias(f"{prefix}_{c}") for c in frame.columns])
