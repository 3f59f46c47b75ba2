"""Structured Streaming programs on Spark: subjects, schemas, queries on a clock that is moved by hand."""
