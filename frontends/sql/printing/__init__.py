"""Queries and databases as text of SQL that engines run."""
