"""Employees."""

from __future__ import annotations

from pyspark.sql import DataFrame, Window
from pyspark.sql import functions as F


# managers, with how many work for them


def managers(employees: DataFrame) -> DataFrame:
    team = (
        employees.where("manager_id IS NOT NULL")
        .groupBy("manager_id")
        .agg(F.count("*").alias("reports"), F.avg("salary").alias("avg_salary"))
    )
    return (
        employees.alias("m")
        .join(team.alias("t"), F.col("m.employee_id") == F.col("t.manager_id"))
        .select("employee_id", "name", "reports", "avg_salary")
    )


def managers_right(employees: DataFrame) -> DataFrame:
    m, r = employees.alias("m"), employees.alias("r")
    joined = m.join(r, F.col("r.manager_id") == F.col("m.employee_id"), "inner")
    grouped = joined.groupBy("m.employee_id", "m.name")
    return grouped.agg(F.count("r.employee_id").alias("reports"), F.avg("r.salary").alias("avg_salary"))


def managers_wrong(employees: DataFrame) -> DataFrame:
    m, r = employees.alias("m"), employees.alias("r")
    joined = m.join(r, F.col("r.manager_id") == F.col("m.employee_id"), "left")
    grouped = joined.groupBy("m.employee_id", "m.name")
    return grouped.agg(F.count("r.employee_id").alias("reports"), F.avg("r.salary").alias("avg_salary"))


# who is employed on a day


def headcount(employees: DataFrame, run_date: str) -> DataFrame:
    day = F.lit(run_date).cast("date")
    there = (F.col("hired") <= day) & (F.col("left_on").isNull() | (F.col("left_on") > day))
    return employees.filter(there).groupBy("department").agg(F.count("*").alias("headcount"))


def headcount_right(employees: DataFrame, run_date: str) -> DataFrame:
    day = F.to_date(F.lit(run_date))
    flagged = employees.where(~(F.col("hired") > day)).withColumn(
        "gone", F.coalesce(F.col("left_on") <= day, F.lit(False))
    )
    return flagged.where(~F.col("gone")).groupBy("department").count()


def headcount_wrong(employees: DataFrame, run_date: str) -> DataFrame:
    day = F.lit(run_date).cast("date")
    return (
        employees.filter(day.between(F.col("hired"), F.col("left_on")))
        .groupBy("department")
        .agg(F.count("*").alias("headcount"))
    )


# who earns more than the average of the department


def above_average(employees: DataFrame) -> DataFrame:
    mean = F.avg("salary").over(Window.partitionBy("department"))
    return employees.withColumn("mean", mean).filter("salary > mean").select("employee_id", "department", "salary")


def above_average_right(employees: DataFrame) -> DataFrame:
    means = employees.groupBy("department").agg(F.avg("salary").alias("mean")).withColumnRenamed("department", "dept")
    joined = employees.join(means, employees.department.eqNullSafe(means.dept))
    return joined.where(F.col("salary") > F.col("mean")).select("employee_id", "department", "salary")


def above_average_wrong(employees: DataFrame) -> DataFrame:
    means = employees.groupBy("department").agg(F.avg("salary").alias("mean"))
    joined = employees.join(means, "department")
    return joined.where(F.col("salary") > F.col("mean")).select("employee_id", "department", "salary")


# salaries by quarter of the year of hiring, for those who are still there


def salaries_by_quarter(employees: DataFrame) -> DataFrame:
    there = employees.where(F.col("left_on").isNull()).withColumn("quarter", F.quarter("hired"))
    return there.groupBy(F.year("hired").alias("year"), "quarter").agg(
        F.min("salary").alias("low"), F.max("salary").alias("high"), F.countDistinct("department").alias("departments")
    )


def salaries_by_quarter_right(employees: DataFrame) -> DataFrame:
    there = employees.select(
        F.year("hired").alias("year"), F.quarter("hired").alias("quarter"), "salary", "department", "left_on"
    )
    grouped = there.filter("left_on IS NULL").groupBy("year", "quarter")
    return grouped.agg(F.min("salary"), F.max("salary"), F.size(F.collect_set("department")).cast("bigint"))


def salaries_by_quarter_wrong(employees: DataFrame) -> DataFrame:
    there = employees.where(F.col("left_on").isNull()).withColumn("quarter", F.quarter("hired"))
    return there.groupBy("quarter").agg(
        F.min(F.year("hired")), F.min("salary"), F.max("salary"), F.countDistinct("department")
    )
