"""Verdicts about workflows as text, JSON, Markdown and a picture."""
