"""The search for refutation trees with rows."""
