"""Logical plans from a Spark session, and from a Spark process of its own."""
