"""Experiments: benchmark suites, and programs run on PySpark."""
