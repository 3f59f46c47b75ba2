"""Workflows of Texera."""
