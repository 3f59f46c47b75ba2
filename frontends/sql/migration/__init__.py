"""Two texts in two dialects: one schema for both, and what the dialects have in common."""
