"""Core Python: Python with its names resolved and its sugar removed, and its executable meaning."""
