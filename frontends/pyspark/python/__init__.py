"""Python on terms: statements, expressions, and the builtin functions and types."""
