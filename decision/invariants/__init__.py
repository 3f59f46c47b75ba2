"""Invariants of folds: the induction that uses them, candidates for them, and how they become short."""
