"""Two SQL queries, one verdict."""
