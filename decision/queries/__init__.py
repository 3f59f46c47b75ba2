"""Decision methods for SQL queries."""
