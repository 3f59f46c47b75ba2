"""Choices that nothing in a query fixes: which are the same in two queries."""
