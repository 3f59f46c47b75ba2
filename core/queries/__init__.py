"""Queries of SQL: types, catalogue, typed syntax, reference interpreter and the compilation to normal forms."""
