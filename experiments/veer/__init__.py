"""Veer as published, and its evaluation made anew."""
