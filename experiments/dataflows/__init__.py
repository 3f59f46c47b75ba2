"""Workflows to try the comparison of dataflows on."""
