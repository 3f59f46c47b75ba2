"""The reference interpreter of queries: what a statement returns on a database."""
