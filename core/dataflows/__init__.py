"""Workflows: operators whose rows run along wires."""
