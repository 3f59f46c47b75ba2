"""Suites of pairs of queries: read from folders that a user names, decided and tabulated."""
