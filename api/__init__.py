"""Tallystick: decides whether two Spark programs return the same bag on every input."""
