"""Databases on which two queries differ."""
