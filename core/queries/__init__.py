"""Queries: the syntax, the meaning and the normal form of SQL, in pure Python."""
