"""Queries in the core language, normal forms and proofs about them, as `coq/core` has them."""
