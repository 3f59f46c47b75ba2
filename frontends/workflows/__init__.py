"""Workflows in files: SQL models, and JSON."""
