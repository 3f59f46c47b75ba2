"""Databases with unknown rows and cells, and queries over them as formulas."""
