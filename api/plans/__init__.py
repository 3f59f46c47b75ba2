"""Plans of Spark: two DataFrames, and what the optimiser has made of a query."""
