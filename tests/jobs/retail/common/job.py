"""The frame of a job: where tables are, what is logged."""

from __future__ import annotations

import logging
from abc import ABC, abstractmethod
from dataclasses import dataclass, field

from pyspark.sql import DataFrame, SparkSession

LAKE = "/lake"


def get_logger(name: str) -> logging.Logger:
    logger = logging.getLogger(name)
    logger.setLevel(logging.INFO)
    return logger


@dataclass
class JobConfig:
    """What a job is run with."""

    days: int = 30
    minimum: int = 3
    statuses: list[str] = field(default_factory=lambda: ["paid", "shipped", "delivered"])


class Job(ABC):
    """A job that reads tables of the lake and makes a DataFrame."""

    def __init__(self, spark: SparkSession, config: JobConfig | None = None) -> None:
        self.spark = spark
        self.config = config or JobConfig()
        self.log = get_logger(type(self).__name__)

    def read(self, name: str) -> DataFrame:
        self.log.info("reading %s", name)
        return self.spark.read.format("delta").load(f"{LAKE}/{name}")

    @abstractmethod
    def transform(self) -> DataFrame: ...

    def run(self) -> DataFrame:
        result = self.transform()
        self.log.info("%s has %d rows", type(self).__name__, result.count())
        return result
