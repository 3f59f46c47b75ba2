"""Proofs that a property holds for all streams."""
