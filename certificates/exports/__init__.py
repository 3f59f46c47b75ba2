"""Certificates as the input of other tools (untrusted: what these tools then check is their own business)."""
