"""Logical plans of Spark, as queries of the core."""
