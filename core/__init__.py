"""The language, its semantics and its logic."""
