"""Temporal logic and property-based testing of streams."""
