"""SQL text as queries: parsed with sqlglot, never run."""
