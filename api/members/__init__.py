"""MEMBERS: proofs of Coq in the place of those by normal forms, searched for (coq/README.md)."""
